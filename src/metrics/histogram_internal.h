/* histogram_internal.h - the buckets, open to the recorder so that a sample
 * costs a handful of instructions and no call. */
#ifndef CS_METRICS_HISTOGRAM_INTERNAL_H
#define CS_METRICS_HISTOGRAM_INTERNAL_H

#include "metrics/histogram.h"

struct cs_histogram {
    uint64_t count;
    uint64_t clipped;
    uint32_t first; /* buckets in use: [first, end); empty: first >= end */
    uint32_t end;
    uint64_t counts[CS_HISTOGRAM_BUCKETS];
};

/* The layout with 2048 sub-buckets: below 2048 one bucket per value, then 1024
 * buckets per power of two. */
CS_INLINE uint32_t histogram_index(uint64_t value)
{
    uint32_t shift = 53u - (uint32_t)__builtin_clzll(value | 2047);

    return (shift << 10) + (uint32_t)(value >> shift);
}

CS_INLINE void histogram_record(struct cs_histogram *h, int64_t value)
{
    uint32_t index;

    if (CS_UNLIKELY((uint64_t)value > (uint64_t)CS_HISTOGRAM_TOP_NS)) {
        h->clipped += value > 0;
        value = value > 0 ? CS_HISTOGRAM_TOP_NS : 0;
    }
    index = histogram_index((uint64_t)value);
    h->counts[index]++;
    h->count++;
    if (CS_UNLIKELY(index < h->first))
        h->first = index;
    if (CS_UNLIKELY(index >= h->end))
        h->end = index + 1;
}

#endif
