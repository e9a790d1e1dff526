/* stream.h - the bulk bytes of text and blob values: a xorshift generator that
 * is seeded anew from java.util.Random every 32 outputs. All inline: a default
 * row asks for 25 outputs. */
#ifndef CS_RANDOM_STREAM_H
#define CS_RANDOM_STREAM_H

#include "random/java_random.h"

#include <stddef.h>
#include <string.h>

/* Outputs between two reseeds. */
#define CS_STREAM_PERIOD 32

struct cs_stream {
    int64_t x;
    unsigned count; /* outputs since the last reseed */
};

CS_INLINE void cs_stream_seed(struct cs_stream *s, int64_t seed)
{
    struct cs_java_random random;

    cs_java_random_seed(&random, seed);
    s->x = cs_java_random_long(&random);
    s->count = 0;
}

/* What cs_stream_seed leaves in x for the complement of a seed, as all values
 * are made. */
CS_INLINE int64_t cs_stream_start_complement(int64_t seed)
{
    struct cs_java_random random = {.state = cs_java_random_start(-1) ^
                                             (uint64_t)seed << 16};

    return cs_java_random_long(&random);
}

/* One step of the xorshift; the shifts to the right are arithmetic, as in the
 * original. */
CS_INLINE int64_t cs_stream_step(int64_t x)
{
    x ^= x >> 12;
    x = (int64_t)((uint64_t)x ^ (uint64_t)x << 25);
    x ^= x >> 27;
    return x;
}

CS_INLINE uint64_t cs_stream_output(int64_t x)
{
    return (uint64_t)x * UINT64_C(2685821657736338717);
}

CS_INLINE uint64_t cs_stream_next(struct cs_stream *s)
{
    if (CS_UNLIKELY(++s->count == CS_STREAM_PERIOD))
        cs_stream_seed(s, s->x);
    s->x = cs_stream_step(s->x);
    return cs_stream_output(s->x);
}

/* The eight bytes of an output as characters, each by the rule of the original:
 * ((byte AND 127) + 32) AND 127. No carry leaves its byte. */
CS_INLINE uint64_t cs_stream_text(uint64_t v)
{
    const uint64_t low7 = UINT64_C(0x7f7f7f7f7f7f7f7f);

    return ((v & low7) + UINT64_C(0x2020202020202020)) & low7;
}

CS_INLINE void cs_stream_store(uint8_t *out, uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    memcpy(out, &v, sizeof(v));
}

/* Outputs up to the next reseed, at most count, 8 bytes each; returns how many
 * they were. The loop of every long value: nothing in it but the generator. */
CS_INLINE size_t cs_stream_run(struct cs_stream *s, uint8_t *out, size_t count,
                               bool text)
{
    size_t left = CS_STREAM_PERIOD - 1 - s->count;
    int64_t x = s->x;
    const uint8_t *end;

    count = CS_MIN(count, left);
    for (end = out + count * sizeof(uint64_t); out != end;
         out += sizeof(uint64_t)) {
        uint64_t v;

        x = cs_stream_step(x);
        v = cs_stream_output(x);
        cs_stream_store(out, text ? cs_stream_text(v) : v);
    }
    s->x = x;
    s->count += (unsigned)count;
    return count;
}

CS_INLINE void cs_stream_fill_as(struct cs_stream *s, uint8_t *out, size_t size,
                                 bool text)
{
    size_t count = (size + sizeof(uint64_t) - 1) / sizeof(uint64_t);
    size_t done = cs_stream_run(s, out, count, text);

    while (CS_UNLIKELY(done < count)) {
        uint64_t v = cs_stream_next(s); /* the one that reseeds */

        cs_stream_store(out + done++ * sizeof(uint64_t),
                        text ? cs_stream_text(v) : v);
        done +=
            cs_stream_run(s, out + done * sizeof(uint64_t), count - done, text);
    }
}

/* size bytes of the stream, each output's lowest byte first. out has room for
 * size rounded up to a multiple of 8; what lies behind size is garbage. The
 * next fill starts with a fresh output. */
CS_INLINE void cs_stream_fill(struct cs_stream *s, uint8_t *out, size_t size)
{
    cs_stream_fill_as(s, out, size, false);
}

/* The same as characters. */
CS_INLINE void cs_stream_fill_text(struct cs_stream *s, uint8_t *out,
                                   size_t size)
{
    cs_stream_fill_as(s, out, size, true);
}

#endif
