/* test_dist_parse.c - the grammar of distributions: what is taken, and what a
 * refusal says. */
#include "random/dist.h"

#include "support/vectors.h"

static const char *describe(struct cs_buf *buf, const struct cs_dist_spec *spec)
{
    cs_buf_clear(buf);
    cs_dist_describe(buf, spec);
    return cs_buf_text(buf);
}

static void takes_every_form(void **state)
{
    static const struct {
        const char *text;
        const char *want;
    } rows[] = {
        {"FIXED(10)", "Fixed:  key=10"},
        {"fixed(-9223372036854775808)", "Fixed:  key=-9223372036854775808"},
        {"fixed(9223372036854775807)", "Fixed:  key=9223372036854775807"},
        {"fixed(+3)", "Fixed:  key=3"},
        {"fixed(2K)", "Fixed:  key=2000"},
        {"fixed( 2m )", "Fixed:  key=2000000"},
        {"fixed(-1b)", "Fixed:  key=-1000000000"},
        {"uniform(1...10)", "Uniform:  min=1,max=10"}, /* three dots */
        {"uniform( 1 .. 10 )", "Uniform:  min=1,max=10"},
        {"uniform(-5..5)", "Uniform:  min=-5,max=5"},
        {"uniform(1..10,)", "Uniform:  min=1,max=10"}, /* empty argument */
        {"uniform(5..5)", "Fixed:  key=5"},
        {"~uniform(5..5)", "Inverse: Fixed:  key=5"},
        {"exp(7..7)", "Fixed:  key=7"},
        {"exp(1..2)", "Uniform:  min=1,max=2"},
        {"~exp(1..2)", "Inverse: Uniform:  min=1,max=2"},
        {"extreme(7..7,2)", "Fixed:  key=7"},
        {"extreme(1..2,2)",
         "Extreme:  min=1,max=2,shape=2.000000, scale=Infinity"},
        {"weibull(1..1000,2)",
         "Extreme:  min=1,max=1000,shape=2.000000, scale=537.580451"},
        {"Normal(1..1000, 500, 50.5)",
         "Gaussian:  min=1,max=1000,mean=500.000000,stdev=50.500000"},
        {"gaussian(1..10,,3)",
         "Gaussian:  min=1,max=10,mean=5.500000,stdev=1.500000"},
        {"gaussian(1..10,-4,1e1)",
         "Gaussian:  min=1,max=10,mean=-4.000000,stdev=10.000000"},
        {"qextr(1..1000,0.5,10)",
         "Extreme:  min=1,max=1000,shape=0.500000, scale=83.767857"},
        {"~seq(1..2)", "Inverse: Sequence:  start=1,end=2"},
    };
    struct cs_buf buf;

    (void)state;
    cs_buf_init(&buf, 1000);
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_dist_spec spec;
        struct cs_err err;

        if (cs_dist_parse(rows[i].text, &spec, NULL, &err))
            fail_msg("%s: %s", rows[i].text, err.text);
        assert_string_equal(describe(&buf, &spec), rows[i].want);
    }
    cs_buf_release(&buf);
}

static void refuses_with_a_reason(void **state)
{
    static const struct {
        const char *text;
        const char *want; /* part of the message */
    } rows[] = {
        {"GAUS(1..10)", "unknown distribution 'GAUS', try 'GAUSSIAN'"},
        {"norml(1..10)", "unknown distribution 'norml', try 'NORMAL'"},
        {"weibul(1..10,1)", "try 'EXTREME'"},
        {"nosuch(1..10)", "unknown distribution 'nosuch', expected FIXED"},
        {"10", "'10' is no distribution, expected fixed(10)"},
        {"", "'' is no distribution"},
        {"~", "'~' is no distribution"},
        {"~~fixed(1)", "'~~fixed(1)' is no distribution"},
        {" fixed(1)", "is no distribution"}, /* no blanks around */
        {"fixed(1) ", "is no distribution"},
        {"fixed()", "is no distribution"},
        {"fixed(1", "uniform(1..10); the closing ')' is missing"},
        {"fixed(,)", "0 arguments, expected fixed(value)"},
        {"fixed(1..5)", "'1..5' is no number"},
        {"fixed(0x10)", "'0x10' is no number"},
        {"fixed(9223372036854775808)", "is no number of 64 bits"},
        {"fixed(9223372036854775807k)", "is no number of 64 bits"},
        {"fixed(k)", "'k' is no number"},
        {"fixed(-)", "'-' is no number"},
        {"uniform(1..10g)", "'10g' is no number"},
        {"uniform(1-5)", "'1-5' is no range, expected min..max"},
        {"uniform(1..)", "'' is no number"},
        {"uniform(..1)", "'' is no number"},
        {"uniform(1..2..3)", "'1..2..3' is no range"},
        {"uniform(10..1)", "distribution 'uniform(10..1)': range '10..1' runs "
                           "backwards"},
        {"exp(100..1)", "runs backwards"},
        {"gaussian(9..1)", "runs backwards"},
        {"extreme(9..1,1)", "runs backwards"},
        {"seq(9..1)", "runs backwards"},
        {"uniform(1..2,3)", "2 arguments, expected uniform(min..max)"},
        {"gaussian(1..2,3,4,5)", "4 arguments, expected gaussian(min..max["},
        {"extreme(1..10)", "1 argument, expected extreme(min..max,shape)"},
        {"extreme(1..10,0)", "shape '0' must be above 0"},
        {"extreme(5..5,-1)", "shape '-1' must be above 0"},
        {"extreme(1..10,inf)", "shape 'inf' is no number"},
        {"extreme(1..10,0x1)", "shape '0x1' is no number"},
        {"extreme(1..10,1e999)", "shape '1e999' is no number"},
        {"gaussian(1..10,0)", "number of deviations '0' must be above 0"},
        {"gaussian(1..10,5,0)", "standard deviation '0' must be above 0"},
        {"gaussian(1..10,x,1)", "mean 'x' is no number"},
        {"qextreme(5..5,2,3)", "needs two different ends"},
        {"qextreme(1..5,2,0)", "number of quantas '0', expected 1 to"},
        {"qextreme(1..5,2,2147483648)", "number of quantas '2147483648'"},
        {"seq(5..5)", "needs two different ends"},
        {"uniform(1..9223372036854775807)", "wider than 63 bits"},
        {"uniform(-9b..9223372036b)", "wider than 63 bits"},
        {"uniform(1..2,,,,,,,,,3,4,5,6,7,8,9,10,11,12)", "11 arguments"},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_dist_spec spec = {.min = 77};
        struct cs_err err = {0};

        if (cs_dist_parse(rows[i].text, &spec, NULL, &err) != CS_EINVALID)
            fail_msg("'%s' was not refused", rows[i].text);
        if (!strstr(err.text, rows[i].want))
            fail_msg("'%s': '%s' does not say '%s'", rows[i].text, err.text,
                     rows[i].want);
        assert_int_equal(spec.min, 77); /* untouched on failure */
    }
}

static void refuses_a_text_without_end(void **state)
{
    char text[5000];
    struct cs_dist_spec spec;
    struct cs_err err;

    (void)state;
    memset(text, '1', sizeof(text));
    text[sizeof(text) - 1] = 0;
    assert_int_equal(cs_dist_parse(text, &spec, NULL, &err), CS_EINVALID);
}

static void notes_what_is_taken_otherwise(void **state)
{
    struct cs_dist_spec spec;
    struct cs_buf notice;
    struct cs_err err;

    (void)state;
    cs_buf_init(&notice, 1000);
    assert_int_equal(cs_dist_parse("exp(1..3)", &spec, &notice, &err), CS_OK);
    assert_int_equal(cs_dist_parse("exp(3..3)", &spec, &notice, &err), CS_OK);
    assert_string_equal(cs_buf_text(&notice), "");
    assert_int_equal(cs_dist_parse("~exp(1..2)", &spec, &notice, &err), CS_OK);
    assert_string_equal(cs_buf_text(&notice),
                        "distribution '~exp(1..2)' has no finite mean: taken "
                        "as ~uniform(1..2)");
    cs_buf_release(&notice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_every_form),
        cmocka_unit_test(refuses_with_a_reason),
        cmocka_unit_test(refuses_a_text_without_end),
        cmocka_unit_test(notes_what_is_taken_otherwise),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
