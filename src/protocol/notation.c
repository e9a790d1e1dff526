/* notation.c - the rarer notations, and text of a peer made safe to show. */
#include "protocol/notation.h"

#include <stdio.h>

uint32_t cs_skip_string_list(struct cs_reader *r)
{
    uint32_t count = cs_read_count(r, cs_read16(r), 2);

    for (uint32_t i = 0; i < count; i++)
        cs_read_string(r);
    return count;
}

uint32_t cs_skip_bytes_map(struct cs_reader *r)
{
    uint32_t count = cs_read_count(r, cs_read16(r), 2 + 4);

    for (uint32_t i = 0; i < count; i++) {
        cs_read_string(r);
        cs_read_blob(r);
    }
    return count;
}

enum cs_code cs_reader_check(const struct cs_reader *r, const char *what,
                             struct cs_err *err)
{
    if (CS_UNLIKELY(r->fault))
        return cs_fail(err, CS_EPROTOCOL, "%s: cut off or not well-formed",
                       what);
    return CS_OK;
}

/* Bytes of the printable character at p, 0 when it is none. Overlong forms and
 * surrogates pass: they harm no terminal. */
static size_t printable_size(const uint8_t *p, size_t left)
{
    size_t size;

    if (p[0] < 0x80)
        return p[0] >= 0x20 && p[0] != 0x7F;
    size = p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : 2;
    if (p[0] < 0xC2 || p[0] > 0xF4 || left < size)
        return 0;
    for (size_t i = 1; i < size; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    }
    /* U+0080 to U+009F are control characters, too. */
    return p[0] == 0xC2 && p[1] < 0xA0 ? 0 : size;
}

static size_t escape_one(char out[5], const uint8_t *p, size_t left,
                         size_t *out_size)
{
    size_t size = printable_size(p, left);

    if (size) {
        memcpy(out, p, size);
        *out_size = size;
        return size;
    }
    if (*p == '\n' || *p == '\t') {
        out[0] = '\\';
        out[1] = *p == '\n' ? 'n' : 't';
        *out_size = 2;
        return 1;
    }
    snprintf(out, 5, "\\x%02x", *p);
    *out_size = 4;
    return 1;
}

void cs_escape(char *out, size_t cap, struct cs_view text)
{
    size_t used = 0;
    size_t whole = 0; /* what may stay when "..." must follow */

    for (size_t at = 0; at < text.size;) {
        char one[5];
        size_t size;

        at += escape_one(one, text.data + at, text.size - at, &size);
        if (used + size >= cap) {
            memcpy(out + whole, "...", 4);
            return;
        }
        memcpy(out + used, one, size);
        used += size;
        if (used + 4 <= cap)
            whole = used;
    }
    out[used] = 0;
}
