/* tally.h - the samples of a window or of a whole run, and the recorder of one
 * event loop, whose windows the main thread takes. */
#ifndef CS_SBK_TALLY_H
#define CS_SBK_TALLY_H

#include "sbk/latencies.h"

#include <stdatomic.h>

struct cs_sbk_tally {
    struct cs_sbk_latencies valid; /* in the unit of -time */
    int64_t least, most;           /* of valid latencies */
    uint64_t records;
    uint64_t bytes;
    uint64_t valid_count;
    uint64_t invalid; /* the end before the start */
    uint64_t lower;   /* below least: not in the percentiles */
    uint64_t higher;
    uint64_t latency_sum; /* without the invalid ones */
    int64_t min;          /* INT64_MAX: none yet */
    int64_t max;
    uint64_t write_requests, write_request_bytes;
    uint64_t read_requests, read_request_bytes;
    uint64_t write_timeouts, read_timeouts;
};

enum cs_code cs_sbk_tally_init(struct cs_sbk_tally *tally, int64_t least,
                               int64_t most, struct cs_err *err) CS_MUST_USE;
void cs_sbk_tally_release(struct cs_sbk_tally *tally);
void cs_sbk_tally_clear(struct cs_sbk_tally *tally);

/* One record of so many bytes. */
void cs_sbk_tally_add(struct cs_sbk_tally *tally, int64_t latency,
                      uint64_t bytes);
/* What finds no room in the table counts as higher. */
void cs_sbk_tally_merge(struct cs_sbk_tally *tally,
                        const struct cs_sbk_tally *from);

/* Two tallies in turn: the loop writes one, the main thread reads the other
 * after it was handed over. */
struct cs_sbk_recorder {
    struct cs_sbk_tally sides[2];
    _Atomic unsigned asked; /* how often the main thread wanted one */
    _Atomic unsigned given;
    atomic_bool crowded; /* by the loop: its table has little room left */
};

enum cs_code cs_sbk_recorder_init(struct cs_sbk_recorder *recorder,
                                  int64_t least, int64_t most,
                                  struct cs_err *err) CS_MUST_USE;
void cs_sbk_recorder_release(struct cs_sbk_recorder *recorder);
/* Before the first sample: see cs_sbk_latencies_bound. */
void cs_sbk_recorder_bound(struct cs_sbk_recorder *recorder, size_t cells);

/* By the loop: where to count now. */
static inline struct cs_sbk_tally *
cs_sbk_recorder_tally(struct cs_sbk_recorder *recorder)
{
    return &recorder->sides[atomic_load_explicit(&recorder->given,
                                                 memory_order_relaxed) &
                            1];
}

/* By the loop, once per pass: hands over what was asked for. True: its table
 * has just become crowded, and should be asked for. */
bool cs_sbk_recorder_pass(struct cs_sbk_recorder *recorder);

/* By the main thread: asks for what was counted so far. */
void cs_sbk_recorder_ask(struct cs_sbk_recorder *recorder);
/* Adds it to *out, once it was handed over: else false. ended: the loop is no
 * more, nothing has to be handed over. */
bool cs_sbk_recorder_take(struct cs_sbk_recorder *recorder, bool ended,
                          struct cs_sbk_tally *out);

#endif
