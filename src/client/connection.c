/* connection.c - the handshake as a state machine, and envelopes from bytes. */
#include "client/connection.h"

#include "base/log.h"
#include "client/startup.h"
#include "client/stranger.h"
#include "protocol/error.h"
#include "protocol/handshake.h"
#include "protocol/result.h"

#include <string.h>

/* A request larger than this is refused; smaller ones wait for room long
 * before (session_internal.h). */
#define OUT_MAX ((size_t)256 << 20)
#define IN_MAX  ((size_t)CS_FRAME_BODY_LIMIT + 1024)

static void on_opened(struct cs_link *link);
static size_t on_input(struct cs_link *link, const uint8_t *bytes, size_t size);
static void on_sealing(struct cs_link *link);
static void on_lost(struct cs_link *link, const struct cs_err *why);

static const struct cs_link_ops link_ops = {.opened = on_opened,
                                            .input = on_input,
                                            .sealing = on_sealing,
                                            .lost = on_lost};

static struct cs_connection *of_link(struct cs_link *link)
{
    return CS_CONTAINER(link, struct cs_connection, link);
}

void cs_connection_init(struct cs_connection *connection,
                        struct cs_link_group *group,
                        const struct cs_connection_config *config,
                        const struct cs_connection_ops *ops)
{
    struct cs_frame_rules rules = {.max_body = CS_FRAME_BODY_LIMIT};

    memset(connection, 0, sizeof(*connection));
    connection->config = config;
    connection->ops = ops;
    cs_link_init(&connection->link, group, &link_ops, OUT_MAX, IN_MAX);
    cs_inbox_init(&connection->inbox, &rules);
    cs_outbox_init(&connection->outbox);
}

void cs_connection_release(struct cs_connection *connection)
{
    cs_link_release(&connection->link);
    cs_inbox_release(&connection->inbox);
    cs_outbox_release(&connection->outbox);
    connection->state = CS_CONNECTION_CLOSED;
}

enum cs_code cs_connection_start(struct cs_connection *connection,
                                 const struct cs_address *address,
                                 struct cs_err *err)
{
    connection->state = CS_CONNECTION_CONNECTING;
    cs_link_secure(&connection->link, connection->config->tls, address);
    return cs_link_connect(&connection->link, address, err);
}

enum cs_code cs_connection_start_from(struct cs_connection *connection,
                                      const struct cs_address *address,
                                      int port,
                                      const struct cs_source_ports *ports,
                                      struct cs_err *err)
{
    struct cs_address other = *address;

    cs_address_set_port(&other, port);
    connection->state = CS_CONNECTION_CONNECTING;
    cs_link_secure(&connection->link, connection->config->tls, address);
    return cs_link_connect_from(&connection->link, &other, ports, err);
}

enum cs_code cs_connection_start_on(struct cs_connection *connection, int fd,
                                    struct cs_err *err)
{
    enum cs_code rc;

    connection->state = CS_CONNECTION_CONNECTING;
    cs_link_secure(&connection->link, connection->config->tls, NULL);
    rc = cs_link_take_socket(&connection->link, fd, err);
    if (!rc && cs_link_is_open(&connection->link))
        on_opened(&connection->link);
    return rc;
}

void cs_connection_close(struct cs_connection *connection)
{
    cs_link_close(&connection->link);
    connection->state = CS_CONNECTION_CLOSED;
}

void cs_connection_fail(struct cs_connection *connection,
                        const struct cs_err *why)
{
    cs_connection_close(connection);
    connection->ops->lost(connection, why);
}

static void on_lost(struct cs_link *link, const struct cs_err *why)
{
    struct cs_connection *connection = of_link(link);

    /* Some servers close instead of refusing a version. */
    if (connection->state == CS_CONNECTION_STARTUP && !connection->heard &&
        why->code == CS_ECONNECT)
        connection->version_refused = true;
    connection->state = CS_CONNECTION_CLOSED;
    connection->ops->lost(connection, why);
}

static void on_sealing(struct cs_link *link)
{
    cs_outbox_flush(&of_link(link)->outbox, &link->out);
}

/* ---- handshake ---- */

static void send_step(struct cs_connection *connection)
{
    struct cs_err err;

    if (cs_connection_end(connection, &err))
        cs_connection_fail(connection, &err);
}

static void send_startup(struct cs_connection *connection)
{
    struct cs_request request = cs_connection_request(connection, 0);
    struct cs_startup_option options[CS_STARTUP_OPTIONS_MAX];
    size_t count = cs_startup_options(connection, options);
    enum cs_framing framing = cs_startup_framing(connection->config);

    /* The answer to STARTUP may be compressed already (v3, v4). */
    if (framing < CS_FRAMING_SEGMENT)
        cs_inbox_set_framing(&connection->inbox, framing);
    connection->state = CS_CONNECTION_STARTUP;
    cs_request_startup(cs_connection_begin(connection), &request, options,
                       count);
    send_step(connection);
}

static void on_opened(struct cs_link *link)
{
    struct cs_connection *connection = of_link(link);
    struct cs_request request = cs_connection_request(connection, 0);

    if (!connection->config->extended) {
        send_startup(connection);
        return;
    }
    connection->state = CS_CONNECTION_OPTIONS;
    cs_request_options(cs_connection_begin(connection), &request);
    send_step(connection);
}

static void on_supported(struct cs_connection *connection,
                         struct cs_reader body)
{
    struct cs_supported supported;
    struct cs_err err;

    if (cs_supported_decode(body, &supported, &err)) {
        cs_connection_fail(connection, &err);
        return;
    }
    cs_sharding_read(&supported, &connection->sharding);
    if (connection->config->no_shards)
        connection->sharding.count = 0;
    connection->sharding.tablets =
        connection->sharding.tablets && connection->config->tablets;
    send_startup(connection);
}

/* v5 frames begin behind READY or AUTHENTICATE, whichever comes first. */
static void switch_framing(struct cs_connection *connection)
{
    enum cs_framing framing = cs_startup_framing(connection->config);

    connection->inbox.rules.version = connection->config->version;
    cs_inbox_set_framing(&connection->inbox, framing);
    cs_outbox_set_framing(&connection->outbox, framing);
}

static void become_ready(struct cs_connection *connection)
{
    struct cs_buf *out = &connection->link.out;

    /* The password has been in there. */
    if (!out->size && out->data)
        explicit_bzero(out->data, out->cap);
    connection->state = CS_CONNECTION_READY;
    connection->ops->ready(connection);
}

static void send_password(struct cs_connection *connection)
{
    struct cs_request request = cs_connection_request(connection, 0);
    const struct cs_connection_config *config = connection->config;

    cs_request_auth_plain(cs_connection_begin(connection), &request,
                          config->user, config->password);
    send_step(connection);
}

static void on_authenticate(struct cs_connection *connection,
                            struct cs_reader body)
{
    struct cs_request request = cs_connection_request(connection, 0);
    struct cs_view class_name;
    struct cs_err err;

    switch_framing(connection);
    connection->state = CS_CONNECTION_AUTH;
    if (cs_authenticate_decode(body, &class_name, &err)) {
        cs_connection_fail(connection, &err);
    } else if (!connection->config->user) {
        cs_fail(&err, CS_EAUTH, "the server asks for a log-in (%.*s): give %s",
                CS_VIEW_ARGS(class_name),
                connection->config->log_in_hint
                    ? connection->config->log_in_hint
                    : "-mode user= and password=");
        cs_connection_fail(connection, &err);
    } else if (cs_view_is(class_name,
                          "com.datastax.bdp.cassandra.auth.DseAuthenticator")) {
        cs_request_auth_token(cs_connection_begin(connection), &request,
                              cs_view_text("PLAIN"));
        send_step(connection);
    } else {
        send_password(connection);
    }
}

static void on_challenge(struct cs_connection *connection,
                         struct cs_reader body)
{
    struct cs_view token;
    struct cs_err err;

    if (cs_auth_token_decode(body, &token, &err)) {
        cs_connection_fail(connection, &err);
    } else if (cs_view_is(token, "PLAIN-START")) {
        send_password(connection);
    } else {
        cs_fail(&err, CS_EAUTH,
                "the server wants a log-in of a kind that is not offered");
        cs_connection_fail(connection, &err);
    }
}

static void on_refusal(struct cs_connection *connection,
                       const struct cs_frame *frame, struct cs_reader body)
{
    struct cs_server_error error;
    struct cs_err err;

    if (!cs_server_error_decode(body, frame->header.version, &error, &err)) {
        connection->version_refused =
            connection->state == CS_CONNECTION_STARTUP &&
            cs_server_error_is_version_refusal(&error);
        cs_server_error_fail(&error, &err);
    }
    cs_connection_fail(connection, &err);
}

static void on_unexpected(struct cs_connection *connection,
                          const struct cs_frame *frame)
{
    const char *name = cs_opcode_name(frame->header.opcode);
    struct cs_err err;

    cs_fail(&err, CS_EPROTOCOL, "%s came during the handshake",
            name ? name : "an unknown message");
    cs_connection_fail(connection, &err);
}

static void on_handshake_frame(struct cs_connection *connection,
                               const struct cs_frame *frame)
{
    bool startup = connection->state == CS_CONNECTION_STARTUP;
    bool auth = connection->state == CS_CONNECTION_AUTH;
    struct cs_prefix prefix;
    struct cs_reader body;
    struct cs_err err;

    connection->heard = true;
    if (cs_frame_open(frame, &prefix, &body, &err)) {
        cs_connection_fail(connection, &err);
        return;
    }
    if (frame->header.opcode == CS_OP_ERROR) {
        on_refusal(connection, frame, body);
    } else if (connection->state == CS_CONNECTION_OPTIONS &&
               frame->header.opcode == CS_OP_SUPPORTED) {
        on_supported(connection, body);
    } else if (startup && frame->header.opcode == CS_OP_READY) {
        switch_framing(connection);
        become_ready(connection);
    } else if (startup && frame->header.opcode == CS_OP_AUTHENTICATE) {
        on_authenticate(connection, body);
    } else if (auth && frame->header.opcode == CS_OP_AUTH_CHALLENGE) {
        on_challenge(connection, body);
    } else if (auth && frame->header.opcode == CS_OP_AUTH_SUCCESS) {
        become_ready(connection);
    } else {
        on_unexpected(connection, frame);
    }
}

/* ---- input ---- */

/* Nearly every envelope of a run is a RESULT that is all there and has nothing
 * in front of its message: it is recognised by few looks. All others, and all
 * that is wrong, go the careful way. */
CS_INLINE bool take_usual(struct cs_reader *r, uint8_t first,
                          struct cs_frame *out)
{
    const uint8_t *p = r->p;
    size_t left = cs_reader_left(r);

    if (left < CS_FRAME_HEADER_SIZE || p[0] != first || p[1] != 0 ||
        p[2] & 0x80 || p[4] != CS_OP_RESULT ||
        cs_load32(p + 5) > left - CS_FRAME_HEADER_SIZE)
        return false;
    out->header.version = first & 0x7F;
    out->header.flags = 0;
    out->header.opcode = CS_OP_RESULT;
    out->header.stream = (int16_t)cs_load16(p + 2);
    out->header.length = cs_load32(p + 5);
    out->body = cs_view_of(p + CS_FRAME_HEADER_SIZE, out->header.length);
    r->p += CS_FRAME_HEADER_SIZE + out->header.length;
    return true;
}

/* Calls back for one envelope; false: bytes are missing, or it is over. */
static bool take_one(struct cs_connection *connection, struct cs_reader *in)
{
    struct cs_frame frame;
    struct cs_err err;
    size_t need;

    if (CS_UNLIKELY(
            cs_inbox_next(&connection->inbox, in, &frame, &need, &err))) {
        cs_connection_fail(connection, &err);
        return false;
    }
    if (need)
        return false;
    if (CS_LIKELY(connection->state == CS_CONNECTION_READY))
        connection->ops->answer(connection, &frame);
    else
        on_handshake_frame(connection, &frame);
    return connection->state != CS_CONNECTION_CLOSED;
}

#define VOID_SIZE (CS_FRAME_HEADER_SIZE + 4)

/* RESULT void, byte by byte: length and kind are compared as one number. */
CS_INLINE bool take_void(struct cs_reader *r, uint8_t first, uint16_t *stream)
{
    const uint8_t *p = r->p;

    if (cs_reader_left(r) < VOID_SIZE || cs_load16(p) != (uint32_t)first << 8 ||
        p[2] & 0x80 || p[4] != CS_OP_RESULT ||
        cs_load64(p + 5) != (UINT64_C(4) << 32 | CS_RESULT_KIND_VOID))
        return false;
    *stream = cs_load16(p + 2);
    r->p += VOID_SIZE;
    return true;
}

static bool take_many(struct cs_connection *connection, struct cs_reader *in)
{
    struct cs_inbox *inbox = &connection->inbox;
    struct cs_reader *r =
        inbox->framing < CS_FRAMING_SEGMENT ? in : &inbox->payload;
    uint8_t first = 0x80 | connection->config->version;
    const struct cs_connection_ops *ops = connection->ops;
    struct cs_frame frame;
    uint16_t stream;

    while (connection->state == CS_CONNECTION_READY) {
        if (CS_LIKELY(ops->done != NULL) &&
            CS_LIKELY(take_void(r, first, &stream)))
            ops->done(connection, stream);
        else if (take_usual(r, first, &frame))
            ops->answer(connection, &frame);
        else
            return true;
    }
    return false;
}

/* Whether what comes in the place of the first answer is none of CQL. */
static bool is_stranger(const struct cs_connection *connection,
                        const uint8_t *bytes, size_t size)
{
    return connection->state < CS_CONNECTION_AUTH && !connection->heard &&
           cs_stranger_is(bytes, size);
}

static void fail_on_stranger(struct cs_connection *connection,
                             const uint8_t *bytes, size_t size)
{
    struct cs_err err;

    cs_stranger_fail(connection->config, bytes, size, &err);
    cs_connection_fail(connection, &err);
}

/* Nearly every input ends with an envelope: no need to look for another. */
CS_INLINE bool is_used_up(const struct cs_connection *connection,
                          const struct cs_reader *in)
{
    return !cs_reader_left(in) &&
           connection->inbox.framing < CS_FRAMING_SEGMENT;
}

static size_t on_input(struct cs_link *link, const uint8_t *bytes, size_t size)
{
    struct cs_connection *connection = of_link(link);
    struct cs_reader in = cs_reader_of(bytes, size);

    if (CS_UNLIKELY(is_stranger(connection, bytes, size))) {
        fail_on_stranger(connection, bytes, size);
        return size;
    }
    do {
        if (CS_LIKELY(connection->state == CS_CONNECTION_READY) &&
            (!take_many(connection, &in) || is_used_up(connection, &in)))
            break;
    } while (take_one(connection, &in));
    return (size_t)(in.p - bytes);
}
