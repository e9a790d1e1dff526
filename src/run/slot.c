/* slot.c - the closed loop: an answer ends one operation and starts the next
 * one of its slot. Nothing here allocates, locks or formats unless an
 * operation fails. */
#include "metrics/recorder_add.h"
#include "run/worker_internal.h"

CS_INLINE void record(struct slot *slot, bool failed, int64_t end_ns)
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
#ifndef CSTRESS_WITHOUT_STATISTICS /* bench only */
    if (CS_LIKELY(worker->recorder != NULL))
        cs_recorder_add(worker->recorder, &sample);
#else
    (void)sample;
#endif
}

/* ---- sending ---- */

static void operation_done(struct cs_operation *op,
                           const struct cs_outcome *outcome);

CS_INLINE void send_now(struct slot *slot, int64_t now_ns)
{
    struct cs_loop_load *load = &slot->worker->summary.load;

    if (!load->pass_ns)
        load->pass_ns = now_ns;
    slot->worker->summary.started++;
    slot->start_ns = now_ns;
    slot->job.op.on_done = operation_done;
    cs_slot_submit(slot);
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
    slot->ended = true;
    slot->worker->active--;
}

/* Under a rate limit: whether the slot's operation is for later. */
static CS_NOINLINE bool is_early(struct slot *slot, int64_t now_ns)
{
    slot->intended_ns = cs_schedule_take(&slot->worker->shared->schedule,
                                         slot->job.partitions, now_ns);
    cs_loop_load_late(&slot->worker->summary.load, now_ns - slot->intended_ns);
    return slot->intended_ns > now_ns;
}

CS_INLINE void dispatch(struct slot *slot, int64_t now_ns)
{
    slot->attempts = 0;
    if (CS_UNLIKELY(slot->worker->shared->schedule.per_s > 0) &&
        is_early(slot, now_ns))
        wait_for_due(slot);
    else
        send_now(slot, now_ns);
}

static void fail_to_make(struct slot *slot)
{
    cs_slot_tell_too_large(slot);
    cs_worker_stop_run(slot->worker, CS_STOP_FAILED);
    end_slot(slot);
}

/* An operation without a request: it ends as it begins. */
static CS_NOINLINE void count_empty(struct slot *slot, int64_t now_ns)
{
    slot->intended_ns = 0;
    slot->start_ns = now_ns;
    slot->worker->summary.started++;
    record(slot, false, now_ns);
    cs_job_finish(&slot->job);
}

/* What is done instead of sending; true: the slot asks for another operation
 * at once. */
static CS_NOINLINE bool handle_unsent(struct slot *slot, enum cs_make made,
                                      int64_t now_ns)
{
    switch (made) {
    case CS_MAKE_READY:
        break;
    case CS_MAKE_EMPTY:
        count_empty(slot, now_ns);
        return true;
    case CS_MAKE_FAULT:
        fail_to_make(slot);
        break;
    case CS_MAKE_WAIT:
        slot->starved = true;
        slot->next_waiting = slot->worker->starved;
        slot->worker->starved = slot;
        break;
    case CS_MAKE_END:
        end_slot(slot);
        break;
    }
    return false;
}

/* The slot's next operation, or its end. */
CS_INLINE void begin_next(struct slot *slot, int64_t now_ns)
{
    while (cs_worker_stop(slot->worker) == CS_STOP_NONE) {
        enum cs_make made = cs_job_make(&slot->job, now_ns);

        if (CS_LIKELY(made == CS_MAKE_READY)) {
            dispatch(slot, now_ns);
            return;
        }
        if (!handle_unsent(slot, made, now_ns))
            return;
    }
    end_slot(slot);
}

static void go_on(struct slot *slot, int64_t now_ns)
{
    begin_next(slot, now_ns);
}

void cs_worker_feed_starved(struct cs_worker *worker, int64_t now_ns)
{
    struct slot *slot = worker->starved;

    worker->starved = NULL;
    while (slot) {
        struct slot *next = slot->next_waiting;

        slot->starved = false;
        go_on(slot, now_ns);
        slot = next;
    }
}

/* ---- failures ---- */

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
    extra->in_doubt += slot->in_doubt && !slot->job.mismatch;
    cs_slot_name_failure(slot, outcome);
    cs_slot_tell_failure(slot, outcome);
    if (!slot->worker->shared->settings->errors.ignore)
        cs_worker_stop_run(slot->worker, CS_STOP_FAILED);
}

/* An operation of several requests: the next one is sent at once, and its
 * time belongs to the same operation. */
static CS_NOINLINE bool goes_on(struct slot *slot)
{
    if (!cs_job_go_on(&slot->job))
        return false;
    if (slot->job.op.values.fault) {
        fail_to_make(slot);
        return true;
    }
    cs_slot_submit(slot);
    return true;
}

static void operation_done(struct cs_operation *op,
                           const struct cs_outcome *outcome)
{
    struct slot *slot = CS_CONTAINER(op, struct slot, job.op);
    struct cs_worker *worker = slot->worker;
    bool failed = outcome->result != CS_RESULT_OK;

    worker->in_flight--;
    if (CS_UNLIKELY(failed) && cs_slot_try_again(slot, outcome))
        return;
    if (CS_UNLIKELY(outcome->conditional && !failed))
        count_conditional(worker, outcome);
    if (CS_UNLIKELY(slot->job.step != CS_STEP_SINGLE) && !failed &&
        goes_on(slot))
        return;
    if (!slot->job.kind->writes)
        cs_job_judge(&slot->job, outcome);
    if (CS_UNLIKELY(slot->job.mismatch) && cs_slot_look_again(slot, outcome))
        return;
    failed = failed || slot->job.mismatch;
    record(slot, failed, outcome->end_ns);
    if (CS_UNLIKELY(failed))
        operation_failed(slot, outcome);
    cs_job_finish(&slot->job);
    begin_next(slot, outcome->end_ns);
    if (CS_UNLIKELY(worker->starved != NULL))
        cs_worker_feed_starved(worker, outcome->end_ns);
}

/* ---- once a pass ---- */

void cs_worker_send_due(struct cs_worker *worker, int64_t now_ns)
{
    while (worker->waiting && worker->waiting->intended_ns <= now_ns) {
        struct slot *slot = worker->waiting;

        worker->waiting = slot->next_waiting;
        if (!worker->waiting)
            worker->waiting_end = &worker->waiting;
        cs_loop_load_wait(&worker->summary.load, now_ns - slot->intended_ns);
        send_now(slot, now_ns);
    }
}

void cs_worker_drop_waiting(struct cs_worker *worker)
{
    while (worker->waiting) {
        struct slot *slot = worker->waiting;

        worker->waiting = slot->next_waiting;
        end_slot(slot);
    }
    worker->waiting_end = &worker->waiting;
}

void cs_worker_start_slots(struct cs_worker *worker)
{
    worker->active = worker->slot_count;
    for (unsigned i = 0; i < worker->slot_count; i++)
        go_on(&worker->slots[i], cs_now_ns());
}
