/* vint.h - the protocol's integers of variable length: the leading 1 bits of
 * the first byte count the bytes that follow it. */
#ifndef CS_TYPES_VINT_H
#define CS_TYPES_VINT_H

#include "base/reader.h"

/* Bytes of the shortest form. */
CS_INLINE size_t cs_uvint_size(uint64_t v)
{
    size_t size = 1;

    while (size < 9 && v >> (7 * size))
        size++;
    return size;
}

static inline void cs_buf_put_uvint(struct cs_buf *buf, uint64_t v)
{
    size_t size = cs_uvint_size(v);
    uint8_t *p = cs_buf_room(buf, size);

    if (!p)
        return;
    for (size_t i = size; i-- > 0; v >>= 8)
        p[i] = (uint8_t)v;
    p[0] = (uint8_t)(p[0] | ~(0xff >> (size - 1)));
    buf->size += size;
}

static inline uint64_t cs_read_uvint(struct cs_reader *r)
{
    uint8_t first = cs_read8(r);
    unsigned more = 0;
    uint64_t v;

    while (more < 8 && first & (0x80 >> more))
        more++;
    v = first & (0xff >> more);
    for (unsigned i = 0; i < more; i++)
        v = v << 8 | cs_read8(r);
    return r->fault ? 0 : v;
}

/* Signed ones are sent as 0, -1, 1, -2 ... */
CS_INLINE uint64_t cs_zigzag(int64_t v)
{
    return (uint64_t)v << 1 ^ (uint64_t)(v >> 63);
}

CS_INLINE int64_t cs_unzigzag(uint64_t v)
{
    return (int64_t)(v >> 1 ^ (~(v & 1) + 1));
}

static inline void cs_buf_put_vint(struct cs_buf *buf, int64_t v)
{
    cs_buf_put_uvint(buf, cs_zigzag(v));
}

static inline int64_t cs_read_vint(struct cs_reader *r)
{
    return cs_unzigzag(cs_read_uvint(r));
}

#endif
