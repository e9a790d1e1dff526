/* test_hosts.c - where -node, ports and the socket lead to. */
#include "mysql/mysql_internal.h"
#include "support/vectors.h"

static const struct {
    const char *typed;
    const char *name; /* NULL: refused */
} rows[] = {
    {"localhost", "localhost:3306"},
    {"db1.example:3307", "db1.example:3307"},
    {"::1", "::1:3306"}, /* colons of an address are no port */
    {"[::1]", "::1:3306"},
    {"[::1]:3307", "::1:3307"},
    {"db1:", NULL},
    {"db1:0", NULL},
    {"db1:65536", NULL},
    {"db1:33o6", NULL},
    {":3306", NULL},
    {"[]:3306", NULL},
};

static void reads_hosts_and_ports(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_settings s = {.mode.port = 3306};
        const char *typed[] = {rows[i].typed};
        struct cs_mysql_host *hosts = NULL;
        struct cs_node_name name;
        struct cs_arena arena;
        struct cs_err err = {0};
        size_t count = 0;

        s.node.hosts = typed;
        s.node.count = 1;
        cs_arena_init(&arena);
        assert_int_equal(cs_mysql_hosts(&s, &arena, &hosts, &count, &err),
                         rows[i].name ? CS_OK : CS_EINVALID);
        if (rows[i].name) {
            assert_int_equal(count, 1);
            cs_mysql_host_name(hosts, &name);
            assert_string_equal(name.text, rows[i].name);
        } else {
            assert_non_null(strstr(err.text, rows[i].typed));
        }
        cs_arena_release(&arena);
    }
}

static void takes_the_socket_instead(void **state)
{
    struct cs_settings s = {.mode.port = 3306, .mode.socket = "/run/db.sock"};
    const char *typed[] = {"a", "b"};
    struct cs_mysql_host *hosts = NULL;
    struct cs_node_name name;
    struct cs_arena arena;
    struct cs_err err = {0};
    size_t count = 0;

    (void)state;
    s.node.hosts = typed;
    s.node.count = 2;
    cs_arena_init(&arena);
    assert_int_equal(cs_mysql_hosts(&s, &arena, &hosts, &count, &err), CS_OK);
    assert_int_equal(count, 1);
    cs_mysql_host_name(hosts, &name);
    assert_string_equal(name.text, "/run/db.sock");
    cs_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_hosts_and_ports),
        cmocka_unit_test(takes_the_socket_instead),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
