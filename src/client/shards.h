/* shards.h - the channels of a pool by the shard that serves them, for nodes
 * of ScyllaDB. */
#ifndef CS_CLIENT_SHARDS_H
#define CS_CLIENT_SHARDS_H

#include <stdbool.h>
#include <stdint.h>

struct cs_channel;
struct cs_pool;

/* Of the node of a pool; the pool owns it. */
struct cs_shards {
    unsigned count;
    unsigned ignore_msb;
    int port;           /* where our port chooses the shard; 0: nowhere, or it
                           did not do what it says */
    unsigned per_shard; /* channels that each is to have, at least 1 */
    struct cs_channel *heads[]; /* of each shard a ring of usable ones, or
                                   NULL */
};

/* A channel of the pool has become usable, or was lost. */
void cs_shards_note(struct cs_pool *pool, struct cs_channel *channel);
void cs_shards_lost(struct cs_pool *pool, const struct cs_channel *channel,
                    bool was_usable);

/* Opens the channels that are missing. */
void cs_shards_fill(struct cs_pool *pool);
/* Whether some shard has fewer channels than it is to have. */
bool cs_shards_lack(const struct cs_pool *pool);
/* Closes a channel that was only opened to see which shard it would get. */
void cs_shards_tick(struct cs_pool *pool);

/* Of the same pool a channel of the right shard (the session's route_shard, or
 * that of the token), if one has room; else this one: the node passes the
 * request on. */
struct cs_channel *cs_shards_turn(struct cs_channel *channel, int64_t token);

#endif
