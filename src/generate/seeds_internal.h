/* seeds_internal.h - what seeds_start.c sets up and seeds.c works with. */
#ifndef CS_GENERATE_SEEDS_INTERNAL_H
#define CS_GENERATE_SEEDS_INTERNAL_H

#include "generate/lookback_internal.h"
#include "generate/marks_internal.h"
#include "generate/pool_internal.h"
#include "generate/seeds.h"

#include <pthread.h>
#include <stdatomic.h>

/* Entries allocated at once. */
#define CS_SEED_CHUNK 256

struct cs_seed_entry {
    struct cs_pool_item item; /* first: the pool knows this part */
    int64_t position;
    int64_t value;
    int visits;
    unsigned holders;           /* handed out and not finished */
    bool listed;                /* in the map of partitions in progress */
    _Atomic int64_t row;        /* where the next visit starts */
    struct cs_seed_entry *next; /* in its bucket, or among the spare ones */
};

/* Owns entries, wherever they are: a run may end while some are handed out. */
struct cs_seed_chunk {
    struct cs_seed_chunk *next;
    struct cs_seed_entry entries[CS_SEED_CHUNK];
};

/* A distribution that all threads draw from without a lock: the k-th draw has
 * a seed of its own. (The original's are unseeded too, so any will do.) */
struct cs_seed_dist {
    struct cs_dist_spec spec;
    uint64_t start;
    _Atomic uint64_t drawn;
};

struct cs_seeds {
    /* fixed at the start */
    bool sequence, wrap, has_lookback;
    bool tracked;   /* writes are looked up in the map */
    bool in_visits; /* visits is not fixed(1) */
    bool immediate; /* partitions enter the pool when they are handed out */
    bool limited;   /* reads are limited to the rows written (c4) */
    int64_t first;
    uint64_t width; /* of the sequence */
    uint64_t multiplier;
    int64_t revisit_min;
    /* changed by every draw of every thread: away from what they all read */
    char before[64];
    _Atomic uint64_t taken; /* from the sequence */
    char behind[64];
    struct cs_seed_dist dist, lookback, visits, revisit;
    struct cs_marks marks; /* or in these: one visit, not too many positions */
    /* under the lock */
    pthread_mutex_t lock;
    struct cs_seed_entry **buckets;
    size_t bucket_count; /* a power of two */
    size_t listed_count;
    struct cs_seed_entry *spare;
    struct cs_seed_chunk *chunks;
    struct cs_pool pool;
    struct cs_lookback written;
};

#endif
