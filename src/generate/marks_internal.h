/* marks_internal.h - one bit for each position of a population: whether its
 * partition is being written. Shared by all threads without a lock. */
#ifndef CS_GENERATE_MARKS_INTERNAL_H
#define CS_GENERATE_MARKS_INTERNAL_H

#include "base/err.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The widest population that is marked: 8 MB, of which only what the run
 * reaches is ever touched. */
#define CS_MARKS_MOST (UINT64_C(1) << 26)

struct cs_marks {
    _Atomic uint64_t *words; /* owned; NULL: nothing is marked */
    int64_t first;           /* position of the first bit */
    uint64_t width;          /* positions, at most CS_MARKS_MOST */
};

enum cs_code cs_marks_init(struct cs_marks *marks, int64_t first,
                           uint64_t width, struct cs_err *err) CS_MUST_USE;
void cs_marks_release(struct cs_marks *marks);

/* False: it is marked already. position lies in the population. */
CS_INLINE bool cs_marks_take(struct cs_marks *marks, int64_t position)
{
    uint64_t at = (uint64_t)position - (uint64_t)marks->first;
    uint64_t bit = UINT64_C(1) << (at & 63);

    return !(atomic_fetch_or_explicit(&marks->words[at >> 6], bit,
                                      memory_order_acquire) &
             bit);
}

CS_INLINE void cs_marks_give(struct cs_marks *marks, int64_t position)
{
    uint64_t at = (uint64_t)position - (uint64_t)marks->first;

    atomic_fetch_and_explicit(&marks->words[at >> 6],
                              ~(UINT64_C(1) << (at & 63)),
                              memory_order_release);
}

#endif
