/* batch.c - BATCH: every statement is known or all are refused; with stored
 * rows all take effect or none does. */
#include "responder/peer_internal.h"
#include "responder/stored_internal.h"

/* A pass over the statements of a batch. */
struct walk {
    struct cs_peer *peer;
    const struct cs_reply *reply;
    bool apply;                   /* else only look */
    int64_t timestamp_us;         /* known after the first pass */
    bool conditional;             /* one of them has an IF */
    bool holds;                   /* as far as all conditions are looked at */
    const struct cs_table *table; /* of the first */
    const uint8_t *id;            /* of the first that is prepared, or NULL */
    struct cs_view unknown;       /* id of one that is not prepared */
    struct cs_err err;
};

static enum cs_code act(struct walk *walk, const struct cs_script *script,
                        struct cs_reader *body)
{
    struct cs_responder *responder = walk->peer->responder;
    bool holds = true;
    enum cs_code rc = CS_OK;

    if (!cs_bounds_read(&responder->bounds, body, walk->reply->version, script,
                        false))
        return cs_fail(&walk->err, CS_EPROTOCOL, "the request is cut off");
    walk->conditional = walk->conditional || script->applied;
    if (!walk->table)
        walk->table = script->table;
    if (!responder->store || !script->plan)
        return CS_OK;
    if (walk->apply)
        rc = cs_stored_apply(responder, script, &responder->bounds,
                             walk->timestamp_us, &walk->err);
    else
        rc = cs_stored_holds(responder, script, &responder->bounds, &holds,
                             &walk->err);
    walk->holds = walk->holds && holds;
    return rc;
}

static enum cs_code act_on_text(struct walk *walk, struct cs_reader *body)
{
    struct cs_peer *peer = walk->peer;
    struct cs_view cql = cs_read_long_string(body);
    struct cs_arena arena;
    struct cs_script script;
    enum cs_code rc;

    cs_arena_init(&arena);
    rc = cs_statement_read(peer->responder, cs_peer_keyspace(peer), cql, &arena,
                           &script, &walk->err);
    if (!rc)
        rc = act(walk, &script, body);
    cs_arena_release(&arena);
    return rc;
}

static enum cs_code act_on_prepared(struct walk *walk, struct cs_reader *body)
{
    struct cs_view id = cs_read_string(body);
    const struct cs_prepared_script *prepared =
        cs_prepared_find(walk->peer->responder, id);

    if (prepared) {
        walk->id = walk->id ? walk->id : prepared->id;
        return act(walk, &prepared->script, body);
    }
    walk->unknown = id;
    return cs_fail(&walk->err, CS_EINVALID, "unknown statement");
}

static enum cs_code walk_all(struct walk *walk, struct cs_reader body)
{
    uint32_t count;
    uint32_t flags;
    enum cs_code rc = CS_OK;

    cs_read8(&body); /* logged, unlogged, counter */
    count = cs_read_count(&body, cs_read16(&body), 1);
    for (uint32_t i = 0; i < count && !rc; i++)
        rc = cs_read8(&body) ? act_on_prepared(walk, &body)
                             : act_on_text(walk, &body);
    if (!rc) {
        cs_read16(&body); /* consistency */
        flags = walk->reply->version >= 5 ? cs_read32(&body) : cs_read8(&body);
        walk->timestamp_us = cs_asked_timestamp(&body, flags);
    }
    if (!rc && body.fault)
        rc = cs_fail(&walk->err, CS_EPROTOCOL, "the request is cut off");
    return rc;
}

static void answer_refusal(struct walk *walk)
{
    struct cs_buf *answer = &walk->peer->responder->answer;
    uint8_t id[16] = {0};

    if (walk->unknown.data)
        memcpy(id, walk->unknown.data, CS_MIN(walk->unknown.size, sizeof(id)));
    cs_answer_error(answer, walk->reply,
                    walk->unknown.data               ? CS_SERVER_UNPREPARED
                    : walk->err.code == CS_EPROTOCOL ? CS_SERVER_PROTOCOL_ERROR
                                                     : CS_SERVER_INVALID,
                    walk->err.text, walk->unknown.data ? id : NULL);
    cs_peer_send(walk->peer, walk->reply);
}

void cs_peer_on_batch(struct cs_peer *peer, const struct cs_reply *reply,
                      struct cs_reader body)
{
    struct cs_responder *responder = peer->responder;
    struct walk walk = {.peer = peer, .reply = reply, .holds = true};
    enum cs_code rc = walk_all(&walk, body);

    if (!rc && responder->store && walk.holds) {
        walk.apply = true;
        rc = walk_all(&walk, body);
    }
    if (rc) {
        answer_refusal(&walk);
        return;
    }
    if (walk.conditional)
        cs_answer_applied(&responder->answer, reply, walk.table, walk.holds);
    else
        cs_answer_void(&responder->answer, reply);
    cs_mischief_send(peer, reply, walk.id);
}
