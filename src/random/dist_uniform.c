/* dist_uniform.c - uniform(a..b): evenly from a up to just below b + 1. */
#include "random/dist_internal.h"

struct cs_dist_spec cs_dist_uniform(int64_t min, int64_t max)
{
    if (min == max)
        return cs_dist_fixed(min);
    return (struct cs_dist_spec){
        .kind = CS_DIST_UNIFORM, .min = min, .max = max};
}

static double sample(struct cs_dist *dist)
{
    double u = cs_java_random_double(&dist->random);

    return u * (double)(dist->spec.max + 1) +
           (1.0 - u) * (double)dist->spec.min;
}

static int64_t next(struct cs_dist *dist)
{
    return cs_dist_within(&dist->spec, sample(dist));
}

static double next_double(struct cs_dist *dist)
{
    return cs_dist_within_double(&dist->spec, sample(dist));
}

static int64_t inverse(const struct cs_dist_spec *spec, double p)
{
    double low = (double)spec->min;
    double high = (double)(spec->max + 1);

    return cs_dist_within(spec, p * (high - low) + low);
}

static void describe(struct cs_buf *buf, const struct cs_dist_spec *spec)
{
    cs_dist_describe_range(buf, "Uniform", spec);
}

const struct cs_dist_family cs_dist_uniform_family = {
    .next = next,
    .next_double = next_double,
    .inverse = inverse,
    .describe = describe,
};
