/* test_token_statement.c - the statements of token range queries. */
#include "support/workload.h"

static void writes_the_statement_with_names_quoted(void **state)
{
    static const struct {
        const char *columns;
        const char *want;
    } rows[] = {
        {"*", "SELECT token(id), id, c, \"W\", v FROM ks.t WHERE token(id) > ? "
              "AND token(id) <= ?"},
        {" *\n", "SELECT token(id), id, c, \"W\", v FROM ks.t WHERE token(id) "
                 "> ? AND token(id) <= ?"},
        {"id, W", "SELECT token(id), id, \"W\" FROM ks.t WHERE token(id) > ? "
                  "AND token(id) <= ?"},
        {"\"W\",writetime(v) , cast(v as text), ID",
         "SELECT token(id), \"W\", writetime(v), cast(v as text), id FROM "
         "ks.t WHERE token(id) > ? AND token(id) <= ?"},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_token_range_spec spec = {
            .name = "all", .columns = rows[i].columns, .page_size = 77};
        struct cs_err err = {0};
        struct workload_fixture f;

        workload_fixture_init(&f, 1);
        cs_arena_init(&f.workload.arena);
        if (cs_workload_token_kind(&f.workload, &f.kinds[0], &spec, &err))
            fail_msg("%s", err.text);
        assert_string_equal(f.kinds[0].cql, rows[i].want);
        assert_int_equal(f.kinds[0].options.page_size, 77);
        assert_int_equal(f.kinds[0].options.cl, CS_CL_LOCAL_ONE);
        cs_arena_release(&f.workload.arena);
    }
}

static void names_a_column_that_is_not_there(void **state)
{
    struct cs_token_range_spec spec = {
        .name = "all", .place = {.line = 7, .column = 3}, .columns = "id, w_"};
    struct cs_err err = {0};
    struct workload_fixture f;

    (void)state;
    workload_fixture_init(&f, 1);
    cs_arena_init(&f.workload.arena);
    assert_int_equal(
        cs_workload_token_kind(&f.workload, &f.kinds[0], &spec, &err),
        CS_EINVALID);
    assert_string_equal(err.text, "p.yaml:7:3: token range query 'all': "
                                  "columns: 'w_' is no column of ks.t, try "
                                  "'W'");
    cs_arena_release(&f.workload.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_the_statement_with_names_quoted),
        cmocka_unit_test(names_a_column_that_is_not_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
