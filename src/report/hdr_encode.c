/* hdr_encode.c - a histogram in HdrHistogram's V2 compressed encoding. */
#include "report/hdr_internal.h"

#include <zlib.h>

#define COOKIE_V2            0x1c849313u /* 0x1c849303 | 0x10 */
#define COOKIE_V2_COMPRESSED 0x1c849314u /* 0x1c849304 | 0x10 */
#define DIGITS               3
#define RATIO_ONE            UINT64_C(0x3ff0000000000000) /* 1.0 */
/* Nine bytes at most per bucket, and as much again for zlib's overhead. */
#define ENCODED_MAX ((size_t)CS_HISTOGRAM_BUCKETS * 18 + 1024)

/* ZigZag LEB128-64b9B: seven bits per byte, low ones first; a ninth byte holds
 * eight. */
static void put_zigzag(struct cs_buf *out, int64_t value)
{
    uint64_t bits = (uint64_t)value << 1 ^ (uint64_t)(value >> 63);

    for (int i = 0; i < 8 && bits >= 0x80; i++) {
        cs_buf_put8(out, (uint8_t)(bits | 0x80));
        bits >>= 7;
    }
    cs_buf_put8(out, (uint8_t)bits);
}

/* Counts up to the last one in use; a run of zeros is one negative number. */
static void put_counts(struct cs_buf *out, const struct cs_histogram *h)
{
    size_t size;
    const uint64_t *counts = cs_histogram_counts(h, &size);
    int64_t zeros = 0;

    for (size_t i = 0; i < size; i++) {
        if (!counts[i]) {
            zeros++;
            continue;
        }
        if (zeros)
            put_zigzag(out, -zeros);
        put_zigzag(out, (int64_t)counts[i]);
        zeros = 0;
    }
}

static void put_plain(struct cs_buf *out, const struct cs_histogram *h)
{
    cs_buf_put32(out, COOKIE_V2);
    cs_buf_put32(out, 0); /* length of the counts, known below */
    cs_buf_put32(out, 0); /* normalizing index offset */
    cs_buf_put32(out, DIGITS);
    cs_buf_put64(out, 1); /* lowest discernible value */
    cs_buf_put64(out, (uint64_t)CS_HISTOGRAM_TOP_NS);
    cs_buf_put64(out, RATIO_ONE);
    put_counts(out, h);
    if (!out->fault)
        cs_store32(out->data + 4, (uint32_t)(out->size - 40));
}

void hdr_encode(struct cs_buf *out, const struct cs_histogram *h)
{
    struct cs_buf plain;
    uint8_t *to;
    uLongf size;

    cs_buf_init(&plain, ENCODED_MAX);
    put_plain(&plain, h);
    size = compressBound(plain.size);
    cs_buf_put32(out, COOKIE_V2_COMPRESSED);
    cs_buf_put32(out, 0);
    to = cs_buf_room(out, size);
    if (plain.fault || !to ||
        compress(to, &size, plain.data, plain.size) != Z_OK) {
        out->fault = true;
    } else {
        cs_store32(to - 4, (uint32_t)size);
        out->size += size;
    }
    cs_buf_release(&plain);
}

static void put_base64(struct cs_buf *out, const uint8_t *bytes, size_t size)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < size; i += 3) {
        size_t left = CS_MIN(size - i, 3);
        uint32_t group = (uint32_t)bytes[i] << 16;
        char text[4] = {'=', '=', '=', '='};

        if (left > 1)
            group |= (uint32_t)bytes[i + 1] << 8;
        if (left > 2)
            group |= bytes[i + 2];
        for (size_t k = 0; k <= left; k++)
            text[k] = digits[group >> (18 - 6 * k) & 63];
        cs_buf_put(out, text, sizeof(text));
    }
}

void hdr_encode_text(struct cs_buf *out, const struct cs_histogram *h)
{
    struct cs_buf bytes;

    cs_buf_init(&bytes, ENCODED_MAX);
    hdr_encode(&bytes, h);
    if (bytes.fault)
        out->fault = true;
    else
        put_base64(out, bytes.data, bytes.size);
    cs_buf_release(&bytes);
}
