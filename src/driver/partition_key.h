/* partition_key.h - the bytes of a partition key and their token. */
#ifndef CS_DRIVER_PARTITION_KEY_H
#define CS_DRIVER_PARTITION_KEY_H

#include "base/buf.h"
#include "base/murmur3.h"

/* Token of a Murmur3 partitioner. The empty key has the least one. */
CS_INLINE int64_t cs_token_of(const void *key, size_t size)
{
    int64_t hash;

    if (CS_UNLIKELY(!size))
        return INT64_MIN;
    hash = cs_murmur3(key, size);
    return CS_UNLIKELY(hash == INT64_MIN) ? INT64_MAX : hash;
}

/* One component of a key of several columns: 16-bit size, bytes, 0. Too long a
 * one is the buffer's fault. A key of one column is its bytes, nothing more. */
CS_INLINE void cs_partition_key_add(struct cs_buf *buf, const void *part,
                                    size_t size)
{
    uint8_t *p;

    if (CS_UNLIKELY(size > UINT16_MAX)) {
        buf->fault = true;
        return;
    }
    p = cs_buf_room(buf, size + 3);
    if (CS_UNLIKELY(!p))
        return;
    cs_store16(p, (uint16_t)size);
    if (size)
        memcpy(p + 2, part, size);
    p[2 + size] = 0;
    buf->size += size + 3;
}

#endif
