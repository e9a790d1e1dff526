/* execute.h - the hot path: EXECUTE of one prepared statement, all that is the
 * same in every request laid out beforehand. Sending copies the head, the
 * values and a short tail, and patches stream id, flags and length. */
#ifndef CS_PROTOCOL_EXECUTE_H
#define CS_PROTOCOL_EXECUTE_H

#include "protocol/request.h"

/* Longest prepared id and metadata id that are taken; both are 16 bytes today
 * (an MD5). */
#define CS_PREPARED_ID_MAX 128

/* envelope header, two ids, consistency, flags, value count */
#define CS_EXECUTE_HEAD_MAX                                                    \
    (CS_FRAME_HEADER_SIZE + 2 * (2 + CS_PREPARED_ID_MAX) + 2 + 4 + 2)
#define CS_EXECUTE_TAIL_MAX (4 + 4 + 2 + 8) /* without the paging state */
/* A head that fits is copied as one block of this constant size, with bytes
 * behind it that are overwritten: cheaper than a call. */
#define CS_EXECUTE_HEAD_BLOCK 64

struct cs_execute_template {
    uint16_t head_size;
    uint16_t flags_at; /* offset of the flags' lowest byte */
    uint16_t value_count;
    bool has_serial;
    uint16_t serial_consistency;
    int32_t page_size; /* 0: none */
    uint8_t head[CS_EXECUTE_HEAD_MAX];
};

/* What differs from one request to the next. */
struct cs_execute_run {
    int16_t stream;
    struct cs_view values;       /* value_count x (int32 size, bytes) */
    int64_t timestamp_us;        /* CS_TIMESTAMP_NONE: not sent */
    struct cs_view paging_state; /* null: the first page */
};

/* Of params: consistency, skip_metadata, serial, page_size, value_count.
 * version and flags of request. CS_EUNSUPPORTED: an id is longer than
 * CS_PREPARED_ID_MAX. */
enum cs_code cs_execute_template_init(struct cs_execute_template *t,
                                      const struct cs_request *request,
                                      struct cs_view id,
                                      struct cs_view result_metadata_id,
                                      const struct cs_query_params *params,
                                      struct cs_err *err) CS_MUST_USE;

/* Writes the parts behind the values; returns their end. */
CS_INLINE uint8_t *cs_execute_store_tail(const struct cs_execute_template *t,
                                         const struct cs_execute_run *run,
                                         uint8_t *p)
{
    if (t->page_size) {
        cs_store32(p, (uint32_t)t->page_size);
        p += 4;
    }
    if (CS_UNLIKELY(run->paging_state.data != NULL)) {
        cs_store32(p, (uint32_t)run->paging_state.size);
        memcpy(p + 4, run->paging_state.data, run->paging_state.size);
        p += 4 + run->paging_state.size;
    }
    if (t->has_serial) {
        cs_store16(p, t->serial_consistency);
        p += 2;
    }
    if (run->timestamp_us != CS_TIMESTAMP_NONE) {
        cs_store64(p, (uint64_t)run->timestamp_us);
        p += 8;
    }
    return p;
}

/* Appends the envelope; no room: the buffer's fault. */
CS_INLINE void cs_execute_put(struct cs_buf *buf,
                              const struct cs_execute_template *t,
                              const struct cs_execute_run *run)
{
    size_t most = CS_EXECUTE_HEAD_BLOCK + t->head_size + run->values.size +
                  CS_EXECUTE_TAIL_MAX + run->paging_state.size;
    uint8_t *start = cs_buf_room(buf, most);
    uint8_t *p;
    uint8_t flags = 0;

    if (CS_UNLIKELY(!start))
        return;
    if (CS_LIKELY(t->head_size <= CS_EXECUTE_HEAD_BLOCK))
        memcpy(start, t->head, CS_EXECUTE_HEAD_BLOCK);
    else
        memcpy(start, t->head, t->head_size);
    if (run->timestamp_us != CS_TIMESTAMP_NONE)
        flags |= CS_QUERY_TIMESTAMP;
    if (run->paging_state.data)
        flags |= CS_QUERY_PAGING_STATE;
    start[t->flags_at] |= flags;
    p = start + t->head_size;
    if (run->values.size)
        memcpy(p, run->values.data, run->values.size);
    p = cs_execute_store_tail(t, run, p + run->values.size);
    cs_store16(start + 2, (uint16_t)run->stream);
    cs_store32(start + 5, (uint32_t)(p - start - CS_FRAME_HEADER_SIZE));
    buf->size += (size_t)(p - start);
}

#endif
