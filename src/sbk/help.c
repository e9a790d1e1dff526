/* help.c - what SBK prints with -help, from the table of options. */
#include "sbk/options_internal.h"

#include <stdio.h>

void cs_sbk_put_name(const struct cs_sbk_options *options, struct cs_buf *out)
{
    cs_buf_puts(out, "sbk");
    if (options->class_name)
        cs_buf_printf(out, " -class %s", options->class_name);
    cs_buf_printf(out, " -out %s",
                  options->out ? options->out : "SystemLogger");
}

static bool is_listed(const struct cs_sbk_option *option,
                      const struct cs_sbk_options *options)
{
    if (option->place == CS_SBK_HIDDEN)
        return false;
    if (option->place == CS_SBK_NO_CLASS)
        return !options->class_name;
    return cs_sbk_option_is_there(option, options);
}

static void put_option(const struct cs_sbk_option *option, struct cs_buf *out)
{
    const char *preset = option->shown ? option->shown : option->preset;
    char word[40];

    snprintf(word, sizeof(word), "-%s%s", option->name,
             option->type < CS_SBK_FLAG ? " <arg>" : "");
    cs_buf_printf(out, " %-27s %s", word, option->help);
    if (preset && preset[0])
        cs_buf_printf(out, "; default: %s", preset);
    cs_buf_puts(out, "\n");
}

void cs_sbk_put_help(const struct cs_sbk_options *options, struct cs_buf *out)
{
    cs_buf_puts(out, "\nusage: ");
    cs_sbk_put_name(options, out);
    cs_buf_puts(out, "\n");
    for (const struct cs_sbk_option *o = cs_sbk_option_table; o->name; o++)
        if (is_listed(o, options) && o->place != CS_SBK_OURS)
            put_option(o, out);
    if (!cs_sbk_is_cassandra(options))
        return;
    cs_buf_puts(out, "\nnot known to SBK:\n");
    for (const struct cs_sbk_option *o = cs_sbk_option_table; o->name; o++)
        if (o->place == CS_SBK_OURS)
            put_option(o, out);
}
