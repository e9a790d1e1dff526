/* tablets.h - which nodes and shards hold which tokens of a table, as far as
 * ScyllaDB has told it. Of one session, used by its thread alone. */
#ifndef CS_CLIENT_TABLETS_H
#define CS_CLIENT_TABLETS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CS_NODE_UNKNOWN   UINT16_MAX
#define CS_SHARD_BY_TOKEN UINT16_MAX /* it follows from the token */

struct cs_replica {
    uint16_t node;  /* index; CS_NODE_UNKNOWN: of a host we do not know yet */
    uint16_t shard; /* of the node, or CS_SHARD_BY_TOKEN */
    uint8_t role;   /* enum cs_replica_role */
};

struct cs_tablet {
    int64_t from; /* its least and its greatest token */
    int64_t to;
    unsigned count;
    struct cs_replica replicas[];
};

struct cs_tablets; /* opaque */

/* max: so many are kept, of all tables together. On success the caller owns
 * *out. */
enum cs_code cs_tablets_new(size_t max, struct cs_tablets **out,
                            struct cs_err *err) CS_MUST_USE;
void cs_tablets_free(struct cs_tablets *tablets);

/* Borrowed until the next change; NULL: not known. */
const struct cs_tablet *cs_tablets_find(const struct cs_tablets *tablets,
                                        unsigned table, int64_t token);
/* Whether a tablet of the table is known. */
bool cs_tablets_know(const struct cs_tablets *tablets, unsigned table);
size_t cs_tablets_count(const struct cs_tablets *tablets);

/* The tokens behind first, up to last, are there from now on: takes the place
 * of all that it overlaps. Behind the greatest token the ring goes on with the
 * least. False: there is no room or memory, the overlapped ones are gone. */
bool cs_tablets_learn(struct cs_tablets *tablets, unsigned table, int64_t first,
                      int64_t last, const struct cs_replica *replicas,
                      unsigned count);

/* Forgets what was learned of the table at another age. */
void cs_tablets_renew(struct cs_tablets *tablets, unsigned table, uint32_t age);
/* Forgets those that keep says no to. */
void cs_tablets_sweep(struct cs_tablets *tablets,
                      bool (*keep)(const void *ctx,
                                   const struct cs_tablet *tablet),
                      const void *ctx);

#endif
