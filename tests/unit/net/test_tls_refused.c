/* test_tls_refused.c - encrypted links that do not come about, and what is said
 * of the reason. */
#include "tls_fixture.h"

static void expect_refusal(const struct cs_tls_options *client,
                           const struct cs_tls_options *server,
                           const uint8_t address[4], const char *text)
{
    struct both both;

    start(&both, client, server);
    if (address)
        assert_true(cs_address_from_bytes(address, 4, 9042, &both.address));
    join(&both);
    passes(&both);
    /* The refusal of a client may come behind the end of its handshake. */
    if (!both.client.lost)
        say(&both.client, "hello");
    passes(&both);
    assert_int_equal(both.client.lost, 1);
    assert_int_equal(both.server.got.size, 0);
    assert_int_equal(both.client.why.code, CS_ETLS);
    if (!strstr(both.client.why.text, text))
        fail_msg("no '%s' in: %s", text, both.client.why.text);
    stop(&both);
}

static void refuses_a_certificate_that_is_not_right(void **state)
{
    static const uint8_t elsewhere[4] = {127, 0, 0, 2};
    struct cs_tls_options client = client_options();
    struct cs_tls_options server = server_options();

    (void)state;
    expect_refusal(&client, &server, elsewhere,
                   "is for 127.0.0.1, node1, not for 127.0.0.2 (-transport "
                   "hostname-verification=false turns this check off)");
    server.keystore = files.expired;
    expect_refusal(&client, &server, NULL,
                   "the certificate 'CN=expired' has expired at ");
    server.keystore = files.early;
    expect_refusal(&client, &server, NULL,
                   "the certificate 'CN=early' is valid only from ");
    server.keystore = files.node;
    client.truststore = files.others;
    expect_refusal(&client, &server, NULL, "is not vouched for by truststore=");
}

static void the_check_of_the_host_can_be_off(void **state)
{
    static const uint8_t elsewhere[4] = {127, 0, 0, 2};
    struct cs_tls_options client = client_options();
    struct cs_tls_options server = server_options();
    struct both both;

    (void)state;
    client.verify_host = false;
    start(&both, &client, &server);
    assert_true(cs_address_from_bytes(elsewhere, 4, 9042, &both.address));
    join(&both);
    exchange(&both);
    stop(&both);
}

static void says_that_a_client_certificate_is_wanted(void **state)
{
    static const char *const protocols[] = {"TLSv1.2", "TLSv1.3"};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(protocols); i++) {
        struct cs_tls_options client = client_options();
        struct cs_tls_options server = server_options();

        client.protocol = protocols[i];
        server.ask_client = true;
        expect_refusal(&client, &server, NULL,
                       "give -transport keystore= and keystore-password=");
        client.keystore = files.client;
        server.truststore = files.others;
        expect_refusal(&client, &server, NULL,
                       "does not take the certificate of -transport keystore=");
    }
}

static void says_that_no_version_or_suite_is_common(void **state)
{
    struct cs_tls_options client = client_options();
    struct cs_tls_options server = server_options();

    (void)state;
    client.protocol = "TLSv1.3";
    server.protocol = "TLSv1.2";
    expect_refusal(&client, &server, NULL, "ssl-protocol=");
    client.protocol = NULL;
    client.ciphers = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";
    server.ciphers = "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384";
    expect_refusal(&client, &server, NULL, "ssl-ciphers=");
}

static void knows_a_server_that_speaks_no_tls(void **state)
{
    /* The answer of a Cassandra to a version it does not know. */
    static const char answer[] =
        "\x85\0\0\0\0\0\0\0\x10\0\0\0\x0a\0\x0aWhat is i";
    struct cs_tls_options client = client_options();
    struct both both;

    (void)state;
    start(&both, &client, NULL);
    join(&both);
    passes(&both);
    assert_true(both.server.got.size > 0);
    cs_buf_put(&both.server.link.out, answer, sizeof(answer) - 1);
    cs_link_touch(&both.server.link);
    passes(&both);
    assert_int_equal(both.client.lost, 1);
    assert_non_null(strstr(both.client.why.text, "speaks no TLS on this port"));
    stop(&both);
}

static void tells_of_an_end_within_the_handshake(void **state)
{
    struct cs_tls_options client = client_options();
    struct both both;

    (void)state;
    start(&both, &client, NULL);
    join(&both);
    passes(&both);
    cs_link_close(&both.server.link);
    passes(&both);
    assert_int_equal(both.client.lost, 1);
    assert_int_equal(both.client.why.code, CS_ECONNECT);
    assert_non_null(strstr(both.client.why.text, "is this port encrypted?"));
    stop(&both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_a_certificate_that_is_not_right),
        cmocka_unit_test(the_check_of_the_host_can_be_off),
        cmocka_unit_test(says_that_a_client_certificate_is_wanted),
        cmocka_unit_test(says_that_no_version_or_suite_is_common),
        cmocka_unit_test(knows_a_server_that_speaks_no_tls),
        cmocka_unit_test(tells_of_an_end_within_the_handshake),
    };

    return cmocka_run_group_tests(tests, make_files, remove_files);
}
