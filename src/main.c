/* main.c - the table of contents: arguments to settings, then the command. */
#include "base/log.h"
#include "cli/cli.h"
#include "commands/commands.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NOTICES_MAX ((size_t)1 << 20)

/* A standard descriptor that the caller has closed would be given to the first
 * file or connection, and lines would go there. Writing to this one fails. */
static void hold_standard_descriptors(void)
{
    int fd;

    do {
        fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    } while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO)
        close(fd);
}

/* Warnings and notices of the command line, one per line. */
static enum cs_code parse(int argc, char **argv, struct cs_settings **out,
                          struct cs_err *err)
{
    struct cs_buf notices;
    enum cs_code rc;

    cs_buf_init(&notices, NOTICES_MAX);
    rc = cs_cli_parse(argc, argv, out, &notices, err);
    fwrite(notices.data, 1, notices.size, stderr);
    cs_buf_release(&notices);
    return rc;
}

static enum cs_code run_command(const struct cs_settings *settings,
                                struct cs_err *err)
{
    switch (settings->command.type) {
    case CS_COMMAND_HELP:
    case CS_COMMAND_PRINT:
    case CS_COMMAND_VERSION:
        return cs_command_info(settings, err);
    case CS_COMMAND_RESPONDER:
        return cs_command_responder(settings, err);
    default:
        if (settings->old.on)
            return cs_command_old(settings, err);
        if (settings->check_only)
            return cs_command_check(settings, err);
        return settings->rows.on ? cs_command_rows(settings, err)
                                 : cs_command_stress(settings, err);
    }
}

/* With `strict` the reason and the help stand on stdout, as the original has
 * them. Only a command line is refused so: then there are no settings. */
static bool refuse_strictly(int argc, char **argv,
                            const struct cs_settings *settings,
                            const struct cs_err *err)
{
    struct cs_buf text;
    bool strict;

    cs_buf_init(&text, NOTICES_MAX);
    strict = !settings && cs_cli_put_refusal(argc - 1, argv + 1, err, &text);
    if (strict)
        fwrite(text.data, 1, text.size, stdout);
    cs_buf_release(&text);
    return strict;
}

/* Under the name of another program its lines stand on stderr as it has them.
 */
static int run_sbk(int argc, char **argv)
{
    struct cs_err err = {0};
    enum cs_code rc = cs_command_sbk(argc, argv, &err);

    fflush(stdout);
    if (rc && rc != CS_EINTERRUPTED)
        fprintf(stderr, "%s\n", err.text);
    return rc ? cs_exit_status(&err) : 0;
}

int main(int argc, char **argv)
{
    struct cs_settings *settings = NULL;
    struct cs_err err = {0};
    const char *debug = getenv("CSTRESS_DEBUG");
    enum cs_code rc;
    int first;

    hold_standard_descriptors();
    cs_log_enabled = debug && debug[0] == '1';
    signal(SIGPIPE, SIG_IGN);
    if (cs_command_is_sbk(argc, argv, &first))
        return run_sbk(argc - first, argv + first);
    rc = parse(argc, argv, &settings, &err);
    if (!rc)
        rc = run_command(settings, &err);
    fflush(stdout);
    /* An interrupted run has said so in its report. */
    if (rc && rc != CS_EINTERRUPTED &&
        !refuse_strictly(argc, argv, settings, &err))
        fprintf(stderr, "cstress: %s\n", err.text);
    cs_settings_free(settings);
    return rc ? cs_exit_status(&err) : 0;
}
