/* Pacing by the average: ahead waits, late goes on. */
#include "base/compiler.h"
#include "sbk/pace.h"
#include "support/vectors.h"

#define MS CS_NS_PER_MS

static const struct {
    int64_t per_s, count, now_ns, want_ns;
    const char *why;
} rows[] = {
    {0, 1000, 5 * MS, 5 * MS, "no pace"},
    {100, 0, 0, 0, "the first record is due at once"},
    {100, 1, 0, 10 * MS, "ahead by 10 ms"},
    {100, 1, 9 * MS, 9 * MS, "a step below 2 ms is not worth a wait"},
    {100, 1, 8 * MS, 10 * MS, "2 ms are"},
    {100, 1, 500 * MS, 500 * MS, "late: at once"},
    {3, 10, 0, CS_NS_PER_S * 10 / 3, "a rate that does not divide a second"},
    {1000000, INT64_C(5000000000000), 0, INT64_C(5000000) * CS_NS_PER_S,
     "counts past 32 bits"},
};

static void waits_only_when_ahead(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++)
        if (cs_sbk_pace(rows[i].per_s, rows[i].count, 0, rows[i].now_ns) !=
            rows[i].want_ns)
            fail_msg("%s", rows[i].why);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_only_when_ahead),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
