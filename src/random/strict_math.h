/* strict_math.h - the logarithm that java.util.Random's gaussians are made of
 * (Java's StrictMath.log), bit for bit. */
#ifndef CS_RANDOM_STRICT_MATH_H
#define CS_RANDOM_STRICT_MATH_H

/* Natural logarithm of a finite number: 0 gives -infinity, below 0 NaN. */
double cs_strict_ln(double x);

#endif
