/* pool_internal.h - partly written partitions in the order in which they came:
 * the i-th one, and removal from the middle, in logarithmic time. */
#ifndef CS_GENERATE_POOL_INTERNAL_H
#define CS_GENERATE_POOL_INTERNAL_H

#include "base/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CS_POOL_NOWHERE SIZE_MAX

/* An item begins with this; the pool keeps it up to date. */
struct cs_pool_item {
    size_t slot; /* CS_POOL_NOWHERE: in no pool */
};

/* Slots are given out in rising order; removal leaves a hole that a Fenwick
 * tree over the slots knows of. A full pool is packed, and grows when it was
 * mostly alive. */
struct cs_pool {
    struct cs_pool_item **slots;
    uint32_t *tree; /* tree[i], from 1: how many alive in its range */
    size_t cap;     /* a power of two, or 0 */
    size_t next;    /* the first slot never used */
    size_t count;   /* alive */
    size_t most;    /* count never passes this */
};

void cs_pool_init(struct cs_pool *pool, size_t most);
void cs_pool_release(struct cs_pool *pool);

/* False when the pool is full or memory ran out. */
bool cs_pool_append(struct cs_pool *pool, struct cs_pool_item *item);

/* The item of this rank, from 0; NULL when there are not so many. */
struct cs_pool_item *cs_pool_get(const struct cs_pool *pool, size_t rank);

/* Nothing happens when the item is in no pool. */
void cs_pool_remove(struct cs_pool *pool, struct cs_pool_item *item);

#endif
