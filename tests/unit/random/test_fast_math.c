/* test_fast_math.c - ln, pow and erfinv, and StrictMath's ln, against bits
 * recorded from the original's libraries. */
#include "random/fast_math.h"

#include "random/strict_math.h"
#include "support/bits.h"

#include <math.h>

static double call(const char *function, double x, double y)
{
    if (!strcmp(function, "fastmath_log"))
        return cs_fast_ln(x);
    if (!strcmp(function, "strictmath_log"))
        return cs_strict_ln(x);
    if (!strcmp(function, "fastmath_pow"))
        return cs_fast_pow(x, y);
    if (!strcmp(function, "erf_inv"))
        return cs_erfinv(x);
    fail_msg("unknown function %s", function);
    return 0;
}

static void rounds_like_the_original(void **state)
{
    struct vector_file v;
    char *fields[4];

    (void)state;
    vector_open(&v, "math_checks.tsv");
    assert_true(vector_next_line(&v)); /* names of the fields */
    while (vector_next_line(&v)) {
        uint64_t got;

        assert_int_equal(vector_fields(&v, fields, 4), 4);
        got = double_bits(
            call(fields[0], bits_double(fields[1]), bits_double(fields[2])));
        if (got != strtoull(fields[3], NULL, 16))
            fail_msg("%s:%d: %s(%s, %s): got %016" PRIx64 ", want %s", v.path,
                     v.line, fields[0], fields[1], fields[2], got, fields[3]);
    }
}

static void knows_the_edges(void **state)
{
    (void)state;
    assert_true(isinf(cs_fast_ln(0.0)) && cs_fast_ln(0.0) < 0);
    assert_true(isnan(cs_fast_ln(-1.0)));
    assert_true(isinf(cs_fast_ln((double)INFINITY)));
    assert_true(cs_fast_ln(1.0) == 0.0);
    assert_true(isinf(cs_strict_ln(0.0)) && cs_strict_ln(0.0) < 0);
    assert_true(isnan(cs_strict_ln(-1.0)));
    assert_true(cs_strict_ln(1.0) == 0.0);
    assert_true(cs_fast_pow(0.0, 0.5) == 0.0);
    assert_true(cs_fast_pow(7.0, 0.0) == 1.0);
    assert_true(isinf(cs_erfinv(1.0)) && cs_erfinv(1.0) > 0);
    assert_true(isinf(cs_erfinv(-1.0)) && cs_erfinv(-1.0) < 0);
    assert_true(cs_erfinv(0.0) == 0.0);
}

static void check_near(double got, double want)
{
    if (fabs(got - want) > 1e-14 * fabs(want))
        fail_msg("got %.17g, want %.17g", got, want);
}

/* No recorded bits reach here: subnormal arguments, results past the table. */
static void stays_near_the_c_library_outside_the_vectors(void **state)
{
    (void)state;
    for (double x = 0x1.0p-1074; x < 0x1.0p-1000; x *= 3) {
        check_near(cs_fast_ln(x), log(x));
        check_near(cs_strict_ln(x), log(x));
    }
    /* a hair off a power of two, which the series takes a short cut for */
    for (double x = 0x1.0p-30; x < 0x1.0p30; x *= 2) {
        check_near(cs_strict_ln(x), log(x));
        check_near(cs_strict_ln(x * (1 + 0x1.0p-30)), log(x * (1 + 0x1.0p-30)));
    }
    check_near(cs_fast_pow(2.3, 100), pow(2.3, 100));
    check_near(cs_fast_pow(2.3, -1000), pow(2.3, -1000));
    assert_true(isinf(cs_fast_pow(2.3, 1e300)));
    assert_true(cs_fast_pow(0.5, 1e300) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_like_the_original),
        cmocka_unit_test(knows_the_edges),
        cmocka_unit_test(stays_near_the_c_library_outside_the_vectors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
