/* worker_internal.h - a worker and its slots, seen by the files of the loop. */
#ifndef CS_RUN_WORKER_INTERNAL_H
#define CS_RUN_WORKER_INTERNAL_H

#include "run/worker.h"

/* What the original calls a thread: one operation in flight. */
struct slot {
    struct cs_job job;
    struct cs_worker *worker;
    struct slot *next_waiting; /* for its due time */
    int64_t intended_ns;       /* 0 without a rate limit */
    int64_t start_ns;
    unsigned attempts; /* that failed */
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
    struct slot *starved; /* every partition is being written by others */
    pthread_t thread;
    bool started;
    int pin_cpu;
    struct cs_buf text;
    struct cs_worker_summary summary;
};

/* failure.c: an attempt, or the whole operation, has failed: as the original
 * words it, unless -log level=minimal. */
void cs_slot_tell_attempt(struct slot *slot, const struct cs_outcome *outcome);
void cs_slot_tell_failure(struct slot *slot, const struct cs_outcome *outcome);

#endif
