/* crew.c - the loops: an answer ends a request and asks its hand for the next
 * one. Nothing here allocates, locks or formats while hands work. */
#include "crew/crew.h"
#include "base/clock.h"
#include "run/load.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* A stop is seen after this time even if the wake-up is lost. */
#define PASS_MAX_NS CS_NS_PER_S

struct cs_crew_loop {
    struct cs_crew *crew;
    struct cs_session *session;
    struct cs_hand **hands; /* a part of the crew's */
    unsigned count;
    unsigned index;
    unsigned active;    /* hands that have not ended */
    unsigned in_flight; /* of hand->op; further requests are not counted */
    uint64_t sent;      /* likewise */
    uint64_t failed;
    uint64_t in_doubt;
    struct cs_histogram *service;
    struct cs_loop_load load;
    bool resumed; /* a hand's wait is over in this pass */
    pthread_t thread;
    bool started;
    _Atomic bool ended;
    struct cs_err err;
};

struct cs_crew {
    const struct cs_driver_ops *db;
    const struct cs_crew_work *work;
    void *ctx;
    struct cs_crew_loop *loops;
    unsigned loop_count;
    _Atomic unsigned alive;
    _Atomic int64_t drain_end_ns; /* INT64_MAX: not stopped */
    struct cs_load_start load;    /* when it began */
    struct cs_crew_sum sum;
    bool summed;
    int told_fd;
};

bool cs_crew_stopped(const struct cs_crew *crew)
{
    return atomic_load_explicit(&crew->drain_end_ns, memory_order_relaxed) !=
           INT64_MAX;
}

void cs_crew_tell(struct cs_crew *crew)
{
    uint64_t one = 1;

    if (write(crew->told_fd, &one, sizeof(one)) < 0)
        return; /* the counter is full: the main thread wakes anyway */
}

/* ---- hands ---- */

static void end_hand(struct cs_hand *hand)
{
    hand->home->active--;
    hand->waiting = false;
    atomic_store(&hand->ended, true);
    cs_crew_tell(hand->home->crew);
}

static void note_start(struct cs_crew_loop *loop, int64_t now_ns)
{
    loop->in_flight++;
    loop->sent++;
    if (!loop->load.pass_ns)
        loop->load.pass_ns = now_ns;
}

static void note_end(struct cs_crew_loop *loop, int64_t start_ns,
                     const struct cs_outcome *outcome)
{
    loop->in_flight--;
    cs_histogram_record(loop->service,
                        CS_MAX(outcome->end_ns - start_ns, INT64_C(0)));
    if (CS_LIKELY(outcome->result == CS_RESULT_OK))
        return;
    if (cs_outcome_in_doubt(outcome))
        loop->in_doubt++;
    else
        loop->failed++;
}

static void go_on(struct cs_hand *hand, int64_t now_ns)
{
    struct cs_crew *crew = hand->home->crew;
    enum cs_hand_step step = CS_HAND_END;

    hand->waiting = false;
    if (CS_LIKELY(!cs_crew_stopped(crew)))
        step = crew->work->next(hand, now_ns);
    switch (step) {
    case CS_HAND_SEND:
        note_start(hand->home, now_ns);
        hand->start_ns = now_ns;
        crew->db->submit(hand->home->session, &hand->op);
        break;
    case CS_HAND_WAIT:
        hand->waiting = true;
        break;
    case CS_HAND_END:
        end_hand(hand);
        break;
    }
}

static void operation_done(struct cs_operation *op,
                           const struct cs_outcome *outcome)
{
    struct cs_hand *hand = CS_CONTAINER(op, struct cs_hand, op);

    note_end(hand->home, hand->start_ns, outcome);
    hand->home->crew->work->done(hand, outcome);
    go_on(hand, outcome->end_ns);
}

void cs_hand_submit(struct cs_hand *hand, struct cs_operation *op)
{
    hand->home->crew->db->submit(hand->home->session, op);
}

void cs_hand_resume(struct cs_hand *hand)
{
    if (!hand->waiting)
        return;
    hand->wake_ns = INT64_MIN;
    hand->home->resumed = true;
}

/* ---- the thread ---- */

/* The loop came to it so late. */
static void note_wait(struct cs_crew_loop *loop, const struct cs_hand *hand,
                      int64_t now_ns)
{
    if (hand->wake_ns > loop->load.began_ns)
        cs_loop_load_wait(&loop->load, now_ns - hand->wake_ns);
}

/* Asks the hands whose wait is over; returns when the next one's is. */
static int64_t look_at_waiting(struct cs_crew_loop *loop, int64_t now_ns)
{
    bool stop = cs_crew_stopped(loop->crew);
    int64_t next_ns = INT64_MAX;

    loop->resumed = false;
    for (unsigned i = 0; i < loop->count; i++) {
        struct cs_hand *hand = loop->hands[i];

        if (hand->waiting && !stop && hand->wake_ns <= now_ns)
            note_wait(loop, hand, now_ns);
        if (hand->waiting && (stop || hand->wake_ns <= now_ns))
            go_on(hand, now_ns);
        if (hand->waiting)
            next_ns = CS_MIN(next_ns, hand->wake_ns);
    }
    return loop->resumed ? now_ns : next_ns;
}

static enum cs_code pass_until_done(struct cs_crew_loop *loop,
                                    struct cs_err *err)
{
    struct cs_crew *crew = loop->crew;
    enum cs_code rc = CS_OK;

    while (!rc) {
        int64_t now_ns = cs_now_ns();
        int64_t drain_end_ns = atomic_load(&crew->drain_end_ns);
        int64_t next_ns;

        cs_loop_load_pass(&loop->load, now_ns);
        next_ns = look_at_waiting(loop, now_ns);
        /* What is sent until here goes out before the wait. */
        loop->load.pass_ns = 0;
        if (crew->work->pass)
            crew->work->pass(crew->ctx, loop->index, now_ns);
        if (!loop->active || now_ns >= drain_end_ns)
            break;
        next_ns = CS_MIN(next_ns, drain_end_ns);
        rc = crew->db->poll(loop->session,
                            CS_MIN(next_ns, now_ns + PASS_MAX_NS), err);
    }
    return rc;
}

static void *run_loop(void *arg)
{
    struct cs_crew_loop *loop = arg;
    struct cs_crew *crew = loop->crew;

    cs_loop_load_begin(&loop->load);
    loop->active = loop->count;
    for (unsigned i = 0; i < loop->count; i++)
        go_on(loop->hands[i], cs_now_ns());
    if (pass_until_done(loop, &loop->err))
        cs_crew_halt(crew, 0);
    cs_loop_load_end(&loop->load);
    atomic_store(&loop->ended, true);
    atomic_fetch_sub(&crew->alive, 1);
    cs_crew_tell(crew);
    return NULL;
}

/* ---- from outside ---- */

static enum cs_code new_loop(struct cs_crew *crew, struct cs_driver *driver,
                             struct cs_hand **hands, unsigned count,
                             unsigned in_flight, struct cs_err *err)
{
    struct cs_crew_loop *loop = &crew->loops[crew->loop_count];
    enum cs_code rc;

    *loop = (struct cs_crew_loop){.crew = crew,
                                  .hands = hands,
                                  .count = count,
                                  .index = crew->loop_count++};
    for (unsigned i = 0; i < count; i++) {
        hands[i]->home = loop;
        hands[i]->loop = loop->index;
        hands[i]->waiting = false;
        hands[i]->op.on_done = operation_done;
        atomic_store(&hands[i]->ended, false);
    }
    rc = cs_histogram_new(&loop->service, err);
    if (!rc)
        rc = cs_loop_load_init(&loop->load, true, err);
    return rc ? rc
              : crew->db->session_new(driver, (int)(count * in_flight),
                                      &loop->session, err);
}

enum cs_code cs_crew_new(const struct cs_driver_ops *db,
                         struct cs_driver *driver,
                         const struct cs_crew_work *work, void *ctx,
                         struct cs_hand **hands, unsigned count, unsigned loops,
                         unsigned in_flight, struct cs_crew **out,
                         struct cs_err *err)
{
    struct cs_crew *crew = calloc(1, sizeof(*crew));
    enum cs_code rc = CS_OK;
    unsigned first = 0;

    loops = CS_MAX(1, CS_MIN(loops, count));
    if (crew) {
        *crew =
            (struct cs_crew){.db = db, .work = work, .ctx = ctx, .told_fd = -1};
        atomic_store(&crew->drain_end_ns, INT64_MAX);
        crew->loops = calloc(loops, sizeof(*crew->loops));
    }
    if (!crew || !crew->loops) {
        free(crew);
        return cs_fail(err, CS_ENOMEM, "%u workers: out of memory", count);
    }
    crew->told_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (crew->told_fd < 0)
        rc = cs_fail_sys(err, "eventfd");
    for (unsigned i = 0; i < loops && !rc; i++) {
        unsigned share = (unsigned)cs_crew_share(count, loops, i);

        rc = new_loop(crew, driver, hands + first, share, in_flight, err);
        first += share;
    }
    if (rc)
        cs_crew_free(crew);
    else
        *out = crew;
    return rc;
}

void cs_crew_free(struct cs_crew *crew)
{
    struct cs_err err;

    if (!crew)
        return;
    cs_crew_stop(crew, 0);
    (void)cs_crew_join(crew, &err);
    for (unsigned i = 0; i < crew->loop_count; i++) {
        crew->db->session_free(crew->loops[i].session);
        cs_histogram_free(crew->loops[i].service);
        cs_loop_load_release(&crew->loops[i].load);
    }
    cs_histogram_free(crew->sum.client.lag);
    cs_shares_release(&crew->sum.shares);
    if (crew->told_fd >= 0)
        close(crew->told_fd);
    free(crew->loops);
    free(crew);
}

enum cs_code cs_crew_start(struct cs_crew *crew, struct cs_err *err)
{
    cs_load_start_read(&crew->load);
    crew->sum.start_ns = cs_now_ns();
    for (unsigned i = 0; i < crew->loop_count; i++) {
        struct cs_crew_loop *loop = &crew->loops[i];
        int error;

        atomic_fetch_add(&crew->alive, 1);
        error = pthread_create(&loop->thread, NULL, run_loop, loop);
        if (error) {
            atomic_fetch_sub(&crew->alive, 1);
            cs_crew_stop(crew, 0);
            return cs_fail(err, CS_ESYSTEM, "thread of an event loop: %s",
                           strerror(error));
        }
        loop->started = true;
    }
    return CS_OK;
}

static void set_end(struct cs_crew *crew, int64_t drain_ns)
{
    int64_t end_ns = cs_now_ns() + drain_ns;
    int64_t before_ns = atomic_load(&crew->drain_end_ns);

    while (end_ns < before_ns && !atomic_compare_exchange_weak(
                                     &crew->drain_end_ns, &before_ns, end_ns))
        continue;
}

void cs_crew_stop(struct cs_crew *crew, int64_t drain_ns)
{
    set_end(crew, drain_ns);
    cs_crew_wake(crew);
}

void cs_crew_halt(struct cs_crew *crew, int64_t drain_ns)
{
    set_end(crew, drain_ns);
    cs_crew_tell(crew);
}

void cs_crew_wake(struct cs_crew *crew)
{
    for (unsigned i = 0; i < crew->loop_count; i++)
        if (crew->loops[i].session)
            crew->db->wake(crew->loops[i].session);
}

unsigned cs_crew_alive(const struct cs_crew *crew)
{
    return atomic_load(&crew->alive);
}

bool cs_crew_loop_ended(const struct cs_crew *crew, unsigned loop)
{
    return atomic_load(&crew->loops[loop].ended);
}

unsigned cs_crew_loops(const struct cs_crew *crew)
{
    return crew->loop_count;
}

struct cs_session *cs_crew_session(const struct cs_crew *crew, unsigned loop)
{
    return crew->loops[loop].session;
}

int cs_crew_fd(const struct cs_crew *crew)
{
    return crew->told_fd;
}

void cs_crew_heard(struct cs_crew *crew)
{
    uint64_t count;

    if (read(crew->told_fd, &count, sizeof(count)) < 0)
        return; /* nothing was told */
}

enum cs_code cs_crew_join(struct cs_crew *crew, struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    for (unsigned i = 0; i < crew->loop_count; i++) {
        struct cs_crew_loop *loop = &crew->loops[i];

        if (loop->started)
            pthread_join(loop->thread, NULL);
        loop->started = false;
        if (!rc && loop->err.code) {
            *err = loop->err;
            rc = err->code;
        }
    }
    return rc;
}

static void add_loop(struct cs_crew *crew, struct cs_crew_loop *loop)
{
    struct cs_crew_sum *sum = &crew->sum;
    struct cs_session_counts counts;

    crew->db->counts(loop->session, &counts);
    cs_client_load_rooms(&sum->client, counts.queued, counts.queued_ns);
    sum->started += loop->sent;
    sum->failed += loop->failed;
    sum->in_doubt += loop->in_doubt + loop->in_flight;
    if (sum->service)
        cs_histogram_add(sum->service, loop->service);
    else
        sum->service = loop->service;
    cs_client_load_add(&sum->client, &loop->load);
    cs_shares_add(&sum->shares, crew->db, loop->session);
}

const struct cs_crew_sum *cs_crew_sum(struct cs_crew *crew)
{
    struct cs_crew_sum *sum = &crew->sum;

    if (crew->summed)
        return sum;
    crew->summed = true;
    for (unsigned i = 0; i < crew->loop_count; i++)
        add_loop(crew, &crew->loops[i]);
    sum->good = sum->started - sum->failed - sum->in_doubt;
    cs_client_load_finish(&sum->client, cs_now_ns() - sum->start_ns,
                          &crew->load);
    return sum;
}
