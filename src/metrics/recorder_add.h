/* recorder_add.h - adding a sample, inline in the loop that took it; with it
 * the two buffers of a recorder, and who owns which.
 *
 * The loop's thread writes into buffers[active]. At the end of an interval it
 * offers that buffer and goes on with the other one; the collector empties the
 * offered buffer and gives it back. `offered` hands the buffers over: 0, both
 * are the loop's; else the collector owns buffers[offered - 1]. After
 * `finished` it owns both. `closed_ns` says how far the loop has come: all
 * samples that end by then have been offered. */
#ifndef CS_METRICS_RECORDER_ADD_H
#define CS_METRICS_RECORDER_ADD_H

#include "metrics/histogram_internal.h"
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

/* The loop has come to now_ns, past the end of its interval or with a buffer
 * it could not offer before. */
void cs_recorder_advance(struct cs_recorder *rec, int64_t now_ns);

CS_INLINE void recorder_put(const struct cs_recorder *rec,
                            struct cs_tally *tally,
                            const struct cs_sample *sample)
{
    int64_t service_ns = sample->end_ns - sample->start_ns;

    tally->operations++;
    tally->rows += sample->rows;
    tally->partitions += sample->partitions;
    histogram_record(tally->service, service_ns);
    if (CS_UNLIKELY(sample->failed)) {
        tally->errors++;
        histogram_record(tally->failed, service_ns);
    }
    if (rec->limited && sample->intended_ns) {
        histogram_record(tally->response, sample->end_ns - sample->intended_ns);
        histogram_record(tally->wait, sample->start_ns - sample->intended_ns);
    }
}

/* By the loop's thread: a sample; end_ns never goes back. One comparison when
 * no interval ends. A sample that ends exactly with an interval belongs to it.
 */
CS_INLINE void cs_recorder_add(struct cs_recorder *rec,
                               const struct cs_sample *sample)
{
    struct recorder_buffer *buffer;

    if (CS_UNLIKELY(sample->end_ns > rec->check_ns))
        cs_recorder_advance(rec, sample->end_ns);
    buffer = &rec->buffers[rec->active];
    if (CS_UNLIKELY(!buffer->used)) {
        buffer->used = true;
        buffer->end_ns = rec->end_ns;
    }
    recorder_put(rec, &buffer->kinds[sample->kind], sample);
}

#endif
