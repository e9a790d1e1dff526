/* test_table_advice.c - few keys for many positions, and a warm-up that counts
 * twice: told once each, and only where it is so. */
#include "support/vectors.h"
#include "workload/workload_internal.h"

static const struct cs_type text_type = {.kind = CS_TYPE_TEXT};
static const struct cs_type boolean_type = {.kind = CS_TYPE_BOOLEAN};
static const struct cs_type counter_type = {.kind = CS_TYPE_COUNTER};
static const struct cs_type list_type = {.kind = CS_TYPE_LIST};
static const struct cs_type frozen_type = {.kind = CS_TYPE_LIST,
                                           .frozen = true};

static const struct {
    const struct cs_type *key, *value;
    int64_t names; /* population of the key; 0: not said */
    int64_t count; /* n= */
    bool no_warmup;
    const char *text; /* NULL: nothing */
} rows[] = {
    {&text_type, &text_type, 0, 1000, false, NULL},
    {&text_type, &text_type, 1000, 1000, false, NULL},
    {&text_type, &text_type, 999, 1000, false,
     "ks.t: the partition key has at most 999 values for 1,000 positions"},
    {&boolean_type, &text_type, 0, 1000, false, "at most 2 values"},
    {&text_type, &counter_type, 0, 1000, false, "twice"},
    {&text_type, &list_type, 0, 1000, false, "adds to the list 'v' twice"},
    {&text_type, &frozen_type, 0, 1000, false, NULL},
    {&text_type, &counter_type, 0, 1000, true, NULL},
    {&text_type, &counter_type, 0, 3, false, NULL}, /* no warm-up so short */
};

static void tells_what_surprises(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_settings settings = {
            .command = {.count = rows[i].count, .no_warmup = rows[i].no_warmup},
            .population = {
                .sequence = true, .seq_start = 1, .seq_end = rows[i].count}};
        struct cs_column columns[] = {
            {.name = "k", .type = rows[i].key, .kind = CS_COLUMN_PARTITION_KEY},
            {.name = "v", .type = rows[i].value, .kind = CS_COLUMN_REGULAR}};
        struct cs_table table = {.keyspace = "ks",
                                 .name = "t",
                                 .columns = columns,
                                 .column_count = 2,
                                 .partition_count = 1};
        struct cs_column_rule rule = {
            .name = "k",
            .has_population = rows[i].names != 0,
            .population = cs_dist_uniform(1, CS_MAX(rows[i].names, 1))};
        struct cs_source source = {
            .table = &table, .rules = &rule, .rule_count = 1};
        struct cs_kind kind = {.type = CS_KIND_INSERT};
        struct cs_workload w = {.settings = &settings,
                                .sources = &source,
                                .source_count = 1,
                                .kinds = &kind,
                                .kind_count = 1};
        struct cs_buf out;

        cs_buf_init(&out, 4096);
        cs_workload_advise_tables(&w, &out);
        if (rows[i].text ? !strstr(cs_buf_text(&out), rows[i].text)
                         : out.size != 0)
            fail_msg("row %zu: %s", i, cs_buf_text(&out));
        cs_buf_release(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_what_surprises),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
