/* test_tls.c - two encrypted links against each other over a pair of sockets:
 * what gets through, and what is said when they do not agree. */
#include "net/link.h"
#include "net/tls.h"

#include "support/keys.h"

#include <sys/socket.h>

struct end {
    struct cs_link link;
    struct cs_buf got;
    int opened;
    int lost;
    struct cs_err why;
};

/* A client and a server in one loop. */
struct both {
    struct cs_link_group group;
    struct cs_tls *client_tls;
    struct cs_tls *server_tls;
    struct cs_address address;
    struct end client;
    struct end server;
};

/* Stores of all kinds, as files. */
static struct {
    struct folder folder;
    struct pair authority;
    char trust[512];
    char others[512];  /* an authority nobody has a certificate of */
    char node[512];    /* 127.0.0.1 and node1 */
    char expired[512]; /* likewise, but no more */
    char client[512];
} files;

static struct end *of(struct cs_link *link)
{
    return CS_CONTAINER(link, struct end, link);
}

static void on_opened(struct cs_link *link)
{
    of(link)->opened++;
}

static size_t on_input(struct cs_link *link, const uint8_t *bytes, size_t size)
{
    cs_buf_put(&of(link)->got, bytes, size);
    return size;
}

static void on_lost(struct cs_link *link, const struct cs_err *why)
{
    of(link)->lost++;
    of(link)->why = *why;
}

static const struct cs_link_ops ops = {
    .opened = on_opened, .input = on_input, .lost = on_lost};

static const char *make_file(const char *name, bool with_key,
                             const struct pair_plan *plan, char *out)
{
    struct pair pair;

    pair_make(&pair, plan);
    snprintf(out, 512, "%s", folder_file(&files.folder, name));
    pair_write(&pair, out, with_key, NULL);
    pair_free(&pair);
    return out;
}

static int make_files(void **state)
{
    const char *hosts = "IP:127.0.0.1,DNS:node1";

    (void)state;
    folder_open(&files.folder);
    pair_make(&files.authority, &(struct pair_plan){.name = "authority",
                                                    .authority = true,
                                                    .days = 30});
    snprintf(files.trust, sizeof(files.trust), "%s",
             folder_file(&files.folder, "trust.pem"));
    pair_write(&files.authority, files.trust, false, NULL);
    make_file(
        "others.pem", false,
        &(struct pair_plan){.name = "stranger", .authority = true, .days = 30},
        files.others);
    make_file("node.pem", true,
              &(struct pair_plan){.name = "node",
                                  .hosts = hosts,
                                  .issuer = &files.authority,
                                  .days = 30},
              files.node);
    make_file("expired.pem", true,
              &(struct pair_plan){.name = "expired",
                                  .hosts = hosts,
                                  .issuer = &files.authority,
                                  .days = -1},
              files.expired);
    make_file("client.pem", true,
              &(struct pair_plan){
                  .name = "client", .issuer = &files.authority, .days = 30},
              files.client);
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    pair_free(&files.authority);
    folder_remove(&files.folder);
    return 0;
}

/* ---- both ends ---- */

static struct cs_tls_options client_options(void)
{
    return (struct cs_tls_options){.truststore = files.trust,
                                   .verify_host = true};
}

static struct cs_tls_options server_options(void)
{
    return (struct cs_tls_options){
        .truststore = files.trust, .keystore = files.node, .server = true};
}

static void start(struct both *both, const struct cs_tls_options *client,
                  const struct cs_tls_options *server)
{
    static const uint8_t loopback[4] = {127, 0, 0, 1};
    struct cs_err err;

    memset(both, 0, sizeof(*both));
    assert_true(cs_address_from_bytes(loopback, 4, 9042, &both->address));
    assert_int_equal(cs_loop_new(&both->group.loop, &err), 0);
    if (client && cs_tls_new(client, &both->client_tls, &err))
        fail_msg("%s", err.text);
    if (server && cs_tls_new(server, &both->server_tls, &err))
        fail_msg("%s", err.text);
}

static void take(struct both *both, struct end *end, struct cs_tls *tls, int fd)
{
    struct cs_err err;

    cs_buf_init(&end->got, 64 << 20);
    cs_link_init(&end->link, &both->group, &ops, 64 << 20, 1 << 20);
    cs_link_secure(&end->link, tls, &both->address);
    assert_int_equal(cs_link_take_socket(&end->link, fd, &err), 0);
    assert_int_equal(cs_link_is_open(&end->link), tls == NULL);
}

static void join(struct both *both)
{
    int fds[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds),
                     0);
    take(both, &both->client, both->client_tls, fds[0]);
    take(both, &both->server, both->server_tls, fds[1]);
}

static void part(struct both *both)
{
    cs_link_release(&both->client.link);
    cs_link_release(&both->server.link);
    cs_buf_release(&both->client.got);
    cs_buf_release(&both->server.got);
    both->client = both->server =
        (struct end){.link = {.watch = {.fd = -1}}, .opened = 0};
}

static void stop(struct both *both)
{
    part(both);
    cs_tls_free(both->client_tls);
    cs_tls_free(both->server_tls);
    cs_loop_free(both->group.loop);
}

static void pass(struct both *both)
{
    struct cs_err err;

    assert_int_equal(cs_loop_wait(both->group.loop, 0, &err), 0);
    cs_link_flush_all(&both->group);
}

static void passes(struct both *both)
{
    for (int i = 0; i < 30; i++)
        pass(both);
}

static void say(struct end *end, const char *text)
{
    cs_buf_puts(&end->link.out, text);
    cs_link_touch(&end->link);
}

static void exchange(struct both *both)
{
    passes(both);
    if (both->client.lost || both->server.lost)
        fail_msg("client: %s, server: %s", both->client.why.text,
                 both->server.why.text);
    assert_int_equal(both->client.opened, 1);
    assert_int_equal(both->server.opened, 1);
    say(&both->client, "hello");
    passes(both);
    say(&both->server, "good day");
    passes(both);
    assert_string_equal(cs_buf_text(&both->server.got), "hello");
    assert_string_equal(cs_buf_text(&both->client.got), "good day");
}

/* ---- what gets through ---- */

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

/* ---- what does not ---- */

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

/* ---- options ---- */

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
        cmocka_unit_test(refuses_a_certificate_that_is_not_right),
        cmocka_unit_test(the_check_of_the_host_can_be_off),
        cmocka_unit_test(says_that_a_client_certificate_is_wanted),
        cmocka_unit_test(says_that_no_version_or_suite_is_common),
        cmocka_unit_test(knows_a_server_that_speaks_no_tls),
        cmocka_unit_test(tells_of_an_end_within_the_handshake),
        cmocka_unit_test(names_the_option_that_is_wrong),
    };

    return cmocka_run_group_tests(tests, make_files, remove_files);
}
