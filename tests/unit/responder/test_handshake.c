/* test_handshake.c - what comes before statements: log-in, order, REGISTER. */
#include "support/responder_client.h"

static const struct cs_responder_options guarded = {
    .listen = "127.0.0.1", .version = 5, .user = "me", .password = "secret"};

static void startup(struct client *c, const char *compression)
{
    const struct cs_startup_option options[] = {{"cql_version", "3.0.0"},
                                                {"compression", compression}};
    struct cs_request request = request_of(c);

    cs_request_startup(begin(c), &request, options, compression ? 2 : 1);
    assert_true(finish(c));
}

static void refused(struct client *c, int32_t code, const char *text)
{
    struct cs_server_error error = error_of(c);

    assert_int_equal(error.code, code);
    if (!cs_view_is(error.message, text))
        fail_msg("'%.*s', expected '%s'", CS_VIEW_ARGS(error.message), text);
}

/* In version 5 segments begin with the log-in. */
static void be_asked(struct client *c)
{
    enum cs_framing framing =
        c->version >= 5 ? CS_FRAMING_SEGMENT : CS_FRAMING_PLAIN;
    struct cs_reader body;

    startup(c, NULL);
    assert_int_equal(c->frame.header.opcode, CS_OP_AUTHENTICATE);
    body = cs_reader_of(c->frame.body.data, c->frame.body.size);
    assert_true(cs_view_is(cs_read_string(&body),
                           "org.apache.cassandra.auth.PasswordAuthenticator"));
    cs_inbox_set_framing(&c->inbox, framing);
    cs_outbox_set_framing(&c->outbox, framing);
}

static void log_in(struct client *c, const char *user, const char *password)
{
    struct cs_request request = request_of(c);

    cs_request_auth_plain(begin(c), &request, user, password);
    assert_true(finish(c));
}

static void lets_in_who_knows_the_password(void **state)
{
    static const struct {
        const char *user;
        const char *password;
        const char *error; /* NULL: let in */
    } rows[] = {
        {"me", "wrong", "Provided username me and/or password are incorrect"},
        {"you", "secret",
         "Provided username you and/or password are incorrect"},
        {"me", "secre", "Provided username me and/or password are incorrect"},
        {"me", "secretly",
         "Provided username me and/or password are incorrect"},
        {"", "secret", "User must not be null"},
        {"me", "", "Password must not be null"},
        {"me", "secret", NULL},
    };
    struct server server;

    (void)state;
    start(&server, &guarded);
    for (uint8_t version = 3; version <= 5; version++) {
        struct client c;

        join(&c, &server, version);
        be_asked(&c);
        assert_true(ask(&c, "SELECT key FROM system.local"));
        refused(&c, CS_SERVER_PROTOCOL_ERROR,
                "Unexpected message QUERY, expecting SASL_RESPONSE");
        /* The connection stays: one after the other is tried. */
        for (size_t i = 0; i < CS_COUNT(rows); i++) {
            log_in(&c, rows[i].user, rows[i].password);
            if (rows[i].error)
                refused(&c, CS_SERVER_AUTH_ERROR, rows[i].error);
            else
                assert_int_equal(c.frame.header.opcode, CS_OP_AUTH_SUCCESS);
        }
        assert_true(ask(&c, "SELECT key FROM system.local"));
        assert_int_equal(result_of(&c).row_count, 1);
        leave(&c);
    }
    stop(&server);
}

static void wants_a_startup_first_and_once(void **state)
{
    struct server server;
    struct client c;
    struct cs_request request;

    (void)state;
    start(&server, &good_responder);
    join(&c, &server, 4);
    request = request_of(&c);
    assert_true(ask(&c, "SELECT key FROM system.local"));
    refused(&c, CS_SERVER_PROTOCOL_ERROR,
            "Unexpected message QUERY, expecting STARTUP or OPTIONS");
    cs_request_options(begin(&c), &request);
    assert_true(finish(&c));
    assert_int_equal(c.frame.header.opcode, CS_OP_SUPPORTED);
    hello(&c, NULL);
    startup(&c, NULL);
    refused(&c, CS_SERVER_PROTOCOL_ERROR,
            "Unexpected message STARTUP, expecting a statement");
    leave(&c);
    stop(&server);
}

static void refuses_what_it_cannot_compress(void **state)
{
    static const struct {
        uint8_t version;
        const char *compression;
        const char *error; /* NULL: taken */
    } rows[] = {
        {4, "LZ4", NULL},
        {4, "foo", "Unknown compression algorithm: foo"},
        {5, "snappy", "Snappy compression is not supported in protocol V5"},
        {5, "zstd", "Unknown compression algorithm: zstd"},
    };
    struct server server;

    (void)state;
    start(&server, &good_responder);
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct client c;

        join(&c, &server, rows[i].version);
        startup(&c, rows[i].compression);
        if (rows[i].error)
            refused(&c, CS_SERVER_PROTOCOL_ERROR, rows[i].error);
        else
            assert_int_equal(c.frame.header.opcode, CS_OP_READY);
        leave(&c);
    }
    stop(&server);
}

static void registers_for_what_it_knows(void **state)
{
    static const char *const known[] = {"STATUS_CHANGE", "SCHEMA_CHANGE"};
    static const char *const unknown[] = {"TOPOLOGY_CHANGE", "FOO"};
    struct cs_request request;
    struct server server;
    struct client c;

    (void)state;
    start(&server, &good_responder);
    join(&c, &server, 5);
    hello(&c, NULL);
    request = request_of(&c);
    cs_request_register(begin(&c), &request, unknown, 2);
    assert_true(finish(&c));
    refused(&c, CS_SERVER_PROTOCOL_ERROR, "Invalid value 'FOO' for Type");
    cs_request_register(begin(&c), &request, known, 2);
    assert_true(finish(&c));
    assert_int_equal(c.frame.header.opcode, CS_OP_READY);
    leave(&c);
    stop(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lets_in_who_knows_the_password),
        cmocka_unit_test(wants_a_startup_first_and_once),
        cmocka_unit_test(refuses_what_it_cannot_compress),
        cmocka_unit_test(registers_for_what_it_knows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
