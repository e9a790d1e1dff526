/* text.c - number formatting by Java's rules, nearest names. */
#include "base/text.h"
#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* Longest word that cs_nearest looks at. */
#define WORD_MAX 64

static void put_padded(struct cs_buf *buf, const char *text, int width)
{
    int size = (int)strlen(text);

    for (; size < width; width--)
        cs_buf_put8(buf, ' ');
    cs_buf_puts(buf, text);
}

static bool reads_back(double value, int precision, char text[40])
{
    snprintf(text, 40, "%.*e", precision, value);
    return strtod(text, NULL) == value;
}

/* The text "d.ddde+xx" with the fewest digits that read back as value. More
 * digits than needed always do as well, so that halving finds the fewest; but
 * for powers of two, whose neighbours below are nearer than those above. */
static void put_shortest(double value, char text[40])
{
    int low = 0, high = 14, exponent;

    if (frexp(value, &exponent) == 0.5) {
        while (!reads_back(value, low, text))
            low++;
        return;
    }
    if (!reads_back(value, high, text)) { /* most need all */
        if (!reads_back(value, 15, text))
            (void)reads_back(value, 16, text);
        return;
    }
    while (low < high) {
        int middle = (low + high) / 2;

        if (reads_back(value, middle, text))
            high = middle;
        else
            low = middle + 1;
    }
    (void)reads_back(value, low, text);
}

/* The shortest digits of a positive finite value: d1 d2 ... times
 * 10^(*exponent - count + 1), as "d.ddd" would be with that exponent. */
static int shortest_digits(double value, char digits[32], int *exponent)
{
    char text[40];
    int count = 0;
    char *e;

    put_shortest(value, text);
    e = strchr(text, 'e');
    *exponent = (int)strtol(e + 1, NULL, 10);
    for (char *p = text; p < e; p++)
        if (*p != '.')
            digits[count++] = *p;
    return count;
}

/* Rounds decimal digits half up so that `keep` of them stay; may carry into a
 * new first digit (then *exponent grows). */
static int round_digits(char *digits, int count, int keep, int *exponent)
{
    bool up;
    int i;

    if (keep >= count)
        return count;
    if (keep < 0)
        return 0;
    up = digits[keep] >= '5';
    for (i = keep - 1; up && i >= 0; i--) {
        up = digits[i] == '9';
        digits[i] = up ? '0' : (char)(digits[i] + 1);
    }
    if (up) {
        memmove(digits + 1, digits, (size_t)keep);
        digits[0] = '1';
        (*exponent)++;
        return keep + 1;
    }
    return keep;
}

static char digit_at(const char *digits, int count, int index)
{
    return index >= 0 && index < count ? digits[index] : '0';
}

void cs_put_fixed(struct cs_buf *buf, double value, int decimals, bool grouped,
                  int width)
{
    char digits[32];
    char text[512]; /* 1e308 has 309 digits and 102 commas */
    int exponent = 0;
    int count = 0;
    int out = 0;

    if (isnan(value) || isinf(value)) {
        put_padded(buf,
                   isnan(value) ? "NaN"
                   : value < 0  ? "-Infinity"
                                : "Infinity",
                   width);
        return;
    }
    if (signbit(value))
        text[out++] = '-';
    if (value != 0) {
        count = shortest_digits(fabs(value), digits, &exponent);
        count = round_digits(digits, count, exponent + 1 + decimals, &exponent);
    }
    for (int i = exponent < 0 ? 0 : exponent; i >= 0; i--) {
        text[out++] = digit_at(digits, count, exponent - i);
        if (grouped && i > 0 && i % 3 == 0)
            text[out++] = ',';
    }
    if (decimals > 0)
        text[out++] = '.';
    for (int i = 1; i <= decimals; i++)
        text[out++] = digit_at(digits, count, exponent + i);
    text[out] = 0;
    put_padded(buf, text, width);
}

void cs_put_int(struct cs_buf *buf, int64_t value, bool grouped, int width)
{
    char plain[24];
    char text[40];
    int size = snprintf(plain, sizeof(plain), "%lld", (long long)value);
    int out = 0;

    for (int i = 0; i < size; i++) {
        int left = size - 1 - i;

        text[out++] = plain[i];
        if (grouped && left > 0 && left % 3 == 0 && plain[i] != '-')
            text[out++] = ',';
    }
    text[out] = 0;
    put_padded(buf, text, width);
}

void cs_put_java_double(struct cs_buf *buf, double value)
{
    char digits[32];
    int exponent = 0;
    int count;

    if (isnan(value) || isinf(value) || value == 0) {
        cs_put_fixed(buf, value, 1, false, 0);
        return;
    }
    if (value < 0)
        cs_buf_put8(buf, '-');
    count = shortest_digits(fabs(value), digits, &exponent);
    if (exponent >= -3 && exponent < 7) {
        for (int i = exponent < 0 ? 0 : exponent; i >= 0; i--)
            cs_buf_put8(buf, (uint8_t)digit_at(digits, count, exponent - i));
        cs_buf_put8(buf, '.');
        for (int i = 1; i == 1 || exponent + i < count; i++)
            cs_buf_put8(buf, (uint8_t)digit_at(digits, count, exponent + i));
        return;
    }
    cs_buf_put8(buf, (uint8_t)digits[0]);
    cs_buf_put8(buf, '.');
    for (int i = 1; i == 1 || i < count; i++)
        cs_buf_put8(buf, (uint8_t)digit_at(digits, count, i));
    cs_buf_printf(buf, "E%d", exponent);
}

void cs_put_hex(struct cs_buf *buf, const void *bytes, size_t size)
{
    static const char hex[] = "0123456789abcdef";
    const uint8_t *from = bytes;
    uint8_t *p = size ? cs_buf_room(buf, 2 * size) : NULL;

    if (!p)
        return;
    for (size_t i = 0; i < size; i++) {
        p[2 * i] = (uint8_t)hex[from[i] >> 4];
        p[2 * i + 1] = (uint8_t)hex[from[i] & 15];
    }
    buf->size += 2 * size;
}

void cs_put_json(struct cs_buf *buf, const char *text, size_t size)
{
    cs_buf_put8(buf, '"');
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c == '"' || c == '\\')
            cs_buf_put8(buf, '\\');
        if (c < 0x20)
            cs_buf_printf(buf, "\\u%04x", c);
        else
            cs_buf_put8(buf, c);
    }
    cs_buf_put8(buf, '"');
}

void cs_put_utc(struct cs_buf *buf, int64_t wall_ns)
{
    time_t seconds = (time_t)(wall_ns / CS_NS_PER_S);
    struct tm t;
    char text[32];

    gmtime_r(&seconds, &t);
    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &t);
    cs_buf_printf(buf, "%s.%03dZ", text,
                  (int)(wall_ns % CS_NS_PER_S / CS_NS_PER_MS));
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* Edits (insert, delete, replace, swap of neighbours) from a to b, ignoring
 * case. */
static size_t edits(const char *a, size_t na, const char *b, size_t nb)
{
    size_t rows[3][WORD_MAX + 1];
    size_t *last2 = rows[0], *last = rows[1], *row = rows[2];

    for (size_t j = 0; j <= nb; j++)
        last[j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t *spare;

        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            bool same = lower(a[i - 1]) == lower(b[j - 1]);

            row[j] =
                CS_MIN(last[j - 1] + !same, CS_MIN(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = CS_MIN(row[j], last2[j - 2] + 1);
        }
        spare = last2;
        last2 = last;
        last = row;
        row = spare;
    }
    return last[nb];
}

const char *cs_nearest(const char *word, const char *const *names, size_t count)
{
    size_t size = strlen(word);
    size_t best = size < 4 ? 2 : size < 8 ? 3 : 4; /* first count too far */
    const char *found = NULL;

    if (!size || size > WORD_MAX)
        return NULL;
    best = CS_MIN(best, size); /* something of the word must be left */
    for (size_t i = 0; i < count; i++) {
        size_t other = strlen(names[i]);
        size_t distance;

        if (other > WORD_MAX)
            continue;
        distance = edits(word, size, names[i], other);
        if (distance < best) {
            best = distance;
            found = names[i];
        }
    }
    return found;
}

bool cs_same_word(const char *a, const char *b)
{
    return strcasecmp(a, b) == 0;
}

bool cs_starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool cs_starts_with_word(const char *text, const char *prefix)
{
    return strncasecmp(text, prefix, strlen(prefix)) == 0;
}
