/* outbox.c - puts segments around envelopes, in place, and cuts large ones. */
#include "protocol/outbox.h"

void cs_outbox_init(struct cs_outbox *box)
{
    *box = (struct cs_outbox){.framing = CS_FRAMING_PLAIN};
    cs_packer_init(&box->packer);
}

void cs_outbox_release(struct cs_outbox *box)
{
    cs_packer_release(&box->packer);
}

void cs_outbox_set_framing(struct cs_outbox *box, enum cs_framing framing)
{
    box->framing = framing;
    box->header = 0;
    if (framing >= CS_FRAMING_SEGMENT)
        box->header = cs_segment_header_size(framing == CS_FRAMING_SEGMENT_LZ4);
}

/* Compresses size bytes at p in place; the new size, or 0 when that would not
 * make it smaller. */
static size_t pack(struct cs_outbox *box, uint8_t *p, size_t size)
{
    size_t packed = size ? cs_packer_lz4(&box->packer, p, size, size - 1) : 0;

    if (packed)
        memcpy(p, box->packer.block.data, packed);
    return packed;
}

/* Writes header and trailer around size bytes of payload that stand behind the
 * room for the header at start; returns where the segment ends. */
static size_t seal(struct cs_outbox *box, struct cs_buf *out, size_t start,
                   size_t size, bool self_contained)
{
    uint8_t *payload = out->data + start + box->header;
    bool lz4 = box->framing == CS_FRAMING_SEGMENT_LZ4;
    size_t packed = lz4 ? pack(box, payload, size) : 0;
    struct cs_segment_header h = {
        .size = (uint32_t)(packed ? packed : size),
        .raw_size = packed ? (uint32_t)size : 0,
        .self_contained = self_contained,
    };

    cs_segment_header_store(out->data + start, lz4, &h);
    cs_segment_trailer_store(payload, h.size);
    return start + box->header + h.size + CS_SEGMENT_TRAILER_SIZE;
}

void cs_outbox_flush(struct cs_outbox *box, struct cs_buf *out)
{
    size_t size;

    if (!box->open)
        return;
    box->open = false;
    size = out->size - box->start - box->header;
    if (size)
        out->size = seal(box, out, box->start, size, true);
    else
        out->size = box->start;
}

/* Closes the segment before the envelope at mark, which moves into the next. */
static void close_before_mark(struct cs_outbox *box, struct cs_buf *out)
{
    size_t size = out->size - box->mark;
    size_t gap = CS_SEGMENT_TRAILER_SIZE + box->header;
    uint8_t *from = out->data + box->mark;
    size_t end;

    memmove(from + gap, from, size);
    end =
        seal(box, out, box->start, box->mark - box->start - box->header, true);
    memmove(out->data + end + box->header, from + gap, size);
    box->start = end;
    box->mark = end + box->header;
    out->size = box->mark + size;
}

/* The only envelope of the open segment becomes slices. They are spread first,
 * from the back, then sealed from the front. */
static void slice(struct cs_outbox *box, struct cs_buf *out)
{
    const size_t most = CS_SEGMENT_PAYLOAD_MAX;
    const size_t step = most + box->header + CS_SEGMENT_TRAILER_SIZE;
    uint8_t *base = out->data + box->mark;
    size_t size = out->size - box->mark;
    size_t count = (size + most - 1) / most;
    size_t end = box->start;

    for (size_t i = count - 1; i > 0; i--)
        memmove(base + i * step, base + i * most,
                CS_MIN(most, size - i * most));
    for (size_t i = 0; i < count; i++) {
        size_t part = CS_MIN(most, size - i * most);

        /* Compression leaves gaps in front of the next slice. */
        memmove(out->data + end + box->header, base + i * step, part);
        end = seal(box, out, end, part, false);
    }
    out->size = end;
    box->open = false;
}

static enum cs_code undo(struct cs_outbox *box, struct cs_buf *out,
                         struct cs_err *err)
{
    out->size = box->before;
    out->fault = false;
    box->open = box->was_open;
    return cs_fail(err, CS_ENOMEM,
                   "request: does not fit the send buffer of %zu bytes",
                   out->max);
}

enum cs_code cs_outbox_end_slowly(struct cs_outbox *box, struct cs_buf *out,
                                  struct cs_err *err)
{
    size_t overhead = box->header + CS_SEGMENT_TRAILER_SIZE;
    size_t slices;

    if (out->fault)
        return undo(box, out, err);
    if (!box->header) {
        if (box->framing == CS_FRAMING_BODY_SNAPPY)
            cs_snappy_body_compress(out, box->mark, &box->packer);
        else
            cs_body_compress(out, box->mark, &box->packer);
        return CS_OK;
    }
    slices = (out->size - box->mark) / CS_SEGMENT_PAYLOAD_MAX + 1;
    if (!cs_buf_room(out, (slices + 1) * overhead))
        return undo(box, out, err);
    if (box->mark - box->start > box->header)
        close_before_mark(box, out);
    if (out->size - box->mark > CS_SEGMENT_PAYLOAD_MAX)
        slice(box, out);
    return CS_OK;
}
