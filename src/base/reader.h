/* reader.h - a cursor over bytes that never reads past their end: the first
 * bad read sets a sticky fault and all later reads give zero. Big-endian. */
#ifndef CS_BASE_READER_H
#define CS_BASE_READER_H

#include "base/buf.h"

struct cs_reader {
    const uint8_t *p; /* borrowed */
    const uint8_t *end;
    bool fault;
};

CS_INLINE struct cs_reader cs_reader_of(const void *bytes, size_t size)
{
    const uint8_t *p = bytes;

    return (struct cs_reader){.p = p, .end = p + size};
}

CS_INLINE size_t cs_reader_left(const struct cs_reader *r)
{
    return (size_t)(r->end - r->p);
}

/* size bytes, borrowed; NULL and the fault when fewer are left. */
CS_INLINE const uint8_t *cs_read_bytes(struct cs_reader *r, size_t size)
{
    const uint8_t *p = r->p;

    if (CS_UNLIKELY(r->fault || cs_reader_left(r) < size)) {
        r->fault = true;
        r->p = r->end;
        return NULL;
    }
    r->p += size;
    return p;
}

CS_INLINE uint8_t cs_read8(struct cs_reader *r)
{
    const uint8_t *p = cs_read_bytes(r, 1);

    return p ? *p : 0;
}

CS_INLINE uint16_t cs_read16(struct cs_reader *r)
{
    const uint8_t *p = cs_read_bytes(r, 2);

    return p ? cs_load16(p) : 0;
}

CS_INLINE uint32_t cs_read32(struct cs_reader *r)
{
    const uint8_t *p = cs_read_bytes(r, 4);

    return p ? cs_load32(p) : 0;
}

CS_INLINE uint64_t cs_read64(struct cs_reader *r)
{
    const uint8_t *p = cs_read_bytes(r, 8);

    return p ? cs_load64(p) : 0;
}

#endif
