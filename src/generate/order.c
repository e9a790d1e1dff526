/* order.c - Java's natural order of values in their wire form. */
#include "generate/generate_internal.h"

bool cs_gen_has_order(const struct cs_type *type)
{
    return type->kind < CS_TYPE_LIST && type->kind != CS_TYPE_INET &&
           type->kind != CS_TYPE_DURATION;
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int compare_text(const uint8_t *a, size_t a_size, const uint8_t *b,
                        size_t b_size)
{
    int order = memcmp(a, b, CS_MIN(a_size, b_size));

    return order ? order : COMPARE(a_size, b_size);
}

/* Java's bytes are signed. */
static int compare_blob(const uint8_t *a, size_t a_size, const uint8_t *b,
                        size_t b_size)
{
    for (size_t i = 0; i < a_size && i < b_size; i++)
        if (a[i] != b[i])
            return COMPARE((int8_t)a[i], (int8_t)b[i]);
    return COMPARE(a_size, b_size);
}

/* Bits of a float or double as a number of the same order (Java puts -0.0 in
 * front of 0.0, as this does). */
static int64_t order_of_bits(int64_t bits)
{
    return bits < 0 ? bits ^ INT64_MAX : bits;
}

static int compare_uuid(const uint8_t *a, const uint8_t *b)
{
    int64_t a_high = cs_gen_number(a, 8), b_high = cs_gen_number(b, 8);

    if (a_high != b_high)
        return COMPARE(a_high, b_high);
    return COMPARE(cs_gen_number(a + 8, 8), cs_gen_number(b + 8, 8));
}

int cs_gen_compare(enum cs_type_kind kind, const uint8_t *a, size_t a_size,
                   const uint8_t *b, size_t b_size)
{
    int64_t x, y;

    switch (kind) {
    case CS_TYPE_BLOB:
        return compare_blob(a, a_size, b, b_size);
    case CS_TYPE_ASCII:
    case CS_TYPE_TEXT:
    case CS_TYPE_BOOLEAN:
    case CS_TYPE_DATE: /* its offset makes the bytes sort as the days do */
        return compare_text(a, a_size, b, b_size);
    case CS_TYPE_UUID:
    case CS_TYPE_TIMEUUID:
        return compare_uuid(a, b);
    case CS_TYPE_DECIMAL: /* all of scale 0 */
        x = cs_gen_number(a + 4, a_size - 4);
        y = cs_gen_number(b + 4, b_size - 4);
        return COMPARE(x, y);
    case CS_TYPE_DOUBLE:
    case CS_TYPE_FLOAT:
        x = order_of_bits(cs_gen_number(a, a_size));
        y = order_of_bits(cs_gen_number(b, b_size));
        return COMPARE(x, y);
    default:
        x = cs_gen_number(a, a_size);
        y = cs_gen_number(b, b_size);
        return COMPARE(x, y);
    }
}
