/* control.c - one request at a time over the same state machine that sessions
 * use. */
#include "client/control.h"

#include "base/clock.h"
#include "base/log.h"
#include "client/interrupt.h"
#include "protocol/error.h"

#include <stdio.h>

#define REPLY_MAX ((size_t)CS_FRAME_BODY_LIMIT)

static void on_ready(struct cs_connection *connection);
static void on_answer(struct cs_connection *connection,
                      const struct cs_frame *frame);
static void on_lost(struct cs_connection *connection, const struct cs_err *why);

static const struct cs_connection_ops control_ops = {
    .ready = on_ready, .answer = on_answer, .lost = on_lost};

static struct cs_control *of_connection(struct cs_connection *connection)
{
    return CS_CONTAINER(connection, struct cs_control, connection);
}

void cs_control_init(struct cs_control *control, struct cs_loop *loop)
{
    *control = (struct cs_control){.group.loop = loop, .interrupt_fd = -1};
    cs_buf_init(&control->reply, REPLY_MAX);
}

void cs_control_close(struct cs_control *control)
{
    if (control->connection.link.group)
        cs_connection_release(&control->connection);
    control->open = false;
}

void cs_control_release(struct cs_control *control)
{
    cs_control_close(control);
    cs_buf_release(&control->reply);
}

const char *cs_control_name(const struct cs_control *control, char *buf,
                            size_t size)
{
    snprintf(buf, size, "%s:%d", control->address.text, control->address.port);
    return buf;
}

/* ---- callbacks ---- */

static void on_ready(struct cs_connection *connection)
{
    of_connection(connection)->open = true;
}

static void on_lost(struct cs_connection *connection, const struct cs_err *why)
{
    struct cs_control *control = of_connection(connection);

    control->open = false;
    control->why = *why;
}

static void on_event(struct cs_control *control, struct cs_reader body)
{
    struct cs_event event;
    struct cs_err err;

    if (cs_event_decode(body, &event, &err)) {
        cs_connection_fail(&control->connection, &err);
        return;
    }
    if (event.kind == CS_EVENT_TOPOLOGY || event.kind == CS_EVENT_STATUS)
        control->topology_changed = true;
    if (event.kind == CS_EVENT_SCHEMA && control->on_schema)
        control->on_schema(control->ctx, &event.schema);
}

static void on_answer(struct cs_connection *connection,
                      const struct cs_frame *frame)
{
    struct cs_control *control = of_connection(connection);
    struct cs_prefix prefix;
    struct cs_reader body;
    struct cs_err err;

    if (cs_frame_open(frame, &prefix, &body, &err)) {
        cs_connection_fail(connection, &err);
        return;
    }
    if (frame->header.stream == CS_STREAM_EVENT) {
        on_event(control, body);
        return;
    }
    cs_buf_clear(&control->reply);
    cs_buf_put(&control->reply, body.p, cs_reader_left(&body));
    control->reply_opcode = frame->header.opcode;
    control->answered = true;
}

/* ---- waiting ---- */

static enum cs_code lost_err(const struct cs_control *control,
                             struct cs_err *err)
{
    *err = control->why;
    if (!err->code)
        return cs_fail(err, CS_ECONNECT, "the connection is closed");
    return err->code;
}

/* Runs the loop until *done, until the connection is lost or a signal came. */
static enum cs_code pass_until(struct cs_control *control, const bool *done,
                               const struct cs_interrupt *interrupt,
                               int64_t timeout_ns, struct cs_err *err)
{
    int64_t deadline_ns = cs_now_ns() + timeout_ns;
    enum cs_code rc = CS_OK;

    while (!rc && !*done) {
        cs_link_flush_all(&control->group);
        if (control->connection.state == CS_CONNECTION_CLOSED)
            return lost_err(control, err);
        if (cs_now_ns() >= deadline_ns)
            return cs_fail(err, CS_ETIMEOUT, "no answer within %.1f s",
                           (double)timeout_ns / 1e9);
        rc = cs_loop_wait(control->group.loop, deadline_ns, err);
        if (!rc && !*done)
            rc = cs_interrupt_check(interrupt, err);
    }
    return rc;
}

static enum cs_code wait_for(struct cs_control *control, const bool *done,
                             int64_t timeout_ns, struct cs_err *err)
{
    struct cs_interrupt interrupt;
    enum cs_code rc = cs_interrupt_begin(&interrupt, control->group.loop,
                                         control->interrupt_fd, err);

    control->why = (struct cs_err){.code = CS_OK};
    if (!rc)
        rc = pass_until(control, done, &interrupt, timeout_ns, err);
    cs_interrupt_end(&interrupt);
    return rc;
}

enum cs_code cs_control_open(struct cs_control *control,
                             const struct cs_connection_config *config,
                             const struct cs_address *address,
                             int64_t timeout_ns, struct cs_err *err)
{
    enum cs_code rc;

    cs_control_close(control);
    control->address = *address;
    control->why = (struct cs_err){.code = CS_OK};
    cs_connection_init(&control->connection, &control->group, config,
                       &control_ops);
    rc = cs_connection_start(&control->connection, address, err);
    if (!rc)
        rc = wait_for(control, &control->open, timeout_ns, err);
    if (rc) {
        cs_connection_close(&control->connection);
        control->open = false;
    }
    return rc;
}

void cs_control_look(struct cs_control *control)
{
    struct cs_err err;

    if (cs_loop_wait(control->group.loop, 0, &err))
        CS_DEBUG("control connection: %s", err.text);
    cs_link_flush_all(&control->group);
}

/* ---- asking ---- */

/* A late answer to a request given up would be taken for the next one's, so a
 * control connection that was too slow is closed. */
static enum cs_code ask(struct cs_control *control, int64_t timeout_ns,
                        struct cs_err *err)
{
    enum cs_code rc = cs_connection_end(&control->connection, err);

    control->answered = false;
    if (!rc)
        rc = wait_for(control, &control->answered, timeout_ns, err);
    if (!rc && control->reply_opcode == CS_OP_ERROR) {
        struct cs_reader body =
            cs_reader_of(control->reply.data, control->reply.size);
        struct cs_server_error error;

        rc = cs_server_error_decode(body, control->connection.config->version,
                                    &error, err);
        return rc ? rc : cs_server_error_fail(&error, err);
    }
    if (rc) {
        control->why = *err;
        cs_connection_close(&control->connection);
        control->open = false;
    }
    return rc;
}

static enum cs_code check_open(const struct cs_control *control,
                               struct cs_err *err)
{
    return control->open ? CS_OK : lost_err(control, err);
}

static enum cs_code ask_for_result(struct cs_control *control,
                                   int64_t timeout_ns, struct cs_arena *arena,
                                   struct cs_result *out, struct cs_err *err)
{
    enum cs_code rc = ask(control, timeout_ns, err);

    if (rc)
        return rc;
    if (control->reply_opcode != CS_OP_RESULT)
        return cs_fail(err, CS_EPROTOCOL, "expected a RESULT, got %s",
                       cs_opcode_name(control->reply_opcode));
    rc =
        cs_result_decode(cs_reader_of(control->reply.data, control->reply.size),
                         control->connection.config->version, arena, out, err);
    if (!rc && out->kind == CS_RESULT_KIND_ROWS)
        rc = cs_result_check_cells(out, err);
    return rc;
}

enum cs_code cs_control_query(struct cs_control *control, const char *cql,
                              enum cs_consistency cl, int64_t timeout_ns,
                              struct cs_arena *arena, struct cs_result *out,
                              struct cs_err *err)
{
    struct cs_request request;
    struct cs_query_params params = {.consistency = (uint16_t)cl,
                                     .timestamp_us = CS_TIMESTAMP_NONE};
    enum cs_code rc = check_open(control, err);

    if (rc)
        return rc;
    request = cs_connection_request(&control->connection, 1);
    cs_request_query(cs_connection_begin(&control->connection), &request,
                     cs_view_text(cql), &params);
    return ask_for_result(control, timeout_ns, arena, out, err);
}

enum cs_code cs_control_prepare(struct cs_control *control, const char *cql,
                                int64_t timeout_ns, struct cs_arena *arena,
                                struct cs_result *out, struct cs_err *err)
{
    struct cs_request request;
    enum cs_code rc = check_open(control, err);

    if (rc)
        return rc;
    request = cs_connection_request(&control->connection, 1);
    cs_request_prepare(cs_connection_begin(&control->connection), &request,
                       cs_view_text(cql), cs_view_of(NULL, 0));
    rc = ask_for_result(control, timeout_ns, arena, out, err);
    if (!rc && out->kind != CS_RESULT_KIND_PREPARED)
        return cs_fail(err, CS_EPROTOCOL,
                       "the answer to PREPARE is of another kind");
    return rc;
}

enum cs_code cs_control_sharding(struct cs_control *control, int64_t timeout_ns,
                                 struct cs_sharding *out, struct cs_err *err)
{
    struct cs_supported supported;
    struct cs_request request;
    enum cs_code rc = check_open(control, err);

    *out = (struct cs_sharding){.count = 0};
    if (rc)
        return rc;
    request = cs_connection_request(&control->connection, 1);
    cs_request_options(cs_connection_begin(&control->connection), &request);
    rc = ask(control, timeout_ns, err);
    if (rc || control->reply_opcode != CS_OP_SUPPORTED)
        return rc;
    rc = cs_supported_decode(
        cs_reader_of(control->reply.data, control->reply.size), &supported,
        err);
    if (!rc)
        cs_sharding_read(&supported, out);
    return rc;
}

enum cs_code cs_control_register(struct cs_control *control, int64_t timeout_ns,
                                 struct cs_err *err)
{
    static const char *const types[] = {"TOPOLOGY_CHANGE", "STATUS_CHANGE",
                                        "SCHEMA_CHANGE"};
    bool schema = control->connection.sharding.tablets && control->on_schema;
    struct cs_request request;
    enum cs_code rc = check_open(control, err);

    if (rc)
        return rc;
    request = cs_connection_request(&control->connection, 1);
    cs_request_register(cs_connection_begin(&control->connection), &request,
                        types, schema ? 3 : 2);
    rc = ask(control, timeout_ns, err);
    if (!rc && control->reply_opcode != CS_OP_READY)
        return cs_fail(err, CS_EPROTOCOL, "REGISTER was not accepted");
    return rc;
}
