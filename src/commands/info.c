/* info.c - help, print and version: text on stdout, nothing else. */
#include "cli/cli.h"
#include "commands/session_internal.h"

#include "base/text.h"
#include "sbk/options.h"

#include <errno.h>
#include <stdio.h>

#define TEXT_MAX ((size_t)1 << 22)

enum cs_code cs_command_print(const struct cs_buf *text, struct cs_err *err)
{
    size_t size = text->size;

    if (!size ||
        (fwrite(text->data, 1, size, stdout) == size && !fflush(stdout)))
        return CS_OK;
    /* A reader such as `head` has gone: it has all it wanted. */
    if (errno == EPIPE)
        return CS_OK;
    return cs_fail_sys(err, "cannot write to standard output");
}

/* The tables of SBK's options are not those of this tool. */
static enum cs_code put_help(const struct cs_settings *settings,
                             struct cs_buf *text, struct cs_err *err)
{
    const char *topic = settings->help.topic;
    const struct cs_sbk_options all = {.class_name = "cassandra",
                                       .out = "PrometheusLogger",
                                       .logger = CS_SBK_PROMETHEUS_LOGGER};

    if (!topic || !cs_same_word(topic, "sbk"))
        return cs_cli_help(settings, text, err);
    cs_sbk_put_help(&all, text);
    return CS_OK;
}

enum cs_code cs_command_info(const struct cs_settings *settings,
                             struct cs_err *err)
{
    struct cs_buf text;
    enum cs_code rc = CS_OK;

    cs_buf_init(&text, TEXT_MAX);
    if (settings->command.type == CS_COMMAND_HELP)
        rc = put_help(settings, &text, err);
    else if (settings->command.type == CS_COMMAND_PRINT)
        rc = cs_cli_print(settings, &text, err);
    else
        cs_cli_version(settings, &text);
    if (!rc)
        rc = cs_buf_check(&text, "text", err);
    if (!rc)
        rc = cs_command_print(&text, err);
    cs_buf_release(&text);
    return rc;
}
