/* worker.h - one event loop: a thread with its own connections, generators and
 * recorder, and the slots whose operations it keeps in flight. */
#ifndef CS_RUN_WORKER_H
#define CS_RUN_WORKER_H

#include "driver/driver.h"
#include "metrics/recorder.h"
#include "metrics/results.h"
#include "operation/job.h"
#include "run/line_file.h"
#include "run/load.h"
#include "run/messages.h"
#include "run/schedule.h"

#include <pthread.h>

/* Why the loops of a run stop; the highest wins. */
enum cs_stop {
    CS_STOP_NONE,
    CS_STOP_DONE,   /* duration or target reached: what is in flight ends */
    CS_STOP_FAILED, /* an operation failed: what is in flight has moments */
    CS_STOP_SIGNAL,
};

/* What the loops of a run share; all of it outlives them. */
struct cs_run_shared {
    const struct cs_settings *settings;
    const struct cs_driver_ops *db;
    struct cs_messages *messages;
    struct cs_line_file *differences; /* or NULL */
    struct cs_line_file *failures;    /* or NULL */
    struct cs_schedule schedule;
    _Atomic int stop;       /* enum cs_stop */
    _Atomic unsigned alive; /* loops that have not ended */
    int ended_fd;           /* eventfd, written by a loop that ends */
};

/* Asks the loops to stop; a stronger reason is never taken back. */
static inline void cs_run_raise_stop(struct cs_run_shared *shared,
                                     enum cs_stop why)
{
    int now = atomic_load(&shared->stop);

    while (now < (int)why &&
           !atomic_compare_exchange_weak(&shared->stop, &now, (int)why))
        ;
}

struct cs_worker; /* opaque */

/* slots: operations in flight. recorder NULL: nothing is measured (warm-up).
 * The loop owns maker and session from here on, also when this fails. */
enum cs_code cs_worker_new(struct cs_run_shared *shared, unsigned slots,
                           struct cs_maker *maker, struct cs_session *session,
                           struct cs_recorder *recorder, struct cs_worker **out,
                           struct cs_err *err) CS_MUST_USE;
void cs_worker_free(struct cs_worker *worker);

enum cs_code cs_worker_start(struct cs_worker *worker, int pin_cpu,
                             struct cs_err *err) CS_MUST_USE;

/* From the main thread: ends its wait, to see shared->stop or to close an
 * interval. */
void cs_worker_wake(struct cs_worker *worker);

void cs_worker_join(struct cs_worker *worker);

/* ---- after the join ---- */

struct cs_worker_summary {
    struct cs_extra extra;    /* its counters */
    struct cs_loop_load load; /* what it used of the machine */
    int64_t end_ns;           /* when the last operation ended */
    uint64_t operations;
    uint64_t abandoned; /* in flight when the run ended: outcome unknown */
    uint64_t started;   /* operations, whatever became of them */
    uint64_t unfinished;
    struct cs_err err; /* of its event loop, code CS_OK: none */
};

struct cs_worker_summary *cs_worker_summary(struct cs_worker *worker);
struct cs_session *cs_worker_session(const struct cs_worker *worker);

/* Slots are spread evenly; the first loops take what is left over. */
static inline unsigned cs_slots_of(unsigned threads, unsigned loops,
                                   unsigned index)
{
    return threads / loops + (index < threads % loops);
}

/* Names of the classes of failures and differences. */
void cs_failures_name(struct cs_extra *extra);

#endif
