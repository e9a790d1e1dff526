/* java_random.h - java.util.Random, bit for bit. */
#ifndef CS_RANDOM_JAVA_RANDOM_H
#define CS_RANDOM_JAVA_RANDOM_H

#include "base/compiler.h"

#include <stdbool.h>
#include <stdint.h>

struct cs_java_random {
    uint64_t state; /* of 48 bits, at the top: bits are taken from there */
    double next_gaussian; /* valid when has_gaussian */
    bool has_gaussian;
};

/* The state that a seed starts with. That of a ^ b is start(a) ^ b << 16. */
CS_INLINE uint64_t cs_java_random_start(int64_t seed)
{
    return (uint64_t)seed << 16 ^ UINT64_C(0x5DEECE66D) << 16;
}

CS_INLINE void cs_java_random_seed(struct cs_java_random *r, int64_t seed)
{
    r->state = cs_java_random_start(seed);
    r->has_gaussian = false;
}

/* The top bits (1 to 32) of the next state as a signed 32-bit number. */
CS_INLINE int32_t cs_java_random_bits(struct cs_java_random *r, int bits)
{
    r->state = r->state * UINT64_C(0x5DEECE66D) + (UINT64_C(0xB) << 16);
    return (int32_t)(r->state >> (64 - bits));
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
