/* bits.h - comparing numbers bit for bit with vectors that give them as 16 hex
 * digits. */
#ifndef CS_TESTS_SUPPORT_BITS_H
#define CS_TESTS_SUPPORT_BITS_H

#include "support/vectors.h"

#include <inttypes.h>

static inline uint64_t double_bits(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static inline double bits_double(const char *hex)
{
    uint64_t bits = strtoull(hex, NULL, 16);
    double value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* The index-th number of a line against a JSON string of hex digits. */
static inline void check_bits(const struct vector_file *v, size_t index,
                              uint64_t got, json_t *want)
{
    uint64_t bits = strtoull(json_string_value(want), NULL, 16);

    if (got != bits)
        fail_msg("%s:%d: number %zu: got %016" PRIx64 ", want %016" PRIx64,
                 v->path, v->line, index, got, bits);
}

#endif
