/* worker_internal.h - a worker and its slots, seen by the files of the loop. */
#ifndef CS_RUN_WORKER_INTERNAL_H
#define CS_RUN_WORKER_INTERNAL_H

#include "base/clock.h"
#include "run/worker.h"

/* What the original calls a thread: one operation in flight. */
struct slot {
    struct cs_job job;
    struct cs_worker *worker;
    struct slot *next_waiting; /* for its due time, or its next attempt */
    int64_t intended_ns;       /* 0 without a rate limit */
    int64_t start_ns;
    int64_t repeat_ns; /* end of the pause before the next attempt */
    unsigned attempts; /* that failed */
    bool in_doubt;     /* one of them may have had its effect all the same */
    bool starved;      /* in the list of those */
    bool ended;        /* no operation comes any more */
};

struct cs_worker {
    struct cs_run_shared *shared;
    struct cs_maker *maker;
    struct cs_session *session;
    struct cs_recorder *recorder;
    struct slot *slots;
    unsigned slot_count;
    unsigned active; /* slots that have not ended */
    unsigned in_flight;
    struct slot *waiting; /* ordered by due time */
    struct slot **waiting_end;
    struct slot *pausing; /* between two attempts, in no order */
    uint64_t random;      /* of the length of their pauses */
    struct slot *starved; /* every partition is being written by others */
    int64_t stopped_ns;   /* when it saw the end of the run; 0: not yet */
    pthread_t thread;
    bool started;
    int pin_cpu;
    struct cs_buf text;
    struct cs_buf line; /* of the file of differences, or of failures */
    struct cs_worker_summary summary;
};

/* How long a run that failed waits for what is in flight; nobody who has
 * pressed Ctrl-C wants to wait so long. */
#define DRAIN_NS             (2 * CS_NS_PER_S)
#define DRAIN_INTERRUPTED_NS (CS_NS_PER_S / 2)

CS_INLINE enum cs_stop cs_worker_stop(const struct cs_worker *worker)
{
    return (enum cs_stop)atomic_load_explicit(&worker->shared->stop,
                                              memory_order_relaxed);
}

/* Sends the request of the slot's operation, or all of them. */
CS_INLINE void cs_slot_submit(struct slot *slot)
{
    struct cs_worker *worker = slot->worker;

    worker->in_flight++;
    if (CS_UNLIKELY(slot->job.step == CS_STEP_FAN))
        cs_job_fan_out(&slot->job, worker->shared->db, worker->session);
    else
        worker->shared->db->submit(worker->session, &slot->job.op);
}

/* worker.c: stops all loops of the run, and tells the main thread. */
void cs_worker_stop_run(struct cs_worker *worker, enum cs_stop why);

/* slot.c: the first operation of each slot. */
void cs_worker_start_slots(struct cs_worker *worker);
/* Sends what has become due under a rate limit. */
void cs_worker_send_due(struct cs_worker *worker, int64_t now_ns);
/* Ends the slots that wait for their due time. */
void cs_worker_drop_waiting(struct cs_worker *worker);
/* Slots that found no free partition look again; or end, when the run does. */
void cs_worker_feed_starved(struct cs_worker *worker, int64_t now_ns);

/* pause.c: an attempt failed; true when the same request is sent again, at
 * once or after the pause that -errors asks for. */
bool cs_slot_try_again(struct slot *slot, const struct cs_outcome *outcome);
/* The same for an answer that is not the expected one: only the old tools ask
 * again when they find nothing. */
bool cs_slot_look_again(struct slot *slot, const struct cs_outcome *outcome);
/* Those whose pause is over (when the run stops, all). */
void cs_worker_repeat_due(struct cs_worker *worker, int64_t now_ns,
                          bool stopping);

/* failure.c: an attempt, or the whole operation, has failed: as the original
 * words it, unless -log level=minimal. */
void cs_slot_tell_attempt(struct slot *slot, const struct cs_outcome *outcome);
void cs_slot_tell_failure(struct slot *slot, const struct cs_outcome *outcome);
/* Of a cs_maker_on_difference; ctx: the worker. */
void cs_worker_tell_difference(void *ctx, const struct cs_difference *d);
/* account.c: the file of -errors failures= gets a line for an operation that
 * has failed, or for each that the run leaves without an answer. */
void cs_slot_name_failure(struct slot *slot, const struct cs_outcome *outcome);
void cs_worker_name_unfinished(struct cs_worker *worker);

/* The request of an operation cannot be written down. */
void cs_slot_tell_too_large(struct slot *slot);

#endif
