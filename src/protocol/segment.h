/* segment.h - the segments of v5: checksummed, little-endian, 128 KiB at most,
 * plain or LZ4. Use inbox.h and outbox.h; these are their parts. */
#ifndef CS_PROTOCOL_SEGMENT_H
#define CS_PROTOCOL_SEGMENT_H

#include "protocol/notation.h"

#define CS_SEGMENT_PAYLOAD_MAX     131071 /* 17 bits */
#define CS_SEGMENT_HEADER_SIZE     6
#define CS_SEGMENT_HEADER_SIZE_LZ4 8
#define CS_SEGMENT_TRAILER_SIZE    4
#define CS_SEGMENT_HEADER_SIZE_MAX CS_SEGMENT_HEADER_SIZE_LZ4

static inline size_t cs_segment_header_size(bool lz4)
{
    return lz4 ? CS_SEGMENT_HEADER_SIZE_LZ4 : CS_SEGMENT_HEADER_SIZE;
}

/* Not reflected, polynomial 0x1974F0B, start 0x875060; by table. */
uint32_t cs_crc24(const uint8_t *bytes, size_t size);

/* zlib's CRC-32 of FA 2D 55 CA and the bytes. */
uint32_t cs_segment_crc32(const uint8_t *bytes, size_t size);

struct cs_segment_header {
    uint32_t size;     /* of the payload on the wire */
    uint32_t raw_size; /* LZ4: of the payload when decompressed; 0: stored, not
                          compressed. Plain: 0 */
    bool self_contained;
};

/* Writes cs_segment_header_size(lz4) bytes. */
void cs_segment_header_store(uint8_t *p, bool lz4,
                             const struct cs_segment_header *header);

/* Writes the CRC32 of size bytes right behind them. */
void cs_segment_trailer_store(uint8_t *payload, size_t size);

/* Checks the CRC24 before it looks at the fields. */
enum cs_code cs_segment_header_parse(const uint8_t *bytes, bool lz4,
                                     struct cs_segment_header *out,
                                     struct cs_err *err) CS_MUST_USE;

/* One segment from the front of in, its payload still as on the wire and
 * checked by its CRC32; borrowed. Not all there: *out_need is how many bytes
 * are needed at least and in is untouched, else 0. */
enum cs_code cs_segment_next(struct cs_reader *in, bool lz4,
                             struct cs_segment_header *out_header,
                             struct cs_view *out_payload, size_t *out_need,
                             struct cs_err *err) CS_MUST_USE;

#endif
