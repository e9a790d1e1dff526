/* test_socket.c - hosts as people type them, and addresses from bytes. */
#include "net/socket.h"

#include "support/vectors.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_host_and_port),
        cmocka_unit_test(refuses_a_host_longer_than_the_buffer),
        cmocka_unit_test(makes_addresses_from_bytes),
        cmocka_unit_test(knows_equal_addresses),
        cmocka_unit_test(names_the_host_that_nobody_knows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
