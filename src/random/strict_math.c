/* strict_math.c - natural logarithm by reduction to sqrt(2)/2..sqrt(2) and a
 * polynomial in f/(2 + f), with every rounding of Java's StrictMath (the C
 * library differs in the last bit for 7 % of arguments). */
#include "random/strict_math.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const double ln2_high = 6.93147180369123816490e-01;
static const double ln2_low = 1.90821492927058770002e-10;
static const double third = 3.33333333333333314830e-01;

/* Coefficients of the polynomial. */
static const double L1 = 6.666666666666735130e-01;
static const double L2 = 3.999999999940941908e-01;
static const double L3 = 2.857142874366239149e-01;
static const double L4 = 2.222219843214978396e-01;
static const double L5 = 1.818357216161805012e-01;
static const double L6 = 1.531383769920937332e-01;
static const double L7 = 1.479819860511658591e-01;

/* x = 2^k * (1 + f); high: the upper mantissa bits of x. */
struct reduced {
    int k;
    int32_t high;
    double f;
};

static struct reduced reduce(double x)
{
    struct reduced r = {0};
    uint64_t bits;
    int32_t i;

    if (x < 0x1.0p-1022) { /* subnormal */
        r.k = -54;
        x *= 0x1.0p54;
    }
    memcpy(&bits, &x, sizeof(bits));
    r.high = (int32_t)(bits >> 32);
    r.k += (r.high >> 20) - 1023;
    r.high &= 0xfffff;
    i = (r.high + 0x95f64) & 0x100000;
    bits = (bits & UINT32_MAX) | (uint64_t)(r.high | (i ^ 0x3ff00000)) << 32;
    r.k += i >> 20;
    memcpy(&x, &bits, sizeof(x));
    r.f = x - 1.0;
    return r;
}

/* |f| below 2^-20: two terms of the series are exact enough. */
static double ln_tiny(const struct reduced *r)
{
    double k = r->k;
    double f = r->f;
    double rest;

    if (f == 0.0)
        return r->k ? k * ln2_high + k * ln2_low : 0.0;
    rest = f * f * (0.5 - third * f);
    if (!r->k)
        return f - rest;
    return k * ln2_high - ((rest - k * ln2_low) - f);
}

double cs_strict_ln(double x)
{
    struct reduced r;
    double k, f, s, z, w, rest, half;

    if (!(x > 0.0))
        return x == 0.0 ? (double)-INFINITY : (double)NAN;
    r = reduce(x);
    if ((0xfffff & (2 + r.high)) < 3)
        return ln_tiny(&r);
    k = r.k;
    f = r.f;
    s = f / (2.0 + f);
    z = s * s;
    w = z * z;
    rest = w * (L2 + w * (L4 + w * L6));
    rest = z * (L1 + w * (L3 + w * (L5 + w * L7))) + rest;
    if (((r.high - 0x6147a) | (0x6b851 - r.high)) > 0) {
        half = 0.5 * f * f;
        if (!r.k)
            return f - (half - s * (half + rest));
        return k * ln2_high - ((half - (s * (half + rest) + k * ln2_low)) - f);
    }
    if (!r.k)
        return f - s * (f - rest);
    return k * ln2_high - ((s * (f - rest) - k * ln2_low) - f);
}
