/* pass_clock.h - the time at many moments of a short stretch, such as one pass
 * of a loop. The first is CLOCK_MONOTONIC's; those behind it are told from it
 * by the processor's own counter, for a fifth of the instructions. Only where
 * the kernel itself tells the time by that counter: elsewhere it is asked each
 * time. */
#ifndef CS_BASE_PASS_CLOCK_H
#define CS_BASE_PASS_CLOCK_H

#include "base/clock.h"
#include "base/compiler.h"

#include <stdbool.h>

/* Of one thread. */
struct cs_pass_clock {
    bool trusted;         /* the kernel goes by the counter */
    uint64_t scale;       /* nanoseconds of a tick times 2^32; 0: not known */
    int64_t start_ns;     /* of the stretch */
    uint64_t start_ticks; /* likewise */
    int64_t told_ns;      /* the last answer: no other is before it */
    int64_t first_ns;     /* where the scale is measured from */
    uint64_t first_ticks; /* 0: not yet */
    int64_t measure_ns;   /* so far behind it is it measured next */
};

void cs_pass_clock_init(struct cs_pass_clock *clock);

/* A new stretch begins; the time, by CLOCK_MONOTONIC. */
int64_t cs_pass_clock_start(struct cs_pass_clock *clock);

CS_INLINE uint64_t cs_ticks(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return 0;
#endif
}

/* The time, at most some nanoseconds off that of the kernel: far less than the
 * kernel's own call takes. A stretch of half a second begins anew. */
CS_INLINE int64_t cs_pass_clock_now(struct cs_pass_clock *clock)
{
    uint64_t ticks = cs_ticks() - clock->start_ticks;

    if (CS_UNLIKELY(!clock->scale || ticks >> 31))
        return cs_pass_clock_start(clock);
    clock->told_ns = clock->start_ns + (int64_t)((ticks * clock->scale) >> 32);
    return clock->told_ns;
}

#endif
