/* statements.c - what the responder answers to QUERY, PREPARE, EXECUTE and
 * BATCH. */
#include "protocol/request.h"
#include "responder/peer_internal.h"
#include "responder/stored_internal.h"

#include <stdio.h>

/* PREPARE of version 5: a keyspace follows its flags. */
#define PREPARE_KEYSPACE 0x01

const char *cs_peer_keyspace(const struct cs_peer *peer)
{
    return peer->keyspace[0] ? peer->keyspace : NULL;
}

static void answer_failure(struct cs_peer *peer, const struct cs_reply *reply,
                           const struct cs_err *why)
{
    struct cs_buf *answer = &peer->responder->answer;

    cs_buf_clear(answer);
    cs_answer_error(answer, reply, CS_SERVER_INVALID, why->text, NULL);
}

static void refuse_cut(struct cs_peer *peer, const struct cs_reply *reply)
{
    cs_answer_error(&peer->responder->answer, reply, CS_SERVER_PROTOCOL_ERROR,
                    "the request is cut off", NULL);
    cs_peer_send(peer, reply);
}

/* ---- rows that are made up ---- */

/* As many as options say, in pages as asked for: the state is how many have
 * been sent. */
static void answer_made_up(struct cs_peer *peer, const struct cs_reply *reply,
                           const struct cs_script *script,
                           const struct cs_asked *asked, struct cs_page *page)
{
    struct cs_responder *responder = peer->responder;
    uint32_t total = (uint32_t)CS_MAX(responder->options->rows, 1);
    uint32_t sent = 0;
    uint8_t state[4];

    if (asked->paging_state.size == sizeof(state))
        sent = CS_MIN(cs_load32(asked->paging_state.data), total);
    page->rows = script->applied || script->counts ? 1 : total - sent;
    if (asked->page_size > 0 && page->rows > (uint32_t)asked->page_size) {
        page->rows = (uint32_t)asked->page_size;
        cs_store32(state, sent + page->rows);
        page->state = cs_view_of(state, sizeof(state));
    }
    cs_answer_rows(&responder->answer, reply, script, page);
}

static void answer_system(struct cs_peer *peer, const struct cs_reply *reply,
                          const struct cs_script *script)
{
    struct cs_responder *responder = peer->responder;
    const struct cs_world world = {.catalog = &responder->catalog,
                                   .places = responder->places,
                                   .place_count = responder->place_count,
                                   .here = peer->place,
                                   .version = responder->options->version,
                                   .stored = responder->store != NULL,
                                   .tokens =
                                       CS_MAX(responder->options->tokens, 1),
                                   .schema_version = responder->schema_version};

    cs_answer_system(&responder->answer, reply, script, &world);
}

/* page: what the client knows of the columns. */
static void answer_script(struct cs_peer *peer, const struct cs_reply *reply,
                          const struct cs_script *script,
                          const struct cs_asked *asked, struct cs_page *page)
{
    struct cs_responder *responder = peer->responder;
    struct cs_err err = {0};

    if (script->kind == CS_SCRIPT_SYSTEM) {
        answer_system(peer, reply, script);
    } else if (responder->store && script->plan) {
        if (cs_stored_answer(responder, reply, script, asked, page, &err))
            answer_failure(peer, reply, &err);
    } else if (script->kind == CS_SCRIPT_ROWS) {
        answer_made_up(peer, reply, script, asked, page);
    } else {
        cs_answer_void(&responder->answer, reply);
    }
}

/* ---- QUERY ---- */

static void answer_change(struct cs_peer *peer, const struct cs_reply *reply,
                          struct cs_view cql, struct cs_schema_step *change)
{
    struct cs_responder *responder = peer->responder;
    struct cs_err err = {0};

    if (cs_catalog_change(&responder->catalog, cs_peer_keyspace(peer), cql,
                          change, &err))
        answer_failure(peer, reply, &err);
    else if (change->what)
        cs_answer_change(&responder->answer, reply, change);
    else if (change->exists)
        cs_answer_exists(&responder->answer, reply, change);
    else
        cs_answer_void(&responder->answer, reply);
}

static void answer_query(struct cs_peer *peer, const struct cs_reply *reply,
                         struct cs_view cql, const struct cs_script *script,
                         const struct cs_asked *asked,
                         struct cs_schema_step *change)
{
    struct cs_page page = {.metadata = true};

    if (script->kind == CS_SCRIPT_SCHEMA) {
        answer_change(peer, reply, cql, change);
    } else if (script->kind == CS_SCRIPT_USE) {
        snprintf(peer->keyspace, sizeof(peer->keyspace), "%s",
                 script->keyspace);
        cs_answer_keyspace(&peer->responder->answer, reply, peer->keyspace);
    } else {
        answer_script(peer, reply, script, asked, &page);
    }
}

void cs_peer_on_query(struct cs_peer *peer, const struct cs_reply *reply,
                      struct cs_reader body)
{
    struct cs_responder *responder = peer->responder;
    struct cs_view cql = cs_read_long_string(&body);
    struct cs_schema_step change = {.what = NULL};
    struct cs_asked asked;
    struct cs_arena arena;
    struct cs_script script;
    struct cs_err err = {0};
    bool data = false;

    cs_arena_init(&arena);
    if (cs_statement_read(responder, cs_peer_keyspace(peer), cql, &arena,
                          &script, &err)) {
        answer_failure(peer, reply, &err);
    } else if (!cs_asked_read(&body, peer->version, &script, &responder->bounds,
                              &asked)) {
        cs_arena_release(&arena);
        refuse_cut(peer, reply);
        return;
    } else {
        answer_query(peer, reply, cql, &script, &asked, &change);
        data = script.data;
    }
    cs_arena_release(&arena);
    if (data)
        cs_mischief_send(peer, reply, NULL);
    else
        cs_peer_send(peer, reply);
    cs_responder_changed(responder, &change);
}

/* ---- prepared statements ---- */

void cs_peer_on_prepare(struct cs_peer *peer, const struct cs_reply *reply,
                        struct cs_reader body)
{
    struct cs_responder *responder = peer->responder;
    struct cs_view cql = cs_read_long_string(&body);
    struct cs_prepared_script *prepared;
    char keyspace[sizeof(peer->keyspace)];
    struct cs_err err = {0};

    memcpy(keyspace, peer->keyspace, sizeof(keyspace));
    if (peer->version >= 5 && (cs_read32(&body) & PREPARE_KEYSPACE)) {
        struct cs_view name = cs_read_string(&body);

        snprintf(keyspace, sizeof(keyspace), "%.*s", CS_VIEW_ARGS(name));
    }
    responder->counts.prepares++;
    prepared = cs_prepared_make(responder, keyspace, cql, &err);
    if (prepared)
        cs_answer_prepared(&responder->answer, reply, prepared->id,
                           prepared->shape, &prepared->script);
    else
        answer_failure(peer, reply, &err);
    cs_peer_send(peer, reply);
}

static void answer_unprepared(struct cs_peer *peer,
                              const struct cs_reply *reply, struct cs_view id)
{
    struct cs_buf *answer = &peer->responder->answer;
    uint8_t unknown[16] = {0};

    if (id.data)
        memcpy(unknown, id.data, CS_MIN(id.size, sizeof(unknown)));
    cs_buf_clear(answer);
    cs_answer_error(answer, reply, CS_SERVER_UNPREPARED, "unknown statement",
                    unknown);
    cs_peer_send(peer, reply);
}

/* What the client knows of the columns: in version 5 by the id it sends. */
static struct cs_page page_for(const struct cs_peer *peer,
                               const struct cs_prepared_script *prepared,
                               struct cs_view shape, bool skip)
{
    const struct cs_script *script = &prepared->script;
    struct cs_page page = {.metadata = !skip || script->applied};

    if (peer->version < 5 || script->applied || !script->column_count)
        return page;
    if (shape.size == sizeof(prepared->shape) &&
        !memcmp(shape.data, prepared->shape, shape.size))
        return page;
    page.metadata = true;
    page.new_id = prepared->shape;
    return page;
}

/* False: it has been refused. */
static bool execute(struct cs_peer *peer, const struct cs_reply *reply,
                    const struct cs_prepared_script *prepared,
                    struct cs_reader *body)
{
    struct cs_responder *responder = peer->responder;
    struct cs_view shape = cs_view_of(NULL, 0);
    struct cs_asked asked;
    struct cs_page page;

    if (peer->version >= 5)
        shape = cs_read_string(body);
    if (!cs_asked_read(body, peer->version, &prepared->script,
                       &responder->bounds, &asked)) {
        refuse_cut(peer, reply);
        return false;
    }
    page = page_for(peer, prepared, shape, asked.skip_metadata);
    answer_script(peer, reply, &prepared->script, &asked, &page);
    return true;
}

void cs_peer_on_execute(struct cs_peer *peer, const struct cs_reply *reply,
                        struct cs_reader body)
{
    struct cs_responder *responder = peer->responder;
    struct cs_view id = cs_read_string(&body);
    struct cs_prepared_script *prepared = cs_prepared_find(responder, id);

    if (CS_UNLIKELY(!prepared)) {
        answer_unprepared(peer, reply, id);
        return;
    }
    if (CS_UNLIKELY(responder->options->shards) && prepared->script.data)
        cs_shards_count(peer, &prepared->script, body);
    if (prepared->script.kind == CS_SCRIPT_VOID && !responder->store)
        cs_answer_void(&responder->answer, reply);
    else if (!execute(peer, reply, prepared, &body))
        return;
    if (prepared->script.data)
        cs_mischief_send(peer, reply, prepared->id);
    else
        cs_peer_send(peer, reply);
}
