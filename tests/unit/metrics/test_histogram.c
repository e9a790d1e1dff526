/* Buckets, percentiles and what is exact about them. */
#include "metrics/histogram.h"
#include "support/vectors.h"

static struct cs_histogram *histogram(void)
{
    struct cs_histogram *h = NULL;

    assert_int_equal(cs_histogram_new(&h, NULL), CS_OK);
    return h;
}

/* percentile_rank.tsv: with the values 1 to n the percentile is the rank. */
static void ranks_as_both_library_versions_do(void **state)
{
    static const double percents[] = {50, 95, 99, 99.9};
    struct vector_file file;

    (void)state;
    vector_open(&file, "output/percentile_rank.tsv");
    assert_true(vector_next_line(&file)); /* names */
    while (vector_next_line(&file)) {
        struct cs_histogram *h = histogram();
        char *fields[9];
        int n;

        assert_int_equal(vector_fields(&file, fields, 9), 9);
        n = atoi(fields[0]);
        for (int i = 1; i <= n; i++)
            cs_histogram_record(h, i);
        for (int i = 0; i < 8; i++) {
            enum cs_rank_rule rule = i < 4 ? CS_RANK_OLD : CS_RANK_NEW;

            assert_int_equal(cs_histogram_percentile(h, percents[i % 4], rule),
                             atoi(fields[1 + i]));
        }
        cs_histogram_free(h);
    }
}

/* Verified with the C and the Java library. */
static void reports_the_highest_value_of_a_bucket(void **state)
{
    static const int64_t values[] = {1000000, 1000000, 1100000, 2300000,
                                     13500000};
    struct cs_histogram *h = histogram();

    (void)state;
    for (size_t i = 0; i < CS_COUNT(values); i++)
        cs_histogram_record(h, values[i]);
    assert_int_equal(cs_histogram_count(h), 5);
    assert_int_equal(cs_histogram_percentile(h, 50, CS_RANK_OLD), 1100799);
    assert_int_equal(cs_histogram_percentile(h, 95, CS_RANK_NEW), 13500415);
    assert_int_equal(cs_histogram_percentile(h, 99.9, CS_RANK_OLD), 13500415);
    assert_int_equal(cs_histogram_max(h), 13500415);
    assert_true(cs_histogram_mean(h) == 3779584);
    cs_histogram_free(h);
}

/* The published layout: a value in, the highest of its bucket out. */
static void knows_the_edges_of_buckets(void **state)
{
    static const struct {
        int64_t value;
        int64_t lowest;
        int64_t highest;
    } rows[] = {
        {0, 0, 0},
        {1, 1, 1},
        {1023, 1023, 1023},
        {1024, 1024, 1024},
        {2047, 2047, 2047},
        {2048, 2048, 2049},
        {2049, 2048, 2049},
        {4095, 4094, 4095},
        {4096, 4096, 4099},
        {3600000000000, 3599182594048, 3601330077695},
        {CS_HISTOGRAM_TOP_NS, CS_HISTOGRAM_TOP_NS - UINT32_MAX,
         CS_HISTOGRAM_TOP_NS},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_histogram *h = histogram();

        cs_histogram_record(h, rows[i].value);
        assert_int_equal(cs_histogram_min(h), rows[i].lowest);
        assert_int_equal(cs_histogram_max(h), rows[i].highest);
        assert_int_equal(cs_histogram_clipped(h), 0);
        cs_histogram_free(h);
    }
}

static void counts_what_is_above_a_value(void **state)
{
    struct cs_histogram *h = NULL;

    (void)state;
    assert_int_equal(cs_histogram_new(&h, NULL), CS_OK);
    assert_int_equal(cs_histogram_count_above(h, 0), 0);
    for (int64_t ms = 1; ms <= 100; ms++)
        cs_histogram_record(h, ms * 1000000);
    assert_int_equal(cs_histogram_count_above(h, 0), 100);
    assert_int_equal(cs_histogram_count_above(h, 1000000), 99);
    assert_int_equal(cs_histogram_count_above(h, 50500000), 50);
    assert_int_equal(cs_histogram_count_above(h, 101000000), 0);
    cs_histogram_free(h);
}

static void hides_no_value_beyond_the_top(void **state)
{
    struct cs_histogram *h = histogram();

    (void)state;
    cs_histogram_record(h, CS_HISTOGRAM_TOP_NS + 1);
    cs_histogram_record(h, INT64_MAX);
    assert_int_equal(cs_histogram_count(h), 2);
    assert_int_equal(cs_histogram_clipped(h), 2);
    assert_int_equal(cs_histogram_max(h), CS_HISTOGRAM_TOP_NS);
    cs_histogram_free(h);
}

static void takes_a_negative_value_as_zero(void **state)
{
    struct cs_histogram *h = histogram();

    (void)state;
    cs_histogram_record(h, -1);
    cs_histogram_record(h, INT64_MIN);
    assert_int_equal(cs_histogram_count(h), 2);
    assert_int_equal(cs_histogram_clipped(h), 0);
    assert_int_equal(cs_histogram_max(h), 0);
    cs_histogram_free(h);
}

static void is_all_zero_when_empty(void **state)
{
    struct cs_histogram *h = histogram();
    size_t size = 1;

    (void)state;
    assert_int_equal(cs_histogram_count(h), 0);
    assert_int_equal(cs_histogram_max(h), 0);
    assert_int_equal(cs_histogram_min(h), 0);
    assert_int_equal(cs_histogram_percentile(h, 99, CS_RANK_NEW), 0);
    assert_true(cs_histogram_mean(h) == 0);
    (void)cs_histogram_counts(h, &size);
    assert_int_equal(size, 0);
    cs_histogram_free(h);
}

static void adds_subtracts_and_clears_exactly(void **state)
{
    struct cs_histogram *all = histogram();
    struct cs_histogram *even = histogram();
    struct cs_histogram *odd = histogram();

    (void)state;
    for (int64_t v = 1; v < 5000000; v += 997)
        cs_histogram_record(v % 2 ? odd : even, v);
    cs_histogram_record(even, INT64_MAX);
    cs_histogram_add(all, even);
    cs_histogram_add(all, odd);
    assert_int_equal(cs_histogram_count(all),
                     cs_histogram_count(even) + cs_histogram_count(odd));
    cs_histogram_subtract(all, even);
    assert_int_equal(cs_histogram_count(all), cs_histogram_count(odd));
    assert_int_equal(cs_histogram_clipped(all), 0);
    assert_int_equal(cs_histogram_max(all), cs_histogram_max(odd));
    assert_int_equal(cs_histogram_min(all), cs_histogram_min(odd));
    assert_true(cs_histogram_mean(all) == cs_histogram_mean(odd));
    cs_histogram_clear(all);
    assert_int_equal(cs_histogram_count(all), 0);
    assert_int_equal(cs_histogram_max(all), 0);
    cs_histogram_add(all, odd);
    assert_int_equal(cs_histogram_percentile(all, 50, CS_RANK_NEW),
                     cs_histogram_percentile(odd, 50, CS_RANK_NEW));
    cs_histogram_free(all);
    cs_histogram_free(even);
    cs_histogram_free(odd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_as_both_library_versions_do),
        cmocka_unit_test(reports_the_highest_value_of_a_bucket),
        cmocka_unit_test(knows_the_edges_of_buckets),
        cmocka_unit_test(counts_what_is_above_a_value),
        cmocka_unit_test(hides_no_value_beyond_the_top),
        cmocka_unit_test(takes_a_negative_value_as_zero),
        cmocka_unit_test(is_all_zero_when_empty),
        cmocka_unit_test(adds_subtracts_and_clears_exactly),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
