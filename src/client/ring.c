/* ring.c - replica lists as SimpleStrategy and NetworkTopologyStrategy place
 * them. */
#include "client/ring.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    int64_t token;
    uint16_t node;
};

struct cs_ring {
    size_t count;
    int64_t *tokens;  /* sorted */
    uint32_t *first;  /* count + 1: where the replicas of an entry begin */
    uint16_t *usable; /* how many of an entry's may be asked; they are first */
    uint16_t *replicas; /* all lists, one after the other */
    uint8_t *roles;     /* of each of these: enum cs_replica_role */
};

void cs_replication_set_class(struct cs_replication *replication,
                              const char *class_name)
{
    const char *dot = strrchr(class_name, '.');
    const char *name = dot ? dot + 1 : class_name;

    if (!strcmp(name, "SimpleStrategy"))
        replication->strategy = CS_STRATEGY_SIMPLE;
    else if (!strcmp(name, "NetworkTopologyStrategy"))
        replication->strategy = CS_STRATEGY_NETWORK;
    else
        replication->strategy = CS_STRATEGY_NONE;
}

void cs_replication_add(struct cs_replication *replication, const char *key,
                        const char *value)
{
    unsigned factor = (unsigned)strtoul(value, NULL, 10);
    size_t at = replication->dc_count;

    if (!strcmp(key, "class"))
        return;
    if (!strcmp(key, "replication_factor")) {
        replication->factor = factor;
        return;
    }
    if (at == CS_REPLICATION_DCS_MAX ||
        strlen(key) >= sizeof(replication->dcs[at].name))
        return;
    strcpy(replication->dcs[at].name, key);
    replication->dcs[at].factor = factor;
    replication->dc_count++;
}

/* ---- building ---- */

struct builder {
    const struct cs_ring_node *nodes;
    size_t node_count;
    const struct cs_replication *replication;
    struct entry *entries; /* sorted by token */
    size_t entry_count;
    bool *taken;      /* by node */
    unsigned *racks;  /* by node: number of its rack within its data centre */
    bool *rack_used;  /* by such a number */
    size_t *node_dcs; /* by node: index in replication->dcs, or the count */
    struct {
        size_t nodes;
        size_t racks;
    } dcs[CS_REPLICATION_DCS_MAX];
    struct cs_ring *ring;
    size_t used; /* replicas placed so far */
    size_t cap;
    uint8_t role; /* of the next one */
};

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a;
    const struct entry *y = b;

    if (x->token != y->token)
        return x->token < y->token ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static enum cs_code no_memory(struct cs_err *err)
{
    return cs_fail(err, CS_ENOMEM, "no memory for the token ring");
}

static enum cs_code collect_entries(struct builder *b, struct cs_err *err)
{
    size_t count = 0;

    for (size_t i = 0; i < b->node_count; i++)
        count += b->nodes[i].token_count;
    b->entries = malloc((count + 1) * sizeof(*b->entries));
    if (!b->entries)
        return no_memory(err);
    for (size_t i = 0; i < b->node_count; i++)
        for (size_t k = 0; k < b->nodes[i].token_count; k++)
            b->entries[b->entry_count++] = (struct entry){
                .token = b->nodes[i].tokens[k], .node = (uint16_t)i};
    qsort(b->entries, b->entry_count, sizeof(*b->entries), compare_entries);
    return CS_OK;
}

static bool same_dc(const struct cs_ring_node *a, const struct cs_ring_node *b)
{
    return !strcmp(a->datacenter, b->datacenter);
}

/* The number of a node's rack is the index of the first node in it. */
static enum cs_code number_racks(struct builder *b, struct cs_err *err)
{
    b->taken = calloc(b->node_count + 1, sizeof(*b->taken));
    b->racks = calloc(b->node_count + 1, sizeof(*b->racks));
    b->rack_used = calloc(b->node_count + 1, sizeof(*b->rack_used));
    if (!b->taken || !b->racks || !b->rack_used)
        return no_memory(err);
    for (size_t i = 0; i < b->node_count; i++) {
        size_t k = 0;

        while (k < i && !(same_dc(&b->nodes[k], &b->nodes[i]) &&
                          !strcmp(b->nodes[k].rack, b->nodes[i].rack)))
            k++;
        b->racks[i] = (unsigned)k;
    }
    return CS_OK;
}

static enum cs_code grow_lists(struct builder *b, struct cs_err *err)
{
    size_t cap = b->cap * 2;
    uint16_t *replicas =
        realloc(b->ring->replicas, cap * sizeof(*b->ring->replicas));
    uint8_t *roles;

    if (!replicas)
        return no_memory(err);
    b->ring->replicas = replicas;
    roles = realloc(b->ring->roles, cap);
    if (!roles)
        return no_memory(err);
    b->ring->roles = roles;
    b->cap = cap;
    return CS_OK;
}

static enum cs_code push_replica(struct builder *b, uint16_t node,
                                 struct cs_err *err)
{
    b->taken[node] = true;
    if (b->used == b->cap && grow_lists(b, err))
        return err->code;
    b->ring->roles[b->used] = b->role;
    b->ring->replicas[b->used++] = node;
    if (b->role < CS_ROLE_FURTHER)
        b->role++;
    return CS_OK;
}

static size_t find_dc(const struct cs_replication *replication,
                      const char *name)
{
    size_t at = 0;

    while (at < replication->dc_count &&
           strcmp(replication->dcs[at].name, name) != 0)
        at++;
    return at;
}

static enum cs_code number_dcs(struct builder *b, struct cs_err *err)
{
    b->node_dcs = calloc(b->node_count + 1, sizeof(*b->node_dcs));
    if (!b->node_dcs)
        return no_memory(err);
    for (size_t i = 0; i < b->node_count; i++) {
        size_t dc = find_dc(b->replication, b->nodes[i].datacenter);

        b->node_dcs[i] = dc;
        if (dc == b->replication->dc_count || !b->nodes[i].token_count)
            continue;
        b->dcs[dc].nodes++;
        b->dcs[dc].racks += b->racks[i] == i;
    }
    return CS_OK;
}

static enum cs_code place_simple(struct builder *b, size_t start,
                                 struct cs_err *err)
{
    size_t want = b->replication->factor;
    enum cs_code rc = CS_OK;

    b->role = CS_ROLE_FIRST;
    for (size_t i = 0; i < b->entry_count && want && !rc; i++) {
        uint16_t node = b->entries[(start + i) % b->entry_count].node;

        if (b->taken[node])
            continue;
        want--;
        rc = push_replica(b, node, err);
    }
    return rc;
}

/* As Cassandra does it: a node in a new rack is taken, one in a rack already
 * used only while repeats are left. */
static enum cs_code place_in_dc(struct builder *b, size_t start, size_t dc,
                                struct cs_err *err)
{
    size_t factor = b->replication->dcs[dc].factor;
    size_t want = CS_MIN(factor, b->dcs[dc].nodes);
    size_t racks = b->dcs[dc].racks;
    size_t repeats = factor > racks ? factor - racks : 0;
    enum cs_code rc = CS_OK;

    b->role = CS_ROLE_FIRST;
    for (size_t i = 0; i < b->entry_count && want && !rc; i++) {
        uint16_t node = b->entries[(start + i) % b->entry_count].node;
        bool repeated;

        if (b->taken[node] || b->node_dcs[node] != dc)
            continue;
        repeated = b->rack_used[b->racks[node]];
        if (repeated && !repeats)
            continue;
        repeats -= repeated;
        b->rack_used[b->racks[node]] = true;
        want--;
        rc = push_replica(b, node, err);
    }
    return rc;
}

static enum cs_code place(struct builder *b, size_t start, struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    memset(b->taken, 0, b->node_count * sizeof(*b->taken));
    memset(b->rack_used, 0, b->node_count * sizeof(*b->rack_used));
    if (b->replication->strategy == CS_STRATEGY_SIMPLE)
        return place_simple(b, start, err);
    for (size_t dc = 0; dc < b->replication->dc_count && !rc; dc++)
        rc = place_in_dc(b, start, dc, err);
    return rc;
}

/* Moves the usable ones of a list to its front, in ring order and with their
 * roles; returns how many there are. */
static uint16_t usable_first(const struct builder *b, size_t first,
                             size_t count)
{
    uint16_t *list = b->ring->replicas + first;
    uint8_t *roles = b->ring->roles + first;
    uint16_t usable = 0;

    for (size_t i = 0; i < count; i++) {
        uint16_t node = list[i];
        uint8_t role = roles[i];

        if (!b->nodes[node].usable)
            continue;
        memmove(list + usable + 1, list + usable, (i - usable) * sizeof(*list));
        memmove(roles + usable + 1, roles + usable, i - usable);
        roles[usable] = role;
        list[usable++] = node;
    }
    return usable;
}

static enum cs_code place_all(struct builder *b, struct cs_err *err)
{
    struct cs_ring *ring = b->ring;
    enum cs_code rc = CS_OK;

    ring->tokens = malloc(b->entry_count * sizeof(*ring->tokens));
    ring->first = calloc(b->entry_count + 1, sizeof(*ring->first));
    ring->usable = calloc(b->entry_count, sizeof(*ring->usable));
    ring->replicas = malloc(b->entry_count * sizeof(*ring->replicas));
    ring->roles = malloc(b->entry_count);
    if (!ring->tokens || !ring->first || !ring->usable || !ring->replicas ||
        !ring->roles)
        return no_memory(err);
    b->cap = b->entry_count;
    for (size_t i = 0; i < b->entry_count && !rc; i++) {
        ring->tokens[i] = b->entries[i].token;
        rc = place(b, i, err);
        ring->first[i + 1] = (uint32_t)b->used;
        ring->usable[i] =
            usable_first(b, ring->first[i], b->used - ring->first[i]);
    }
    ring->count = b->entry_count;
    return rc;
}

enum cs_code cs_ring_new(const struct cs_ring_node *nodes, size_t node_count,
                         const struct cs_replication *replication,
                         struct cs_ring **out, struct cs_err *err)
{
    struct builder b = {
        .nodes = nodes, .node_count = node_count, .replication = replication};
    enum cs_code rc;

    *out = NULL;
    if (replication->strategy == CS_STRATEGY_NONE || node_count > UINT16_MAX)
        return CS_OK;
    b.ring = calloc(1, sizeof(*b.ring));
    rc = b.ring ? collect_entries(&b, err) : no_memory(err);
    if (!rc)
        rc = number_racks(&b, err);
    if (!rc)
        rc = number_dcs(&b, err);
    if (!rc && b.entry_count)
        rc = place_all(&b, err);
    if (!rc && b.entry_count) {
        *out = b.ring;
        b.ring = NULL;
    }
    cs_ring_free(b.ring);
    free(b.entries);
    free(b.taken);
    free(b.racks);
    free(b.rack_used);
    free(b.node_dcs);
    return rc;
}

void cs_ring_free(struct cs_ring *ring)
{
    if (!ring)
        return;
    free(ring->tokens);
    free(ring->first);
    free(ring->usable);
    free(ring->replicas);
    free(ring->roles);
    free(ring);
}

/* ---- looking up ---- */

/* The first entry whose token is not less, by halving without branches; behind
 * the last one the ring closes. */
static size_t find_entry(const struct cs_ring *ring, int64_t token)
{
    const int64_t *base = ring->tokens;
    size_t left = ring->count;

    while (left > 1) {
        size_t half = left / 2;

        base += base[half - 1] < token ? half : 0;
        left -= half;
    }
    base += *base < token;
    return base == ring->tokens + ring->count ? 0
                                              : (size_t)(base - ring->tokens);
}

const uint16_t *cs_ring_replicas(const struct cs_ring *ring, int64_t token,
                                 unsigned *count)
{
    size_t at = find_entry(ring, token);

    *count = ring->usable[at];
    return ring->replicas + ring->first[at];
}

enum cs_replica_role cs_ring_role(const struct cs_ring *ring,
                                  const uint16_t *replica)
{
    return (enum cs_replica_role)ring->roles[replica - ring->replicas];
}

const uint16_t *cs_ring_all_replicas(const struct cs_ring *ring, int64_t token,
                                     unsigned *count)
{
    size_t at = find_entry(ring, token);

    *count = ring->first[at + 1] - ring->first[at];
    return ring->replicas + ring->first[at];
}
