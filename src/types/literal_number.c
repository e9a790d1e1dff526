/* literal_number.c - numbers of every kind, the endless ones too. */
#include "types/literal_internal.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Longest varint that is written in decimal: the work grows with the square of
 * its size. */
#define VARINT_SIZE_MAX 1024
#define LIMB_COUNT_MAX  (VARINT_SIZE_MAX / 4)
#define DIGITS_MAX      (LIMB_COUNT_MAX * 10 + 2) /* 9.7 digits per limb */

/* Decimals with at most this many digits behind the point are written with a
 * point, others with an exponent. */
#define POINT_DIGITS_MAX 40

/* Beyond this the server's exponent overflows. */
#define SCALE_MAX 1000000000

static void put_integer(struct cs_buf *buf, int64_t value)
{
    char text[24];
    char *p = text + sizeof(text);
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    do
        *--p = (char)('0' + left % 10);
    while (left /= 10);
    if (value < 0)
        *--p = '-';
    cs_buf_put(buf, p, (size_t)(text + sizeof(text) - p));
}

bool cs_literal_integer(const struct cs_literal *lit, const struct cs_value *v)
{
    int64_t value;

    if (v->size != cs_type_fixed_size(v->type))
        return false;
    value = v->bytes[0] & 0x80 ? -1 : 0;
    for (size_t i = 0; i < v->size; i++)
        value = (int64_t)((uint64_t)value << 8 | v->bytes[i]);
    put_integer(lit->buf, value);
    return true;
}

bool cs_literal_boolean(const struct cs_literal *lit, const struct cs_value *v)
{
    if (v->size != 1)
        return false;
    if (v->bytes[0] > 1 && !lit->plain)
        return cs_literal_call(lit, v);
    cs_buf_puts(lit->buf, v->bytes[0] ? "true" : "false");
    return true;
}

/* ---- float, double ---- */

static bool reads_back(float value, int digits, char text[40])
{
    snprintf(text, 40, "%.*g", digits, (double)value);
    return strtof(text, NULL) == value;
}

/* The shortest text of a float is that of the double nearest to it among those
 * with as few digits. Most need eight or nine; fewer than seven are not looked
 * for where seven do not do, but for powers of two, whose neighbours are not
 * equally near. */
static double widen(float value)
{
    char text[40];
    int exponent;
    int digits = 1;

    if (!isfinite(value))
        return (double)value;
    if (fabsf(frexpf(value, &exponent)) != 0.5F && !reads_back(value, 7, text))
        digits = 8;
    while (digits < 9 && !reads_back(value, digits, text))
        digits++;
    reads_back(value, digits, text);
    return strtod(text, NULL);
}

static bool real_of(const struct cs_value *v, double *out, bool *common_nan)
{
    float narrow;
    uint64_t bits;
    uint32_t bits32;

    if (v->size != cs_type_fixed_size(v->type))
        return false;
    if (v->type->kind == CS_TYPE_FLOAT) {
        bits32 = cs_load32(v->bytes);
        memcpy(&narrow, &bits32, sizeof(narrow));
        *out = widen(narrow);
        *common_nan = bits32 == UINT32_C(0x7fc00000);
    } else {
        bits = cs_load64(v->bytes);
        memcpy(out, &bits, sizeof(*out));
        *common_nan = bits == UINT64_C(0x7ff8000000000000);
    }
    return true;
}

bool cs_literal_real(const struct cs_literal *lit, const struct cs_value *v)
{
    bool common_nan;
    double value;

    if (!real_of(v, &value, &common_nan))
        return false;
    if (isnan(value) && !common_nan && !lit->plain)
        return cs_literal_call(lit, v);
    cs_put_java_double(lit->buf, value);
    return true;
}

/* ---- varint, decimal ---- */

/* Two's complement in its shortest form? Others would come back shorter. */
static bool is_shortest(const uint8_t *bytes, size_t size)
{
    uint8_t sign = bytes[0] & 0x80 ? 0xff : 0;

    return size == 1 || bytes[0] != sign || ((bytes[1] ^ sign) & 0x80);
}

/* The magnitude as 32-bit limbs, lowest first. */
static size_t magnitude(const uint8_t *bytes, size_t size,
                        uint32_t limbs[LIMB_COUNT_MAX + 1])
{
    uint8_t flip = bytes[0] & 0x80 ? 0xff : 0;
    size_t count = size / 4 + 1;
    uint64_t carry = flip & 1;

    memset(limbs, 0, count * sizeof(*limbs));
    for (size_t i = 0; i < size; i++)
        limbs[i / 4] |= (uint32_t)(bytes[size - 1 - i] ^ flip) << (8 * (i % 4));
    for (size_t i = 0; i < count; i++) { /* -x is ~x + 1 */
        carry += limbs[i];
        limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    while (count > 1 && !limbs[count - 1])
        count--;
    return count;
}

/* Divides by ten to the ninth and returns the rest. */
static uint32_t divide(uint32_t *limbs, size_t *count)
{
    const uint32_t divisor = 1000000000;
    uint64_t rest = 0;

    for (size_t i = *count; i-- > 0;) {
        rest = rest << 32 | limbs[i];
        limbs[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    if (*count > 1 && !limbs[*count - 1])
        (*count)--;
    return (uint32_t)rest;
}

/* Decimal digits of the magnitude, at the end of text; returns the first. */
static char *decimal_digits(const uint8_t *bytes, size_t size,
                            char text[DIGITS_MAX])
{
    uint32_t limbs[LIMB_COUNT_MAX + 1];
    size_t count = magnitude(bytes, size, limbs);
    char *p = text + DIGITS_MAX - 1;

    *p = 0;
    while (count > 1 || limbs[0]) {
        uint32_t nine = divide(limbs, &count);

        for (int i = 0; i < 9; i++, nine /= 10)
            *--p = (char)('0' + nine % 10);
    }
    while (*p == '0')
        p++;
    if (!*p)
        *--p = '0';
    return p;
}

bool cs_literal_varint(const struct cs_literal *lit, const struct cs_value *v)
{
    char text[DIGITS_MAX];

    if (v->size < 1)
        return false;
    if (v->size > VARINT_SIZE_MAX ||
        (!lit->plain && !is_shortest(v->bytes, v->size)))
        return cs_literal_call(lit, v);
    if (v->bytes[0] & 0x80)
        cs_buf_put8(lit->buf, '-');
    cs_buf_puts(lit->buf, decimal_digits(v->bytes, v->size, text));
    return true;
}

/* digits * 10^-scale with a point: "0.05" of 5 and 2. */
static void put_point(struct cs_buf *buf, const char *digits, size_t scale)
{
    size_t size = strlen(digits);

    if (size <= scale) {
        cs_buf_puts(buf, "0.");
        for (size_t i = size; i < scale; i++)
            cs_buf_put8(buf, '0');
        cs_buf_puts(buf, digits);
        return;
    }
    cs_buf_put(buf, digits, size - scale);
    cs_buf_put8(buf, '.');
    cs_buf_puts(buf, digits + size - scale);
}

bool cs_literal_decimal(const struct cs_literal *lit, const struct cs_value *v)
{
    char text[DIGITS_MAX];
    const uint8_t *unscaled = v->bytes + 4;
    const char *digits;
    int32_t scale;

    if (v->size < 5)
        return false;
    scale = (int32_t)cs_load32(v->bytes);
    if (v->size - 4 > VARINT_SIZE_MAX || scale > SCALE_MAX ||
        scale < -SCALE_MAX ||
        (!lit->plain && !is_shortest(unscaled, v->size - 4)))
        return cs_literal_call(lit, v);
    digits = decimal_digits(unscaled, v->size - 4, text);
    if (unscaled[0] & 0x80)
        cs_buf_put8(lit->buf, '-');
    if (scale > 0 && scale <= POINT_DIGITS_MAX)
        put_point(lit->buf, digits, (size_t)scale);
    else if (scale == 0)
        cs_buf_puts(lit->buf, digits);
    else
        cs_buf_printf(lit->buf, "%sE%d", digits, -scale);
    return true;
}
