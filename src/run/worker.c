/* worker.c - a loop's thread from its start to its end, and what it does once
 * a pass. */
#include "base/clock.h"
#include "run/worker_internal.h"

#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* A stop asked for in the middle of a long wait is seen after this time even
 * if the wake-up is lost. */
#define PASS_MAX_NS CS_NS_PER_S

/* How often slots look for a free partition that operations of another loop
 * may have given back. */
#define STARVED_NS CS_NS_PER_MS

#define MESSAGE_MAX ((size_t)1 << 16)

/* A difference in full: literals of two large values. */
#define LINE_MAX_BYTES ((size_t)1 << 31)

enum cs_code cs_worker_new(struct cs_run_shared *shared, unsigned slots,
                           struct cs_maker *maker, struct cs_session *session,
                           struct cs_recorder *recorder, struct cs_worker **out,
                           struct cs_err *err)
{
    struct cs_worker *worker = calloc(1, sizeof(*worker));

    if (worker) {
        worker->shared = shared;
        worker->maker = maker;
        worker->session = session;
        worker->recorder = recorder;
        worker->waiting_end = &worker->waiting;
        worker->random = (uint64_t)cs_now_ns() | 1;
        cs_buf_init(&worker->text, MESSAGE_MAX);
        cs_buf_init(&worker->line, LINE_MAX_BYTES);
        worker->slots = calloc(slots, sizeof(*worker->slots));
    }
    if (!worker || !worker->slots ||
        cs_loop_load_init(&worker->summary.load, recorder != NULL, err)) {
        cs_maker_free(maker);
        shared->db->session_free(session);
        if (worker)
            free(worker->slots);
        free(worker);
        return cs_fail(err, CS_ENOMEM, "%u slots: out of memory", slots);
    }
    worker->slot_count = slots;
    cs_maker_on_difference(maker, cs_worker_tell_difference, worker);
    for (unsigned i = 0; i < slots; i++) {
        cs_job_init(&worker->slots[i].job, maker);
        worker->slots[i].worker = worker;
    }
    *out = worker;
    return CS_OK;
}

void cs_worker_free(struct cs_worker *worker)
{
    if (!worker)
        return;
    /* First the session: it may still hold operations of the slots. */
    worker->shared->db->session_free(worker->session);
    for (unsigned i = 0; i < worker->slot_count; i++)
        cs_job_release(&worker->slots[i].job);
    cs_maker_free(worker->maker);
    cs_buf_release(&worker->text);
    cs_buf_release(&worker->line);
    cs_loop_load_release(&worker->summary.load);
    free(worker->slots);
    free(worker);
}

void cs_worker_wake(struct cs_worker *worker)
{
    worker->shared->db->wake(worker->session);
}

struct cs_worker_summary *cs_worker_summary(struct cs_worker *worker)
{
    return &worker->summary;
}

struct cs_session *cs_worker_session(const struct cs_worker *worker)
{
    return worker->session;
}

/* Stops all loops of the run, and tells the main thread. */
void cs_worker_stop_run(struct cs_worker *worker, enum cs_stop why)
{
    uint64_t one = 1;

    cs_run_raise_stop(worker->shared, why);
    if (write(worker->shared->ended_fd, &one, sizeof(one)) < 0)
        return; /* the main thread will see it at its next wake-up */
}

/* When a run that failed or was interrupted waits no longer; the signal may
 * come while a failed run does. */
static int64_t drain_end(enum cs_stop stop, int64_t now_ns, int64_t end_ns)
{
    if (stop == CS_STOP_SIGNAL)
        return CS_MIN(end_ns, now_ns + DRAIN_INTERRUPTED_NS);
    if (stop == CS_STOP_FAILED)
        return CS_MIN(end_ns, now_ns + DRAIN_NS);
    return INT64_MAX;
}

/* When the worker has something to do even if no answer comes. */
static int64_t next_wake_up(const struct cs_worker *worker, int64_t now_ns,
                            int64_t drain_end_ns)
{
    int64_t at_ns = CS_MIN(now_ns + PASS_MAX_NS, drain_end_ns);

    if (worker->starved)
        at_ns = CS_MIN(at_ns, now_ns + STARVED_NS);
    if (worker->waiting)
        at_ns = CS_MIN(at_ns, worker->waiting->intended_ns);
    for (const struct slot *s = worker->pausing; s; s = s->next_waiting)
        at_ns = CS_MIN(at_ns, s->repeat_ns);
    return at_ns;
}

static enum cs_code pass_until_done(struct cs_worker *worker,
                                    struct cs_err *err)
{
    int64_t drain_end_ns = INT64_MAX;
    enum cs_code rc = CS_OK;

    while (worker->active && !rc) {
        int64_t now_ns = cs_now_ns();
        enum cs_stop stop = cs_worker_stop(worker);

        cs_loop_load_pass(&worker->summary.load, now_ns);
        if (worker->recorder)
            cs_recorder_tick(worker->recorder, now_ns);
        if (stop != CS_STOP_NONE)
            cs_worker_drop_waiting(worker);
        if (stop != CS_STOP_NONE && !worker->stopped_ns)
            worker->stopped_ns = now_ns;
        drain_end_ns = drain_end(stop, now_ns, drain_end_ns);
        if (now_ns >= drain_end_ns)
            break;
        cs_worker_send_due(worker, now_ns);
        if (worker->pausing)
            cs_worker_repeat_due(worker, now_ns, stop != CS_STOP_NONE);
        if (worker->starved)
            cs_worker_feed_starved(worker, now_ns);
        /* What was sent until here goes out before the wait. */
        worker->summary.load.pass_ns = 0;
        if (worker->active)
            rc = worker->shared->db->poll(
                worker->session, next_wake_up(worker, now_ns, drain_end_ns),
                err);
    }
    return rc;
}

/* Operations that were sent and have not ended; none of the slots that wait
 * for their turn has begun. */
static unsigned count_unfinished(struct cs_worker *worker)
{
    unsigned count;

    cs_worker_drop_waiting(worker);
    count = worker->active;
    for (const struct slot *s = worker->starved; s; s = s->next_waiting)
        count--;
    return count;
}

static void pin_thread(int cpu)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

static void *run_worker(void *arg)
{
    struct cs_worker *worker = arg;
    uint64_t one = 1;

    if (worker->pin_cpu >= 0)
        pin_thread(worker->pin_cpu);
    cs_loop_load_begin(&worker->summary.load);
    cs_worker_start_slots(worker);
    if (pass_until_done(worker, &worker->summary.err))
        cs_worker_stop_run(worker, CS_STOP_FAILED);
    worker->summary.abandoned = worker->in_flight;
    worker->summary.unfinished = count_unfinished(worker);
    cs_worker_name_unfinished(worker);
    if (!worker->summary.end_ns)
        worker->summary.end_ns = cs_now_ns();
    if (worker->recorder)
        cs_recorder_finish(worker->recorder);
    cs_loop_load_end(&worker->summary.load);
    atomic_fetch_sub(&worker->shared->alive, 1);
    if (write(worker->shared->ended_fd, &one, sizeof(one)) < 0)
        return NULL; /* the counter is full: the main thread wakes anyway */
    return NULL;
}

enum cs_code cs_worker_start(struct cs_worker *worker, int pin_cpu,
                             struct cs_err *err)
{
    int error;

    worker->pin_cpu = pin_cpu;
    atomic_fetch_add(&worker->shared->alive, 1);
    error = pthread_create(&worker->thread, NULL, run_worker, worker);
    if (error) {
        atomic_fetch_sub(&worker->shared->alive, 1);
        return cs_fail(err, CS_ESYSTEM, "thread of an event worker: %s",
                       strerror(error));
    }
    worker->started = true;
    return CS_OK;
}

void cs_worker_join(struct cs_worker *worker)
{
    if (worker->started)
        pthread_join(worker->thread, NULL);
    worker->started = false;
}
