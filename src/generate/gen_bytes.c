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
    struct cs_stream stream;
    int64_t x;

    cs_stream_seed(&stream, ~id);
    x = put_output(p, stream.x, text);
    x = count > 1 ? put_output(p + 8, x, text) : x;
    x = count > 2 ? put_output(p + 16, x, text) : x;
    x = count > 3 ? put_output(p + 24, x, text) : x;
    x = count > 4 ? put_output(p + 32, x, text) : x;
    x = count > 5 ? put_output(p + 40, x, text) : x;
    x = count > 6 ? put_output(p + 48, x, text) : x;
    (void)(count > 7 ? put_output(p + 56, x, text) : x);
}

/* Straight from the seed to the bytes, all in registers. */
CS_INLINE struct cs_gen_node *put_short_run(struct cs_gen_node *node,
                                            const struct cs_gen_node *end,
                                            int64_t seed, struct cs_buf *out,
                                            unsigned count, bool text)
{
    cs_gen_run_fn run = node->run;
    size_t most = (size_t)(end - node) * (4 + count * 8);
    uint8_t *p = cs_buf_room(out, most);

    if (CS_UNLIKELY(!p))
        return node + 1;
    do {
        size_t size = (size_t)(uint32_t)node->size;

        cs_store32(p, (uint32_t)size);
        put_outputs(p + 4, cs_gen_plain_id(node, seed), count, text);
        p += 4 + size;
        node++;
    } while (node < end && node->run == run);
    out->size = (size_t)(p - out->data);
    return node;
}

#define SHORT_FN(count)                                                        \
    static struct cs_gen_node *run_text_##count(                               \
        struct cs_gen_node *node, const struct cs_gen_node *end, int64_t seed, \
        struct cs_buf *out)                                                    \
    {                                                                          \
        return put_short_run(node, end, seed, out, count, true);               \
    }                                                                          \
    static struct cs_gen_node *run_blob_##count(                               \
        struct cs_gen_node *node, const struct cs_gen_node *end, int64_t seed, \
        struct cs_buf *out)                                                    \
    {                                                                          \
        return put_short_run(node, end, seed, out, count, false);              \
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
    node->run(node, node + 1, seed, out);
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

/* Two digits of a byte, the lower one first. */
#define PAIR(high, low)                                                        \
    {                                                                          \
        DIGIT(low), DIGIT(high)                                                \
    }
#define PAIRS(h)                                                               \
    PAIR(h, 0), PAIR(h, 1), PAIR(h, 2), PAIR(h, 3), PAIR(h, 4), PAIR(h, 5),    \
        PAIR(h, 6), PAIR(h, 7), PAIR(h, 8), PAIR(h, 9), PAIR(h, 10),           \
        PAIR(h, 11), PAIR(h, 12), PAIR(h, 13), PAIR(h, 14), PAIR(h, 15)

static const uint8_t pairs[256][2] = {
    PAIRS(0),  PAIRS(1),  PAIRS(2),  PAIRS(3),  PAIRS(4),  PAIRS(5),
    PAIRS(6),  PAIRS(7),  PAIRS(8),  PAIRS(9),  PAIRS(10), PAIRS(11),
    PAIRS(12), PAIRS(13), PAIRS(14), PAIRS(15),
};

CS_INLINE void put_eight(uint8_t *p, uint32_t v)
{
    memcpy(p, pairs[v & 0xFF], 2);
    memcpy(p + 2, pairs[v >> 8 & 0xFF], 2);
    memcpy(p + 4, pairs[v >> 16 & 0xFF], 2);
    memcpy(p + 6, pairs[v >> 24], 2);
}

CS_INLINE void put_hex(uint8_t *p, uint64_t v)
{
    put_eight(p, (uint32_t)v);
    put_eight(p + 8, (uint32_t)(v >> 32));
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

static CS_NOINLINE void first_hex_key(struct cs_gen_node *node, int64_t seed,
                                      struct cs_buf *out)
{
    cs_gen_seed(node, seed);
    cs_gen_hex_key(node, out);
}

/* The predefined keys: plain and of fixed size, all in registers. */
static void first_plain_hex_key(struct cs_gen_node *node, int64_t seed,
                                struct cs_buf *out)
{
    size_t size = (size_t)(uint32_t)node->size;
    uint8_t *p = begin(out, size);
    struct cs_java_random random;

    if (CS_UNLIKELY(!p))
        return;
    cs_java_random_seed(&random, seed ^ node->salt);
    (void)cs_java_random_double(&random);
    for (const uint8_t *end = p + size; p < end; p += 16)
        put_hex(p, (uint64_t)cs_gen_plain_next(node, &random));
}

cs_gen_first_fn cs_gen_hex_first_fn(const struct cs_gen_node *node)
{
    return node->plain && node->size_fixed ? first_plain_hex_key
                                           : first_hex_key;
}
