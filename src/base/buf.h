/* buf.h - a growing byte buffer with a stated maximum and a sticky fault:
 * write straight down, test once. Numbers are written big-endian. */
#ifndef CS_BASE_BUF_H
#define CS_BASE_BUF_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cs_buf {
    uint8_t *data; /* owned */
    size_t size;   /* bytes in use */
    size_t cap;
    size_t max; /* never grows past this many bytes */
    bool fault; /* memory or the maximum ran out; further writes do nothing */
};

/* Nothing is allocated before the first write. */
static inline void cs_buf_init(struct cs_buf *buf, size_t max)
{
    *buf = (struct cs_buf){.max = max};
}

void cs_buf_release(struct cs_buf *buf);

/* Empty again and ready: capacity kept, fault gone. */
static inline void cs_buf_clear(struct cs_buf *buf)
{
    buf->size = 0;
    buf->fault = false;
}

/* Slow path of cs_buf_room: grows, or sets the fault and returns NULL. */
uint8_t *cs_buf_grow(struct cs_buf *buf, size_t more);

/* Where the next bytes go, with room for at least more of them; NULL at fault.
 * The caller writes and then adds what it wrote to size. */
CS_INLINE uint8_t *cs_buf_room(struct cs_buf *buf, size_t more)
{
    if (CS_LIKELY(buf->cap - buf->size >= more && !buf->fault))
        return buf->data + buf->size;
    return cs_buf_grow(buf, more);
}

CS_INLINE void cs_store16(uint8_t *p, uint16_t v)
{
    v = __builtin_bswap16(v);
    memcpy(p, &v, sizeof(v));
}

CS_INLINE void cs_store32(uint8_t *p, uint32_t v)
{
    v = __builtin_bswap32(v);
    memcpy(p, &v, sizeof(v));
}

CS_INLINE void cs_store64(uint8_t *p, uint64_t v)
{
    v = __builtin_bswap64(v);
    memcpy(p, &v, sizeof(v));
}

CS_INLINE uint16_t cs_load16(const uint8_t *p)
{
    uint16_t v;

    memcpy(&v, p, sizeof(v));
    return __builtin_bswap16(v);
}

CS_INLINE uint32_t cs_load32(const uint8_t *p)
{
    uint32_t v;

    memcpy(&v, p, sizeof(v));
    return __builtin_bswap32(v);
}

CS_INLINE uint64_t cs_load64(const uint8_t *p)
{
    uint64_t v;

    memcpy(&v, p, sizeof(v));
    return __builtin_bswap64(v);
}

CS_INLINE void cs_buf_put(struct cs_buf *buf, const void *bytes, size_t size)
{
    /* Nothing to put: an empty buffer has no address to add to. */
    uint8_t *p = size ? cs_buf_room(buf, size) : NULL;

    if (CS_LIKELY(p != NULL)) {
        memcpy(p, bytes, size);
        buf->size += size;
    }
}

static inline void cs_buf_put8(struct cs_buf *buf, uint8_t v)
{
    cs_buf_put(buf, &v, 1);
}

static inline void cs_buf_put16(struct cs_buf *buf, uint16_t v)
{
    uint8_t b[2];

    cs_store16(b, v);
    cs_buf_put(buf, b, sizeof(b));
}

static inline void cs_buf_put32(struct cs_buf *buf, uint32_t v)
{
    uint8_t b[4];

    cs_store32(b, v);
    cs_buf_put(buf, b, sizeof(b));
}

static inline void cs_buf_put64(struct cs_buf *buf, uint64_t v)
{
    uint8_t b[8];

    cs_store64(b, v);
    cs_buf_put(buf, b, sizeof(b));
}

/* Text without its NUL. */
static inline void cs_buf_puts(struct cs_buf *buf, const char *text)
{
    cs_buf_put(buf, text, strlen(text));
}

void cs_buf_printf(struct cs_buf *buf, const char *fmt, ...) CS_PRINTF(2, 3);

/* The content as a NUL-terminated string (the NUL is not counted); borrowed.
 * "" at fault. */
const char *cs_buf_text(struct cs_buf *buf);

/* Removes the first size bytes (at most all). */
void cs_buf_consume(struct cs_buf *buf, size_t size);

/* CS_ENOMEM when the sticky fault is set. */
enum cs_code cs_buf_check(const struct cs_buf *buf, const char *what,
                          struct cs_err *err) CS_MUST_USE;

#endif
