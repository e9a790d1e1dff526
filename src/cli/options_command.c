/* options_command.c - the commands that run: read, write, counter_*, mixed,
 * user. */
#include "cli/options_internal.h"
#include "cli/parse_internal.h"

#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

/* Alternatives of a command that runs. */
enum { BY_ERROR = 1, BY_COUNT = 2, BY_TIME = 4 };

static void show_type(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_puts(out, cs_command_name(s->command.type));
}

static bool by_time(const struct cs_settings *s)
{
    return s->command.duration > 0;
}

static bool by_error(const struct cs_settings *s)
{
    return s->command.target_uncertainty >= 0;
}

static void show_duration(const struct cs_settings *s, struct cs_buf *out)
{
    static const char *const units[] = {"SECONDS", "MINUTES", "HOURS", "DAYS"};

    cs_put_int(out, s->command.duration, true, 0);
    cs_buf_printf(out, " %s", units[s->command.duration_unit]);
}

static void show_consistency(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_puts(out, cs_consistency_name(s->command.cl));
}

static void show_target(const struct cs_settings *s, struct cs_buf *out)
{
    if (by_error(s))
        cs_put_fixed(out, s->command.target_uncertainty, 3, false, 0);
    else
        cs_buf_puts(out, "not applicable");
}

static void show_min_measurements(const struct cs_settings *s,
                                  struct cs_buf *out)
{
    cs_put_int(out, s->command.min_measurements, true, 0);
}

static void show_max_measurements(const struct cs_settings *s,
                                  struct cs_buf *out)
{
    cs_put_int(out, s->command.max_measurements, true, 0);
}

static void show_add(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_printf(out, "add=%s", s->command.add_text);
}

static void show_clustering(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_printf(out, "clustering=%s", s->command.clustering_text);
}

static void show_ratios(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_puts(out, "{");
    for (size_t i = 0; i < s->command.op_count; i++) {
        cs_buf_printf(out, "%s%s=", i ? ", " : "", s->command.ops[i].name);
        cs_put_java_double(out, s->command.ops[i].weight);
    }
    cs_buf_puts(out, "}");
}

static enum cs_code store_duration(struct cs_cli *cli,
                                   const struct cs_option *option,
                                   const char *value, struct cs_err *err)
{
    static const char units[] = "smhd";
    static const int64_t seconds[] = {1, 60, 3600, 86400};
    struct cs_settings_command *command = &cli->settings->command;
    size_t digits = strspn(value, "0123456789");
    const char *unit =
        value[digits] && !value[digits + 1]
            ? strchr(units, tolower((unsigned char)value[digits]))
            : NULL;
    char *end;

    (void)option;
    if (!digits || digits > 12 || !unit || !*unit)
        return cs_fail(err, CS_EUSAGE, "not a duration");
    command->duration = strtoll(value, &end, 10);
    command->duration_unit = (enum cs_duration_unit)(unit - units);
    if (command->duration < 1 ||
        command->duration > INT32_MAX / seconds[unit - units])
        return cs_fail(err, CS_EUSAGE, "duration out of range");
    return CS_OK;
}

static enum cs_code store_target(struct cs_cli *cli,
                                 const struct cs_option *option,
                                 const char *value, struct cs_err *err)
{
    size_t size = strlen(value);

    (void)option;
    if (size < 3 || strncmp(value, "0.", 2) != 0 ||
        strspn(value + 2, "0123456789") != size - 2)
        return cs_fail(err, CS_EUSAGE, "not a share");
    cli->settings->command.target_uncertainty = strtod(value, NULL);
    return CS_OK;
}

static enum cs_code store_consistency(struct cs_cli *cli,
                                      const struct cs_option *option,
                                      const char *value, struct cs_err *err)
{
    const char *nearest;

    (void)option;
    if (cs_consistency_parse(value, &cli->settings->command.cl))
        return CS_OK;
    nearest = cs_consistency_nearest(value);
    if (nearest)
        return cs_fail(err, CS_EUSAGE, "unknown consistency level, try '%s'",
                       nearest);
    return cs_fail(err, CS_EUSAGE,
                   "unknown consistency level, expected ONE, QUORUM, LOCAL_ONE "
                   "and the like");
}

static const struct cs_choice truncate_choices[] = {
    {"never", CS_TRUNCATE_NEVER},
    {"once", CS_TRUNCATE_ONCE},
    {"always", CS_TRUNCATE_ALWAYS},
    {NULL, 0}};

static const struct cs_choice serial_choices[] = {
    {"SERIAL", CS_CL_SERIAL}, {"LOCAL_SERIAL", CS_CL_LOCAL_SERIAL}, {NULL, 0}};

static const struct cs_option common_rows[] = {
    {.type = CS_OPTION_ECHO, .label = "Type", .show = show_type},
    {.key = "n=",
     .type = CS_OPTION_LONG,
     .sets = BY_COUNT,
     .needs = BY_COUNT,
     .at = CS_AT(command.count),
     .form = "digits and at most one of k, m, b, as in 10k",
     .help = "number of partitions to write or read; 0: only the schema",
     .label = "Count"},
    {.key = "duration=",
     .type = CS_OPTION_CUSTOM,
     .sets = BY_TIME,
     .needs = BY_TIME,
     .store = store_duration,
     .form = "digits and one of s, m, h, d, as in 30m",
     .help = "time to run for; the warm-up is not part of it",
     .label = "Duration",
     .when = by_time,
     .show = show_duration},
    {.key = "no-warmup",
     .type = CS_OPTION_FLAG,
     .at = CS_AT(command.no_warmup),
     .help = "do not warm up first",
     .label = "No Warmup"},
    {.key = "truncate=",
     .type = CS_OPTION_CHOICE,
     .at = CS_AT(command.truncate),
     .choices = truncate_choices,
     .preset = "never",
     .help = "empty the tables before the run (once) or before every step of a "
             "ramp (always)"},
    {.key = "cl=",
     .type = CS_OPTION_CUSTOM,
     .store = store_consistency,
     .preset = "LOCAL_ONE",
     .help = "consistency level: ANY ONE TWO THREE QUORUM ALL LOCAL_QUORUM "
             "EACH_QUORUM SERIAL LOCAL_SERIAL LOCAL_ONE",
     .label = "Consistency Level",
     .show = show_consistency},
    {.key = "serial-cl=",
     .type = CS_OPTION_CHOICE,
     .at = CS_AT(command.serial_cl),
     .has_at = CS_AT(command.serial_cl_set),
     .choices = serial_choices,
     .preset = "SERIAL",
     .help = "serial consistency level of conditional statements"},
    {.key = "err<",
     .type = CS_OPTION_CUSTOM,
     .sets = BY_ERROR,
     .store = store_target,
     .text_at = CS_AT(command.target_text),
     .shown = "0.02",
     .form = "0. and digits, as in 0.05",
     .help = "run until the standard error of the mean rate is below this",
     .label = "Target Uncertainty",
     .show = show_target},
    {.key = "n>",
     .type = CS_OPTION_INT,
     .sets = BY_ERROR,
     .at = CS_AT(command.min_measurements),
     .preset = "30",
     .form = "a number of intervals",
     .help = "intervals to measure at least before err< may end the run",
     .label = "Minimum Uncertainty Measurements",
     .when = by_error,
     .show = show_min_measurements},
    {.key = "n<",
     .type = CS_OPTION_INT,
     .sets = BY_ERROR,
     .at = CS_AT(command.max_measurements),
     .preset = "200",
     .form = "a number of intervals",
     .help = "intervals to measure at most",
     .label = "Maximum Uncertainty Measurements",
     .when = by_error,
     .show = show_max_measurements},
};

static const struct cs_option table_rows[] = {
    {.key = "keysize=",
     .type = CS_OPTION_INT,
     .at = CS_AT(command.key_size),
     .min = 1,
     .max = 65535, /* a partition key of Cassandra is no longer */
     .preset = "10",
     .form = "a number of bytes",
     .help = "bytes of the partition key",
     .label = "Key Size (bytes)"},
    {.key = "add=",
     .type = CS_OPTION_DIST,
     .at = CS_AT(command.add),
     .text_at = CS_AT(command.add_text),
     .preset = "fixed(1)",
     .help = "what a counter grows by",
     .label = "Counter Increment Distibution",
     .show = show_add},
};

static const struct cs_option ratio_items[] = {
    {.key = "read=", .store = cs_store_share, .help = "share of reads"},
    {.key = "write=", .store = cs_store_share, .help = "share of writes"},
    {.key = "counter_write=",
     .store = cs_store_share,
     .help = "share of counter updates"},
    {.key = "counter_read=",
     .store = cs_store_share,
     .help = "share of counter reads"},
};

/* The same in both, but for how the dump spells the default. */
#define CLUSTERING(usual)                                                      \
    {                                                                          \
        .key = "clustering=", .type = CS_OPTION_DIST,                          \
        .at = CS_AT(command.clustering),                                       \
        .text_at = CS_AT(command.clustering_text), .preset = (usual),          \
        .help = "how many operations of one kind follow each other",           \
        .label = "Command Clustering Distribution", .show = show_clustering    \
    }

static const struct cs_option mixed_rows[] = {
    {.key = "ratio(",
     .type = CS_OPTION_LIST,
     .items = ratio_items,
     .item_count = CS_COUNT(ratio_items),
     .shown = "read=1,write=1",
     .help = "shares of the operations",
     .label = "Command Ratios",
     .show = show_ratios},
    CLUSTERING("GAUSSIAN(1..10)"),
};

static const struct cs_option user_rows[] = {
    {.key = "ops(",
     .type = CS_OPTION_LIST,
     .needs = BY_ERROR | BY_COUNT | BY_TIME,
     .store_extra = cs_store_operation,
     .help = "operations and their weights: insert, validate, and the names "
             "under queries: and token_range_queries: of the profile",
     .label = "Command Ratios",
     .show = show_ratios},
    CLUSTERING("gaussian(1..10)"),
    {.key = "profile=",
     .type = CS_OPTION_CUSTOM,
     .needs = BY_ERROR | BY_COUNT | BY_TIME,
     .store = cs_store_profiles,
     .text_at = CS_AT(command.profile_text),
     .free_text = true,
     .form = "a file or a URL, or several with commas between",
     .help = "YAML profile, or its URL; several with commas between",
     .label = "Profile File(s)",
     .levels = CS_IN_4_0 | CS_IN_4_1 | CS_IN_5_0},
    {.type = CS_OPTION_ECHO,
     .text_at = CS_AT(command.profile_text),
     .label = "Profile File",
     .levels = CS_IN_3_11},
};

/* 2.1.0. */
static const struct cs_option old_rows[] = {
    {.key = "no_warmup",
     .type = CS_OPTION_FLAG,
     .at = CS_AT(command.no_warmup),
     .hidden = true,
     .help = "old spelling of no-warmup"},
    {.key = "ignore_errors",
     .type = CS_OPTION_FLAG,
     .at = CS_AT(errors.ignore),
     .hidden = true,
     .help = "old spelling of -errors ignore"},
    {.key = "tries=",
     .type = CS_OPTION_INT,
     .form = "a number",
     .at = CS_AT(errors.tries),
     .min = 1,
     .hidden = true,
     .help = "old spelling of -errors retries=, one more"},
    {.key = "at-once=",
     .type = CS_OPTION_CUSTOM,
     .hidden = true,
     .idle = "at-once= has no effect",
     .help = "without effect"},
};

static const char *const write_aliases[] = {"insert", NULL};
static const char *const counter_write_aliases[] = {
    "counterwrite", "counter_add", "counteradd", NULL};
static const char *const counter_read_aliases[] = {"counterread", "counter_get",
                                                   "counterget", NULL};

/* Every command that runs, and those on the predefined tables. */
#define RUNS .alternatives = 3, .section = "Command:"
#define TABLE_ROWS                                                             \
    CS_TABLE(common_rows), CS_TABLE(table_rows), CS_TABLE(old_rows)

const struct cs_option_group cs_options_read = {
    .name = "read",
    .command = CS_COMMAND_READ,
    .help = "many reads of a table that a write has filled",
    RUNS,
    .tables = {TABLE_ROWS}};

const struct cs_option_group cs_options_write = {
    .name = "write",
    .aliases = write_aliases,
    .command = CS_COMMAND_WRITE,
    .help = "many writes to a table of its own",
    RUNS,
    .tables = {TABLE_ROWS}};

const struct cs_option_group cs_options_mixed = {
    .name = "mixed",
    .command = CS_COMMAND_MIXED,
    .help = "reads and writes in given shares",
    RUNS,
    .tables = {TABLE_ROWS, CS_TABLE(mixed_rows)}};

const struct cs_option_group cs_options_counter_write = {
    .name = "counter_write",
    .aliases = counter_write_aliases,
    .command = CS_COMMAND_COUNTER_WRITE,
    .help = "many updates of counters",
    RUNS,
    .tables = {TABLE_ROWS}};

const struct cs_option_group cs_options_counter_read = {
    .name = "counter_read",
    .aliases = counter_read_aliases,
    .command = CS_COMMAND_COUNTER_READ,
    .help = "many reads of counters that a counter_write has filled",
    RUNS,
    .tables = {TABLE_ROWS}};

const struct cs_option_group cs_options_user = {
    .name = "user",
    .command = CS_COMMAND_USER,
    .help = "inserts and queries of your own, described in a YAML profile",
    RUNS,
    .tables = {CS_TABLE(common_rows), CS_TABLE(user_rows), CS_TABLE(old_rows)}};
