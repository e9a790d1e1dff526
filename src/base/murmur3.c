/* murmur3.c - Cassandra's variant of MurmurHash3 x64-128. */
#include "base/murmur3.h"
#include "base/compiler.h"

#include <string.h>

#define C1 UINT64_C(0x87c37b91114253d5)
#define C2 UINT64_C(0x4cf5ad432745937f)

CS_INLINE uint64_t rotate(uint64_t v, int bits)
{
    return v << bits | v >> (64 - bits);
}

CS_INLINE uint64_t finish(uint64_t k)
{
    k ^= k >> 33;
    k *= UINT64_C(0xff51afd7ed558ccd);
    k ^= k >> 33;
    k *= UINT64_C(0xc4ceb9fe1a85ec53);
    return k ^ k >> 33;
}

CS_INLINE uint64_t mix_k1(uint64_t k)
{
    return rotate(k * C1, 31) * C2;
}

CS_INLINE uint64_t mix_k2(uint64_t k)
{
    return rotate(k * C2, 33) * C1;
}

/* Each byte is sign-extended before its shift: one of 0x80 or more flips all
 * bits above it. */
CS_INLINE uint64_t extend_signs(uint64_t k)
{
    uint64_t flips = (k & UINT64_C(0x8080808080808080)) << 1;

    if (!flips) /* ASCII: most keys */
        return k;
    flips ^= flips << 8;
    flips ^= flips << 16;
    flips ^= flips << 32;
    return k ^ flips * UINT8_MAX;
}

/* One to eight bytes up to end, little-endian; eight can be read there. */
CS_INLINE uint64_t last_bytes(const unsigned char *end, size_t size)
{
    uint64_t k;

    memcpy(&k, end - 8, 8);
    return extend_signs(k >> (64 - 8 * size));
}

/* One to seven bytes, with nothing before them. */
static uint64_t few_bytes(const unsigned char *bytes, size_t size)
{
    uint64_t k = 0;

    while (size)
        k = k << 8 | bytes[--size];
    return extend_signs(k);
}

int64_t cs_murmur3(const void *bytes, size_t size)
{
    const unsigned char *p = bytes;
    uint64_t h1 = 0;
    uint64_t h2 = 0;
    size_t left = size;

    for (; left >= 16; left -= 16, p += 16) {
        uint64_t k1, k2;

        memcpy(&k1, p, 8);
        memcpy(&k2, p + 8, 8);
        h1 ^= mix_k1(k1);
        h1 = (rotate(h1, 27) + h2) * 5 + 0x52dce729;
        h2 ^= mix_k2(k2);
        h2 = (rotate(h2, 31) + h1) * 5 + 0x38495ab5;
    }
    if (left > 8)
        h2 ^= mix_k2(last_bytes(p + left, left - 8));
    if (left >= 8)
        h1 ^= mix_k1(last_bytes(p + 8, 8));
    else if (left)
        h1 ^=
            mix_k1(size < 8 ? few_bytes(p, left) : last_bytes(p + left, left));
    h1 ^= size;
    h2 ^= size;
    h1 += h2;
    h2 += h1;
    h1 = finish(h1);
    h2 = finish(h2);
    return (int64_t)(h1 + h2);
}
