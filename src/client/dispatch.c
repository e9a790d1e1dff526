/* dispatch.c - which node is asked, and how a request gets into the buffer of
 * its connection. */
#include "base/clock.h"
#include "client/routes.h"
#include "client/session.h"
#include "client/session_internal.h"

/* Waiting operations looked at in a pass while none of them finds room. */
#define WAITING_LOOKS 32

/* ---- statements ---- */

/* A function of its own, so that the usual way has all registers. */
static CS_NOINLINE struct cs_local_statement *
new_statement(struct cs_session *session, const struct cs_prepared *prepared)
{
    return cs_session_new_statement(session, prepared);
}

struct cs_local_statement *
cs_session_statement(struct cs_session *session,
                     const struct cs_statement *statement)
{
    const struct cs_prepared *prepared = cs_prepared_of(statement);

    if (CS_LIKELY(prepared->index < session->statement_count &&
                  session->statements[prepared->index]))
        return session->statements[prepared->index];
    return new_statement(session, prepared);
}

/* ---- requests ---- */

static struct cs_view paging_state(const struct cs_operation *op)
{
    const struct cs_buf *state =
        op->page ? op->page : &op->session.paging_state;

    return state->size ? cs_view_of(state->data, state->size)
                       : cs_view_of(NULL, 0);
}

static void put_text(struct cs_buf *buf, const struct cs_request *request,
                     const struct cs_operation *op)
{
    const struct cs_statement_options *options = &op->cql_options;
    struct cs_query_params params = {
        .consistency = (uint16_t)options->cl,
        .has_serial = options->has_serial_cl,
        .serial_consistency = (uint16_t)options->serial_cl,
        .page_size = options->page_size,
        .paging_state = paging_state(op),
        .timestamp_us = op->timestamp_us,
    };

    cs_request_query(buf, request, cs_view_of(op->cql, op->cql_size), &params);
}

CS_INLINE void put_execute(struct cs_session *session, struct cs_buf *out,
                           const struct cs_operation *op, uint16_t stream,
                           struct cs_view page)
{
    struct cs_local_statement *local =
        cs_session_statement(session, op->statement);
    struct cs_execute_run run = {
        .stream = (int16_t)stream,
        .values = cs_view_of(op->values.data, op->values.size),
        .timestamp_us = op->timestamp_us,
        .paging_state = page,
    };

    if (CS_LIKELY(local != NULL))
        cs_execute_put(out, &local->execute, &run);
    else
        out->fault = true;
}

static CS_NOINLINE void put_unusual(struct cs_channel *channel,
                                    struct cs_buf *out,
                                    const struct cs_operation *op,
                                    uint16_t stream)
{
    struct cs_request request =
        cs_connection_request(&channel->connection, stream);

    if (op->statement && op->row_count == 1)
        put_execute(channel->pool->session, out, op, stream, paging_state(op));
    else if (op->statement)
        cs_operation_put_batch(out, &request, op);
    else
        put_text(out, &request, op);
}

/* The request cannot be written down: it ends at the end of the pass. */
static CS_NOINLINE void refuse(struct cs_channel *channel,
                               struct cs_operation *op, uint16_t stream)
{
    cs_streams_give(&channel->streams, stream);
    cs_operations_push(&channel->pool->session->finished, op);
}

CS_INLINE void send_on(struct cs_channel *channel, struct cs_session *session,
                       struct cs_operation *op)
{
    uint16_t stream = cs_streams_take(&channel->streams);
    struct cs_slot *slot = &channel->slots[stream];
    struct cs_buf *out = cs_connection_begin(&channel->connection);
    struct cs_err err;

    if (CS_LIKELY(op->statement && op->row_count == 1 && !op->page &&
                  !op->session.paging_state.size))
        put_execute(session, out, op, stream, cs_view_of(NULL, 0));
    else
        put_unusual(channel, out, op, stream);
    if (CS_UNLIKELY(cs_connection_end(&channel->connection, &err))) {
        refuse(channel, op, stream);
        return;
    }
    slot->op = op;
    slot->written = channel->connection.link.writes;
    slot->deadline_ms = cs_session_ms(session, op->session.deadline_ns);
    slot->kind = CS_SLOT_OPERATION;
    op->session.connection = channel;
    op->session.stream = stream;
}

void cs_channel_send(struct cs_channel *channel, struct cs_operation *op)
{
    send_on(channel, channel->pool->session, op);
}

/* ---- routing ---- */

/* The usable channel of a node with the fewest requests under way that has
 * room for one more; NULL: none. */
static CS_NOINLINE struct cs_channel *least_loaded(const struct cs_pool *pool)
{
    struct cs_channel *best = NULL;
    uint32_t most_free = 0;

    for (unsigned i = 0; i < pool->usable_count; i++) {
        struct cs_channel *channel = pool->channels[i];

        if (channel->streams.free_count > most_free &&
            cs_channel_has_room(channel)) {
            most_free = channel->streams.free_count;
            best = channel;
        }
    }
    return best;
}

CS_INLINE struct cs_channel *next_channel(struct cs_pool *pool)
{
    if (pool->turn >= pool->usable_count)
        pool->turn = 0;
    return pool->channels[pool->turn++];
}

/* A channel with room for one more. Of two only, so that it costs the same with
 * any number of them: that of the last answer, which a request in its place
 * keeps as full as it was and which is written to in this pass anyway, and the
 * next one in turn, if that has fewer under way. */
CS_INLINE struct cs_channel *pick_channel(struct cs_pool *pool)
{
    struct cs_channel *last = pool->answered;
    struct cs_channel *channel = next_channel(pool);

    if (CS_UNLIKELY(channel == last))
        channel = next_channel(pool);
    if (CS_LIKELY(last != NULL) &&
        last->streams.free_count >= channel->streams.free_count)
        channel = last;
    if (CS_LIKELY(cs_channel_has_room(channel)))
        return channel;
    return least_loaded(pool);
}

CS_INLINE uint32_t node_bit(unsigned node)
{
    return UINT32_C(1) << (node & 31);
}

/* Which nodes are not asked while there are others. */
struct avoid {
    uint32_t tried;
    bool silent;
    uint8_t rank; /* nodes farther away than this */
};

CS_INLINE bool may_ask(const struct cs_pool *pool, struct avoid avoid)
{
    return pool->usable_count && pool->wanted && pool->rank <= avoid.rank &&
           !(avoid.tried & node_bit(pool->node)) &&
           !(avoid.silent && pool->silent);
}

struct choice {
    struct cs_channel *channel;
    enum cs_replica_role role;
    bool wait; /* the right nodes are there, but have no room */
};

CS_INLINE bool ask(struct cs_pool *pool, struct avoid avoid,
                   struct choice *choice)
{
    if (!may_ask(pool, avoid))
        return false;
    choice->channel = pick_channel(pool);
    choice->wait = !choice->channel;
    return choice->channel != NULL;
}

/* The direction is random, too, so that the share of a node that is down does
 * not all go to its neighbour on the ring. */
static CS_NOINLINE void
choose_next_replica(struct cs_session *session, const struct cs_ring *ring,
                    const uint16_t *replicas, unsigned count, uint32_t random,
                    struct avoid avoid, struct choice *choice)
{
    unsigned at = (unsigned)(((uint64_t)random * count) >> 32);

    for (unsigned i = 0; i < count; i++) {
        if (ask(session->pools[replicas[at]], avoid, choice)) {
            choice->role = cs_ring_role(ring, &replicas[at]);
            return;
        }
        at += random & 1 ? 1 : count - 1;
        at = at >= count ? at - count : at;
    }
}

/* As the original's policy: the replicas in random order. */
CS_INLINE void choose_replica(struct cs_session *session,
                              const struct cs_ring *ring, int64_t token,
                              struct avoid avoid, struct choice *choice)
{
    unsigned count;
    const uint16_t *replicas = cs_ring_replicas(ring, token, &count);
    uint32_t random = count > 1 ? cs_session_random(session) : 0;
    unsigned at = (unsigned)(((uint64_t)random * count) >> 32);

    if (CS_UNLIKELY(!count ||
                    !ask(session->pools[replicas[at]], avoid, choice)))
        choose_next_replica(session, ring, replicas, count, random, avoid,
                            choice);
    else
        choice->role = cs_ring_role(ring, &replicas[at]);
}

static void choose_any(struct cs_session *session, struct avoid avoid,
                       struct choice *choice)
{
    for (unsigned i = 0; i < session->pool_count; i++) {
        struct cs_pool *pool;

        if (++session->next_pool >= session->pool_count)
            session->next_pool = 0;
        pool = session->pools[session->next_pool];
        if (!may_ask(pool, avoid))
            continue;
        choice->channel = pick_channel(pool);
        if (choice->channel)
            return;
    }
}

CS_INLINE const struct cs_ring *ring_of(const struct cs_session *session,
                                        const struct cs_operation *op)
{
    const struct cs_snapshot *snapshot = session->snapshot;
    unsigned keyspace;

    if (!op->has_token || !op->statement)
        return NULL;
    keyspace = cs_prepared_of(op->statement)->ring;
    return keyspace < snapshot->ring_count ? snapshot->rings[keyspace] : NULL;
}

/* Of a route's replicas one at random, or the first, which is waited for; then
 * the next one. */
static void choose_on_route(struct cs_session *session,
                            const struct cs_route *route, struct avoid avoid,
                            struct choice *choice)
{
    uint32_t random = route->in_order ? 0 : cs_session_random(session);
    unsigned at = (unsigned)(((uint64_t)random * route->count) >> 32);

    for (unsigned i = 0; i < route->count; i++) {
        const struct cs_replica *to = &route->replicas[at];

        if (to->node < session->pool_count &&
            ask(session->pools[to->node], avoid, choice)) {
            choice->role = (enum cs_replica_role)to->role;
            session->route_shard = to->shard;
            return;
        }
        if (route->in_order && choice->wait)
            return;
        at = at + 1 == route->count ? 0 : at + 1;
    }
}

static void choose_holder(struct cs_session *session,
                          const struct cs_operation *op,
                          const struct cs_route *route, struct avoid avoid,
                          struct choice *choice)
{
    if (route->count)
        choose_on_route(session, route, avoid, choice);
    else if (route->ring)
        choose_replica(session, route->ring, op->token, avoid, choice);
}

/* No replica nearby to be asked: one farther away; any node, the nearest first;
 * then also those that are better avoided. */
static CS_NOINLINE void choose_slowly(struct cs_session *session,
                                      const struct cs_operation *op,
                                      const struct cs_ring *ring,
                                      struct choice *choice)
{
    uint8_t farthest = session->snapshot->farthest;
    struct avoid avoid = {.tried = op->session.tried, .silent = true};
    struct cs_route route;

    session->route_shard = CS_SHARD_BY_TOKEN;
    cs_route_find(session, op, ring, &route);
    choice->role = route.ring || route.count ? CS_ROLE_NONE : CS_ROLE_UNKNOWN;
    for (uint8_t r = ring ? 1 : 0; r <= CS_MIN(farthest, CS_RANK_RACK); r++) {
        avoid.rank = route.in_order ? CS_RANK_RACK : r;
        choose_holder(session, op, &route, avoid, choice);
        if (choice->channel || choice->wait)
            return;
    }
    for (uint8_t r = 0; r <= farthest; r++) {
        avoid.rank = r;
        choose_any(session, avoid, choice);
        if (choice->channel)
            return;
    }
    avoid = (struct avoid){.tried = 0, .rank = farthest};
    choose_holder(session, op, &route, avoid, choice);
    if (!choice->channel && !choice->wait)
        choose_any(session, avoid, choice);
}

CS_INLINE struct choice choose(struct cs_session *session,
                               const struct cs_operation *op)
{
    const struct cs_ring *ring = ring_of(session, op);
    struct avoid avoid = {.tried = op->session.tried, .silent = true};
    struct choice choice = {.channel = NULL};

    if (CS_LIKELY(ring != NULL))
        choose_replica(session, ring, op->token, avoid, &choice);
    if (CS_UNLIKELY(!choice.channel && !choice.wait))
        choose_slowly(session, op, ring, &choice);
    return choice;
}

CS_INLINE bool try_send(struct cs_session *session, struct cs_operation *op)
{
    struct choice choice = choose(session, op);
    struct cs_pool *pool;

    if (CS_UNLIKELY(!choice.channel))
        return false;
    pool = choice.channel->pool;
    if (CS_UNLIKELY(pool->shards != NULL) && choice.role < CS_ROLE_NONE)
        choice.channel = cs_shards_turn(choice.channel, op->token);
    op->session.tried |= node_bit(pool->node);
    cs_count_one(&pool->requests[choice.role]);
    send_on(choice.channel, session, op);
    return true;
}

/* Where there is no node at all, it is not for want of room. */
static CS_NOINLINE void wait_for_room(struct cs_session *session,
                                      struct cs_operation *op)
{
    cs_operations_push(&session->waiting, op);
    op->session.waits_from_ns = session->usable_pools ? session->now_ns : 0;
    session->counts.queued += session->usable_pools > 0;
}

static void end_wait(struct cs_session *session, const struct cs_operation *op)
{
    if (op->session.waits_from_ns)
        session->counts.queued_ns +=
            session->now_ns - op->session.waits_from_ns;
}

CS_INLINE void dispatch(struct cs_session *session, struct cs_operation *op)
{
    /* Those that wait were first. */
    if (CS_LIKELY(!session->waiting.first) && try_send(session, op))
        return;
    wait_for_room(session, op);
}

void cs_session_dispatch(struct cs_session *session, struct cs_operation *op)
{
    dispatch(session, op);
}

void cs_session_submit(struct cs_session *session, struct cs_operation *op)
{
    if (!session->in_pass)
        session->now_ns = cs_now_ns();
    op->session.rows = 0;
    op->session.flags = 0;
    op->session.connection = NULL;
    op->session.deadline_ns = session->now_ns + session->timeout_ns;
    if (!op->attempt)
        op->session.tried = 0;
    /* Its memory was given back when the operation last ended. */
    op->session.paging_state = (struct cs_buf){.data = NULL};
    dispatch(session, op);
}

void cs_session_drain_waiting(struct cs_session *session)
{
    struct cs_operation_list *list = &session->waiting;
    struct cs_operation **at = &list->first;
    unsigned misses = 0;

    while (*at && misses < WAITING_LOOKS) {
        struct cs_operation *op = *at;
        struct cs_operation *next = op->session.next;

        if (!try_send(session, op)) {
            misses++;
            at = &op->session.next;
            continue;
        }
        end_wait(session, op);
        *at = next;
        list->count--;
        if (!next)
            list->end = at;
    }
}
