/* gen_number.c - numbers and booleans. */
#include "generate/generate_internal.h"

static void append64(struct cs_gen_node *node, struct cs_buf *out)
{
    int64_t id = cs_dist_next(&node->identity);
    uint8_t *p = cs_buf_room(out, 12);

    if (CS_UNLIKELY(!p))
        return;
    cs_store32(p, 8);
    cs_store64(p + 4, (uint64_t)id);
    out->size += 12;
}

static void append32(struct cs_gen_node *node, struct cs_buf *out)
{
    int64_t id = cs_dist_next(&node->identity);
    uint8_t *p = cs_buf_room(out, 8);

    if (CS_UNLIKELY(!p))
        return;
    cs_store32(p, 4);
    cs_store32(p + 4, (uint32_t)id);
    out->size += 8;
}

static void append16(struct cs_gen_node *node, struct cs_buf *out)
{
    int64_t id = cs_dist_next(&node->identity);

    cs_buf_put32(out, 2);
    cs_buf_put16(out, (uint16_t)id);
}

static void append_byte(struct cs_buf *out, uint8_t byte)
{
    cs_buf_put32(out, 1);
    cs_buf_put8(out, byte);
}

static void append8(struct cs_gen_node *node, struct cs_buf *out)
{
    append_byte(out, (uint8_t)cs_dist_next(&node->identity));
}

/* c4: even numbers are true. */
static void append_boolean(struct cs_gen_node *node, struct cs_buf *out)
{
    append_byte(out, !(cs_dist_next(&node->identity) & 1));
}

/* c3 tests the number modulo one: always true, the draw is spent. */
static void append_true(struct cs_gen_node *node, struct cs_buf *out)
{
    (void)cs_dist_next(&node->identity);
    append_byte(out, 1);
}

/* Bytes of the shortest two's complement. */
static unsigned varint_size(int64_t v)
{
    uint64_t bits = (uint64_t)(v < 0 ? ~v : v);
    unsigned used = bits ? 64 - (unsigned)__builtin_clzll(bits) : 0;

    return used / 8 + 1;
}

static void put_varint(struct cs_buf *out, int64_t v)
{
    uint8_t bytes[8];
    unsigned size = varint_size(v);

    cs_store64(bytes, (uint64_t)v);
    cs_buf_put(out, bytes + 8 - size, size);
}

static void append_varint(struct cs_gen_node *node, struct cs_buf *out)
{
    int64_t id = cs_dist_next(&node->identity);

    cs_buf_put32(out, varint_size(id));
    put_varint(out, id);
}

static void append_decimal(struct cs_gen_node *node, struct cs_buf *out)
{
    int64_t id = cs_dist_next(&node->identity);

    cs_buf_put32(out, 4 + varint_size(id));
    cs_buf_put32(out, 0); /* scale */
    put_varint(out, id);
}

static void append_double(struct cs_gen_node *node, struct cs_buf *out)
{
    double v = cs_dist_next_double(&node->identity);
    uint64_t bits;

    memcpy(&bits, &v, sizeof(bits));
    cs_buf_put32(out, 8);
    cs_buf_put64(out, bits);
}

static void append_float(struct cs_gen_node *node, struct cs_buf *out)
{
    float v = (float)cs_dist_next_double(&node->identity);
    uint32_t bits;

    memcpy(&bits, &v, sizeof(bits));
    cs_buf_put32(out, 4);
    cs_buf_put32(out, bits);
}

cs_gen_fn cs_gen_number_fn(enum cs_type_kind kind, enum cs_dialect dialect)
{
    switch (kind) {
    case CS_TYPE_BIGINT:
    case CS_TYPE_COUNTER:
        return append64;
    case CS_TYPE_INT:
        return append32;
    case CS_TYPE_SMALLINT:
        return append16;
    case CS_TYPE_TINYINT:
        return append8;
    case CS_TYPE_BOOLEAN:
        return dialect == CS_DATA_C4 ? append_boolean : append_true;
    case CS_TYPE_VARINT:
        return append_varint;
    case CS_TYPE_DECIMAL:
        return append_decimal;
    case CS_TYPE_DOUBLE:
        return append_double;
    case CS_TYPE_FLOAT:
        return append_float;
    default:
        return NULL;
    }
}
