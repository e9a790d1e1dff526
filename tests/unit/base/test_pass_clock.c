/* test_pass_clock.c - the counter against the kernel's clock. */
#include "base/pass_clock.h"
#include "support/bits.h"

#define LEARNING_NS (50 * CS_NS_PER_MS)
#define STRETCHES   300
#define MOMENTS     200
/* What a reading may be off by, and what the measure of a tick may be. */
#define NEAR_NS     5000
#define PER_MILLION 500

static void learn(struct cs_pass_clock *clock)
{
    int64_t end_ns = cs_now_ns() + LEARNING_NS;

    while (cs_now_ns() < end_ns)
        cs_pass_clock_start(clock);
}

/* Between two answers of the kernel, whatever happens to the thread. */
static void check_stretch(struct cs_pass_clock *clock, int64_t *last_ns)
{
    int64_t start_ns = cs_pass_clock_start(clock);

    for (int i = 0; i < MOMENTS; i++) {
        int64_t before_ns = cs_now_ns();
        int64_t told_ns = cs_pass_clock_now(clock);
        int64_t after_ns = cs_now_ns();
        int64_t off_ns =
            NEAR_NS + (after_ns - start_ns) * PER_MILLION / 1000000;

        assert_in_range(told_ns, before_ns - off_ns, after_ns + off_ns);
        assert_true(told_ns >= *last_ns);
        *last_ns = told_ns;
    }
}

static void agrees_with_the_kernel_and_never_goes_back(void **state)
{
    struct cs_pass_clock clock;
    int64_t last_ns = 0;

    (void)state;
    cs_pass_clock_init(&clock);
    for (int i = 0; i < STRETCHES; i++)
        check_stretch(&clock, &last_ns);
    learn(&clock);
    assert_int_equal(clock.scale != 0, clock.trusted);
    for (int i = 0; i < STRETCHES; i++)
        check_stretch(&clock, &last_ns);
}

static void asks_the_kernel_where_that_has_another_clock(void **state)
{
    struct cs_pass_clock clock;
    int64_t last_ns = 0;

    (void)state;
    cs_pass_clock_init(&clock);
    clock.trusted = false;
    learn(&clock);
    assert_int_equal(clock.scale, 0);
    check_stretch(&clock, &last_ns);
}

static void a_long_stretch_begins_anew(void **state)
{
    struct cs_pass_clock clock;
    int64_t last_ns = 0;

    (void)state;
    cs_pass_clock_init(&clock);
    learn(&clock);
    clock.start_ticks -= UINT64_C(1) << 32;
    assert_in_range(cs_pass_clock_now(&clock), cs_now_ns() - CS_NS_PER_S,
                    cs_now_ns() + NEAR_NS);
    check_stretch(&clock, &last_ns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_kernel_and_never_goes_back),
        cmocka_unit_test(asks_the_kernel_where_that_has_another_clock),
        cmocka_unit_test(a_long_stretch_begins_anew),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
