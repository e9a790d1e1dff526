/* test_visits.c - partitions that are written in several visits, against the
 * original. */
#include "generate/partition_internal.h"
#include "profile_fixture.h"

/* The current row's clustering columns: "0000010a/681d28/e112". */
static void clustering_text(struct test_table *t, struct cs_buf *out)
{
    cs_buf_clear(out);
    for (unsigned i = 0; i < t->table.clustering_count; i++) {
        if (i)
            cs_buf_puts(out, "/");
        cs_buf_puts(out, test_cell(t, t->table.partition_count + i));
    }
}

static void check_visit(struct vector_file *v, struct test_table *t,
                        const struct cs_seed *seed, json_t *call)
{
    json_t *rows = json_object_get(call, "rows");
    struct cs_buf text;
    json_t *row;
    size_t i;

    cs_buf_init(&text, 4096);
    assert_int_equal(
        cs_seed_advance(seed, 0),
        json_integer_value(json_object_get(call, "position_before")));
    if (cs_generator_open_write(t->gen, seed, 1, 1) !=
        json_is_true(json_object_get(call, "has_rows")))
        fail_msg("%s:%d: rows offered or not", v->path, v->line);
    json_array_foreach(rows, i, row)
    {
        assert_true(cs_generator_next(t->gen));
        clustering_text(t, &text);
        if (strcmp(cs_buf_text(&text), json_string_value(row)))
            fail_msg("%s:%d: %s, want %s", v->path, v->line, cs_buf_text(&text),
                     json_string_value(row));
    }
    assert_false(cs_generator_next(t->gen));
    assert_int_equal(
        cs_seed_advance(seed, 0),
        json_integer_value(json_object_get(call, "position_after")));
    cs_buf_release(&text);
}

static void check_visits_line(struct vector_file *v, const char *file,
                              json_t *json)
{
    int64_t position = json_integer_value(json_object_get(json, "position"));
    json_t *calls = json_object_get(json, "calls");
    struct cs_settings settings = {
        .command.count = 1,
        .population = {.sequence = true,
                       .seq_start = position,
                       .seq_end = position},
        .insert = {.visits = test_dist(vector_string(json, "visits")),
                   .revisit = cs_dist_uniform(1, 1000000)},
        .compat.data = test_dialect(file),
    };
    struct cs_seeds *seeds;
    struct cs_seed seed;
    struct test_table t;
    json_t *call;
    size_t i;
    bool first, last;

    assert_int_equal(cs_seeds_new(&settings, &seeds, NULL), CS_OK);
    assert_true(cs_seeds_next_write(seeds, &seed));
    assert_int_equal(seed.value,
                     json_integer_value(json_object_get(json, "seed")));
    open_profile(&t, file, json);
    json_array_foreach(calls, i, call)
    {
        check_visit(v, &t, &seed, call);
        cs_generator_slice(t.gen, &first, &last);
        assert_int_equal(first, i == 0);
        assert_int_equal(last, i + 1 == json_array_size(calls));
    }
    test_table_release(&t);
    cs_seeds_free(seeds);
}

static void writes_a_partition_visit_by_visit(void **state)
{
    static const char *const files[] = {"visits_c3.jsonl", "visits_c4.jsonl"};

    (void)state;
    vector_each_json(files, CS_COUNT(files), check_visits_line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_a_partition_visit_by_visit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
