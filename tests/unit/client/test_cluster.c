/* test_cluster.c - connecting: contact points, versions, nodes and which of
 * them are asked; schema changes. */
#include "client/client.h"
#include "client/cluster.h"

#include "support/fake_server.h"

struct bed {
    struct fake_server server;
    char address[32];
    const char *hosts[4];
    struct cs_settings settings;
    struct cs_driver *driver;
};

static const struct cs_driver_ops *const ops = &cs_cassandra_driver;

static void set_up(struct bed *bed)
{
    memset(bed, 0, sizeof(*bed));
    fake_start(&bed->server);
    snprintf(bed->address, sizeof(bed->address), "127.0.0.1:%d",
             bed->server.port);
    bed->hosts[0] = bed->address;
    bed->settings.node.hosts = bed->hosts;
    bed->settings.node.count = 1;
    bed->settings.port.native_port = bed->server.port;
    bed->settings.mode.protocol_version = 4;
    bed->settings.mode.max_pending = 128;
    bed->settings.mode.connections_per_host = 8;
}

static void tear_down(struct bed *bed)
{
    ops->close(bed->driver);
    fake_stop(&bed->server);
}

static void connect_bed(struct bed *bed)
{
    struct cs_err err;

    if (ops->connect(&bed->settings, &bed->driver, &err))
        fail_msg("%s", err.text);
}

static enum cs_code fail_to_connect(struct bed *bed, struct cs_err *err)
{
    enum cs_code rc = ops->connect(&bed->settings, &bed->driver, err);

    assert_int_not_equal(rc, CS_OK);
    assert_null(bed->driver);
    return rc;
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' lacks '%s'", text, part);
}

static const struct fake_peer peers[] = {
    {{127, 0, 0, 2}, "dc1", "r2", "host two ------2", "100"},
    {{127, 0, 0, 3}, "dc2", "r1", "host three ----3", "200"},
    {{127, 0, 0, 4}, NULL, "r1", "host four -----4", "300"},
    {{127, 0, 0, 5}, "dc1", "r1", NULL, "400"},
    {{127, 0, 0, 6}, "dc1", "r1", "host six ------6", NULL},
};

static void reads_the_nodes_that_are_complete(void **state)
{
    (void)state;
    for (int old = 0; old < 2; old++) {
        struct bed bed;
        const struct cs_cluster_info *info;

        set_up(&bed);
        bed.server.old_peers = old;
        bed.server.peers = peers;
        bed.server.peer_count = CS_COUNT(peers);
        connect_bed(&bed);
        info = ops->info(bed.driver);
        assert_string_equal(info->name, "fake");
        assert_int_equal(info->node_count, 3);
        assert_string_equal(info->nodes[0].address, "127.0.0.1");
        assert_string_equal(info->nodes[1].address, "127.0.0.2");
        assert_string_equal(info->nodes[1].rack, "r2");
        assert_string_equal(info->nodes[2].datacenter, "dc2");
        assert_int_equal(info->nodes[1].port, bed.server.port);
        assert_true(info->nodes[0].allowed);
        assert_true(info->nodes[1].allowed);
        assert_false(info->nodes[2].allowed);
        tear_down(&bed);
    }
}

/* Of all nodes, those of other data centres included: their ring is one. */
static void gives_the_tokens_of_the_ring_ascending(void **state)
{
    static const struct fake_peer ring[] = {
        {{127, 0, 0, 2}, "dc1", "r1", "1123456789abcdef", "77"},
        {{127, 0, 0, 3},
         "dc2",
         "r1",
         "2123456789abcdef",
         "-9223372036854775808"},
        {{127, 0, 0, 4}, "dc1", NULL, "3123456789abcdef", "5"}, /* joining */
        {{127, 0, 0, 5}, "dc1", "r2", "4123456789abcdef", "-4"},
    };
    static const int64_t want[] = {INT64_MIN, -4, 0, 77};
    int64_t *tokens = NULL;
    struct cs_err err;
    struct bed bed;
    size_t count;

    (void)state;
    set_up(&bed);
    bed.server.peers = ring;
    bed.server.peer_count = CS_COUNT(ring);
    connect_bed(&bed);
    assert_int_equal(ops->ring_tokens(bed.driver, &tokens, &count, &err),
                     CS_OK);
    assert_int_equal(count, CS_COUNT(want));
    assert_memory_equal(tokens, want, sizeof(want));
    free(tokens);
    bed.driver->has_tokens = false; /* of another partitioner */
    assert_int_equal(ops->ring_tokens(bed.driver, &tokens, &count, &err),
                     CS_EUNSUPPORTED);
    assert_has(err.text, "Murmur3Partitioner");
    tear_down(&bed);
}

static void asks_only_the_data_centre_that_is_named(void **state)
{
    struct bed bed;
    const struct cs_cluster_info *info;

    (void)state;
    set_up(&bed);
    bed.server.peers = peers;
    bed.server.peer_count = CS_COUNT(peers);
    bed.settings.node.datacenter = "dc2";
    connect_bed(&bed);
    info = ops->info(bed.driver);
    assert_false(info->nodes[0].allowed);
    assert_false(info->nodes[1].allowed);
    assert_true(info->nodes[2].allowed);
    tear_down(&bed);
}

static void names_the_data_centres_there_are(void **state)
{
    struct bed bed;
    struct cs_err err;

    (void)state;
    set_up(&bed);
    bed.server.peers = peers;
    bed.server.peer_count = CS_COUNT(peers);
    bed.settings.node.datacenter = "DC1";
    assert_int_equal(fail_to_connect(&bed, &err), CS_EUSAGE);
    assert_has(err.text, "'DC1'");
    assert_has(err.text, "dc1, dc2");
    tear_down(&bed);
}

static void asks_only_listed_nodes_with_a_white_list(void **state)
{
    struct bed bed;
    const struct cs_cluster_info *info;

    (void)state;
    set_up(&bed);
    bed.server.peers = peers;
    bed.server.peer_count = CS_COUNT(peers);
    bed.settings.node.white_list = true;
    connect_bed(&bed);
    info = ops->info(bed.driver);
    assert_true(info->nodes[0].allowed);
    assert_false(info->nodes[1].allowed);
    tear_down(&bed);
}

static void shows_the_name_of_a_contact_point(void **state)
{
    struct bed bed;
    char host[64];

    (void)state;
    set_up(&bed);
    snprintf(host, sizeof(host), "localhost:%d", bed.server.port);
    bed.hosts[0] = host;
    connect_bed(&bed);
    assert_string_equal(ops->info(bed.driver)->nodes[0].host_name, "localhost");
    /* ::1 may have been tried in vain: the name answers all the same */
    assert_null(ops->notice(bed.driver, 0));
    tear_down(&bed);
}

static void goes_on_past_dead_contact_points_and_tells(void **state)
{
    struct bed bed;

    (void)state;
    set_up(&bed);
    bed.hosts[0] = "127.0.0.77:1";
    bed.hosts[1] = "no such host";
    bed.hosts[2] = bed.address;
    bed.settings.node.count = 3;
    connect_bed(&bed);
    assert_has(ops->notice(bed.driver, 0), "no such host");
    assert_has(ops->notice(bed.driver, 1), "127.0.0.77:1");
    assert_null(ops->notice(bed.driver, 2));
    tear_down(&bed);
}

/* A closed connection is no word about versions: the next one is asked, in the
 * newest version. */
static void goes_on_past_a_contact_point_that_only_closes(void **state)
{
    struct fake_server closing;
    char address[32];
    struct bed bed;

    (void)state;
    set_up(&bed);
    fake_start(&closing);
    closing.refuse = true;
    snprintf(address, sizeof(address), "127.0.0.1:%d", closing.port);
    bed.settings.mode.protocol_version = 0;
    bed.hosts[0] = address;
    bed.hosts[1] = bed.address;
    bed.settings.node.count = 2;
    connect_bed(&bed);
    assert_int_equal(ops->info(bed.driver)->protocol_version, 4);
    assert_has(ops->notice(bed.driver, 0), address);
    tear_down(&bed);
    fake_stop(&closing);
}

static void names_every_contact_point_when_none_answers(void **state)
{
    struct bed bed;
    struct cs_err err;

    (void)state;
    set_up(&bed);
    bed.hosts[0] = "127.0.0.77:1";
    bed.hosts[1] = "no such host";
    bed.settings.node.count = 2;
    assert_int_equal(fail_to_connect(&bed, &err), CS_ECONNECT);
    assert_int_equal(strncmp(err.text, "NoHostAvailableException: ", 26), 0);
    assert_has(err.text, "/127.0.0.77:1: ");
    assert_has(err.text, "no such host");
    tear_down(&bed);
}

static void takes_the_newest_version_of_the_server(void **state)
{
    struct bed bed;

    (void)state;
    set_up(&bed);
    bed.settings.mode.protocol_version = 0;
    connect_bed(&bed);
    assert_int_equal(ops->info(bed.driver)->protocol_version, 4);
    tear_down(&bed);
}

static void never_takes_another_version_than_typed(void **state)
{
    struct bed bed;
    struct cs_err err;

    (void)state;
    set_up(&bed);
    bed.settings.mode.protocol_version = 5;
    fail_to_connect(&bed, &err);
    assert_int_equal(bed.server.accepted, 1);
    tear_down(&bed);
}

static void waits_until_the_nodes_agree(void **state)
{
    struct bed bed;
    struct cs_err err;
    int64_t waited_ns = 0;

    (void)state;
    set_up(&bed);
    bed.server.peers = peers;
    bed.server.peer_count = 1;
    connect_bed(&bed);
    bed.server.disagree = 3;
    assert_int_equal(ops->execute(bed.driver, " /* x */ CREATE TABLE t",
                                  CS_CL_ONE, &waited_ns, &err),
                     0);
    assert_int_equal(bed.server.disagree, 0);
    assert_true(waited_ns > 20000000);
    assert_null(ops->notice(bed.driver, 0));
    tear_down(&bed);
}

static void tries_a_schema_change_again(void **state)
{
    struct bed bed;
    struct cs_err err;

    (void)state;
    set_up(&bed);
    connect_bed(&bed);
    bed.server.ddl_fails = 1;
    bed.server.error_code = CS_SERVER_ERROR;
    assert_int_equal(
        ops->execute(bed.driver, "CREATE TABLE t", CS_CL_ONE, NULL, &err), 0);
    assert_int_equal(bed.server.creates, 2);
    tear_down(&bed);
}

static void gives_a_refusal_to_the_caller_at_once(void **state)
{
    struct bed bed;
    struct cs_err err;

    (void)state;
    set_up(&bed);
    connect_bed(&bed);
    bed.server.ddl_fails = 9;
    bed.server.error_code = CS_SERVER_INVALID;
    assert_int_equal(
        ops->execute(bed.driver, "CREATE TABLE t", CS_CL_ONE, NULL, &err),
        CS_ESERVER);
    assert_int_equal(err.server_code, CS_SERVER_INVALID);
    assert_has(err.text, "as told");
    assert_int_equal(bed.server.creates, 1);
    tear_down(&bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_nodes_that_are_complete),
        cmocka_unit_test(gives_the_tokens_of_the_ring_ascending),
        cmocka_unit_test(asks_only_the_data_centre_that_is_named),
        cmocka_unit_test(names_the_data_centres_there_are),
        cmocka_unit_test(asks_only_listed_nodes_with_a_white_list),
        cmocka_unit_test(shows_the_name_of_a_contact_point),
        cmocka_unit_test(goes_on_past_dead_contact_points_and_tells),
        cmocka_unit_test(goes_on_past_a_contact_point_that_only_closes),
        cmocka_unit_test(names_every_contact_point_when_none_answers),
        cmocka_unit_test(takes_the_newest_version_of_the_server),
        cmocka_unit_test(never_takes_another_version_than_typed),
        cmocka_unit_test(waits_until_the_nodes_agree),
        cmocka_unit_test(tries_a_schema_change_again),
        cmocka_unit_test(gives_a_refusal_to_the_caller_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
