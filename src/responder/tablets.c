/* tablets.c - the responder as ScyllaDB with tablets: every table is cut into
 * the same number of ranges, whose replicas are spread over nodes and shards.
 * Whoever comes to another place is told the right one with the answer. */
#include "protocol/tablets.h"
#include "base/murmur3.h"
#include "responder/peer_internal.h"

#include <stdlib.h>

#define PAYLOAD_MAX 4096

static enum cs_code cut(struct cs_tablet_map *map, unsigned count,
                        struct cs_err *err)
{
    unsigned *moves = calloc(count, sizeof(*moves));

    if (!moves)
        return cs_fail(err, CS_ENOMEM, "no memory for tablets");
    free(map->moves);
    map->moves = moves;
    map->count = count;
    return CS_OK;
}

enum cs_code cs_tablets_init(struct cs_responder *responder, struct cs_err *err)
{
    unsigned count = (unsigned)responder->options->tablets;

    cs_buf_init(&responder->tablets.payload, PAYLOAD_MAX);
    if (!count)
        return CS_OK;
    if (!responder->options->shards)
        return cs_fail(err, CS_EUSAGE, "tablets= needs shards=");
    return cut(&responder->tablets, count, err);
}

void cs_tablets_release(struct cs_responder *responder)
{
    free(responder->tablets.moves);
    cs_buf_release(&responder->tablets.payload);
}

/* ---- words of a script ---- */

enum cs_code cs_tablets_verify(struct cs_responder *responder, int64_t number,
                               const char *words, struct cs_err *err)
{
    (void)number;
    (void)words;
    if (!responder->tablets.count)
        return cs_fail(err, CS_EINVALID,
                       "there are no tablets without "
                       "tablets=");
    return CS_OK;
}

enum cs_code cs_tablets_recut(struct cs_responder *responder, int64_t count,
                              const char *words, struct cs_err *err)
{
    if (cs_tablets_verify(responder, count, words, err))
        return err->code;
    return cut(&responder->tablets, (unsigned)count, err);
}

enum cs_code cs_tablets_migrate(struct cs_responder *responder, int64_t tablet,
                                const char *words, struct cs_err *err)
{
    (void)words;
    if (tablet > responder->tablets.count)
        return cs_fail(err, CS_EINVALID,
                       "migrate: found tablet %lld, there are %u",
                       (long long)tablet, responder->tablets.count);
    responder->tablets.moves[tablet - 1]++;
    return CS_OK;
}

/* ---- ranges ---- */

/* Of equal size; the last one has what is left. */
static uint64_t step_of(const struct cs_tablet_map *map)
{
    return UINT64_MAX / map->count;
}

static unsigned tablet_of(const struct cs_tablet_map *map, int64_t token)
{
    uint64_t place = (uint64_t)token + (UINT64_C(1) << 63);
    uint64_t at = place ? (place - 1) / step_of(map) : 0;

    return (unsigned)CS_MIN(at, (uint64_t)map->count - 1);
}

static void set_range(const struct cs_tablet_map *map, unsigned tablet,
                      struct cs_told_tablet *out)
{
    uint64_t first = (UINT64_C(1) << 63) + step_of(map) * tablet;

    out->first = (int64_t)first;
    out->last =
        tablet + 1 == map->count ? INT64_MAX : (int64_t)(first + step_of(map));
}

/* ---- replicas ---- */

/* The places of a tablet's replicas and their shards. */
struct replicas {
    size_t places[CS_TABLET_REPLICAS_MAX];
    unsigned shards[CS_TABLET_REPLICAS_MAX];
    unsigned count;
};

/* How many copies a data centre has, or all of them together. */
static unsigned copies_in(const struct cs_known_space *space, const char *dc)
{
    for (size_t i = 0; space && i < space->replication_count; i++)
        if (!strcmp(space->replication[i].key, dc) ||
            !strcmp(space->replication[i].key, "replication_factor"))
            return (unsigned)strtoul(space->replication[i].value, NULL, 10);
    return space ? 0 : 1;
}

static bool is_simple(const struct cs_known_space *space)
{
    for (size_t i = 0; space && i < space->replication_count; i++)
        if (!strcmp(space->replication[i].key, "class"))
            return strstr(space->replication[i].value, "SimpleStrategy");
    return true;
}

static unsigned taken_in(const struct cs_responder *responder,
                         const struct replicas *replicas, const char *dc)
{
    unsigned count = 0;

    for (unsigned i = 0; i < replicas->count; i++)
        count += !strcmp(responder->places[replicas->places[i]].dc, dc);
    return count;
}

static void place(const struct cs_responder *responder,
                  const struct cs_table *table, unsigned tablet,
                  struct replicas *out)
{
    const struct cs_known_space *space =
        cs_catalog_space(&responder->catalog, table->keyspace);
    bool simple = is_simple(space);
    unsigned shards = (unsigned)responder->options->shards;
    /* Another place for each table. */
    uint64_t turn =
        (uint64_t)cs_murmur3(table->name, strlen(table->name)) % 97 + tablet +
        responder->tablets.moves[tablet];

    out->count = 0;
    for (size_t i = 0; i < responder->place_count; i++) {
        size_t at = (size_t)((turn + i) % responder->place_count);
        const char *dc = responder->places[at].dc;
        unsigned taken = simple ? out->count : taken_in(responder, out, dc);

        if (responder->places[at].away || taken >= copies_in(space, dc) ||
            out->count == CS_TABLET_REPLICAS_MAX)
            continue;
        out->places[out->count] = at;
        out->shards[out->count] =
            (unsigned)((turn / responder->place_count + i) % shards);
        out->count++;
    }
}

/* ---- requests ---- */

static void tell(struct cs_peer *peer, unsigned tablet,
                 const struct replicas *replicas)
{
    struct cs_responder *responder = peer->responder;
    struct cs_told_tablet told = {.count = replicas->count};
    uint8_t ids[CS_TABLET_REPLICAS_MAX][16];

    set_range(&responder->tablets, tablet, &told);
    for (unsigned i = 0; i < told.count; i++) {
        cs_place_host_id(replicas->places[i], ids[i]);
        told.replicas[i].host_id = ids[i];
        told.replicas[i].shard = (uint16_t)replicas->shards[i];
    }
    cs_tablet_put(&responder->tablets.payload, &told);
    responder->counts.tablets_told++;
}

bool cs_tablets_check(struct cs_peer *peer, const struct cs_table *table,
                      int64_t token)
{
    struct cs_responder *responder = peer->responder;
    unsigned tablet = tablet_of(&responder->tablets, token);
    struct replicas replicas;

    cs_buf_clear(&responder->tablets.payload);
    place(responder, table, tablet, &replicas);
    for (unsigned i = 0; i < replicas.count; i++)
        if (replicas.places[i] == peer->place &&
            replicas.shards[i] == peer->shard)
            return true;
    if ((peer->speaks & CS_SPEAKS_TABLETS) && peer->version >= 4)
        tell(peer, tablet, &replicas);
    return false;
}

/* Errors have none. */
struct cs_view cs_tablets_payload(struct cs_responder *responder)
{
    struct cs_buf *payload = &responder->tablets.payload;
    size_t size = payload->size;

    if (CS_LIKELY(!size))
        return cs_view_of(NULL, 0);
    cs_buf_clear(payload);
    if (responder->answer.size <= CS_FRAME_HEADER_SIZE ||
        responder->answer.data[4] != CS_OP_RESULT)
        return cs_view_of(NULL, 0);
    return cs_view_of(payload->data, size);
}
