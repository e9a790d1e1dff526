/* mix.c - how a value feeds the next seed: numbers as one step, everything else
 * byte by byte. */
#include "generate/generate_internal.h"

static int64_t step(int64_t seed, int64_t number)
{
    return (int64_t)(31 * (uint64_t)seed + (uint64_t)number);
}

#define P2 UINT64_C(961)          /* 31 to the power of 2 */
#define P4 UINT64_C(923521)       /* of 4 */
#define P8 UINT64_C(852891037441) /* of 8 */

/* What eight bytes add to 31^8 times the seed. Java's bytes are signed: 128 is
 * added to each, so that pairs and then quads of them can be computed side by
 * side without borrowing, and taken away again from the sum. A pair is 256 a +
 * b and becomes 31 a + b by taking the difference away; likewise a quad. */
CS_INLINE uint64_t mix_eight(const uint8_t *bytes)
{
    const uint64_t low8 = UINT64_C(0x00ff00ff00ff00ff);
    const uint64_t low16 = UINT64_C(0x0000ffff0000ffff);
    const uint64_t added = 128 * (P4 + 1) * (P2 + 1) * (31 + 1);
    uint64_t v = cs_load64(bytes) ^ UINT64_C(0x8080808080808080);

    v -= (v >> 8 & low8) * (256 - 31);
    v -= (v >> 16 & low16) * (65536 - P2);
    return (v >> 32) * P4 + (v & UINT32_MAX) - added;
}

/* z = 31 * z + byte for each. */
int64_t cs_gen_mix_bytes(const uint8_t *bytes, size_t size, int64_t seed)
{
    uint64_t z = (uint64_t)seed;

    for (; size >= 8; size -= 8, bytes += 8)
        z = z * P8 + mix_eight(bytes);
    for (; size; size--, bytes++)
        z = z * 31 + (uint64_t)(int64_t)(int8_t)*bytes;
    return (int64_t)z;
}

int64_t cs_gen_number(const uint8_t *bytes, size_t size)
{
    uint64_t v = size && bytes[0] & 0x80 ? UINT64_MAX : 0;

    for (size_t i = 0; i < size; i++)
        v = v << 8 | bytes[i];
    return (int64_t)v;
}

static int64_t double_number(const uint8_t *bytes)
{
    uint64_t bits = cs_load64(bytes);
    double v;

    memcpy(&v, &bits, sizeof(v));
    return cs_trunc64(v);
}

static int64_t float_number(const uint8_t *bytes)
{
    uint32_t bits = cs_load32(bytes);
    float v;

    memcpy(&v, &bits, sizeof(v));
    return cs_trunc64((double)v);
}

int64_t cs_gen_mix(const struct cs_type *type, const uint8_t *bytes,
                   size_t size, int64_t seed)
{
    switch (type->kind) {
    case CS_TYPE_BIGINT:
    case CS_TYPE_COUNTER:
    case CS_TYPE_INT:
    case CS_TYPE_SMALLINT:
    case CS_TYPE_TINYINT:
    case CS_TYPE_VARINT:
    case CS_TYPE_TIME:
        return step(seed, cs_gen_number(bytes, size));
    case CS_TYPE_DECIMAL: /* behind its scale of 0 */
        return step(seed, cs_gen_number(bytes + 4, size - 4));
    case CS_TYPE_DATE: /* the days from 1970, not those on the wire */
        return step(seed, (int32_t)(cs_load32(bytes) ^ UINT32_C(0x80000000)));
    case CS_TYPE_DOUBLE:
        return step(seed, double_number(bytes));
    case CS_TYPE_FLOAT:
        return step(seed, float_number(bytes));
    case CS_TYPE_UUID:
    case CS_TYPE_TIMEUUID:
        return step(seed, (int64_t)(cs_load64(bytes) ^ cs_load64(bytes + 8)));
    case CS_TYPE_SET:
        if (cs_gen_is_scalar(type->parts[0]))
            return cs_gen_mix_set(type->parts[0], bytes, seed);
        return cs_gen_mix_bytes(bytes, size, seed);
    default:
        return cs_gen_mix_bytes(bytes, size, seed);
    }
}
