/* peer.c - a connection of the responder: takes requests, has them answered. */
#include "responder/peer_internal.h"

#include "base/log.h"

#include <stdlib.h>

#define OUT_MAX ((size_t)256 << 20)
#define IN_MAX  ((size_t)CS_FRAME_BODY_LIMIT + 1024)

static struct cs_peer *of_link(struct cs_link *link)
{
    return CS_CONTAINER(link, struct cs_peer, link);
}

void cs_peer_free(struct cs_peer *peer)
{
    cs_link_release(&peer->link);
    cs_inbox_release(&peer->inbox);
    cs_outbox_release(&peer->outbox);
    free(peer);
}

static void on_opened(struct cs_link *link)
{
    of_link(link)->responder->counts.connections++;
}

static void on_sealing(struct cs_link *link)
{
    cs_outbox_flush(&of_link(link)->outbox, &link->out);
}

static void on_lost(struct cs_link *link, const struct cs_err *why)
{
    struct cs_peer *peer = of_link(link);
    struct cs_responder *responder = peer->responder;
    struct cs_peer **at = &responder->peers;

    CS_DEBUG("a client: %s", why->text);
    while (*at && *at != peer)
        at = &(*at)->next;
    if (!*at)
        return;
    *at = peer->next;
    peer->next = responder->dead;
    responder->dead = peer;
    cs_mischief_forget(responder, peer);
}

static void fail(struct cs_peer *peer, const struct cs_err *why)
{
    cs_link_close(&peer->link);
    on_lost(&peer->link, why);
}

void cs_peer_put(struct cs_peer *peer, const uint8_t *bytes, size_t size,
                 bool broken)
{
    struct cs_buf *out = &peer->link.out;
    size_t start;
    struct cs_err err;

    if (broken)
        cs_outbox_flush(&peer->outbox, out);
    start = out->size;
    cs_outbox_begin(&peer->outbox, out);
    cs_buf_put(out, bytes, size);
    if (cs_outbox_end(&peer->outbox, out, &err)) {
        fail(peer, &err);
        return;
    }
    if (broken) {
        /* A byte of the length, wherever the framing has it. */
        cs_outbox_flush(&peer->outbox, out);
        out->data[start + (peer->version < 5 ? 7 : 1)] ^= 0x55;
    }
    cs_link_touch(&peer->link);
}

void cs_peer_send(struct cs_peer *peer, const struct cs_reply *reply)
{
    struct cs_buf *answer = &peer->responder->answer;

    if (CS_UNLIKELY(reply->traced))
        cs_answer_add_extras(answer, reply, CS_FRAME_TRACING);
    cs_peer_put(peer, answer->data, answer->size, false);
}

/* ---- input ---- */

static void on_frame(struct cs_peer *peer, const struct cs_frame *frame)
{
    struct cs_buf *answer = &peer->responder->answer;
    struct cs_reader body = cs_reader_of(frame->body.data, frame->body.size);
    struct cs_reply reply = {.version = peer->version,
                             .traced =
                                 (frame->header.flags & CS_FRAME_TRACING) != 0,
                             .stream = frame->header.stream};

    cs_buf_clear(answer);
    peer->responder->counts.requests++;
    if (frame->header.flags & CS_FRAME_PAYLOAD)
        cs_skip_bytes_map(&body);
    if (CS_UNLIKELY(!peer->ready) &&
        !cs_peer_allows(peer, &reply, frame->header.opcode))
        return;
    switch (frame->header.opcode) {
    case CS_OP_EXECUTE:
        cs_peer_on_execute(peer, &reply, body);
        return;
    case CS_OP_QUERY:
        cs_peer_on_query(peer, &reply, body);
        return;
    case CS_OP_PREPARE:
        cs_peer_on_prepare(peer, &reply, body);
        return;
    case CS_OP_BATCH:
        cs_peer_on_batch(peer, &reply, body);
        return;
    default:
        cs_peer_on_control(peer, &reply, frame->header.opcode, body);
    }
}

/* False: it is not to be listened to. */
static bool take_version(struct cs_peer *peer, const uint8_t *bytes)
{
    uint8_t version = bytes[0] & 0x7F;

    if (version < CS_PROTOCOL_OLDEST ||
        version > peer->responder->options->version) {
        cs_peer_refuse_version(peer, bytes);
        return false;
    }
    peer->version = version;
    peer->inbox.rules.version = version;
    return true;
}

static size_t on_input(struct cs_link *link, const uint8_t *bytes, size_t size)
{
    struct cs_peer *peer = of_link(link);
    struct cs_reader in = cs_reader_of(bytes, size);

    if (!peer->version && size < CS_FRAME_HEADER_SIZE)
        return 0;
    if (peer->refused || (!peer->version && !take_version(peer, bytes)))
        return size;
    while (link->watch.fd >= 0) {
        struct cs_frame frame;
        struct cs_err err;
        size_t need;

        if (cs_inbox_next(&peer->inbox, &in, &frame, &need, &err)) {
            fail(peer, &err);
            break;
        }
        if (need)
            break;
        on_frame(peer, &frame);
    }
    return (size_t)(in.p - bytes);
}

static const struct cs_link_ops peer_ops = {.opened = on_opened,
                                            .input = on_input,
                                            .sealing = on_sealing,
                                            .lost = on_lost};

enum cs_code cs_peer_accept(struct cs_listener *listener, int fd,
                            struct cs_err *err)
{
    const struct cs_frame_rules rules = {.from_client = true,
                                         .max_body = CS_FRAME_BODY_LIMIT};
    struct cs_responder *responder = listener->responder;
    struct cs_peer *peer = calloc(1, sizeof(*peer));

    if (!peer)
        return cs_fail(err, CS_ENOMEM, "no memory for a connection");
    peer->responder = responder;
    peer->place = listener->place;
    cs_shards_place(peer, listener, fd);
    cs_link_init(&peer->link, &responder->group, &peer_ops, OUT_MAX, IN_MAX);
    cs_link_secure(&peer->link, responder->tls, NULL);
    cs_inbox_init(&peer->inbox, &rules);
    cs_outbox_init(&peer->outbox);
    if (cs_link_take_socket(&peer->link, fd, err)) {
        cs_peer_free(peer);
        return err->code;
    }
    peer->next = responder->peers;
    responder->peers = peer;
    if (cs_link_is_open(&peer->link))
        on_opened(&peer->link);
    return CS_OK;
}
