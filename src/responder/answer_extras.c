/* answer_extras.c - what may stand in front of a message: tracing id, warnings,
 * custom payload. */
#include "responder/answer_internal.h"

#include "protocol/tablets.h"

static void put_payload(struct cs_buf *to, bool ours, struct cs_view tablet)
{
    cs_buf_put16(to, (uint16_t)(ours + (tablet.data != NULL)));
    if (ours) {
        cs_put_string(to, cs_view_text("responder"));
        cs_put_long_string(to, cs_view_text("payload"));
    }
    if (tablet.data) {
        cs_put_string(to, cs_view_text(CS_PAYLOAD_TABLET));
        cs_put_long_string(to, tablet);
    }
}

static void put_extras(struct cs_buf *to, unsigned extras,
                       struct cs_view tablet)
{
    static const uint8_t session[16] = {
        0x1E, 0x57, 0x12, 0xAC, 0, 1, 0x11, 0xEF, 0x80, 0, 0, 0, 0, 0, 0, 1};

    if (extras & CS_FRAME_TRACING)
        cs_buf_put(to, session, sizeof(session));
    if (extras & CS_FRAME_WARNING) {
        cs_buf_put16(to, 1);
        cs_put_string(to, cs_view_text("the responder was told to warn"));
    }
    if ((extras & CS_FRAME_PAYLOAD) || tablet.data)
        put_payload(to, (extras & CS_FRAME_PAYLOAD) != 0, tablet);
}

void cs_answer_add_extras(struct cs_buf *buf, const struct cs_reply *reply,
                          unsigned extras, struct cs_view tablet)
{
    struct cs_buf front;
    uint8_t *body;
    size_t rest;

    /* Version 3 has no other. */
    if (reply->version < 4) {
        extras &= CS_FRAME_TRACING;
        tablet = cs_view_of(NULL, 0);
    }
    if ((!extras && !tablet.data) || buf->fault)
        return;
    cs_buf_init(&front, 4096);
    put_extras(&front, extras, tablet);
    if (tablet.data)
        extras |= CS_FRAME_PAYLOAD;
    if (!front.fault && cs_buf_room(buf, front.size)) {
        body = buf->data + CS_FRAME_HEADER_SIZE;
        rest = buf->size - CS_FRAME_HEADER_SIZE;
        memmove(body + front.size, body, rest);
        memcpy(body, front.data, front.size);
        buf->size += front.size;
        buf->data[1] |= (uint8_t)extras;
        cs_frame_end(buf, 0);
    }
    cs_buf_release(&front);
}
