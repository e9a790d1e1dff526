/* Exact counts, in the array and in the map, and their percentiles. */
#include "sbk/latencies.h"
#include "support/vectors.h"

#define MANY 200000

static void finds_each_index_exactly(void **state)
{
    static const int hundredths[] = {1000, 5000, 9000, 9900, 9999};
    struct cs_sbk_latencies l;
    int64_t values[5];
    uint64_t counts[5];
    struct cs_err err;

    (void)state;
    assert_int_equal(cs_sbk_latencies_init(&l, 0, 1000, &err), CS_OK);
    /* 100 values: 0 to 99. */
    for (int i = 99; i >= 0; i--)
        assert_true(cs_sbk_latencies_add(&l, i, 1));
    assert_true(cs_sbk_latencies_at(&l, hundredths, 5, values, counts));
    assert_int_equal(values[0], 10);
    assert_int_equal(values[1], 50);
    assert_int_equal(values[2], 90);
    assert_int_equal(values[3], 99);
    assert_int_equal(values[4], 99);
    assert_int_equal(counts[4], 1);
    cs_sbk_latencies_release(&l);
}

static void counts_what_is_at_a_percentile(void **state)
{
    static const int hundredths[] = {500, 5000, 9250};
    struct cs_sbk_latencies l;
    int64_t values[3];
    uint64_t counts[3];
    struct cs_err err;

    (void)state;
    assert_int_equal(cs_sbk_latencies_init(&l, 0, 180000, &err), CS_OK);
    assert_true(cs_sbk_latencies_at(&l, hundredths, 3, values, counts));
    assert_int_equal(values[2], 0);
    assert_true(cs_sbk_latencies_add(&l, 0, 30));
    assert_true(cs_sbk_latencies_add(&l, 1, 60));
    assert_true(cs_sbk_latencies_add(&l, 180000, 10));
    assert_true(cs_sbk_latencies_at(&l, hundredths, 3, values, counts));
    assert_int_equal(values[0], 0);
    assert_int_equal(counts[0], 30);
    assert_int_equal(values[1], 1);
    assert_int_equal(counts[1], 60);
    assert_int_equal(values[2], 180000);
    assert_int_equal(counts[2], 10);
    cs_sbk_latencies_release(&l);
}

/* Nanoseconds: nothing is rounded, wherever it is kept. */
static void is_exact_beyond_the_array(void **state)
{
    static const int hundredths[] = {2500, 5000, 9990};
    struct cs_sbk_latencies l, sum;
    int64_t values[3];
    uint64_t counts[3];
    struct cs_err err;

    (void)state;
    assert_int_equal(cs_sbk_latencies_init(&l, 0, INT64_MAX, &err), CS_OK);
    assert_int_equal(cs_sbk_latencies_init(&sum, 0, INT64_MAX, &err), CS_OK);
    /* 0, 1001, 2002, ...: the first few in the array. */
    for (int64_t i = 0; i < MANY; i++)
        assert_true(cs_sbk_latencies_add(&l, i * 7919 % MANY * 1001, 1));
    assert_int_equal(cs_sbk_latencies_merge(&sum, &l), 0);
    assert_int_equal(cs_sbk_latencies_merge(&sum, &l), 0);
    assert_true(cs_sbk_latencies_at(&sum, hundredths, 3, values, counts));
    assert_int_equal(values[0], MANY / 4 * 1001);
    assert_int_equal(values[1], MANY / 2 * 1001);
    assert_int_equal(values[2], (int64_t)MANY * 999 / 1000 * 1001);
    assert_int_equal(counts[2], 2);
    cs_sbk_latencies_clear(&sum);
    assert_true(cs_sbk_latencies_at(&sum, hundredths, 3, values, counts));
    assert_int_equal(values[2], 0);
    cs_sbk_latencies_release(&l);
    cs_sbk_latencies_release(&sum);
}

/* What does not fit is said, and nothing that was counted is lost. */
static void stays_within_its_bound(void **state)
{
    static const int hundredths[] = {0, 5000, 9999};
    struct cs_sbk_latencies l, sum;
    int64_t values[3];
    uint64_t counts[3];
    struct cs_err err;
    int64_t added = 0;

    (void)state;
    assert_int_equal(cs_sbk_latencies_init(&l, 0, INT64_MAX, &err), CS_OK);
    cs_sbk_latencies_bound(&l, 5000); /* 4096 */
    while (added < MANY && cs_sbk_latencies_add(&l, (added + 1) * 1000003, 1)) {
        added++;
        assert_int_equal(cs_sbk_latencies_crowded(&l), added > 2048);
    }
    assert_int_equal(added, 4096 / 4 * 3);
    assert_int_equal(l.cell_cap, 4096);
    assert_true(cs_sbk_latencies_add(&l, 1000003, 1)); /* is there already */
    assert_true(cs_sbk_latencies_add(&l, 7, 1));       /* in the array */
    assert_true(cs_sbk_latencies_at(&l, hundredths, 3, values, counts));
    assert_int_equal(values[0], 7);
    assert_int_equal(values[2], added * 1000003);

    assert_int_equal(cs_sbk_latencies_init(&sum, 0, INT64_MAX, &err), CS_OK);
    cs_sbk_latencies_bound(&sum, 4096);
    assert_true(cs_sbk_latencies_fit(&sum, &l));
    assert_int_equal(cs_sbk_latencies_merge(&sum, &l), 0);
    assert_false(cs_sbk_latencies_fit(&sum, &l));
    assert_int_equal(cs_sbk_latencies_merge(&sum, &l), 0); /* all known */
    cs_sbk_latencies_clear(&l);
    assert_true(cs_sbk_latencies_add(&l, 999999999999, 5));
    assert_int_equal(cs_sbk_latencies_merge(&sum, &l), 5);
    cs_sbk_latencies_release(&l);
    cs_sbk_latencies_release(&sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_each_index_exactly),
        cmocka_unit_test(counts_what_is_at_a_percentile),
        cmocka_unit_test(is_exact_beyond_the_array),
        cmocka_unit_test(stays_within_its_bound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
