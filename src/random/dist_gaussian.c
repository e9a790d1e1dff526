/* dist_gaussian.c - gaussian(a..b,...): the bell curve; what falls outside of
 * the range is counted on its ends. */
#include "base/text.h"
#include "random/dist_internal.h"
#include "random/fast_math.h"

static const double sqrt2 = 1.41421356237309514547;

/* Standard deviations from the middle to either end, unless given. */
#define EDGE_DEVIATIONS 3.0

struct cs_dist_spec cs_dist_gaussian(int64_t min, int64_t max)
{
    /* The sum and the difference wrap like Java's. */
    int64_t sum = (int64_t)((uint64_t)min + (uint64_t)max);
    int64_t width = (int64_t)((uint64_t)max - (uint64_t)min);

    if (min == max)
        return cs_dist_fixed(min);
    return (struct cs_dist_spec){
        .kind = CS_DIST_GAUSSIAN,
        .min = min,
        .max = max,
        .mean = (double)sum / 2.0,
        .stdev = ((double)width / 2.0) / EDGE_DEVIATIONS,
    };
}

static double sample(struct cs_dist *dist)
{
    return dist->spec.stdev * cs_java_random_gaussian(&dist->random) +
           dist->spec.mean;
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
    double r = spec->mean + spec->stdev * sqrt2 * cs_erfinv(2.0 * p - 1.0);

    return cs_dist_within(spec, r);
}

static void describe(struct cs_buf *buf, const struct cs_dist_spec *spec)
{
    cs_dist_describe_range(buf, "Gaussian", spec);
    cs_buf_puts(buf, ",mean=");
    cs_put_fixed(buf, spec->mean, 6, false, 0);
    cs_buf_puts(buf, ",stdev=");
    cs_put_fixed(buf, spec->stdev, 6, false, 0);
}

const struct cs_dist_family cs_dist_gaussian_family = {
    .next = next,
    .next_double = next_double,
    .inverse = inverse,
    .describe = describe,
};
