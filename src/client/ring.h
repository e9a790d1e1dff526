/* ring.h - which nodes hold the replicas of a token under a keyspace's
 * replication: worked out once per change, looked up per request. */
#ifndef CS_CLIENT_RING_H
#define CS_CLIENT_RING_H

#include "base/err.h"
#include "metrics/role.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the ring needs to know of a node; borrowed while it is built. */
struct cs_ring_node {
    const char *datacenter;
    const char *rack;
    const int64_t *tokens;
    size_t token_count;
    bool usable; /* may be asked */
};

#define CS_REPLICATION_DCS_MAX 64

enum cs_strategy {
    CS_STRATEGY_NONE, /* local, everywhere, unknown: not routed by token */
    CS_STRATEGY_SIMPLE,
    CS_STRATEGY_NETWORK,
};

struct cs_replication {
    enum cs_strategy strategy;
    unsigned factor; /* of SIMPLE */
    struct {
        char name[128];
        unsigned factor;
    } dcs[CS_REPLICATION_DCS_MAX]; /* of NETWORK */
    size_t dc_count;
};

/* Sets the strategy by its class, with or without its package. */
void cs_replication_set_class(struct cs_replication *replication,
                              const char *class_name);

/* One other option of the replication map: a factor ("3", or "3/1": with so
 * many transient ones). */
void cs_replication_add(struct cs_replication *replication, const char *key,
                        const char *value);

struct cs_ring; /* opaque, immutable */

/* *out is NULL when the strategy is not routed or there are no tokens. */
enum cs_code cs_ring_new(const struct cs_ring_node *nodes, size_t node_count,
                         const struct cs_replication *replication,
                         struct cs_ring **out, struct cs_err *err) CS_MUST_USE;
void cs_ring_free(struct cs_ring *ring);

/* Indexes of the usable replicas of a token, in ring order; borrowed. */
const uint16_t *cs_ring_replicas(const struct cs_ring *ring, int64_t token,
                                 unsigned *count);

/* Likewise, with those that are not usable behind them. */
const uint16_t *cs_ring_all_replicas(const struct cs_ring *ring, int64_t token,
                                     unsigned *count);

/* Which of its token's replicas an entry of these lists is; each data centre
 * has a first one. */
enum cs_replica_role cs_ring_role(const struct cs_ring *ring,
                                  const uint16_t *replica);

#endif
