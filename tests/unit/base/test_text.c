/* test_text.c - numbers as Java prints them, nearest names. */
#include "base/text.h"
#include "support/vectors.h"

#include <math.h>

static void rounds_half_up_on_the_shortest_decimal(void **state)
{
    static const struct {
        double value;
        int decimals;
        bool grouped;
        int width;
        const char *want;
    } rows[] = {
        {0.25, 1, false, 0, "0.3"}, /* C prints 0.2 */
        {0.35, 1, false, 0, "0.4"}, /* binary value lies below .35 */
        {1.005, 2, false, 0, "1.01"},
        {0.5, 0, false, 0, "1"},
        {1.5, 0, false, 0, "2"},
        {2.5, 0, false, 0, "3"},
        {0.05, 1, false, 0, "0.1"},
        {0.04, 1, false, 0, "0.0"},
        {0.004, 0, false, 0, "0"},
        {9.96, 1, false, 0, "10.0"},
        {99.99, 1, false, 8, "   100.0"},
        {0.95, 1, false, 0, "1.0"},
        {-0.3, 0, false, 0, "-0"},
        {-1.25, 1, false, 0, "-1.3"},
        {1234567.8, 0, true, 0, "1,234,568"},
        {999999.5, 0, true, 0, "1,000,000"},
        {123, 0, true, 0, "123"},
        {1e15, 0, true, 0, "1,000,000,000,000,000"},
        {0, 5, false, 9, "  0.00000"},
        {0.70711, 5, false, 9, "  0.70711"},
        {(double)NAN, 1, false, 8, "     NaN"},
        {(double)INFINITY, 0, false, 0, "Infinity"},
        {1e-9, 5, false, 0, "0.00000"},
        {0.000005, 5, false, 0, "0.00001"},
    };
    struct cs_buf buf;

    (void)state;
    cs_buf_init(&buf, 1000);
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        cs_buf_clear(&buf);
        cs_put_fixed(&buf, rows[i].value, rows[i].decimals, rows[i].grouped,
                     rows[i].width);
        assert_string_equal(cs_buf_text(&buf), rows[i].want);
    }
    cs_buf_release(&buf);
}

static void groups_integers(void **state)
{
    static const struct {
        int64_t value;
        bool grouped;
        int width;
        const char *want;
    } rows[] = {
        {0, true, 0, "0"},
        {999, true, 0, "999"},
        {1000, true, 0, "1,000"},
        {-1000, true, 0, "-1,000"},
        {-100, true, 0, "-100"},
        {1234567, false, 10, "   1234567"},
        {INT64_MIN, true, 0, "-9,223,372,036,854,775,808"},
    };
    struct cs_buf buf;

    (void)state;
    cs_buf_init(&buf, 1000);
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        cs_buf_clear(&buf);
        cs_put_int(&buf, rows[i].value, rows[i].grouped, rows[i].width);
        assert_string_equal(cs_buf_text(&buf), rows[i].want);
    }
    cs_buf_release(&buf);
}

static void prints_doubles_as_java_does(void **state)
{
    static const struct {
        double value;
        const char *want;
    } rows[] = {
        {1, "1.0"},         {0.3, "0.3"},         {0.02, "0.02"},
        {1e7, "1.0E7"},     {123456, "123456.0"}, {0.001, "0.001"},
        {0.0001, "1.0E-4"}, {1.5e10, "1.5E10"},   {-2.5, "-2.5"},
        {0, "0.0"},         {100, "100.0"},       {9999999, "9999999.0"},
    };
    struct cs_buf buf;

    (void)state;
    cs_buf_init(&buf, 1000);
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        cs_buf_clear(&buf);
        cs_put_java_double(&buf, rows[i].value);
        assert_string_equal(cs_buf_text(&buf), rows[i].want);
    }
    cs_buf_release(&buf);
}

static void prints_times_in_utc(void **state)
{
    static const struct {
        int64_t ns;
        const char *want;
    } rows[] = {
        {0, "1970-01-01T00:00:00.000Z"},
        {INT64_C(1769860800123999999), "2026-01-31T12:00:00.123Z"},
        {INT64_C(4102444799001000000), "2099-12-31T23:59:59.001Z"},
    };
    struct cs_buf buf;

    (void)state;
    cs_buf_init(&buf, 100);
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        cs_buf_clear(&buf);
        cs_put_utc(&buf, rows[i].ns);
        assert_string_equal(cs_buf_text(&buf), rows[i].want);
    }
    cs_buf_release(&buf);
}

static void finds_the_nearest_name(void **state)
{
    static const char *const names[] = {"GAUSSIAN", "UNIFORM", "FIXED", "SEQ",
                                        "N"};
    static const struct {
        const char *word;
        const char *want; /* NULL: none is near */
    } rows[] = {
        {"GAUSIAN", "GAUSSIAN"},
        {"gaussian", "GAUSSIAN"},
        {"unifrom", "UNIFORM"},
        {"fixd", "FIXED"},
        {"completely", NULL},
        {"", NULL},
        {"sqe", "SEQ"},
        {"n", "N"},
        {"m", NULL},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        const char *got = cs_nearest(rows[i].word, names, CS_COUNT(names));

        if (rows[i].want)
            assert_string_equal(got ? got : "(none)", rows[i].want);
        else
            assert_null(got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_half_up_on_the_shortest_decimal),
        cmocka_unit_test(groups_integers),
        cmocka_unit_test(prints_doubles_as_java_does),
        cmocka_unit_test(prints_times_in_utc),
        cmocka_unit_test(finds_the_nearest_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
