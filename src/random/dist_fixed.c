/* dist_fixed.c - fixed(k): always the same value. */
#include "random/dist_internal.h"

#include <inttypes.h>

static int64_t next(struct cs_dist *dist)
{
    return dist->spec.min;
}

static double next_double(struct cs_dist *dist)
{
    return (double)dist->spec.min;
}

static int64_t inverse(const struct cs_dist_spec *spec, double p)
{
    (void)p;
    return spec->min;
}

static void describe(struct cs_buf *buf, const struct cs_dist_spec *spec)
{
    cs_buf_printf(buf, "Fixed:  key=%" PRId64, spec->min);
}

const struct cs_dist_family cs_dist_fixed_family = {
    .next = next,
    .next_double = next_double,
    .inverse = inverse,
    .describe = describe,
};
