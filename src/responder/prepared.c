/* prepared.c - prepared statements: the same text keeps its id, whatever
 * becomes of its table. */
#include "base/murmur3.h"
#include "responder/peer_internal.h"
#include "responder/plan_internal.h"

#include <stdlib.h>

/* So many are kept; then each new one takes the place of the oldest, whose next
 * execution is answered by UNPREPARED. */
#define PREPARED_MAX 1000

static int64_t hash_of(const char *keyspace, struct cs_view cql)
{
    return cs_murmur3(cql.data, cql.size) ^
           cs_murmur3(keyspace, strlen(keyspace));
}

/* The columns of the result as an id; all zero when there are none. */
static void put_shape(struct cs_prepared_script *prepared)
{
    const struct cs_script *script = &prepared->script;
    struct cs_buf text;

    memset(prepared->shape, 0, sizeof(prepared->shape));
    if (!script->column_count || script->applied)
        return;
    cs_buf_init(&text, (size_t)1 << 24);
    for (unsigned i = 0; i < script->column_count; i++) {
        cs_buf_printf(&text, "%s ", script->columns[i].name);
        cs_type_put(&text, script->columns[i].type);
    }
    cs_store64(prepared->shape, (uint64_t)cs_murmur3(text.data, text.size));
    cs_store64(prepared->shape + 8, text.size);
    cs_buf_release(&text);
}

enum cs_code cs_statement_read(struct cs_responder *responder,
                               const char *keyspace, struct cs_view cql,
                               struct cs_arena *arena, struct cs_script *out,
                               struct cs_err *err)
{
    enum cs_code rc =
        cs_script_read(&responder->catalog, keyspace, cql, arena, out, err);

    if (!rc && responder->store && out->table &&
        !cs_catalog_is_system(out->table))
        rc = cs_plan_read(cql, arena, out, err);
    return rc;
}

/* Reads the text anew; a stale one keeps its id. */
static enum cs_code read_script(struct cs_responder *responder,
                                const char *keyspace, struct cs_view cql,
                                struct cs_prepared_script *prepared,
                                struct cs_err *err)
{
    struct cs_arena arena;
    struct cs_script script;
    enum cs_code rc;

    cs_arena_init(&arena);
    rc = cs_statement_read(responder, *keyspace ? keyspace : NULL, cql, &arena,
                           &script, err);
    if (rc) {
        cs_arena_release(&arena);
        return rc;
    }
    cs_arena_release(&prepared->arena);
    prepared->arena = arena;
    prepared->script = script;
    prepared->stale = false;
    put_shape(prepared);
    return CS_OK;
}

/* Takes the place of the oldest. */
static struct cs_prepared_script *replace(struct cs_responder *responder,
                                          int64_t hash)
{
    size_t at = responder->prepared_turn++ % PREPARED_MAX;
    struct cs_prepared_script *prepared = responder->prepared[at];

    cs_arena_release(&prepared->arena);
    *prepared = (struct cs_prepared_script){.stale = true, .hash = hash};
    cs_arena_init(&prepared->arena);
    cs_store64(prepared->id, at);
    cs_store64(prepared->id + 8, (uint64_t)hash);
    return prepared;
}

static struct cs_prepared_script *add(struct cs_responder *responder,
                                      int64_t hash, struct cs_err *err)
{
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
    prepared->stale = true;
    prepared->hash = hash;
    cs_store64(prepared->id, responder->prepared_count);
    cs_store64(prepared->id + 8, (uint64_t)hash);
    responder->prepared[responder->prepared_count++] = prepared;
    return prepared;
}

struct cs_prepared_script *cs_prepared_make(struct cs_responder *responder,
                                            const char *keyspace,
                                            struct cs_view cql,
                                            struct cs_err *err)
{
    int64_t hash = hash_of(keyspace, cql);
    struct cs_prepared_script *prepared = NULL;

    for (size_t i = 0; i < responder->prepared_count && !prepared; i++)
        if (responder->prepared[i]->hash == hash)
            prepared = responder->prepared[i];
    if (!prepared)
        prepared = responder->prepared_count < PREPARED_MAX
                       ? add(responder, hash, err)
                       : replace(responder, hash);
    if (prepared && prepared->stale &&
        read_script(responder, keyspace, cql, prepared, err))
        return NULL;
    return prepared;
}

struct cs_prepared_script *
cs_prepared_find(const struct cs_responder *responder, struct cs_view id)
{
    uint64_t at = id.size == 16 ? cs_load64(id.data) : UINT64_MAX;
    struct cs_prepared_script *prepared;

    if (CS_UNLIKELY(at >= responder->prepared_count))
        return NULL;
    prepared = responder->prepared[at];
    if (CS_UNLIKELY(prepared->stale || memcmp(prepared->id, id.data, 16) != 0))
        return NULL;
    return prepared;
}

void cs_prepared_look_again(struct cs_responder *responder)
{
    for (size_t i = 0; i < responder->prepared_count; i++) {
        struct cs_prepared_script *prepared = responder->prepared[i];
        const struct cs_table *table = prepared->script.table;

        if (!prepared->stale && table &&
            cs_catalog_table(&responder->catalog, table->keyspace,
                             table->name) != table)
            prepared->stale = true;
    }
}

void cs_prepared_release(struct cs_responder *responder)
{
    for (size_t i = 0; i < responder->prepared_count; i++) {
        cs_arena_release(&responder->prepared[i]->arena);
        free(responder->prepared[i]);
    }
    free(responder->prepared);
}
