/* request.h - the client's messages as envelopes, appended to a buffer. Every
 * encoder writes one whole envelope; what does not fit sets the buffer's sticky
 * fault. Versions 3, 4 and 5. */
#ifndef CS_PROTOCOL_REQUEST_H
#define CS_PROTOCOL_REQUEST_H

#include "protocol/frame.h"

/* Flags of the query parameters; one byte in v3 and v4, an int in v5. */
enum cs_query_flag {
    CS_QUERY_VALUES = 0x01,
    CS_QUERY_SKIP_METADATA = 0x02,
    CS_QUERY_PAGE_SIZE = 0x04,
    CS_QUERY_PAGING_STATE = 0x08,
    CS_QUERY_SERIAL = 0x10,
    CS_QUERY_TIMESTAMP = 0x20,
    CS_QUERY_NAMES = 0x40,
    CS_QUERY_KEYSPACE = 0x80,
    CS_QUERY_NOW = 0x100,
};

#define CS_TIMESTAMP_NONE INT64_MIN

/* What every request has. */
struct cs_request {
    uint8_t version;
    uint8_t flags; /* CS_FRAME_TRACING or 0 */
    int16_t stream;
};

/* Zero but for consistency and timestamp_us: a plain statement. */
struct cs_query_params {
    uint16_t consistency;
    bool skip_metadata;
    bool has_serial;
    uint16_t serial_consistency;
    int32_t page_size;           /* rows; 0: not sent */
    struct cs_view paging_state; /* null: not sent */
    int64_t timestamp_us;        /* CS_TIMESTAMP_NONE: not sent */
    struct cs_view keyspace;     /* v5; null: not sent */
    bool has_now;
    int32_t now_s;         /* v5 */
    uint16_t value_count;  /* 0: no values */
    struct cs_view values; /* value_count x (int32 size, bytes) */
};

struct cs_startup_option {
    const char *key;
    const char *value;
};

void cs_request_options(struct cs_buf *buf, const struct cs_request *request);
void cs_request_startup(struct cs_buf *buf, const struct cs_request *request,
                        const struct cs_startup_option *options, size_t count);

/* SASL PLAIN: NUL user NUL password. The bytes are a secret: the caller wipes
 * the buffer when they are sent. */
void cs_request_auth_plain(struct cs_buf *buf, const struct cs_request *request,
                           const char *user, const char *password);
void cs_request_auth_token(struct cs_buf *buf, const struct cs_request *request,
                           struct cs_view token);

/* Names of event types: "STATUS_CHANGE" ... */
void cs_request_register(struct cs_buf *buf, const struct cs_request *request,
                         const char *const *types, size_t count);

void cs_request_query(struct cs_buf *buf, const struct cs_request *request,
                      struct cs_view cql, const struct cs_query_params *params);

/* keyspace: v5 only; null elsewhere. */
void cs_request_prepare(struct cs_buf *buf, const struct cs_request *request,
                        struct cs_view cql, struct cs_view keyspace);

/* result_metadata_id: of v5; ignored below. */
void cs_request_execute(struct cs_buf *buf, const struct cs_request *request,
                        struct cs_view id, struct cs_view result_metadata_id,
                        const struct cs_query_params *params);

/* ---- BATCH ---- */

/* begin, any number of statements (65535 at most), end. */
size_t cs_batch_begin(struct cs_buf *buf, const struct cs_request *request,
                      uint8_t type);
void cs_batch_add_text(struct cs_buf *buf, struct cs_view cql,
                       uint16_t value_count, struct cs_view values);

CS_INLINE void cs_batch_add_prepared(struct cs_buf *buf, struct cs_view id,
                                     uint16_t value_count,
                                     struct cs_view values)
{
    uint8_t *p = cs_buf_room(buf, 1 + 2 + id.size + 2 + values.size);

    if (CS_UNLIKELY(!p))
        return;
    *p++ = 1;
    cs_store16(p, (uint16_t)id.size);
    memcpy(p + 2, id.data, id.size);
    p += 2 + id.size;
    cs_store16(p, value_count);
    if (values.size)
        memcpy(p + 2, values.data, values.size);
    buf->size += 1 + 2 + id.size + 2 + values.size;
}

/* Of params only consistency, serial, timestamp, keyspace and now count. at:
 * from begin. */
void cs_batch_end(struct cs_buf *buf, const struct cs_request *request,
                  size_t at, size_t statement_count,
                  const struct cs_query_params *params);

/* How many of the bytes the first value_count values take, or SIZE_MAX when
 * they are not all there: cuts rows x columns values into rows. */
CS_INLINE size_t cs_values_span(struct cs_view values, unsigned value_count)
{
    size_t at = 0;

    for (unsigned i = 0; i < value_count; i++) {
        int32_t size;

        if (CS_UNLIKELY(values.size - at < 4))
            return SIZE_MAX;
        size = (int32_t)cs_load32(values.data + at);
        at += 4;
        if (size <= 0)
            continue;
        if (CS_UNLIKELY(values.size - at < (size_t)size))
            return SIZE_MAX;
        at += (size_t)size;
    }
    return at;
}

#endif
