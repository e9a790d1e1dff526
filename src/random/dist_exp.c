/* dist_exp.c - exp(a..b): exponential above a, with the mean that puts
 * sqrt(1/(b - a)) of the samples on b. */
#include "base/text.h"
#include "random/dist_internal.h"
#include "random/fast_math.h"

#include <math.h>

/* Partial sums of ln(2)^i / i!, i from 1: the table of Ahrens and Dieter's
 * algorithm SA (1972). */
static const double sums[16] = {
    0x1.62e42fefa39efp-1, 0x1.dde327edaeb52p-1,
    0x1.fa4e30c4b355ep-1, 0x1.ff3adba0a1e98p-1,
    0x1.ffe99f9fde3ccp-1, 0x1.fffdd0310dc38p-1,
    0x1.ffffcffd0a1c1p-1, 0x1.fffffc550e636p-1,
    0x1.ffffffbf58dddp-1, 0x1.fffffffbf2c80p-1,
    0x1.ffffffffc45d9p-1, 0x1.fffffffffcd54p-1,
    0x1.fffffffffd800p-1, 0x1.fffffffffffe3p-1,
    0x1.fffffffffffffp-1, 0x1.0p+0,
};

double cs_dist_exp_mean(int64_t min, int64_t max)
{
    double width = (double)(max - min);
    double top = 1.0 - sqrt(1.0 / width);

    return width / (-1.0 * cs_fast_ln(1.0 - top));
}

static double sample(struct cs_dist *dist)
{
    struct cs_java_random *random = &dist->random;
    double x = cs_java_random_double(random);
    double sum = 0.0;
    double least;

    if (x == 0.0) /* the loop below would never end; the original hangs */
        return (double)INFINITY;
    while (x < 0.5) {
        sum += sums[0];
        x *= 2.0;
    }
    x += x - 1.0;
    if (x <= sums[0])
        return dist->spec.mean * (sum + x);
    least = cs_java_random_double(random);
    for (unsigned i = 1; i < CS_COUNT(sums); i++) {
        double u = cs_java_random_double(random);

        least = CS_MIN(least, u);
        if (x <= sums[i])
            break;
    }
    return dist->spec.mean * (sum + least * sums[0]);
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
    double r = p == 1.0 ? (double)INFINITY : -spec->mean * cs_fast_ln(1.0 - p);

    return cs_dist_above_min(spec, r);
}

static void describe(struct cs_buf *buf, const struct cs_dist_spec *spec)
{
    cs_dist_describe_range(buf, "Exponential", spec);
    cs_buf_puts(buf, ",mean=");
    cs_put_fixed(buf, spec->mean, 6, false, 0);
}

const struct cs_dist_family cs_dist_exp_family = {
    .next = next,
    .next_double = next_double,
    .inverse = inverse,
    .describe = describe,
};
