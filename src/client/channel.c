/* channel.c - one connection of a pool from its birth to its end. */
#include "base/clock.h"
#include "base/log.h"
#include "client/session_internal.h"

#include <stdlib.h>

/* Silence after which an idle connection is asked for a sign of life, and
 * after which one that owes an answer is given up. */
#define HEARTBEAT_NS (30 * CS_NS_PER_S)
#define SILENCE_NS   (60 * CS_NS_PER_S)
/* Stream ids that answers too late may hold before the connection is made
 * anew: a quarter of them, within these. */
#define ORPHANS_LEAST 16
#define ORPHANS_MOST  256

static void on_ready(struct cs_connection *connection);
static void on_lost(struct cs_connection *connection, const struct cs_err *why);

static const struct cs_connection_ops channel_ops = {
    .ready = on_ready,
    .answer = cs_channel_answer,
    .done = cs_channel_done,
    .lost = on_lost,
};

static struct cs_channel *of_connection(struct cs_connection *connection)
{
    return CS_CONTAINER(connection, struct cs_channel, connection);
}

void cs_channel_free(struct cs_channel *channel)
{
    if (!channel)
        return;
    cs_connection_release(&channel->connection);
    cs_streams_release(&channel->streams);
    free(channel->slots);
    free(channel);
}

static enum cs_code start(struct cs_channel *channel, struct cs_err *err)
{
    struct cs_pool *pool = channel->pool;
    struct cs_source_ports ports;

    if (channel->aimed < 0)
        return cs_connection_start(&channel->connection, &pool->address, err);
    ports = (struct cs_source_ports){.count = pool->shards->count,
                                     .remainder = (unsigned)channel->aimed,
                                     .start = cs_session_random(pool->session)};
    return cs_connection_start_from(&channel->connection, &pool->address,
                                    pool->shards->port, &ports, err);
}

enum cs_code cs_channel_open(struct cs_pool *pool, int shard,
                             struct cs_channel **out, struct cs_err *err)
{
    struct cs_session *session = pool->session;
    struct cs_channel *channel = calloc(1, sizeof(*channel));
    enum cs_code rc;

    if (!channel)
        return cs_fail(err, CS_ENOMEM, "no memory for a connection");
    channel->pool = pool;
    channel->aimed = shard;
    channel->handshake_ns = cs_now_ns() + CS_CONNECT_TIMEOUT_NS;
    cs_connection_init(&channel->connection, &session->group, session->config,
                       &channel_ops);
    rc = cs_streams_init(&channel->streams, session->limit, err);
    channel->slots = calloc(session->limit, sizeof(*channel->slots));
    if (!rc && !channel->slots)
        rc = cs_fail(err, CS_ENOMEM, "no memory for requests");
    if (!rc)
        rc = start(channel, err);
    if (rc) {
        cs_channel_free(channel);
        return rc;
    }
    *out = channel;
    return CS_OK;
}

/* ---- becoming usable ---- */

static void become_usable(struct cs_channel *channel)
{
    channel->heard_ns = channel->pool->session->now_ns;
    cs_pool_usable(channel->pool, channel);
}

bool cs_channel_prepare(struct cs_channel *channel, uint32_t statement)
{
    struct cs_session *session = channel->pool->session;
    const struct cs_prepared *prepared =
        session->snapshot->statements[statement];
    struct cs_request request;
    struct cs_slot *slot;
    struct cs_err err;
    uint16_t stream;

    if (!channel->streams.free_count)
        return false;
    stream = cs_streams_take(&channel->streams);
    request = cs_connection_request(&channel->connection, stream);
    cs_request_prepare(cs_connection_begin(&channel->connection), &request,
                       cs_view_text(prepared->statement.cql),
                       cs_view_of(NULL, 0));
    if (cs_connection_end(&channel->connection, &err)) {
        cs_streams_give(&channel->streams, stream);
        return false;
    }
    slot = &channel->slots[stream];
    *slot = (struct cs_slot){
        .kind = CS_SLOT_PREPARE,
        .statement = statement,
        .deadline_ms =
            cs_session_ms(session, cs_now_ns() + session->timeout_ns),
    };
    return true;
}

/* The first channel to a node prepares all statements there: a node that has
 * come up again may have forgotten them. */
static void on_ready(struct cs_connection *connection)
{
    struct cs_channel *channel = of_connection(connection);
    struct cs_session *session = channel->pool->session;

    session->now_ns = cs_now_ns();
    if (!channel->pool->usable_count)
        for (unsigned i = 0; i < session->snapshot->statement_count; i++)
            channel->preparing += cs_channel_prepare(channel, i);
    if (!channel->preparing)
        become_usable(channel);
}

void cs_channel_prepared(struct cs_channel *channel)
{
    if (channel->usable || !channel->preparing)
        return;
    channel->preparing--;
    if (!channel->preparing)
        become_usable(channel);
}

/* ---- the end ---- */

static void drop_slot(struct cs_channel *channel, struct cs_session *session,
                      const struct cs_slot *slot, const char *message)
{
    struct cs_operation *op = slot->op;

    /* What never left cannot have been executed: it goes to another node. */
    if (slot->written == channel->connection.link.writes) {
        op->session.connection = NULL;
        cs_session_dispatch(session, op);
    } else {
        cs_operation_fail(session, op, CS_RESULT_CONNECTION_LOST, message);
    }
}

void cs_channel_drop(struct cs_channel *channel, const struct cs_err *why)
{
    struct cs_pool *pool = channel->pool;
    struct cs_session *session = pool->session;
    struct cs_operation *op = channel->unprepared;

    session->now_ns = cs_now_ns();
    cs_pool_lost(pool, channel, why);
    channel->next_dead = session->dead;
    session->dead = channel;
    channel->unprepared = NULL;
    while (op) {
        struct cs_operation *next = op->session.next;

        op->session.connection = NULL;
        cs_session_dispatch(session, op);
        op = next;
    }
    for (uint32_t i = 0; i < channel->streams.limit; i++) {
        struct cs_slot slot = channel->slots[i];

        channel->slots[i].kind = CS_SLOT_FREE;
        if (slot.kind == CS_SLOT_OPERATION)
            drop_slot(channel, session, &slot, why->text);
    }
}

static void on_lost(struct cs_connection *connection, const struct cs_err *why)
{
    struct cs_channel *channel = of_connection(connection);

    CS_DEBUG("%s:%d: %s", channel->pool->address.text,
             channel->pool->address.port, why->text);
    cs_channel_drop(channel, why);
}

/* ---- time ---- */

static void time_out_slot(struct cs_channel *channel, struct cs_slot *slot)
{
    struct cs_session *session = channel->pool->session;
    struct cs_operation *op = slot->op;
    bool operation = slot->kind == CS_SLOT_OPERATION;

    /* The stream id stays taken until the late answer comes: used again, it
     * would give that answer to another request. */
    slot->kind = CS_SLOT_ORPHAN;
    slot->op = NULL;
    channel->orphans++;
    if (operation)
        cs_operation_fail(session, op, CS_RESULT_CLIENT_TIMEOUT,
                          "no answer in time");
}

static void time_out_unprepared(struct cs_channel *channel)
{
    struct cs_session *session = channel->pool->session;
    struct cs_operation **at = &channel->unprepared;

    while (*at) {
        struct cs_operation *op = *at;

        if (op->session.deadline_ns > session->now_ns) {
            at = &op->session.next;
            continue;
        }
        *at = op->session.next;
        cs_operation_fail(session, op, CS_RESULT_CLIENT_TIMEOUT,
                          "no answer to a PREPARE in time");
    }
}

/* The ids in use are mostly the lowest ones, so that the rest of the slots,
 * which is large and cold, is not touched. */
static void time_out_slots(struct cs_channel *channel)
{
    struct cs_session *session = channel->pool->session;
    uint32_t now_ms = cs_session_ms(session, session->now_ns);
    uint32_t left = cs_streams_used(&channel->streams);

    for (uint32_t i = 0; left && i < channel->streams.limit; i++) {
        struct cs_slot *slot = &channel->slots[i];

        if (slot->kind == CS_SLOT_FREE)
            continue;
        left--;
        if (slot->kind == CS_SLOT_ORPHAN ||
            (int32_t)(slot->deadline_ms - now_ms) > 0)
            continue;
        time_out_slot(channel, slot);
        /* Its end may have taken other ids: from here on look at all. */
        left = channel->streams.limit;
    }
}

static void send_heartbeat(struct cs_channel *channel)
{
    struct cs_session *session = channel->pool->session;
    struct cs_request request;
    struct cs_err err;
    uint16_t stream;

    if (!channel->streams.free_count)
        return;
    stream = cs_streams_take(&channel->streams);
    request = cs_connection_request(&channel->connection, stream);
    cs_request_options(cs_connection_begin(&channel->connection), &request);
    if (cs_connection_end(&channel->connection, &err)) {
        cs_streams_give(&channel->streams, stream);
        return;
    }
    channel->slots[stream] = (struct cs_slot){
        .kind = CS_SLOT_HEARTBEAT,
        .deadline_ms = cs_session_ms(session, session->now_ns + SILENCE_NS)};
}

static void fail_now(struct cs_channel *channel, const char *text)
{
    struct cs_err why;

    cs_fail(&why, CS_ECONNECT, "%s", text);
    cs_connection_fail(&channel->connection, &why);
}

static bool too_many_orphans(const struct cs_channel *channel)
{
    uint32_t most = channel->streams.limit / 4;

    most = CS_MAX(most, (uint32_t)ORPHANS_LEAST);
    most = CS_MIN(most, (uint32_t)ORPHANS_MOST);
    return channel->orphans > most ||
           channel->orphans == channel->streams.limit;
}

/* Requests time out, and the answer that stands before all others is cut off or
 * lies about its length: no later one will ever be seen. */
static bool is_stuck(const struct cs_channel *channel, int64_t silence_ns)
{
    const struct cs_connection *connection = &channel->connection;

    return channel->orphans &&
           (connection->link.rest.size || connection->inbox.in_slices) &&
           silence_ns >= channel->pool->session->timeout_ns / 2;
}

static void check_silence(struct cs_channel *channel)
{
    struct cs_session *session = channel->pool->session;
    int64_t silence_ns;

    if (channel->heard_bytes != channel->connection.link.bytes_in) {
        channel->heard_bytes = channel->connection.link.bytes_in;
        channel->heard_ns = session->now_ns;
        return;
    }
    silence_ns = session->now_ns - channel->heard_ns;
    if (is_stuck(channel, silence_ns))
        fail_now(channel, "a message has begun to come and does not end");
    else if (silence_ns > HEARTBEAT_NS && !cs_streams_used(&channel->streams))
        send_heartbeat(channel);
    else if (silence_ns > SILENCE_NS)
        fail_now(channel, "the node has been silent for 60 s");
}

void cs_channel_tick(struct cs_channel *channel)
{
    if (!channel->usable) {
        if (channel->pool->session->now_ns >= channel->handshake_ns)
            fail_now(channel, "no connection within 5 s");
        return;
    }
    time_out_slots(channel);
    time_out_unprepared(channel);
    if (too_many_orphans(channel))
        fail_now(channel, "too many requests were not answered in time");
    else
        check_silence(channel);
}
