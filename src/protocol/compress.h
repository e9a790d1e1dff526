/* compress.h - LZ4 and Snappy blocks as the protocol uses them. */
#ifndef CS_PROTOCOL_COMPRESS_H
#define CS_PROTOCOL_COMPRESS_H

#include "protocol/notation.h"

/* Decodes a raw LZ4 block into out (its content is replaced). Anything but
 * exactly raw_size bytes is CS_EPROTOCOL. */
enum cs_code cs_lz4_decode(struct cs_view block, size_t raw_size,
                           struct cs_buf *out, struct cs_err *err) CS_MUST_USE;

/* Body of a v3 or v4 envelope: big-endian raw length, then a block. An empty
 * body gives an empty body. */
enum cs_code cs_body_decompress(struct cs_view body, size_t max_size,
                                struct cs_buf *out,
                                struct cs_err *err) CS_MUST_USE;

/* What compresses for one connection. LZ4's table is kept from block to block:
 * clearing its 16 KiB costs more than a small request. */
struct cs_packer {
    struct cs_buf table; /* owned; LZ4's */
    struct cs_buf block; /* owned; what was made last */
    unsigned count;      /* LZ4 blocks so far */
    int acceleration;    /* LZ4's, as the last close look found it worth */
};

void cs_packer_init(struct cs_packer *packer);
void cs_packer_release(struct cs_packer *packer);

/* Makes an LZ4 block of the bytes in packer->block; returns its size, or 0 when
 * it has more than most bytes. Every block is tried. One in 16 is looked at as
 * closely as the drivers do; when that saves little, those up to the next such
 * look are searched in longer steps. */
size_t cs_packer_lz4(struct cs_packer *packer, const uint8_t *bytes,
                     size_t size, size_t most);

/* Compresses the body of the envelope that stands at offset at and ends the
 * buffer, in place, when that makes it smaller (flag and length are patched);
 * else leaves it as it is. */
void cs_body_compress(struct cs_buf *buf, size_t at, struct cs_packer *packer);

/* The same with Snappy, whose block carries its raw length itself. */
enum cs_code cs_snappy_body_decompress(struct cs_view body, size_t max_size,
                                       struct cs_buf *out,
                                       struct cs_err *err) CS_MUST_USE;
void cs_snappy_body_compress(struct cs_buf *buf, size_t at,
                             struct cs_packer *packer);

#endif
