/* routes.c - what a session does with the tablets it is told of.
 *
 * Each session learns by itself: a tablet costs each loop one request that goes
 * one hop farther, and nothing has to be locked or shared for it. */
#include "client/routes.h"

#include "base/log.h"
#include "client/session_internal.h"
#include "protocol/tablets.h"

/* Tablets that a session keeps: at some 100 bytes each, with three replicas. */
#define TABLETS_MAX 65536

/* ---- where to ---- */

static void take_ring_order(const struct cs_ring *ring, int64_t token,
                            struct cs_route *out)
{
    unsigned count;
    const uint16_t *nodes = cs_ring_replicas(ring, token, &count);

    out->count = CS_MIN(count, (unsigned)CS_ROUTE_MAX);
    out->replicas = out->of_ring;
    for (unsigned i = 0; i < out->count; i++)
        out->of_ring[i] =
            (struct cs_replica){.node = nodes[i],
                                .shard = CS_SHARD_BY_TOKEN,
                                .role = (uint8_t)cs_ring_role(ring, &nodes[i])};
}

static const struct cs_ring *ring_of(const struct cs_session *session,
                                     unsigned keyspace)
{
    const struct cs_snapshot *snapshot = session->snapshot;

    return keyspace < snapshot->ring_count ? snapshot->rings[keyspace] : NULL;
}

/* False: the table has none, as far as we know. */
static bool find_tablet(const struct cs_session *session, unsigned table,
                        int64_t token, struct cs_route *out)
{
    const struct cs_tablet *tablet;

    if (!session->tablets || !cs_tablets_know(session->tablets, table))
        return false;
    tablet = cs_tablets_find(session->tablets, table, token);
    if (tablet) {
        out->replicas = tablet->replicas;
        out->count = tablet->count;
    }
    return true;
}

/* Conditional statements on a partition queue up in one node, and would
 * otherwise get in each other's way in several. */
void cs_route_find(const struct cs_session *session,
                   const struct cs_operation *op, const struct cs_ring *ring,
                   struct cs_route *out)
{
    const struct cs_prepared *prepared;

    out->ring = ring;
    out->count = 0;
    out->in_order = false;
    if (ring || !op->has_token || !op->statement)
        return;
    prepared = cs_prepared_of(op->statement);
    out->in_order = prepared->conditional;
    if (find_tablet(session, prepared->table, op->token, out))
        return;
    ring = ring_of(session, prepared->keyspace);
    if (ring && out->in_order)
        take_ring_order(ring, op->token, out);
    else
        out->ring = ring;
}

bool cs_routes_bypass(const struct cs_session *session, unsigned keyspace)
{
    const struct cs_snapshot *snapshot = session->snapshot;

    for (unsigned i = 0; session->tablets && i < snapshot->table_count; i++)
        if (snapshot->tables[i].keyspace == keyspace &&
            cs_tablets_know(session->tablets, i))
            return true;
    return false;
}

/* ---- learning ---- */

static uint16_t find_node(const struct cs_snapshot *snapshot,
                          const uint8_t *host_id)
{
    for (unsigned i = 0; i < snapshot->node_count; i++)
        if (snapshot->nodes[i].present &&
            !memcmp(snapshot->nodes[i].host_id, host_id, 16))
            return (uint16_t)i;
    return CS_NODE_UNKNOWN;
}

/* Its place in the list among those of its data centre. */
static uint8_t role_of(const struct cs_snapshot *snapshot,
                       const struct cs_replica *replicas, unsigned at)
{
    const struct cs_snapshot_node *nodes = snapshot->nodes;
    unsigned role = CS_ROLE_FIRST;

    for (unsigned i = 0; i < at && role < CS_ROLE_FURTHER; i++)
        role += replicas[i].node != CS_NODE_UNKNOWN &&
                nodes[replicas[i].node].datacenter ==
                    nodes[replicas[at].node].datacenter;
    return (uint8_t)role;
}

/* False: none of its nodes is known. */
static bool resolve(const struct cs_snapshot *snapshot,
                    const struct cs_told_tablet *told, struct cs_replica *out)
{
    bool known = false;

    for (unsigned i = 0; i < told->count; i++) {
        out[i] = (struct cs_replica){
            .node = find_node(snapshot, told->replicas[i].host_id),
            .shard = told->replicas[i].shard,
            .role = CS_ROLE_FURTHER};
        if (out[i].node == CS_NODE_UNKNOWN)
            continue;
        out[i].role = role_of(snapshot, out, i);
        known = true;
    }
    return known;
}

static struct cs_tablets *tablets_of(struct cs_session *session)
{
    struct cs_err err;

    if (!session->tablets &&
        cs_tablets_new(TABLETS_MAX, &session->tablets, &err))
        CS_DEBUG("%s", err.text);
    return session->tablets;
}

static void keep(struct cs_session *session, unsigned table,
                 const struct cs_told_tablet *told)
{
    const struct cs_snapshot *snapshot = session->snapshot;
    struct cs_replica replicas[CS_TABLET_REPLICAS_MAX];
    struct cs_tablets *tablets = tablets_of(session);

    if (!tablets || table >= snapshot->table_count ||
        !resolve(snapshot, told, replicas))
        return;
    cs_tablets_renew(tablets, table, snapshot->tables[table].age);
    session->counts.tablets_told++;
    if (!cs_tablets_learn(tablets, table, told->first, told->last, replicas,
                          told->count))
        CS_DEBUG("a tablet is not kept: there are %zu",
                 cs_tablets_count(tablets));
}

void cs_routes_learn(struct cs_session *session, const struct cs_operation *op,
                     struct cs_view payload)
{
    struct cs_told_tablet told;

    if (!session->config->tablets || !op->statement)
        return;
    if (cs_tablet_read(payload, &told))
        keep(session, cs_prepared_of(op->statement)->table, &told);
    else
        cs_warnings_add(&session->warnings,
                        cs_view_text("cstress: the payload " CS_PAYLOAD_TABLET
                                     " of an answer is not what it should be "
                                     "and was left alone"));
}

/* ---- another snapshot ---- */

/* One whose nodes are not all known is asked for again, now that there may be
 * more of them. */
static bool is_whole(const void *ctx, const struct cs_tablet *tablet)
{
    const struct cs_snapshot *snapshot = ctx;

    for (unsigned i = 0; i < tablet->count; i++)
        if (tablet->replicas[i].node >= snapshot->node_count ||
            !snapshot->nodes[tablet->replicas[i].node].present)
            return false;
    return true;
}

void cs_routes_review(struct cs_session *session)
{
    const struct cs_snapshot *snapshot = session->snapshot;

    if (!session->tablets)
        return;
    for (unsigned i = 0; i < snapshot->table_count; i++)
        cs_tablets_renew(session->tablets, i, snapshot->tables[i].age);
    cs_tablets_sweep(session->tablets, is_whole, snapshot);
}
