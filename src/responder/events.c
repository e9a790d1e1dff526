/* events.c - what registered connections are told unasked. */
#include "responder/peer_internal.h"

static size_t begin(struct cs_buf *buf, const char *type)
{
    const struct cs_frame_header header = {
        .version = 0x80, .opcode = CS_OP_EVENT, .stream = CS_STREAM_EVENT};
    size_t at;

    cs_buf_clear(buf);
    at = cs_frame_begin(buf, &header);
    cs_put_string(buf, cs_view_text(type));
    return at;
}

/* To all that registered for this kind; but: not to the connections of this
 * node, SIZE_MAX: of none. */
static void push(struct cs_responder *responder, enum cs_registered kind,
                 size_t but)
{
    struct cs_buf *event = &responder->event;
    struct cs_peer *next;

    if (event->fault)
        return;
    for (struct cs_peer *peer = responder->peers; peer; peer = next) {
        next = peer->next;
        if (!(peer->events & kind) || peer->place == but)
            continue;
        event->data[0] = 0x80 | peer->version;
        responder->counts.events++;
        cs_peer_put(peer, event->data, event->size, false);
    }
}

static void push_place(struct cs_responder *responder, const char *type,
                       const char *change, enum cs_registered kind, size_t node)
{
    const struct cs_place *place = &responder->places[node];
    struct cs_buf *event = &responder->event;
    size_t at = begin(event, type);

    cs_put_string(event, cs_view_text(change));
    cs_buf_put8(event, (uint8_t)place->address_size);
    cs_buf_put(event, place->address, place->address_size);
    cs_buf_put32(event, (uint32_t)place->port);
    cs_frame_end(event, at);
    push(responder, kind, node);
}

void cs_event_status(struct cs_responder *responder, const char *change,
                     size_t node)
{
    push_place(responder, "STATUS_CHANGE", change, CS_REGISTERED_STATUS, node);
}

void cs_event_topology(struct cs_responder *responder, const char *change,
                       size_t node)
{
    push_place(responder, "TOPOLOGY_CHANGE", change, CS_REGISTERED_TOPOLOGY,
               node);
}

void cs_event_schema(struct cs_responder *responder,
                     const struct cs_schema_step *change)
{
    struct cs_buf *event = &responder->event;
    size_t at = begin(event, "SCHEMA_CHANGE");

    cs_put_string(event, cs_view_text(change->what));
    cs_put_string(event, cs_view_text(change->target));
    cs_put_string(event, cs_view_text(change->keyspace));
    if (change->name)
        cs_put_string(event, cs_view_text(change->name));
    cs_frame_end(event, at);
    push(responder, CS_REGISTERED_SCHEMA, SIZE_MAX);
}
