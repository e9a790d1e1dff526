/* java_random.c - the Gaussian of java.util.Random (the rest is inline). */
#include "random/java_random.h"

#include "random/strict_math.h"

#include <math.h>

double cs_java_random_gaussian(struct cs_java_random *r)
{
    double a, b, square, scale;

    if (r->has_gaussian) {
        r->has_gaussian = false;
        return r->next_gaussian;
    }
    do { /* a point inside the unit circle */
        a = 2.0 * cs_java_random_double(r) - 1.0;
        b = 2.0 * cs_java_random_double(r) - 1.0;
        square = a * a + b * b;
    } while (square >= 1.0 || square == 0.0);
    scale = sqrt(-2.0 * cs_strict_ln(square) / square);
    r->next_gaussian = b * scale;
    r->has_gaussian = true;
    return a * scale;
}
