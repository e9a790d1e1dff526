/* shards.c - a connection for each shard: by the port it comes from where the
 * node looks at that, else by opening some until each shard has one. */
#include "client/shards.h"

#include "base/log.h"
#include "client/session_internal.h"

#include <stdlib.h>

/* While shards are missing and chance decides, so many times more channels are
 * opened than are needed, at most. */
#define LUCK_FACTOR 3

static unsigned shard_of(const struct cs_channel *channel)
{
    return channel->connection.sharding.shard;
}

/* A node may have come back with another number of shards. */
static bool is_ours(const struct cs_shards *shards,
                    const struct cs_channel *channel)
{
    return channel->connection.sharding.count == shards->count;
}

/* Channels of a shard that stand, or are on their way to it. */
static unsigned channels_of(const struct cs_pool *pool, unsigned shard)
{
    unsigned count = 0;

    for (unsigned i = 0; i < pool->channel_count; i++) {
        const struct cs_channel *channel = pool->channels[i];

        if (channel->usable)
            count +=
                is_ours(pool->shards, channel) && shard_of(channel) == shard;
        else
            count += channel->aimed == (int)shard;
    }
    return count;
}

static unsigned missing_of(const struct cs_pool *pool, unsigned shard)
{
    unsigned have = channels_of(pool, shard);

    return have < pool->shards->per_shard ? pool->shards->per_shard - have : 0;
}

static unsigned missing(const struct cs_pool *pool)
{
    unsigned count = 0;

    for (unsigned i = 0; i < pool->shards->count; i++)
        count += missing_of(pool, i);
    return count;
}

/* ---- what is known of the node ---- */

static void link_channel(struct cs_shards *shards, struct cs_channel *channel)
{
    struct cs_channel **head = &shards->heads[shard_of(channel)];

    channel->next_in_shard = *head ? (*head)->next_in_shard : channel;
    if (*head)
        (*head)->next_in_shard = channel;
    *head = channel;
}

static unsigned ring_size(const struct cs_channel *head)
{
    const struct cs_channel *at = head;
    unsigned count = 0;

    while (at && (!count || at != head)) {
        at = at->next_in_shard;
        count++;
    }
    return count;
}

/* Those that are too many stay out, so that they run dry. */
static void link_all(struct cs_pool *pool)
{
    struct cs_shards *shards = pool->shards;

    for (unsigned i = 0; i < shards->count; i++)
        shards->heads[i] = NULL;
    for (unsigned i = 0; i < pool->usable_count; i++) {
        struct cs_channel *channel = pool->channels[i];

        channel->next_in_shard = NULL;
        if (is_ours(shards, channel) &&
            ring_size(shards->heads[shard_of(channel)]) < shards->per_shard)
            link_channel(shards, channel);
    }
}

static bool make_room(struct cs_pool *pool, unsigned count)
{
    struct cs_channel **more;

    if (count <= pool->channel_cap)
        return true;
    more = realloc(pool->channels, count * sizeof(struct cs_channel *));
    if (!more)
        return false;
    pool->channels = more;
    pool->channel_cap = count;
    return true;
}

/* Without memory the pool is as that of any other node. */
static void learn(struct cs_pool *pool, const struct cs_sharding *told)
{
    struct cs_session *session = pool->session;
    unsigned per_shard =
        (session->connections_per_node + told->count - 1) / told->count;
    struct cs_shards *shards =
        calloc(1, sizeof(*shards) + told->count * sizeof(struct cs_channel *));

    free(pool->shards);
    pool->shards = NULL;
    if (!shards || !make_room(pool, LUCK_FACTOR * per_shard * told->count)) {
        free(shards);
        return;
    }
    shards->count = told->count;
    shards->ignore_msb = told->ignore_msb;
    shards->port = session->config->tls ? told->tls_port : told->port;
    shards->per_shard = per_shard;
    pool->shards = shards;
}

static void distrust_port(struct cs_pool *pool, const char *why)
{
    CS_DEBUG("%s:%d: its port for shards is left alone: %s", pool->address.text,
             pool->shards->port, why);
    pool->shards->port = 0;
}

void cs_shards_note(struct cs_pool *pool, struct cs_channel *channel)
{
    const struct cs_sharding *told = &channel->connection.sharding;

    if (!told->count)
        return;
    /* What the first one says is fresh: the node may have been away. */
    if (pool->usable_count == 1 || !pool->shards ||
        !is_ours(pool->shards, channel))
        learn(pool, told);
    else if (channel->aimed >= 0 && channel->aimed != (int)told->shard &&
             pool->shards->port)
        distrust_port(pool, "something between us changes ports");
    if (pool->shards)
        link_all(pool);
}

void cs_shards_lost(struct cs_pool *pool, const struct cs_channel *channel,
                    bool was_usable)
{
    if (channel->aimed >= 0 && !was_usable && pool->shards->port)
        distrust_port(pool, "it takes no connection");
    link_all(pool);
}

/* ---- opening and closing ---- */

static void fill_by_port(struct cs_pool *pool)
{
    struct cs_shards *shards = pool->shards;

    for (unsigned i = 0; i < shards->count && shards->port; i++)
        for (unsigned n = missing_of(pool, i);
             n && shards->port && cs_pool_may_open(pool); n--)
            if (!cs_pool_open(pool, (int)i))
                distrust_port(pool, pool->why);
}

static void fill_by_luck(struct cs_pool *pool)
{
    unsigned want = missing(pool);

    for (unsigned i = pool->usable_count; i < pool->channel_count; i++)
        want -= want && pool->channels[i]->aimed < 0;
    while (want && pool->channel_count < pool->channel_cap &&
           cs_pool_may_open(pool) && cs_pool_open(pool, -1))
        want--;
}

void cs_shards_fill(struct cs_pool *pool)
{
    if (pool->shards->port)
        fill_by_port(pool);
    if (!pool->shards->port)
        fill_by_luck(pool);
}

bool cs_shards_lack(const struct cs_pool *pool)
{
    return pool->shards && missing(pool);
}

void cs_shards_tick(struct cs_pool *pool)
{
    struct cs_shards *shards = pool->shards;
    struct cs_err why;

    if (!shards || pool->usable_count <= shards->count * shards->per_shard)
        return;
    /* Where chance has given all there may be to the wrong shards, one of them
     * makes room for another try. */
    if (missing(pool) && pool->channel_count < pool->channel_cap)
        return;
    cs_fail(&why, CS_ECONNECT, "its shard has enough connections");
    for (unsigned i = 0; i < pool->usable_count; i++) {
        struct cs_channel *channel = pool->channels[i];

        if (channel->next_in_shard || cs_streams_used(&channel->streams))
            continue;
        cs_connection_fail(&channel->connection, &why);
        return;
    }
}

/* ---- requests ---- */

/* The turn goes round, so that several share the work. */
static struct cs_channel *pick(struct cs_shards *shards, unsigned shard)
{
    struct cs_channel *first =
        shard < shards->count ? shards->heads[shard] : NULL;
    struct cs_channel *channel = first;

    if (!first)
        return NULL;
    do {
        if (cs_channel_has_room(channel)) {
            shards->heads[shard] = channel->next_in_shard;
            return channel;
        }
        channel = channel->next_in_shard;
    } while (channel != first);
    return NULL;
}

struct cs_channel *cs_shards_turn(struct cs_channel *channel, int64_t token)
{
    struct cs_pool *pool = channel->pool;
    struct cs_shards *shards = pool->shards;
    unsigned shard = pool->session->route_shard;
    struct cs_channel *right;

    if (shard == CS_SHARD_BY_TOKEN)
        shard = cs_shard_of(shards->count, shards->ignore_msb, token);
    right = pick(shards, shard);
    cs_count_one(&pool->shard_known);
    if (!right)
        return channel;
    cs_count_one(&pool->shard_right);
    return right;
}
