/* results.h - the plain record that reports read: what happened in each
 * interval and in the whole run, by operation kind. Made by the main thread
 * from the recorders of all loops; merging adds buckets, so it is exact. */
#ifndef CS_METRICS_RESULTS_H
#define CS_METRICS_RESULTS_H

#include "metrics/client_load.h"
#include "metrics/interval.h"
#include "metrics/recorder.h"
#include "metrics/role.h"

#include <stddef.h>

#define CS_EXTRA_CLASSES     32
#define CS_EXTRA_DIFFERENCES 6

/* What a consistency level means where rows have several copies. */
struct cs_fan_out {
    const char *level; /* borrowed, static: "QUORUM" */
    bool reads;
    unsigned waits_for; /* so many of the copies, for each answer */
    unsigned copies;
};
#define CS_FAN_OUTS_MAX 8

/* Counters that stand only in the extra lines. */
struct cs_extra {
    uint64_t errors_by_class[CS_EXTRA_CLASSES]; /* enum cs_result_class */
    const char *class_names[CS_EXTRA_CLASSES];  /* borrowed; for those counts */
    uint64_t validation_errors;                 /* operations */
    uint64_t differences[CS_EXTRA_DIFFERENCES]; /* enum cs_difference_kind */
    const char *difference_names[CS_EXTRA_DIFFERENCES]; /* likewise */
    uint64_t retries;         /* attempts after the first */
    uint64_t counter_retries; /* of counter updates after a time-out */
    uint64_t not_applied;     /* conditional statements */
    uint64_t applied;
    uint64_t late_answers;
    uint64_t queued;    /* requests that waited for room on a connection */
    uint64_t tablets;   /* answers that said where a tablet is */
    uint64_t abandoned; /* in flight when the run ended: outcome
                           unknown */
    uint64_t not_begun; /* partitions due a ms before the run was ended, whose
                           operations had not begun */
    uint64_t warnings;  /* of the server */
    /* The book: started = ended well + failed + unfinished. */
    uint64_t started;    /* operations; 0: not counted */
    uint64_t unfinished; /* operations in flight when the run ended */
    uint64_t in_doubt;   /* failed ones of which nobody knows the effect */
    struct cs_client_load client; /* loops 0: not measured; lag is owned */
    struct cs_fan_out fan_outs[CS_FAN_OUTS_MAX];
    size_t fan_out_count;
};

struct cs_node_share {
    char name[80];     /* "127.0.0.1:9042" */
    int64_t joined_ns; /* monotonic; 0: it was there before */
    int64_t left_ns;   /* 0: it has not left */
    int64_t first_request_ns;
    uint64_t requests;
    uint64_t roles[CS_ROLE_COUNT]; /* of these, by enum cs_replica_role */
    uint64_t shard_known; /* of these, those whose shard of the node is known */
    uint64_t shard_right; /* and that went to it */
};

struct cs_results; /* opaque: the run so far and the current interval */

struct cs_run_setup {
    const char *const *kind_names; /* as typed; borrowed until free */
    unsigned kind_count;
    bool limited;          /* a rate limit: response and wait time exist */
    bool fixed;            /* the columns show response time */
    bool original_figures; /* start and stderr as the original */
    int64_t start_ns;      /* monotonic: true start of the run */
    int64_t wall_start_ns; /* since 1970, at start_ns */
    int64_t interval_ns;
    int threads;
};

/* Interval ends lie at whole multiples of the interval after the wall-clock
 * second in which the run starts; the first interval starts at start_ns, or for
 * original_figures at that second. Starts the recorders. */
enum cs_code cs_results_new(const struct cs_run_setup *setup,
                            struct cs_recorder *const *recorders,
                            size_t recorder_count, struct cs_results **out,
                            struct cs_err *err) CS_MUST_USE;
void cs_results_free(struct cs_results *results);

/* Monotonic ns of the next interval's end. */
int64_t cs_results_next_end(const struct cs_results *results);

/* Collects what the recorders have handed over for the interval that ended at
 * cs_results_next_end. False: some loop has not handed over yet; call again
 * after waking it. */
bool cs_results_collect(struct cs_results *results);

/* After all recorders have finished: the last, short interval up to end_ns,
 * with all that is left. False: no operation is in it. */
bool cs_results_collect_last(struct cs_results *results, int64_t end_ns);

const struct cs_run_setup *cs_results_setup(const struct cs_results *results);
/* The interval collected last, and the run up to its end. */
const struct cs_interval *cs_results_interval(const struct cs_results *r);
const struct cs_interval *cs_results_run(const struct cs_results *r);
/* Standard error of the row rate, after the interval collected last
 * (the column stderr), and in how many intervals it was measured. */
double cs_results_stderr(const struct cs_results *results);
uint64_t cs_results_measurements(const struct cs_results *results);

struct cs_extra *cs_results_extra(struct cs_results *results);
/* Adds what a loop counts by operation. */
void cs_extra_add(struct cs_extra *to, const struct cs_extra *from);

/* Sets the span of the next interval instead: for data that was measured
 * elsewhere (recorders hand over by their own schedule all the same). */
void cs_results_set_span(struct cs_results *results, int64_t start_ns,
                         int64_t end_ns);
/* Adds server pauses to the next interval to be collected. */
void cs_results_set_pauses(struct cs_results *results,
                           const struct cs_pauses *pauses);

/* What the latency columns show: response time in a fixed run that has any,
 * else service time. */
const struct cs_histogram *cs_tally_shown(const struct cs_run_setup *setup,
                                          const struct cs_tally *tally);

/* Count per second from the tally's own first_start_ns to the end of the
 * interval collected last; 0 for an empty span. */
double cs_tally_rate(const struct cs_results *results,
                     const struct cs_tally *tally, uint64_t count);

#endif
