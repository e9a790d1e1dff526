/* test_generator.c - rows of the predefined tables, against the original. */
#include "support/generate.h"

#define COLUMNS_MOST 16

static const char *const dialects[] = {"c3", "c4"};

static void open_name(struct vector_file *v, const char *base,
                      const char *dialect, const char *end)
{
    char name[128];

    snprintf(name, sizeof(name), "%s_%s.%s", base, dialect, end);
    vector_open(v, name);
}

/* standard1 with so many columns C0 ... of this size. */
static void open_standard1(struct test_table *t, int count, const char *size,
                           int key_size, const char *dialect)
{
    static const char *const names[] = {"C0", "C1", "C10", "C11", "C2", "C3",
                                        "C4", "C5", "C6",  "C7",  "C8", "C9"};
    struct test_column columns[COLUMNS_MOST] = {{0}};
    char key[32];
    int at = 0;

    snprintf(key, sizeof(key), "fixed(%d)", key_size);
    columns[at++] = (struct test_column){"key", "blob", 'p', NULL, key, NULL};
    for (size_t i = 0; i < CS_COUNT(names); i++)
        if (atoi(names[i] + 1) < count)
            columns[at++] =
                (struct test_column){names[i], "blob", 'v', NULL, size, NULL};
    test_table_init(t, columns);
    test_table_open(t, "randomstr", true, test_dialect(dialect),
                    CS_ORDER_ARBITRARY);
}

static void check_key(struct vector_file *v, struct test_table *t,
                      const char *want_ascii, int64_t want_row_seed)
{
    struct cs_row_mark mark;
    char hex[1024] = "";

    for (size_t i = 0; want_ascii[i]; i++)
        snprintf(hex + 2 * i, 3, "%02x", (unsigned char)want_ascii[i]);
    if (strcmp(test_cell(t, 0), hex))
        fail_msg("%s:%d: key %s, want %s", v->path, v->line, test_cell(t, 0),
                 hex);
    cs_generator_mark(t->gen, &mark);
    assert_int_equal(mark.row_seed, want_row_seed);
}

/* Columns of the file: position, seed, key text, [key hex,] row seed. */
static void check_keys(const char *base, const char *dialect)
{
    struct vector_file v;
    struct test_table t;
    char *fields[5];
    int count;

    open_standard1(&t, 5, "fixed(34)", 10, dialect);
    open_name(&v, base, dialect, "tsv");
    vector_next_line(&v);
    while (vector_next_line(&v)) {
        struct cs_seed seed;

        count = vector_fields(&v, fields, 5);
        seed = test_seed(strtoll(fields[0], NULL, 10), test_dialect(dialect));
        assert_int_equal(seed.value, strtoll(fields[1], NULL, 10));
        cs_generator_open_key(t.gen, &seed);
        check_key(&v, &t, fields[2], strtoll(fields[count - 1], NULL, 10));
    }
    test_table_release(&t);
}

static void makes_the_keys_of_the_original(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(dialects); i++) {
        check_keys("keys", dialects[i]);
        check_keys("keys_big", dialects[i]);
    }
}

static void makes_keys_of_every_size(void **state)
{
    struct vector_file v;
    struct test_table t;
    char *fields[5];

    (void)state;
    for (size_t i = 0; i < CS_COUNT(dialects); i++) {
        open_name(&v, "keysizes", dialects[i], "tsv");
        vector_next_line(&v);
        while (vector_next_line(&v)) {
            struct cs_seed seed;

            assert_int_equal(vector_fields(&v, fields, 5), 5);
            open_standard1(&t, 1, "fixed(34)", atoi(fields[0]), dialects[i]);
            seed = test_seed(atoi(fields[1]), test_dialect(dialects[i]));
            cs_generator_open_key(t.gen, &seed);
            check_key(&v, &t, fields[3], strtoll(fields[4], NULL, 10));
            test_table_release(&t);
        }
    }
}

static void check_row(struct vector_file *v, struct test_table *t, json_t *json)
{
    json_t *values = json_object_get(json, "values");

    for (unsigned i = 1; i < t->table.column_count; i++) {
        const char *want = vector_string(values, t->columns[i].name);

        if (strcmp(test_cell(t, i), want))
            fail_msg("%s:%d: column %s", v->path, v->line, t->columns[i].name);
    }
    assert_int_equal(json_object_size(values), t->table.column_count - 1);
}

static void check_standard1(struct vector_file *v, json_t *json,
                            const char *dialect)
{
    struct test_table t;
    struct cs_seed seed =
        test_seed(json_integer_value(json_object_get(json, "position")),
                  test_dialect(dialect));

    open_standard1(&t,
                   (int)json_integer_value(json_object_get(json, "columns")),
                   vector_string(json, "size"), 10, dialect);
    assert_true(cs_generator_open_write(t.gen, &seed, 1, 1));
    assert_true(cs_generator_next(t.gen));
    check_key(v, &t, vector_string(json, "key"),
              json_integer_value(json_object_get(json, "row_seed")));
    check_row(v, &t, json);
    check_row(v, &t, json); /* again: the same bytes */
    assert_false(cs_generator_next(t.gen));
    test_table_release(&t);
}

static void makes_the_rows_of_write(void **state)
{
    struct vector_file v;
    json_t *json;

    (void)state;
    for (size_t i = 0; i < CS_COUNT(dialects); i++) {
        open_name(&v, "standard1", dialects[i], "jsonl");
        while ((json = vector_next_json(&v)) != NULL) {
            check_standard1(&v, json, dialects[i]);
            json_decref(json);
        }
    }
}

static void a_row_without_clustering_is_first_and_last(void **state)
{
    struct test_table t;
    struct cs_seed seed = test_seed(1, CS_DATA_C4);
    bool first = false, last = false;

    (void)state;
    open_standard1(&t, 5, "fixed(34)", 10, "c4");
    assert_true(cs_generator_open_write(t.gen, &seed, 1, 1));
    assert_true(cs_generator_next(t.gen));
    assert_false(cs_generator_next(t.gen));
    cs_generator_slice(t.gen, &first, &last);
    assert_true(first);
    assert_true(last);
    assert_true(cs_generator_max_rows(t.gen) == 1);
    assert_true(cs_generator_min_rows(t.gen) == 1);
    test_table_release(&t);
}

static void fills_the_first_part_of_the_columns_only(void **state)
{
    static const struct {
        double population;
        int filled; /* of five */
    } rows[] = {{1, 5}, {0.99, 4}, {0.8, 4}, {0.6, 3}, {0.5, 2}, {0.1, 0}};
    struct test_table t;
    struct cs_seed seed = test_seed(1, CS_DATA_C4);

    (void)state;
    open_standard1(&t, 5, "fixed(34)", 10, "c4");
    for (size_t r = 0; r < CS_COUNT(rows); r++) {
        assert_true(
            cs_generator_open_write(t.gen, &seed, 1, rows[r].population));
        assert_true(cs_generator_next(t.gen));
        for (int i = 0; i < 5; i++)
            assert_int_equal(i >= rows[r].filled,
                             !strcmp(test_cell(&t, (unsigned)i + 1), "null"));
    }
    test_table_release(&t);
}

static void check_all_values(const char *size)
{
    static const double populations[] = {1, 0.6, 0};
    struct test_table t;
    struct cs_seed seed = test_seed(3, CS_DATA_C4);
    struct cs_buf all, each;

    cs_buf_init(&all, 4096);
    cs_buf_init(&each, 4096);
    open_standard1(&t, 5, size, 10, "c4");
    for (size_t i = 0; i < CS_COUNT(populations); i++) {
        cs_buf_clear(&all);
        cs_buf_clear(&each);
        assert_true(cs_generator_open_write(t.gen, &seed, 1, populations[i]));
        assert_true(cs_generator_next(t.gen));
        cs_generator_put_values(t.gen, &all);
        for (unsigned column = 1; column < t.table.column_count; column++)
            cs_generator_put(t.gen, column, &each);
        assert_int_equal(all.size, each.size);
        assert_memory_equal(all.data, each.data, all.size);
    }
    cs_buf_release(&all);
    cs_buf_release(&each);
    test_table_release(&t);
}

static void puts_all_values_as_one_by_one(void **state)
{
    (void)state;
    check_all_values("uniform(0..90)");
    check_all_values("fixed(0)");
    check_all_values("fixed(34)");
    check_all_values("fixed(64)");
    check_all_values("fixed(90)");
}

static void recalls_a_marked_row(void **state)
{
    struct test_table t;
    struct cs_seed one = test_seed(1, CS_DATA_C4);
    struct cs_seed two = test_seed(2, CS_DATA_C4);
    struct cs_row_mark mark;
    char kept[6][200];

    (void)state;
    open_standard1(&t, 5, "uniform(10..80)", 10, "c4");
    assert_true(cs_generator_open_write(t.gen, &one, 1, 0.8));
    assert_true(cs_generator_next(t.gen));
    for (unsigned i = 0; i < 6; i++)
        snprintf(kept[i], sizeof(kept[i]), "%s", test_cell(&t, i));
    cs_generator_mark(t.gen, &mark);
    assert_true(cs_generator_open_write(t.gen, &two, 1, 1));
    assert_true(cs_generator_next(t.gen));
    assert_string_not_equal(test_cell(&t, 0), kept[0]);
    cs_generator_recall(t.gen, &mark);
    for (unsigned i = 6; i-- > 0;)
        assert_string_equal(test_cell(&t, i), kept[i]);
    assert_string_equal(kept[5], "null");
    test_table_release(&t);
}

static void refuses_types_without_values(void **state)
{
    static const struct cs_type custom = {.kind = CS_TYPE_CUSTOM,
                                          .name = "org.example.Type"};
    static const struct test_column columns[] = {
        {"pk", "int", 'p', NULL, NULL, NULL},
        {"odd", "int", 'v', NULL, NULL, NULL},
        {0}};
    struct test_table t;
    struct cs_generator_config config = {.salt_prefix = "x",
                                         .dialect = CS_DATA_C4};
    struct cs_generator *gen = NULL;
    struct cs_err err;

    (void)state;
    test_table_init(&t, columns);
    t.columns[1].type = &custom;
    config.table = &t.table;
    assert_int_equal(cs_generator_new(&config, &gen, &err), CS_EUNSUPPORTED);
    assert_null(gen);
    assert_non_null(strstr(err.text, "'odd'"));
    test_table_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_the_keys_of_the_original),
        cmocka_unit_test(makes_keys_of_every_size),
        cmocka_unit_test(makes_the_rows_of_write),
        cmocka_unit_test(a_row_without_clustering_is_first_and_last),
        cmocka_unit_test(fills_the_first_part_of_the_columns_only),
        cmocka_unit_test(puts_all_values_as_one_by_one),
        cmocka_unit_test(recalls_a_marked_row),
        cmocka_unit_test(refuses_types_without_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
