/* test_partition.c - the rows of partitions with clustering columns, against
 * the original. */
#include "generate/partition_internal.h"
#include "profile_fixture.h"

/* Elements of a set, as the vector files write them: sorted, joined by '|'. */
static const char *plain_cell(struct test_table *t, unsigned column)
{
    const char *hex = test_cell(t, column);
    char a[9] = "", b[9] = "";
    static char joined[20];

    if (t->columns[column].type->kind != CS_TYPE_SET || !strcmp(hex, "null"))
        return hex;
    if (strlen(hex) != 40) /* two ints */
        return hex;
    memcpy(a, hex + 16, 8);
    memcpy(b, hex + 32, 8);
    snprintf(joined, sizeof(joined), "%s|%s", strcmp(a, b) < 0 ? a : b,
             strcmp(a, b) < 0 ? b : a);
    return joined;
}

static void check_columns(struct vector_file *v, struct test_table *t,
                          json_t *want, unsigned from, unsigned to, size_t row)
{
    for (unsigned i = from; i < to; i++) {
        json_t *cell = json_object_get(want, t->columns[i].name);
        const char *text =
            json_is_null(cell) ? "null" : json_string_value(cell);
        const char *got = plain_cell(t, i);

        if (!text || strcmp(got, text))
            fail_msg("%s:%d: row %zu: column %s: %s, want %s", v->path, v->line,
                     row, t->columns[i].name, got, text);
    }
}

static void check_rows(struct vector_file *v, struct test_table *t,
                       json_t *json)
{
    json_t *rows = json_object_get(json, "rows");
    json_t *row;
    size_t i;

    check_columns(v, t, json_object_get(json, "pk"), 0,
                  t->table.partition_count, 0);
    json_array_foreach(rows, i, row)
    {
        if (!cs_generator_next(t->gen))
            fail_msg("%s:%d: only %zu rows, want %zu", v->path, v->line, i,
                     json_array_size(rows));
        check_columns(v, t, row, t->table.partition_count,
                      t->table.column_count, i);
    }
    if (cs_generator_next(t->gen))
        fail_msg("%s:%d: more than %zu rows", v->path, v->line,
                 json_array_size(rows));
}

static void check_profile_line(struct vector_file *v, const char *file,
                               json_t *json)
{
    json_t *population = json_object_get(json, "row_population");
    double ratio = population ? json_real_value(population) : 1;
    struct cs_seed seed =
        test_seed(json_integer_value(json_object_get(json, "position")),
                  test_dialect(file));
    struct test_table t;
    bool found;

    assert_int_equal(seed.value,
                     json_integer_value(json_object_get(json, "seed")));
    open_profile(&t, file, json);
    if (!strcmp(vector_string(json, "mode"), "read"))
        found = cs_generator_open_read(t.gen, &seed, 0, true, ratio);
    else
        found = cs_generator_open_write(t.gen, &seed, 1, ratio);
    assert_true(found);
    check_rows(v, &t, json);
    test_table_release(&t);
}

static void offers_the_rows_of_the_original(void **state)
{
    static const char *const files[] = {
        "profile_users_c3.jsonl",        "profile_users_c4.jsonl",
        "profile_example_c3.jsonl",      "profile_example_c4.jsonl",
        "profile_example_full_c3.jsonl", "profile_example_full_c4.jsonl",
        "profile_other_c3.jsonl",        "profile_other_c4.jsonl",
        "clustering_types_c3.jsonl",     "clustering_types_c4.jsonl",
    };

    (void)state;
    vector_each_json(files, CS_COUNT(files), check_profile_line);
}

static void counts_as_the_original(void **state)
{
    static const char *const files[] = {"generator_counts_c3.jsonl",
                                        "generator_counts_c4.jsonl"};
    struct vector_file v;
    json_t *json, *want;
    size_t k;

    (void)state;
    for (size_t i = 0; i < CS_COUNT(files); i++) {
        vector_open(&v, files[i]);
        while ((json = vector_next_json(&v)) != NULL) {
            struct test_table t;

            open_profile(&t, files[i], json);
            assert_true(cs_generator_max_rows(t.gen) ==
                        json_real_value(json_object_get(json, "max_rows")));
            assert_true(cs_generator_min_rows(t.gen) ==
                        json_real_value(json_object_get(json, "min_rows")));
            json_array_foreach(json_object_get(json, "component_averages"), k,
                               want)
                assert_int_equal(cs_generator_average(t.gen, (unsigned)k),
                                 json_integer_value(want));
            json_array_foreach(json_object_get(json, "descendant_averages"), k,
                               want)
                assert_int_equal(cs_generator_below(t.gen, (unsigned)k),
                                 json_integer_value(want));
            test_table_release(&t);
            json_decref(json);
        }
    }
}

/* c4: a partition whose first visit went up to row n of the theory. */
static void limits_a_read_to_what_has_been_written(void **state)
{
    static const struct test_column columns[] = {
        {"pk", "int", 'p', NULL, NULL, NULL},
        {"c1", "int", 'c', NULL, NULL, "fixed(4)"},
        {"c2", "int", 'c', NULL, NULL, "fixed(3)"},
        {0}};
    static const struct {
        int64_t written;
        int rows;
    } rows[] = {{0, 12}, {1, 1}, {3, 3}, {4, 4}, {11, 11}, {12, 12}, {99, 12}};
    struct test_table t;
    struct cs_seed seed = test_seed(5, CS_DATA_C4);

    (void)state;
    test_table_init(&t, columns);
    test_table_open(&t, "seed for stress", false, CS_DATA_C4,
                    CS_ORDER_ARBITRARY);
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        int count = 0;

        seed.written = rows[i].written;
        assert_true(cs_generator_open_read(t.gen, &seed, 0, true, 1));
        while (cs_generator_next(t.gen))
            count++;
        assert_int_equal(count, rows[i].rows);
    }
    test_table_release(&t);
}

static int count_rows(struct test_table *t)
{
    int count = 0;

    while (cs_generator_next(t->gen))
        count++;
    return count;
}

/* select picks values of the first level and takes all rows below each. */
static void selects_whole_groups_and_never_nothing(void **state)
{
    static const struct test_column columns[] = {
        {"pk", "int", 'p', NULL, NULL, NULL},
        {"c1", "int", 'c', NULL, NULL, "fixed(5)"},
        {"c2", "int", 'c', NULL, NULL, "fixed(4)"},
        {0}};
    struct test_table t;
    struct cs_seed seed = test_seed(1, CS_DATA_C4);
    int total = 0;

    (void)state;
    test_table_init(&t, columns);
    test_table_open(&t, "seed for stress", false, CS_DATA_C4,
                    CS_ORDER_ARBITRARY);
    for (int i = 0; i < 4000; i++) {
        int count;

        assert_true(cs_generator_open_write(t.gen, &seed, 0.25, 1));
        count = count_rows(&t);
        assert_in_range(count, 4, 20);
        assert_int_equal(count % 4, 0);
        total += count / 4;
    }
    /* Of 5 groups 1.25 on average, and one where there would be none (in 24 %
     * of the partitions): 1.49. */
    assert_in_range(total, 5600, 6350);
    for (int i = 0; i < 100; i++) {
        assert_true(cs_generator_open_read(t.gen, &seed, 1, false, 1));
        assert_in_range(count_rows(&t), 1, 20);
    }
    test_table_release(&t);
}

static void an_empty_first_level_offers_nothing(void **state)
{
    static const struct test_column columns[] = {
        {"pk", "int", 'p', NULL, NULL, NULL},
        {"c1", "int", 'c', NULL, NULL, "fixed(0)"},
        {"v", "int", 'v', NULL, NULL, NULL},
        {0}};
    struct test_table t;
    struct cs_seed seed = test_seed(1, CS_DATA_C4);
    bool first = false, last = false;

    (void)state;
    test_table_init(&t, columns);
    test_table_open(&t, "seed for stress", false, CS_DATA_C4,
                    CS_ORDER_ARBITRARY);
    assert_false(cs_generator_open_write(t.gen, &seed, 1, 1));
    assert_false(cs_generator_next(t.gen));
    cs_generator_slice(t.gen, &first, &last);
    assert_true(first);
    assert_true(last);
    assert_false(cs_generator_open_read(t.gen, &seed, 1, false, 1));
    assert_string_not_equal(test_cell(&t, 0), "null"); /* the key is there */
    test_table_release(&t);
}

/* The original divides by zero here. */
static void survives_levels_without_an_average(void **state)
{
    static const char *const clusters[] = {"fixed(0)", "uniform(0..1)",
                                           "uniform(-3..2)", "fixed(-1)"};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(clusters); i++) {
        struct test_column columns[] = {
            {"pk", "int", 'p', NULL, NULL, NULL},
            {"c1", "int", 'c', NULL, NULL, "uniform(1..3)"},
            {"c2", "int", 'c', NULL, NULL, clusters[i]},
            {"c3", "int", 'c', NULL, NULL, clusters[i]},
            {0}};
        struct test_table t;

        test_table_init(&t, columns);
        test_table_open(&t, "seed for stress", false, CS_DATA_C4,
                        CS_ORDER_ARBITRARY);
        for (int64_t position = 1; position < 200; position++) {
            struct cs_seed seed = test_seed(position, CS_DATA_C4);

            if (cs_generator_open_write(t.gen, &seed, 1, 1))
                assert_in_range(count_rows(&t), 1, 12);
            if (cs_generator_open_read(t.gen, &seed, 1, true, 1))
                assert_in_range(count_rows(&t), 1, 12);
        }
        test_table_release(&t);
    }
}

static void refuses_levels_that_no_memory_holds(void **state)
{
    static const struct test_column columns[] = {
        {"pk", "int", 'p', NULL, NULL, NULL},
        {"c1", "int", 'c', NULL, NULL, "uniform(1..1B)"},
        {0}};
    struct cs_generator_config config = {.salt_prefix = "x"};
    struct cs_generator *gen = NULL;
    struct test_table t;
    struct cs_err err;

    (void)state;
    test_table_init(&t, columns);
    config.table = &t.table;
    config.rules = t.rules;
    config.rule_count = t.rule_count;
    assert_int_equal(cs_generator_new(&config, &gen, &err), CS_EUNSUPPORTED);
    assert_non_null(strstr(err.text, "'c1'"));
    assert_null(gen);
    test_table_release(&t);
}

static void shuffles_without_losing_rows(void **state)
{
    static const struct test_column columns[] = {
        {"pk", "int", 'p', NULL, NULL, NULL},
        {"c1", "bigint", 'c', "uniform(1..5)", NULL, "fixed(30)"},
        {0}};
    struct test_table t;
    struct cs_seed seed = test_seed(1, CS_DATA_C4);
    bool moved = false;
    int64_t before = 0;

    (void)state;
    test_table_init(&t, columns);
    test_table_open(&t, "seed for stress", false, CS_DATA_C4,
                    CS_ORDER_SHUFFLED);
    for (int i = 0; i < 50; i++) {
        int64_t sum = 0, first = 0;

        assert_true(cs_generator_open_write(t.gen, &seed, 1, 1));
        for (int k = 0; cs_generator_next(t.gen); k++) {
            int64_t value = strtoll(test_cell(&t, 1), NULL, 16);

            sum += INT64_C(1) << (8 * value);
            first = k ? first : value;
        }
        assert_int_equal(sum, INT64_C(0x10101010100)); /* 1 to 5, once each */
        moved |= i && first != before;
        before = first;
    }
    assert_true(moved);
    test_table_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offers_the_rows_of_the_original),
        cmocka_unit_test(counts_as_the_original),
        cmocka_unit_test(limits_a_read_to_what_has_been_written),
        cmocka_unit_test(selects_whole_groups_and_never_nothing),
        cmocka_unit_test(an_empty_first_level_offers_nothing),
        cmocka_unit_test(survives_levels_without_an_average),
        cmocka_unit_test(refuses_levels_that_no_memory_holds),
        cmocka_unit_test(shuffles_without_losing_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
