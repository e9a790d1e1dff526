/* test_responder.c - a client of the test talks to a responder in a thread, in
 * all versions, well-behaved and not. */
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
    struct cs_frame frame;
    struct cs_arena arena;
};

static void *serve(void *ctx)
{
    struct server *server = ctx;
    struct cs_err err;

    if (cs_responder_run(server->responder, server->stop[0], &err))
        fprintf(stderr, "%s\n", err.text);
    return NULL;
}

static void start(struct server *server,
                  const struct cs_responder_options *options)
{
    struct cs_err err;

    if (cs_responder_new(options, &server->responder, &err))
        fail_msg("%s", err.text);
    assert_int_equal(pipe(server->stop), 0);
    assert_int_equal(pthread_create(&server->thread, NULL, serve, server), 0);
}

static struct cs_responder_counts stop(struct server *server)
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

static void join(struct client *c, struct server *server, uint8_t version)
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
    cs_arena_init(&c->arena);
    assert_int_equal(cs_address_split(cs_responder_name(server->responder, 0),
                                      0, host, sizeof(host), &port, &err),
                     0);
    assert_int_equal(cs_address_resolve(host, port, &address, 1, &count, &err),
                     0);
    assert_int_equal(cs_socket_connect(&address, &c->fd, &err), 0);
    p.fd = c->fd;
    assert_int_equal(poll(&p, 1, 10000), 1);
}

static void leave(struct client *c)
{
    close(c->fd);
    cs_inbox_release(&c->inbox);
    cs_outbox_release(&c->outbox);
    cs_buf_release(&c->out);
    cs_buf_release(&c->in);
    cs_arena_release(&c->arena);
}

static struct cs_request request_of(const struct client *c)
{
    return (struct cs_request){.version = c->version, .stream = 7};
}

/* One answer in c->frame; false: the connection ended, or it is nonsense. */
static bool receive(struct client *c)
{
    size_t need = 1;

    for (;;) {
        struct cs_reader in;
        struct pollfd p = {.fd = c->fd, .events = POLLIN};
        uint8_t *to = cs_buf_room(&c->in, 65536);
        ssize_t got;

        in = cs_reader_of(c->in.data, c->in.size);
        if (c->in.size && cs_inbox_next(&c->inbox, &in, &c->frame, &need, NULL))
            return false;
        if (!need)
            return true;
        assert_int_equal(poll(&p, 1, 10000), 1);
        got = recv(c->fd, to, 65536, 0);
        if (got <= 0)
            return false;
        c->in.size += (size_t)got;
    }
}

static bool finish(struct client *c)
{
    struct cs_err err;

    assert_int_equal(cs_outbox_end(&c->outbox, &c->out, &err), 0);
    cs_outbox_flush(&c->outbox, &c->out);
    assert_int_equal(send(c->fd, c->out.data, c->out.size, MSG_NOSIGNAL),
                     c->out.size);
    cs_buf_clear(&c->out);
    cs_buf_clear(&c->in);
    return receive(c);
}

static struct cs_buf *begin(struct client *c)
{
    cs_outbox_begin(&c->outbox, &c->out);
    return &c->out;
}

static void hello(struct client *c, const char *compression)
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

static bool ask(struct client *c, const char *cql)
{
    const struct cs_query_params params = {.consistency = 1,
                                           .timestamp_us = CS_TIMESTAMP_NONE};
    struct cs_request request = request_of(c);

    cs_request_query(begin(c), &request, cs_view_text(cql), &params);
    return finish(c);
}

static struct cs_result result_of(struct client *c)
{
    struct cs_result result;
    struct cs_err err;

    assert_int_equal(c->frame.header.stream, 7);
    if (c->frame.header.opcode != CS_OP_RESULT)
        fail_msg("opcode %d", c->frame.header.opcode);
    if (cs_result_decode(cs_reader_of(c->frame.body.data, c->frame.body.size),
                         c->version, &c->arena, &result, &err))
        fail_msg("%s", err.text);
    return result;
}

static struct cs_server_error error_of(struct client *c)
{
    struct cs_server_error error;
    struct cs_err err;

    assert_int_equal(c->frame.header.opcode, CS_OP_ERROR);
    if (cs_server_error_decode(
            cs_reader_of(c->frame.body.data, c->frame.body.size), c->version,
            &error, &err))
        fail_msg("%s", err.text);
    return error;
}

static bool write_row(struct client *c)
{
    return ask(c, "INSERT INTO keyspace1.standard1 (key) VALUES (0x00)");
}

static const struct cs_responder_options good = {
    .listen = "127.0.0.1", .port = 0, .version = 5};

/* ---- tests ---- */

static void check_statements(struct client *c)
{
    const struct cs_query_params params = {.consistency = 1,
                                           .skip_metadata = true,
                                           .timestamp_us = CS_TIMESTAMP_NONE,
                                           .value_count = 1,
                                           .values =
                                               cs_view_of("\0\0\0\1x", 5)};
    struct cs_request request = request_of(c);
    struct cs_result prepared;
    uint8_t id[16];

    assert_true(ask(c, "SELECT * FROM system.local WHERE key = 'local'"));
    assert_int_equal(result_of(c).row_count, 1);
    cs_request_prepare(
        begin(c), &request,
        cs_view_text("SELECT * FROM keyspace1.standard1 WHERE key = ?"),
        cs_view_of(NULL, 0));
    assert_true(finish(c));
    prepared = result_of(c);
    assert_int_equal(prepared.kind, CS_RESULT_KIND_PREPARED);
    assert_int_equal(prepared.binds.column_count, 1);
    assert_int_equal(prepared.key_count, c->version >= 4 ? 1 : 0);
    assert_int_equal(prepared.metadata.column_count, 6);
    memcpy(id, prepared.id.data, 16);
    cs_request_execute(begin(c), &request, cs_view_of(id, 16),
                       cs_view_of(id, 16), &params);
    assert_true(finish(c));
    assert_int_equal(result_of(c).row_count, 1);
    id[3] ^= 1;
    cs_request_execute(begin(c), &request, cs_view_of(id, 16),
                       cs_view_of(id, 16), &params);
    assert_true(finish(c));
    assert_int_equal(error_of(c).code, CS_SERVER_UNPREPARED);
    assert_true(write_row(c));
    assert_int_equal(result_of(c).kind, CS_RESULT_KIND_VOID);
}

static void speaks_all_versions(void **state)
{
    static const char *const compressions[] = {NULL, "lz4", "snappy"};
    struct server server;

    (void)state;
    start(&server, &good);
    for (uint8_t version = 3; version <= 5; version++) {
        for (size_t i = 0; i < (version < 5 ? 3 : 2); i++) {
            struct client c;

            join(&c, &server, version);
            hello(&c, compressions[i]);
            check_statements(&c);
            leave(&c);
        }
    }
    assert_int_equal(stop(&server).connections, 8);
}

static void refuses_a_version_it_does_not_speak(void **state)
{
    struct cs_responder_options options = good;
    struct server server;
    struct client c;

    (void)state;
    options.version = 4;
    start(&server, &options);
    join(&c, &server, 5);
    cs_request_options(begin(&c), &(struct cs_request){.version = 5});
    assert_true(finish(&c));
    assert_int_equal(c.frame.header.version, 4);
    assert_int_equal(error_of(&c).code, CS_SERVER_PROTOCOL_ERROR);
    leave(&c);
    stop(&server);
}

static void each_address_is_a_node(void **state)
{
    struct cs_responder_options options = good;
    struct server server;
    struct client c;

    (void)state;
    options.listen = "127.0.0.1,127.0.0.2,127.0.0.3";
    start(&server, &options);
    assert_non_null(cs_responder_name(server.responder, 2));
    assert_null(cs_responder_name(server.responder, 3));
    join(&c, &server, 4);
    hello(&c, NULL);
    assert_true(ask(&c, "SELECT * FROM system.peers_v2"));
    assert_int_equal(result_of(&c).row_count, 2);
    assert_true(ask(&c, "SELECT * FROM system.peers"));
    assert_int_equal(result_of(&c).row_count, 2);
    leave(&c);
    stop(&server);
}

static void shows_the_schema_it_was_given(void **state)
{
    struct server server;
    struct client c;

    (void)state;
    start(&server, &good);
    join(&c, &server, 5);
    hello(&c, NULL);
    assert_true(ask(&c, "CREATE KEYSPACE k WITH replication = {'class': "
                        "'SimpleStrategy', 'replication_factor': 1}"));
    assert_int_equal(result_of(&c).kind, CS_RESULT_KIND_SCHEMA_CHANGE);
    assert_true(ask(&c, "USE k"));
    assert_int_equal(result_of(&c).kind, CS_RESULT_KIND_SET_KEYSPACE);
    assert_true(ask(&c, "CREATE TABLE t (a int, b text, PRIMARY KEY (a, b))"));
    assert_true(ask(&c, "SELECT column_name, type FROM system_schema.columns "
                        "WHERE keyspace_name = 'k' AND table_name = 't'"));
    assert_int_equal(result_of(&c).row_count, 2);
    assert_true(ask(&c, "SELECT a FROM nothing"));
    assert_int_equal(error_of(&c).code, CS_SERVER_INVALID);
    leave(&c);
    stop(&server);
}

static void answers_with_the_errors_it_is_told(void **state)
{
    static const struct {
        const char *errors;
        int32_t code;
    } rows[] = {
        {"overloaded:1", CS_SERVER_OVERLOADED},
        {"write_timeout:1", CS_SERVER_WRITE_TIMEOUT},
        {"READ_FAILURE:1", CS_SERVER_READ_FAILURE},
        {"unavailable:0,write_failure:1", CS_SERVER_WRITE_FAILURE},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_responder_options options = good;
        struct server server;
        struct client c;

        options.errors = rows[i].errors;
        start(&server, &options);
        for (uint8_t version = 4; version <= 5; version++) {
            join(&c, &server, version);
            hello(&c, NULL);
            assert_true(write_row(&c));
            assert_int_equal(error_of(&c).code, rows[i].code);
            leave(&c);
        }
        assert_int_equal(stop(&server).errors, 2);
    }
}

static void breaks_and_drops_what_it_is_told(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct cs_responder_options options = good;
        struct cs_responder_counts counts;
        struct server server;
        struct client c;

        options.broken = i % 2;
        options.dropped = !(i % 2);
        start(&server, &options);
        join(&c, &server, i < 2 ? 4 : 5);
        hello(&c, NULL);
        /* A length that lies in version 4 is waited for: only the checksum of
         * version 5 tells at once. */
        if (i != 1)
            assert_false(write_row(&c));
        else
            assert_true(ask(&c, "SELECT key FROM system.local"));
        leave(&c);
        counts = stop(&server);
        assert_int_equal(counts.dropped, !(i % 2));
        assert_int_equal(counts.broken, i == 3);
    }
}

static void waits_as_long_as_it_is_told(void **state)
{
    struct cs_responder_options options = good;
    struct server server;
    struct client c;
    int64_t start_ns;

    (void)state;
    options.delayed = true;
    options.delay = cs_dist_fixed(30000);
    start(&server, &options);
    join(&c, &server, 5);
    hello(&c, NULL);
    start_ns = cs_now_ns();
    assert_true(write_row(&c));
    assert_true(cs_now_ns() - start_ns >= 30 * CS_NS_PER_MS);
    leave(&c);
    stop(&server);
}

static void names_the_option_that_is_wrong(void **state)
{
    static const struct {
        const char *listen;
        const char *errors;
        const char *text;
    } rows[] = {
        {"127.0.0.1", "overlode:0.1", "try 'OVERLOADED'"},
        {"127.0.0.1", "overloaded", "expected name:share"},
        {"127.0.0.1", "overloaded:2", "no share from 0 to 1"},
        {"127.0.0.1:77777", NULL, "a port is 1 to 65535"},
        {"192.0.2.1", NULL, "cannot listen on 192.0.2.1:0"},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_responder_options options = good;
        struct cs_responder *responder;
        struct cs_err err;

        options.listen = rows[i].listen;
        options.errors = rows[i].errors;
        assert_true(cs_responder_new(&options, &responder, &err) != CS_OK);
        if (!strstr(err.text, rows[i].text))
            fail_msg("no '%s' in: %s", rows[i].text, err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speaks_all_versions),
        cmocka_unit_test(refuses_a_version_it_does_not_speak),
        cmocka_unit_test(each_address_is_a_node),
        cmocka_unit_test(shows_the_schema_it_was_given),
        cmocka_unit_test(answers_with_the_errors_it_is_told),
        cmocka_unit_test(breaks_and_drops_what_it_is_told),
        cmocka_unit_test(waits_as_long_as_it_is_told),
        cmocka_unit_test(names_the_option_that_is_wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
