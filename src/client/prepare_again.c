/* prepare_again.c - a node that does not know a statement, or knows it in a new
 * shape: it is prepared there once more and its operations are sent again. */
#include "base/log.h"
#include "client/session_internal.h"

static bool waits_for(const struct cs_operation *op, uint32_t statement)
{
    return cs_prepared_of(op->statement)->index == statement;
}

/* One PREPARE per statement is under way while operations wait for it. */
bool cs_channel_prepare_again(struct cs_channel *channel,
                              struct cs_operation *op)
{
    uint32_t statement;
    bool asked = false;

    if (!op->statement || (op->session.flags & CS_OPERATION_REPREPARED))
        return false;
    statement = cs_prepared_of(op->statement)->index;
    for (struct cs_operation *at = channel->unprepared; at && !asked;
         at = at->session.next)
        asked = waits_for(at, statement);
    if (!asked && !cs_channel_prepare(channel, statement))
        return false;
    op->session.flags |= CS_OPERATION_REPREPARED;
    op->session.next = channel->unprepared;
    channel->unprepared = op;
    return true;
}

static struct cs_operation *take_waiting(struct cs_channel *channel,
                                         uint32_t statement)
{
    struct cs_operation **at = &channel->unprepared;

    while (*at) {
        struct cs_operation *op = *at;

        if (waits_for(op, statement)) {
            *at = op->session.next;
            return op;
        }
        at = &op->session.next;
    }
    return NULL;
}

void cs_channel_send_again(struct cs_channel *channel, struct cs_operation *op)
{
    op->session.connection = NULL;
    if (channel->streams.free_count)
        cs_channel_send(channel, op);
    else
        cs_session_dispatch(channel->pool->session, op);
}

/* The node has prepared the statement. Another id than the one that all
 * sessions send: bare table names, or the schema has changed. */
static bool same_id(const struct cs_session *session, uint32_t statement,
                    const struct cs_result *result)
{
    struct cs_view id = session->snapshot->statements[statement]->id;

    return id.size == result->id.size &&
           !memcmp(id.data, result->id.data, id.size);
}

/* Version 5: the metadata id may be a new one, too. */
void cs_session_take_metadata(struct cs_session *session,
                              struct cs_local_statement *local,
                              struct cs_view metadata_id, uint32_t column_count)
{
    struct cs_execute_template execute;
    struct cs_err err;

    if (cs_prepared_template(local->prepared, session->config->version,
                             metadata_id, &execute, &err)) {
        CS_DEBUG("new metadata id: %s", err.text);
        return;
    }
    local->execute = execute;
    local->result_count = column_count;
}

static void take_prepared(struct cs_session *session, uint32_t statement,
                          const struct cs_result *result)
{
    const struct cs_prepared *prepared =
        session->snapshot->statements[statement];
    struct cs_local_statement *local =
        cs_session_statement(session, &prepared->statement);

    if (local)
        cs_session_take_metadata(session, local, result->metadata_id,
                                 result->metadata.column_count);
}

static void finish_waiting(struct cs_channel *channel, uint32_t statement,
                           const struct cs_server_error *error, const char *why)
{
    struct cs_session *session = channel->pool->session;
    struct cs_operation *op;

    while ((op = take_waiting(channel, statement))) {
        if (error)
            cs_operation_fail_by_server(session, op, error);
        else if (why)
            cs_operation_fail(session, op, CS_RESULT_UNPREPARED, why);
        else
            cs_channel_send_again(channel, op);
    }
}

void cs_channel_answer_prepare(struct cs_channel *channel, uint32_t statement,
                               const struct cs_frame *frame,
                               struct cs_reader body)
{
    struct cs_session *session = channel->pool->session;
    struct cs_server_error error;
    struct cs_result result;
    struct cs_err err;
    uint8_t version = session->config->version;

    if (frame->header.opcode == CS_OP_ERROR) {
        if (cs_server_error_decode(body, version, &error, &err))
            cs_channel_break_off(channel, err.text);
        else
            finish_waiting(channel, statement, &error, NULL);
    } else if (frame->header.opcode != CS_OP_RESULT ||
               cs_result_decode(body, version, NULL, &result, &err) ||
               result.kind != CS_RESULT_KIND_PREPARED) {
        cs_channel_break_off(channel, "the answer to PREPARE is broken");
    } else if (!same_id(session, statement, &result)) {
        finish_waiting(channel, statement, NULL,
                       "the node gives the statement another id than before: "
                       "the schema was changed, or its table is named without "
                       "the keyspace");
    } else {
        take_prepared(session, statement, &result);
        finish_waiting(channel, statement, NULL, NULL);
    }
}
