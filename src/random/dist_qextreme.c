/* dist_qextreme.c - qextreme(a..b,shape,q): extreme cut into q bands of equal
 * probability, even inside each band. The place inside the band comes from a
 * second random that no seed reaches, as in the original. */
#include "random/dist_internal.h"

/* Lower end of a band; band q is one above the range. Computed when asked, so
 * that a spec stays plain data: a sample needs log2(q) of them. */
static int64_t bound(const struct cs_dist_spec *spec, int band)
{
    double p = (double)band / (double)spec->quantas;

    if (band <= 0)
        return spec->min;
    if (band >= spec->quantas)
        return spec->max + 1;
    return cs_dist_extreme_family.inverse(spec, p);
}

/* The band whose lower end is below value and whose upper end is not; -1 for
 * the lower end of all. Where bands are empty several answers are right: the
 * order of the search decides, and it is that of Java's binarySearch. */
static int band_of(const struct cs_dist_spec *spec, int64_t value)
{
    int low = 0;
    int high = spec->quantas;

    while (low <= high) {
        int middle = low + (high - low) / 2;
        int64_t at = bound(spec, middle);

        if (at == value)
            return middle - 1;
        if (at < value)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return low - 1;
}

/* The value at a share of a band, never past the range (the original reports
 * max + 1 at times). */
static int64_t within_band(const struct cs_dist_spec *spec, int band,
                           double share)
{
    int64_t low = bound(spec, band);
    double width = (double)(bound(spec, band + 1) - low);
    int64_t value = low + cs_trunc64(share * width);

    return CS_MIN(value, spec->max);
}

/* In [0, 1): Vigna's splitmix64. */
static double roll(struct cs_dist *dist)
{
    uint64_t z = dist->roll += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1.0p-53;
}

static int64_t next(struct cs_dist *dist)
{
    int band = band_of(&dist->spec, cs_dist_extreme_family.next(dist));

    /* The original fails on the lowest value (band -1). */
    return within_band(&dist->spec, CS_MAX(band, 0), roll(dist));
}

static double next_double(struct cs_dist *dist)
{
    return (double)next(dist);
}

static int64_t inverse(const struct cs_dist_spec *spec, double p)
{
    double bands = (double)spec->quantas;
    int band = band_of(spec, cs_dist_extreme_family.inverse(spec, p));

    if (band < 0)
        return spec->min;
    if (band >= spec->quantas)
        return spec->max;
    return within_band(spec, band, (p - (double)band / bands) * bands);
}

const struct cs_dist_family cs_dist_qextreme_family = {
    .next = next,
    .next_double = next_double,
    .inverse = inverse,
    .describe = cs_dist_extreme_describe,
};
