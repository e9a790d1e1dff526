/* run.h - one run from first to last operation: threads, intervals, stop
 * rules. The warm-up and each step of a ramp are runs, too. */
#ifndef CS_RUN_RUN_H
#define CS_RUN_RUN_H

#include "metrics/results.h"
#include "run/line_file.h"
#include "run/messages.h"
#include "run/notices.h"
#include "run/shares.h"
#include "run/signals.h"
#include "workload/workload.h"

/* What this run is to do. */
struct cs_run_plan {
    int threads;         /* operations in flight */
    int64_t count;       /* partitions; -1: not bound */
    int64_t duration_ns; /* 0: not bound */
    double fixed_per_s;
    double throttle_per_s;
    double target_uncertainty; /* stop rule; < 0: off */
    uint64_t min_measurements;
    uint64_t max_measurements;
    int only_kind;                    /* -1: all by weight */
    bool measured;                    /* false: the warm-up */
    struct cs_line_file *differences; /* takes those that reads find; or NULL */
    struct cs_line_file *failures;    /* names the operations that the server
                                         did not acknowledge; or NULL */
};

/* Called by the main thread while a run goes on. */
struct cs_run_watch {
    void *ctx;
    enum cs_code (*started)(void *ctx, struct cs_results *results,
                            struct cs_err *err);
    void (*interval)(void *ctx, struct cs_results *results);
    void (*message)(void *ctx, enum cs_message_kind kind, const char *text);
};

struct cs_run_outcome {
    bool failed; /* an operation failed and errors are not ignored */
    int signal;  /* that ended the run, or 0 */
    uint64_t operations;
    char reason[CS_ERR_TEXT];   /* when incomplete: why, one line; else "" */
    struct cs_results *results; /* owned; NULL for a warm-up */
    struct cs_shares shares;
};

/* CS_OK also when the run failed or was interrupted: outcome says so. Errors:
 * it could not start. On success the caller releases *out. */
enum cs_code cs_run(const struct cs_workload *workload,
                    struct cs_driver *driver, struct cs_signals *signals,
                    struct cs_notices *notices, const struct cs_run_plan *plan,
                    const struct cs_run_watch *watch,
                    struct cs_run_outcome *out, struct cs_err *err) CS_MUST_USE;
void cs_run_outcome_release(struct cs_run_outcome *outcome);

#endif
