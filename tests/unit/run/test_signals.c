/* test_signals.c - the first signal is taken, the second has its usual effect,
 * and all is as before afterwards. */
#include "base/clock.h"
#include "run/signals.h"

#include "support/vectors.h"

#include <stdbool.h>

static void ignore(int number)
{
    (void)number;
}

static void open_signals(struct cs_signals *signals)
{
    struct cs_err err;

    if (cs_signals_open(signals, &err))
        fail_msg("%s", err.text);
}

static bool is_handled_by(int number, void (*handler)(int))
{
    struct sigaction action;

    assert_int_equal(sigaction(number, NULL, &action), 0);
    return action.sa_handler == handler;
}

static void takes_the_first_and_lets_the_second_through(void **state)
{
    static const int numbers[] = {SIGINT, SIGTERM};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(numbers); i++) {
        struct cs_signals signals;

        open_signals(&signals);
        assert_int_equal(cs_signals_take(&signals), 0);
        raise(numbers[i]);
        assert_int_equal(cs_signals_take(&signals), numbers[i]);
        assert_true(is_handled_by(SIGINT, SIG_DFL));
        assert_true(is_handled_by(SIGTERM, SIG_DFL));
        cs_signals_close(&signals);
    }
}

static void goes_back_to_what_was_before(void **state)
{
    struct cs_signals signals;

    (void)state;
    signal(SIGINT, ignore);
    open_signals(&signals);
    assert_false(is_handled_by(SIGINT, ignore));
    raise(SIGINT);
    cs_signals_close(&signals);
    assert_true(is_handled_by(SIGINT, ignore));
    signal(SIGINT, SIG_DFL);
}

static void a_signal_ends_a_sleep(void **state)
{
    struct cs_signals signals;
    int64_t start_ns = cs_now_ns();

    (void)state;
    open_signals(&signals);
    assert_int_equal(cs_signals_sleep(&signals, CS_NS_PER_MS), 0);
    raise(SIGTERM);
    assert_int_equal(cs_signals_sleep(&signals, 60 * CS_NS_PER_S), SIGTERM);
    assert_true(cs_now_ns() - start_ns < 30 * CS_NS_PER_S);
    cs_signals_close(&signals);
}

/* Without signals to wait for it sleeps all the same, and does not spin. */
static void sleeps_before_it_is_open(void **state)
{
    struct cs_signals signals = {.fd = -1};
    int64_t start_ns = cs_now_ns();
    clock_t cpu = clock();

    (void)state;
    assert_int_equal(cs_signals_sleep(&signals, 60 * CS_NS_PER_MS), 0);
    assert_true(cs_now_ns() - start_ns >= 60 * CS_NS_PER_MS);
    assert_true(clock() - cpu < CLOCKS_PER_SEC / 40);
    cs_signals_close(&signals);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_the_first_and_lets_the_second_through),
        cmocka_unit_test(goes_back_to_what_was_before),
        cmocka_unit_test(a_signal_ends_a_sleep),
        cmocka_unit_test(sleeps_before_it_is_open),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
