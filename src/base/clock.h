/* clock.h - the two clocks: monotonic for every measurement, wall for
 * timestamps of writes, for aligning intervals and for logs. */
#ifndef CS_BASE_CLOCK_H
#define CS_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define CS_NS_PER_S  INT64_C(1000000000)
#define CS_NS_PER_MS INT64_C(1000000)
#define CS_NS_PER_US INT64_C(1000)

static inline int64_t cs_now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * CS_NS_PER_S + t.tv_nsec;
}

/* Nanoseconds since 1970. */
static inline int64_t cs_wall_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * CS_NS_PER_S + t.tv_nsec;
}

/* Processor time of the calling thread so far. */
static inline int64_t cs_thread_cpu_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * CS_NS_PER_S + t.tv_nsec;
}

#endif
