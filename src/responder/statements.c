/* statements.c - what the responder answers to QUERY, PREPARE and EXECUTE. */
#include "base/murmur3.h"
#include "protocol/request.h"
#include "responder/peer_internal.h"

#include <stdio.h>
#include <stdlib.h>

static void answer_script(struct cs_peer *peer, const struct cs_reply *reply,
                          const struct cs_script *script, bool metadata)
{
    struct cs_responder *responder = peer->responder;
    const struct cs_world world = {.catalog = &responder->catalog,
                                   .places = responder->places,
                                   .place_count = responder->place_count,
                                   .here = peer->place,
                                   .version = responder->options->version};

    if (script->kind == CS_SCRIPT_SYSTEM)
        cs_answer_system(&responder->answer, reply, script, &world);
    else if (script->kind == CS_SCRIPT_ROWS)
        cs_answer_rows(&responder->answer, reply, script, metadata);
    else
        cs_answer_void(&responder->answer, reply);
}

static void answer_failure(struct cs_peer *peer, const struct cs_reply *reply,
                           const struct cs_err *why)
{
    cs_answer_error(&peer->responder->answer, reply, CS_SERVER_INVALID,
                    why->text, NULL);
}

static const char *keyspace_of(const struct cs_peer *peer)
{
    return peer->keyspace[0] ? peer->keyspace : NULL;
}

static void answer_change(struct cs_peer *peer, const struct cs_reply *reply,
                          struct cs_view cql)
{
    struct cs_responder *responder = peer->responder;
    struct cs_schema_step change;
    struct cs_err err;

    if (cs_catalog_change(&responder->catalog, keyspace_of(peer), cql, &change,
                          &err))
        answer_failure(peer, reply, &err);
    else if (change.what)
        cs_answer_change(&responder->answer, reply, &change);
    else
        cs_answer_void(&responder->answer, reply);
}

static void answer_query(struct cs_peer *peer, const struct cs_reply *reply,
                         struct cs_view cql, const struct cs_script *script)
{
    if (script->kind == CS_SCRIPT_SCHEMA) {
        answer_change(peer, reply, cql);
    } else if (script->kind == CS_SCRIPT_USE) {
        snprintf(peer->keyspace, sizeof(peer->keyspace), "%s",
                 script->keyspace);
        cs_answer_keyspace(&peer->responder->answer, reply, peer->keyspace);
    } else {
        answer_script(peer, reply, script, true);
    }
}

void cs_peer_on_query(struct cs_peer *peer, const struct cs_reply *reply,
                      struct cs_reader body)
{
    struct cs_view cql = cs_read_long_string(&body);
    struct cs_arena arena;
    struct cs_script script;
    struct cs_err err;
    bool data = false;

    cs_arena_init(&arena);
    if (cs_script_read(&peer->responder->catalog, keyspace_of(peer), cql,
                       &arena, &script, &err)) {
        answer_failure(peer, reply, &err);
    } else {
        answer_query(peer, reply, cql, &script);
        data = script.data;
    }
    cs_arena_release(&arena);
    if (data)
        cs_mischief_send(peer, reply, NULL);
    else
        cs_peer_send(peer);
}

/* ---- prepared statements ---- */

static int64_t hash_of(const struct cs_peer *peer, struct cs_view cql)
{
    return cs_murmur3(cql.data, cql.size) ^
           cs_murmur3(peer->keyspace, strlen(peer->keyspace));
}

static struct cs_prepared_script *
prepare_new(struct cs_peer *peer, struct cs_view cql, struct cs_err *err)
{
    struct cs_responder *responder = peer->responder;
    struct cs_prepared_script *prepared = calloc(1, sizeof(*prepared));
    struct cs_prepared_script **more =
        realloc(responder->prepared,
                (responder->prepared_count + 1) * sizeof(prepared));

    if (more)
        responder->prepared = more;
    if (!prepared || !more) {
        free(prepared);
        cs_fail(err, CS_ENOMEM, "no memory for a statement");
        return NULL;
    }
    cs_arena_init(&prepared->arena);
    if (cs_script_read(&responder->catalog, keyspace_of(peer), cql,
                       &prepared->arena, &prepared->script, err)) {
        cs_arena_release(&prepared->arena);
        free(prepared);
        return NULL;
    }
    prepared->hash = hash_of(peer, cql);
    cs_store64(prepared->id, responder->prepared_count);
    cs_store64(prepared->id + 8, (uint64_t)prepared->hash);
    responder->prepared[responder->prepared_count++] = prepared;
    return prepared;
}

/* The table may have been made anew since: the same text is the same statement
 * only while its table is the same. */
static struct cs_prepared_script *find_prepared(const struct cs_peer *peer,
                                                struct cs_view cql)
{
    const struct cs_responder *responder = peer->responder;
    int64_t hash = hash_of(peer, cql);

    for (size_t i = responder->prepared_count; i-- > 0;) {
        struct cs_prepared_script *prepared = responder->prepared[i];
        const struct cs_table *table = prepared->script.table;

        if (prepared->hash == hash &&
            (!table || cs_catalog_table(&responder->catalog, table->keyspace,
                                        table->name) == table))
            return prepared;
    }
    return NULL;
}

void cs_peer_on_prepare(struct cs_peer *peer, const struct cs_reply *reply,
                        struct cs_reader body)
{
    struct cs_view cql = cs_read_long_string(&body);
    struct cs_prepared_script *prepared = find_prepared(peer, cql);
    struct cs_err err;

    peer->responder->counts.prepares++;
    if (!prepared)
        prepared = prepare_new(peer, cql, &err);
    if (prepared)
        cs_answer_prepared(&peer->responder->answer, reply, prepared->id,
                           &prepared->script);
    else
        answer_failure(peer, reply, &err);
    cs_peer_send(peer);
}

/* Whether the client wants to be told the columns again. */
static bool wants_metadata(const struct cs_peer *peer, struct cs_reader *body)
{
    uint32_t flags;

    if (peer->version >= 5)
        cs_read_string(body);
    cs_read16(body); /* consistency */
    flags = peer->version >= 5 ? cs_read32(body) : cs_read8(body);
    return !(flags & CS_QUERY_SKIP_METADATA);
}

void cs_peer_on_execute(struct cs_peer *peer, const struct cs_reply *reply,
                        struct cs_reader body)
{
    struct cs_responder *responder = peer->responder;
    struct cs_view id = cs_read_string(&body);
    uint64_t at = id.size == 16 ? cs_load64(id.data) : UINT64_MAX;
    const struct cs_prepared_script *prepared;

    if (at >= responder->prepared_count ||
        memcmp(responder->prepared[at]->id, id.data, 16) != 0) {
        uint8_t unknown[16] = {0};

        memcpy(unknown, id.data ? id.data : unknown, CS_MIN(id.size, 16ul));
        cs_answer_error(&responder->answer, reply, CS_SERVER_UNPREPARED,
                        "unknown statement", unknown);
        cs_peer_send(peer);
        return;
    }
    prepared = responder->prepared[at];
    answer_script(peer, reply, &prepared->script, wants_metadata(peer, &body));
    if (prepared->script.data)
        cs_mischief_send(peer, reply, prepared->id);
    else
        cs_peer_send(peer);
}
