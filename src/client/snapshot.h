/* snapshot.h - what sessions need to know of the cluster, never changed once
 * published: nodes, replica lists, statements. A new one replaces the old by a
 * swap of pointers; the old one is freed when the last session has left it. */
#ifndef CS_CLIENT_SNAPSHOT_H
#define CS_CLIENT_SNAPSHOT_H

#include "client/prepared.h"
#include "client/ring.h"
#include "net/socket.h"

#include <pthread.h>
#include <stdatomic.h>

struct cs_snapshot_node {
    struct cs_address address;
    uint8_t host_id[16];
    bool present;        /* a member of the cluster */
    uint16_t datacenter; /* index of the first node in it */
    bool wanted;         /* to be connected to and asked */
    uint8_t rank;        /* enum cs_node_rank: the nearer are asked first */
};

/* What is learned of a table, where there are tablets, counts for its age. */
struct cs_snapshot_table {
    unsigned keyspace;
    uint32_t age;
};

struct cs_snapshot {
    unsigned users; /* under the mutex */
    struct cs_snapshot_node *nodes;
    unsigned node_count;
    uint8_t farthest;       /* highest rank of the wanted nodes */
    struct cs_ring **rings; /* by keyspace; NULL: not routed by token */
    const char **keyspaces; /* their names, which live as long as the driver */
    unsigned ring_count;
    struct cs_snapshot_table *tables; /* by cs_prepared.table */
    unsigned table_count;
    const struct cs_prepared **statements;
    unsigned statement_count;
};

/* The part of a driver that its sessions share. */
struct cs_shared {
    pthread_mutex_t mutex;
    struct cs_snapshot *current; /* under the mutex */
    _Atomic uint64_t version;    /* counts up with each current one */
};

void cs_shared_init(struct cs_shared *shared);
void cs_shared_release(struct cs_shared *shared);

/* Exchanges *held (may be NULL) for the current one; returns its version. */
uint64_t cs_shared_adopt(struct cs_shared *shared, struct cs_snapshot **held);

/* Gives *held back. */
void cs_shared_leave(struct cs_shared *shared, struct cs_snapshot **held);

/* Takes the snapshot as the current one. */
void cs_shared_take(struct cs_shared *shared, struct cs_snapshot *snapshot);

void cs_snapshot_free(struct cs_snapshot *snapshot);

#endif
