/* shards.h - what ScyllaDB adds to the protocol: each node cuts its tokens
 * into shards, one per processor, and tells each connection which one serves
 * it. */
#ifndef CS_PROTOCOL_SHARDS_H
#define CS_PROTOCOL_SHARDS_H

#include "protocol/handshake.h"

#define CS_SHARDS_MAX 4096

/* What STARTUP echoes to switch it on; the value is empty. */
#define CS_EXTENSION_RATE_LIMIT "SCYLLA_RATE_LIMIT_ERROR"
#define CS_EXTENSION_LWT_MARK   "SCYLLA_LWT_ADD_METADATA_MARK"

/* Of the connection that was asked. */
struct cs_sharding {
    unsigned count; /* shards of the node; 0: it has none, or cuts its tokens
                       in a way that we do not know */
    unsigned shard; /* of this connection */
    unsigned ignore_msb;
    int port; /* where the client's port chooses the shard; 0: nowhere */
    int tls_port;
    bool rate_limit; /* it has an ERROR of its own for the limit of a partition
                      */
    int32_t rate_limit_code; /* of such an ERROR */
    uint32_t lwt_mask; /* of the flags of bind markers: the bit of conditional
                          statements; 0: they are not marked */
    bool tablets;      /* it tells where the tablets of tables are */
};

void cs_sharding_read(const struct cs_supported *supported,
                      struct cs_sharding *out);

/* The shard of a token: its place on the ring, without the first ignore_msb
 * bits, as a part of count. */
CS_INLINE unsigned cs_shard_of(unsigned count, unsigned ignore_msb,
                               int64_t token)
{
    uint64_t place = ((uint64_t)token + (UINT64_C(1) << 63)) << ignore_msb;

    /* The upper 64 bits of place * count, by halves of place. */
    return (unsigned)(((place >> 32) * count +
                       (((place & UINT32_MAX) * count) >> 32)) >>
                      32);
}

#endif
