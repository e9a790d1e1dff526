/* Hands on loops: each with one request in flight, waits, ends and stops. */
#include "crew/crew.h"
#include "support/fake_driver.h"
#include "support/vectors.h"

#define HANDS 5

struct worker {
    struct cs_hand hand;
    int budget;
    int done;
    int in_flight;
    int64_t wait_ns; /* before its first request */
    bool parks;      /* waits for its own further request */
    struct cs_operation other;
};

static struct worker workers[HANDS];
static struct cs_hand *hands[HANDS];
static _Atomic int passes;

static struct worker *worker_of(struct cs_hand *hand)
{
    return CS_CONTAINER(hand, struct worker, hand);
}

static void other_done(struct cs_operation *op,
                       const struct cs_outcome *outcome)
{
    struct worker *w = CS_CONTAINER(op, struct worker, other);

    (void)outcome;
    w->parks = false;
    cs_hand_resume(&w->hand);
}

static enum cs_hand_step next(struct cs_hand *hand, int64_t now_ns)
{
    struct worker *w = worker_of(hand);

    assert_int_equal(w->in_flight, 0);
    if (w->wait_ns > now_ns) {
        hand->wake_ns = w->wait_ns;
        return CS_HAND_WAIT;
    }
    if (w->parks) {
        w->other.on_done = other_done;
        cs_hand_submit(hand, &w->other);
        hand->wake_ns = INT64_MAX;
        return CS_HAND_WAIT;
    }
    if (w->done == w->budget)
        return CS_HAND_END;
    w->in_flight = 1;
    return CS_HAND_SEND;
}

static void done(struct cs_hand *hand, const struct cs_outcome *outcome)
{
    struct worker *w = worker_of(hand);

    assert_true(outcome->end_ns >= hand->start_ns);
    w->in_flight = 0;
    w->done++;
}

static void pass(void *ctx, unsigned loop, int64_t now_ns)
{
    (void)ctx;
    (void)loop;
    (void)now_ns;
    atomic_fetch_add(&passes, 1);
}

static const struct cs_crew_work work = {
    .next = next, .done = done, .pass = pass};

static struct cs_crew *start(int budget, unsigned loops)
{
    struct cs_crew *crew;
    struct cs_err err;

    for (unsigned i = 0; i < HANDS; i++) {
        hands[i] = &workers[i].hand;
        workers[i].budget = budget;
    }
    assert_int_equal(cs_crew_new(&fake_driver_ops, NULL, &work, NULL, hands,
                                 HANDS, loops, 1, &crew, &err),
                     CS_OK);
    assert_int_equal(cs_crew_start(crew, &err), CS_OK);
    return crew;
}

static void join(struct cs_crew *crew)
{
    struct cs_err err;

    assert_int_equal(cs_crew_join(crew, &err), CS_OK);
    assert_int_equal(cs_crew_alive(crew), 0);
    for (unsigned i = 0; i < HANDS; i++)
        assert_true(atomic_load(&hands[i]->ended));
    cs_crew_free(crew);
}

static int begin(void **state)
{
    (void)state;
    memset(workers, 0, sizeof(workers));
    memset(&fake, 0, sizeof(fake));
    return 0;
}

static void lets_each_hand_do_its_share(void **state)
{
    struct cs_crew *crew = start(100, 2);

    (void)state;
    assert_int_equal(cs_crew_loops(crew), 2);
    join(crew);
    for (unsigned i = 0; i < HANDS; i++)
        assert_int_equal(workers[i].done, 100);
    assert_true(passes > 0);
}

static void waits_as_long_as_a_hand_says(void **state)
{
    int64_t start_ns = cs_now_ns();

    (void)state;
    workers[3].wait_ns = start_ns + 20 * CS_NS_PER_MS;
    join(start(1, 1));
    assert_true(workers[3].hand.start_ns >= workers[3].wait_ns);
}

static void goes_on_with_a_hand_that_is_resumed(void **state)
{
    (void)state;
    workers[0].parks = true;
    join(start(3, 1));
    assert_int_equal(workers[0].done, 3);
}

static void stops_hands_that_work_and_that_wait(void **state)
{
    struct cs_crew *crew;

    (void)state;
    workers[1].wait_ns = INT64_MAX;
    crew = start(-1, 2);
    assert_false(cs_crew_stopped(crew));
    cs_crew_stop(crew, CS_NS_PER_S);
    join(crew);
    assert_int_equal(workers[1].done, 0);
}

static bool no_answer(struct cs_operation *op, struct cs_outcome *outcome)
{
    (void)op;
    (void)outcome;
    return false;
}

static void leaves_what_is_not_answered_in_time(void **state)
{
    struct cs_crew *crew;
    struct cs_err err;

    (void)state;
    fake.answer = no_answer;
    crew = start(1, 1);
    cs_crew_stop(crew, 10 * CS_NS_PER_MS);
    assert_int_equal(cs_crew_join(crew, &err), CS_OK);
    cs_crew_free(crew);
}

static bool answer_in_turns(struct cs_operation *op, struct cs_outcome *outcome)
{
    static const enum cs_result_class results[] = {
        CS_RESULT_OK, CS_RESULT_OVERLOADED, CS_RESULT_CLIENT_TIMEOUT,
        CS_RESULT_OK};

    (void)op;
    outcome->result = results[atomic_load(&fake.answered) % CS_COUNT(results)];
    return true;
}

static void accounts_for_every_request(void **state)
{
    const struct cs_crew_sum *sum;
    struct cs_crew *crew;
    struct cs_err err;

    (void)state;
    fake.answer = answer_in_turns;
    crew = start(4, 1);
    assert_int_equal(cs_crew_join(crew, &err), CS_OK);
    sum = cs_crew_sum(crew);
    assert_int_equal(sum->started, 4 * HANDS);
    assert_int_equal(sum->good, 2 * HANDS);
    assert_int_equal(sum->failed, HANDS);
    assert_int_equal(sum->in_doubt, HANDS);
    assert_int_equal(cs_histogram_count(sum->service), 4 * HANDS);
    assert_int_equal(sum->client.loops, 1);
    assert_true(cs_histogram_count(sum->client.lag) > 0);
    assert_ptr_equal(cs_crew_sum(crew), sum);
    assert_int_equal(sum->started, 4 * HANDS);
    cs_crew_free(crew);
}

static void doubts_what_has_no_answer(void **state)
{
    const struct cs_crew_sum *sum;
    struct cs_crew *crew;
    struct cs_err err;

    (void)state;
    fake.answer = no_answer;
    crew = start(1, 2);
    cs_crew_stop(crew, 10 * CS_NS_PER_MS);
    assert_int_equal(cs_crew_join(crew, &err), CS_OK);
    sum = cs_crew_sum(crew);
    assert_int_equal(sum->in_doubt, sum->started);
    assert_int_equal(sum->good, 0);
    cs_crew_free(crew);
}

static void shares_a_total_evenly(void **state)
{
    (void)state;
    assert_int_equal(cs_crew_share(1003, 4, 0), 251);
    assert_int_equal(cs_crew_share(1003, 4, 2), 251);
    assert_int_equal(cs_crew_share(1003, 4, 3), 250);
    assert_int_equal(cs_crew_share(2, 4, 1), 1);
    assert_int_equal(cs_crew_share(2, 4, 2), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(lets_each_hand_do_its_share, begin),
        cmocka_unit_test_setup(waits_as_long_as_a_hand_says, begin),
        cmocka_unit_test_setup(goes_on_with_a_hand_that_is_resumed, begin),
        cmocka_unit_test_setup(stops_hands_that_work_and_that_wait, begin),
        cmocka_unit_test_setup(leaves_what_is_not_answered_in_time, begin),
        cmocka_unit_test_setup(accounts_for_every_request, begin),
        cmocka_unit_test_setup(doubts_what_has_no_answer, begin),
        cmocka_unit_test_setup(shares_a_total_evenly, begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
