/* budget.h - the partitions that a run may still touch; shared by all loops.
 * n= counts partitions, not statements. */
#ifndef CS_OPERATION_BUDGET_H
#define CS_OPERATION_BUDGET_H

#include "base/compiler.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cs_token_ranges;

struct cs_budget {
    bool bounded;
    _Atomic int64_t left;           /* below zero for moments only */
    struct cs_token_ranges *ranges; /* borrowed; NULL: none are read */
};

/* count < 0: without bound. */
static inline void cs_budget_init(struct cs_budget *budget, int64_t count)
{
    budget->bounded = count >= 0;
    atomic_init(&budget->left, count);
    budget->ranges = NULL;
}

/* How many of the wanted partitions may be taken: the last operation of a run
 * gets what is left, 0 is the end. */
CS_INLINE int64_t cs_budget_take(struct cs_budget *budget, int64_t wanted)
{
    int64_t before;

    if (!budget->bounded)
        return wanted;
    if (atomic_load_explicit(&budget->left, memory_order_relaxed) <= 0)
        return 0;
    before =
        atomic_fetch_sub_explicit(&budget->left, wanted, memory_order_relaxed);
    if (CS_LIKELY(before >= wanted))
        return wanted;
    /* What was taken beyond the end goes back, so that a later return counts.
     */
    before = before > 0 ? before : 0;
    atomic_fetch_add_explicit(&budget->left, wanted - before,
                              memory_order_relaxed);
    return before;
}

/* Of so many, those that the budget still has. */
static inline uint64_t cs_budget_bound(const struct cs_budget *budget,
                                       uint64_t count)
{
    int64_t left = atomic_load(&budget->left);

    if (!budget->bounded)
        return count;
    return left <= 0 ? 0 : CS_MIN(count, (uint64_t)left);
}

/* The same for those who need to know which ones they get: how many were left
 * before, all of them and more than wanted included; 0 is the end. Bounded
 * budgets only, of which nothing is returned. */
static inline int64_t cs_budget_claim(struct cs_budget *budget, int64_t wanted)
{
    int64_t before;

    if (atomic_load_explicit(&budget->left, memory_order_relaxed) <= 0)
        return 0;
    before =
        atomic_fetch_sub_explicit(&budget->left, wanted, memory_order_relaxed);
    return before > 0 ? before : 0;
}

/* Takes back what was not used. */
static inline void cs_budget_return(struct cs_budget *budget, int64_t count)
{
    if (budget->bounded)
        atomic_fetch_add_explicit(&budget->left, count, memory_order_relaxed);
}

#endif
