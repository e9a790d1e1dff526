/* snapshot.c - building, sharing and freeing what sessions read. */
#include "client/snapshot.h"

#include "client/cluster.h"

#include <stdlib.h>

void cs_shared_init(struct cs_shared *shared)
{
    pthread_mutex_init(&shared->mutex, NULL);
    shared->current = NULL;
    atomic_init(&shared->version, 0);
}

void cs_shared_release(struct cs_shared *shared)
{
    cs_snapshot_free(shared->current);
    pthread_mutex_destroy(&shared->mutex);
}

/* Under the mutex. */
static void drop_user(struct cs_shared *shared, struct cs_snapshot *snapshot)
{
    if (!snapshot)
        return;
    snapshot->users--;
    if (!snapshot->users && snapshot != shared->current)
        cs_snapshot_free(snapshot);
}

uint64_t cs_shared_adopt(struct cs_shared *shared, struct cs_snapshot **held)
{
    uint64_t version;

    pthread_mutex_lock(&shared->mutex);
    shared->current->users++;
    drop_user(shared, *held);
    *held = shared->current;
    version = atomic_load_explicit(&shared->version, memory_order_relaxed);
    pthread_mutex_unlock(&shared->mutex);
    return version;
}

void cs_shared_leave(struct cs_shared *shared, struct cs_snapshot **held)
{
    pthread_mutex_lock(&shared->mutex);
    drop_user(shared, *held);
    *held = NULL;
    pthread_mutex_unlock(&shared->mutex);
}

void cs_shared_take(struct cs_shared *shared, struct cs_snapshot *snapshot)
{
    struct cs_snapshot *old;

    pthread_mutex_lock(&shared->mutex);
    old = shared->current;
    shared->current = snapshot;
    if (old && !old->users)
        cs_snapshot_free(old);
    atomic_fetch_add_explicit(&shared->version, 1, memory_order_release);
    pthread_mutex_unlock(&shared->mutex);
}

void cs_snapshot_free(struct cs_snapshot *snapshot)
{
    if (!snapshot)
        return;
    for (unsigned i = 0; i < snapshot->ring_count; i++)
        cs_ring_free(snapshot->rings[i]);
    free(snapshot->rings);
    free(snapshot->keyspaces);
    free(snapshot->nodes);
    free(snapshot->tables);
    free(snapshot->statements);
    free(snapshot);
}

/* ---- building ---- */

static enum cs_code make_rings(const struct cs_driver *driver,
                               struct cs_snapshot *snapshot, struct cs_err *err)
{
    struct cs_ring_node *nodes = calloc(driver->node_count + 1, sizeof(*nodes));
    enum cs_code rc = CS_OK;

    if (!nodes)
        return cs_fail(err, CS_ENOMEM, "no memory for the topology");
    for (size_t i = 0; i < driver->node_count; i++) {
        const struct cs_known_node *node = &driver->nodes[i];

        nodes[i] = (struct cs_ring_node){
            .datacenter = driver->infos[i].datacenter,
            .rack = driver->infos[i].rack,
            .tokens = node->tokens,
            .token_count = node->present ? node->token_count : 0,
            /* Replicas in other data centres are no better there than
             * other nodes. */
            .usable = node->present && driver->infos[i].allowed &&
                      node->rank < CS_RANK_REMOTE,
        };
    }
    for (unsigned i = 0; i < driver->keyspace_count && !rc; i++) {
        /* The simple mode knows nothing of replicas. */
        if (driver->has_tokens && !driver->settings->mode.simple_native)
            rc = cs_ring_new(nodes, driver->node_count,
                             &driver->keyspaces[i]->replication,
                             &snapshot->rings[i], err);
        snapshot->keyspaces[i] = driver->keyspaces[i]->name;
        snapshot->ring_count++;
    }
    free(nodes);
    return rc;
}

static enum cs_code allocate(const struct cs_driver *driver,
                             struct cs_snapshot **out, struct cs_err *err)
{
    struct cs_snapshot *snapshot = calloc(1, sizeof(*snapshot));

    *out = snapshot;
    if (snapshot) {
        snapshot->nodes =
            calloc(driver->node_count + 1, sizeof(*snapshot->nodes));
        snapshot->rings = calloc((size_t)driver->keyspace_count + 1,
                                 sizeof(struct cs_ring *));
        snapshot->keyspaces =
            calloc((size_t)driver->keyspace_count + 1, sizeof(char *));
        snapshot->tables =
            calloc((size_t)driver->table_count + 1, sizeof(*snapshot->tables));
        snapshot->statements = calloc((size_t)driver->statement_count + 1,
                                      sizeof(struct cs_prepared *));
    }
    if (!snapshot || !snapshot->nodes || !snapshot->rings ||
        !snapshot->keyspaces || !snapshot->tables || !snapshot->statements)
        return cs_fail(err, CS_ENOMEM, "no memory for the topology");
    return CS_OK;
}

static uint16_t number_of_dc(const struct cs_driver *driver, size_t node)
{
    const char *name = driver->infos[node].datacenter;
    size_t at = 0;

    while (at < node && strcmp(driver->infos[at].datacenter, name) != 0)
        at++;
    return (uint16_t)at;
}

static void copy_nodes(const struct cs_driver *driver,
                       struct cs_snapshot *snapshot)
{
    for (size_t i = 0; i < driver->node_count; i++) {
        const struct cs_known_node *node = &driver->nodes[i];
        struct cs_snapshot_node *to = &snapshot->nodes[i];

        to->address = node->address;
        memcpy(to->host_id, node->host_id, sizeof(to->host_id));
        to->present = node->present;
        to->datacenter = number_of_dc(driver, i);
        to->wanted = node->present && driver->infos[i].allowed;
        to->rank = node->rank;
        if (to->wanted)
            snapshot->farthest = CS_MAX(snapshot->farthest, to->rank);
    }
    snapshot->node_count = (unsigned)driver->node_count;
}

enum cs_code cs_cluster_publish(struct cs_driver *driver, struct cs_err *err)
{
    struct cs_snapshot *snapshot;
    enum cs_code rc = allocate(driver, &snapshot, err);

    if (!rc)
        rc = make_rings(driver, snapshot, err);
    if (rc) {
        cs_snapshot_free(snapshot);
        return rc;
    }
    copy_nodes(driver, snapshot);
    for (unsigned i = 0; i < driver->table_count; i++)
        snapshot->tables[i] =
            (struct cs_snapshot_table){.keyspace = driver->tables[i].keyspace,
                                       .age = driver->tables[i].age};
    snapshot->table_count = driver->table_count;
    for (unsigned i = 0; i < driver->statement_count; i++)
        snapshot->statements[i] = driver->statements[i];
    snapshot->statement_count = driver->statement_count;
    cs_shared_take(&driver->shared, snapshot);
    driver->stale = driver->tables_aged = false;
    return CS_OK;
}
