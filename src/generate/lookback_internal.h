/* lookback_internal.h - how far a sequence has been written without a gap:
 * writes that finish out of order are held back until the gap closes. */
#ifndef CS_GENERATE_LOOKBACK_INTERNAL_H
#define CS_GENERATE_LOOKBACK_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

struct cs_lookback {
    int64_t done;   /* the first so many of the sequence are written */
    uint64_t *held; /* a ring of bits: done + 1 + i is written */
    uint64_t cap;   /* bits of the ring: a power of two, or 0 */
};

static inline void cs_lookback_init(struct cs_lookback *l)
{
    *l = (struct cs_lookback){0};
}

void cs_lookback_release(struct cs_lookback *l);

/* The write of this number in the sequence (from 0) has finished. One so far
 * ahead of the gap that memory for it runs out is forgotten: reads then stay
 * behind it, which is safe. */
void cs_lookback_finish(struct cs_lookback *l, int64_t index);

#endif
