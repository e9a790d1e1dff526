/* test_pool.c - how long a node that does not answer is left alone. */
#include "client/session_internal.h"

#include "support/vectors.h"

#define MS INT64_C(1000000)

static const struct {
    unsigned failures;
    bool alone;
    int64_t middle_ms;
} rows[] = {
    {0, false, 100},      {1, false, 200},   {3, false, 800},
    {6, false, 6400},     {7, false, 10000}, {40, false, 10000},
    {4000, false, 10000}, {0, true, 100},    {3, true, 800},
    {4, true, 1000},      {50, true, 1000},
};

static void doubles_the_pause_up_to_a_limit(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        int64_t least = cs_backoff_ns(rows[i].failures, rows[i].alone, 0);
        int64_t most = cs_backoff_ns(rows[i].failures, rows[i].alone, 1023);

        assert_int_equal(least, rows[i].middle_ms * MS * 85 / 100);
        assert_true(most > rows[i].middle_ms * MS);
        assert_true(most < rows[i].middle_ms * MS * 116 / 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_the_pause_up_to_a_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
