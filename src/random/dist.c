/* dist.c - what all distributions have in common: the start, ~, and the
 * numbers that the original derives from quantiles. */
#include "random/dist_internal.h"

#include "base/clock.h"

#include <inttypes.h>
#include <sys/random.h>

/* Quantiles that an average is made of. */
#define AVERAGE_POINTS 51

static const struct cs_dist_family *const families[] = {
    [CS_DIST_FIXED] = &cs_dist_fixed_family,
    [CS_DIST_UNIFORM] = &cs_dist_uniform_family,
    [CS_DIST_GAUSSIAN] = &cs_dist_gaussian_family,
    [CS_DIST_EXP] = &cs_dist_exp_family,
    [CS_DIST_EXTREME] = &cs_dist_extreme_family,
    [CS_DIST_QEXTREME] = &cs_dist_qextreme_family,
    [CS_DIST_SEQ] = &cs_dist_seq_family,
};

/* From the kernel; from the clock and an address where it has none to give. */
static uint64_t random_bits(const void *salt)
{
    uint64_t bits;

    if (getrandom(&bits, sizeof(bits), GRND_NONBLOCK) == sizeof(bits))
        return bits;
    return (uint64_t)cs_now_ns() ^ (uint64_t)cs_wall_ns() << 20 ^
           (uint64_t)(uintptr_t)salt;
}

void cs_dist_init(struct cs_dist *dist, const struct cs_dist_spec *spec)
{
    *dist = (struct cs_dist){.spec = *spec, .roll = random_bits(dist)};
    cs_java_random_seed(&dist->random, (int64_t)random_bits(dist));
}

/* ~ turns the range around: min + max - value, wrapping like Java's long. */
static int64_t turn(const struct cs_dist_spec *spec, int64_t value)
{
    return (int64_t)((uint64_t)spec->max -
                     ((uint64_t)value - (uint64_t)spec->min));
}

int64_t cs_dist_next_any(struct cs_dist *dist)
{
    int64_t value = families[dist->spec.kind]->next(dist);

    return dist->spec.inverted ? turn(&dist->spec, value) : value;
}

double cs_dist_next_double(struct cs_dist *dist)
{
    double value = families[dist->spec.kind]->next_double(dist);

    if (!dist->spec.inverted)
        return value;
    return (double)dist->spec.max - (value - (double)dist->spec.min);
}

int64_t cs_dist_inverse(const struct cs_dist_spec *spec, double p)
{
    int64_t value = families[spec->kind]->inverse(spec, p);

    return spec->inverted ? turn(spec, value) : value;
}

int64_t cs_dist_min(const struct cs_dist_spec *spec)
{
    return cs_dist_inverse(spec, 0.0);
}

int64_t cs_dist_max(const struct cs_dist_spec *spec)
{
    return cs_dist_inverse(spec, 1.0);
}

int64_t cs_dist_average(const struct cs_dist_spec *spec)
{
    double sum = 0.0;
    float p = 0.0F; /* the running probability is a float: the last is < 1 */

    for (int i = 0; i < AVERAGE_POINTS; i++) {
        sum += (double)cs_dist_inverse(spec, (double)p);
        p = (float)((double)p + 0.02);
    }
    return cs_trunc64(sum / AVERAGE_POINTS);
}

int64_t cs_dist_least(const struct cs_dist_spec *spec)
{
    if (spec->kind == CS_DIST_SEQ && !spec->inverted)
        return (int64_t)((uint64_t)spec->min -
                         ((uint64_t)spec->max - (uint64_t)spec->min));
    return spec->min;
}

int64_t cs_dist_most(const struct cs_dist_spec *spec)
{
    if (spec->kind == CS_DIST_SEQ && spec->inverted)
        return (int64_t)((uint64_t)spec->max +
                         ((uint64_t)spec->max - (uint64_t)spec->min));
    return spec->max;
}

void cs_dist_describe_range(struct cs_buf *buf, const char *word,
                            const struct cs_dist_spec *spec)
{
    cs_buf_printf(buf, "%s:  min=%" PRId64 ",max=%" PRId64, word, spec->min,
                  spec->max);
}

void cs_dist_describe(struct cs_buf *buf, const struct cs_dist_spec *spec)
{
    if (spec->inverted)
        cs_buf_puts(buf, "Inverse: ");
    families[spec->kind]->describe(buf, spec);
}
