/* unique.c - a hash set of cells by their places in a buffer. */
#include "generate/unique_internal.h"

#include "base/buf.h"
#include "base/murmur3.h"

#include <stdlib.h>

#define FIRST_CAP 16

void cs_gen_unique_release(struct cs_gen_unique *u)
{
    free(u->slots);
    *u = (struct cs_gen_unique){0};
}

bool cs_gen_unique_clear(struct cs_gen_unique *u, size_t count)
{
    size_t cap = FIRST_CAP;

    if (count > UINT32_MAX / 2)
        return false;
    while (cap < 2 * count)
        cap *= 2;
    if (cap > u->cap) {
        uint32_t *slots = realloc(u->slots, cap * sizeof(*slots));

        if (!slots)
            return false;
        u->slots = slots;
        u->cap = cap;
    }
    memset(u->slots, 0, cap * sizeof(*u->slots));
    u->cap_now = cap;
    return true;
}

bool cs_gen_unique_add(struct cs_gen_unique *u, const uint8_t *base,
                       size_t place)
{
    const uint8_t *cell = base + place;
    size_t size = 4 + (size_t)cs_load32(cell);
    size_t at = (uint64_t)cs_murmur3(cell, size) & (u->cap_now - 1);

    while (u->slots[at]) {
        const uint8_t *other = base + (u->slots[at] - 1);

        if (4 + (size_t)cs_load32(other) == size && !memcmp(other, cell, size))
            return false;
        at = (at + 1) & (u->cap_now - 1);
    }
    u->slots[at] = (uint32_t)place + 1;
    return true;
}
