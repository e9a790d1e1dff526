/* schedule.h - when the next operation is due under a rate limit; one schedule
 * for all loops of a run. The unit is partitions, as in the original. */
#ifndef CS_RUN_SCHEDULE_H
#define CS_RUN_SCHEDULE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct cs_schedule {
    double per_s; /* 0: no limit */
    bool cap;     /* throttle: lateness is not caught up beyond credit */
    int64_t start_ns;
    int64_t credit_ns;
    _Atomic int64_t next;     /* partitions handed out so far */
    _Atomic int64_t shift_ns; /* throttle: how far the schedule has slipped */
    bool poisson;             /* gaps are drawn */
    uint64_t seed;            /* of the gaps */
    _Atomic uint64_t sum;     /* of the gaps so far, in parts of a ns */
};

/* Neither rate: no limit. credit_ns: how much lateness a throttled run may
 * catch up in a burst. */
void cs_schedule_init(struct cs_schedule *schedule, double fixed_per_s,
                      double throttle_per_s, int64_t start_ns,
                      int64_t credit_ns);

/* From here on the gaps between arrivals are exponential, with the mean that
 * the fixed rate gives: arrivals that know nothing of each other, as those of
 * many users. The same seed draws the same gaps. */
void cs_schedule_draw_gaps(struct cs_schedule *schedule, uint64_t seed);

/* How many partitions are due at now_ns that nobody has taken: those that a
 * server without answers keeps from beginning. 0 without a limit, and under a
 * throttle, which does not catch up. */
uint64_t cs_schedule_backlog(const struct cs_schedule *schedule,
                             int64_t now_ns);

/* The due time (monotonic ns) of an operation over so many partitions. */
int64_t cs_schedule_take(struct cs_schedule *schedule, uint64_t partitions,
                         int64_t now_ns);

#endif
