/* test_no_allocation.c - once its buffers have seen the largest row, the
 * generator asks for no more memory. */
#include "support/generate.h"

#include <stdlib.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

static unsigned allocations;

void *__wrap_malloc(size_t size)
{
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    allocations++;
    return __real_realloc(old, size);
}

/* Writes the partitions from first to last as an insert does; returns how many
 * rows they had. */
static unsigned write_rows(struct test_table *t, int64_t first, int64_t last,
                           enum cs_dialect dialect, struct cs_buf *out)
{
    unsigned rows = 0;

    for (int64_t position = first; position <= last; position++) {
        struct cs_seed seed = test_seed(position, dialect);

        if (!cs_generator_open_write(t->gen, &seed, 1, 1))
            continue;
        for (; cs_generator_next(t->gen); rows++) {
            cs_buf_clear(out);
            cs_generator_put_values(t->gen, out);
            for (unsigned i = 0; i < t->table.column_count; i++)
                cs_generator_put(t->gen, i, out);
            assert_false(out->fault);
        }
    }
    return rows;
}

static const struct test_column standard1[] = {
    {"key", "blob", 'p', NULL, "fixed(10)", NULL},
    {"C0", "blob", 'v', NULL, "fixed(34)", NULL},
    {"C1", "blob", 'v', NULL, "fixed(34)", NULL},
    {"C2", "blob", 'v', NULL, "fixed(34)", NULL},
    {0}};

static const struct test_column wide[] = {
    {"pk", "text", 'p', NULL, "uniform(5..30)", NULL},
    {"ck", "timeuuid", 'c', NULL, NULL, "uniform(1..20)"},
    {"ck2", "text", 'c', NULL, NULL, "fixed(3)"},
    {"v1", "blob", 'v', NULL, "gaussian(1..500)", NULL},
    {"v2", "decimal", 'v', "gaussian(1..1000000)", NULL, NULL},
    {"v3", "list<text>", 'v', NULL, "fixed(7)", NULL},
    {"v4", "set<int>", 'v', NULL, "fixed(7)", NULL},
    {"v5", "map<text, bigint>", 'v', NULL, "uniform(1..9)", NULL},
    {"v6", "tuple<int, text>", 'v', NULL, NULL, NULL},
    {"v7", "inet", 'v', NULL, NULL, NULL},
    {"v8", "varint", 'v', "exp(1..1000000)", NULL, NULL},
    {0}};

static void a_row_of_fixed_sizes_allocates_nothing(void **state)
{
    struct test_table t;
    struct cs_buf out;

    (void)state;
    cs_buf_init(&out, 1 << 20);
    test_table_init(&t, standard1);
    test_table_open(&t, "randomstr", true, CS_DATA_C4, CS_ORDER_ARBITRARY);
    write_rows(&t, 1, 1, CS_DATA_C4, &out);
    allocations = 0;
    assert_int_equal(write_rows(&t, 2, 20000, CS_DATA_C4, &out), 19999);
    assert_int_equal(allocations, 0);
    cs_buf_release(&out);
    test_table_release(&t);
}

/* Twice the same partitions: the second time every buffer is large enough. */
static void rows_of_all_sizes_allocate_nothing_new(void **state)
{
    static const enum cs_dialect dialects[] = {CS_DATA_C3, CS_DATA_C4};
    struct test_table t;
    struct cs_buf out;

    (void)state;
    cs_buf_init(&out, 1 << 20);
    for (size_t i = 0; i < CS_COUNT(dialects); i++) {
        test_table_init(&t, wide);
        test_table_open(&t, "test.wide", false, dialects[i], CS_ORDER_SORTED);
        allocations = 0;
        assert_true(write_rows(&t, 1, 300, dialects[i], &out) > 1000);
        assert_true(allocations > 0); /* they are counted */
        allocations = 0;
        write_rows(&t, 1, 300, dialects[i], &out);
        assert_int_equal(allocations, 0);
        test_table_release(&t);
    }
    cs_buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_of_fixed_sizes_allocates_nothing),
        cmocka_unit_test(rows_of_all_sizes_allocate_nothing_new),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
