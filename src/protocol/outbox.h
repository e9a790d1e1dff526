/* outbox.h - envelopes to bytes for the peer, in any framing. The envelopes are
 * written straight into the connection's buffer; the outbox puts segments
 * around runs of them, in place.
 *
 *     cs_outbox_begin(&box, out);
 *     cs_request_query(out, ...);     any encoder that appends one envelope
 *     rc = cs_outbox_end(&box, out, err);   on failure out is as before begin
 *     ...
 *     cs_outbox_flush(&box, out);     before the bytes go out
 */
#ifndef CS_PROTOCOL_OUTBOX_H
#define CS_PROTOCOL_OUTBOX_H

#include "protocol/compress.h"
#include "protocol/inbox.h"
#include "protocol/segment.h"

struct cs_outbox {
    enum cs_framing framing;
    size_t header; /* of a segment; 0: no segments */
    bool open;     /* a segment is begun and not yet finished */
    size_t start;  /* where the open segment's header stands */
    size_t mark;   /* where the envelope being written begins */
    size_t before; /* size of the buffer at begin, for taking it back */
    bool was_open; /* open at begin, for the same */
    struct cs_packer packer; /* owned */
};

void cs_outbox_init(struct cs_outbox *box); /* CS_FRAMING_PLAIN */
void cs_outbox_release(struct cs_outbox *box);

/* With no segment open. */
void cs_outbox_set_framing(struct cs_outbox *box, enum cs_framing framing);

CS_INLINE void cs_outbox_begin(struct cs_outbox *box, struct cs_buf *out)
{
    box->before = box->mark = out->size;
    box->was_open = box->open;
    if (box->header && !box->open && cs_buf_room(out, box->header)) {
        box->start = out->size;
        box->open = true;
        out->size += box->header;
        box->mark = out->size;
    }
}

/* The slow part of cs_outbox_end. */
enum cs_code cs_outbox_end_slowly(struct cs_outbox *box, struct cs_buf *out,
                                  struct cs_err *err) CS_MUST_USE;

/* The envelope is complete. CS_ENOMEM: it did not fit; all since begin is taken
 * back and the buffer's fault cleared. Small envelopes are never cut; those
 * larger than a segment become slices. (STARTUP must not be compressed: set
 * BODY_* for the outbox only after its answer.) */
CS_INLINE enum cs_code cs_outbox_end(struct cs_outbox *box, struct cs_buf *out,
                                     struct cs_err *err)
{
    if (CS_LIKELY(box->framing == CS_FRAMING_PLAIN && !out->fault))
        return CS_OK;
    /* Room for the trailer now means that flush cannot fail later. */
    if (CS_LIKELY(box->header && cs_buf_room(out, CS_SEGMENT_TRAILER_SIZE) &&
                  out->size - box->start <=
                      CS_SEGMENT_PAYLOAD_MAX + box->header))
        return CS_OK;
    return cs_outbox_end_slowly(box, out, err);
}

/* Finishes the open segment, if any: header and CRC32. Until then its bytes
 * must not be sent, and no bytes of out may be consumed. */
void cs_outbox_flush(struct cs_outbox *box, struct cs_buf *out);

#endif
