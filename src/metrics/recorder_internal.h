/* recorder_internal.h - the two buffers of a recorder and who owns which.
 *
 * The loop's thread writes into buffers[active]. At the end of an interval it
 * offers that buffer and goes on with the other one; the collector empties the
 * offered buffer and gives it back. `offered` hands the buffers over: 0, both
 * are the loop's; else the collector owns buffers[offered - 1]. After
 * `finished` it owns both. `closed_ns` says how far the loop has come: all
 * samples that end by then have been offered. */
#ifndef CS_METRICS_RECORDER_INTERNAL_H
#define CS_METRICS_RECORDER_INTERNAL_H

#include "metrics/interval.h"
#include "metrics/recorder.h"

#include <stdatomic.h>

struct recorder_buffer {
    bool used;              /* holds a sample */
    int64_t end_ns;         /* end of the interval of its first sample */
    struct cs_tally *kinds; /* owned */
};

struct cs_recorder {
    unsigned kind_count;
    bool limited;
    /* the loop's */
    unsigned active;
    int64_t first_end_ns;
    int64_t length_ns;
    int64_t end_ns;   /* of the current interval */
    int64_t check_ns; /* end_ns, or lower: look closer at every sample */
    /* shared */
    _Atomic unsigned offered;
    _Atomic int64_t closed_ns;
    atomic_bool finished;
    struct recorder_buffer buffers[2];
};

/* By the collecting thread: adds what belongs to intervals ending by end_ns to
 * the kinds of `to`. False: the loop has not come so far yet. */
bool recorder_collect(struct cs_recorder *rec, int64_t end_ns,
                      struct cs_interval *to);

#endif
