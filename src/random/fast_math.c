/* fast_math.c - ln and pow in two-part arithmetic, erfinv by polynomials. The
 * order of the operations is part of the result: one rounding each, so nothing
 * here may be simplified. */
#include "random/fast_math.h"

#include "base/compiler.h"
#include "random/fast_math_internal.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define SPLIT          0x1.0p30 /* cuts a number into two halves */
#define EXPONENT_SHIFT 52
#define MANT_BITS      UINT64_C(0x000ffc0000000000) /* top 10 of the mantissa */
#define REST_BITS      UINT64_C(0x000003ffffffffff) /* the 42 below */

/* The upper half of a number's bits. */
static double high_part(double v)
{
    double scaled = v * SPLIT;

    return (v + scaled) - scaled;
}

/* c[0]*x + c[1]*x^2 + ... by Horner, in two parts. */
static struct cs_fm_pair horner(const struct cs_fm_pair *c, int count,
                                struct cs_fm_pair x)
{
    struct cs_fm_pair y = c[count - 1];
    double a, b;

    for (int i = count - 2; i >= 0; i--) {
        a = y.hi * x.hi;
        b = y.hi * x.lo + y.lo * x.hi + y.lo * x.lo;
        y.hi = high_part(a);
        y.lo = (a - y.hi) + b;
        a = y.hi + c[i].hi;
        b = y.lo + c[i].lo;
        y.hi = high_part(a);
        y.lo = (a - y.hi) + b;
    }
    return (struct cs_fm_pair){
        .hi = y.hi * x.hi,
        .lo = y.hi * x.lo + y.lo * x.hi + y.lo * x.lo,
    };
}

static struct cs_fm_pair split(double v)
{
    double hi = high_part(v);

    return (struct cs_fm_pair){.hi = hi, .lo = v - hi};
}

/* Near 1, where the sum of logarithms would cancel. */
static double ln_near_one(double x)
{
    struct cs_fm_pair y =
        horner(cs_fm_ln_quick, CS_FM_LN_QUICK_COUNT, split(x - 1.0));
    double hi = high_part(y.hi);

    return hi + ((y.hi - hi) + y.lo);
}

/* A positive finite number taken apart: 2^exponent * (1 + mant/1024 + ...). */
struct parts {
    int exponent;
    unsigned mant;
    double rest;  /* low 42 bits, as an integer */
    double whole; /* what rest is to be divided by */
};

static struct parts take_apart(double x)
{
    uint64_t bits;
    struct parts p;

    memcpy(&bits, &x, sizeof(bits));
    p.exponent = (int)(bits >> EXPONENT_SHIFT) - 1023;
    if (p.exponent == -1023) { /* subnormal */
        p.exponent++;
        while (!(bits & (UINT64_C(1) << EXPONENT_SHIFT))) {
            bits <<= 1;
            p.exponent--;
        }
    }
    p.mant = (unsigned)((bits & MANT_BITS) >> 42);
    p.rest = (double)(bits & REST_BITS);
    p.whole = 0x1.0p52 + (double)(bits & MANT_BITS);
    return p;
}

/* ln(1 + e) for the small rest of the mantissa, without and with more
 * precision than a double has. */
static struct cs_fm_pair ln_rest_plain(double e)
{
    double y = -0.16624882440418567;

    y = y * e + 0.19999954120254515;
    y = y * e + -0.2499999997677497;
    y = y * e + 0.3333333333332802;
    y = y * e + -0.5;
    y = y * e + 1.0;
    return (struct cs_fm_pair){.hi = y * e};
}

static struct cs_fm_pair ln_rest_precise(const struct parts *p, double e)
{
    struct cs_fm_pair x = split(e);
    struct cs_fm_pair y, z;

    x.lo += ((p->rest - x.hi * p->whole) - x.lo * p->whole) / p->whole;
    y = horner(cs_fm_ln_precise, CS_FM_LN_PRECISE_COUNT, x);
    z.hi = y.hi + y.lo;
    z.lo = -((z.hi - y.hi) - y.lo);
    return z;
}

/* Adds up exponent, table and rest, keeping what each sum rounds away. */
static struct cs_fm_pair ln_sum(const struct parts *p, struct cs_fm_pair rest)
{
    double exponent = p->exponent;
    double terms[5] = {cs_fm_ln_mant[p->mant].hi, rest.hi,
                       cs_fm_ln2[0].lo * exponent, cs_fm_ln_mant[p->mant].lo,
                       rest.lo};
    struct cs_fm_pair sum = {.hi = cs_fm_ln2[0].hi * exponent};

    for (unsigned i = 0; i < CS_COUNT(terms); i++) {
        double next = sum.hi + terms[i];

        sum.lo += -((next - sum.hi) - terms[i]);
        sum.hi = next;
    }
    return sum;
}

double cs_fast_ln(double x)
{
    struct parts p;
    struct cs_fm_pair sum;

    if (!(x > 0.0))
        return x == 0.0 ? (double)-INFINITY : (double)NAN;
    if (isinf(x))
        return x;
    if (x > 0.99 && x < 1.01)
        return ln_near_one(x);
    p = take_apart(x);
    sum = ln_sum(&p, ln_rest_plain(p.rest / p.whole));
    return sum.hi + sum.lo;
}

/* e^(x + more). x is inside the table. */
static double exp_sum(double x, double more)
{
    int n = x >= 0.0 ? (int)x : -((int)-x + 1);
    int f = (int)((x - n) * 1024.0);
    double rest = x - (n + f / 1024.0);
    struct cs_fm_pair whole = cs_fm_exp_int[n + CS_FM_EXP_INT_MAX];
    struct cs_fm_pair part = cs_fm_exp_frac[f];
    double a = whole.hi * part.hi;
    double b = whole.hi * part.lo + whole.lo * part.hi + whole.lo * part.lo;
    double sum = b + a;
    double z = 0.04168701738764507;

    z = z * rest + 0.1666666505023083;
    z = z * rest + 0.5000000000042687;
    z = z * rest + 1.0;
    z = z * rest + -3.940510424527919E-20;
    if (more != 0.0)
        return sum * more * z + sum * more + sum * z + b + a;
    return sum * z + b + a;
}

static double exp_rest(double b)
{
    double z = 1.0 / 120.0;

    z = z * b + 1.0 / 24.0;
    z = z * b + 1.0 / 6.0;
    z = z * b + 0.5;
    z = z * b + 1.0;
    return z * b;
}

double cs_fast_pow(double x, double y)
{
    struct parts p;
    struct cs_fm_pair ln, part;
    double a, b, hi;

    if (!(x > 0.0) || isinf(x) || y == 0.0 || !isfinite(y * SPLIT))
        return pow(x, y);
    part = split(y);
    p = take_apart(x);
    ln = ln_sum(&p, ln_rest_precise(&p, p.rest / p.whole));
    hi = high_part(ln.hi);
    ln.lo += ln.hi - hi;
    a = hi * part.hi;
    b = hi * part.lo + ln.lo * part.hi + ln.lo * part.lo;
    ln.hi = a + b;
    ln.lo = -((ln.hi - a) - b);
    if (!(fabs(ln.hi) < CS_FM_EXP_INT_MAX))
        return pow(x, y);
    return exp_sum(ln.hi, exp_rest(ln.lo));
}

/* The polynomial at w, highest power first. */
static double polynomial(const double *c, int count, double w)
{
    double y = c[count - 1];

    for (int i = count - 2; i >= 0; i--)
        y = c[i] + y * w;
    return y;
}

double cs_erfinv(double x)
{
    double w = -cs_fast_ln((1.0 - x) * (1.0 + x));

    if (w < 6.25)
        return polynomial(cs_fm_erfinv_1, CS_FM_ERFINV_1_COUNT, w - 3.125) * x;
    if (w < 16.0)
        return polynomial(cs_fm_erfinv_2, CS_FM_ERFINV_2_COUNT,
                          sqrt(w) - 3.25) *
               x;
    if (!isinf(w))
        return polynomial(cs_fm_erfinv_3, CS_FM_ERFINV_3_COUNT, sqrt(w) - 5.0) *
               x;
    return x * (double)INFINITY;
}
