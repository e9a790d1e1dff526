/* recorder_internal.h - the collecting side of a recorder. */
#ifndef CS_METRICS_RECORDER_INTERNAL_H
#define CS_METRICS_RECORDER_INTERNAL_H

#include "metrics/interval.h"
#include "metrics/recorder_add.h"

/* By the collecting thread: adds what belongs to intervals ending by end_ns to
 * the kinds of `to`. False: the loop has not come so far yet. */
bool recorder_collect(struct cs_recorder *rec, int64_t end_ns,
                      struct cs_interval *to);

#endif
