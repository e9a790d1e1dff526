/* literal_text.c - strings, UUIDs and addresses. */
#include "types/literal_internal.h"

#include "base/text.h"

#include <arpa/inet.h>

#define UUID_SIZE 16

/* Bytes of the UTF-8 sequence at p, or 0: it is none. Java's rules: no
 * overlong forms, no surrogates, at most U+10FFFF. */
static size_t utf8_size(const uint8_t *p, size_t left)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t size = p[0] < 0x80   ? 1
                  : p[0] < 0xc0 ? 0
                  : p[0] < 0xe0 ? 2
                  : p[0] < 0xf0 ? 3
                  : p[0] < 0xf8 ? 4
                                : 0;
    uint32_t code;

    if (size <= 1 || size > left)
        return size == 1;
    code = p[0] & (0x7fU >> size);
    for (size_t i = 1; i < size; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (p[i] & 0x3f);
    }
    if (code < least[size] || code > 0x10ffff ||
        (code >= 0xd800 && code < 0xe000))
        return 0;
    return size;
}

static bool is_control(uint8_t c)
{
    return c < 0x20 || c == 0x7f;
}

static bool is_valid(const struct cs_value *v, bool *has_control)
{
    size_t size;

    *has_control = false;
    for (size_t i = 0; i < v->size; i += size) {
        size = utf8_size(v->bytes + i, v->size - i);
        if (!size || (size > 1 && v->type->kind == CS_TYPE_ASCII))
            return false;
        *has_control |= is_control(v->bytes[i]);
    }
    return true;
}

static void put_escaped(struct cs_buf *buf, uint8_t c)
{
    switch (c) {
    case '\n':
        cs_buf_puts(buf, "\\n");
        break;
    case '\r':
        cs_buf_puts(buf, "\\r");
        break;
    case '\t':
        cs_buf_puts(buf, "\\t");
        break;
    default:
        cs_buf_printf(buf, "\\x%02x", c);
    }
}

bool cs_literal_text(const struct cs_literal *lit, const struct cs_value *v)
{
    bool has_control;

    if (!is_valid(v, &has_control))
        return false;
    if (has_control && !lit->plain)
        return cs_literal_call(lit, v);
    cs_literal_quote(lit);
    for (size_t i = 0; i < v->size; i++) {
        if (is_control(v->bytes[i])) {
            put_escaped(lit->buf, v->bytes[i]);
            continue;
        }
        if (v->bytes[i] == '\'' && !lit->plain)
            cs_buf_put8(lit->buf, '\'');
        cs_buf_put8(lit->buf, v->bytes[i]);
    }
    cs_literal_quote(lit);
    return true;
}

bool cs_literal_uuid(const struct cs_literal *lit, const struct cs_value *v)
{
    static const uint8_t parts[] = {4, 2, 2, 2, 6};
    const uint8_t *b = v->bytes;

    if (v->size != UUID_SIZE)
        return false;
    if (v->type->kind == CS_TYPE_TIMEUUID && (b[6] & 0xf0) != 0x10)
        return false; /* the server takes version 1 only */
    for (size_t i = 0; i < CS_COUNT(parts); b += parts[i++]) {
        if (i)
            cs_buf_put8(lit->buf, '-');
        cs_put_hex(lit->buf, b, parts[i]);
    }
    return true;
}

bool cs_literal_inet(const struct cs_literal *lit, const struct cs_value *v)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    char text[INET6_ADDRSTRLEN];

    if (v->size != 4 && v->size != 16)
        return false;
    if (v->size == 16 && !lit->plain &&
        !memcmp(v->bytes, mapped, sizeof(mapped)))
        return cs_literal_call(lit, v); /* Java would make 4 bytes of it */
    if (!inet_ntop(v->size == 4 ? AF_INET : AF_INET6, v->bytes, text,
                   sizeof(text)))
        return false;
    cs_literal_quote(lit);
    cs_buf_puts(lit->buf, text);
    cs_literal_quote(lit);
    return true;
}
