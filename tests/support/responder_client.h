/* responder_client.h - a responder in a thread, and a client of one connection
 * that has one request under way. */
#ifndef CS_TESTS_RESPONDER_CLIENT_H
#define CS_TESTS_RESPONDER_CLIENT_H

#include "responder/responder.h"

#include "base/clock.h"
#include "net/socket.h"
#include "protocol/error.h"
#include "protocol/inbox.h"
#include "protocol/outbox.h"
#include "protocol/request.h"
#include "protocol/result.h"
#include "support/vectors.h"

#include <poll.h>
#include <pthread.h>
#include <unistd.h>

struct server {
    struct cs_responder *responder;
    pthread_t thread;
    int stop[2];
};

/* One connection, one request at a time. */
struct client {
    int fd;
    uint8_t version;
    struct cs_inbox inbox;
    struct cs_outbox outbox;
    struct cs_buf out;
    struct cs_buf in;
    size_t used; /* leading bytes of in that are done with */
    struct cs_frame frame;
    struct cs_arena arena;
};

static inline void *serve(void *ctx)
{
    struct server *server = ctx;
    struct cs_err err;

    if (cs_responder_run(server->responder, server->stop[0], &err))
        fprintf(stderr, "%s\n", err.text);
    return NULL;
}

static inline void start(struct server *server,
                         const struct cs_responder_options *options)
{
    struct cs_err err;

    if (cs_responder_new(options, &server->responder, &err))
        fail_msg("%s", err.text);
    assert_int_equal(pipe(server->stop), 0);
    assert_int_equal(pthread_create(&server->thread, NULL, serve, server), 0);
}

static inline struct cs_responder_counts stop(struct server *server)
{
    struct cs_responder_counts counts;

    assert_int_equal(write(server->stop[1], "x", 1), 1);
    pthread_join(server->thread, NULL);
    counts = cs_responder_counts(server->responder);
    cs_responder_free(server->responder);
    close(server->stop[0]);
    close(server->stop[1]);
    return counts;
}

static inline void join_node(struct client *c, struct server *server,
                             uint8_t version, size_t node)
{
    const struct cs_frame_rules rules = {.max_body = CS_FRAME_BODY_LIMIT};
    struct cs_address address;
    struct pollfd p = {.events = POLLOUT};
    char host[256];
    size_t count;
    int port;
    struct cs_err err;

    memset(c, 0, sizeof(*c));
    c->version = version;
    cs_inbox_init(&c->inbox, &rules);
    cs_outbox_init(&c->outbox);
    cs_buf_init(&c->out, 1 << 20);
    cs_buf_init(&c->in, 1 << 20);
    assert_non_null(cs_buf_room(&c->in, 65536));
    cs_arena_init(&c->arena);
    assert_int_equal(
        cs_address_split(cs_responder_name(server->responder, node), 0, host,
                         sizeof(host), &port, &err),
        0);
    assert_int_equal(cs_address_resolve(host, port, &address, 1, &count, &err),
                     0);
    assert_int_equal(cs_socket_connect(&address, &c->fd, &err), 0);
    p.fd = c->fd;
    assert_int_equal(poll(&p, 1, 10000), 1);
}

static inline void join(struct client *c, struct server *server,
                        uint8_t version)
{
    join_node(c, server, version, 0);
}

static inline void leave(struct client *c)
{
    close(c->fd);
    cs_inbox_release(&c->inbox);
    cs_outbox_release(&c->outbox);
    cs_buf_release(&c->out);
    cs_buf_release(&c->in);
    cs_arena_release(&c->arena);
}

static inline struct cs_request request_of(const struct client *c)
{
    return (struct cs_request){.version = c->version, .stream = 7};
}

/* One message in c->frame; false: the connection ended, or it is nonsense. The
 * bytes of a segment stay where they are until all of it is read. */
static inline bool receive(struct client *c)
{
    for (;;) {
        struct cs_reader in =
            cs_reader_of(c->in.data + c->used, c->in.size - c->used);
        struct pollfd p = {.fd = c->fd, .events = POLLIN};
        size_t need = 1;
        uint8_t *to;
        ssize_t got;

        if (c->in.size && cs_inbox_next(&c->inbox, &in, &c->frame, &need, NULL))
            return false;
        if (c->in.size)
            c->used = (size_t)(in.p - c->in.data);
        if (!need)
            return true;
        cs_buf_consume(&c->in, c->used);
        c->used = 0;
        assert_int_equal(poll(&p, 1, 10000), 1);
        to = cs_buf_room(&c->in, 65536);
        got = recv(c->fd, to, 65536, 0);
        if (got <= 0)
            return false;
        c->in.size += (size_t)got;
    }
}

static inline void post(struct client *c)
{
    struct cs_err err;

    assert_int_equal(cs_outbox_end(&c->outbox, &c->out, &err), 0);
    cs_outbox_flush(&c->outbox, &c->out);
    assert_int_equal(send(c->fd, c->out.data, c->out.size, MSG_NOSIGNAL),
                     c->out.size);
    cs_buf_clear(&c->out);
}

/* Sends, and receives the answer; events that come before it are passed by. */
static inline bool finish(struct client *c)
{
    post(c);
    do
        if (!receive(c))
            return false;
    while (c->frame.header.stream == CS_STREAM_EVENT);
    return true;
}

static inline struct cs_buf *begin(struct client *c)
{
    cs_outbox_begin(&c->outbox, &c->out);
    return &c->out;
}

static inline void hello(struct client *c, const char *compression)
{
    const struct cs_startup_option options[] = {{"CQL_VERSION", "3.0.0"},
                                                {"COMPRESSION", compression}};
    bool lz4 = compression && !strcmp(compression, "lz4");
    struct cs_request request = request_of(c);
    enum cs_framing framing = CS_FRAMING_PLAIN;

    if (c->version >= 5)
        framing = lz4 ? CS_FRAMING_SEGMENT_LZ4 : CS_FRAMING_SEGMENT;
    else if (compression)
        framing = lz4 ? CS_FRAMING_BODY_LZ4 : CS_FRAMING_BODY_SNAPPY;
    cs_request_startup(begin(c), &request, options, compression ? 2 : 1);
    assert_true(finish(c));
    assert_int_equal(c->frame.header.opcode, CS_OP_READY);
    cs_inbox_set_framing(&c->inbox, framing);
    cs_outbox_set_framing(&c->outbox, framing);
}

static inline bool ask(struct client *c, const char *cql)
{
    const struct cs_query_params params = {.consistency = 1,
                                           .timestamp_us = CS_TIMESTAMP_NONE};
    struct cs_request request = request_of(c);

    cs_request_query(begin(c), &request, cs_view_text(cql), &params);
    return finish(c);
}

/* What stands in front of the message, and the message. */
static inline struct cs_reader open_frame(struct client *c,
                                          struct cs_prefix *prefix)
{
    struct cs_reader body;
    struct cs_err err;

    if (cs_frame_open(&c->frame, prefix, &body, &err))
        fail_msg("%s", err.text);
    return body;
}

static inline struct cs_result result_of(struct client *c)
{
    struct cs_prefix prefix;
    struct cs_result result;
    struct cs_err err;

    assert_int_equal(c->frame.header.stream, 7);
    if (c->frame.header.opcode != CS_OP_RESULT)
        fail_msg("opcode %d: %.*s", c->frame.header.opcode,
                 CS_VIEW_ARGS(c->frame.body));
    if (cs_result_decode(open_frame(c, &prefix), c->version, &c->arena, &result,
                         &err))
        fail_msg("%s", err.text);
    return result;
}

static inline struct cs_server_error error_of(struct client *c)
{
    struct cs_prefix prefix;
    struct cs_server_error error;
    struct cs_err err;

    assert_int_equal(c->frame.header.opcode, CS_OP_ERROR);
    if (cs_server_error_decode(open_frame(c, &prefix), c->version, &error,
                               &err))
        fail_msg("%s", err.text);
    return error;
}

static inline void prepare_statement(struct client *c, const char *cql,
                                     uint8_t id[16])
{
    struct cs_request request = request_of(c);

    cs_request_prepare(begin(c), &request, cs_view_text(cql),
                       cs_view_of(NULL, 0));
    assert_true(finish(c));
    memcpy(id, result_of(c).id.data, 16);
}

static inline bool write_row(struct client *c)
{
    return ask(c, "INSERT INTO keyspace1.standard1 (key) VALUES (0x00)");
}

static const struct cs_responder_options good_responder = {
    .listen = "127.0.0.1", .port = 0, .version = 5};

#endif
