/* test_socket.c - hosts as people type them, and addresses from bytes. */
#include "net/socket.h"

#include "support/vectors.h"

#include <limits.h>
#include <netinet/in.h>
#include <unistd.h>

static const struct {
    const char *text;
    const char *host; /* NULL: refused */
    int port;
} split_rows[] = {
    {"localhost", "localhost", 9042},
    {"10.0.0.1", "10.0.0.1", 9042},
    {"10.0.0.1:9999", "10.0.0.1", 9999},
    {"node.example.org:1", "node.example.org", 1},
    {"::1", "::1", 9042},
    {"fe80::1:2", "fe80::1:2", 9042},
    {"[::1]", "::1", 9042},
    {"[::1]:65535", "::1", 65535},
    {"", NULL, 0},
    {":9042", NULL, 0},
    {"host:", NULL, 0},
    {"host:0", NULL, 0},
    {"host:65536", NULL, 0},
    {"host:90x", NULL, 0},
    {"[::1", NULL, 0},
    {"[]:1", NULL, 0},
};

static void splits_host_and_port(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(split_rows); i++) {
        char host[64] = "";
        int port = 0;
        struct cs_err err;
        enum cs_code rc = cs_address_split(split_rows[i].text, 9042, host,
                                           sizeof(host), &port, &err);

        if (!split_rows[i].host) {
            if (rc != CS_EUSAGE)
                fail_msg("'%s' was taken", split_rows[i].text);
            continue;
        }
        if (rc || strcmp(host, split_rows[i].host) != 0 ||
            port != split_rows[i].port)
            fail_msg("'%s' gave '%s' and %d", split_rows[i].text, host, port);
    }
}

static void refuses_a_host_longer_than_the_buffer(void **state)
{
    char host[8];
    int port;
    struct cs_err err;

    (void)state;
    assert_int_equal(
        cs_address_split("12345678", 1, host, sizeof(host), &port, &err),
        CS_EUSAGE);
    assert_int_equal(
        cs_address_split("1234567", 1, host, sizeof(host), &port, &err), 0);
}

static void makes_addresses_from_bytes(void **state)
{
    static const uint8_t v6[16] = {[15] = 1};
    struct cs_address address;

    (void)state;
    assert_true(cs_address_from_bytes("\x7f\0\0\2", 4, 9042, &address));
    assert_string_equal(address.text, "127.0.0.2");
    assert_int_equal(address.port, 9042);
    assert_true(cs_address_from_bytes(v6, 16, 1, &address));
    assert_string_equal(address.text, "::1");
    assert_false(cs_address_from_bytes("abc", 3, 1, &address));
    assert_false(cs_address_from_bytes("", 0, 1, &address));
}

static void knows_equal_addresses(void **state)
{
    struct cs_address a;
    struct cs_address b;
    struct cs_address found[4];
    struct cs_err err;
    size_t count;

    (void)state;
    assert_int_equal(
        cs_address_resolve("127.0.0.2", 9042, found, 4, &count, &err), 0);
    assert_int_equal(count, 1);
    assert_true(cs_address_from_bytes("\x7f\0\0\2", 4, 9042, &a));
    assert_true(cs_address_from_bytes("\x7f\0\0\2", 4, 9043, &b));
    assert_true(cs_address_equal(&a, &found[0]));
    assert_false(cs_address_equal(&a, &b));
}

static void names_the_host_that_nobody_knows(void **state)
{
    struct cs_address found[4];
    struct cs_err err;
    size_t count;

    (void)state;
    assert_int_equal(
        cs_address_resolve("no such host", 9042, found, 4, &count, &err),
        CS_ECONNECT);
    assert_non_null(strstr(err.text, "no such host: "));
}

static const struct {
    unsigned count;
    unsigned remainder;
    unsigned n;
    int port;
} source_rows[] = {
    {1, 0, 0, 49152},    {1, 0, 16383, 65535}, {1, 0, 16384, 0},
    {8, 0, 0, 49152},    {8, 7, 0, 49159},     {8, 7, 1, 49167},
    {7, 0, 0, 49154},    {7, 6, 0, 49153},     {8, 7, 2047, 65535},
    {8, 7, 2048, 0},     {4096, 0, 4, 0},      {4096, 4095, 3, 65535},
    {8, 0, UINT_MAX, 0},
};

static void counts_ports_by_their_remainder(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(source_rows); i++) {
        struct cs_source_ports ports = {.count = source_rows[i].count,
                                        .remainder = source_rows[i].remainder};

        assert_int_equal(cs_source_port(&ports, source_rows[i].n),
                         source_rows[i].port);
    }
}

/* A socket that listens on a port of loopback. */
static int listen_somewhere(struct cs_address *out)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in in;
    socklen_t size = sizeof(in);

    assert_true(cs_address_from_bytes("\x7f\0\0\1", 4, 0, out));
    assert_int_equal(bind(fd, (struct sockaddr *)&out->sa, out->size), 0);
    assert_int_equal(listen(fd, 16), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&in, &size), 0);
    cs_address_set_port(out, ntohs(in.sin_port));
    return fd;
}

/* From the same start each time: those in use are passed over. */
static void connects_from_a_port_of_its_choice(void **state)
{
    struct cs_source_ports ports = {.count = 7, .remainder = 3, .start = 100};
    struct cs_address address;
    int listener = listen_somewhere(&address);
    int fds[8];

    (void)state;
    for (int i = 0; i < 8; i++) {
        struct sockaddr_in in;
        socklen_t size = sizeof(in);
        struct cs_err err;

        if (cs_socket_connect_from(&address, &ports, &fds[i], &err))
            fail_msg("%s", err.text);
        assert_int_equal(getsockname(fds[i], (struct sockaddr *)&in, &size), 0);
        assert_int_equal(ntohs(in.sin_port) % 7, 3);
    }
    for (int i = 0; i < 8; i++)
        close(fds[i]);
    close(listener);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_host_and_port),
        cmocka_unit_test(refuses_a_host_longer_than_the_buffer),
        cmocka_unit_test(makes_addresses_from_bytes),
        cmocka_unit_test(knows_equal_addresses),
        cmocka_unit_test(names_the_host_that_nobody_knows),
        cmocka_unit_test(counts_ports_by_their_remainder),
        cmocka_unit_test(connects_from_a_port_of_its_choice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
