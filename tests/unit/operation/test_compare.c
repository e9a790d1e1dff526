/* test_compare.c - answers with each kind of damage, and what is told of them
 * over pages and attempts. */
#include "validate_scene.h"

static void drop_row(struct scene *s)
{
    free(s->rows[1].cells);
    s->row_count--;
    memmove(&s->rows[1], &s->rows[2], (s->row_count - 1) * sizeof(s->rows[0]));
}

static void add_row(struct scene *s)
{
    struct server_row *row = &s->rows[s->row_count++];

    row->size = s->rows[0].size;
    row->cells = malloc(row->size);
    memcpy(row->cells, s->rows[0].cells, row->size);
    cell_of(s, s->row_count - 1, 3)[4] ^= 1; /* d */
}

static void repeat_row(struct scene *s)
{
    add_row(s);
    cell_of(s, s->row_count - 1, 3)[4] ^= 1;
}

static void change_value(struct scene *s)
{
    cell_of(s, 2, 4)[11] ^= 0xff;
}

/* A null is shorter than what was there. */
static void set_null(struct scene *s)
{
    uint8_t *cell = cell_of(s, 2, 4);

    cs_store32(cell, UINT32_MAX);
    s->rows[2].size -= 8;
}

static void shorten(struct scene *s)
{
    uint8_t *cell = cell_of(s, 2, 4);

    cs_store32(cell, 0);
    s->rows[2].size -= 8;
}

static const struct {
    const char *what;
    void (*damage)(struct scene *s);
    enum cs_difference_kind kind;
    int column;
} damages[] = {
    {"a row is missing", drop_row, CS_DIFFERENCE_ROW_MISSING, -1},
    {"a row is too many", add_row, CS_DIFFERENCE_ROW_TOO_MANY, -1},
    {"a row came twice", repeat_row, CS_DIFFERENCE_ROW_TOO_MANY, -1},
    {"other bytes", change_value, CS_DIFFERENCE_BYTES, 4},
    {"an empty value", shorten, CS_DIFFERENCE_BYTES, 4},
    {"null", set_null, CS_DIFFERENCE_NULL, 4},
};

static void names_each_damage(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * CS_COUNT(damages); i++) {
        size_t which = i / 2;
        struct scene s;

        scene_start(&s, two);
        s.page_rows = i % 2 ? 2 : 1000;
        scene_go(&s);
        make_whole(&s, 4);
        damages[which].damage(&s);
        answer(&s);
        if (!s.f.job.mismatch || s.finding_count != 1 ||
            s.findings[0].kind != damages[which].kind ||
            s.findings[0].column != damages[which].column)
            fail_msg("%s: %zu findings, the first of kind %d",
                     damages[which].what, s.finding_count, s.findings[0].kind);
        assert_true(s.findings[0].has_row);
        assert_int_equal(s.f.job.partitions, 0);
        scene_end(&s);
    }
}

static void tells_what_was_expected_and_found(void **state)
{
    char before[32];
    struct scene s;

    (void)state;
    scene_start(&s, two);
    s.page_rows = 2;
    scene_go(&s);
    make_whole(&s, 4);
    put_hex(before, sizeof(before), cell_of(&s, 2, 4));
    change_value(&s);
    answer(&s);
    assert_string_equal(s.findings[0].expected, before);
    assert_string_not_equal(s.findings[0].found, before);
    assert_int_equal(s.findings[0].node, 6); /* of the second page */
    assert_int_equal(s.f.job.rows, 3);       /* up to the one that differs */
    scene_end(&s);
}

static void finds_a_value_where_null_was_written(void **state)
{
    struct scene s;
    uint8_t *cells;

    (void)state;
    scene_start(&s, two);
    s.f.w.settings.insert.row_population =
        (struct cs_ratio_spec){.dist = cs_dist_fixed(0), .divisor = 1};
    scene_go(&s);
    make_whole(&s, 4);
    cells = realloc(s.rows[2].cells, s.rows[2].size + 8);
    s.rows[2].cells = cells;
    cs_store32(cells + s.rows[2].size - 4, 8);
    cs_store64(cells + s.rows[2].size, 77);
    s.rows[2].size += 8;
    answer(&s);
    assert_int_equal(s.finding_count, 1);
    assert_int_equal(s.findings[0].kind, CS_DIFFERENCE_VALUE);
    assert_string_equal(s.findings[0].expected, "null");
    assert_string_equal(s.findings[0].found, "000000000000004d");
    scene_end(&s);
}

static void misses_all_rows_of_an_empty_answer(void **state)
{
    struct scene s;
    size_t rows;

    (void)state;
    scene_start(&s, two);
    scene_go(&s);
    make_whole(&s, 4);
    rows = s.row_count;
    clear_rows(&s);
    answer(&s);
    assert_true(s.f.job.mismatch);
    assert_int_equal(s.finding_count, rows);
    assert_int_equal(s.f.job.partitions, 0);
    scene_end(&s);
}

static void counts_columns_before_it_compares(void **state)
{
    struct cs_rows rows = {.row_count = 1, .column_count = 3};
    struct cs_outcome outcome = {.rows = 1};
    struct scene s;

    (void)state;
    scene_start(&s, two);
    scene_go(&s);
    make_whole(&s, 4);
    s.f.job.op.on_rows(&s.f.job.op, &rows);
    s.f.job.op.on_rows(&s.f.job.op, &rows);
    cs_job_judge(&s.f.job, &outcome);
    assert_true(s.f.job.mismatch);
    assert_int_equal(s.finding_count, 1);
    assert_int_equal(s.findings[0].kind, CS_DIFFERENCE_COLUMN_COUNT);
    assert_false(s.findings[0].has_row);
    scene_end(&s);
}

/* A page came, the next did not: the same rows come again. */
static void tells_a_finding_once_over_all_attempts(void **state)
{
    struct scene s;

    (void)state;
    scene_start(&s, two);
    s.page_rows = 3;
    scene_go(&s);
    make_whole(&s, 4);
    change_value(&s);
    answer_page(&s, 0, 3);
    assert_int_equal(s.finding_count, 1);
    s.f.job.op.attempt = 1;
    answer(&s);
    assert_true(s.f.job.mismatch);
    assert_int_equal(s.finding_count, 1);
    scene_end(&s);
}

static void passes_when_only_the_last_attempt_is_whole(void **state)
{
    struct cs_outcome failed = {.result = CS_RESULT_READ_TIMEOUT};
    struct scene s;

    (void)state;
    scene_start(&s, two);
    s.page_rows = 3;
    scene_go(&s);
    make_whole(&s, 4);
    answer_page(&s, 0, 3);
    s.f.job.op.attempt = 1;
    answer(&s);
    assert_false(s.f.job.mismatch);
    assert_int_equal(s.finding_count, 0);
    cs_job_finish(&s.f.job);
    make_whole(&s, 4);
    answer_page(&s, 0, 3);
    cs_job_judge(&s.f.job, &failed);
    assert_false(s.f.job.mismatch); /* it failed, for another reason */
    assert_int_equal(s.f.job.rows, 0);
    scene_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_each_damage),
        cmocka_unit_test(tells_what_was_expected_and_found),
        cmocka_unit_test(finds_a_value_where_null_was_written),
        cmocka_unit_test(misses_all_rows_of_an_empty_answer),
        cmocka_unit_test(counts_columns_before_it_compares),
        cmocka_unit_test(tells_a_finding_once_over_all_attempts),
        cmocka_unit_test(passes_when_only_the_last_attempt_is_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
