/* lookback.c - a ring of bits behind a counter. */
#include "generate/lookback_internal.h"

#include <stdlib.h>

#define FIRST_CAP 1024
#define MOST_BITS (UINT64_C(1) << 30)

void cs_lookback_release(struct cs_lookback *l)
{
    free(l->held);
    *l = (struct cs_lookback){0};
}

static uint64_t bit_of(int64_t index)
{
    return UINT64_C(1) << ((uint64_t)index & 63);
}

static uint64_t *word_of(const struct cs_lookback *l, int64_t index)
{
    return &l->held[((uint64_t)index & (l->cap - 1)) / 64];
}

static bool grow(struct cs_lookback *l, uint64_t ahead)
{
    struct cs_lookback wide = {.done = l->done,
                               .cap = l->cap ? l->cap : FIRST_CAP};

    if (ahead >= MOST_BITS)
        return false;
    while (wide.cap <= ahead)
        wide.cap *= 2;
    wide.held = calloc(wide.cap / 64, sizeof(*wide.held));
    if (!wide.held)
        return false;
    for (uint64_t i = 0; i < l->cap; i++) {
        int64_t index = l->done + (int64_t)i;

        if (*word_of(l, index) & bit_of(index))
            *word_of(&wide, index) |= bit_of(index);
    }
    free(l->held);
    l->held = wide.held;
    l->cap = wide.cap;
    return true;
}

void cs_lookback_finish(struct cs_lookback *l, int64_t index)
{
    uint64_t ahead = (uint64_t)index - (uint64_t)l->done;

    if (index < l->done)
        return;
    if (ahead >= l->cap && !grow(l, ahead))
        return;
    *word_of(l, index) |= bit_of(index);
    while (*word_of(l, l->done) & bit_of(l->done)) {
        *word_of(l, l->done) &= ~bit_of(l->done);
        l->done++;
    }
}
