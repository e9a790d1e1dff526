/* test_responder.c - a client of the test talks to a responder in a thread, in
 * all versions, well-behaved and not. */
#include "support/responder_client.h"

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
    start(&server, &good_responder);
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
    static const struct {
        uint8_t newest;
        uint8_t asked;
        const char *offered;
    } rows[] = {{4, 5, "(3/v3, 4/v4)"},
                {3, 4, "(3/v3)"},
                {5, 6, "(3/v3, 4/v4, 5/v5)"},
                {5, 0x42, "(3/v3, 4/v4, 5/v5)"}};
    struct cs_responder_options options = good_responder;
    struct server server;
    struct client c;

    (void)state;
    /* 6 is the beta of real servers, 0x42 is DSE's. */
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_server_error error;

        options.version = rows[i].newest;
        start(&server, &options);
        join(&c, &server, rows[i].asked);
        cs_request_options(begin(&c),
                           &(struct cs_request){.version = rows[i].asked});
        assert_true(finish(&c));
        assert_int_equal(c.frame.header.version, rows[i].newest);
        error = error_of(&c);
        assert_int_equal(error.code, CS_SERVER_PROTOCOL_ERROR);
        assert_true(cs_server_error_is_version_refusal(&error));
        assert_non_null(memmem(error.message.data, error.message.size,
                               rows[i].offered, strlen(rows[i].offered)));
        leave(&c);
        stop(&server);
    }
}

static void each_address_is_a_node(void **state)
{
    struct cs_responder_options options = good_responder;
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
    start(&server, &good_responder);
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
        struct cs_responder_options options = good_responder;
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
        struct cs_responder_options options = good_responder;
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
    struct cs_responder_options options = good_responder;
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
        {"127.0.0.1", "overloaded:0.7,unavailable:0.6",
         "the shares add up to 1.3, expected at most 1"},
        {"127.0.0.1:77777", NULL, "a port is 1 to 65535"},
        {"192.0.2.1", NULL, "cannot listen on 192.0.2.1:0"},
        {"127.0.0.1//r", NULL, "behind '127.0.0.1' expected /dc/rack"},
        {"127.0.0.1/dc/r/x", NULL, "behind '127.0.0.1' expected /dc/rack"},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_responder_options options = good_responder;
        struct cs_responder *responder;
        struct cs_err err;

        options.listen = rows[i].listen;
        options.errors = rows[i].errors;
        assert_true(cs_responder_new(&options, &responder, &err) != CS_OK);
        if (!strstr(err.text, rows[i].text))
            fail_msg("no '%s' in: %s", rows[i].text, err.text);
    }
}

static void shares_may_add_up_to_one(void **state)
{
    struct cs_responder_options options = good_responder;
    struct server server;
    struct client c;

    (void)state;
    /* In binary these are a little more than 1. */
    options.errors = "overloaded:0.1,unavailable:0.2,read_timeout:0.3,"
                     "invalid:0.4";
    start(&server, &options);
    join(&c, &server, 4);
    hello(&c, NULL);
    assert_true(write_row(&c));
    assert_int_equal(c.frame.header.opcode, CS_OP_ERROR);
    leave(&c);
    stop(&server);
}

static void a_password_without_a_user_is_a_mistake(void **state)
{
    struct cs_responder_options options = good_responder;
    struct cs_responder *responder;
    struct cs_err err;

    (void)state;
    options.password = "secret";
    assert_int_equal(cs_responder_new(&options, &responder, &err), CS_EUSAGE);
    assert_string_equal(err.text, "password= needs user=");
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
        cmocka_unit_test(shares_may_add_up_to_one),
        cmocka_unit_test(a_password_without_a_user_is_a_mistake),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
