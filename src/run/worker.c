/* worker.c - the closed loop: an answer ends one operation and starts the next
 * one of its slot. Nothing here allocates, locks or formats unless an
 * operation fails. */
#include "base/clock.h"
#include "run/worker_internal.h"

#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* How long a run that failed or was interrupted waits for what is in flight. */
#define DRAIN_NS (2 * CS_NS_PER_S)
/* A stop asked for in the middle of a long wait is seen after this time even
 * if the wake-up is lost. */
#define PASS_MAX_NS CS_NS_PER_S

/* How often slots look for a free partition that operations of another loop
 * may have given back. */
#define STARVED_NS CS_NS_PER_MS

#define MESSAGE_MAX ((size_t)1 << 16)

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
        cs_buf_init(&worker->text, MESSAGE_MAX);
        worker->slots = calloc(slots, sizeof(*worker->slots));
    }
    if (!worker || !worker->slots) {
        cs_maker_free(maker);
        shared->db->session_free(session);
        free(worker);
        return cs_fail(err, CS_ENOMEM, "%u slots: out of memory", slots);
    }
    worker->slot_count = slots;
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
    free(worker->slots);
    free(worker);
}

void cs_worker_wake(struct cs_worker *worker)
{
    worker->shared->db->wake(worker->session);
}

const struct cs_worker_summary *
cs_worker_summary(const struct cs_worker *worker)
{
    return &worker->summary;
}

struct cs_session *cs_worker_session(const struct cs_worker *worker)
{
    return worker->session;
}

static enum cs_stop stopped(const struct cs_worker *worker)
{
    return (enum cs_stop)atomic_load_explicit(&worker->shared->stop,
                                              memory_order_relaxed);
}

/* Stops all loops of the run, and tells the main thread. */
static void stop_run(struct cs_worker *worker, enum cs_stop why)
{
    uint64_t one = 1;

    cs_run_raise_stop(worker->shared, why);
    if (write(worker->shared->ended_fd, &one, sizeof(one)) < 0)
        return; /* the main thread will see it at its next wake-up */
}

static void record(struct slot *slot, bool failed, int64_t end_ns)
{
    struct cs_worker *worker = slot->worker;
    struct cs_sample sample = {.kind = slot->job.kind_index,
                               .failed = failed,
                               .intended_ns = slot->intended_ns,
                               .start_ns = slot->start_ns,
                               .end_ns = end_ns,
                               .rows = slot->job.rows,
                               .partitions = slot->job.partitions};

    worker->summary.operations++;
    worker->summary.end_ns = end_ns;
    if (CS_LIKELY(worker->recorder != NULL))
        cs_recorder_add(worker->recorder, &sample);
}

/* ---- sending ---- */

static void operation_done(struct cs_operation *op,
                           const struct cs_outcome *outcome);

static void send_now(struct slot *slot, int64_t now_ns)
{
    slot->start_ns = now_ns;
    slot->worker->in_flight++;
    slot->job.op.on_done = operation_done;
    slot->worker->shared->db->submit(slot->worker->session, &slot->job.op);
}

static void wait_for_due(struct slot *slot)
{
    struct cs_worker *worker = slot->worker;

    slot->next_waiting = NULL;
    *worker->waiting_end = slot;
    worker->waiting_end = &slot->next_waiting;
}

static void end_slot(struct slot *slot)
{
    cs_job_finish(&slot->job);
    slot->worker->active--;
}

static void dispatch(struct slot *slot, int64_t now_ns)
{
    struct cs_schedule *schedule = &slot->worker->shared->schedule;

    slot->attempts = 0;
    if (CS_LIKELY(schedule->per_s <= 0)) {
        send_now(slot, now_ns);
        return;
    }
    slot->intended_ns =
        cs_schedule_take(schedule, slot->job.partitions, now_ns);
    if (slot->intended_ns > now_ns)
        wait_for_due(slot);
    else
        send_now(slot, now_ns);
}

static void fail_to_make(struct slot *slot)
{
    cs_messages_add(slot->worker->shared->messages, CS_MESSAGE_FAILURE,
                    "request too large",
                    "java.io.IOException: an operation's request is too "
                    "large: more than 65,535 rows in one batch, or more bytes "
                    "than a request can hold\n");
    stop_run(slot->worker, CS_STOP_FAILED);
    end_slot(slot);
}

/* The slot's next operation, or its end. */
static void next_operation(struct slot *slot, int64_t now_ns)
{
    while (stopped(slot->worker) == CS_STOP_NONE) {
        switch (cs_job_make(&slot->job, now_ns)) {
        case CS_MAKE_READY:
            dispatch(slot, now_ns);
            return;
        case CS_MAKE_EMPTY:
            slot->intended_ns = 0;
            slot->start_ns = now_ns;
            record(slot, false, now_ns);
            cs_job_finish(&slot->job);
            break;
        case CS_MAKE_FAULT:
            fail_to_make(slot);
            return;
        case CS_MAKE_WAIT:
            slot->next_waiting = slot->worker->starved;
            slot->worker->starved = slot;
            return;
        case CS_MAKE_END:
            end_slot(slot);
            return;
        }
    }
    end_slot(slot);
}

/* Slots that found no free partition look again; or end, when the run does. */
static CS_NOINLINE void feed_starved(struct cs_worker *worker, int64_t now_ns)
{
    struct slot *slot = worker->starved;

    worker->starved = NULL;
    while (slot) {
        struct slot *next = slot->next_waiting;

        next_operation(slot, now_ns);
        slot = next;
    }
}

/* ---- failures ---- */

/* An attempt failed: true when the same request is sent again. */
static bool try_again(struct slot *slot, const struct cs_outcome *outcome)
{
    struct cs_worker *worker = slot->worker;
    const struct cs_settings *settings = worker->shared->settings;

    slot->attempts++;
    cs_slot_tell_attempt(slot, outcome);
    if (slot->attempts >= (unsigned)settings->errors.tries ||
        stopped(worker) == CS_STOP_SIGNAL)
        return false;
    worker->summary.extra.retries++;
    if (slot->job.kind->type == CS_KIND_COUNTER_WRITE && outcome->sent &&
        outcome->result != CS_RESULT_UNAVAILABLE)
        worker->summary.extra.counter_retries++;
    slot->job.op.attempt = slot->attempts;
    worker->in_flight++;
    worker->shared->db->submit(worker->session, &slot->job.op);
    return true;
}

static void count_conditional(struct cs_worker *worker,
                              const struct cs_outcome *outcome)
{
    if (outcome->applied)
        worker->summary.extra.applied++;
    else
        worker->summary.extra.not_applied++;
}

static void operation_failed(struct slot *slot,
                             const struct cs_outcome *outcome)
{
    struct cs_extra *extra = &slot->worker->summary.extra;

    if (slot->job.mismatch)
        extra->validation_errors++;
    else
        extra->errors_by_class[outcome->result]++;
    cs_slot_tell_failure(slot, outcome);
    if (!slot->worker->shared->settings->errors.ignore)
        stop_run(slot->worker, CS_STOP_FAILED);
}

static void operation_done(struct cs_operation *op,
                           const struct cs_outcome *outcome)
{
    struct slot *slot = CS_CONTAINER(op, struct slot, job.op);
    bool failed = outcome->result != CS_RESULT_OK;

    slot->worker->in_flight--;
    if (CS_UNLIKELY(failed) && try_again(slot, outcome))
        return;
    cs_job_judge(&slot->job, outcome);
    if (CS_UNLIKELY(outcome->conditional && !failed))
        count_conditional(slot->worker, outcome);
    failed = failed || slot->job.mismatch;
    record(slot, failed, outcome->end_ns);
    if (CS_UNLIKELY(failed))
        operation_failed(slot, outcome);
    cs_job_finish(&slot->job);
    next_operation(slot, outcome->end_ns);
    if (CS_UNLIKELY(slot->worker->starved != NULL))
        feed_starved(slot->worker, outcome->end_ns);
}

/* ---- the thread ---- */

static void send_due(struct cs_worker *worker, int64_t now_ns)
{
    while (worker->waiting && worker->waiting->intended_ns <= now_ns) {
        struct slot *slot = worker->waiting;

        worker->waiting = slot->next_waiting;
        if (!worker->waiting)
            worker->waiting_end = &worker->waiting;
        send_now(slot, now_ns);
    }
}

static void drop_waiting(struct cs_worker *worker)
{
    while (worker->waiting) {
        struct slot *slot = worker->waiting;

        worker->waiting = slot->next_waiting;
        end_slot(slot);
    }
    worker->waiting_end = &worker->waiting;
}

static void start_slots(struct cs_worker *worker)
{
    worker->active = worker->slot_count;
    for (unsigned i = 0; i < worker->slot_count; i++)
        next_operation(&worker->slots[i], cs_now_ns());
}

/* The run failed or was interrupted some time ago: no more waiting. */
static bool drained_too_long(enum cs_stop stop, int64_t now_ns,
                             int64_t *since_ns)
{
    if (stop < CS_STOP_FAILED)
        return false;
    if (!*since_ns)
        *since_ns = now_ns;
    return now_ns - *since_ns >= DRAIN_NS;
}

/* When the worker has something to do even if no answer comes. */
static int64_t next_wake_up(const struct cs_worker *worker, int64_t now_ns,
                            int64_t draining_ns)
{
    int64_t at_ns = now_ns + PASS_MAX_NS;

    if (worker->starved)
        at_ns = CS_MIN(at_ns, now_ns + STARVED_NS);
    if (worker->waiting)
        at_ns = CS_MIN(at_ns, worker->waiting->intended_ns);
    if (draining_ns)
        at_ns = CS_MIN(at_ns, draining_ns + DRAIN_NS);
    return at_ns;
}

static enum cs_code pass_until_done(struct cs_worker *worker,
                                    struct cs_err *err)
{
    int64_t draining_ns = 0;
    enum cs_code rc = CS_OK;

    while (worker->active && !rc) {
        int64_t now_ns = cs_now_ns();
        enum cs_stop stop = stopped(worker);

        if (worker->recorder)
            cs_recorder_tick(worker->recorder, now_ns);
        if (stop != CS_STOP_NONE)
            drop_waiting(worker);
        if (drained_too_long(stop, now_ns, &draining_ns))
            break;
        send_due(worker, now_ns);
        if (worker->starved)
            feed_starved(worker, now_ns);
        if (worker->active)
            rc = worker->shared->db->poll(
                worker->session, next_wake_up(worker, now_ns, draining_ns),
                err);
    }
    return rc;
}

static void pin_thread(int cpu)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

static double thread_cpu_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *run_worker(void *arg)
{
    struct cs_worker *worker = arg;
    int64_t began_ns = cs_now_ns();
    double life_s;
    uint64_t one = 1;

    if (worker->pin_cpu >= 0)
        pin_thread(worker->pin_cpu);
    start_slots(worker);
    if (pass_until_done(worker, &worker->summary.err))
        stop_run(worker, CS_STOP_FAILED);
    worker->summary.abandoned = worker->in_flight;
    if (!worker->summary.end_ns)
        worker->summary.end_ns = cs_now_ns();
    if (worker->recorder)
        cs_recorder_finish(worker->recorder);
    life_s = (double)(cs_now_ns() - began_ns) / 1e9;
    worker->summary.busy = life_s > 0 ? thread_cpu_s() / life_s : 0;
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
