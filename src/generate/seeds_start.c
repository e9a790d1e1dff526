/* seeds_start.c - seeds from settings, and their end. */
#include "generate/seeds_internal.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define FIRST_BUCKETS 256

static void seed_dist_init(struct cs_seed_dist *d,
                           const struct cs_dist_spec *spec)
{
    struct cs_dist unseeded;

    cs_dist_init(&unseeded, spec);
    d->spec = *spec;
    d->start = (uint64_t)cs_java_random_long(&unseeded.random);
    atomic_init(&d->drawn, 0);
}

/* 1 + round(10^(22 - log10(size))), where Java's round stops at the largest
 * long: small samples give INT64_MIN, and all seeds collapse (kept: same
 * data). */
static uint64_t multiplier_of(int64_t sample_size)
{
    double power = pow(10.0, 22.0 - log10((double)sample_size));
    double whole = floor(power);

    /* Half up; adding 0.5 would itself round above 2^52. */
    return 1 + (uint64_t)cs_trunc64(power - whole < 0.5 ? whole : whole + 1);
}

static enum cs_code init_revisit(struct cs_seeds *seeds,
                                 const struct cs_dist_spec *revisit,
                                 struct cs_err *err)
{
    struct cs_dist_spec turned = *revisit;
    int64_t low, high;

    turned.inverted = !turned.inverted;
    low = CS_MIN(cs_dist_min(&turned), cs_dist_max(&turned));
    high = CS_MAX(cs_dist_min(&turned), cs_dist_max(&turned));
    if (low < 0 || high - low >= INT32_MAX)
        return cs_fail(err, CS_EUSAGE,
                       "-insert revisit=: the range %" PRId64 "..%" PRId64
                       " is invalid, expected 0 or more and at most %d values",
                       low, high, INT32_MAX);
    seed_dist_init(&seeds->revisit, &turned);
    seeds->revisit_min = low;
    cs_pool_init(&seeds->pool, (size_t)(high - low) + 1);
    seeds->multiplier = multiplier_of(high - low + 1);
    return CS_OK;
}

static enum cs_code init_population(struct cs_seeds *seeds,
                                    const struct cs_settings_population *pop,
                                    struct cs_err *err)
{
    seeds->sequence = pop->sequence;
    if (!pop->sequence) {
        seed_dist_init(&seeds->dist, &pop->dist);
        return CS_OK;
    }
    if (pop->seq_end < pop->seq_start)
        return cs_fail(err, CS_EUSAGE,
                       "-pop seq=%" PRId64 "..%" PRId64
                       " ends before it starts",
                       pop->seq_start, pop->seq_end);
    seeds->first = pop->seq_start;
    seeds->width = (uint64_t)pop->seq_end - (uint64_t)pop->seq_start + 1;
    seeds->wrap = pop->wrap;
    seeds->has_lookback = pop->has_lookback;
    if (!pop->has_lookback)
        return CS_OK;
    if (cs_dist_max(&pop->lookback) > pop->seq_start + (int64_t)seeds->width)
        return cs_fail(
            err, CS_EUSAGE,
            "-pop read-lookback= reaches back %" PRId64
            ", but the sequence only ranges from %" PRId64 " to %" PRId64,
            cs_dist_max(&pop->lookback), pop->seq_start, pop->seq_end);
    seed_dist_init(&seeds->lookback, &pop->lookback);
    return CS_OK;
}

/* Whether two writes of one partition can be under way at the same time. (A
 * partition without rows lets a run go past its count; that one lap is not
 * watched.) Increments may: a lap of counter_write raises every counter once,
 * also one whose last increment has not been answered. */
static bool may_meet(const struct cs_seeds *seeds,
                     const struct cs_settings *settings)
{
    int64_t count = settings->command.count;

    if (!seeds->sequence || seeds->in_visits)
        return true;
    if (settings->command.type == CS_COMMAND_COUNTER_WRITE)
        return false;
    return seeds->wrap && (count < 0 || (uint64_t)count > seeds->width);
}

static bool always_one(const struct cs_dist_spec *spec)
{
    return spec->kind == CS_DIST_FIXED && spec->min == 1;
}

/* Writes that may meet are kept apart by marks where partitions need not be
 * known for more: they have one visit, and each position is a partition of its
 * own (an odd multiplier maps no two to the same). */
static enum cs_code watch_writes(struct cs_seeds *seeds,
                                 const struct cs_settings_population *pop,
                                 struct cs_err *err)
{
    int64_t first = seeds->first;
    uint64_t width = seeds->width;

    if (!pop->sequence) {
        first = cs_dist_least(&pop->dist);
        width = (uint64_t)cs_dist_most(&pop->dist) - (uint64_t)first + 1;
    }
    seeds->tracked = seeds->in_visits || seeds->multiplier % 2 == 0 || !width ||
                     width > CS_MARKS_MOST;
    if (seeds->tracked)
        return CS_OK;
    return cs_marks_init(&seeds->marks, first, width, err);
}

static enum cs_code init(struct cs_seeds *seeds,
                         const struct cs_settings *settings, struct cs_err *err)
{
    enum cs_dialect dialect = settings->compat.data;
    enum cs_code rc;

    assert(dialect != CS_DATA_PROBE);
    rc = init_population(seeds, &settings->population, err);
    if (!rc)
        rc = init_revisit(seeds, &settings->insert.revisit, err);
    if (rc)
        return rc;
    if (dialect != CS_DATA_C4)
        seeds->multiplier = 1;
    seed_dist_init(&seeds->visits, &settings->insert.visits);
    seeds->in_visits = !always_one(&settings->insert.visits);
    seeds->immediate = cs_dist_average(&settings->insert.visits) > 1;
    seeds->limited = seeds->in_visits && dialect == CS_DATA_C4;
    if (may_meet(seeds, settings))
        rc = watch_writes(seeds, &settings->population, err);
    if (rc)
        return rc;
    seeds->bucket_count = FIRST_BUCKETS;
    seeds->buckets = calloc(seeds->bucket_count, sizeof(*seeds->buckets));
    if (!seeds->buckets)
        return cs_fail(err, CS_ENOMEM, "population: out of memory");
    return CS_OK;
}

enum cs_code cs_seeds_new(const struct cs_settings *settings,
                          struct cs_seeds **out, struct cs_err *err)
{
    struct cs_seeds *seeds = calloc(1, sizeof(*seeds));
    enum cs_code rc;

    if (!seeds)
        return cs_fail(err, CS_ENOMEM, "population: out of memory");
    pthread_mutex_init(&seeds->lock, NULL);
    rc = init(seeds, settings, err);
    if (rc) {
        cs_seeds_free(seeds);
        return rc;
    }
    *out = seeds;
    return CS_OK;
}

static void free_chunks(struct cs_seed_chunk *chunk)
{
    while (chunk) {
        struct cs_seed_chunk *next = chunk->next;

        free(chunk);
        chunk = next;
    }
}

void cs_seeds_free(struct cs_seeds *seeds)
{
    if (!seeds)
        return;
    free_chunks(seeds->chunks);
    free(seeds->buckets);
    cs_marks_release(&seeds->marks);
    cs_pool_release(&seeds->pool);
    cs_lookback_release(&seeds->written);
    pthread_mutex_destroy(&seeds->lock);
    free(seeds);
}
