/* options_insert.c - the group -insert: how partitions are filled. */
#include "cli/options_internal.h"

static bool has_partitions(const struct cs_settings *s)
{
    return s->insert.has_partitions;
}

static void show_select(const struct cs_settings *s, struct cs_buf *out)
{
    if (s->insert.has_select)
        cs_ratio_describe(out, &s->insert.select);
    else
        cs_buf_puts(out, "null");
}

static void show_batch_type(const struct cs_settings *s, struct cs_buf *out)
{
    static const char *const names[] = {"LOGGED", "UNLOGGED", "COUNTER"};

    cs_buf_puts(out, s->insert.batch_type == CS_BATCH_UNSET
                         ? "not batching"
                         : names[s->insert.batch_type]);
}

static const struct cs_choice batch_choices[] = {
    {"unlogged", CS_BATCH_UNLOGGED},
    {"logged", CS_BATCH_LOGGED},
    {"counter", CS_BATCH_COUNTER},
    {NULL, 0}};

#define RATIO_FORM "a distribution and a divisor, as in fixed(1)/2"

static const struct cs_option insert_rows[] = {
    {.key = "revisit=",
     .type = CS_OPTION_DIST,
     .at = CS_AT(insert.revisit),
     .preset = "uniform(1..1M)",
     .help = "which of the partitions that are not finished comes next",
     .label = "Revisits"},
    {.key = "visits=",
     .type = CS_OPTION_DIST,
     .at = CS_AT(insert.visits),
     .preset = "fixed(1)",
     .help = "over how many visits the rows of a partition are spread",
     .label = "Visits"},
    {.key = "partitions=",
     .type = CS_OPTION_DIST,
     .at = CS_AT(insert.partitions),
     .has_at = CS_AT(insert.has_partitions),
     .shown = "as in the profile, else fixed(1)",
     .help = "partitions of one insert (user only)",
     .label = "Batchsize",
     .when = has_partitions},
    {.key = "select-ratio=",
     .type = CS_OPTION_RATIO,
     .at = CS_AT(insert.select),
     .has_at = CS_AT(insert.has_select),
     .shown = "as in the profile, else fixed(1)/1",
     .form = RATIO_FORM,
     .help = "share of a partition's rows that a visit writes (user only)",
     .label = "Select Ratio",
     .when = has_partitions,
     .show = show_select},
    {.key = "row-population-ratio=",
     .type = CS_OPTION_RATIO,
     .at = CS_AT(insert.row_population),
     .preset = "fixed(1)/1",
     .form = RATIO_FORM,
     .help = "share of a row's columns that get a value (user only)",
     .label = "Row Population Ratio"},
    {.key = "batchtype=",
     .type = CS_OPTION_CHOICE,
     .at = CS_AT(insert.batch_type),
     .choices = batch_choices,
     .shown = "as in the profile, else logged",
     .help = "type of the batches (user only)",
     .label = "Batch Type",
     .show = show_batch_type},
};

const struct cs_option_group cs_options_insert = {
    .name = "-insert",
    .help = "how partitions and batches are filled",
    .section = "Insert:",
    .tables = {CS_TABLE(insert_rows)}};
