/* fast_math.h - logarithm, power and inverse error function with the roundings
 * of commons-math, which the original's exp, extreme and gaussian quantiles
 * are made of. The C library differs in the last bit now and then. */
#ifndef CS_RANDOM_FAST_MATH_H
#define CS_RANDOM_FAST_MATH_H

/* Natural logarithm: 0 gives -infinity, below 0 NaN. */
double cs_fast_ln(double x);

/* x^y for x >= 0. Bit for bit while the result is in about e^-60..e^60; beyond
 * that the C library's. */
double cs_fast_pow(double x, double y);

/* Giles' approximation; -1 and 1 give infinities. */
double cs_erfinv(double x);

#endif
