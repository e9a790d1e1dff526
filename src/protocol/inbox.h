/* inbox.h - bytes from the peer to envelopes, in any framing: plain (v3, v4,
 * v5 up to the answer to STARTUP), segments, LZ4 bodies, LZ4 segments. State
 * of one connection. */
#ifndef CS_PROTOCOL_INBOX_H
#define CS_PROTOCOL_INBOX_H

#include "protocol/frame.h"

enum cs_framing {
    CS_FRAMING_PLAIN,    /* envelopes follow each other */
    CS_FRAMING_BODY_LZ4, /* the same, bodies may be compressed (v3, v4) */
    CS_FRAMING_BODY_SNAPPY,
    CS_FRAMING_SEGMENT,
    CS_FRAMING_SEGMENT_LZ4,
};

struct cs_inbox {
    struct cs_frame_rules rules;
    enum cs_framing framing;
    struct cs_reader payload; /* what is left of the current segment */
    struct cs_buf plain;      /* owned: decompressed segment or body */
    struct cs_buf slices;     /* owned: an envelope cut into segments */
    bool in_slices;
};

/* rules.version 0: any version byte is taken, for the first reply only; then
 * set inbox->rules.version. Nothing is allocated before it is needed; memory is
 * bounded by about twice rules.max_body. */
void cs_inbox_init(struct cs_inbox *inbox, const struct cs_frame_rules *rules);
void cs_inbox_release(struct cs_inbox *inbox);

/* Of the next byte on. BODY_*: before STARTUP asks for it in v3 or v4 (the
 * answer may be compressed). SEGMENT*: after READY or AUTHENTICATE to a v5
 * STARTUP. */
void cs_inbox_set_framing(struct cs_inbox *inbox, enum cs_framing framing);

/* Takes the next envelope, body decompressed. *out_need 0: out is filled, its
 * body borrowed until the next call. Else bytes are missing: all that is left
 * in in must be kept, at least *out_need bytes from in->p on are needed
 * (grow as they arrive: the number is the peer's). Until
 * *out_need is not 0 the bytes behind in must stay where they are. After an
 * error the connection must be closed. */
enum cs_code cs_inbox_next(struct cs_inbox *inbox, struct cs_reader *in,
                           struct cs_frame *out, size_t *out_need,
                           struct cs_err *err) CS_MUST_USE;

#endif
