/* test_old_values.c - keys, values and draws of the old tools. */
#include "workload/old.h"

#include "support/vectors.h"

#include <stdlib.h>

static struct cs_settings_old usual(void)
{
    return (struct cs_settings_old){.on = true,
                                    .supers = 1,
                                    .keys = 1000,
                                    .different = 1000,
                                    .stdev = 0.1,
                                    .columns = 5,
                                    .size = 34,
                                    .cardinality = 50,
                                    .per_call = 1000};
}

static void check_value(const struct cs_settings_old *s, unsigned number,
                        const char *want)
{
    struct cs_old_values *values = NULL;
    struct cs_err err = {0};
    struct cs_buf cell;

    cs_buf_init(&cell, 1 << 20);
    if (cs_old_values_new(s, 1, &values, &err))
        fail_msg("%s", err.text);
    cs_old_values_put(values, number, &cell);
    assert_int_equal(cs_load32(cell.data), strlen(want));
    assert_string_equal(cs_buf_text(&cell) + 4, want);
    cs_buf_release(&cell);
    cs_old_values_free(values);
}

static void makes_values_of_md5(void **state)
{
    struct cs_settings_old s = usual();

    (void)state;
    check_value(&s, 1, "c4ca4238a0b923820dcc509a6f75849bc4");
    check_value(&s, 0, "cfcd208495d565ef66e7dff9f98764dacf");
    s.size = 5;
    check_value(&s, 1, "c4ca4");
    s.size = 0;
    check_value(&s, 1, "");
    s.size = 70;
    check_value(&s, 1,
                "c4ca4238a0b923820dcc509a6f75849bc4ca4238a0b923820dcc509a6f7584"
                "9bc4ca42");
}

/* A digest with a zero in front: Java lost it and made up for it. */
static void keeps_the_padding_of_each_tool(void **state)
{
    struct cs_settings_old s = usual();

    (void)state;
    check_value(&s, 27, "2e74f10e0327ad868d138f2b4fdd6f002e");
    s.python = true;
    check_value(&s, 27, "02e74f10e0327ad868d138f2b4fdd6f002");
}

static void makes_random_sizes_below_twice_the_size(void **state)
{
    struct cs_settings_old s = usual();
    struct cs_old_values *values = NULL;
    struct cs_err err = {0};
    struct cs_buf cell;
    uint64_t sum = 0;

    (void)state;
    s.random_sizes = true;
    s.cardinality = 2000;
    cs_buf_init(&cell, 1 << 20);
    assert_int_equal(cs_old_values_new(&s, 7, &values, &err), CS_OK);
    for (unsigned i = 0; i < s.cardinality; i++) {
        cs_buf_clear(&cell);
        cs_old_values_put(values, i, &cell);
        assert_true(cs_load32(cell.data) < 2 * s.size);
        sum += cs_load32(cell.data);
    }
    /* The mean of 0..67 is 33.5. */
    assert_true(sum / s.cardinality >= 31 && sum / s.cardinality <= 36);
    cs_buf_release(&cell);
    cs_old_values_free(values);
}

static void chooses_values_as_each_tool(void **state)
{
    struct cs_settings_old s = usual();

    (void)state;
    s.cardinality = 3;
    assert_int_equal(cs_old_value_number(&s, 7, 1), 1);
    assert_int_equal(cs_old_value_number(&s, 7, 4), 1);
    s.python = true;
    assert_int_equal(cs_old_value_number(&s, 7, 4), 1);
    assert_int_equal(cs_old_value_number(&s, 8, 4), 2);
}

static const struct {
    int64_t keys, different, key;
    bool python;
    const char *want;
} rows[] = {
    {1000000, 1000000, 0, false, "0000000"},
    {1000000, 1000000, 42, true, "0000042"},
    {10000000, 10000000, 1, false, "00000001"},
    {999, 999, 998, false, "998"},
    {1000, 10, 7, false, "07"},  /* digits of F */
    {1000, 10, 7, true, "0007"}, /* digits of n */
    {1, 1, 0, false, "0"},
};

static void pads_keys_to_the_digits_of_their_count(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_settings_old s = usual();
        struct cs_buf key;

        s.keys = rows[i].keys;
        s.different = rows[i].different;
        s.python = rows[i].python;
        cs_buf_init(&key, 64);
        cs_old_put_key(&key, rows[i].key, cs_old_key_digits(&s));
        assert_string_equal(cs_buf_text(&key), rows[i].want);
        cs_buf_release(&key);
    }
}

/* Share of draws in [from, to), in percent. */
static unsigned share(const struct cs_settings_old *s, int64_t from, int64_t to)
{
    struct cs_java_random random;
    unsigned inside = 0;

    cs_java_random_seed(&random, 5);
    for (int i = 0; i < 10000; i++) {
        int64_t key = cs_old_draw_key(s, &random);

        assert_true(key >= 0 && key < s->different);
        inside += key >= from && key < to;
    }
    return inside / 100;
}

static void draws_mostly_from_the_middle(void **state)
{
    struct cs_settings_old s = usual();

    (void)state;
    assert_in_range(share(&s, 400, 600), 66, 70);
    assert_in_range(share(&s, 300, 700), 94, 97);
    s.stdev = 100; /* drawn again while outside: nearly flat */
    assert_in_range(share(&s, 400, 600), 17, 23);
}

static void draws_uniformly_when_asked(void **state)
{
    struct cs_settings_old s = usual();

    (void)state;
    s.uniform = true;
    assert_in_range(share(&s, 0, 100), 8, 12);
    s.different = 4;
    assert_int_equal(share(&s, 3, 4), 0); /* Java never takes the last key */
    s.python = true;
    assert_in_range(share(&s, 3, 4), 23, 27);
    s.different = 1;
    assert_int_equal(share(&s, 0, 1), 100);
    s.python = false;
    assert_int_equal(share(&s, 0, 1), 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_values_of_md5),
        cmocka_unit_test(keeps_the_padding_of_each_tool),
        cmocka_unit_test(makes_random_sizes_below_twice_the_size),
        cmocka_unit_test(chooses_values_as_each_tool),
        cmocka_unit_test(pads_keys_to_the_digits_of_their_count),
        cmocka_unit_test(draws_mostly_from_the_middle),
        cmocka_unit_test(draws_uniformly_when_asked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
