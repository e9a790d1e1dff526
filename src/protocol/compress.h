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

/* Compresses the body of the envelope that stands at offset at and ends the
 * buffer, in place, when that makes it smaller (flag and length are patched);
 * else leaves it as it is. scratch: its content is replaced. */
void cs_body_compress(struct cs_buf *buf, size_t at, struct cs_buf *scratch);

/* The same with Snappy, whose block carries its raw length itself. */
enum cs_code cs_snappy_body_decompress(struct cs_view body, size_t max_size,
                                       struct cs_buf *out,
                                       struct cs_err *err) CS_MUST_USE;
void cs_snappy_body_compress(struct cs_buf *buf, size_t at,
                             struct cs_buf *scratch);

#endif
