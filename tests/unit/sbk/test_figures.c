/* What is made of samples: averages, discarded ones, rates, the coverage. */
#include "sbk/figures.h"
#include "support/vectors.h"

/* Percentiles of real lines give their SLC-1 and SLC-2. */
static void makes_the_coverage_of_real_lines(void **state)
{
    struct vector_file v;
    unsigned lines = 0;
    json_t *line;

    (void)state;
    vector_open(&v, "output/sbk/result-lines.jsonl");
    while ((line = vector_next_json(&v)) != NULL) {
        json_t *fields = json_object_get(line, "fields");
        const char *version = vector_string(line, "version");
        const struct cs_sbk_percentiles *set;
        int64_t values[CS_SBK_PERCENTILES_MAX];
        enum cs_sbk_format format;
        struct cs_err err;
        int slc1, slc2;

        assert_int_equal(cs_sbk_format_parse(version, &format, &err), CS_OK);
        set = cs_sbk_percentiles_of(format);
        for (size_t i = 0; i < set->count; i++) {
            char name[CS_SBK_PERCENTILE_NAME + 1] = "p";

            cs_sbk_percentile_name(set->hundredths[i], name + 1);
            assert_non_null(json_object_get(fields, name));
            values[i] = json_integer_value(json_object_get(fields, name));
        }
        cs_sbk_slc(set, values, &slc1, &slc2);
        if (json_object_get(fields, "slc1")) {
            assert_int_equal(
                slc1, json_integer_value(json_object_get(fields, "slc1")));
            assert_int_equal(
                slc2, json_integer_value(json_object_get(fields, "slc2")));
            lines++;
        }
        json_decref(line);
    }
    assert_true(lines > 20);
}

static void keeps_discarded_latencies_apart(void **state)
{
    struct cs_sbk_figures figures = {0};
    struct cs_sbk_spread spread;
    struct cs_sbk_tally tally;
    struct cs_err err;

    (void)state;
    assert_int_equal(cs_sbk_tally_init(&tally, 10, 100, &err), CS_OK);
    cs_sbk_tally_add(&tally, 5, 100);   /* lower */
    cs_sbk_tally_add(&tally, 50, 100);  /* valid */
    cs_sbk_tally_add(&tally, 60, 100);  /* valid */
    cs_sbk_tally_add(&tally, 500, 100); /* higher */
    cs_sbk_tally_add(&tally, -1, 100);  /* invalid */
    cs_sbk_figures_of(&tally, 2.0, CS_SBK_10, &figures);
    assert_int_equal(figures.records, 5);
    assert_int_equal(figures.bytes, 500);
    assert_int_equal(figures.lower, 1);
    assert_int_equal(figures.higher, 1);
    assert_int_equal(figures.invalid, 1);
    assert_int_equal(figures.min, 5);
    assert_int_equal(figures.max, 500);
    assert_true(figures.average == 615.0 / 4);
    assert_true(cs_sbk_spread_of(&tally, CS_SBK_10, &spread));
    assert_int_equal(spread.values[0], 50);
    assert_int_equal(spread.values[27], 60);
    cs_sbk_tally_release(&tally);
}

static void counts_a_short_window_as_a_second_in_old_layouts(void **state)
{
    struct cs_sbk_figures figures = {0};
    struct cs_sbk_tally tally;
    struct cs_err err;

    (void)state;
    assert_int_equal(cs_sbk_tally_init(&tally, 0, 100, &err), CS_OK);
    cs_sbk_tally_add(&tally, 1, 100);
    cs_sbk_figures_of(&tally, 0.5, CS_SBK_0_88_PRE, &figures);
    assert_true(cs_sbk_per_s(&figures, 100) == 100);
    cs_sbk_figures_of(&tally, 0.5, CS_SBK_10, &figures);
    assert_true(cs_sbk_per_s(&figures, 100) == 200);
    cs_sbk_tally_release(&tally);
}

static void loses_no_sample_when_a_window_is_taken(void **state)
{
    struct cs_sbk_recorder recorder = {0};
    struct cs_sbk_tally sum;
    struct cs_err err;

    (void)state;
    assert_int_equal(cs_sbk_recorder_init(&recorder, 0, 100, &err), CS_OK);
    assert_int_equal(cs_sbk_tally_init(&sum, 0, 100, &err), CS_OK);
    cs_sbk_tally_add(cs_sbk_recorder_tally(&recorder), 1, 1);
    cs_sbk_recorder_ask(&recorder);
    assert_false(cs_sbk_recorder_take(&recorder, false, &sum));
    cs_sbk_tally_add(cs_sbk_recorder_tally(&recorder), 2, 1);
    cs_sbk_recorder_pass(&recorder);
    cs_sbk_tally_add(cs_sbk_recorder_tally(&recorder), 3, 1);
    assert_true(cs_sbk_recorder_take(&recorder, false, &sum));
    assert_int_equal(sum.records, 2);
    cs_sbk_recorder_ask(&recorder);
    assert_true(cs_sbk_recorder_take(&recorder, true, &sum));
    assert_int_equal(sum.records, 3);
    assert_int_equal(sum.latency_sum, 6);
    cs_sbk_recorder_release(&recorder);
    cs_sbk_tally_release(&sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_the_coverage_of_real_lines),
        cmocka_unit_test(keeps_discarded_latencies_apart),
        cmocka_unit_test(counts_a_short_window_as_a_second_in_old_layouts),
        cmocka_unit_test(loses_no_sample_when_a_window_is_taken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
