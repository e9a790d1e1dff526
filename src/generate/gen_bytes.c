/* gen_bytes.c - text, blob and the hex key: bulk bytes. */
#include "generate/generate_internal.h"

/* Room is asked for once per cell: its size, and blocks of up to 16 bytes of
 * which the last one lies partly behind the value. */
#define CELL_ROOM (4 + 15)

CS_INLINE uint8_t *begin(struct cs_buf *out, size_t size)
{
    uint8_t *p = cs_buf_room(out, size + CELL_ROOM);

    if (CS_UNLIKELY(!p))
        return NULL;
    cs_store32(p, (uint32_t)size);
    out->size += 4 + size;
    return p + 4;
}

CS_INLINE void put_text(struct cs_gen_node *node, int64_t id,
                        struct cs_buf *out)
{
    size_t size = cs_gen_size(node, id);
    uint8_t *p = begin(out, size);
    struct cs_stream stream;

    if (CS_UNLIKELY(!p))
        return;
    cs_stream_seed(&stream, ~id);
    cs_stream_fill_text(&stream, p, size);
}

CS_INLINE void put_blob(struct cs_gen_node *node, int64_t id,
                        struct cs_buf *out)
{
    size_t size = cs_gen_size(node, id);
    uint8_t *p = begin(out, size);
    struct cs_stream stream;

    if (CS_UNLIKELY(!p))
        return;
    cs_stream_seed(&stream, ~id);
    cs_stream_fill(&stream, p, size);
}

static void append_text(struct cs_gen_node *node, struct cs_buf *out)
{
    put_text(node, cs_dist_next(&node->identity), out);
}

static CS_NOINLINE void first_text(struct cs_gen_node *node, int64_t seed,
                                   struct cs_buf *out)
{
    put_text(node, cs_gen_first_id(node, seed), out);
}

static void append_blob(struct cs_gen_node *node, struct cs_buf *out)
{
    put_blob(node, cs_dist_next(&node->identity), out);
}

static CS_NOINLINE void first_blob(struct cs_gen_node *node, int64_t seed,
                                   struct cs_buf *out)
{
    put_blob(node, cs_gen_first_id(node, seed), out);
}

/* ---- short values ---- */

/* Neighbouring columns of values of up to so many outputs of the stream are
 * made in one go, by functions in which that number is a constant: with the
 * inner loop, the calls and the checks of the buffer gone the instructions of
 * a default row are a quarter fewer. The stream is not seeded anew so early. */
#define SHORT_MOST 8

CS_INLINE int64_t put_output(uint8_t *p, int64_t x, bool text)
{
    uint64_t v;

    x = cs_stream_step(x);
    v = cs_stream_output(x);
    cs_stream_store(p, text ? cs_stream_text(v) : v);
    return x;
}

CS_INLINE void put_outputs(uint8_t *p, int64_t id, unsigned count, bool text)
{
    int64_t x = put_output(p, cs_stream_start_complement(id), text);

    x = count > 1 ? put_output(p + 8, x, text) : x;
    x = count > 2 ? put_output(p + 16, x, text) : x;
    x = count > 3 ? put_output(p + 24, x, text) : x;
    x = count > 4 ? put_output(p + 32, x, text) : x;
    x = count > 5 ? put_output(p + 40, x, text) : x;
    x = count > 6 ? put_output(p + 48, x, text) : x;
    (void)(count > 7 ? put_output(p + 56, x, text) : x);
}

/* Straight from the seed to the bytes, all in registers. */
CS_INLINE void put_short_run(struct cs_gen_node *node, unsigned count,
                             int64_t seed, struct cs_buf *out, unsigned outputs,
                             bool text)
{
    uint32_t size = (uint32_t)node->size;
    uint8_t *p = cs_buf_room(out, (size_t)count * (4 + outputs * 8));

    if (CS_UNLIKELY(!p))
        return;
    do {
        cs_store32(p, size);
        put_outputs(p + 4, cs_gen_plain_id(node++, seed), outputs, text);
        p += 4 + (size_t)size;
    } while (--count);
    out->size = (size_t)(p - out->data);
}

#define SHORT_FN(outputs)                                                      \
    static void run_text_##outputs(struct cs_gen_node *node, unsigned count,   \
                                   int64_t seed, struct cs_buf *out)           \
    {                                                                          \
        put_short_run(node, count, seed, out, outputs, true);                  \
    }                                                                          \
    static void run_blob_##outputs(struct cs_gen_node *node, unsigned count,   \
                                   int64_t seed, struct cs_buf *out)           \
    {                                                                          \
        put_short_run(node, count, seed, out, outputs, false);                 \
    }

SHORT_FN(1)
SHORT_FN(2)
SHORT_FN(3)
SHORT_FN(4)
SHORT_FN(5)
SHORT_FN(6)
SHORT_FN(7)
SHORT_FN(8)

static const struct {
    cs_gen_run_fn text, blob;
} short_fns[SHORT_MOST + 1] = {
    {NULL, NULL},
    {run_text_1, run_blob_1},
    {run_text_2, run_blob_2},
    {run_text_3, run_blob_3},
    {run_text_4, run_blob_4},
    {run_text_5, run_blob_5},
    {run_text_6, run_blob_6},
    {run_text_7, run_blob_7},
    {run_text_8, run_blob_8},
};

cs_gen_run_fn cs_gen_bytes_run_fn(const struct cs_gen_node *node)
{
    size_t count = 0;

    if (node->plain && node->size_fixed)
        count = ((size_t)node->size + 7) / 8;
    if (count > SHORT_MOST)
        count = 0;
    switch (node->type->kind) {
    case CS_TYPE_ASCII:
    case CS_TYPE_TEXT:
        return short_fns[count].text;
    case CS_TYPE_BLOB:
        return short_fns[count].blob;
    default:
        return NULL;
    }
}

static void first_short(struct cs_gen_node *node, int64_t seed,
                        struct cs_buf *out)
{
    node->run(node, 1, seed, out);
}

cs_gen_first_fn cs_gen_bytes_first_fn(const struct cs_gen_node *node)
{
    if (cs_gen_bytes_run_fn(node))
        return first_short;
    switch (node->type->kind) {
    case CS_TYPE_ASCII:
    case CS_TYPE_TEXT:
        return first_text;
    case CS_TYPE_BLOB:
        return first_blob;
    default:
        return NULL;
    }
}

cs_gen_fn cs_gen_bytes_fn(enum cs_type_kind kind)
{
    switch (kind) {
    case CS_TYPE_ASCII:
    case CS_TYPE_TEXT:
        return append_text;
    case CS_TYPE_BLOB:
        return append_blob;
    default:
        return NULL;
    }
}

/* ---- the hex key ---- */

/* 0..9 become '0'..'9'; 10..15 become 'K'..'P': the original adds 'A' to the
 * whole digit. */
#define DIGIT(n) ((n) < 10 ? '0' + (n) : 'A' + (n))

/* Two digits of a byte, the lower one first, and what they add to the seed of
 * the partition: see cs_gen_mix_bytes. */
struct pair {
    uint8_t digits[2];
    uint16_t mixed;
};

#define PAIR(high, low)                                                        \
    {                                                                          \
        {DIGIT(low), DIGIT(high)}, 31 * DIGIT(low) + DIGIT(high)               \
    }
#define PAIRS(h)                                                               \
    PAIR(h, 0), PAIR(h, 1), PAIR(h, 2), PAIR(h, 3), PAIR(h, 4), PAIR(h, 5),    \
        PAIR(h, 6), PAIR(h, 7), PAIR(h, 8), PAIR(h, 9), PAIR(h, 10),           \
        PAIR(h, 11), PAIR(h, 12), PAIR(h, 13), PAIR(h, 14), PAIR(h, 15)

static const struct pair pairs[256] = {
    PAIRS(0),  PAIRS(1),  PAIRS(2),  PAIRS(3),  PAIRS(4),  PAIRS(5),
    PAIRS(6),  PAIRS(7),  PAIRS(8),  PAIRS(9),  PAIRS(10), PAIRS(11),
    PAIRS(12), PAIRS(13), PAIRS(14), PAIRS(15),
};

/* The 16 digits of a number. */
CS_INLINE void put_hex(uint8_t *p, uint64_t v)
{
    for (unsigned i = 0; i < 8; i++, p += 2, v >>= 8)
        memcpy(p, pairs[v & 0xFF].digits, 2);
}

/* The first draw seeds the size; that of the predefined keys is fixed, so it is
 * only spent. */
CS_INLINE size_t hex_size(struct cs_gen_node *node)
{
    if (node->size_fixed) {
        (void)cs_dist_next(&node->identity);
        return (size_t)node->size;
    }
    return cs_gen_size(node, cs_dist_next(&node->identity));
}

void cs_gen_hex_key(struct cs_gen_node *node, struct cs_buf *out)
{
    size_t size = hex_size(node);
    uint8_t *p = begin(out, size);

    if (CS_UNLIKELY(!p))
        return;
    for (size_t at = 0; at < size; at += 16)
        put_hex(p + at, (uint64_t)cs_dist_next(&node->identity));
}

void cs_gen_hex_first(struct cs_gen_node *node, int64_t seed,
                      struct cs_buf *out)
{
    cs_gen_seed(node, seed);
    cs_gen_hex_key(node, out);
}

/* The predefined keys: plain, of one draw and whole pairs. Mixing them digit by
 * digit afterwards would cost more than making them. */
static int64_t short_hex_key(struct cs_gen_node *node, int64_t seed,
                             struct cs_buf *out)
{
    size_t size = (size_t)(uint32_t)node->size;
    uint8_t *p = begin(out, size);
    const uint8_t *end = p + size;
    struct cs_java_random random;
    uint64_t v, mixed = 0;

    if (CS_UNLIKELY(!p))
        return 0;
    cs_java_random_seed(&random, seed ^ node->salt);
    (void)cs_java_random_double(&random);
    v = (uint64_t)cs_gen_plain_next(node, &random);
    do {
        const struct pair *pair = &pairs[v & 0xFF];

        memcpy(p, pair->digits, 2);
        mixed = mixed * (31 * 31) + pair->mixed;
        p += 2;
        v >>= 8;
    } while (p < end);
    return (int64_t)mixed;
}

cs_gen_key_fn cs_gen_hex_key_fn(const struct cs_gen_node *node)
{
    bool is_short = node->size_fixed && node->size >= 2 && node->size <= 16 &&
                    node->size % 2 == 0;

    return node->plain && is_short ? short_hex_key : NULL;
}
