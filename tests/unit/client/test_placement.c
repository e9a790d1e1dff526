/* test_placement.c - which nodes of a cluster with two data centres and three
 * racks are asked, and which of them first. */
#include "base/clock.h"
#include "client/client.h"
#include "client/cluster.h"

#include "support/fake_server.h"

static const struct cs_driver_ops *const ops = &cs_cassandra_driver;

/* The server itself is 127.0.0.1, dc1, rack r1; nobody listens at the others.
 */
static const struct fake_peer peers[] = {
    {{127, 0, 0, 2}, "dc1", "r2", "host two ------2", "100"},
    {{127, 0, 0, 3}, "dc2", "r1", "host three ----3", "200"},
    {{127, 0, 0, 4}, "dc2", "r1", "host four -----4", "300"},
};

#define NODES 4

struct bed {
    struct fake_server server;
    char address[32];
    const char *hosts[1];
    struct cs_settings settings;
    struct cs_driver *driver;
};

static enum cs_code start(struct bed *bed, const struct cs_settings_node *node,
                          struct cs_err *err)
{
    memset(bed, 0, sizeof(*bed));
    fake_start(&bed->server);
    bed->server.peers = peers;
    bed->server.peer_count = CS_COUNT(peers);
    snprintf(bed->address, sizeof(bed->address), "127.0.0.1:%d",
             bed->server.port);
    bed->hosts[0] = bed->address;
    bed->settings.node = *node;
    bed->settings.node.hosts = bed->hosts;
    bed->settings.node.count = 1;
    bed->settings.port.native_port = bed->server.port;
    bed->settings.mode.protocol_version = 4;
    bed->settings.mode.max_pending = 128;
    bed->settings.mode.connections_per_host = 1;
    return ops->connect(&bed->settings, &bed->driver, err);
}

static void end(struct bed *bed)
{
    ops->close(bed->driver);
    fake_stop(&bed->server);
}

static const struct {
    struct cs_settings_node node;
    const char *ranks; /* a digit per node; '-': not asked at all */
} rows[] = {
    {{0}, "00--"},
    {{.datacenter = "dc2"}, "--00"},
    {{.remote_dc_hosts = 1}, "002-"},
    {{.remote_dc_hosts = 5}, "0022"},
    {{.datacenter = "dc2", .remote_dc_hosts = 1}, "2-00"},
    {{.balance = CS_BALANCE_ALL}, "0000"},
    {{.balance = CS_BALANCE_RACK}, "01--"},
    {{.balance = CS_BALANCE_RACK, .rack = "r2"}, "10--"},
    {{.balance = CS_BALANCE_RACK, .rack = "r2", .remote_dc_hosts = 2}, "1022"},
    {{.balance = CS_BALANCE_ALL, .white_list = true}, "0---"},
};

static void ranks_the_nodes(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct bed bed;
        struct cs_err err;
        char got[NODES + 1] = "";

        if (start(&bed, &rows[i].node, &err))
            fail_msg("row %zu: %s", i, err.text);
        assert_int_equal(bed.driver->node_count, NODES);
        for (size_t n = 0; n < NODES; n++)
            got[n] = bed.driver->infos[n].allowed
                         ? (char)('0' + bed.driver->nodes[n].rank)
                         : '-';
        if (strcmp(got, rows[i].ranks) != 0)
            fail_msg("row %zu: want %s, got %s", i, rows[i].ranks, got);
        end(&bed);
    }
}

static void waits_as_long_as_it_is_told_to(void **state)
{
    struct cs_settings_node node = {.white_list = false};
    struct bed bed;
    struct cs_err err;
    struct cs_driver *driver = NULL;

    (void)state;
    assert_int_equal(start(&bed, &node, &err), CS_OK);
    assert_int_equal(bed.driver->request_timeout_ns, 12 * CS_NS_PER_S);
    bed.settings.mode.request_timeout_ms = 1500;
    assert_int_equal(ops->connect(&bed.settings, &driver, &err), CS_OK);
    assert_int_equal(driver->request_timeout_ns, 1500 * CS_NS_PER_MS);
    ops->close(driver);
    end(&bed);
}

static void refuses_a_rack_that_is_not_there(void **state)
{
    struct cs_settings_node node = {.balance = CS_BALANCE_RACK, .rack = "r9"};
    struct bed bed;
    struct cs_err err;

    (void)state;
    assert_int_equal(start(&bed, &node, &err), CS_EUSAGE);
    assert_non_null(strstr(err.text, "rack 'r9': one is in rack 'r1'"));
    fake_stop(&bed.server);
}

static int done;

static void on_done(struct cs_operation *op, const struct cs_outcome *outcome)
{
    (void)op;
    done += outcome->result == CS_RESULT_OK ? 1 : -100;
}

/* Sends requests through one session; the only node that lives is the server.
 */
static void send_some(struct bed *bed)
{
    struct cs_statement_options options = {.cl = CS_CL_ONE};
    const struct cs_statement *statement;
    struct cs_operation ten[10];
    struct cs_session *session;
    struct cs_err err;

    if (ops->prepare(bed->driver, "ks", "INSERT INTO ks.t (k) VALUES (?)",
                     &options, &statement, &err) ||
        ops->session_new(bed->driver, 10, &session, &err))
        fail_msg("%s", err.text);
    done = 0;
    for (size_t i = 0; i < CS_COUNT(ten); i++) {
        struct cs_buf values;

        cs_buf_init(&values, 64);
        cs_buf_put(&values, "\0\0\0\1k", 5);
        ten[i] = (struct cs_operation){.statement = statement,
                                       .values = values,
                                       .row_count = 1,
                                       .timestamp_us = INT64_MIN,
                                       .on_done = on_done};
        ops->submit(session, &ten[i]);
    }
    for (int i = 0; i < 1000 && done >= 0 && done < 10; i++)
        if (ops->poll(session, cs_now_ns() + 20 * CS_NS_PER_MS, &err))
            fail_msg("%s", err.text);
    assert_int_equal(done, 10);
    for (size_t i = 0; i < CS_COUNT(ten); i++)
        cs_buf_release(&ten[i].values);
    ops->session_free(session);
}

/* Neither the rack's nodes nor the data centre's are up: the next best is
 * asked. */
static void falls_back_to_farther_nodes(void **state)
{
    static const struct cs_settings_node nodes[] = {
        {.balance = CS_BALANCE_RACK, .rack = "r2"},
        {.datacenter = "dc2", .remote_dc_hosts = 1},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(nodes); i++) {
        struct bed bed;
        struct cs_err err;

        if (start(&bed, &nodes[i], &err))
            fail_msg("%s", err.text);
        send_some(&bed);
        end(&bed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_the_nodes),
        cmocka_unit_test(waits_as_long_as_it_is_told_to),
        cmocka_unit_test(refuses_a_rack_that_is_not_there),
        cmocka_unit_test(falls_back_to_farther_nodes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
