/* test_table.c - the order of columns. */
#include "schema/table.h"

#include "support/vectors.h"

static struct cs_column column(const char *name, enum cs_column_kind kind,
                               unsigned position)
{
    return (struct cs_column){.name = name,
                              .type = cs_type_simple(CS_TYPE_INT),
                              .kind = kind,
                              .position = position};
}

static void stands_keys_first_and_the_rest_by_name(void **state)
{
    struct cs_column columns[] = {
        column("b", CS_COLUMN_REGULAR, 0),
        column("c2", CS_COLUMN_CLUSTERING, 1),
        column("C10", CS_COLUMN_STATIC, 0),
        column("p2", CS_COLUMN_PARTITION_KEY, 1),
        column("a", CS_COLUMN_STATIC, 0),
        column("z1", CS_COLUMN_CLUSTERING, 0),
        column("q1", CS_COLUMN_PARTITION_KEY, 0),
    };
    static const char *const want[] = {"q1", "p2", "z1", "c2", "C10", "a", "b"};
    struct cs_table table = {
        .name = "t", .columns = columns, .column_count = CS_COUNT(columns)};
    struct cs_err err;

    (void)state;
    assert_int_equal(cs_table_arrange(&table, &err), CS_OK);
    for (size_t i = 0; i < CS_COUNT(want); i++)
        assert_string_equal(columns[i].name, want[i]);
    assert_int_equal(table.partition_count, 2);
    assert_int_equal(table.clustering_count, 2);
    assert_int_equal(cs_table_key_count(&table), 4);
    assert_int_equal(cs_table_column(&table, "C10"), 4);
    assert_int_equal(cs_table_column(&table, "c10"), -1);
}

static void refuses_a_table_without_a_key(void **state)
{
    struct cs_column columns[] = {column("a", CS_COLUMN_REGULAR, 0)};
    struct cs_table table = {
        .name = "t", .columns = columns, .column_count = 1};
    struct cs_table empty = {.name = "e"};
    struct cs_err err;

    (void)state;
    assert_int_equal(cs_table_arrange(&table, &err), CS_EINVALID);
    assert_string_equal(err.text, "table 't' has no partition key");
    assert_int_equal(cs_table_arrange(&empty, &err), CS_EINVALID);
}

static void refuses_gaps_in_a_key(void **state)
{
    struct cs_column gap[] = {column("a", CS_COLUMN_PARTITION_KEY, 0),
                              column("c", CS_COLUMN_CLUSTERING, 1)};
    struct cs_column twice[] = {column("a", CS_COLUMN_PARTITION_KEY, 0),
                                column("b", CS_COLUMN_PARTITION_KEY, 0)};
    struct cs_table table = {.name = "t", .columns = gap, .column_count = 2};
    struct cs_err err;

    (void)state;
    assert_int_equal(cs_table_arrange(&table, &err), CS_EINVALID);
    assert_string_equal(err.text, "table 't': key column 'c' stands at "
                                  "position 1, expected 0");
    table.columns = twice;
    assert_int_equal(cs_table_arrange(&table, &err), CS_EINVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stands_keys_first_and_the_rest_by_name),
        cmocka_unit_test(refuses_a_table_without_a_key),
        cmocka_unit_test(refuses_gaps_in_a_key),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
