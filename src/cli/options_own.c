/* options_own.c - the groups that only cstress has: -compat and -loops. */
#include "cli/options_internal.h"
#include "cli/parse_internal.h"

#include <strings.h>

static const struct cs_choice level_choices[] = {{"3.11", CS_LEVEL_3_11},
                                                 {"4.0", CS_LEVEL_4_0},
                                                 {"4.1", CS_LEVEL_4_1},
                                                 {"5.0", CS_LEVEL_5_0},
                                                 {NULL, 0}};
static const struct cs_choice data_choices[] = {{"c4", CS_DATA_C4},
                                                {"c3", CS_DATA_C3},
                                                {"c2", CS_DATA_C2},
                                                {"probe", CS_DATA_PROBE},
                                                {NULL, 0}};

static const char *choice_name(const struct cs_choice *choices, int value)
{
    while (choices->name && choices->value != value)
        choices++;
    return choices->name ? choices->name : "?";
}

static void show_level(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_puts(out, choice_name(level_choices, (int)s->compat.level));
}

static void show_data(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_puts(out, choice_name(data_choices, (int)s->compat.data));
}

static const struct cs_choice figures_choices[] = {
    {"true", 0}, {"original", 1}, {NULL, 0}};

static enum cs_code store_figures(struct cs_cli *cli,
                                  const struct cs_option *option,
                                  const char *value, struct cs_err *err)
{
    const struct cs_choice *c = option->choices;

    while (c->name && strcasecmp(c->name, value) != 0)
        c++;
    if (!c->name)
        return cs_fail(err, CS_EUSAGE,
                       "unknown value, expected true or original");
    cli->settings->compat.original_figures = c->value != 0;
    return CS_OK;
}

static void show_figures(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_puts(out, s->compat.original_figures ? "original" : "true");
}

static const struct cs_option compat_rows[] = {
    {.key = "level=",
     .type = CS_OPTION_CHOICE,
     .at = CS_AT(compat.level),
     .choices = level_choices,
     .preset = "5.0",
     .help = "release whose layout the output has",
     .label = "Compat Level",
     .show = show_level},
    {.key = "data=",
     .type = CS_OPTION_CHOICE,
     .at = CS_AT(compat.data),
     .choices = data_choices,
     .shown = "c3 for level=3.11, else c4",
     .help =
         "which generated data; c4 is that of 4.0 and later, probe looks into "
         "the table",
     .label = "Data Dialect",
     .show = show_data},
    {.key = "figures=",
     .type = CS_OPTION_CUSTOM,
     .choices = figures_choices,
     .store = store_figures,
     .preset = "true",
     .form = "true or original",
     .help = "original: figures with the original's known errors",
     .label = "Figures",
     .show = show_figures},
    {.key = "strict",
     .type = CS_OPTION_FLAG,
     .at = CS_AT(compat.strict),
     .help = "the original's waits, and its errors where cstress is lenient",
     .label = "Strict"},
};

const struct cs_option_group cs_options_compat = {
    .name = "-compat",
    .help = "how much of the original to be: layout, data, figures",
    .section = "cstress:",
    .tables = {CS_TABLE(compat_rows)}};

static const struct cs_option loop_rows[] = {
    {.key = "count=",
     .type = CS_OPTION_INT,
     .form = "a number",
     .at = CS_AT(loops.loops),
     .min = 1,
     .max = 1024,
     .preset = "1",
     .help = "event loops, each a thread with connections of its own",
     .label = "Event Loops"},
    {.key = "pin",
     .type = CS_OPTION_FLAG,
     .at = CS_AT(loops.pin),
     .help = "keep each event loop on one processor",
     .label = "Pinned"},
};

const struct cs_option_group cs_options_loops = {
    .name = "-loops",
    .help = "event loops of the client",
    .section = "cstress:",
    .tables = {CS_TABLE(loop_rows)}};

static const struct cs_choice format_choices[] = {
    {"json", CS_ROWS_JSON}, {"cql", CS_ROWS_CQL}, {NULL, 0}};

static const struct cs_option format_rows[] = {
    {.type = CS_OPTION_BARE,
     .needs = 1,
     .store = cs_rows_store_format,
     .choices = format_choices,
     .shown = "json",
     .form = "format",
     .help = "how rows prints a row, one of"},
};

const struct cs_option_group cs_options_format = {
    .name = "-format",
    .help = "how the command rows prints: json or cql",
    .tables = {CS_TABLE(format_rows)}};
