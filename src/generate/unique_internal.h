/* unique_internal.h - the cells of a buffer that are already there: what a set
 * or a clustering level needs to drop later duplicates. */
#ifndef CS_GENERATE_UNIQUE_INTERNAL_H
#define CS_GENERATE_UNIQUE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cs_gen_unique {
    uint32_t *slots; /* 1 + place of a cell in the buffer; 0: free */
    size_t cap;      /* a power of two, or 0 */
    size_t cap_now;  /* how much of it is in use for this round */
};

void cs_gen_unique_release(struct cs_gen_unique *u);

/* Empty, with room for so many cells. False when memory ran out. */
bool cs_gen_unique_clear(struct cs_gen_unique *u, size_t count);

/* Whether the cell (int32 size, bytes) that starts at place is new; then it is
 * remembered. base is the same buffer in every call, and may have moved. */
bool cs_gen_unique_add(struct cs_gen_unique *u, const uint8_t *base,
                       size_t place);

#endif
