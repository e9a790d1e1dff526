/* buf.c - growth and formatted writing of the byte buffer. */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define SMALLEST_CAP 64

void cs_buf_release(struct cs_buf *buf)
{
    free(buf->data);
    *buf = (struct cs_buf){.max = buf->max};
}

uint8_t *cs_buf_grow(struct cs_buf *buf, size_t more)
{
    size_t cap = buf->cap ? buf->cap : SMALLEST_CAP;
    uint8_t *data;

    if (buf->fault)
        return NULL;
    if (buf->size > buf->max || more > buf->max - buf->size) {
        buf->fault = true;
        return NULL;
    }
    while (cap < buf->size + more)
        cap *= 2;
    if (cap > buf->max)
        cap = buf->max;
    if (cap == buf->cap)
        return buf->data + buf->size;
    data = realloc(buf->data, cap);
    if (!data) {
        buf->fault = true;
        return NULL;
    }
    buf->data = data;
    buf->cap = cap;
    return data + buf->size;
}

void cs_buf_printf(struct cs_buf *buf, const char *fmt, ...)
{
    va_list va;
    int need;
    uint8_t *p;

    va_start(va, fmt);
    need = vsnprintf(NULL, 0, fmt, va);
    va_end(va);
    if (need < 0)
        return;
    p = cs_buf_room(buf, (size_t)need + 1);
    if (!p)
        return;
    va_start(va, fmt);
    vsnprintf((char *)p, (size_t)need + 1, fmt, va);
    va_end(va);
    buf->size += (size_t)need;
}

const char *cs_buf_text(struct cs_buf *buf)
{
    uint8_t *p = cs_buf_room(buf, 1);

    if (!p)
        return "";
    *p = 0;
    return (const char *)buf->data;
}

void cs_buf_consume(struct cs_buf *buf, size_t size)
{
    if (size >= buf->size) {
        buf->size = 0;
        return;
    }
    memmove(buf->data, buf->data + size, buf->size - size);
    buf->size -= size;
}

enum cs_code cs_buf_check(const struct cs_buf *buf, const char *what,
                          struct cs_err *err)
{
    if (buf->fault)
        return cs_fail(err, CS_ENOMEM, "%s: longer than %zu bytes", what,
                       buf->max);
    return CS_OK;
}
