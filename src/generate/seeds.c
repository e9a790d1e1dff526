/* seeds.c - the population, the partitions in progress and the pool of those
 * that are written in several visits. */
#include "generate/seeds_internal.h"

#include <stdlib.h>

/* Positions that a write tries before it reports that all are in progress,
 * when the population is drawn at random and may repeat itself. */
#define DRAWS_MOST 100

static uint64_t scramble(uint64_t v)
{
    v ^= v >> 30;
    v *= UINT64_C(0xbf58476d1ce4e5b9);
    v ^= v >> 27;
    v *= UINT64_C(0x94d049bb133111eb);
    return v ^ v >> 31;
}

static int64_t draw(struct cs_seed_dist *d)
{
    struct cs_dist dist = {.spec = d->spec};
    uint64_t k;

    if (d->spec.kind == CS_DIST_FIXED)
        return d->spec.min;
    k = atomic_fetch_add_explicit(&d->drawn, 1, memory_order_relaxed);
    if (d->spec.kind == CS_DIST_SEQ) {
        cs_dist_seed(&dist, (int64_t)k);
        return cs_dist_next(&dist);
    }
    k = scramble(d->start + k * UINT64_C(0x9e3779b97f4a7c15));
    cs_dist_seed(&dist, (int64_t)k);
    dist.roll = scramble(k);
    return cs_dist_next(&dist);
}

/* ---- partitions in progress ---- */

static struct cs_seed_entry **bucket_of(const struct cs_seeds *seeds,
                                        int64_t value)
{
    return &seeds->buckets[scramble((uint64_t)value) &
                           (seeds->bucket_count - 1)];
}

static struct cs_seed_entry *find(const struct cs_seeds *seeds, int64_t value)
{
    struct cs_seed_entry *entry = *bucket_of(seeds, value);

    while (entry && entry->value != value)
        entry = entry->next;
    return entry;
}

/* Keeps chains short; without memory they only get longer. */
static void widen(struct cs_seeds *seeds)
{
    struct cs_seed_entry **old = seeds->buckets;
    size_t old_count = seeds->bucket_count;
    struct cs_seed_entry **wide = calloc(old_count * 2, sizeof(*wide));

    if (!wide)
        return;
    seeds->buckets = wide;
    seeds->bucket_count = old_count * 2;
    for (size_t i = 0; i < old_count; i++) {
        while (old[i]) {
            struct cs_seed_entry *entry = old[i];
            struct cs_seed_entry **bucket = bucket_of(seeds, entry->value);

            old[i] = entry->next;
            entry->next = *bucket;
            *bucket = entry;
        }
    }
    free(old);
}

static void list(struct cs_seeds *seeds, struct cs_seed_entry *entry)
{
    struct cs_seed_entry **bucket;

    if (seeds->listed_count >= seeds->bucket_count)
        widen(seeds);
    bucket = bucket_of(seeds, entry->value);
    entry->next = *bucket;
    *bucket = entry;
    entry->listed = true;
    seeds->listed_count++;
}

static void unlist(struct cs_seeds *seeds, struct cs_seed_entry *entry)
{
    struct cs_seed_entry **at = bucket_of(seeds, entry->value);

    if (!entry->listed)
        return;
    while (*at != entry)
        at = &(*at)->next;
    *at = entry->next;
    entry->listed = false;
    seeds->listed_count--;
}

static void give_spare(struct cs_seeds *seeds, struct cs_seed_entry *entry)
{
    entry->next = seeds->spare;
    seeds->spare = entry;
}

static struct cs_seed_entry *take_spare(struct cs_seeds *seeds)
{
    struct cs_seed_entry *entry;

    if (!seeds->spare) {
        struct cs_seed_chunk *chunk = calloc(1, sizeof(*chunk));

        if (!chunk)
            return NULL;
        chunk->next = seeds->chunks;
        seeds->chunks = chunk;
        for (size_t i = 0; i < CS_SEED_CHUNK; i++)
            give_spare(seeds, &chunk->entries[i]);
    }
    entry = seeds->spare;
    seeds->spare = entry->next;
    return entry;
}

/* ---- the population ---- */

int64_t cs_seeds_value(const struct cs_seeds *seeds, int64_t position)
{
    return (int64_t)((uint64_t)position * seeds->multiplier);
}

static void set_position(const struct cs_seeds *seeds, int64_t position,
                         struct cs_seed *out)
{
    *out = (struct cs_seed){.position = position,
                            .value = cs_seeds_value(seeds, position)};
}

static CS_NOINLINE bool draw_position(struct cs_seeds *seeds,
                                      struct cs_seed *out)
{
    set_position(seeds, draw(&seeds->dist), out);
    return true;
}

CS_INLINE bool next_position(struct cs_seeds *seeds, struct cs_seed *out)
{
    uint64_t k;

    if (!seeds->sequence)
        return draw_position(seeds, out);
    k = atomic_fetch_add_explicit(&seeds->taken, 1, memory_order_relaxed);
    if (CS_UNLIKELY(k >= seeds->width && seeds->width)) {
        if (!seeds->wrap)
            return false;
        k %= seeds->width;
    }
    set_position(seeds, (int64_t)((uint64_t)seeds->first + k), out);
    return true;
}

bool cs_seeds_exhausted(const struct cs_seeds *seeds)
{
    return seeds->sequence && !seeds->wrap && seeds->width &&
           atomic_load_explicit(&seeds->taken, memory_order_relaxed) >=
               seeds->width;
}

/* ---- writes ---- */

static void hand_out(struct cs_seed_entry *entry, struct cs_seed *out)
{
    entry->holders++;
    *out = (struct cs_seed){
        .position = entry->position, .value = entry->value, .entry = entry};
}

/* A partly written partition, when the draw hits one. */
static bool revisit(struct cs_seeds *seeds, struct cs_seed *out)
{
    struct cs_pool_item *item;
    int64_t rank;

    if (!seeds->pool.count)
        return false;
    rank = draw(&seeds->revisit) - seeds->revisit_min;
    item = cs_pool_get(&seeds->pool, (size_t)rank);
    if (!item)
        return false;
    hand_out(CS_CONTAINER(item, struct cs_seed_entry, item), out);
    return true;
}

/* Everything else is in progress: the original would draw until it hits the
 * pool. */
static bool revisit_any(struct cs_seeds *seeds, struct cs_seed *out)
{
    struct cs_pool_item *item;
    uint64_t rank;

    if (!seeds->pool.count)
        return false;
    rank = (uint64_t)(draw(&seeds->revisit) - seeds->revisit_min);
    item = cs_pool_get(&seeds->pool, (size_t)(rank % seeds->pool.count));
    hand_out(CS_CONTAINER(item, struct cs_seed_entry, item), out);
    return true;
}

/* Without memory the partition is written untracked, in one visit. */
static void admit(struct cs_seeds *seeds, struct cs_seed *out)
{
    struct cs_seed_entry *entry = take_spare(seeds);
    int64_t visits = draw(&seeds->visits);

    if (!entry)
        return;
    *entry = (struct cs_seed_entry){
        .item.slot = CS_POOL_NOWHERE,
        .position = out->position,
        .value = out->value,
        .visits = (int)CS_MIN(CS_MAX(visits, 1), INT32_MAX),
    };
    list(seeds, entry);
    if (seeds->immediate)
        cs_pool_append(&seeds->pool, &entry->item);
    hand_out(entry, out);
}

/* Among more positions in a row than there are in progress one is free, if the
 * population is wide enough. */
static uint64_t tries(const struct cs_seeds *seeds)
{
    uint64_t enough = (uint64_t)seeds->listed_count + 1;

    if (!seeds->sequence)
        return DRAWS_MOST;
    return seeds->width ? CS_MIN(enough, seeds->width) : enough;
}

static bool next_tracked(struct cs_seeds *seeds, struct cs_seed *out)
{
    for (uint64_t left = tries(seeds); left; left--) {
        if (revisit(seeds, out))
            return true;
        if (!next_position(seeds, out))
            return false;
        if (!find(seeds, out->value)) {
            admit(seeds, out);
            return true;
        }
    }
    return revisit_any(seeds, out);
}

static CS_NOINLINE bool next_locked(struct cs_seeds *seeds, struct cs_seed *out)
{
    bool found;

    pthread_mutex_lock(&seeds->lock);
    found = next_tracked(seeds, out);
    pthread_mutex_unlock(&seeds->lock);
    return found;
}

/* The next position that is free: of a sequence all are tried, and then as many
 * operations are under way as there are positions. */
static CS_NOINLINE bool next_marked(struct cs_seeds *seeds, struct cs_seed *out)
{
    uint64_t left = seeds->sequence ? seeds->marks.width : DRAWS_MOST;

    for (; left; left--) {
        if (!next_position(seeds, out))
            return false;
        if (cs_marks_take(&seeds->marks, out->position))
            return true;
    }
    return false;
}

bool cs_seeds_next_write(struct cs_seeds *seeds, struct cs_seed *out)
{
    if (seeds->marks.words)
        return next_marked(seeds, out);
    return seeds->tracked ? next_locked(seeds, out) : next_position(seeds, out);
}

/* Keeps the pool free of finished partitions. (The original leaves one there
 * whose first visit was its last; its later visits find no row.) */
static void finish_entry(struct cs_seeds *seeds, struct cs_seed_entry *entry,
                         bool first, bool last)
{
    entry->holders--;
    if (last) {
        unlist(seeds, entry);
        cs_pool_remove(&seeds->pool, &entry->item);
    } else if (first && !seeds->immediate && entry->listed) {
        cs_pool_append(&seeds->pool, &entry->item);
    }
    if (!entry->listed && !entry->holders)
        give_spare(seeds, entry);
}

static CS_NOINLINE void finish_locked(struct cs_seeds *seeds,
                                      const struct cs_seed *seed, bool first,
                                      bool last)
{
    pthread_mutex_lock(&seeds->lock);
    if (first && seeds->has_lookback)
        cs_lookback_finish(&seeds->written, seed->position - seeds->first);
    if (seed->entry)
        finish_entry(seeds, seed->entry, first, last);
    pthread_mutex_unlock(&seeds->lock);
}

void cs_seeds_finish(struct cs_seeds *seeds, const struct cs_seed *seed,
                     bool first, bool last)
{
    if (seeds->marks.words)
        cs_marks_give(&seeds->marks, seed->position);
    if (seed->entry || seeds->has_lookback)
        finish_locked(seeds, seed, first, last);
}

bool cs_seeds_are_held(const struct cs_seeds *seeds)
{
    return seeds->tracked || seeds->marks.words || seeds->has_lookback;
}

int cs_seed_visits(const struct cs_seed *seed)
{
    return seed->entry ? seed->entry->visits : 1;
}

int64_t cs_seed_advance(const struct cs_seed *seed, int64_t count)
{
    if (!seed->entry)
        return 0;
    return atomic_fetch_add_explicit(&seed->entry->row, count,
                                     memory_order_relaxed);
}

/* ---- reads ---- */

/* Counts back from the last partition written without a gap. */
static bool look_back(struct cs_seeds *seeds, struct cs_seed *out)
{
    int64_t back = draw(&seeds->lookback);
    int64_t done, offset;

    pthread_mutex_lock(&seeds->lock);
    done = seeds->written.done;
    pthread_mutex_unlock(&seeds->lock);
    offset = done - back;
    if (offset < 0) {
        if (!seeds->wrap && (uint64_t)done == seeds->width)
            return false;
        offset = done ? back % done : 0;
    }
    set_position(seeds, seeds->first + offset, out);
    return true;
}

/* c4: a partition that is being written is read as far as its visits went. */
static void limit_read(struct cs_seeds *seeds, struct cs_seed *out)
{
    const struct cs_seed_entry *entry;

    pthread_mutex_lock(&seeds->lock);
    entry = find(seeds, out->value);
    if (entry)
        out->written = atomic_load_explicit(&entry->row, memory_order_relaxed);
    pthread_mutex_unlock(&seeds->lock);
}

bool cs_seeds_next_read(struct cs_seeds *seeds, struct cs_seed *out)
{
    bool found =
        seeds->has_lookback ? look_back(seeds, out) : next_position(seeds, out);

    if (found && seeds->limited)
        limit_read(seeds, out);
    return found;
}
