/* test_schedule.c - due times, budgets and folded messages. */
#include "base/clock.h"
#include "operation/budget.h"
#include "run/messages.h"
#include "run/schedule.h"
#include "support/vectors.h"

#include <pthread.h>

static void never_drifts_from_the_rate(void **state)
{
    struct cs_schedule schedule;
    int64_t due = 0;

    (void)state;
    cs_schedule_init(&schedule, 300000, 0, 1000, CS_NS_PER_S);
    for (int i = 0; i < 300000; i++)
        due = cs_schedule_take(&schedule, 1, 0);
    /* The original's whole nanoseconds would be 100,000 ns early by now. */
    assert_in_range(due, 1000 + CS_NS_PER_S - 3400, 1000 + CS_NS_PER_S);
}

static void an_operation_takes_its_partitions(void **state)
{
    struct cs_schedule schedule;

    (void)state;
    cs_schedule_init(&schedule, 1000, 0, 0, CS_NS_PER_S);
    assert_int_equal(cs_schedule_take(&schedule, 10, 0), 0);
    assert_int_equal(cs_schedule_take(&schedule, 10, 0), 10 * CS_NS_PER_MS);
    assert_int_equal(cs_schedule_take(&schedule, 1, 0), 20 * CS_NS_PER_MS);
}

static void knows_what_is_due_and_not_taken(void **state)
{
    struct cs_schedule schedule;

    (void)state;
    cs_schedule_init(&schedule, 1000, 0, 0, CS_NS_PER_S);
    for (int i = 0; i < 500; i++)
        cs_schedule_take(&schedule, 1, 0);
    assert_int_equal(cs_schedule_backlog(&schedule, 2 * CS_NS_PER_S), 1500);
    assert_int_equal(cs_schedule_backlog(&schedule, CS_NS_PER_S / 4), 0);
    cs_schedule_init(&schedule, 0, 1000, 0, CS_NS_PER_S);
    assert_int_equal(cs_schedule_backlog(&schedule, 2 * CS_NS_PER_S), 0);
    cs_schedule_init(&schedule, 1000, 0, 0, CS_NS_PER_S);
    cs_schedule_draw_gaps(&schedule, 7);
    cs_schedule_take(&schedule, 1, 0);
    assert_in_range(cs_schedule_backlog(&schedule, 100 * CS_NS_PER_S), 99900,
                    100000);
}

static void fixed_catches_up_and_throttle_does_not(void **state)
{
    struct cs_schedule fixed, throttle;
    int64_t late_ns = 60 * CS_NS_PER_S;

    (void)state;
    cs_schedule_init(&fixed, 100, 0, 0, CS_NS_PER_S);
    cs_schedule_init(&throttle, 0, 100, 0, CS_NS_PER_S);
    cs_schedule_take(&fixed, 1, 0);
    cs_schedule_take(&throttle, 1, 0);
    assert_int_equal(cs_schedule_take(&fixed, 1, late_ns), 10 * CS_NS_PER_MS);
    /* At most one interval's worth is caught up. */
    assert_int_equal(cs_schedule_take(&throttle, 1, late_ns),
                     late_ns - CS_NS_PER_S);
}

#define ARRIVALS 200000

static int64_t poisson_gap(struct cs_schedule *schedule, int64_t *last_ns)
{
    int64_t due = cs_schedule_take(schedule, 1, 0);
    int64_t gap = due - *last_ns;

    *last_ns = due;
    return gap;
}

/* 5000/s: the shares of an exponential distribution of mean 200 us. */
static void draws_exponential_gaps_of_the_rate(void **state)
{
    struct cs_schedule schedule;
    int64_t last = 1000;
    int below_mean = 0, above_three = 0;

    (void)state;
    cs_schedule_init(&schedule, 5000, 0, 1000, CS_NS_PER_S);
    cs_schedule_draw_gaps(&schedule, 42);
    for (int i = 0; i < ARRIVALS; i++) {
        int64_t gap = poisson_gap(&schedule, &last);

        assert_true(gap >= 0);
        below_mean += gap < 200000;
        above_three += gap > 600000;
    }
    /* Five standard deviations: 200,000 arrivals in 40 s +- 0.45 s. */
    assert_in_range(last, 39550 * CS_NS_PER_MS, 40450 * CS_NS_PER_MS);
    assert_in_range(below_mean, 125350, 127500); /* 1 - 1/e */
    assert_in_range(above_three, 9470, 10450);   /* 1/e^3 */
}

static void gaps_depend_on_nothing_but_the_seed(void **state)
{
    struct cs_schedule one, same, other;

    (void)state;
    cs_schedule_init(&one, 1000, 0, 0, 0);
    cs_schedule_init(&same, 1000, 0, 0, 0);
    cs_schedule_init(&other, 1000, 0, 0, 0);
    cs_schedule_draw_gaps(&one, 7);
    cs_schedule_draw_gaps(&same, 7);
    cs_schedule_draw_gaps(&other, 8);
    for (int i = 0; i < 1000; i++) {
        int64_t due = cs_schedule_take(&one, 3, 0);

        assert_int_equal(cs_schedule_take(&same, 3, 0), due);
        assert_int_not_equal(cs_schedule_take(&other, 3, 0), due);
    }
}

struct taker {
    struct cs_schedule *schedule;
    int64_t last_ns;
    bool ordered;
    pthread_t thread;
};

static void *take_many(void *arg)
{
    struct taker *taker = arg;

    taker->ordered = true;
    for (int i = 0; i < ARRIVALS / 4; i++)
        taker->ordered &= poisson_gap(taker->schedule, &taker->last_ns) >= 0;
    return NULL;
}

/* Four loops end where one would: the sum of the same gaps. */
static void loops_lose_no_gap_between_them(void **state)
{
    struct cs_schedule alone, shared;
    struct taker takers[4] = {{0}};
    int64_t end = 0, last = 0;

    (void)state;
    cs_schedule_init(&alone, 5000, 0, 0, 0);
    cs_schedule_init(&shared, 5000, 0, 0, 0);
    cs_schedule_draw_gaps(&alone, 3);
    cs_schedule_draw_gaps(&shared, 3);
    for (int i = 0; i < ARRIVALS; i++)
        poisson_gap(&alone, &last);
    for (size_t i = 0; i < CS_COUNT(takers); i++) {
        takers[i].schedule = &shared;
        assert_int_equal(
            pthread_create(&takers[i].thread, NULL, take_many, &takers[i]), 0);
    }
    for (size_t i = 0; i < CS_COUNT(takers); i++) {
        pthread_join(takers[i].thread, NULL);
        assert_true(takers[i].ordered);
        end = CS_MAX(end, takers[i].last_ns);
    }
    assert_int_equal(end, last);
}

static void the_last_operation_gets_what_is_left(void **state)
{
    struct cs_budget budget;

    (void)state;
    cs_budget_init(&budget, 10);
    assert_int_equal(cs_budget_take(&budget, 7), 7);
    assert_int_equal(cs_budget_take(&budget, 7), 3);
    assert_int_equal(cs_budget_take(&budget, 7), 0);
    assert_int_equal(cs_budget_take(&budget, 7), 0);
    cs_budget_init(&budget, -1);
    assert_int_equal(cs_budget_take(&budget, 1000000), 1000000);
}

struct printed {
    int count;
    char last[400];
};

static void print(void *ctx, enum cs_message_kind kind, const char *text)
{
    struct printed *printed = ctx;

    (void)kind;
    printed->count++;
    snprintf(printed->last, sizeof(printed->last), "%s", text);
}

static void folds_a_storm_and_counts_it(void **state)
{
    struct cs_messages *messages = NULL;
    struct printed printed = {0};
    int64_t now_ns = cs_now_ns();

    (void)state;
    assert_int_equal(cs_messages_new(false, &messages, NULL), CS_OK);
    for (int i = 0; i < 1000; i++)
        cs_messages_add(messages, CS_MESSAGE_ATTEMPT, "refused", "refused");
    cs_messages_add(messages, CS_MESSAGE_ATTEMPT, "other", "other");
    cs_messages_drain(messages, now_ns, false, print, &printed);
    assert_int_equal(printed.count, 11);
    assert_string_equal(printed.last, "other");
    cs_messages_drain(messages, now_ns + 2 * CS_NS_PER_S, false, print,
                      &printed);
    assert_int_equal(printed.count, 12);
    assert_string_equal(printed.last, "\xe2\x80\xa6 and 990 more: refused");
    /* The next second starts anew. */
    cs_messages_add(messages, CS_MESSAGE_ATTEMPT, "refused", "refused");
    cs_messages_drain(messages, now_ns, true, print, &printed);
    assert_int_equal(printed.count, 13);
    cs_messages_free(messages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_drifts_from_the_rate),
        cmocka_unit_test(an_operation_takes_its_partitions),
        cmocka_unit_test(knows_what_is_due_and_not_taken),
        cmocka_unit_test(fixed_catches_up_and_throttle_does_not),
        cmocka_unit_test(draws_exponential_gaps_of_the_rate),
        cmocka_unit_test(gaps_depend_on_nothing_but_the_seed),
        cmocka_unit_test(loops_lose_no_gap_between_them),
        cmocka_unit_test(the_last_operation_gets_what_is_left),
        cmocka_unit_test(folds_a_storm_and_counts_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
