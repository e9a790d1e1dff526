/* pool.c - an ordered pool on a Fenwick tree. */
#include "generate/pool_internal.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAP 64

void cs_pool_init(struct cs_pool *pool, size_t most)
{
    *pool = (struct cs_pool){.most = most};
}

void cs_pool_release(struct cs_pool *pool)
{
    free(pool->slots);
    free(pool->tree);
    *pool = (struct cs_pool){.most = pool->most};
}

static void count_slot(struct cs_pool *pool, size_t slot, uint32_t change)
{
    for (size_t i = slot + 1; i <= pool->cap; i += i & -i)
        pool->tree[i] += change;
}

/* Closes the holes; the order stays. */
static void pack(struct cs_pool *pool)
{
    size_t to = 0;

    for (size_t from = 0; from < pool->next; from++) {
        if (!pool->slots[from])
            continue;
        pool->slots[to] = pool->slots[from];
        pool->slots[to]->slot = to;
        to++;
    }
    pool->next = to;
    memset(pool->tree, 0, (pool->cap + 1) * sizeof(*pool->tree));
    for (size_t i = 0; i < to; i++)
        count_slot(pool, i, 1);
}

static bool grow(struct cs_pool *pool)
{
    size_t cap = pool->cap ? pool->cap * 2 : FIRST_CAP;
    struct cs_pool_item **slots = realloc(pool->slots, cap * sizeof(*slots));
    uint32_t *tree;

    if (!slots)
        return false;
    pool->slots = slots;
    tree = realloc(pool->tree, (cap + 1) * sizeof(*tree));
    if (!tree)
        return false;
    pool->tree = tree;
    pool->cap = cap;
    return true;
}

static bool make_room(struct cs_pool *pool)
{
    if (pool->next < pool->cap)
        return true;
    if (pool->count >= pool->cap / 2 && !grow(pool))
        return false;
    pack(pool);
    return true;
}

bool cs_pool_append(struct cs_pool *pool, struct cs_pool_item *item)
{
    if (pool->count >= pool->most || !make_room(pool))
        return false;
    item->slot = pool->next++;
    pool->slots[item->slot] = item;
    count_slot(pool, item->slot, 1);
    pool->count++;
    return true;
}

struct cs_pool_item *cs_pool_get(const struct cs_pool *pool, size_t rank)
{
    size_t at = 0;

    if (rank >= pool->count)
        return NULL;
    for (size_t step = pool->cap; step; step /= 2) {
        if (at + step <= pool->cap && pool->tree[at + step] <= rank) {
            at += step;
            rank -= pool->tree[at];
        }
    }
    return pool->slots[at];
}

void cs_pool_remove(struct cs_pool *pool, struct cs_pool_item *item)
{
    if (item->slot == CS_POOL_NOWHERE)
        return;
    count_slot(pool, item->slot, UINT32_MAX);
    pool->slots[item->slot] = NULL;
    pool->count--;
    item->slot = CS_POOL_NOWHERE;
}
