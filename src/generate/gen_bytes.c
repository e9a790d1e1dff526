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

/* Values of up to so many outputs of the stream have functions of their own,
 * in which their number is a constant: with the loop gone the instructions of
 * a default row are a tenth fewer. The stream is not seeded anew so early. */
#define SHORT_MOST 8

/* begin for functions that call nothing else: NULL when there is no room yet,
 * and the caller hands over to one that makes room. */
CS_INLINE uint8_t *begin_in_place(struct cs_buf *out, size_t size)
{
    size_t place = out->size;
    uint8_t *p;

    if (CS_UNLIKELY(out->cap - place < size + CELL_ROOM || out->fault))
        return NULL;
    p = out->data + place;
    out->size = place + 4 + size;
    cs_store32(p, (uint32_t)size);
    return p + 4;
}

CS_INLINE int64_t put_output(uint8_t *p, int64_t x, bool text)
{
    uint64_t v;

    x = cs_stream_step(x);
    v = cs_stream_output(x);
    cs_stream_store(p, text ? cs_stream_text(v) : v);
    return x;
}

/* Straight from the seed to the bytes, all in registers. */
CS_INLINE bool put_short(struct cs_gen_node *node, int64_t seed,
                         struct cs_buf *out, unsigned count, bool text)
{
    uint8_t *p = begin_in_place(out, (size_t)(uint32_t)node->size);
    struct cs_stream stream;
    int64_t x;

    if (CS_UNLIKELY(!p))
        return false;
    cs_stream_seed(&stream, ~cs_gen_plain_id(node, seed));
    x = put_output(p, stream.x, text);
    x = count > 1 ? put_output(p + 8, x, text) : x;
    x = count > 2 ? put_output(p + 16, x, text) : x;
    x = count > 3 ? put_output(p + 24, x, text) : x;
    x = count > 4 ? put_output(p + 32, x, text) : x;
    x = count > 5 ? put_output(p + 40, x, text) : x;
    x = count > 6 ? put_output(p + 48, x, text) : x;
    (void)(count > 7 ? put_output(p + 56, x, text) : x);
    return true;
}

#define SHORT_FN(count)                                                        \
    static void first_text_##count(struct cs_gen_node *node, int64_t seed,     \
                                   struct cs_buf *out)                         \
    {                                                                          \
        if (CS_UNLIKELY(!put_short(node, seed, out, count, true)))             \
            first_text(node, seed, out);                                       \
    }                                                                          \
    static void first_blob_##count(struct cs_gen_node *node, int64_t seed,     \
                                   struct cs_buf *out)                         \
    {                                                                          \
        if (CS_UNLIKELY(!put_short(node, seed, out, count, false)))            \
            first_blob(node, seed, out);                                       \
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
    cs_gen_first_fn text, blob;
} short_fns[SHORT_MOST + 1] = {
    {first_text, first_blob},     {first_text_1, first_blob_1},
    {first_text_2, first_blob_2}, {first_text_3, first_blob_3},
    {first_text_4, first_blob_4}, {first_text_5, first_blob_5},
    {first_text_6, first_blob_6}, {first_text_7, first_blob_7},
    {first_text_8, first_blob_8},
};

cs_gen_first_fn cs_gen_bytes_first_fn(const struct cs_gen_node *node)
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

/* Eight nibbles, lowest first, as eight bytes 0..15, lowest first. */
CS_INLINE uint64_t spread(uint64_t v)
{
    v = (v | v << 16) & UINT64_C(0x0000ffff0000ffff);
    v = (v | v << 8) & UINT64_C(0x00ff00ff00ff00ff);
    return (v | v << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
}

/* 0..9 become '0'..'9'; 10..15 become 'K'..'P': the original adds 'A' to the
 * whole digit. */
CS_INLINE uint64_t digits(uint64_t v)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t above9 = ((v + 6 * ones) >> 4) & ones;

    return v + '0' * ones + above9 * ('A' - '0');
}

CS_INLINE void put_hex(uint8_t *p, uint64_t v)
{
    cs_stream_store(p, digits(spread(v & UINT32_MAX)));
    cs_stream_store(p + 8, digits(spread(v >> 32)));
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
    uint8_t *p = begin_in_place(out, size);
    struct cs_java_random random;

    if (CS_UNLIKELY(!p)) {
        first_hex_key(node, seed, out);
        return;
    }
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
