/* inbox.c - takes envelopes out of whatever is around them. */
#include "protocol/inbox.h"

#include "protocol/compress.h"
#include "protocol/segment.h"

/* A buffer that one large message has made larger than this is given back. */
#define KEPT_CAP ((size_t)1 << 20)

void cs_inbox_init(struct cs_inbox *inbox, const struct cs_frame_rules *rules)
{
    *inbox = (struct cs_inbox){.rules = *rules};
    cs_buf_init(
        &inbox->plain,
        CS_MAX((size_t)rules->max_body, (size_t)CS_SEGMENT_PAYLOAD_MAX) + 1);
    cs_buf_init(&inbox->slices, (size_t)rules->max_body + CS_FRAME_HEADER_SIZE +
                                    CS_SEGMENT_PAYLOAD_MAX);
}

void cs_inbox_release(struct cs_inbox *inbox)
{
    cs_buf_release(&inbox->plain);
    cs_buf_release(&inbox->slices);
}

void cs_inbox_set_framing(struct cs_inbox *inbox, enum cs_framing framing)
{
    inbox->framing = framing;
}

static void trim(struct cs_buf *buf)
{
    if (CS_UNLIKELY(buf->cap > KEPT_CAP))
        cs_buf_release(buf);
}

static enum cs_code next_plain(struct cs_inbox *inbox, struct cs_reader *in,
                               struct cs_frame *out, size_t *out_need,
                               struct cs_err *err)
{
    enum cs_code rc = cs_frame_next(&inbox->rules, in, out, out_need, err);

    if (rc || *out_need || !(out->header.flags & CS_FRAME_COMPRESSED) ||
        out->header.version >= 5)
        return rc;
    if (inbox->framing == CS_FRAMING_BODY_LZ4)
        rc = cs_body_decompress(out->body, inbox->rules.max_body, &inbox->plain,
                                err);
    else if (inbox->framing == CS_FRAMING_BODY_SNAPPY)
        rc = cs_snappy_body_decompress(out->body, inbox->rules.max_body,
                                       &inbox->plain, err);
    else
        rc = cs_fail(err, CS_EPROTOCOL,
                     "compressed message, but no compression is agreed on");
    if (rc)
        return rc;
    out->header.flags &= (uint8_t)~CS_FRAME_COMPRESSED;
    out->header.length = (uint32_t)inbox->plain.size;
    out->body = cs_view_of(inbox->plain.data, inbox->plain.size);
    return CS_OK;
}

static enum cs_code decompress(struct cs_inbox *inbox,
                               const struct cs_segment_header *h,
                               struct cs_view *payload, struct cs_err *err)
{
    enum cs_code rc;

    if (!h->raw_size)
        return CS_OK;
    rc = cs_lz4_decode(*payload, h->raw_size, &inbox->plain, err);
    if (rc)
        return cs_while(err, "segment");
    *payload = cs_view_of(inbox->plain.data, inbox->plain.size);
    return CS_OK;
}

/* Adds a slice; *out_done when it is the last one. */
static enum cs_code add_slice(struct cs_inbox *inbox, struct cs_view payload,
                              struct cs_frame *out, bool *out_done,
                              struct cs_err *err)
{
    struct cs_buf *slices = &inbox->slices;
    size_t whole;
    enum cs_code rc;

    if (!payload.size)
        return cs_fail(err, CS_EPROTOCOL, "segment: an empty slice");
    if (!inbox->in_slices)
        cs_buf_clear(slices);
    inbox->in_slices = true;
    cs_buf_put(slices, payload.data, payload.size);
    rc = cs_buf_check(slices, "message in slices", err);
    if (rc || slices->size < CS_FRAME_HEADER_SIZE)
        return rc;
    rc = cs_frame_header_parse(&inbox->rules, slices->data, &out->header, err);
    if (rc)
        return rc;
    whole = CS_FRAME_HEADER_SIZE + (size_t)out->header.length;
    if (slices->size > whole)
        return cs_fail(err, CS_EPROTOCOL,
                       "segment: a slice goes %zu bytes past the end of its "
                       "message",
                       slices->size - whole);
    if (slices->size < whole)
        return CS_OK;
    out->body =
        cs_view_of(slices->data + CS_FRAME_HEADER_SIZE, out->header.length);
    inbox->in_slices = false;
    *out_done = true;
    return CS_OK;
}

/* Whole envelopes lie in the payload, so missing bytes are a fault. */
static enum cs_code next_in_payload(struct cs_inbox *inbox,
                                    struct cs_frame *out, struct cs_err *err)
{
    size_t need;
    enum cs_code rc =
        cs_frame_next(&inbox->rules, &inbox->payload, out, &need, err);

    if (!rc && need)
        return cs_fail(err, CS_EPROTOCOL,
                       "segment: the last of its messages is cut off");
    return rc;
}

/* Opens one segment; *out_done when it completes a message in slices. */
static enum cs_code open_segment(struct cs_inbox *inbox, struct cs_reader *in,
                                 struct cs_frame *out, bool *out_done,
                                 size_t *out_need, struct cs_err *err)
{
    struct cs_segment_header h;
    struct cs_view payload;
    enum cs_code rc =
        cs_segment_next(in, inbox->framing == CS_FRAMING_SEGMENT_LZ4, &h,
                        &payload, out_need, err);

    if (rc || *out_need)
        return rc;
    rc = decompress(inbox, &h, &payload, err);
    if (rc)
        return rc;
    if (!h.self_contained)
        return add_slice(inbox, payload, out, out_done, err);
    if (inbox->in_slices)
        return cs_fail(err, CS_EPROTOCOL,
                       "segment: self-contained, but the slices of a message "
                       "are not complete");
    inbox->payload = cs_reader_of(payload.data, payload.size);
    return CS_OK;
}

enum cs_code cs_inbox_next(struct cs_inbox *inbox, struct cs_reader *in,
                           struct cs_frame *out, size_t *out_need,
                           struct cs_err *err)
{
    bool done = false;
    enum cs_code rc = CS_OK;

    *out_need = 0;
    if (inbox->payload.p != inbox->payload.end)
        return next_in_payload(inbox, out, err);
    trim(&inbox->plain);
    if (!inbox->in_slices)
        trim(&inbox->slices);
    if (inbox->framing < CS_FRAMING_SEGMENT)
        return next_plain(inbox, in, out, out_need, err);
    /* Empty segments and slices give no message: go on to the next. */
    while (!rc && !*out_need && !done) {
        rc = open_segment(inbox, in, out, &done, out_need, err);
        if (!rc && inbox->payload.p != inbox->payload.end)
            return next_in_payload(inbox, out, err);
    }
    return rc;
}
