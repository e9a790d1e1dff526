/* peer.c - a connection of the responder: takes requests, has them answered. */
#include "responder/peer_internal.h"

#include "base/log.h"
#include "protocol/result.h"

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
        cs_answer_add_extras(answer, reply, CS_FRAME_TRACING,
                             cs_view_of(NULL, 0));
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
                             .speaks = peer->speaks,
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

/* ---- the usual request ---- */

#define ID_SIZE    16
#define USUAL_HEAD (CS_FRAME_HEADER_SIZE + 2 + ID_SIZE)
#define VOID_SIZE  (CS_FRAME_HEADER_SIZE + 4)

/* Whether a change is answered at once, and by nothing but RESULT void. */
static bool is_simple(const struct cs_peer *peer)
{
    const struct cs_responder *responder = peer->responder;
    const struct cs_responder_options *options = responder->options;
    bool told = options->dropped > 0 || options->broken > 0 ||
                options->warnings > 0 || options->payloads > 0 ||
                responder->delayed || responder->errors.count;

    return peer->ready && !responder->store && !options->shards && !told;
}

/* Takes an EXECUTE of a change, all of it there and with nothing in front of
 * it; its values are not looked at. NULL: it is another request. */
CS_INLINE const uint8_t *take_change(const struct cs_peer *peer,
                                     struct cs_reader *in)
{
    const uint8_t *p = in->p;
    size_t left = cs_reader_left(in);
    const struct cs_prepared_script *prepared;
    uint32_t size;

    if (left < USUAL_HEAD || cs_load16(p) != (uint32_t)peer->version << 8 ||
        p[2] & 0x80 || p[4] != CS_OP_EXECUTE)
        return NULL;
    size = cs_load32(p + 5);
    if (size < USUAL_HEAD - CS_FRAME_HEADER_SIZE ||
        size > left - CS_FRAME_HEADER_SIZE || cs_load16(p + 9) != ID_SIZE)
        return NULL;
    prepared = cs_prepared_find(peer->responder, cs_view_of(p + 11, ID_SIZE));
    if (!prepared || prepared->script.kind != CS_SCRIPT_VOID ||
        !prepared->script.data)
        return NULL;
    in->p += CS_FRAME_HEADER_SIZE + size;
    return p;
}

/* False: the connection is closed. */
CS_INLINE bool put_void(struct cs_peer *peer, const uint8_t *request)
{
    struct cs_buf *out = &peer->link.out;
    struct cs_err err;
    uint8_t *p;

    cs_outbox_begin(&peer->outbox, out);
    p = cs_buf_room(out, VOID_SIZE);
    if (CS_LIKELY(p != NULL)) {
        cs_store16(p, (uint16_t)((0x80u | peer->version) << 8));
        memcpy(p + 2, request + 2, 2);
        p[4] = CS_OP_RESULT;
        cs_store64(p + 5, UINT64_C(4) << 32 | CS_RESULT_KIND_VOID);
        out->size += VOID_SIZE;
    }
    if (CS_LIKELY(!cs_outbox_end(&peer->outbox, out, &err)))
        return true;
    fail(peer, &err);
    return false;
}

/* Nearly every request of a load is a change that was prepared: it is
 * recognised by few looks, and answered without a detour. All others go the
 * careful way. False: the connection is closed. */
static bool take_usual(struct cs_peer *peer, struct cs_reader *in)
{
    struct cs_inbox *inbox = &peer->inbox;
    struct cs_reader *r =
        inbox->framing < CS_FRAMING_SEGMENT ? in : &inbox->payload;
    const uint8_t *request = take_change(peer, r);
    uint64_t taken = 0;
    bool open = true;

    if (!request)
        return true;
    cs_link_touch(&peer->link);
    for (; request && open; request = take_change(peer, r), taken++)
        open = put_void(peer, request);
    peer->responder->counts.requests += taken;
    peer->responder->counts.statements += taken;
    return open;
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
    bool simple;

    if (!peer->version && size < CS_FRAME_HEADER_SIZE)
        return 0;
    if (peer->refused || (!peer->version && !take_version(peer, bytes)))
        return size;
    simple = is_simple(peer);
    while (link->watch.fd >= 0) {
        struct cs_frame frame;
        struct cs_err err;
        size_t need;

        if (simple && !take_usual(peer, &in))
            break;
        if (cs_inbox_next(&peer->inbox, &in, &frame, &need, &err)) {
            fail(peer, &err);
            break;
        }
        if (need)
            break;
        on_frame(peer, &frame);
        simple = is_simple(peer);
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
