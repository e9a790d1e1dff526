/* test_validate.c - the statements of a `validate`, and that it accepts what
 * was written, in every order and page size. */
#include "validate_scene.h"

static const struct test_column flat[] = {{"k", "int", 'p', 0, 0, 0},
                                          {"a", "text", 'v', 0, 0, 0},
                                          {"b", "date", 'v', 0, 0, 0},
                                          {0}};
static const struct test_column one[] = {
    {"k", "int", 'p', 0, 0, 0},
    {"c", "blob", 'c', 0, 0, "uniform(1..9)"},
    {"v", "text", 'v', 0, 0, 0},
    {"w", "set<int>", 'v', 0, "fixed(3)", 0},
    {0}};

static const struct test_column three[] = {
    {"k", "int", 'p', 0, 0, 0},          {"c", "int", 'c', 0, 0, "fixed(2)"},
    {"d", "int", 'c', 0, 0, "fixed(3)"}, {"e", "int", 'c', 0, 0, "fixed(3)"},
    {"v", "int", 'v', 0, 0, 0},          {0}};
static const struct test_column keys[] = {
    {"k", "int", 'p', 0, 0, 0},
    {"c", "double", 'c', 0, 0, "fixed(3)"},
    {"d", "inet", 'c', 0, 0, "fixed(3)"},
    {"e", "frozen<set<int>>", 'c', 0, "fixed(2)", "fixed(3)"},
    {0}};

static void sends_the_statements_of_the_original(void **state)
{
    static const char *const want[] = {
        "SELECT * FROM ks.t WHERE k = ? AND j = ?",
        "SELECT * FROM ks.t WHERE k = ? AND j = ? AND (c)>=(?) AND (c)<(?)",
        "SELECT * FROM ks.t WHERE k = ? AND j = ? AND (c,d)>=(?,?) AND "
        "(c,d)<=(?,?)",
        "SELECT * FROM ks.t WHERE k = ? AND j = ? AND (c,d)>=(?,?) AND "
        "(c,d)<(?,?)",
        "SELECT * FROM ks.t WHERE k = ? AND j = ? AND (c,d)>(?,?) AND "
        "(c,d)<=(?,?)",
        "SELECT * FROM ks.t WHERE k = ? AND j = ? AND (c,d)>(?,?) AND "
        "(c,d)<(?,?)",
    };
    struct scene s;

    (void)state;
    scene_start(&s, two);
    assert_int_equal(prepared_count, CS_COUNT(want));
    for (size_t i = 0; i < CS_COUNT(want); i++) {
        assert_string_equal(prepared[i].cql, want[i]);
        assert_int_equal(prepared[i].options.page_size, 5000);
        assert_true(prepared[i].options.is_read);
    }
    scene_go(&s);
    scene_end(&s);
}

static void accepts_what_the_server_has(void **state)
{
    static const struct {
        const struct test_column *columns;
        enum cs_order asked;
        enum cs_order written;
        bool descending;
        unsigned page_rows;
    } rows[] = {
        {flat, CS_ORDER_ARBITRARY, CS_ORDER_ARBITRARY, false, 1000},
        {one, CS_ORDER_ARBITRARY, CS_ORDER_ARBITRARY, false, 1000},
        {one, CS_ORDER_ARBITRARY, CS_ORDER_SORTED, true, 1000},
        {one, CS_ORDER_SORTED, CS_ORDER_SORTED, false, 2},
        {two, CS_ORDER_ARBITRARY, CS_ORDER_ARBITRARY, true, 3},
        {two, CS_ORDER_SORTED, CS_ORDER_SORTED, false, 1},
        {keys, CS_ORDER_ARBITRARY, CS_ORDER_SORTED, true, 4},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct scene s;

        scene_start(&s, rows[i].columns);
        s.f.w.settings.population.order = rows[i].asked;
        s.written = rows[i].written;
        s.descending = rows[i].descending;
        s.page_rows = rows[i].page_rows;
        scene_go(&s);
        for (int k = 0; k < 200; k++) {
            make(&s);
            read_partition(&s);
            answer(&s);
            if (s.f.job.mismatch || s.finding_count)
                fail_msg("row %zu, %s: difference of kind %d", i,
                         s.f.job.op.statement->cql, s.findings[0].kind);
            assert_int_equal(s.f.job.rows, s.row_count);
            assert_int_equal(s.f.job.partitions, s.row_count > 0);
            cs_job_finish(&s.f.job);
        }
        scene_end(&s);
    }
}

static void draws_every_depth_alike(void **state)
{
    unsigned count[3] = {0};
    unsigned changes = 0;
    unsigned last = 9;
    struct scene s;

    (void)state;
    scene_start(&s, two);
    s.f.w.settings.command.clustering = cs_dist_fixed(3);
    scene_go(&s);
    for (int i = 0; i < 3000; i++) {
        make(&s);
        count[s.f.job.depth]++;
        if (i % 3 == 0)
            last = s.f.job.depth;
        changes += s.f.job.depth != last; /* within three in a row */
        cs_job_finish(&s.f.job);
    }
    assert_int_equal(changes, 0);
    for (int i = 0; i < 3; i++)
        assert_in_range(count[i], 800, 1200);
    scene_end(&s);
}

/* Three clustering columns: a visit writes the first few rows of many. */
static void takes_what_one_visit_wrote_and_nothing_between(void **state)
{
    static const struct {
        size_t rows; /* that are there */
        enum cs_difference_kind kind;
        size_t findings;
    } cases[] = {
        {18, CS_DIFFERENCE_ROW_MISSING, 0}, {3, CS_DIFFERENCE_ROW_MISSING, 0},
        {2, CS_DIFFERENCE_ROW_MISSING, 16}, {4, CS_DIFFERENCE_ROW_MISSING, 14},
        {17, CS_DIFFERENCE_ROW_MISSING, 1},
    };
    struct scene s;

    (void)state;
    scene_start(&s, three);
    s.f.w.settings.population.order = CS_ORDER_SORTED;
    s.written = CS_ORDER_SORTED;
    scene_go(&s);
    for (size_t i = 0; i < 2 * CS_COUNT(cases); i++) {
        size_t which = i % CS_COUNT(cases);

        make_whole(&s, 18);
        while (s.row_count > cases[which].rows)
            free(s.rows[--s.row_count].cells);
        answer(&s);
        if (s.finding_count != cases[which].findings ||
            (s.finding_count && s.findings[0].kind != cases[which].kind))
            fail_msg("%zu rows: %zu findings, the first of kind %d",
                     cases[which].rows, s.finding_count, s.findings[0].kind);
        cs_job_finish(&s.f.job);
    }
    scene_end(&s);
}

static const struct test_column with_static[] = {
    {"k", "int", 'p', 0, 0, 0},
    {"c", "int", 'c', 0, 0, "fixed(4)"},
    {"s", "int", 'v', 0, 0, 0},
    {"v", "int", 'v', 0, 0, 0},
    {0}};

/* The value that one of the partition's rows wrote is in all of them. */
static void takes_the_static_value_of_any_row(void **state)
{
    struct scene s;

    (void)state;
    scene_start(&s, with_static);
    s.t.columns[2].kind = CS_COLUMN_STATIC;
    scene_go(&s);
    make_whole(&s, 4);
    for (size_t i = 0; i < s.row_count; i++)
        memcpy(cell_of(&s, i, 2), cell_of(&s, 3, 2), 8);
    answer(&s);
    assert_false(s.f.job.mismatch);
    cs_job_finish(&s.f.job);
    make_whole(&s, 4);
    for (size_t i = 0; i < s.row_count; i++)
        cs_store32(cell_of(&s, i, 2) + 4, 12345);
    answer(&s);
    assert_true(s.f.job.mismatch);
    assert_int_equal(s.finding_count, 1); /* not once per row */
    assert_int_equal(s.findings[0].column, 2);
    assert_false(s.findings[0].has_row);
    scene_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sends_the_statements_of_the_original),
        cmocka_unit_test(accepts_what_the_server_has),
        cmocka_unit_test(draws_every_depth_alike),
        cmocka_unit_test(takes_what_one_visit_wrote_and_nothing_between),
        cmocka_unit_test(takes_the_static_value_of_any_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
