/* test_run.c - a whole run against a database in memory: permits, retries,
 * failures, stops. */
#include "run/pause.h"
#include "run_fixture.h"

static uint64_t operations(void)
{
    return cs_results_run(scene.outcome.results)->total.operations;
}

static void every_permit_is_used_exactly_once(void **state)
{
    (void)state;
    set_up(CS_COMMAND_WRITE, 10, 10007);
    run_it();
    assert_int_equal(fake.submitted, 10007);
    assert_int_equal(operations(), 10007);
    assert_int_equal(scene.outcome.operations, 10007);
    assert_false(scene.outcome.failed);
    assert_string_equal(scene.outcome.reason, "");
    tear_down();
}

static void several_loops_share_the_permits(void **state)
{
    (void)state;
    set_up(CS_COMMAND_WRITE, 7, 5000);
    scene.settings.loops.loops = 3;
    run_it();
    assert_int_equal(fake.submitted, 5000);
    assert_int_equal(operations(), 5000);
    tear_down();
}

static void ten_thousand_slots_are_no_trouble(void **state)
{
    (void)state;
    set_up(CS_COMMAND_WRITE, 10000, 50000);
    run_it();
    assert_int_equal(operations(), 50000);
    tear_down();
}

static uint8_t first_attempt[4096];
static size_t first_size;

static bool fail_once(struct cs_operation *op, struct cs_outcome *outcome)
{
    if (op->attempt == 0) {
        assert_true(op->values.size <= sizeof(first_attempt));
        first_size = op->values.size;
        memcpy(first_attempt, op->values.data, first_size);
        outcome->result = CS_RESULT_WRITE_TIMEOUT;
        return true;
    }
    assert_int_equal(op->values.size, first_size);
    assert_memory_equal(op->values.data, first_attempt, first_size);
    return true;
}

static void a_retry_sends_the_same_bytes(void **state)
{
    (void)state;
    set_up(CS_COMMAND_WRITE, 1, 100);
    fake.answer = fail_once;
    run_it();
    assert_int_equal(fake.submitted, 200);
    assert_int_equal(operations(), 100);
    assert_int_equal(cs_results_extra(scene.outcome.results)->retries, 100);
    assert_false(scene.outcome.failed);
    tear_down();
}

static void a_retry_waits_as_the_delay_policy_says(void **state)
{
    int64_t began_ns;

    (void)state;
    set_up(CS_COMMAND_WRITE, 1, 4);
    scene.settings.errors.min_delay_ms = 40;
    scene.settings.errors.max_delay_ms = 1000;
    fake.answer = fail_once;
    began_ns = cs_now_ns();
    run_it();
    assert_int_equal(fake.submitted, 8);
    assert_int_equal(operations(), 4);
    assert_true(cs_now_ns() - began_ns >= 160 * CS_NS_PER_MS);
    tear_down();
}

static void a_stop_ends_the_pauses(void **state)
{
    int64_t began_ns;

    (void)state;
    set_up(CS_COMMAND_WRITE, 1, -1);
    scene.settings.errors.min_delay_ms = 60000;
    scene.settings.errors.max_delay_ms = 60000;
    scene.plan.duration_ns = 50 * CS_NS_PER_MS;
    fake.answer = fail_once;
    began_ns = cs_now_ns();
    run_it();
    assert_int_equal(operations(), 1);
    assert_true(cs_now_ns() - began_ns < 30 * CS_NS_PER_S);
    tear_down();
}

static void pauses_grow_by_their_policy_within_their_limits(void **state)
{
    static const struct {
        enum cs_delay delay;
        int least_ms, most_ms;
        unsigned attempts;
        int from_ms, to_ms; /* with a quarter more or less */
    } rows[] = {
        {CS_DELAY_CONSTANT, 0, 20000, 3, 0, 0},
        {CS_DELAY_CONSTANT, 100, 20000, 9, 100, 125},
        {CS_DELAY_LINEAR, 100, 20000, 1, 100, 125},
        {CS_DELAY_LINEAR, 100, 20000, 4, 300, 500},
        {CS_DELAY_EXPONENTIAL, 100, 20000, 4, 600, 1000},
        {CS_DELAY_EXPONENTIAL, 100, 500, 40, 375, 500},
        {CS_DELAY_EXPONENTIAL, 2000000, 2147483647, 1000000000, 1610612735,
         2147483647},
    };
    uint64_t random = 1;

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_settings_errors errors = {.delay = rows[i].delay,
                                            .min_delay_ms = rows[i].least_ms,
                                            .max_delay_ms = rows[i].most_ms};
        int64_t least_ns = INT64_MAX;
        int64_t most_ns = 0;

        for (int k = 0; k < 5000; k++) {
            int64_t ns = cs_retry_pause_ns(&errors, rows[i].attempts, &random);

            least_ns = CS_MIN(least_ns, ns);
            most_ns = CS_MAX(most_ns, ns);
        }
        assert_in_range(least_ns, rows[i].from_ms * CS_NS_PER_MS,
                        rows[i].from_ms * CS_NS_PER_MS * 102 / 100);
        assert_in_range(most_ns, rows[i].to_ms * CS_NS_PER_MS * 98 / 100,
                        rows[i].to_ms * CS_NS_PER_MS);
    }
}

static bool always_fail(struct cs_operation *op, struct cs_outcome *outcome)
{
    (void)op;
    outcome->result = CS_RESULT_UNAVAILABLE;
    outcome->message = "too few";
    outcome->message_size = 7;
    return true;
}

static void a_failed_operation_ends_the_run_after_all_tries(void **state)
{
    (void)state;
    set_up(CS_COMMAND_WRITE, 2, 1000000);
    fake.answer = always_fail;
    run_it();
    assert_true(scene.outcome.failed);
    assert_true(fake.submitted <= 20);
    assert_true(scene.failures >= 1);
    assert_non_null(strstr(scene.failure,
                           "java.io.IOException: Operation x10 on key(s) ["));
    assert_non_null(strstr(scene.failure, "]: Error executing: "
                                          "(UnavailableException): too few"));
    assert_non_null(strstr(scene.outcome.reason, "UnavailableException"));
    tear_down();
}

static void ignored_errors_are_counted_and_the_run_goes_on(void **state)
{
    (void)state;
    set_up(CS_COMMAND_WRITE, 2, 20);
    scene.settings.errors.ignore = true;
    scene.settings.errors.tries = 2;
    fake.answer = always_fail;
    run_it();
    assert_false(scene.outcome.failed);
    assert_int_equal(fake.submitted, 40);
    assert_int_equal(operations(), 20);
    assert_int_equal(cs_results_run(scene.outcome.results)->total.errors, 20);
    assert_int_equal(cs_results_run(scene.outcome.results)->total.partitions,
                     20);
    tear_down();
}

/* A read that finds nothing is a mismatch: no retry, x0, rows 0. */
static void a_missing_row_fails_validation_without_a_retry(void **state)
{
    (void)state;
    set_up(CS_COMMAND_READ, 1, 10);
    run_it();
    assert_true(scene.outcome.failed);
    assert_int_equal(fake.submitted, 1);
    assert_non_null(strstr(scene.failure, "Operation x0 on key(s) ["));
    assert_non_null(strstr(scene.failure, "Data returned was not validated"));
    assert_int_equal(cs_results_run(scene.outcome.results)->total.rows, 0);
    tear_down();
}

static bool never_answer(struct cs_operation *op, struct cs_outcome *outcome)
{
    (void)op;
    (void)outcome;
    return false;
}

static void an_interrupt_ends_a_run_that_hangs(void **state)
{
    (void)state;
    set_up(CS_COMMAND_WRITE, 3, 1000);
    fake.answer = never_answer;
    scene.signals.taken = SIGINT;
    run_it();
    assert_int_equal(scene.outcome.signal, SIGINT);
    assert_string_equal(scene.outcome.reason, "interrupted");
    tear_down();
}

static void duration_ends_the_run(void **state)
{
    (void)state;
    set_up(CS_COMMAND_WRITE, 4, -1);
    scene.plan.duration_ns = 50 * CS_NS_PER_MS;
    run_it();
    assert_true(operations() > 0);
    assert_false(scene.outcome.failed);
    tear_down();
}

static void a_rate_limit_holds(void **state)
{
    int64_t began_ns = cs_now_ns();

    (void)state;
    set_up(CS_COMMAND_WRITE, 4, 100);
    scene.plan.fixed_per_s = 1000;
    run_it();
    assert_int_equal(operations(), 100);
    assert_true(cs_now_ns() - began_ns >= 99 * CS_NS_PER_MS);
    tear_down();
}

static void a_sequence_without_wrap_ends_the_run(void **state)
{
    (void)state;
    set_up(CS_COMMAND_WRITE, 4, 1000);
    scene.settings.population.wrap = false;
    scene.settings.population.seq_end = 300;
    run_it();
    assert_int_equal(operations(), 300);
    assert_false(scene.outcome.failed);
    tear_down();
}

/* Fewer partitions than slots: the slots take turns, no permit is lost. */
static void a_small_population_is_shared_by_many_slots(void **state)
{
    (void)state;
    set_up(CS_COMMAND_WRITE, 50, 2000);
    scene.settings.population.seq_end = 7;
    run_it();
    assert_int_equal(operations(), 2000);
    tear_down();
    set_up(CS_COMMAND_COUNTER_WRITE, 50, 2000);
    scene.settings.population.seq_end = 3;
    scene.settings.loops.loops = 2;
    run_it();
    assert_int_equal(operations(), 2000);
    tear_down();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_permit_is_used_exactly_once),
        cmocka_unit_test(several_loops_share_the_permits),
        cmocka_unit_test(ten_thousand_slots_are_no_trouble),
        cmocka_unit_test(a_retry_sends_the_same_bytes),
        cmocka_unit_test(a_retry_waits_as_the_delay_policy_says),
        cmocka_unit_test(a_stop_ends_the_pauses),
        cmocka_unit_test(pauses_grow_by_their_policy_within_their_limits),
        cmocka_unit_test(a_failed_operation_ends_the_run_after_all_tries),
        cmocka_unit_test(ignored_errors_are_counted_and_the_run_goes_on),
        cmocka_unit_test(a_missing_row_fails_validation_without_a_retry),
        cmocka_unit_test(an_interrupt_ends_a_run_that_hangs),
        cmocka_unit_test(duration_ends_the_run),
        cmocka_unit_test(a_rate_limit_holds),
        cmocka_unit_test(a_sequence_without_wrap_ends_the_run),
        cmocka_unit_test(a_small_population_is_shared_by_many_slots),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
