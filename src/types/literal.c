/* literal.c - a value as text: picks the family, unfolds what has parts. */
#include "types/literal_internal.h"

#include "base/text.h"
#include "types/vint.h"
#include "types/word.h"

static bool put_value(const struct cs_literal *lit, const struct cs_value *v);

void cs_literal_hex(const struct cs_literal *lit, const struct cs_value *v)
{
    cs_buf_puts(lit->buf, "0x");
    cs_put_hex(lit->buf, v->bytes, v->size);
}

bool cs_literal_call(const struct cs_literal *lit, const struct cs_value *v)
{
    const char *word = cs_type_word(v->type->kind);

    if (!lit->plain) {
        cs_buf_puts(lit->buf, "blobAs");
        cs_buf_put8(lit->buf, (uint8_t)(*word - 'a' + 'A'));
        cs_buf_puts(lit->buf, word + 1);
        cs_buf_put8(lit->buf, '(');
    }
    cs_literal_hex(lit, v);
    if (!lit->plain)
        cs_buf_put8(lit->buf, ')');
    return true;
}

void cs_literal_quote(const struct cs_literal *lit)
{
    if (!lit->plain)
        cs_buf_put8(lit->buf, '\'');
}

/* ---- values with parts ---- */

/* The next part: int32 size, bytes. null may be allowed. */
static bool read_part(struct cs_reader *r, const struct cs_type *type,
                      struct cs_value *out, bool *null)
{
    int32_t size = (int32_t)cs_read32(r);

    *null = size < 0;
    out->type = type;
    out->size = *null ? 0 : (size_t)size;
    out->bytes = cs_read_bytes(r, out->size);
    return !r->fault;
}

static bool put_element(const struct cs_literal *lit, struct cs_reader *r,
                        const struct cs_type *type)
{
    struct cs_value part;
    bool null;

    return read_part(r, type, &part, &null) && !null && put_value(lit, &part);
}

/* list, set, map. */
static bool put_collection(const struct cs_literal *lit,
                           const struct cs_value *v)
{
    struct cs_reader r = cs_reader_of(v->bytes, v->size);
    bool is_list = v->type->kind == CS_TYPE_LIST;
    int32_t count = (int32_t)cs_read32(&r);

    if (r.fault || count < 0)
        return false;
    cs_buf_put8(lit->buf, is_list ? '[' : '{');
    for (int32_t i = 0; i < count; i++) {
        if (i)
            cs_buf_puts(lit->buf, ", ");
        if (!put_element(lit, &r, v->type->parts[0]))
            return false;
        if (v->type->kind != CS_TYPE_MAP)
            continue;
        cs_buf_puts(lit->buf, ": ");
        if (!put_element(lit, &r, v->type->parts[1]))
            return false;
    }
    cs_buf_put8(lit->buf, is_list ? ']' : '}');
    return !cs_reader_left(&r);
}

static bool put_field(const struct cs_literal *lit, struct cs_reader *r,
                      const struct cs_type *type, size_t index)
{
    struct cs_value part;
    bool null;

    if (index)
        cs_buf_puts(lit->buf, ", ");
    if (type->kind == CS_TYPE_UDT) {
        cs_word_put(lit->buf, type->field_names[index]);
        cs_buf_puts(lit->buf, ": ");
    }
    if (!read_part(r, type->parts[index], &part, &null))
        return false;
    if (!null)
        return put_value(lit, &part);
    cs_buf_puts(lit->buf, "null");
    return true;
}

/* tuple, UDT. Fields at the end may be missing. */
static bool put_fields(const struct cs_literal *lit, const struct cs_value *v)
{
    struct cs_reader r = cs_reader_of(v->bytes, v->size);
    bool is_udt = v->type->kind == CS_TYPE_UDT;

    if (!v->size && !is_udt)
        return false;
    cs_buf_put8(lit->buf, is_udt ? '{' : '(');
    for (size_t i = 0; cs_reader_left(&r); i++)
        if (i == v->type->part_count || !put_field(lit, &r, v->type, i))
            return false;
    cs_buf_put8(lit->buf, is_udt ? '}' : ')');
    return true;
}

static bool put_vector(const struct cs_literal *lit, const struct cs_value *v)
{
    struct cs_reader r = cs_reader_of(v->bytes, v->size);
    struct cs_value part = {.type = v->type->parts[0]};
    size_t fixed = cs_type_vector_item_size(part.type);

    cs_buf_put8(lit->buf, '[');
    for (uint32_t i = 0; i < v->type->dimension; i++) {
        if (i)
            cs_buf_puts(lit->buf, ", ");
        part.size = fixed ? fixed : (size_t)cs_read_uvint(&r);
        part.bytes = cs_read_bytes(&r, part.size);
        if (r.fault || !put_value(lit, &part))
            return false;
    }
    cs_buf_put8(lit->buf, ']');
    return !cs_reader_left(&r);
}

/* ---- any value ---- */

/* Types whose value may be no bytes at all without being null. */
static bool may_be_empty(enum cs_type_kind kind)
{
    switch (kind) {
    case CS_TYPE_BIGINT:
    case CS_TYPE_BOOLEAN:
    case CS_TYPE_COUNTER:
    case CS_TYPE_DECIMAL:
    case CS_TYPE_DOUBLE:
    case CS_TYPE_FLOAT:
    case CS_TYPE_INET:
    case CS_TYPE_INT:
    case CS_TYPE_TIMESTAMP:
    case CS_TYPE_TIMEUUID:
    case CS_TYPE_UUID:
    case CS_TYPE_VARINT:
        return true;
    default:
        return false;
    }
}

static bool put_blob(const struct cs_literal *lit, const struct cs_value *v)
{
    cs_literal_hex(lit, v);
    return true;
}

static bool put_nothing(const struct cs_literal *lit, const struct cs_value *v)
{
    (void)lit;
    (void)v;
    return false;
}

typedef bool (*put_fn)(const struct cs_literal *lit, const struct cs_value *v);

static const put_fn families[] = {
    [CS_TYPE_ASCII] = cs_literal_text,
    [CS_TYPE_BIGINT] = cs_literal_integer,
    [CS_TYPE_BLOB] = put_blob,
    [CS_TYPE_BOOLEAN] = cs_literal_boolean,
    [CS_TYPE_COUNTER] = cs_literal_integer,
    [CS_TYPE_DATE] = cs_literal_date,
    [CS_TYPE_DECIMAL] = cs_literal_decimal,
    [CS_TYPE_DOUBLE] = cs_literal_real,
    [CS_TYPE_DURATION] = cs_literal_duration,
    [CS_TYPE_FLOAT] = cs_literal_real,
    [CS_TYPE_INET] = cs_literal_inet,
    [CS_TYPE_INT] = cs_literal_integer,
    [CS_TYPE_SMALLINT] = cs_literal_integer,
    [CS_TYPE_TEXT] = cs_literal_text,
    [CS_TYPE_TIME] = cs_literal_time,
    [CS_TYPE_TIMESTAMP] = cs_literal_timestamp,
    [CS_TYPE_TIMEUUID] = cs_literal_uuid,
    [CS_TYPE_TINYINT] = cs_literal_integer,
    [CS_TYPE_UUID] = cs_literal_uuid,
    [CS_TYPE_VARINT] = cs_literal_varint,
    [CS_TYPE_LIST] = put_collection,
    [CS_TYPE_SET] = put_collection,
    [CS_TYPE_MAP] = put_collection,
    [CS_TYPE_TUPLE] = put_fields,
    [CS_TYPE_UDT] = put_fields,
    [CS_TYPE_VECTOR] = put_vector,
    [CS_TYPE_CUSTOM] = put_nothing,
};

static bool put_value(const struct cs_literal *lit, const struct cs_value *v)
{
    if (!v->size && may_be_empty(v->type->kind))
        return lit->plain || cs_literal_call(lit, v);
    return families[v->type->kind](lit, v);
}

static void put_whole(const struct cs_literal *lit, const struct cs_type *type,
                      const uint8_t *bytes, int32_t size)
{
    struct cs_value v = {.type = type, .bytes = bytes, .size = (size_t)size};
    size_t start = lit->buf->size;

    if (size < 0) {
        cs_buf_puts(lit->buf, "null");
        return;
    }
    if (put_value(lit, &v))
        return;
    lit->buf->size = start; /* takes back the parts before the wrong one */
    cs_literal_hex(lit, &v);
}

void cs_literal_put(struct cs_buf *buf, const struct cs_type *type,
                    const uint8_t *bytes, int32_t size)
{
    const struct cs_literal lit = {.buf = buf};

    put_whole(&lit, type, bytes, size);
}

void cs_literal_put_plain(struct cs_buf *buf, const struct cs_type *type,
                          const uint8_t *bytes, int32_t size)
{
    const struct cs_literal lit = {.buf = buf, .plain = true};

    put_whole(&lit, type, bytes, size);
}
