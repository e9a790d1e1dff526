/* tablets.h - where ScyllaDB keeps the tokens of a table, as the answer to a
 * request that came to the wrong node or shard tells it: in a custom payload.
 */
#ifndef CS_PROTOCOL_TABLETS_H
#define CS_PROTOCOL_TABLETS_H

#include "protocol/notation.h"

/* What SUPPORTED offers and STARTUP echoes; the value is empty. */
#define CS_EXTENSION_TABLETS "TABLETS_ROUTING_V1"
/* Key of the payload. */
#define CS_PAYLOAD_TABLET "tablets-routing-v1"
/* Longer lists are not believed: nobody keeps so many copies. */
#define CS_TABLET_REPLICAS_MAX 32

/* One tablet. */
struct cs_told_tablet {
    /* The tokens behind first, up to last. */
    int64_t first;
    int64_t last;
    unsigned count; /* of replicas, at least one */
    struct {
        const uint8_t *host_id; /* 16 bytes, borrowed */
        uint16_t shard;         /* below CS_SHARDS_MAX */
    } replicas[CS_TABLET_REPLICAS_MAX];
};

/* A value of the payload; false: it is something else. */
bool cs_tablet_read(struct cs_view value, struct cs_told_tablet *out);

/* Writes such a value. */
void cs_tablet_put(struct cs_buf *buf, const struct cs_told_tablet *tablet);

#endif
