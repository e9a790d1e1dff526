/* dist_seq.c - seq(a..b): counts from a to b and starts over; a seed sets the
 * counter. */
#include "random/dist_internal.h"

#include <inttypes.h>

/* A negative seed gives values below a, as in the original. */
static int64_t next(struct cs_dist *dist)
{
    int64_t count = dist->spec.max - dist->spec.min + 1;
    int64_t at = dist->counter;

    dist->counter = (int64_t)((uint64_t)at + 1);
    return (int64_t)((uint64_t)dist->spec.min + (uint64_t)(at % count));
}

static double next_double(struct cs_dist *dist)
{
    return (double)next(dist);
}

static int64_t inverse(const struct cs_dist_spec *spec, double p)
{
    double width = (double)(spec->max - spec->min);

    return cs_dist_within(spec, (double)spec->min + width * p);
}

static void describe(struct cs_buf *buf, const struct cs_dist_spec *spec)
{
    cs_buf_printf(buf, "Sequence:  start=%" PRId64 ",end=%" PRId64, spec->min,
                  spec->max);
}

const struct cs_dist_family cs_dist_seq_family = {
    .next = next,
    .next_double = next_double,
    .inverse = inverse,
    .describe = describe,
};
