/* dist_extreme.c - extreme(a..b,shape): Weibull above a, with the scale that
 * puts sqrt(1/(b - a)) of the samples on b. */
#include "base/text.h"
#include "random/dist_internal.h"
#include "random/fast_math.h"

#include <math.h>

static double quantile(double shape, double scale, double p)
{
    if (p == 0.0)
        return 0.0;
    if (p == 1.0)
        return (double)INFINITY;
    return scale * cs_fast_pow(-cs_fast_ln(1.0 - p), 1.0 / shape);
}

double cs_dist_extreme_scale(int64_t min, int64_t max, double shape)
{
    double width = (double)(max - min);

    return width / quantile(shape, 1.0, 1.0 - sqrt(1.0 / width));
}

static double sample(struct cs_dist *dist)
{
    return quantile(dist->spec.shape, dist->spec.scale,
                    cs_java_random_double(&dist->random));
}

static int64_t next(struct cs_dist *dist)
{
    return cs_dist_above_min(&dist->spec, sample(dist));
}

static double next_double(struct cs_dist *dist)
{
    return cs_dist_above_min_double(&dist->spec, sample(dist));
}

static int64_t inverse(const struct cs_dist_spec *spec, double p)
{
    return cs_dist_above_min(spec, quantile(spec->shape, spec->scale, p));
}

void cs_dist_extreme_describe(struct cs_buf *buf,
                              const struct cs_dist_spec *spec)
{
    cs_dist_describe_range(buf, "Extreme", spec);
    cs_buf_puts(buf, ",shape=");
    cs_put_fixed(buf, spec->shape, 6, false, 0);
    cs_buf_puts(buf, ", scale=");
    cs_put_fixed(buf, spec->scale, 6, false, 0);
}

const struct cs_dist_family cs_dist_extreme_family = {
    .next = next,
    .next_double = next_double,
    .inverse = inverse,
    .describe = cs_dist_extreme_describe,
};
