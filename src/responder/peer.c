/* peer.c - a connection of the responder: takes requests, has them answered. */
#include "responder/peer_internal.h"

#include "base/log.h"

#include <stdio.h>
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

void cs_peer_send(struct cs_peer *peer)
{
    const struct cs_buf *answer = &peer->responder->answer;

    cs_peer_put(peer, answer->data, answer->size, false);
}

/* ---- the handshake ---- */

static enum cs_framing framing_of(const struct cs_peer *peer,
                                  struct cs_reader body)
{
    uint32_t count = cs_read16(&body);
    bool lz4 = false;
    bool snappy = false;

    for (uint32_t i = 0; i < count && !body.fault; i++) {
        struct cs_view key = cs_read_string(&body);
        struct cs_view value = cs_read_string(&body);

        if (!cs_view_is(key, "COMPRESSION"))
            continue;
        lz4 = cs_view_is(value, "lz4");
        snappy = cs_view_is(value, "snappy");
    }
    if (peer->version >= 5)
        return lz4 ? CS_FRAMING_SEGMENT_LZ4 : CS_FRAMING_SEGMENT;
    if (snappy)
        return CS_FRAMING_BODY_SNAPPY;
    return lz4 ? CS_FRAMING_BODY_LZ4 : CS_FRAMING_PLAIN;
}

/* The answer is the last message without framing. */
static void on_startup(struct cs_peer *peer, const struct cs_reply *reply,
                       struct cs_reader body)
{
    enum cs_framing framing = framing_of(peer, body);

    cs_answer_plain(&peer->responder->answer, reply, CS_OP_READY);
    cs_peer_send(peer);
    cs_inbox_set_framing(&peer->inbox, framing);
    cs_outbox_set_framing(&peer->outbox, framing);
}

static void refuse_version(struct cs_peer *peer, const uint8_t *bytes)
{
    int newest = peer->responder->options->version;
    struct cs_reply reply = {.version = (uint8_t)newest,
                             .stream = (int16_t)cs_load16(bytes + 2)};
    char text[128];

    snprintf(text, sizeof(text),
             "Invalid or unsupported protocol version (%d); supported versions "
             "are (3/v3%s%s)",
             bytes[0] & 0x7F, newest > 3 ? ", 4/v4" : "",
             newest > 4 ? ", 5/v5" : "");
    cs_buf_clear(&peer->responder->answer);
    cs_answer_error(&peer->responder->answer, &reply, CS_SERVER_PROTOCOL_ERROR,
                    text, NULL);
    cs_peer_send(peer);
    peer->refused = true;
}

/* ---- input ---- */

static void on_frame(struct cs_peer *peer, const struct cs_frame *frame)
{
    struct cs_buf *answer = &peer->responder->answer;
    struct cs_reader body = cs_reader_of(frame->body.data, frame->body.size);
    struct cs_reply reply = {.version = peer->version,
                             .stream = frame->header.stream};

    cs_buf_clear(answer);
    peer->responder->counts.requests++;
    if (frame->header.flags & CS_FRAME_PAYLOAD)
        cs_skip_bytes_map(&body);
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
        cs_answer_void(answer, &reply);
        cs_mischief_send(peer, &reply, NULL);
        return;
    case CS_OP_STARTUP:
        on_startup(peer, &reply, body);
        return;
    case CS_OP_OPTIONS:
        cs_answer_supported(answer, &reply, peer->responder->options->version);
        break;
    case CS_OP_AUTH_RESPONSE:
        cs_answer_plain(answer, &reply, CS_OP_AUTH_SUCCESS);
        break;
    default:
        cs_answer_plain(answer, &reply, CS_OP_READY);
    }
    cs_peer_send(peer);
}

/* False: it is not to be listened to. */
static bool take_version(struct cs_peer *peer, const uint8_t *bytes)
{
    uint8_t version = bytes[0] & 0x7F;

    if (version < CS_PROTOCOL_OLDEST ||
        version > peer->responder->options->version) {
        refuse_version(peer, bytes);
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
