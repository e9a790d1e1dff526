/* order.c - the server's order of values, which is not Java's: that differs
 * for blobs and for both kinds of uuid. */
#include "types/order.h"

#include "types/vint.h"

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* ---- scalars ---- */

static int compare_bytes(const uint8_t *a, size_t a_size, const uint8_t *b,
                         size_t b_size)
{
    size_t both = CS_MIN(a_size, b_size);
    int order = both ? memcmp(a, b, both) : 0;

    return order ? order : COMPARE(a_size, b_size);
}

/* Two's complement of any length. */
static int compare_number(const uint8_t *a, size_t a_size, const uint8_t *b,
                          size_t b_size)
{
    bool a_negative = a_size && *a & 0x80;
    bool b_negative = b_size && *b & 0x80;
    uint8_t fill = a_negative ? 0xff : 0;
    int order;

    if (a_negative != b_negative)
        return a_negative ? -1 : 1;
    for (; a_size > b_size && *a == fill; a++)
        a_size--;
    for (; b_size > a_size && *b == fill; b++)
        b_size--;
    if (a_size != b_size)
        return (a_size > b_size) != a_negative ? 1 : -1;
    order = a_size ? memcmp(a, b, a_size) : 0;
    return order;
}

/* Bits of a float as a number of the same order, -0.0 before 0.0. */
static int64_t order_of_float(const uint8_t *p, size_t size)
{
    int64_t bits = size == 8 ? (int64_t)cs_load64(p)
                             : (int64_t)((uint64_t)cs_load32(p) << 32);

    return bits < 0 ? bits ^ INT64_MAX : bits;
}

static int compare_float(const uint8_t *a, const uint8_t *b, size_t size)
{
    int64_t x = order_of_float(a, size);
    int64_t y = order_of_float(b, size);

    return COMPARE(x, y);
}

/* Time of a version 1 uuid, the version in front. */
static uint64_t time_of(const uint8_t *p)
{
    uint64_t high = cs_load64(p);

    return high << 48 | (high << 16 & UINT64_C(0xffff00000000)) | high >> 32;
}

/* By version, those of version 1 by time, the rest by bytes. */
static int compare_uuid(const uint8_t *a, const uint8_t *b)
{
    unsigned a_version = a[6] >> 4;
    unsigned b_version = b[6] >> 4;
    int order;

    if (a_version != b_version)
        return COMPARE(a_version, b_version);
    order = a_version == 1 ? COMPARE(time_of(a), time_of(b)) : 0;
    if (order)
        return order;
    return a_version == 1 ? memcmp(a + 8, b + 8, 8) : memcmp(a, b, 16);
}

/* By time, then by bytes with a sign. */
static int compare_timeuuid(const uint8_t *a, const uint8_t *b)
{
    int64_t a_time = (int64_t)time_of(a);
    int64_t b_time = (int64_t)time_of(b);

    if (a_time != b_time)
        return COMPARE(a_time, b_time);
    for (int i = 8; i < 16; i++)
        if (a[i] != b[i])
            return COMPARE((int8_t)a[i], (int8_t)b[i]);
    return 0;
}

static int compare_scalar(enum cs_type_kind kind, const uint8_t *a,
                          size_t a_size, const uint8_t *b, size_t b_size)
{
    bool same_size = a_size == b_size;

    switch (kind) {
    case CS_TYPE_BIGINT:
    case CS_TYPE_COUNTER:
    case CS_TYPE_INT:
    case CS_TYPE_SMALLINT:
    case CS_TYPE_TINYINT:
    case CS_TYPE_TIMESTAMP:
    case CS_TYPE_VARINT:
        return compare_number(a, a_size, b, b_size);
    case CS_TYPE_DECIMAL:
        if (a_size > 4 && b_size > 4 && !memcmp(a, b, 4))
            return compare_number(a + 4, a_size - 4, b + 4, b_size - 4);
        break;
    case CS_TYPE_FLOAT:
    case CS_TYPE_DOUBLE:
        if (same_size && (a_size == 4 || a_size == 8))
            return compare_float(a, b, a_size);
        break;
    case CS_TYPE_UUID:
        if (same_size && a_size == 16)
            return compare_uuid(a, b);
        break;
    case CS_TYPE_TIMEUUID:
        if (same_size && a_size == 16)
            return compare_timeuuid(a, b);
        break;
    default:
        break;
    }
    return compare_bytes(a, a_size, b, b_size);
}

/* ---- values with parts ---- */

/* The next part of a tuple or collection; its size, < 0: null. */
static int32_t next_part(struct cs_reader *r, const uint8_t **bytes)
{
    int32_t size = (int32_t)cs_read32(r);

    *bytes = cs_read_bytes(r, (size_t)CS_MAX(size, 0));
    return size;
}

static int compare_next(const struct cs_type *type, struct cs_reader *a,
                        struct cs_reader *b)
{
    const uint8_t *x, *y;
    int32_t x_size = next_part(a, &x);
    int32_t y_size = next_part(b, &y);

    if (a->fault || b->fault)
        return COMPARE(b->fault, a->fault);
    return cs_value_compare(type, x, x_size, y, y_size);
}

static int compare_collection(const struct cs_type *type, struct cs_reader a,
                              struct cs_reader b)
{
    uint32_t a_count = cs_read32(&a);
    uint32_t b_count = cs_read32(&b);
    int order = 0;

    for (uint32_t i = 0; !order && i < CS_MIN(a_count, b_count); i++) {
        for (size_t k = 0; !order && k < type->part_count; k++)
            order = compare_next(type->parts[k], &a, &b);
        if (a.fault || b.fault)
            break;
    }
    return order ? order : COMPARE(a_count, b_count);
}

static int compare_fields(const struct cs_type *type, struct cs_reader a,
                          struct cs_reader b)
{
    int order = 0;

    for (size_t i = 0; !order && i < type->part_count; i++) {
        if (!cs_reader_left(&a) || !cs_reader_left(&b))
            break; /* fields that were added later are absent */
        order = compare_next(type->parts[i], &a, &b);
    }
    return order ? order : COMPARE(cs_reader_left(&a), cs_reader_left(&b));
}

static size_t item_size(const struct cs_type *vector, struct cs_reader *r)
{
    size_t size = cs_type_vector_item_size(vector->parts[0]);

    return size ? size : (size_t)cs_read_uvint(r);
}

static int compare_vector(const struct cs_type *type, struct cs_reader a,
                          struct cs_reader b)
{
    int order = 0;

    for (uint32_t i = 0; !order && i < type->dimension; i++) {
        size_t x_size = item_size(type, &a);
        size_t y_size = item_size(type, &b);
        const uint8_t *x = cs_read_bytes(&a, x_size);
        const uint8_t *y = cs_read_bytes(&b, y_size);

        if (a.fault || b.fault)
            return COMPARE(b.fault, a.fault);
        order = cs_value_compare(type->parts[0], x, (int32_t)x_size, y,
                                 (int32_t)y_size);
    }
    return order;
}

int cs_value_compare(const struct cs_type *type, const uint8_t *a,
                     int32_t a_size, const uint8_t *b, int32_t b_size)
{
    struct cs_reader x, y;

    if (a_size < 0 || b_size < 0)
        return COMPARE(a_size >= 0, b_size >= 0);
    x = cs_reader_of(a, (size_t)a_size);
    y = cs_reader_of(b, (size_t)b_size);
    switch (type->kind) {
    case CS_TYPE_LIST:
    case CS_TYPE_SET:
    case CS_TYPE_MAP:
        return compare_collection(type, x, y);
    case CS_TYPE_TUPLE:
    case CS_TYPE_UDT:
        return compare_fields(type, x, y);
    case CS_TYPE_VECTOR:
        return compare_vector(type, x, y);
    default:
        return compare_scalar(type->kind, a, (size_t)a_size, b, (size_t)b_size);
    }
}
