/* recorder.h - what one event loop measured. The loop's thread writes, the
 * main thread collects finished intervals; neither ever waits for the other.
 * No sample is lost: when the main thread is a whole interval late, what came
 * since then stays in the recorder and is part of the next collection. */
#ifndef CS_METRICS_RECORDER_H
#define CS_METRICS_RECORDER_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct cs_recorder; /* opaque */

/* One operation as scheduled, whatever it holds and however many tries it
 * needed. Times are monotonic ns. */
struct cs_sample {
    unsigned kind; /* index of the operation kind */
    bool failed;
    int64_t intended_ns; /* 0 without a rate limit */
    int64_t start_ns;    /* before the first try */
    int64_t end_ns;      /* after the last try */
    uint64_t rows;
    uint64_t partitions;
};

/* limited: response and wait time are recorded, too. */
enum cs_code cs_recorder_new(unsigned kind_count, bool limited,
                             struct cs_recorder **out,
                             struct cs_err *err) CS_MUST_USE;
void cs_recorder_free(struct cs_recorder *rec);

/* Interval ends lie at first_end_ns + k * length_ns; whatever was recorded
 * before is forgotten. Before the run starts, so by any thread;
 * cs_results_new does it. */
void cs_recorder_start(struct cs_recorder *rec, int64_t first_end_ns,
                       int64_t length_ns);

/* By the loop's thread, each pass, so that intervals in which nothing ended
 * close as well. Samples: recorder_add.h. */
void cs_recorder_tick(struct cs_recorder *rec, int64_t now_ns);

/* By the loop's thread, once, when it stops: everything is handed over. */
void cs_recorder_finish(struct cs_recorder *rec);

#endif
