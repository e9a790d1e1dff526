/* old_values.c - keys and values byte for byte as the old tools made them. */
#include "workload/old.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>

#define MD5_BYTES 16
#define MD5_TEXT  (2 * MD5_BYTES)
/* Draws outside the keys in a row before a wide bell is taken for flat. */
#define REDRAWS_MAX 1000
/* Single reads of a multiget that are in flight together: enough to keep a
 * cluster busy, few enough not to flood it from fifty slots. */
#define MULTIGET_IN_FLIGHT 32

struct cs_old_values {
    size_t *at; /* count + 1 offsets into bytes */
    struct cs_buf bytes;
};

static enum cs_code put_md5(struct cs_buf *out, unsigned number,
                            struct cs_err *err)
{
    char text[16];
    uint8_t digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    int length = snprintf(text, sizeof(text), "%u", number);

    if (!EVP_Digest(text, (size_t)length, digest, &size, EVP_md5(), NULL) ||
        size != MD5_BYTES)
        return cs_fail(err, CS_EUNSUPPORTED,
                       "the crypto library refuses MD5, of which the old "
                       "values are made (-V makes others)");
    for (unsigned i = 0; i < MD5_BYTES; i++)
        cs_buf_printf(out, "%02x", digest[i]);
    return CS_OK;
}

/* The Java tool lost a leading zero and made up for it with a zero and the
 * digits again. */
static void pad_as_java(struct cs_buf *unit)
{
    char digits[MD5_TEXT + 1];
    size_t zeros = 0;

    memcpy(digits, unit->data, MD5_TEXT);
    digits[MD5_TEXT] = 0;
    while (zeros < MD5_TEXT - 1 && digits[zeros] == '0')
        zeros++;
    if (!zeros)
        return;
    cs_buf_clear(unit);
    cs_buf_printf(unit, "%s0%s", digits + zeros, digits + zeros);
}

static enum cs_code put_value(const struct cs_settings_old *s, unsigned number,
                              struct cs_buf *unit, struct cs_buf *out,
                              struct cs_err *err)
{
    enum cs_code rc;

    cs_buf_clear(unit);
    rc = put_md5(unit, number, err);
    if (rc)
        return rc;
    if (!s->python)
        pad_as_java(unit);
    for (size_t left = s->size; left && !out->fault;) {
        size_t part = CS_MIN(left, unit->size);

        cs_buf_put(out, unit->data, part);
        left -= part;
    }
    return CS_OK;
}

static void put_random(const struct cs_settings_old *s,
                       struct cs_java_random *random, struct cs_buf *out)
{
    uint64_t size =
        (uint64_t)(cs_java_random_double(random) * 2 * (double)s->size);

    for (uint64_t i = 0; i < size && !out->fault; i++)
        cs_buf_put8(out, (uint8_t)cs_java_random_bits(random, 8));
}

static enum cs_code make_all(const struct cs_settings_old *s, int64_t seed,
                             struct cs_old_values *values, struct cs_err *err)
{
    struct cs_java_random random;
    struct cs_buf unit;
    enum cs_code rc = CS_OK;

    cs_java_random_seed(&random, seed);
    cs_buf_init(&unit, 1024);
    for (unsigned i = 0; i < s->cardinality && !rc; i++) {
        if (s->random_sizes)
            put_random(s, &random, &values->bytes);
        else
            rc = put_value(s, i, &unit, &values->bytes, err);
        values->at[i + 1] = values->bytes.size;
    }
    cs_buf_release(&unit);
    return rc ? rc : cs_buf_check(&values->bytes, "values", err);
}

enum cs_code cs_old_values_new(const struct cs_settings_old *s, int64_t seed,
                               struct cs_old_values **out, struct cs_err *err)
{
    struct cs_old_values *values = calloc(1, sizeof(*values));
    enum cs_code rc = CS_OK;

    if (values) {
        cs_buf_init(&values->bytes, (size_t)1 << 32);
        values->at = calloc((size_t)s->cardinality + 1, sizeof(*values->at));
    }
    if (!values || !values->at)
        rc = cs_fail(err, CS_ENOMEM, "values: out of memory");
    if (!rc)
        rc = make_all(s, seed, values, err);
    if (rc) {
        cs_old_values_free(values);
        return rc;
    }
    *out = values;
    return CS_OK;
}

void cs_old_values_free(struct cs_old_values *values)
{
    if (!values)
        return;
    cs_buf_release(&values->bytes);
    free(values->at);
    free(values);
}

void cs_old_values_put(const struct cs_old_values *values, unsigned number,
                       struct cs_buf *out)
{
    size_t at = values->at[number];
    size_t size = values->at[number + 1] - at;

    cs_buf_put32(out, (uint32_t)size);
    if (size)
        cs_buf_put(out, values->bytes.data + at, size);
}

unsigned cs_old_value_number(const struct cs_settings_old *s, int64_t key,
                             unsigned column)
{
    return s->python ? (unsigned)(key % s->cardinality)
                     : column % s->cardinality;
}

unsigned cs_old_key_digits(const struct cs_settings_old *s)
{
    int64_t number = s->python ? s->keys : s->different;
    unsigned digits = 1;

    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

void cs_old_put_key(struct cs_buf *out, int64_t key, unsigned digits)
{
    char text[24];
    unsigned at = sizeof(text);

    for (; key || sizeof(text) - at < digits; key /= 10)
        text[--at] = (char)('0' + key % 10);
    cs_buf_put(out, text + at, sizeof(text) - at);
}

static int64_t draw_uniform(const struct cs_settings_old *s,
                            struct cs_java_random *random)
{
    int64_t below = s->python ? s->different : CS_MAX(s->different - 1, 1);

    return (int64_t)(cs_java_random_double(random) * (double)below);
}

int64_t cs_old_draw_key(const struct cs_settings_old *s,
                        struct cs_java_random *random)
{
    double mean = (double)(s->different / 2);
    double sigma = (double)s->different * s->stdev;

    for (int i = 0; !s->uniform && i < REDRAWS_MAX; i++) {
        double at = mean + sigma * cs_java_random_gaussian(random);

        if (at >= 0 && at < (double)s->different)
            return (int64_t)at;
    }
    return draw_uniform(s, random);
}

unsigned cs_old_in_flight(const struct cs_settings_old *s)
{
    if (!s->on || s->operation != CS_OLD_MULTI_GET)
        return 1;
    return CS_MIN(s->per_call, (unsigned)MULTIGET_IN_FLIGHT);
}
