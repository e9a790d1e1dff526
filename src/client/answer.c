/* answer.c - from an answer to the outcome of its operation. */
#include "base/clock.h"
#include "base/log.h"
#include "client/routes.h"
#include "client/session_internal.h"
#include "protocol/tablets.h"

#include <stdio.h>
#include <stdlib.h>

void cs_channel_break_off(struct cs_channel *channel, const char *text)
{
    struct cs_err why;

    cs_fail(&why, CS_EPROTOCOL, "%s", text);
    cs_connection_fail(&channel->connection, &why);
}

static struct cs_outcome outcome_of(const struct cs_session *session,
                                    const struct cs_operation *op)
{
    const struct cs_channel *channel = op->session.connection;

    return (struct cs_outcome){
        .message = "",
        .applied = true,
        .rows = op->session.rows,
        .end_ns = session->now_ns,
        .node = channel && channel->pool ? channel->pool->node : 0,
        .sent = true,
    };
}

CS_INLINE void finish(struct cs_operation *op, const struct cs_outcome *outcome)
{
    op->session.connection = NULL;
    if (CS_UNLIKELY(op->session.paging_state.data != NULL))
        cs_buf_release(&op->session.paging_state);
    op->on_done(op, outcome);
}

void cs_operation_fail(struct cs_session *session, struct cs_operation *op,
                       enum cs_result_class result, const char *message)
{
    struct cs_outcome outcome = outcome_of(session, op);

    outcome.result = result;
    outcome.message = message;
    outcome.message_size = strlen(message);
    outcome.sent = op->session.connection != NULL;
    finish(op, &outcome);
}

/* ---- errors ---- */

static enum cs_result_class class_of(int32_t code)
{
    switch (code) {
    case CS_SERVER_UNAVAILABLE:
        return CS_RESULT_UNAVAILABLE;
    case CS_SERVER_OVERLOADED:
        return CS_RESULT_OVERLOADED;
    case CS_SERVER_IS_BOOTSTRAPPING:
        return CS_RESULT_BOOTSTRAPPING;
    case CS_SERVER_WRITE_TIMEOUT:
    case CS_SERVER_CAS_WRITE_UNKNOWN:
        return CS_RESULT_WRITE_TIMEOUT;
    case CS_SERVER_READ_TIMEOUT:
        return CS_RESULT_READ_TIMEOUT;
    case CS_SERVER_WRITE_FAILURE:
    case CS_SERVER_CDC_WRITE_FAILURE:
        return CS_RESULT_WRITE_FAILURE;
    case CS_SERVER_READ_FAILURE:
        return CS_RESULT_READ_FAILURE;
    case CS_SERVER_SYNTAX_ERROR:
        return CS_RESULT_SYNTAX;
    case CS_SERVER_AUTH_ERROR:
    case CS_SERVER_UNAUTHORIZED:
        return CS_RESULT_UNAUTHORIZED;
    case CS_SERVER_INVALID:
    case CS_SERVER_CONFIG_ERROR:
    case CS_SERVER_ALREADY_EXISTS:
        return CS_RESULT_INVALID;
    case CS_SERVER_UNPREPARED:
        return CS_RESULT_UNPREPARED;
    case CS_SERVER_PROTOCOL_ERROR:
        return CS_RESULT_PROTOCOL;
    case CS_SERVER_FUNCTION_FAILURE:
        return CS_RESULT_FUNCTION_FAILURE;
    default:
        return CS_RESULT_SERVER_ERROR;
    }
}

/* Its own fields, in words. */
static void tell_limit(struct cs_session *session,
                       const struct cs_server_error *error)
{
    size_t size = strlen(session->reason);
    struct cs_rate_limit limit;

    if (cs_rate_limit_read(error, &limit))
        snprintf(session->reason + size, sizeof(session->reason) - size,
                 " (a %s, refused by %s)", limit.write ? "write" : "read",
                 limit.by_coordinator ? "the coordinator" : "replicas");
}

void cs_operation_fail_by_server(struct cs_session *session,
                                 struct cs_operation *op,
                                 const struct cs_server_error *error)
{
    struct cs_outcome outcome = outcome_of(session, op);

    outcome.result = class_of(error->code);
    outcome.server_code = error->code;
    /* What a server says may hold anything, and goes to a terminal. */
    cs_escape(session->reason, sizeof(session->reason), error->message);
    if (error->code && error->code == session->config->rate_limit_code) {
        outcome.result = CS_RESULT_RATE_LIMIT;
        tell_limit(session, error);
    }
    outcome.message = session->reason;
    outcome.message_size = strlen(session->reason);
    finish(op, &outcome);
}

/* A message that breaks the protocol also ends the connection: what follows it
 * cannot be trusted. */
static void finish_broken(struct cs_channel *channel, struct cs_operation *op,
                          const struct cs_err *err)
{
    cs_operation_fail(channel->pool->session, op, CS_RESULT_PROTOCOL,
                      err->text);
    cs_channel_break_off(channel, err->text);
}

/* ---- rows ---- */

static bool same_page(const struct cs_operation *op, struct cs_view state)
{
    const struct cs_buf *old = &op->session.paging_state;

    return old->size == state.size &&
           !memcmp(old->data, state.data, state.size);
}

static void ask_next_page(struct cs_channel *channel, struct cs_operation *op,
                          struct cs_view state)
{
    struct cs_buf *buf = &op->session.paging_state;
    struct cs_err err;

    if (same_page(op, state)) {
        cs_fail(&err, CS_EPROTOCOL, "the same page came twice");
        finish_broken(channel, op, &err);
        return;
    }
    buf->max = CS_PAGING_STATE_MAX;
    cs_buf_clear(buf);
    cs_buf_put(buf, state.data, state.size);
    if (cs_buf_check(buf, "a paging state", &err))
        cs_operation_fail(channel->pool->session, op, CS_RESULT_PROTOCOL,
                          err.text);
    else
        cs_channel_send_again(channel, op);
}

/* Rows without metadata are of the shape known from preparing, or the table
 * was changed: in versions 3 and 4 of the protocol only the column count tells
 * then. */
static bool has_old_shape(struct cs_session *session,
                          const struct cs_operation *op,
                          const struct cs_metadata *metadata)
{
    struct cs_local_statement *local;

    if (!op->statement || !(metadata->flags & CS_METADATA_NONE))
        return true;
    local = cs_session_statement(session, op->statement);
    return !local || local->result_count == metadata->column_count;
}

static void note_new_shape(struct cs_session *session,
                           const struct cs_operation *op,
                           const struct cs_metadata *metadata)
{
    struct cs_local_statement *local;

    if (!op->statement || !metadata->new_id.data)
        return;
    local = cs_session_statement(session, op->statement);
    if (local)
        cs_session_take_metadata(session, local, metadata->new_id,
                                 metadata->column_count);
}

/* Only this page was asked for: where the next one begins is the caller's. */
static void keep_page(struct cs_operation *op, struct cs_view state)
{
    op->page->max = CS_PAGING_STATE_MAX;
    cs_buf_clear(op->page);
    if (state.data)
        cs_buf_put(op->page, state.data, state.size);
}

static void answer_rows(struct cs_channel *channel, struct cs_operation *op,
                        const struct cs_result *result)
{
    struct cs_session *session = channel->pool->session;
    struct cs_rows rows = {.row_count = result->row_count,
                           .column_count = result->metadata.column_count,
                           .cells = result->cells,
                           .node = channel->pool->node,
                           .more = result->metadata.paging_state.data != NULL};
    struct cs_outcome outcome;

    note_new_shape(session, op, &result->metadata);
    op->session.rows += result->row_count;
    if (op->on_rows)
        op->on_rows(op, &rows);
    if (op->page) {
        keep_page(op, result->metadata.paging_state);
    } else if (result->metadata.paging_state.data) {
        ask_next_page(channel, op, result->metadata.paging_state);
        return;
    }
    outcome = outcome_of(session, op);
    outcome.conditional = result->metadata.conditional;
    outcome.applied = cs_result_applied(result);
    finish(op, &outcome);
}

static void answer_result(struct cs_channel *channel, struct cs_operation *op,
                          struct cs_reader body)
{
    struct cs_session *session = channel->pool->session;
    struct cs_outcome outcome;
    struct cs_result result;
    struct cs_err err;
    enum cs_code rc =
        cs_result_decode(body, session->config->version, NULL, &result, &err);

    if (!rc && result.kind == CS_RESULT_KIND_ROWS)
        rc = cs_result_check_cells(&result, &err);
    if (rc) {
        finish_broken(channel, op, &err);
    } else if (result.kind != CS_RESULT_KIND_ROWS) {
        outcome = outcome_of(session, op);
        finish(op, &outcome);
    } else if (has_old_shape(session, op, &result.metadata)) {
        answer_rows(channel, op, &result);
    } else if (!cs_channel_prepare_again(channel, op)) {
        cs_operation_fail(session, op, CS_RESULT_PROTOCOL,
                          "rows of another shape than prepared");
    }
}

static void answer_error(struct cs_channel *channel, struct cs_operation *op,
                         struct cs_reader body)
{
    struct cs_session *session = channel->pool->session;
    struct cs_server_error error;
    struct cs_err err;

    if (cs_server_error_decode(body, session->config->version, &error, &err)) {
        finish_broken(channel, op, &err);
        return;
    }
    if (error.code == CS_SERVER_UNPREPARED &&
        cs_channel_prepare_again(channel, op))
        return;
    cs_operation_fail_by_server(session, op, &error);
    /* The server may leave it open, but in a useless state. */
    if (error.code == CS_SERVER_PROTOCOL_ERROR)
        cs_channel_break_off(channel,
                             "the server found a breach of the protocol");
}

/* ---- one envelope ---- */

static void take_warnings(struct cs_session *session,
                          const struct cs_prefix *prefix)
{
    struct cs_reader r = prefix->warnings;

    for (uint32_t i = 0; i < prefix->warning_count; i++)
        cs_warnings_add(&session->warnings, cs_read_string(&r));
}

/* What stands in front of the message. */
static CS_NOINLINE void take_extras(struct cs_session *session,
                                    const struct cs_slot *slot,
                                    const struct cs_frame *frame,
                                    const struct cs_prefix *prefix)
{
    struct cs_view tablet;

    take_warnings(session, prefix);
    if (!prefix->payload_count || slot->kind != CS_SLOT_OPERATION)
        return;
    tablet = cs_frame_payload(frame, CS_PAYLOAD_TABLET);
    if (tablet.data)
        cs_routes_learn(session, slot->op, tablet);
}

static void answer_operation(struct cs_channel *channel,
                             struct cs_operation *op,
                             const struct cs_frame *frame,
                             struct cs_reader body)
{
    struct cs_err err;

    if (frame->header.opcode == CS_OP_RESULT) {
        answer_result(channel, op, body);
    } else if (frame->header.opcode == CS_OP_ERROR) {
        answer_error(channel, op, body);
    } else {
        cs_fail(&err, CS_EPROTOCOL, "%s is no answer to a request",
                cs_opcode_name(frame->header.opcode));
        finish_broken(channel, op, &err);
    }
}

static void answer_slowly(struct cs_channel *channel,
                          const struct cs_slot *slot,
                          const struct cs_frame *frame)
{
    struct cs_prefix prefix;
    struct cs_reader body;
    struct cs_err err;

    if (cs_frame_open(frame, &prefix, &body, &err)) {
        if (slot->kind == CS_SLOT_OPERATION)
            finish_broken(channel, slot->op, &err);
        else
            cs_channel_break_off(channel, err.text);
        return;
    }
    if (CS_UNLIKELY(frame->header.flags & ~(unsigned)CS_FRAME_COMPRESSED))
        take_extras(channel->pool->session, slot, frame, &prefix);
    if (slot->kind == CS_SLOT_OPERATION) {
        answer_operation(channel, slot->op, frame, body);
    } else if (slot->kind == CS_SLOT_PREPARE) {
        cs_channel_answer_prepare(channel, slot->statement, frame, body);
        if (channel->connection.state == CS_CONNECTION_READY)
            cs_channel_prepared(channel);
    } else if (slot->kind == CS_SLOT_ORPHAN) {
        channel->orphans--;
        channel->pool->session->counts.late_answers++;
    }
}

/* The slot of an answer, whose time is noted. */
CS_INLINE struct cs_slot *answered_slot(struct cs_channel *channel,
                                        uint32_t stream)
{
    struct cs_session *session = channel->pool->session;

    session->now_ns = session->answered ? cs_pass_clock_now(&session->clock)
                                        : cs_pass_clock_start(&session->clock);
    session->answered = true;
    return &channel->slots[stream];
}

static struct cs_channel *of_connection(struct cs_connection *connection)
{
    return CS_CONTAINER(connection, struct cs_channel, connection);
}

/* A void answer that was compressed. */
static bool is_plain_void(const struct cs_frame *frame)
{
    return frame->header.opcode == CS_OP_RESULT &&
           !(frame->header.flags & ~(unsigned)CS_FRAME_COMPRESSED) &&
           frame->body.size >= 4 &&
           cs_load32(frame->body.data) == CS_RESULT_KIND_VOID;
}

CS_INLINE bool is_operation(const struct cs_channel *channel, uint32_t stream)
{
    return stream < channel->streams.limit &&
           channel->slots[stream].kind == CS_SLOT_OPERATION;
}

void cs_channel_answer(struct cs_connection *connection,
                       const struct cs_frame *frame)
{
    struct cs_channel *channel = of_connection(connection);
    uint16_t stream = (uint16_t)frame->header.stream;
    struct cs_slot *at;
    struct cs_slot slot;

    if (is_plain_void(frame) && is_operation(channel, stream)) {
        cs_channel_done(connection, stream);
        return;
    }
    if (frame->header.stream == CS_STREAM_EVENT)
        return;
    if (stream >= channel->streams.limit ||
        channel->slots[stream].kind == CS_SLOT_FREE) {
        cs_channel_break_off(channel, "an answer to no request");
        return;
    }
    at = answered_slot(channel, stream);
    slot = *at;
    at->kind = CS_SLOT_FREE;
    cs_streams_give(&channel->streams, stream);
    if (slot.kind == CS_SLOT_OPERATION)
        channel->pool->answered = channel;
    answer_slowly(channel, &slot, frame);
}

/* A void answer to something that is no operation, or to nothing. */
static CS_NOINLINE void done_unusual(struct cs_channel *channel,
                                     uint16_t stream)
{
    static const uint8_t body[] = {0, 0, 0, CS_RESULT_KIND_VOID};
    const struct cs_frame frame = {
        .header = {.version = channel->connection.config->version,
                   .opcode = CS_OP_RESULT,
                   .stream = (int16_t)stream,
                   .length = sizeof(body)},
        .body = {.data = body, .size = sizeof(body)}};

    cs_channel_answer(&channel->connection, &frame);
}

void cs_channel_done(struct cs_connection *connection, uint16_t stream)
{
    struct cs_channel *channel = of_connection(connection);
    struct cs_session *session = channel->pool->session;
    struct cs_slot *slot;

    if (CS_UNLIKELY(!is_operation(channel, stream))) {
        done_unusual(channel, stream);
        return;
    }
    slot = answered_slot(channel, stream);
    session->done.rows = slot->op->session.rows;
    session->done.end_ns = session->now_ns;
    session->done.node = channel->pool->node;
    slot->kind = CS_SLOT_FREE;
    cs_streams_give(&channel->streams, stream);
    channel->pool->answered = channel;
    finish(slot->op, &session->done);
}
