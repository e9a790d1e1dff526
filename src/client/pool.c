/* pool.c - how many channels a node has, and when to try again. */
#include "base/clock.h"
#include "base/log.h"
#include "client/session_internal.h"

#include <stdio.h>
#include <stdlib.h>

#define BACKOFF_FIRST_NS   (100 * CS_NS_PER_MS)
#define BACKOFF_LONGEST_NS (10 * CS_NS_PER_S)
/* While no node can be asked a run stands still: look more often. */
#define BACKOFF_ALONE_NS CS_NS_PER_S
/* A node that comes back, or hears of a client for the first time, is not to
 * have a thousand handshakes at one moment: its queue of connections is short,
 * and with TLS each costs it milliseconds. More are opened as these stand. */
#define OPENING_MAX 32
/* A busy node that has said nothing for so long is asked last. */
#define SILENT_AFTER_NS (2 * CS_NS_PER_S)

static void take_failure(struct cs_pool *pool, const struct cs_err *why)
{
    size_t size = CS_MIN(strlen(why->text), sizeof(pool->why) - 1);

    memcpy(pool->why, why->text, size);
    pool->why[size] = 0;
    pool->settled = true;
}

int64_t cs_backoff_ns(unsigned failures, bool alone, uint32_t random)
{
    int64_t longest_ns = alone ? BACKOFF_ALONE_NS : BACKOFF_LONGEST_NS;
    int64_t ns = BACKOFF_FIRST_NS;

    while (failures-- && ns < longest_ns)
        ns *= 2;
    ns = CS_MIN(ns, longest_ns);
    /* Within 85 % and 115 %, so that many do not come back at once. */
    return ns * 85 / 100 + ns * 30 / 100 * (random % 1024) / 1024;
}

static void retry_later(struct cs_pool *pool)
{
    struct cs_session *session = pool->session;
    int64_t at_ns =
        session->now_ns + cs_backoff_ns(pool->failures, !session->usable_pools,
                                        cs_session_random(session));

    if (at_ns < pool->retry_ns)
        pool->retry_ns = at_ns;
}

/* ---- channels come and go ---- */

static void count_open(struct cs_pool *pool)
{
    atomic_store_explicit(&pool->open_count, pool->usable_count,
                          memory_order_relaxed);
}

static unsigned find_channel(const struct cs_pool *pool,
                             const struct cs_channel *channel)
{
    unsigned at = 0;

    while (pool->channels[at] != channel)
        at++;
    return at;
}

static void swap_channels(struct cs_pool *pool, unsigned a, unsigned b)
{
    struct cs_channel *channel = pool->channels[a];

    pool->channels[a] = pool->channels[b];
    pool->channels[b] = channel;
}

static void set_no_node(struct cs_session *session)
{
    if (session->usable_pools)
        session->no_node_ns = INT64_MAX;
    else if (session->no_node_ns == INT64_MAX)
        session->no_node_ns = session->now_ns;
}

void cs_pool_usable(struct cs_pool *pool, struct cs_channel *channel)
{
    swap_channels(pool, find_channel(pool, channel), pool->usable_count);
    channel->usable = true;
    pool->usable_count++;
    pool->failures = 0;
    pool->settled = true;
    if (pool->usable_count == 1)
        pool->session->usable_pools++;
    set_no_node(pool->session);
    count_open(pool);
    cs_shards_note(pool, channel);
    cs_pool_fill(pool);
}

/* A node is no worse for a port that does not do: the other is tried soon. */
static void note_loss(struct cs_pool *pool, const struct cs_channel *channel)
{
    if (channel->aimed < 0)
        pool->failures++;
    else
        pool->retry_ns = pool->session->now_ns;
}

void cs_pool_lost(struct cs_pool *pool, struct cs_channel *channel,
                  const struct cs_err *why)
{
    unsigned at = find_channel(pool, channel);
    bool was_usable = channel->usable;

    take_failure(pool, why);
    if (pool->answered == channel)
        pool->answered = NULL;
    if (channel->usable) {
        pool->usable_count--;
        swap_channels(pool, at, pool->usable_count);
        at = pool->usable_count;
        channel->usable = false;
        if (!pool->usable_count)
            pool->session->usable_pools--;
        set_no_node(pool->session);
        count_open(pool);
    } else {
        note_loss(pool, channel);
    }
    pool->channel_count--;
    swap_channels(pool, at, pool->channel_count);
    if (pool->shards)
        cs_shards_lost(pool, channel, was_usable);
    retry_later(pool);
}

bool cs_pool_open(struct cs_pool *pool, int shard)
{
    struct cs_channel *channel;
    struct cs_err err;

    if (cs_channel_open(pool, shard, &channel, &err)) {
        take_failure(pool, &err);
        pool->failures += shard < 0;
        retry_later(pool);
        return false;
    }
    pool->channels[pool->channel_count++] = channel;
    return true;
}

bool cs_pool_may_open(const struct cs_pool *pool)
{
    return pool->channel_count - pool->usable_count < OPENING_MAX;
}

/* One at first; the others when it stands. */
void cs_pool_fill(struct cs_pool *pool)
{
    unsigned want =
        pool->usable_count ? pool->session->connections_per_node : 1;

    if (!pool->wanted)
        return;
    if (pool->shards && pool->usable_count) {
        cs_shards_fill(pool);
        return;
    }
    while (pool->channel_count < want && cs_pool_may_open(pool) &&
           cs_pool_open(pool, -1))
        ;
}

/* ---- in line with the topology ---- */

static struct cs_pool *new_pool(struct cs_session *session, unsigned node)
{
    struct cs_pool *pool = calloc(1, sizeof(*pool));

    if (!pool)
        return NULL;
    pool->session = session;
    pool->node = node;
    pool->retry_ns = INT64_MAX;
    pool->channel_cap = session->connections_per_node;
    pool->channels =
        calloc(session->connections_per_node, sizeof(struct cs_channel *));
    if (!pool->channels) {
        free(pool);
        return NULL;
    }
    return pool;
}

/* cs_session_traffic reads the list and the addresses from another thread. */
static enum cs_code grow_pools(struct cs_session *session, struct cs_err *err)
{
    const struct cs_snapshot *snapshot = session->snapshot;
    unsigned count = snapshot->node_count;
    struct cs_pool **more;

    pthread_mutex_lock(&session->pools_mutex);
    more =
        realloc(session->pools, (count + (size_t)1) * sizeof(struct cs_pool *));
    if (more)
        session->pools = more;
    while (more && session->pool_count < count) {
        struct cs_pool *pool = new_pool(session, session->pool_count);

        if (!pool)
            break;
        session->pools[session->pool_count++] = pool;
    }
    for (unsigned i = 0; i < session->pool_count; i++)
        session->pools[i]->address = snapshot->nodes[i].address;
    pthread_mutex_unlock(&session->pools_mutex);
    if (session->pool_count < count)
        return cs_fail(err, CS_ENOMEM, "no memory for connections");
    return CS_OK;
}

enum cs_code cs_pools_adopt(struct cs_session *session, struct cs_err *err)
{
    enum cs_code rc = grow_pools(session, err);

    for (unsigned i = 0; i < session->pool_count && !rc; i++) {
        struct cs_pool *pool = session->pools[i];

        pool->wanted = session->snapshot->nodes[i].wanted;
        pool->rank = session->snapshot->nodes[i].rank;
        /* Something has changed in the cluster: a node may be back. */
        if (pool->wanted && !pool->usable_count &&
            pool->retry_ns != INT64_MAX) {
            pool->failures = 0;
            retry_later(pool);
        }
        cs_pool_fill(pool);
    }
    return rc;
}

void cs_session_bury(struct cs_session *session)
{
    while (session->dead) {
        struct cs_channel *channel = session->dead;

        session->dead = channel->next_dead;
        cs_channel_free(channel);
    }
}

void cs_pools_free(struct cs_session *session)
{
    for (unsigned i = 0; i < session->pool_count; i++) {
        struct cs_pool *pool = session->pools[i];

        for (unsigned k = 0; k < pool->channel_count; k++)
            cs_channel_free(pool->channels[k]);
        free(pool->channels);
        free(pool->shards);
        free(pool);
    }
    free(session->pools);
}

/* ---- time ---- */

static void close_unwanted(struct cs_pool *pool)
{
    struct cs_err why;

    cs_fail(&why, CS_ECONNECT, "the node has left the cluster");
    for (unsigned i = pool->channel_count; i-- > 0;)
        if (!cs_streams_used(&pool->channels[i]->streams))
            cs_connection_fail(&pool->channels[i]->connection, &why);
    pool->retry_ns = INT64_MAX;
}

/* A node that is stopped or collects garbage would soon hold all requests of a
 * closed loop. */
static void check_silence(struct cs_pool *pool)
{
    int64_t heard_ns = 0;
    bool busy = false;

    for (unsigned i = 0; i < pool->usable_count; i++) {
        const struct cs_channel *channel = pool->channels[i];

        heard_ns = CS_MAX(heard_ns, channel->heard_ns);
        busy = busy || cs_streams_used(&channel->streams);
    }
    pool->silent = busy && pool->session->now_ns - heard_ns > SILENT_AFTER_NS;
}

/* Looked at here, not where requests are sent: a tenth of a second is exact
 * enough for a node that joins. */
static void note_first_request(struct cs_pool *pool)
{
    uint64_t requests = 0;

    for (size_t i = 0; i < CS_ROLE_COUNT; i++)
        requests +=
            atomic_load_explicit(&pool->requests[i], memory_order_relaxed);
    if (requests &&
        !atomic_load_explicit(&pool->first_request_ns, memory_order_relaxed))
        atomic_store_explicit(&pool->first_request_ns, pool->session->now_ns,
                              memory_order_relaxed);
}

static void tick_pool(struct cs_pool *pool)
{
    note_first_request(pool);
    /* Backwards: a channel that ends in here moves only later ones. */
    for (unsigned i = pool->channel_count; i-- > 0;)
        if (i < pool->channel_count)
            cs_channel_tick(pool->channels[i]);
    check_silence(pool);
    cs_shards_tick(pool);
    if (!pool->wanted) {
        close_unwanted(pool);
    } else if (pool->retry_ns <= pool->session->now_ns) {
        pool->retry_ns = INT64_MAX;
        cs_pool_fill(pool);
    }
}

void cs_pools_tick(struct cs_session *session)
{
    for (unsigned i = 0; i < session->pool_count; i++)
        tick_pool(session->pools[i]);
}
