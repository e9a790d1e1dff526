/* test_dist.c - samples, quantiles and what is derived from them, against the
 * original. */
#include "random/dist.h"

#include "random/dist_internal.h"
#include "support/bits.h"

static struct cs_dist_spec parse(const char *text)
{
    struct cs_dist_spec spec;
    struct cs_err err;

    if (cs_dist_parse(text, &spec, NULL, &err))
        fail_msg("%s", err.text);
    return spec;
}

static void check_integer(const struct vector_file *v, const char *what,
                          size_t index, int64_t got, int64_t want)
{
    if (got != want)
        fail_msg("%s:%d: %s %zu: got %" PRId64 ", want %" PRId64, v->path,
                 v->line, what, index, got, want);
}

static void draws_the_samples_of_the_original(void **state)
{
    struct vector_file v;
    json_t *json, *want;
    size_t i;

    (void)state;
    vector_open(&v, "distribution_samples.jsonl");
    while ((json = vector_next_json(&v)) != NULL) {
        struct cs_dist_spec spec = parse(vector_string(json, "spec"));
        int64_t seed = json_integer_value(json_object_get(json, "seed"));
        struct cs_dist dist;

        cs_dist_init(&dist, &spec);
        cs_dist_seed(&dist, seed);
        json_array_foreach(json_object_get(json, "next"), i, want)
            check_integer(&v, "sample", i, cs_dist_next(&dist),
                          json_integer_value(want));
        cs_dist_seed(&dist, seed);
        json_array_foreach(json_object_get(json, "next_double_bits"), i, want)
            check_bits(&v, i, double_bits(cs_dist_next_double(&dist)), want);
        json_decref(json);
    }
}

/* The fast path in the header and the table of families are two codes. */
static void draws_the_same_inline_and_by_the_table(void **state)
{
    struct cs_dist_spec spec = cs_dist_uniform(-50, 70);
    struct cs_dist a, b;

    (void)state;
    cs_dist_init(&a, &spec);
    cs_dist_init(&b, &spec);
    cs_dist_seed(&a, 3);
    cs_dist_seed(&b, 3);
    for (int i = 0; i < 1000; i++)
        assert_true(cs_dist_next(&a) == cs_dist_next_any(&b));
}

/* Probabilities of distribution_quantiles.jsonl behind the hundredths. */
static const double tail[] = {1e-12, 1e-9,   1e-6,     0.0001,   0.001,
                              0.999, 0.9999, 0.999999, 1 - 1e-9, 1 - 1e-12};

static double probability(size_t i)
{
    return i <= 100 ? (double)i / 100 : tail[i - 101];
}

/* cstress never goes past the range where the original's qextreme does: its
 * max + 1 is max here, and ~qextreme, which the original turns around one too
 * far, is one lower. */
static int64_t corrected(const struct cs_dist_spec *spec, int64_t want)
{
    if (spec->kind != CS_DIST_QEXTREME)
        return want;
    if (spec->inverted)
        return CS_MAX(want - 1, spec->min);
    return CS_MIN(want, spec->max);
}

static int64_t number(json_t *json, const char *key)
{
    return json_integer_value(json_object_get(json, key));
}

static void check_derived(const struct vector_file *v, json_t *json,
                          const struct cs_dist_spec *spec)
{
    struct cs_buf buf;

    cs_buf_init(&buf, 1000);
    cs_dist_describe(&buf, spec);
    assert_string_equal(cs_buf_text(&buf), vector_string(json, "config"));
    cs_buf_release(&buf);
    check_integer(v, "min", 0, cs_dist_min(spec),
                  corrected(spec, number(json, "min")));
    check_integer(v, "max", 0, cs_dist_max(spec),
                  corrected(spec, number(json, "max")));
    if (spec->kind == CS_DIST_QEXTREME && spec->inverted)
        return; /* the average is off by the correction, which rounds */
    check_integer(v, "average", 0, cs_dist_average(spec),
                  number(json, "average"));
}

static void gives_the_quantiles_of_the_original(void **state)
{
    struct vector_file v;
    json_t *json, *want;
    size_t i;

    (void)state;
    vector_open(&v, "distribution_quantiles.jsonl");
    while ((json = vector_next_json(&v)) != NULL) {
        struct cs_dist_spec spec = parse(vector_string(json, "spec"));

        check_derived(&v, json, &spec);
        assert_int_equal(json_array_size(json_object_get(json, "inverse")),
                         101 + CS_COUNT(tail));
        json_array_foreach(json_object_get(json, "inverse"), i, want)
            check_integer(&v, "inverse", i,
                          cs_dist_inverse(&spec, probability(i)),
                          corrected(&spec, json_integer_value(want)));
        json_decref(json);
    }
}

static void derives_the_parameters_of_the_original(void **state)
{
    struct vector_file v;
    char *f[6];

    (void)state;
    vector_open(&v, "distribution_parameters.tsv");
    assert_true(vector_next_line(&v));
    while (vector_next_line(&v)) {
        int64_t min, max;
        double got;

        assert_int_equal(vector_fields(&v, f, 6), 6);
        min = strtoll(f[1], NULL, 10);
        max = strtoll(f[2], NULL, 10);
        got = !strcmp(f[0], "exp_mean")
                  ? cs_dist_exp_mean(min, max)
                  : cs_dist_extreme_scale(min, max, strtod(f[3], NULL));
        if (double_bits(got) != strtoull(f[4], NULL, 16))
            fail_msg("%s:%d: %s: got %.17g, want %s", v.path, v.line, f[0], got,
                     f[5]);
    }
}

/* seq of a wide range shows the probabilities themselves. */
static void averages_over_the_grid_of_the_original(void **state)
{
    struct cs_dist_spec seq = {
        .kind = CS_DIST_SEQ, .min = 0, .max = INT64_C(1) << 60};
    struct vector_file v;
    char *f[3];
    double sum = 0;
    int count = 0;

    (void)state;
    vector_open(&v, "average_grid.tsv");
    assert_true(vector_next_line(&v));
    for (; vector_next_line(&v); count++) {
        assert_int_equal(vector_fields(&v, f, 3), 3);
        sum += (double)cs_dist_inverse(&seq, bits_double(f[2]));
    }
    assert_int_equal(count, 51);
    assert_true(cs_dist_average(&seq) == (int64_t)(sum / count));
}

static void never_leaves_the_range_with_qextreme(void **state)
{
    struct cs_dist_spec spec = parse("qextr(1..1000,0.5,10)");
    struct cs_dist dist;
    int64_t most = 0;

    (void)state;
    cs_dist_init(&dist, &spec);
    for (int i = 0; i < 20000; i++) {
        int64_t value = cs_dist_next(&dist);

        assert_in_range(value, 1, 1000);
        most = CS_MAX(most, value);
    }
    assert_true(most > 500);
}

static void starts_differently_when_not_seeded(void **state)
{
    struct cs_dist_spec spec = cs_dist_uniform(0, INT64_MAX - 1);
    struct cs_dist a, b;

    (void)state;
    cs_dist_init(&a, &spec);
    cs_dist_init(&b, &spec);
    assert_true(cs_dist_next(&a) != cs_dist_next(&b));
}

static void starts_a_sequence_at_its_beginning(void **state)
{
    struct cs_dist_spec spec = parse("seq(5..6)");
    struct cs_dist dist;

    (void)state;
    cs_dist_init(&dist, &spec);
    assert_int_equal(cs_dist_next(&dist), 5);
    assert_int_equal(cs_dist_next(&dist), 6);
    assert_int_equal(cs_dist_next(&dist), 5);
}

static void says_the_least_and_the_most_that_can_come(void **state)
{
    static const struct {
        const char *text;
        int64_t least, most;
    } rows[] = {
        {"fixed(-7)", -7, -7},
        {"gaussian(1..10)", 1, 10},
        {"~exp(1..10)", 1, 10}, /* min and max come out swapped */
        {"qextreme(1..1M,2,2)", 1, 1000000},
        {"seq(1..10)", -8, 10}, /* seeded below 0 */
        {"~seq(1..10)", 1, 19},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_dist_spec spec = parse(rows[i].text);

        assert_int_equal(cs_dist_least(&spec), rows[i].least);
        assert_int_equal(cs_dist_most(&spec), rows[i].most);
    }
}

static void truncates_like_java(void **state)
{
    (void)state;
    assert_true(cs_trunc64(-1.9) == -1);
    assert_true(cs_trunc64(1e300) == INT64_MAX);
    assert_true(cs_trunc64(-1e300) == INT64_MIN);
    assert_true(cs_trunc64(0x1.0p63) == INT64_MAX);
    assert_true(cs_trunc64(-0x1.0p63) == INT64_MIN);
    assert_true(cs_trunc64(bits_double("7ff8000000000000")) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_the_samples_of_the_original),
        cmocka_unit_test(draws_the_same_inline_and_by_the_table),
        cmocka_unit_test(gives_the_quantiles_of_the_original),
        cmocka_unit_test(derives_the_parameters_of_the_original),
        cmocka_unit_test(averages_over_the_grid_of_the_original),
        cmocka_unit_test(never_leaves_the_range_with_qextreme),
        cmocka_unit_test(starts_differently_when_not_seeded),
        cmocka_unit_test(starts_a_sequence_at_its_beginning),
        cmocka_unit_test(says_the_least_and_the_most_that_can_come),
        cmocka_unit_test(truncates_like_java),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
