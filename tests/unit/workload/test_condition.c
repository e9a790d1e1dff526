/* test_condition.c - what is read before an UPDATE with a condition. */
#include "support/workload.h"

static const struct cs_statement update = {.cql = "UPDATE"};
static char selected[1000];

static enum cs_code fake_prepare(struct cs_driver *driver, const char *keyspace,
                                 const char *cql,
                                 const struct cs_statement_options *options,
                                 const struct cs_statement **out,
                                 struct cs_err *err)
{
    (void)driver;
    (void)keyspace;
    (void)options;
    (void)err;
    snprintf(selected, sizeof(selected), "%s", cql);
    *out = &update;
    return CS_OK;
}

/* The last marker of a column behind IF takes what was read. */
static void reads_the_columns_that_the_condition_names(void **state)
{
    static const struct cs_driver_ops ops = {.prepare = fake_prepare};
    static const struct {
        const char *cql;
        int columns[7];
        enum cs_dialect dialect;
        const char *select; /* NULL: nothing is read */
        int from[6];
    } rows[] = {
        {"UPDATE t SET v = ? WHERE id = ? AND c = ? IF \"W\" = ?",
         {3, 0, 1, 2, -1},
         CS_DATA_C4,
         "SELECT \"W\" FROM ks.t WHERE id = ? AND c = ?",
         {-1, -1, -1, 0}},
        {"UPDATE t SET v = ? WHERE id = ? AND c = ? IF v > ? AND \"W\" = ? "
         "AND v < ?",
         {3, 0, 1, 3, 2, 3, -1},
         CS_DATA_C4,
         "SELECT \"W\", v FROM ks.t WHERE id = ? AND c = ?",
         {-1, -1, -1, -1, 0, 1}},
        {"UPDATE t SET v = ? WHERE id = ? AND c = ? IF v = ?",
         {3, 0, 1, 3, -1},
         CS_DATA_C3,
         NULL,
         {0}},
        {"UPDATE t SET v = ? WHERE id = ? AND c = ? IF v = 1",
         {3, 0, 1, -1},
         CS_DATA_C4,
         NULL,
         {0}},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_query_spec query = {.cql = rows[i].cql, .same_row = true};
        struct cs_err err = {0};
        struct cs_kind *kind;
        struct workload_fixture f;

        workload_fixture_init(&f, 1);
        f.workload.db = &ops;
        f.settings.compat.data = rows[i].dialect;
        cs_arena_init(&f.workload.arena);
        kind = workload_fixture_add(&f, CS_KIND_QUERY, rows[i].columns);
        kind->statement = &update;
        if (cs_workload_condition(&f.workload, NULL, kind, &query, &err))
            fail_msg("%s", err.text);
        assert_int_equal(kind->condition != NULL, rows[i].select != NULL);
        if (rows[i].select)
            assert_string_equal(selected, rows[i].select);
        for (unsigned j = 0; rows[i].select && j < kind->bind_count; j++)
            assert_int_equal((int16_t)kind->condition->from[j],
                             rows[i].from[j]);
        cs_arena_release(&f.workload.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_columns_that_the_condition_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
