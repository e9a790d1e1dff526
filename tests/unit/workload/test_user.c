/* test_user.c - the user command before the first request: names in ops() and
 * what is said of the batches. */
#include "support/vectors.h"
#include "workload/workload_internal.h"

static const struct cs_type text_type = {.kind = CS_TYPE_TEXT};
static const struct cs_type int_type = {.kind = CS_TYPE_INT};
static const struct cs_type counter_type = {.kind = CS_TYPE_COUNTER};

/* A workload of one table "ks.t" and one insert into it. */
struct fixture {
    struct cs_settings settings;
    struct cs_profile profile;
    struct cs_column columns[6];
    struct cs_column_rule rules[6];
    struct cs_table table;
    struct cs_source source;
    struct cs_kind kind;
    struct cs_workload workload;
};

static void add_column(struct fixture *f, const char *name,
                       enum cs_column_kind kind, const struct cs_type *type)
{
    f->columns[f->table.column_count++] =
        (struct cs_column){.name = name, .kind = kind, .type = type};
}

/* A table with so many clustering columns c0, c1 ... of `each` values. */
static void fixture_init(struct fixture *f, unsigned clustering, int64_t each)
{
    static const char *const names[] = {"c0", "c1", "c2", "c3"};

    *f = (struct fixture){0};
    f->settings.insert.batch_type = CS_BATCH_UNSET;
    f->settings.insert.visits = cs_dist_fixed(1);
    f->profile.insert.batch_type = CS_BATCH_UNSET;
    f->table = (struct cs_table){.keyspace = "ks",
                                 .name = "t",
                                 .columns = f->columns,
                                 .partition_count = 1,
                                 .clustering_count = clustering};
    add_column(f, "k", CS_COLUMN_PARTITION_KEY, &text_type);
    for (unsigned i = 0; i < clustering; i++) {
        add_column(f, names[i], CS_COLUMN_CLUSTERING, &int_type);
        f->rules[i] = (struct cs_column_rule){.name = names[i],
                                              .has_cluster = true,
                                              .cluster = cs_dist_fixed(each)};
    }
    f->source = (struct cs_source){.table = &f->table,
                                   .rules = f->rules,
                                   .rule_count = clustering,
                                   .salt_prefix = "seed for stress",
                                   .profile = &f->profile};
    f->kind.type = CS_KIND_INSERT;
    f->workload = (struct cs_workload){.settings = &f->settings,
                                       .sources = &f->source,
                                       .source_count = 1,
                                       .kinds = &f->kind,
                                       .kind_count = 1};
}

static void counters_are_batched_as_counters(void **state)
{
    static const struct {
        const struct cs_type *value;
        enum cs_batch_type typed, written, want;
    } rows[] = {
        {&int_type, CS_BATCH_UNSET, CS_BATCH_UNSET, CS_BATCH_LOGGED},
        {&counter_type, CS_BATCH_UNSET, CS_BATCH_UNSET, CS_BATCH_COUNTER},
        {&counter_type, CS_BATCH_UNSET, CS_BATCH_UNLOGGED, CS_BATCH_UNLOGGED},
        {&counter_type, CS_BATCH_LOGGED, CS_BATCH_UNSET, CS_BATCH_LOGGED},
        {&int_type, CS_BATCH_UNLOGGED, CS_BATCH_LOGGED, CS_BATCH_UNLOGGED},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct fixture f;

        fixture_init(&f, 1, 3);
        add_column(&f, "v", CS_COLUMN_REGULAR, rows[i].value);
        f.settings.insert.batch_type = rows[i].typed;
        f.profile.insert.batch_type = rows[i].written;
        cs_workload_insert_rules(&f.workload, &f.kind);
        assert_int_equal(f.kind.batch_type, rows[i].want);
    }
}

static void says_how_few_rows_a_deep_partition_gets(void **state)
{
    static const struct {
        unsigned clustering;
        int64_t each;
        const char *want; /* NULL: nothing to say */
    } rows[] = {
        {2, 4, NULL},
        {3, 1, NULL}, /* one row is all there is */
        {3, 4,
         "ks.t has 3 clustering columns: an insert mostly writes 4 of "
         "the up to 64 rows of a partition, as the original does\n"},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_buf line, warnings;
        struct cs_err err;
        struct fixture f;

        fixture_init(&f, rows[i].clustering, rows[i].each);
        cs_buf_init(&line, 1000);
        cs_buf_init(&warnings, 1000);
        assert_int_equal(cs_workload_describe_batches(&f.workload, 0, &line,
                                                      &warnings, &err),
                         CS_OK);
        assert_string_equal(cs_buf_text(&warnings),
                            rows[i].want ? rows[i].want : "");
        cs_buf_clear(&warnings);
        f.kind.type = CS_KIND_QUERY; /* nothing is inserted */
        assert_int_equal(cs_workload_describe_batches(&f.workload, 0, &line,
                                                      &warnings, &err),
                         CS_OK);
        assert_string_equal(cs_buf_text(&warnings), "");
        cs_buf_release(&line);
        cs_buf_release(&warnings);
    }
}

/* Drawn as 0, a thread ends without a word. */
static void warns_of_partitions_that_may_be_none(void **state)
{
    static const struct {
        int64_t min, max;
        const char *want; /* in the warning; NULL: none */
    } rows[] = {
        {1, 5, NULL},
        {0, 5, "may be 0"},
        {0, 0, "writes nothing"},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_buf line, warnings;
        struct cs_err err;
        struct fixture f;

        fixture_init(&f, 1, 2);
        f.profile.insert.has_partitions = true;
        f.profile.insert.partitions = cs_dist_uniform(rows[i].min, rows[i].max);
        cs_buf_init(&line, 1000);
        cs_buf_init(&warnings, 1000);
        assert_int_equal(cs_workload_describe_batches(&f.workload, 0, &line,
                                                      &warnings, &err),
                         CS_OK);
        if (rows[i].want)
            assert_non_null(strstr(cs_buf_text(&warnings), rows[i].want));
        else
            assert_string_equal(cs_buf_text(&warnings), "");
        cs_buf_release(&line);
        cs_buf_release(&warnings);
    }
}

static void names_what_an_op_may_be(void **state)
{
    static const struct {
        const char *op;
        const char *want; /* NULL: good */
    } rows[] = {
        {"insert", NULL},
        {"buyers.insert", NULL},
        {"Orders.GET", "invalid profile specname: Orders, try 'orders'"},
        {"orders.GET", NULL},
        {"byers.insert",
         "ops: Op name byers.insert contains an invalid profile specname: "
         "byers, try 'buyers'; there is: 'orders', 'buyers'"},
        {"buyers.get", "No query defined with name get; b.yaml has: insert"},
        {"gte", "No query defined with name gte, try 'get'; a.yaml has: "
                "insert, validate, get, everything"},
        {"everything", NULL},
        {"Everything", "try 'everything'"}, /* in this map case counts */
        {"validate", NULL},
    };
    struct cs_query_spec get = {.name = "get"};
    struct cs_token_range_spec all = {.name = "everything"};
    struct cs_profile orders = {.spec_name = "orders",
                                .path = "a.yaml",
                                .queries = &get,
                                .query_count = 1,
                                .token_ranges = &all,
                                .token_range_count = 1};
    struct cs_profile buyers = {.spec_name = "buyers", .path = "b.yaml"};
    struct cs_profile *profiles[] = {&orders, &buyers};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_weighted_name op = {.name = rows[i].op, .weight = 1};
        struct cs_settings s = {.command = {.ops = &op, .op_count = 1}};
        struct cs_err err = {0};
        enum cs_code rc = cs_workload_check_ops(&s, profiles, 2, &err);

        if (!rc != !rows[i].want)
            fail_msg("%s: %s", rows[i].op, err.text);
        if (rows[i].want && !strstr(err.text, rows[i].want))
            fail_msg("%s: %s", rows[i].op, err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_are_batched_as_counters),
        cmocka_unit_test(says_how_few_rows_a_deep_partition_gets),
        cmocka_unit_test(warns_of_partitions_that_may_be_none),
        cmocka_unit_test(names_what_an_op_may_be),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
