/* dist_number.c - the numbers and ranges inside a distribution's text. */
#include "random/dist_internal.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers ---- */

static int64_t suffix_factor(char c)
{
    switch (c) {
    case 'k':
    case 'K':
        return 1000;
    case 'm':
    case 'M':
        return 1000000;
    case 'b':
    case 'B':
        return 1000000000;
    default:
        return 0;
    }
}

/* Digits of one sign, downwards, so that the least number fits. */
bool cs_dist_parse_digits(const char *text, size_t size, bool negative,
                          int64_t *out)
{
    int64_t value = 0;

    for (size_t i = 0; i < size; i++) {
        int digit = text[i] - '0';

        if (digit < 0 || digit > 9 || value < (INT64_MIN + digit) / 10)
            return false;
        value = value * 10 - digit;
    }
    if (!negative && value == INT64_MIN)
        return false;
    *out = negative ? value : -value;
    return size > 0;
}

bool cs_dist_parse_integer(const char *text, int64_t *out)
{
    size_t size = strlen(text);
    int64_t factor = size ? suffix_factor(text[size - 1]) : 0;
    bool negative = *text == '-';
    int64_t value;

    if (*text == '-' || *text == '+') {
        text++;
        size--;
    }
    if (factor)
        size--;
    else
        factor = 1;
    if (!cs_dist_parse_digits(text, size, negative, &value) ||
        value > INT64_MAX / factor || value < INT64_MIN / factor)
        return false;
    *out = value * factor;
    return true;
}

bool cs_dist_parse_real(const char *text, double *out)
{
    char *end;

    /* strtod takes more than a number: infinity, hexadecimal, blanks. */
    if (!*text || strspn(text, "0123456789.eE+-") != strlen(text))
        return false;
    *out = strtod(text, &end);
    return !*end && isfinite(*out);
}

enum cs_code cs_dist_parse_positive(const char *text, const char *what,
                                    double *out, struct cs_err *err)
{
    if (!cs_dist_parse_real(text, out))
        return cs_fail(err, CS_EINVALID, "%s '%s' is no number", what, text);
    if (*out <= 0.0)
        return cs_fail(err, CS_EINVALID, "%s '%s' must be above 0", what, text);
    return CS_OK;
}

/* ---- ranges ---- */

/* Removes blanks on both sides, in place. */
char *cs_dist_trim(char *text)
{
    char *end = text + strlen(text);

    while (end > text && isspace((unsigned char)end[-1]))
        *--end = 0;
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

/* Cuts "1..10" at its run of two or more dots; false: it has not one run. */
static bool cut_range(char *text, char **low, char **high)
{
    char *dots = strstr(text, "..");

    if (!dots)
        return false;
    *low = text;
    *high = dots + strspn(dots, ".");
    *dots = 0;
    if (strstr(*high, ".."))
        return false;
    *low = cs_dist_trim(*low);
    *high = cs_dist_trim(*high);
    return true;
}

static enum cs_code check_range(const char *text, int64_t min, int64_t max,
                                struct cs_err *err)
{
    if (min > max)
        return cs_fail(err, CS_EINVALID,
                       "range '%s' runs backwards, expected the smaller end "
                       "first",
                       text);
    if (min != max && (max == INT64_MAX || (min < 0 && max >= INT64_MAX + min)))
        return cs_fail(err, CS_EINVALID, "range '%s' is wider than 63 bits",
                       text);
    return CS_OK;
}

enum cs_code cs_dist_parse_range(const char *text, struct cs_dist_spec *out,
                                 struct cs_err *err)
{
    char copy[CS_DIST_TEXT_MAX];
    char *low, *high;

    memcpy(copy, text, strlen(text) + 1);
    if (!cut_range(copy, &low, &high))
        return cs_fail(err, CS_EINVALID,
                       "'%s' is no range, expected min..max such as 1..10k",
                       text);
    if (!cs_dist_parse_integer(low, &out->min))
        return cs_fail(err, CS_EINVALID,
                       "'%s' is no number of 64 bits, expected digits and "
                       "perhaps k, m or b",
                       low);
    if (!cs_dist_parse_integer(high, &out->max))
        return cs_fail(err, CS_EINVALID,
                       "'%s' is no number of 64 bits, expected digits and "
                       "perhaps k, m or b",
                       high);
    return check_range(text, out->min, out->max, err);
}
