/* frame.h - the envelope ("frame" of v3 and v4): 9 bytes of header, a body. */
#ifndef CS_PROTOCOL_FRAME_H
#define CS_PROTOCOL_FRAME_H

#include "protocol/notation.h"

#define CS_PROTOCOL_OLDEST 3
#define CS_PROTOCOL_NEWEST 5

#define CS_FRAME_HEADER_SIZE     9
#define CS_FRAME_HEADER_SIZE_OLD 8 /* of replies in v1 and v2 */

/* What the text of the protocol allows; and our own habit. */
#define CS_FRAME_BODY_LIMIT  (UINT32_C(256) << 20)
#define CS_FRAME_BODY_PRESET (UINT32_C(64) << 20)

#define CS_STREAM_MAX   32767
#define CS_STREAM_EVENT (-1)

enum cs_opcode {
    CS_OP_ERROR = 0x00,
    CS_OP_STARTUP = 0x01,
    CS_OP_READY = 0x02,
    CS_OP_AUTHENTICATE = 0x03,
    CS_OP_OPTIONS = 0x05,
    CS_OP_SUPPORTED = 0x06,
    CS_OP_QUERY = 0x07,
    CS_OP_RESULT = 0x08,
    CS_OP_PREPARE = 0x09,
    CS_OP_EXECUTE = 0x0A,
    CS_OP_REGISTER = 0x0B,
    CS_OP_EVENT = 0x0C,
    CS_OP_BATCH = 0x0D,
    CS_OP_AUTH_CHALLENGE = 0x0E,
    CS_OP_AUTH_RESPONSE = 0x0F,
    CS_OP_AUTH_SUCCESS = 0x10,
};

enum cs_frame_flag {
    CS_FRAME_COMPRESSED = 0x01, /* v3 and v4; without meaning in v5 */
    CS_FRAME_TRACING = 0x02,
    CS_FRAME_PAYLOAD = 0x04, /* v4 and later */
    CS_FRAME_WARNING = 0x08, /* v4 and later */
    CS_FRAME_BETA = 0x10,
};

struct cs_frame_header {
    uint8_t version; /* without the direction bit */
    uint8_t flags;
    uint8_t opcode; /* known, and of the right direction */
    int16_t stream; /* -1 of events only, else 0..32767 */
    uint32_t length;
};

struct cs_frame {
    struct cs_frame_header header;
    struct cs_view body; /* borrowed from the bytes it was read from */
};

/* What the reading side accepts. */
struct cs_frame_rules {
    uint8_t version;   /* of the connection; 0: any, for the first reply */
    bool from_client;  /* the peer is a client (in a stand-in server) */
    uint32_t max_body; /* bytes */
};

/* "RESULT"; "opcode 0x42" is the caller's job: NULL for unknown ones. */
const char *cs_opcode_name(uint8_t opcode);

/* Bytes of the header that starts with this byte. */
static inline size_t cs_frame_header_size(uint8_t first)
{
    return (first & 0x7F) < CS_PROTOCOL_OLDEST ? CS_FRAME_HEADER_SIZE_OLD
                                               : CS_FRAME_HEADER_SIZE;
}

/* A header of cs_frame_header_size(bytes[0]) bytes, all of which must be
 * there. CS_EPROTOCOL: wrong version or direction, unknown opcode, length
 * negative or above the maximum, negative stream id of anything but an EVENT.
 */
enum cs_code cs_frame_header_parse(const struct cs_frame_rules *rules,
                                   const uint8_t *bytes,
                                   struct cs_frame_header *out,
                                   struct cs_err *err) CS_MUST_USE;

/* Takes one envelope from the front of in. When it is not all there *out_need
 * is how many bytes are needed at least (in is untouched, out too), else 0. */
enum cs_code cs_frame_next(const struct cs_frame_rules *rules,
                           struct cs_reader *in, struct cs_frame *out,
                           size_t *out_need, struct cs_err *err) CS_MUST_USE;

/* ---- writing ---- */

CS_INLINE void cs_frame_store_header(uint8_t *p,
                                     const struct cs_frame_header *header)
{
    p[0] = header->version;
    p[1] = header->flags;
    cs_store16(p + 2, (uint16_t)header->stream);
    p[4] = header->opcode;
    cs_store32(p + 5, header->length);
}

/* Appends a header whose length is patched by cs_frame_end; returns where it
 * stands. A server sets 0x80 in the version. */
static inline size_t cs_frame_begin(struct cs_buf *buf,
                                    const struct cs_frame_header *header)
{
    size_t at = buf->size;
    uint8_t *p = cs_buf_room(buf, CS_FRAME_HEADER_SIZE);

    if (CS_LIKELY(p != NULL)) {
        cs_frame_store_header(p, header);
        buf->size += CS_FRAME_HEADER_SIZE;
    }
    return at;
}

static inline void cs_frame_end(struct cs_buf *buf, size_t at)
{
    if (CS_LIKELY(!buf->fault))
        cs_store32(buf->data + at + 5,
                   (uint32_t)(buf->size - at - CS_FRAME_HEADER_SIZE));
}

/* ---- what may stand in front of the message of a response ---- */

struct cs_prefix {
    struct cs_view tracing_id; /* 16 bytes or null */
    uint32_t warning_count;
    struct cs_reader warnings; /* warning_count x [string], checked */
    uint32_t payload_count;
};

/* The body behind tracing id, warnings and custom payload: reads what the
 * flags announce and leaves the rest in *out_body. Decompress first. */
enum cs_code cs_frame_open(const struct cs_frame *frame, struct cs_prefix *out,
                           struct cs_reader *out_body,
                           struct cs_err *err) CS_MUST_USE;

/* Of a frame that was opened so: a value of its custom payload; null: it has
 * none with this key. */
struct cs_view cs_frame_payload(const struct cs_frame *frame, const char *key);

#endif
