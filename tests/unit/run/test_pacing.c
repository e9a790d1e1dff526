/* test_pacing.c - a run at a fixed rate on a server that stalls, by a clock
 * that only moves when there is nothing to do: every figure is exact. */
#include "run_fixture.h"

#include <sys/syscall.h>

#define US CS_NS_PER_US
#define MS CS_NS_PER_MS

/* The server: each answer takes SERVICE_NS, and none comes in a stall. */
#define SERVICE_NS    (100 * US)
#define RATE_PER_S    1000
#define GAP_NS        (CS_NS_PER_S / RATE_PER_S)
#define OPERATIONS    4000
#define STALL_AT_NS   (1000 * MS)
#define STALL_ENDS_NS (1500 * MS)
#define SLOTS_MAX     8

#define BEGIN_NS (1000 * CS_NS_PER_S)

static _Atomic int64_t hand_ns;

/* The linker puts it in the place of the library's: see tests/CMakeLists.txt.
 */
int __wrap_clock_gettime(clockid_t id, struct timespec *out);

int __wrap_clock_gettime(clockid_t id, struct timespec *out)
{
    int64_t now_ns = hand_ns;

    if (id != CLOCK_MONOTONIC)
        return (int)syscall(SYS_clock_gettime, id, out);
    out->tv_sec = now_ns / CS_NS_PER_S;
    out->tv_nsec = now_ns % CS_NS_PER_S;
    return 0;
}

static int64_t answer_of(int64_t sent_ns)
{
    int64_t since_ns = sent_ns - BEGIN_NS;

    if (since_ns >= STALL_AT_NS && since_ns < STALL_ENDS_NS)
        return BEGIN_NS + STALL_ENDS_NS;
    return sent_ns + SERVICE_NS;
}

/* ---- the server as a driver ---- */

static void hand_submit(struct cs_session *session, struct cs_operation *op)
{
    struct cs_operation **at = &session->first;

    while (*at)
        at = &(*at)->session.next;
    op->session.next = NULL;
    op->session.deadline_ns = answer_of(hand_ns);
    *at = op;
    atomic_fetch_add(&fake.submitted, 1);
}

/* Answers come in the order of the requests. */
static enum cs_code hand_poll(struct cs_session *session, int64_t deadline_ns,
                              struct cs_err *err)
{
    struct cs_operation *op = session->first;
    int64_t next_ns =
        op ? CS_MIN(op->session.deadline_ns, deadline_ns) : deadline_ns;

    (void)err;
    hand_ns = CS_MAX(hand_ns, next_ns);
    while (op && op->session.deadline_ns <= hand_ns) {
        const struct cs_outcome outcome = {
            .message = "", .end_ns = hand_ns, .applied = true, .sent = true};

        session->first = op->session.next;
        op->on_done(op, &outcome);
        op = session->first;
    }
    return CS_OK;
}

/* ---- what has to come out, by the book ---- */

struct figures {
    uint64_t late;      /* began more than a millisecond behind their time */
    uint64_t slow;      /* the server took longer than that */
    uint64_t slow_all;  /* it took longer from the intended start on */
    int64_t longest_ns; /* from the intended start on */
};

static size_t first_free(const int64_t *free_ns, int slots)
{
    size_t first = 0;

    for (size_t i = 1; i < (size_t)slots; i++)
        first = free_ns[i] < free_ns[first] ? i : first;
    return first;
}

static struct figures expect(int slots)
{
    int64_t free_ns[SLOTS_MAX] = {0};
    struct figures want = {0};

    for (int64_t i = 0; i < OPERATIONS; i++) {
        int64_t due_ns = BEGIN_NS + i * GAP_NS;
        size_t slot = first_free(free_ns, slots);
        int64_t sent_ns = CS_MAX(due_ns, free_ns[slot]);
        int64_t end_ns = answer_of(sent_ns);

        free_ns[slot] = end_ns;
        want.late += sent_ns - due_ns > MS;
        want.slow += end_ns - sent_ns > MS;
        want.slow_all += end_ns - due_ns > MS;
        want.longest_ns = CS_MAX(want.longest_ns, end_ns - due_ns);
    }
    return want;
}

static void run_at_rate(int slots, bool poisson)
{
    static struct cs_driver_ops db;

    db = fake_driver_ops;
    db.submit = hand_submit;
    db.poll = hand_poll;
    set_up_on(&db, CS_COMMAND_WRITE, slots, OPERATIONS);
    scene.plan.fixed_per_s = RATE_PER_S;
    scene.settings.rate.poisson = poisson;
    hand_ns = BEGIN_NS;
    run_it();
}

static const struct cs_tally *total(void)
{
    return &cs_results_run(scene.outcome.results)->total;
}

/* A value as exact as its bucket. */
static void assert_about(int64_t value_ns, int64_t want_ns)
{
    assert_in_range(value_ns, want_ns - want_ns / 100, want_ns + want_ns / 100);
}

static void counts_late_work_exactly(void **state)
{
    static const int slots[] = {1, 4, SLOTS_MAX};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(slots); i++) {
        struct figures want = expect(slots[i]);

        run_at_rate(slots[i], false);
        /* Nothing is left out, whatever stood still. */
        assert_int_equal(total()->operations, OPERATIONS);
        assert_int_equal(cs_histogram_count(total()->wait), OPERATIONS);
        assert_int_equal(cs_histogram_count_above(total()->wait, MS),
                         want.late);
        /* As many as could be on their way saw the stall at the server ... */
        assert_int_equal(want.slow, slots[i]);
        assert_int_equal(cs_histogram_count_above(total()->service, MS),
                         want.slow);
        /* ... and all that were due in it saw it in their response time. */
        assert_true(want.slow_all >= 500);
        assert_int_equal(cs_histogram_count_above(total()->response, MS),
                         want.slow_all);
        assert_about(cs_histogram_max(total()->response), want.longest_ns);
        assert_about(cs_histogram_max(total()->service), 500 * MS);
        tear_down();
    }
}

/* The gaps differ from one run to the next, the sum of the work does not. */
static void drawn_arrivals_lose_nothing_in_a_stall(void **state)
{
    (void)state;
    run_at_rate(4, true);
    assert_int_equal(total()->operations, OPERATIONS);
    assert_int_equal(cs_histogram_count_above(total()->service, MS), 4);
    /* 500 are due in the stall: five standard deviations. */
    assert_in_range(cs_histogram_count_above(total()->response, MS), 385, 650);
    tear_down();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_late_work_exactly),
        cmocka_unit_test(drawn_arrivals_lose_nothing_in_a_stall),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
