/* topology.c - which nodes there are, read from the system tables of one of
 * them, and which of them may be asked. */
#include "base/log.h"
#include "client/cluster.h"
#include "client/rowset.h"
#include "protocol/error.h"

#include <stdio.h>
#include <stdlib.h>

#define LOCAL_CQL    "SELECT * FROM system.local WHERE key = 'local'"
#define PEERS_V2_CQL "SELECT * FROM system.peers_v2"
#define PEERS_CQL    "SELECT * FROM system.peers"

/* A row of system.local or system.peers; texts live in the reading's arena. */
struct found_node {
    struct cs_address address;
    struct cs_view host_id;
    const char *datacenter;
    const char *rack;
    struct cs_view tokens;
    bool local;
};

struct reading {
    struct cs_driver *driver;
    int64_t timeout_ns;
    struct cs_arena arena;
    struct cs_result result;
    struct cs_rowset rows;
};

static enum cs_code ask(struct reading *reading, const char *cql,
                        struct cs_err *err)
{
    enum cs_code rc = cs_control_query(&reading->driver->control, cql,
                                       CS_CL_LOCAL_ONE, reading->timeout_ns,
                                       &reading->arena, &reading->result, err);

    if (!rc)
        rc = cs_rowset_init(&reading->rows, &reading->result, err);
    return rc;
}

/* ---- one node ---- */

static bool address_cell(struct cs_view cell, int port, struct cs_address *out)
{
    static const uint8_t any[16];

    return cell.data &&
           cs_address_from_bytes(cell.data, cell.size, port, out) &&
           memcmp(cell.data, any, cell.size) != 0;
}

/* Null or unspecified addresses give the peer's own. */
static bool peer_address(const struct reading *reading, struct cs_address *out)
{
    const struct cs_rowset *rows = &reading->rows;
    int port = reading->driver->control.address.port;

    if (reading->driver->old_peers)
        return address_cell(cs_rowset_get(rows, "rpc_address"), port, out) ||
               address_cell(cs_rowset_get(rows, "peer"), port, out);
    if (cs_rowset_int(rows, "native_port") > 0)
        port = cs_rowset_int(rows, "native_port");
    return address_cell(cs_rowset_get(rows, "native_address"), port, out) ||
           address_cell(cs_rowset_get(rows, "peer"), port, out);
}

static void read_common(struct reading *reading, struct found_node *found)
{
    const struct cs_rowset *rows = &reading->rows;

    found->host_id = cs_rowset_get(rows, "host_id");
    found->datacenter = cs_rowset_text(rows, "data_center", &reading->arena);
    found->rack = cs_rowset_text(rows, "rack", &reading->arena);
    found->tokens = cs_rowset_get(rows, "tokens");
}

static struct cs_known_node *find_node(struct cs_driver *driver,
                                       const struct found_node *found)
{
    for (size_t i = 0; i < driver->node_count; i++)
        if (!memcmp(driver->nodes[i].host_id, found->host_id.data, 16))
            return &driver->nodes[i];
    return NULL;
}

static enum cs_code no_memory(struct cs_err *err)
{
    return cs_fail(err, CS_ENOMEM, "no memory for the topology");
}

static enum cs_code add_node(struct cs_driver *driver,
                             const struct found_node *found,
                             struct cs_known_node **out, struct cs_err *err)
{
    struct cs_known_node *node;

    if (driver->node_count == driver->node_cap) {
        size_t cap = driver->node_cap ? driver->node_cap * 2 : 8;
        struct cs_known_node *nodes =
            realloc(driver->nodes, cap * sizeof(*nodes));
        struct cs_node_info *infos;

        if (nodes)
            driver->nodes = nodes;
        infos = realloc(driver->infos, cap * sizeof(*infos));
        if (infos)
            driver->infos = infos;
        if (!nodes || !infos)
            return no_memory(err);
        driver->node_cap = cap;
    }
    node = &driver->nodes[driver->node_count];
    memset(node, 0, sizeof(*node));
    memset(&driver->infos[driver->node_count], 0, sizeof(struct cs_node_info));
    memcpy(node->host_id, found->host_id.data, 16);
    driver->node_count++;
    *out = node;
    return CS_OK;
}

static enum cs_code set_tokens(struct cs_known_node *node, struct cs_view cell,
                               struct cs_err *err)
{
    struct cs_reader r;
    uint32_t count = cs_collection_open(cell, 1, &r);
    int64_t *tokens = malloc((count + (size_t)1) * sizeof(*tokens));
    char text[32];

    if (!tokens)
        return no_memory(err);
    free(node->tokens);
    node->tokens = tokens;
    node->token_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct cs_view token = cs_read_blob(&r);

        if (!token.data || token.size >= sizeof(text))
            continue; /* of another partitioner */
        memcpy(text, token.data, token.size);
        text[token.size] = 0;
        tokens[node->token_count++] = strtoll(text, NULL, 10);
    }
    return CS_OK;
}

/* Keeps the old copy when nothing changed, so that refreshing for days does
 * not fill the arena. */
static const char *keep_text(struct cs_driver *driver, const char *old,
                             const char *text)
{
    if (old && !strcmp(old, text))
        return old;
    return cs_arena_text(&driver->arena, text);
}

static const char *contact_name(const struct cs_driver *driver,
                                const struct cs_address *address)
{
    for (size_t i = 0; i < driver->contact_count; i++)
        if (cs_address_equal(&driver->contacts[i].address, address))
            return driver->contacts[i].host_name;
    return NULL;
}

static enum cs_code merge_node(struct cs_driver *driver,
                               const struct found_node *found,
                               struct cs_err *err)
{
    struct cs_known_node *node = find_node(driver, found);
    struct cs_node_info *info;
    bool is_new = !node;
    enum cs_code rc = CS_OK;

    if (is_new)
        rc = add_node(driver, found, &node, err);
    if (rc)
        return rc;
    info = &driver->infos[node - driver->nodes];
    /* The address that a contact point was reached by stays good, whatever the
     * node says of itself to others. */
    if (is_new || (!found->local && !contact_name(driver, &node->address)))
        node->address = found->address;
    node->seen = true;
    snprintf(info->address, sizeof(info->address), "%s", node->address.text);
    info->port = node->address.port;
    info->host_name = contact_name(driver, &node->address);
    info->datacenter = keep_text(driver, info->datacenter, found->datacenter);
    info->rack = keep_text(driver, info->rack, found->rack);
    if (!info->datacenter || !info->rack)
        return no_memory(err);
    return set_tokens(node, found->tokens, err);
}

/* Half-removed and joining nodes have nulls: they are left out. */
static bool is_complete(const struct found_node *found)
{
    return found->host_id.size == 16 && found->datacenter && found->rack &&
           found->tokens.data;
}

/* ---- the tables ---- */

static enum cs_code set_cluster(struct reading *reading, struct cs_err *err)
{
    struct cs_driver *driver = reading->driver;
    struct cs_cluster_info *info = &driver->info;
    const char *partitioner =
        cs_rowset_text(&reading->rows, "partitioner", &reading->arena);

    if (!info->name) {
        info->name =
            cs_rowset_text(&reading->rows, "cluster_name", &driver->arena);
        info->release_version =
            cs_rowset_text(&reading->rows, "release_version", &driver->arena);
        driver->has_tokens =
            partitioner && strstr(partitioner, "Murmur3Partitioner");
        if (!driver->has_tokens)
            cs_cluster_notice(driver,
                              "requests are not routed by token: the "
                              "partitioner is %s",
                              partitioner ? partitioner : "unknown");
    }
    if (!info->name || !info->release_version)
        return cs_fail(err, CS_EPROTOCOL, "system.local has no cluster name");
    return CS_OK;
}

static enum cs_code read_local(struct reading *reading, struct cs_err *err)
{
    struct found_node found = {.local = true};
    enum cs_code rc = ask(reading, LOCAL_CQL, err);

    if (rc)
        return cs_while(err, "system.local");
    if (!cs_rowset_next(&reading->rows))
        return cs_fail(err, CS_EPROTOCOL, "system.local is empty");
    rc = set_cluster(reading, err);
    if (rc)
        return rc;
    read_common(reading, &found);
    found.address = reading->driver->control.address;
    if (!is_complete(&found))
        return cs_fail(err, CS_EPROTOCOL,
                       "system.local lacks host id, data centre or tokens");
    for (size_t i = 0; i < reading->driver->node_count; i++)
        reading->driver->nodes[i].seen = false;
    return merge_node(reading->driver, &found, err);
}

static enum cs_code ask_peers(struct reading *reading, struct cs_err *err)
{
    enum cs_code rc;

    if (!reading->driver->old_peers) {
        rc = ask(reading, PEERS_V2_CQL, err);
        if (rc != CS_ESERVER || err->server_code != CS_SERVER_INVALID)
            return rc;
        reading->driver->old_peers = true;
    }
    return ask(reading, PEERS_CQL, err);
}

static enum cs_code read_peers(struct reading *reading, struct cs_err *err)
{
    enum cs_code rc = ask_peers(reading, err);

    if (rc)
        return cs_while(err, "system.peers");
    while (!rc && cs_rowset_next(&reading->rows)) {
        struct found_node found = {.local = false};

        read_common(reading, &found);
        if (is_complete(&found) && peer_address(reading, &found.address))
            rc = merge_node(reading->driver, &found, err);
    }
    return rc;
}

/* Nodes that came and went; those of the first reading are no news. */
static void settle(struct cs_driver *driver, struct cs_known_node *node)
{
    if (node->seen && !node->present) {
        node->joined_ns = driver->news_ns;
        node->left_ns = 0;
    } else if (!node->seen && node->present) {
        node->left_ns = driver->news_ns;
    }
    if (node->seen != node->present && driver->news_ns)
        cs_cluster_notice(driver, "node %s:%d has %s the cluster",
                          node->address.text, node->address.port,
                          node->seen ? "joined" : "left");
    node->present = node->seen;
}

enum cs_code cs_topology_read(struct cs_driver *driver, int64_t timeout_ns,
                              struct cs_err *err)
{
    struct reading reading = {.driver = driver, .timeout_ns = timeout_ns};
    enum cs_code rc;

    cs_arena_init(&reading.arena);
    rc = read_local(&reading, err);
    if (!rc)
        rc = read_peers(&reading, err);
    cs_arena_release(&reading.arena);
    /* Half a reading takes no node away. */
    for (size_t i = 0; i < driver->node_count && !rc; i++)
        settle(driver, &driver->nodes[i]);
    driver->info.nodes = driver->infos;
    driver->info.node_count = driver->node_count;
    driver->stale = true;
    return rc;
}

static int compare_tokens(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;

    return x < y ? -1 : x > y;
}

enum cs_code cs_topology_tokens(struct cs_driver *driver, int64_t **out,
                                size_t *count, struct cs_err *err)
{
    size_t total = 0;
    int64_t *tokens;

    if (!driver->has_tokens)
        return cs_fail(err, CS_EUNSUPPORTED,
                       "the partitioner of this cluster is not "
                       "Murmur3Partitioner");
    for (size_t i = 0; i < driver->node_count; i++)
        total += driver->nodes[i].present ? driver->nodes[i].token_count : 0;
    tokens = malloc((total + 1) * sizeof(*tokens));
    if (!tokens)
        return no_memory(err);
    *count = 0;
    for (size_t i = 0; i < driver->node_count; i++) {
        const struct cs_known_node *node = &driver->nodes[i];

        for (size_t j = 0; node->present && j < node->token_count; j++)
            tokens[(*count)++] = node->tokens[j];
    }
    qsort(tokens, *count, sizeof(*tokens), compare_tokens);
    *out = tokens;
    return CS_OK;
}
