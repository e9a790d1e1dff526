/* test_tls.c - what gets through an encrypted link, and its options. */
#include "tls_fixture.h"

static void both_versions_get_through(void **state)
{
    static const char *const protocols[] = {"TLS", "TLSv1.2", "TLSv1.3"};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(protocols); i++) {
        struct cs_tls_options client = client_options();
        struct cs_tls_options server = server_options();
        struct both both;

        client.protocol = protocols[i];
        start(&both, &client, &server);
        join(&both);
        exchange(&both);
        stop(&both);
    }
}

static uint8_t pattern(size_t at)
{
    return (uint8_t)(at * 31 + at / 251);
}

/* More than the socket takes, in both directions, each by few writes. */
static void moves_megabytes_without_a_gap(void **state)
{
    struct cs_tls_options client = client_options();
    struct cs_tls_options server = server_options();
    const size_t size = 5000000;
    struct both both;

    (void)state;
    start(&both, &client, &server);
    join(&both);
    passes(&both);
    for (size_t i = 0; i < size; i++) {
        cs_buf_put8(&both.client.link.out, pattern(i));
        cs_buf_put8(&both.server.link.out, pattern(i + 1));
    }
    cs_link_touch(&both.client.link);
    cs_link_touch(&both.server.link);
    for (int i = 0; i < 10000 && (both.client.got.size < size ||
                                  both.server.got.size < size);
         i++)
        pass(&both);
    assert_int_equal(both.server.got.size, size);
    assert_int_equal(both.client.got.size, size);
    for (size_t i = 0; i < size; i++)
        if (both.server.got.data[i] != pattern(i) ||
            both.client.got.data[i] != pattern(i + 1))
            fail_msg("byte %zu is wrong", i);
    assert_false(both.client.link.blocked);
    stop(&both);
}

static void the_next_connection_resumes_the_session(void **state)
{
    static const char *const protocols[] = {"TLSv1.2", "TLSv1.3"};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(protocols); i++) {
        struct cs_tls_options client = client_options();
        struct cs_tls_options server = server_options();
        struct both both;

        client.protocol = protocols[i];
        start(&both, &client, &server);
        for (int k = 0; k < 3; k++) {
            join(&both);
            exchange(&both);
            part(&both);
        }
        assert_int_equal(cs_tls_resumed(both.client_tls), 2);
        stop(&both);
    }
}

static void both_ends_show_certificates(void **state)
{
    struct cs_tls_options client = client_options();
    struct cs_tls_options server = server_options();
    struct both both;

    (void)state;
    client.keystore = files.client;
    server.ask_client = true;
    start(&both, &client, &server);
    join(&both);
    exchange(&both);
    stop(&both);
}

static void a_host_may_be_known_by_name(void **state)
{
    static const uint8_t elsewhere[4] = {127, 0, 0, 2};
    struct cs_tls_options client = client_options();
    struct cs_tls_options server = server_options();
    struct both both;
    struct cs_err err;

    (void)state;
    start(&both, &client, &server);
    assert_true(cs_address_from_bytes(elsewhere, 4, 9042, &both.address));
    assert_int_equal(
        cs_tls_name_host(both.client_tls, &both.address, "node1", &err), 0);
    join(&both);
    exchange(&both);
    stop(&both);
}

static void an_end_is_told(void **state)
{
    struct cs_tls_options client = client_options();
    struct cs_tls_options server = server_options();
    struct both both;

    (void)state;
    start(&both, &client, &server);
    join(&both);
    exchange(&both);
    say(&both.server, "bye");
    cs_link_flush_all(&both.group);
    cs_link_close(&both.server.link);
    passes(&both);
    assert_string_equal(cs_buf_text(&both.client.got), "good daybye");
    assert_int_equal(both.client.lost, 1);
    assert_int_equal(both.client.why.code, CS_ECONNECT);
    assert_string_equal(both.client.why.text, "closed by the server");
    stop(&both);
}

static void names_the_option_that_is_wrong(void **state)
{
    const struct {
        struct cs_tls_options options;
        const char *text;
    } rows[] = {
        {{.truststore = "none.pem"}, "truststore=none.pem: cannot read it"},
        {{.truststore = files.trust, .keystore = files.trust},
         "no private key is in it"},
        {{.truststore = files.trust, .ciphers = "TLS_NO_SUCH_THING"},
         "ssl-ciphers=: the TLS library has none of them"},
        {{.truststore = files.trust,
          .protocol = "TLSv1.3",
          .ciphers = "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"},
         "ssl-ciphers= has no suite of ssl-protocol=TLSv1.3"},
        {{.server = true}, "keystore=: a server needs a key"},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_tls *tls;
        struct cs_err err;

        assert_true(cs_tls_new(&rows[i].options, &tls, &err) != CS_OK);
        if (!strstr(err.text, rows[i].text))
            fail_msg("no '%s' in: %s", rows[i].text, err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_versions_get_through),
        cmocka_unit_test(moves_megabytes_without_a_gap),
        cmocka_unit_test(the_next_connection_resumes_the_session),
        cmocka_unit_test(both_ends_show_certificates),
        cmocka_unit_test(a_host_may_be_known_by_name),
        cmocka_unit_test(an_end_is_told),
        cmocka_unit_test(names_the_option_that_is_wrong),
    };

    return cmocka_run_group_tests(tests, make_files, remove_files);
}
