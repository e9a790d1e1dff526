/* mix_set.c - what a set in a key makes of the seed: its elements count in the
 * order in which Cassandra keeps them, not in that of the draws. */
#include "generate/generate_internal.h"

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static unsigned version_of(uint64_t high)
{
    return (unsigned)(high >> 12 & 0xf);
}

/* The time of a version 1 UUID, most significant part first. */
static uint64_t time_of(uint64_t high)
{
    return high << 48 | (high << 16 & UINT64_C(0xffff00000000)) | high >> 32;
}

/* By version, then by time where there is one, then by bytes. */
static int compare_uuid(const uint8_t *a, const uint8_t *b)
{
    uint64_t x = cs_load64(a);
    uint64_t y = cs_load64(b);

    if (version_of(x) != version_of(y))
        return COMPARE(version_of(x), version_of(y));
    if (version_of(x) == 1 && time_of(x) != time_of(y))
        return COMPARE(time_of(x), time_of(y));
    return memcmp(a, b, 16);
}

static int compare_bytes(const uint8_t *a, size_t a_size, const uint8_t *b,
                         size_t b_size)
{
    int order = memcmp(a, b, CS_MIN(a_size, b_size));

    return order ? order : COMPARE(a_size, b_size);
}

/* Cells (int32 size, bytes) in Cassandra's order of the type. */
static int compare(enum cs_type_kind kind, const uint8_t *a, const uint8_t *b)
{
    size_t a_size = cs_load32(a);
    size_t b_size = cs_load32(b);

    a += 4;
    b += 4;
    switch (kind) {
    case CS_TYPE_BLOB:
    case CS_TYPE_INET:
        return compare_bytes(a, a_size, b, b_size);
    case CS_TYPE_UUID:
    case CS_TYPE_TIMEUUID:
        return compare_uuid(a, b);
    default: /* as Java does */
        return cs_gen_compare(kind, a, a_size, b, b_size);
    }
}

/* The least element above the last one (NULL: of all). */
static const uint8_t *next_element(const struct cs_type *element,
                                   const uint8_t *bytes, const uint8_t *last)
{
    uint32_t count = cs_load32(bytes);
    const uint8_t *cell = bytes + 4;
    const uint8_t *least = NULL;

    for (uint32_t i = 0; i < count; i++) {
        if ((!last || compare(element->kind, cell, last) > 0) &&
            (!least || compare(element->kind, cell, least) < 0))
            least = cell;
        cell += 4 + (size_t)cs_load32(cell);
    }
    return least;
}

/* A search per element needs no memory; sets in keys are small, and their
 * elements all different. */
int64_t cs_gen_mix_set(const struct cs_type *element, const uint8_t *bytes,
                       int64_t seed)
{
    const uint8_t *cell = NULL;

    seed = cs_gen_mix_bytes(bytes, 4, seed);
    while ((cell = next_element(element, bytes, cell)) != NULL)
        seed = cs_gen_mix_bytes(cell, 4 + (size_t)cs_load32(cell), seed);
    return seed;
}
