/* compress.c - LZ4 and Snappy blocks, bounded in both directions. */
#include "protocol/compress.h"

#include "protocol/frame.h"

#include <lz4.h>
#include <snappy-c.h>

/* One byte of LZ4 stands for at most so many: announcements above that are
 * lies and need no memory. */
#define LZ4_RATIO_MAX 255

/* Likewise of Snappy: a copy of 64 bytes takes three. */
#define SNAPPY_RATIO_MAX 64

#define RAW_LENGTH_SIZE 4

/* Of so many LZ4 blocks one is looked at closely. */
#define CLOSE_LOOK 16

/* LZ4's acceleration, 1 being what everybody uses: where a close look saved
 * less than a quarter (rows of random bytes under one statement: they still
 * shrink as much to a hundredth, for a third of the work), and where it saved
 * nothing. */
#define LITTLE_ACCELERATION  4
#define NOTHING_ACCELERATION 16

enum cs_code cs_lz4_decode(struct cs_view block, size_t raw_size,
                           struct cs_buf *out, struct cs_err *err)
{
    uint8_t *p;
    int size;

    if (block.size > LZ4_MAX_INPUT_SIZE || raw_size > LZ4_MAX_INPUT_SIZE ||
        raw_size / LZ4_RATIO_MAX > block.size)
        return cs_fail(err, CS_EPROTOCOL,
                       "LZ4 block: %zu bytes cannot become %zu", block.size,
                       raw_size);
    cs_buf_clear(out);
    p = cs_buf_room(out, raw_size + 1); /* never NULL for a size of 0 */
    if (!p)
        return cs_fail(err, CS_ENOMEM, "LZ4 block: no memory for %zu bytes",
                       raw_size);
    size = LZ4_decompress_safe((const char *)block.data, (char *)p,
                               (int)block.size, (int)raw_size);
    if (size < 0 || (size_t)size != raw_size)
        return cs_fail(err, CS_EPROTOCOL,
                       "LZ4 block: does not hold the %zu bytes announced",
                       raw_size);
    out->size = raw_size;
    return CS_OK;
}

enum cs_code cs_body_decompress(struct cs_view body, size_t max_size,
                                struct cs_buf *out, struct cs_err *err)
{
    struct cs_reader r = cs_reader_of(body.data, body.size);
    uint32_t raw_size;

    if (!body.size) {
        cs_buf_clear(out);
        return cs_buf_room(out, 1) ? CS_OK : cs_buf_check(out, "body", err);
    }
    raw_size = cs_read32(&r);
    if (r.fault || raw_size > max_size)
        return cs_fail(err, CS_EPROTOCOL,
                       "compressed body: %d bytes announced, at most %zu are "
                       "accepted",
                       (int)raw_size, max_size);
    return cs_lz4_decode(cs_view_of(r.p, cs_reader_left(&r)), raw_size, out,
                         err);
}

void cs_packer_init(struct cs_packer *packer)
{
    *packer = (struct cs_packer){.acceleration = 1};
    cs_buf_init(&packer->table, sizeof(LZ4_stream_t));
    cs_buf_init(&packer->block, LZ4_COMPRESSBOUND(CS_FRAME_BODY_LIMIT));
}

void cs_packer_release(struct cs_packer *packer)
{
    cs_buf_release(&packer->table);
    cs_buf_release(&packer->block);
}

/* LZ4's table, ready for a block that knows nothing of those before it. */
static LZ4_stream_t *fresh_table(struct cs_buf *table)
{
    if (!table->size) {
        uint8_t *p = cs_buf_room(table, sizeof(LZ4_stream_t));

        if (!p || !LZ4_initStream(p, sizeof(LZ4_stream_t)))
            return NULL;
        table->size = sizeof(LZ4_stream_t);
    }
    LZ4_resetStream_fast((LZ4_stream_t *)(void *)table->data);
    return (LZ4_stream_t *)(void *)table->data;
}

static int acceleration_for(size_t size, size_t packed)
{
    if (packed >= size)
        return NOTHING_ACCELERATION;
    return size - packed < size / 4 ? LITTLE_ACCELERATION : 1;
}

size_t cs_packer_lz4(struct cs_packer *packer, const uint8_t *bytes,
                     size_t size, size_t most)
{
    bool close = packer->count++ % CLOSE_LOOK == 0;
    LZ4_stream_t *table;
    uint8_t *p = NULL;
    size_t bound, packed;

    if (size > LZ4_MAX_INPUT_SIZE)
        return 0;
    bound = (size_t)LZ4_compressBound((int)size);
    table = fresh_table(&packer->table);
    cs_buf_clear(&packer->block);
    if (table)
        p = cs_buf_room(&packer->block, bound);
    if (!p)
        return 0;
    packed = (size_t)LZ4_compress_fast_continue(
        table, (const char *)bytes, (char *)p, (int)size, (int)bound,
        close ? 1 : packer->acceleration);
    if (close)
        packer->acceleration = acceleration_for(size, packed);
    return packed <= most ? packed : 0;
}

void cs_body_compress(struct cs_buf *buf, size_t at, struct cs_packer *packer)
{
    uint8_t *header = buf->data + at;
    uint8_t *body = header + CS_FRAME_HEADER_SIZE;
    size_t size = buf->size - at - CS_FRAME_HEADER_SIZE;
    size_t packed = 0;

    if (size > RAW_LENGTH_SIZE + 1)
        packed = cs_packer_lz4(packer, body, size, size - RAW_LENGTH_SIZE - 1);
    if (!packed)
        return;
    cs_store32(body, (uint32_t)size);
    memcpy(body + RAW_LENGTH_SIZE, packer->block.data, packed);
    header[1] |= CS_FRAME_COMPRESSED;
    cs_store32(header + 5, (uint32_t)(packed + RAW_LENGTH_SIZE));
    buf->size = at + CS_FRAME_HEADER_SIZE + RAW_LENGTH_SIZE + packed;
}

enum cs_code cs_snappy_body_decompress(struct cs_view body, size_t max_size,
                                       struct cs_buf *out, struct cs_err *err)
{
    const char *block = (const char *)body.data;
    size_t size = 0;
    uint8_t *p;

    cs_buf_clear(out);
    if (body.size &&
        (snappy_uncompressed_length(block, body.size, &size) != SNAPPY_OK ||
         size > max_size || size / SNAPPY_RATIO_MAX > body.size))
        return cs_fail(err, CS_EPROTOCOL,
                       "Snappy block of %zu bytes: %zu bytes announced, at "
                       "most %zu are accepted",
                       body.size, size, max_size);
    p = cs_buf_room(out, size + 1); /* never NULL for a size of 0 */
    if (!p)
        return cs_buf_check(out, "body", err);
    if (body.size &&
        snappy_uncompress(block, body.size, (char *)p, &size) != SNAPPY_OK)
        return cs_fail(err, CS_EPROTOCOL,
                       "Snappy block: does not hold the %zu bytes announced",
                       size);
    out->size = size;
    return CS_OK;
}

void cs_snappy_body_compress(struct cs_buf *buf, size_t at,
                             struct cs_packer *packer)
{
    uint8_t *header = buf->data + at;
    uint8_t *body = header + CS_FRAME_HEADER_SIZE;
    size_t size = buf->size - at - CS_FRAME_HEADER_SIZE;
    size_t packed = snappy_max_compressed_length(size);
    uint8_t *p;

    cs_buf_clear(&packer->block);
    p = cs_buf_room(&packer->block, packed);
    if (!p ||
        snappy_compress((const char *)body, size, (char *)p, &packed) !=
            SNAPPY_OK ||
        packed >= size)
        return;
    memcpy(body, p, packed);
    header[1] |= CS_FRAME_COMPRESSED;
    cs_store32(header + 5, (uint32_t)packed);
    buf->size = at + CS_FRAME_HEADER_SIZE + packed;
}
