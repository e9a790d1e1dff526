/* constant.c - constants in statements as values on the wire: the simple ones
 * that people type. */
#include "responder/plan_internal.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

/* One constant while it is read. */
struct constant {
    const struct cs_cql_words *words;
    struct cs_view cql;
    size_t i;
    const struct cs_type *type;
    uint8_t *bytes; /* enough for the whole statement */
    int32_t size;
};

static const struct cs_cql_word *word(const struct constant *c)
{
    return cs_cql_words_at(c->words, c->i);
}

static bool put_number(struct constant *c, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        c->bytes[i] = (uint8_t)(value >> 8 * (size - 1 - i));
    c->size = (int32_t)size;
    return true;
}

/* The shortest two's complement. */
static bool put_varint(struct constant *c, int64_t value)
{
    size_t size = 8;

    while (size > 1 && value >= -(INT64_C(1) << (8 * size - 9)) &&
           value < INT64_C(1) << (8 * size - 9))
        size--;
    return put_number(c, (uint64_t)value, size);
}

static bool put_real(struct constant *c, double value)
{
    float narrow = (float)value;
    uint64_t bits = 0;
    uint32_t bits32;

    if (c->type->kind == CS_TYPE_FLOAT) {
        memcpy(&bits32, &narrow, sizeof(bits32));
        return put_number(c, bits32, 4);
    }
    memcpy(&bits, &value, sizeof(bits));
    return put_number(c, bits, 8);
}

/* Numbers may have a sign and, as words go, an exponent. */
static bool take_number(struct constant *c)
{
    bool real =
        c->type->kind == CS_TYPE_FLOAT || c->type->kind == CS_TYPE_DOUBLE;
    const char *text;
    char *end;
    double value;
    long long integer;
    bool minus = word(c)->kind == '-';

    c->i += minus;
    if (word(c)->kind != 'n')
        return false;
    text = word(c)->text;
    c->i++;
    if (real) {
        value = strtod(text, &end);
        return !*end && put_real(c, minus ? -value : value);
    }
    errno = 0;
    integer = (long long)strtoull(text, &end, 10);
    if (errno || *end)
        return false;
    integer = minus ? -integer : integer;
    if (c->type->kind == CS_TYPE_VARINT)
        return put_varint(c, integer);
    return put_number(
        c, (uint64_t)integer,
        c->type->kind == CS_TYPE_COUNTER ? 8 : cs_type_fixed_size(c->type));
}

static int nibble(char digit)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = memchr(digits, tolower((unsigned char)digit), 16);

    return at ? (int)(at - digits) : -1;
}

/* Hex digits, dashes left out. */
static bool put_hex(struct constant *c, const char *text, size_t size)
{
    size_t digits = 0;

    for (size_t i = 0; i < size; i++) {
        int half = nibble(text[i]);

        if (text[i] == '-')
            continue;
        if (half < 0)
            return false;
        c->bytes[digits / 2] =
            (uint8_t)(digits % 2 ? c->bytes[digits / 2] | half : half << 4);
        digits++;
    }
    c->size = (int32_t)(digits / 2);
    return digits % 2 == 0;
}

static bool take_blob(struct constant *c)
{
    const struct cs_cql_word *at = word(c);

    if (at->kind != 'n' || strncmp(at->text, "0x", 2) != 0)
        return false;
    c->i++;
    return put_hex(c, at->text + 2, strlen(at->text + 2));
}

/* 36 bytes, which are several words. */
static bool take_uuid(struct constant *c)
{
    size_t start = word(c)->start;

    if (!word(c)->kind || c->cql.size - start < 36)
        return false;
    if (!put_hex(c, (const char *)c->cql.data + start, 36) || c->size != 16)
        return false;
    while (word(c)->kind && word(c)->start < start + 36)
        c->i++;
    return true;
}

static bool take_text(struct constant *c)
{
    const char *text = word(c)->text;

    if (word(c)->kind != 's')
        return false;
    c->i++;
    c->size = (int32_t)strlen(text);
    memcpy(c->bytes, text, (size_t)c->size);
    return true;
}

static bool take_boolean(struct constant *c)
{
    bool yes = cs_cql_words_is(c->words, c->i, "true");

    if (!yes && !cs_cql_words_is(c->words, c->i, "false"))
        return false;
    c->i++;
    return put_number(c, yes, 1);
}

static bool take_inet(struct constant *c)
{
    const char *text = word(c)->text;

    if (word(c)->kind != 's')
        return false;
    c->i++;
    c->size = strchr(text, ':') ? 16 : 4;
    return inet_pton(c->size == 16 ? AF_INET6 : AF_INET, text, c->bytes) == 1;
}

static bool take_value(struct constant *c)
{
    switch (c->type->kind) {
    case CS_TYPE_ASCII:
    case CS_TYPE_TEXT:
        return take_text(c);
    case CS_TYPE_BLOB:
        return take_blob(c);
    case CS_TYPE_BOOLEAN:
        return take_boolean(c);
    case CS_TYPE_UUID:
    case CS_TYPE_TIMEUUID:
        return take_uuid(c);
    case CS_TYPE_INET:
        return take_inet(c);
    case CS_TYPE_BIGINT:
    case CS_TYPE_COUNTER:
    case CS_TYPE_DATE:
    case CS_TYPE_DOUBLE:
    case CS_TYPE_FLOAT:
    case CS_TYPE_INT:
    case CS_TYPE_SMALLINT:
    case CS_TYPE_TIME:
    case CS_TYPE_TIMESTAMP:
    case CS_TYPE_TINYINT:
    case CS_TYPE_VARINT:
        return take_number(c);
    default:
        return false;
    }
}

enum cs_code cs_constant_read(const struct cs_cql_words *words,
                              struct cs_view cql, size_t i,
                              const struct cs_type *type,
                              struct cs_arena *arena, struct cs_bound *out,
                              size_t *out_next, struct cs_err *err)
{
    struct constant c = {.words = words, .cql = cql, .i = i, .type = type};

    *out = (struct cs_bound){.size = CS_BOUND_NULL};
    if (cs_cql_words_is(words, i, "null")) {
        *out_next = i + 1;
        return CS_OK;
    }
    c.bytes = cs_arena_alloc(arena, cql.size + 16);
    if (!c.bytes)
        return cs_fail(err, CS_ENOMEM, "no memory for a statement");
    if (!take_value(&c))
        return cs_fail(err, CS_EINVALID,
                       "stored=: '%.60s' is no constant of type %s that is "
                       "understood, use a bind marker",
                       cs_cql_words_at(words, i)->text,
                       cs_type_word(type->kind));
    *out = (struct cs_bound){.data = c.bytes, .size = c.size};
    *out_next = c.i;
    return CS_OK;
}
