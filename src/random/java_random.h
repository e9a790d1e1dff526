/* java_random.h - java.util.Random, bit for bit. */
#ifndef CS_RANDOM_JAVA_RANDOM_H
#define CS_RANDOM_JAVA_RANDOM_H

#include "base/compiler.h"

#include <stdbool.h>
#include <stdint.h>

struct cs_java_random {
    uint64_t state;       /* the low 48 bits count, those above are left over */
    double next_gaussian; /* valid when has_gaussian */
    bool has_gaussian;
};

CS_INLINE void cs_java_random_seed(struct cs_java_random *r, int64_t seed)
{
    r->state = (uint64_t)seed ^ UINT64_C(0x5DEECE66D);
    r->has_gaussian = false;
}

/* The top bits (1 to 32) of the next state as a signed 32-bit number. */
CS_INLINE int32_t cs_java_random_bits(struct cs_java_random *r, int bits)
{
    r->state = r->state * UINT64_C(0x5DEECE66D) + 0xB;
    return (int32_t)((uint32_t)(r->state >> 16) >> (32 - bits));
}

CS_INLINE int64_t cs_java_random_long(struct cs_java_random *r)
{
    uint64_t high = (uint64_t)(int64_t)cs_java_random_bits(r, 32);
    uint64_t low = (uint64_t)(int64_t)cs_java_random_bits(r, 32);

    return (int64_t)((high << 32) + low);
}

/* In [0, 1). */
CS_INLINE double cs_java_random_double(struct cs_java_random *r)
{
    int64_t high = (int64_t)cs_java_random_bits(r, 26) << 27;

    return (double)(high + cs_java_random_bits(r, 27)) * 0x1.0p-53;
}

double cs_java_random_gaussian(struct cs_java_random *r);

#endif
