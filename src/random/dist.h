/* dist.h - the distributions of cassandra-stress: gaussian(1..10), fixed(5),
 * ~exp(1..100) ... Same samples as the original for the same seed. */
#ifndef CS_RANDOM_DIST_H
#define CS_RANDOM_DIST_H

#include "base/buf.h"
#include "random/java_random.h"

enum cs_dist_kind {
    CS_DIST_FIXED,
    CS_DIST_UNIFORM,
    CS_DIST_GAUSSIAN,
    CS_DIST_EXP,
    CS_DIST_EXTREME,
    CS_DIST_QEXTREME,
    CS_DIST_SEQ,
};

/* What a text says: plain data, may be copied. */
struct cs_dist_spec {
    enum cs_dist_kind kind;
    bool inverted; /* ~ in front */
    int64_t min;
    int64_t max;
    double mean;  /* gaussian, exp */
    double stdev; /* gaussian */
    double shape; /* extreme, qextreme */
    double scale; /* extreme, qextreme */
    int quantas;  /* qextreme */
};

/* What a parsed text promises: min <= max, and no range is wider than 63 bits;
 * max is below INT64_MAX except for fixed. */

/* The grammar of cassandra-stress, plus weibull for extreme; names in
 * any case. A plain number is no distribution here. Errors: "unknown
 * distribution 'GAUS', try 'GAUSSIAN'" and the like. notice (may be NULL) gets
 * a sentence where a text is taken otherwise than typed, else stays as it
 * was. */
enum cs_code cs_dist_parse(const char *text, struct cs_dist_spec *out,
                           struct cs_buf *notice,
                           struct cs_err *err) CS_MUST_USE;

static inline struct cs_dist_spec cs_dist_fixed(int64_t value)
{
    return (struct cs_dist_spec){
        .kind = CS_DIST_FIXED, .min = value, .max = value};
}

/* min <= max < INT64_MAX; fixed where they are equal. */
struct cs_dist_spec cs_dist_uniform(int64_t min, int64_t max);

/* Three standard deviations on each side of the middle, as gaussian(a..b);
 * likewise. */
struct cs_dist_spec cs_dist_gaussian(int64_t min, int64_t max);

/* Text of the settings dump: "Uniform:  min=1,max=1000000". */
void cs_dist_describe(struct cs_buf *buf, const struct cs_dist_spec *spec);

/* Quantile at p in 0..1, and what the original derives from it. For an
 * inverted distribution min and max come out swapped, as in the original. */
int64_t cs_dist_inverse(const struct cs_dist_spec *spec, double p);
int64_t cs_dist_min(const struct cs_dist_spec *spec);
int64_t cs_dist_max(const struct cs_dist_spec *spec);
int64_t cs_dist_average(const struct cs_dist_spec *spec);

/* Smallest and largest value that a sample can take, never swapped. A seeded
 * seq counts below its range where the seed is negative (inverted: above it),
 * as in the original; these two say so, min and max do not. */
int64_t cs_dist_least(const struct cs_dist_spec *spec);
int64_t cs_dist_most(const struct cs_dist_spec *spec);

/* One stream of samples; owned by one thread. */
struct cs_dist {
    struct cs_dist_spec spec;
    struct cs_java_random random;
    int64_t counter; /* seq */
    uint64_t roll;   /* state of qextreme's second, never seeded random */
};

/* Starts from an unseeded state (different in every process; seq: 0). */
void cs_dist_init(struct cs_dist *dist, const struct cs_dist_spec *spec);

/* Starts the stream that belongs to a seed. fixed ignores it. */
CS_INLINE void cs_dist_seed(struct cs_dist *dist, int64_t seed)
{
    cs_java_random_seed(&dist->random, seed);
    dist->counter = seed;
}

/* Slow path of cs_dist_next: every family, inverted or not. */
int64_t cs_dist_next_any(struct cs_dist *dist);

/* Towards zero; beyond 64 bits the nearest limit, NaN gives 0 (the cast of
 * Java; C's is undefined there). */
CS_INLINE int64_t cs_trunc64(double v)
{
    if (CS_LIKELY(v > -0x1.0p63 && v < 0x1.0p63))
        return (int64_t)v;
    if (v != v)
        return 0;
    return v < 0 ? INT64_MIN : INT64_MAX;
}

/* The next sample. fixed and uniform are inline: identities and sizes of most
 * columns are such. */
CS_INLINE int64_t cs_dist_next(struct cs_dist *dist)
{
    const struct cs_dist_spec *spec = &dist->spec;
    int64_t value;
    double u, r;

    if (spec->kind == CS_DIST_FIXED)
        return spec->min;
    if (CS_UNLIKELY(spec->kind != CS_DIST_UNIFORM || spec->inverted))
        return cs_dist_next_any(dist);
    u = cs_java_random_double(&dist->random);
    r = u * (double)(spec->max + 1) + (1.0 - u) * (double)spec->min;
    if (CS_UNLIKELY(r >= 0x1.0p63)) /* rounded up; below -2^63 it cannot be */
        return spec->max;
    value = (int64_t)r;
    return CS_MIN(CS_MAX(value, spec->min), spec->max);
}

/* The next sample before it is cut to an integer. */
double cs_dist_next_double(struct cs_dist *dist);

/* DIST/divisor: a share in 0..1. The divisor is above 0; qextreme is refused,
 * it has no samples between integers. */
struct cs_ratio_spec {
    struct cs_dist_spec dist;
    double divisor;
};

enum cs_code cs_ratio_parse(const char *text, struct cs_ratio_spec *out,
                            struct cs_buf *notice,
                            struct cs_err *err) CS_MUST_USE;
void cs_ratio_describe(struct cs_buf *buf, const struct cs_ratio_spec *spec);
double cs_ratio_next(struct cs_dist *dist, double divisor);
double cs_ratio_min(const struct cs_ratio_spec *spec);
double cs_ratio_max(const struct cs_ratio_spec *spec);

/* Always 1: fixed(1)/1. */
static inline struct cs_ratio_spec cs_ratio_whole(void)
{
    return (struct cs_ratio_spec){.dist = cs_dist_fixed(1), .divisor = 1};
}

#endif
