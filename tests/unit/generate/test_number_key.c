/* test_number_key.c - the key of the table kv: the position in the population,
 * and values that are the same each time. */
#include "generate/generator.h"
#include "support/vectors.h"

static struct cs_generator *new_generator(void)
{
    static struct cs_column columns[] = {
        {.name = "key"}, {.name = "value", .kind = CS_COLUMN_REGULAR}};
    static struct cs_table table = {.keyspace = "ks",
                                    .name = "kv",
                                    .columns = columns,
                                    .column_count = 2,
                                    .partition_count = 1};
    struct cs_column_rule rule = {
        .name = "value", .has_size = true, .size = cs_dist_fixed(500)};
    struct cs_generator_config config = {.table = &table,
                                         .rules = &rule,
                                         .rule_count = 1,
                                         .salt_prefix = "randomstr",
                                         .number_key = true};
    struct cs_generator *gen = NULL;
    struct cs_err err = {0};

    columns[0].type = cs_type_simple(CS_TYPE_INT);
    columns[1].type = cs_type_simple(CS_TYPE_TEXT);
    assert_int_equal(cs_generator_new(&config, &gen, &err), CS_OK);
    return gen;
}

/* Key and value of a position; the seed's value is mixed by the population. */
static void put_row(struct cs_generator *gen, int64_t position,
                    struct cs_buf *out)
{
    struct cs_seed seed = {.position = position, .value = position * 7919};

    cs_buf_clear(out);
    assert_true(cs_generator_open_write(gen, &seed, 1, 1));
    assert_true(cs_generator_next(gen));
    cs_generator_put(gen, 0, out);
    cs_generator_put(gen, 1, out);
    assert_false(out->fault);
}

static void keys_are_positions(void **state)
{
    static const int64_t positions[] = {1, 2, 255, 65536, -3, INT32_MAX};
    struct cs_generator *gen = new_generator();
    struct cs_buf row;

    (void)state;
    cs_buf_init(&row, 10000);
    for (size_t i = 0; i < CS_COUNT(positions); i++) {
        put_row(gen, positions[i], &row);
        assert_int_equal(row.size, 4 + 4 + 4 + 500);
        assert_int_equal(cs_load32(row.data), 4);
        assert_int_equal((int32_t)cs_load32(row.data + 4), positions[i]);
        assert_int_equal(cs_load32(row.data + 8), 500);
    }
    cs_buf_release(&row);
    cs_generator_free(gen);
}

static void values_belong_to_their_key(void **state)
{
    struct cs_generator *gen = new_generator();
    struct cs_buf one, two;

    (void)state;
    cs_buf_init(&one, 10000);
    cs_buf_init(&two, 10000);
    put_row(gen, 5, &one);
    put_row(gen, 6, &two);
    assert_memory_not_equal(one.data + 12, two.data + 12, 500);
    put_row(gen, 5, &two);
    assert_memory_equal(one.data, two.data, one.size);
    cs_buf_release(&one);
    cs_buf_release(&two);
    cs_generator_free(gen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_positions),
        cmocka_unit_test(values_belong_to_their_key),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
