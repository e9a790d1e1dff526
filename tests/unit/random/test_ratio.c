/* test_ratio.c - DIST/divisor. */
#include "random/dist.h"

#include "support/vectors.h"

static void takes_a_distribution_and_a_divisor(void **state)
{
    static const struct {
        const char *text;
        const char *describe;
        double min, max;
    } rows[] = {
        {"fixed(1)/1", "Ratio: divisor=1.000000;delegate=Fixed:  key=1", 1, 1},
        {"uniform(1..10)/10",
         "Ratio: divisor=10.000000;delegate=Uniform:  min=1,max=10", 0.1, 1},
        {"fixed(1)/4K", "Ratio: divisor=4000.000000;delegate=Fixed:  key=1",
         0.00025, 0.00025},
        {"fixed(5)/2", "Ratio: divisor=2.000000;delegate=Fixed:  key=5", 1,
         1}, /* capped */
    };
    struct cs_buf buf;

    (void)state;
    cs_buf_init(&buf, 1000);
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_ratio_spec spec;
        struct cs_err err;

        if (cs_ratio_parse(rows[i].text, &spec, NULL, &err))
            fail_msg("%s", err.text);
        cs_buf_clear(&buf);
        cs_ratio_describe(&buf, &spec);
        assert_string_equal(cs_buf_text(&buf), rows[i].describe);
        assert_true(cs_ratio_min(&spec) == rows[i].min);
        assert_true(cs_ratio_max(&spec) == rows[i].max);
    }
    cs_buf_release(&buf);
}

static void refuses_with_a_reason(void **state)
{
    static const struct {
        const char *text;
        const char *want;
    } rows[] = {
        {"fixed(1)", "'fixed(1)' is no ratio, expected a distribution and"},
        {"", "'' is no ratio"},
        {"fixed(1)/", "ratio 'fixed(1)/': '' is no divisor"},
        {"fixed(1)/x", "'x' is no divisor"},
        {"fixed(1)/-1", "'-1' is no divisor"},
        {"fixed(1)/ 1", "' 1' is no divisor"},
        {"fixed(1)/0", "the divisor is 0"},
        {"gaus(1..2)/1", "ratio 'gaus(1..2)/1': unknown distribution 'gaus'"},
        {"qextreme(1..10,1,2)/10", "qextreme has whole numbers only"},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_ratio_spec spec;
        struct cs_err err = {0};

        assert_int_equal(cs_ratio_parse(rows[i].text, &spec, NULL, &err),
                         CS_EINVALID);
        if (!strstr(err.text, rows[i].want))
            fail_msg("'%s': '%s' does not say '%s'", rows[i].text, err.text,
                     rows[i].want);
    }
}

static void draws_real_numbers_between_0_and_1(void **state)
{
    struct cs_ratio_spec spec;
    struct cs_dist dist;
    struct cs_err err;
    int whole = 0;

    (void)state;
    assert_int_equal(cs_ratio_parse("uniform(-5..20)/10", &spec, NULL, &err),
                     CS_OK);
    cs_dist_init(&dist, &spec.dist);
    cs_dist_seed(&dist, 1);
    for (int i = 0; i < 1000; i++) {
        double share = cs_ratio_next(&dist, spec.divisor);

        assert_true(share >= 0 && share <= 1);
        whole += share * 10 == (int)(share * 10);
    }
    /* Below 0 and above 10: about 15 of 26; none between is a tenth. */
    assert_in_range(whole, 500, 700);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_a_distribution_and_a_divisor),
        cmocka_unit_test(refuses_with_a_reason),
        cmocka_unit_test(draws_real_numbers_between_0_and_1),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
