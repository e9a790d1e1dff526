/* options_col.c - the group -col: columns of the predefined tables. */
#include "cli/options_internal.h"
#include "cli/parse_internal.h"

enum { BY_NAME = 1, BY_NUMBER = 2 };

static bool not_user(const struct cs_settings *s)
{
    return s->command.type != CS_COMMAND_USER;
}

static void show_count(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_printf(out, "%zu", s->columns.count);
}

static void show_names(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_puts(out, "[");
    for (size_t i = 0; i < s->columns.count; i++)
        cs_buf_printf(out, "%s%s", i ? ", " : "", s->columns.names[i]);
    cs_buf_puts(out, "]");
}

/* CQL has a fixed number of columns. */
static void show_variable(const struct cs_settings *s, struct cs_buf *out)
{
    (void)s;
    cs_buf_puts(out, "false");
}

static void show_count_dist(const struct cs_settings *s, struct cs_buf *out)
{
    if (s->columns.names_typed)
        cs_buf_printf(out, "Count:  fixed=%zu", s->columns.count);
    else
        cs_dist_describe(out, &s->columns.count_dist);
}

static enum cs_code store_names(struct cs_cli *cli,
                                const struct cs_option *option,
                                const char *value, struct cs_err *err)
{
    struct cs_settings_columns *columns = &cli->settings->columns;
    size_t count = 1;

    (void)option;
    for (const char *p = value; *p; p++)
        count += *p == ',';
    columns->names = cs_cli_array(cli, count, sizeof(*columns->names));
    columns->count = 0;
    while (columns->names) {
        size_t size = strcspn(value, ",");

        if (!size)
            return cs_fail(err, CS_EUSAGE, "an empty column name");
        columns->names[columns->count++] = cs_cli_text(cli, value, size);
        if (!value[size])
            break;
        value += size + 1;
    }
    return CS_OK;
}

static const struct cs_choice comparators[] = {
    {"TimeUUIDType", 0}, {"AsciiType", 1}, {"UTF8Type", 2}, {NULL, 0}};

static const struct cs_option col_rows[] = {
    {.type = CS_OPTION_ECHO,
     .label = "Max Columns Per Key",
     .show = show_count},
    {.key = "names=",
     .type = CS_OPTION_CUSTOM,
     .sets = BY_NAME,
     .needs = BY_NAME,
     .store = store_names,
     .has_at = CS_AT(columns.names_typed),
     .form = "names with commas between",
     .help = "names of the columns",
     .label = "Column Names",
     .show = show_names},
    {.key = "comparator=",
     .type = CS_OPTION_CHOICE,
     .text_at = CS_AT(columns.comparator),
     .choices = comparators,
     .preset = "AsciiType",
     .idle = "comparator= has no effect",
     .hidden = true,
     .help = "without effect",
     .label = "Comparator"},
    {.key = "timestamp=",
     .type = CS_OPTION_TEXT,
     .at = CS_AT(columns.timestamp),
     .form = "microseconds since 1970, digits",
     .help = "write with this timestamp (microseconds)",
     .label = "Timestamp"},
    {.type = CS_OPTION_ECHO,
     .label = "Variable Column Count",
     .show = show_variable},
    {.key = "slice",
     .type = CS_OPTION_FLAG,
     .at = CS_AT(columns.slice),
     .help = "read all columns with SELECT *",
     .label = "Slice"},
    {.key = "size=",
     .type = CS_OPTION_DIST,
     .at = CS_AT(columns.size),
     .preset = "FIXED(34)",
     .help = "bytes of a value",
     .label = "Size Distribution"},
    {.key = "n=",
     .type = CS_OPTION_DIST,
     .sets = BY_NUMBER,
     .at = CS_AT(columns.count_dist),
     .preset = "FIXED(5)",
     .help = "number of columns, C0 C1 and so on",
     .label = "Count Distribution",
     .show = show_count_dist},
    {.key = "super=",
     .type = CS_OPTION_INT,
     .form = "a number",
     .idle = "super= has no effect",
     .hidden = true,
     .help = "without effect"},
};

const struct cs_option_group cs_options_col = {
    .name = "-col",
    .help = "columns of the predefined tables: number, names, sizes",
    .alternatives = 2,
    .section = "Columns:",
    .when = not_user,
    .tables = {CS_TABLE(col_rows)}};
