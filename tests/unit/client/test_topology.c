/* test_topology.c - nodes that join, leave, come back and change their address
 * while a session is at work. */
#include "base/clock.h"
#include "client/client.h"
#include "client/cluster.h"

#include "support/fake_server.h"

#include <poll.h>

/* Far above what any of these tests needs, on a busy machine, too. */
#define LIMIT_NS (60 * CS_NS_PER_S)
#define PASS_NS  (10 * CS_NS_PER_MS)

static const struct cs_driver_ops *const ops = &cs_cassandra_driver;

static const struct fake_peer second[] = {
    {{127, 0, 0, 2}, "dc1", "r1", "host two ------2", "100"},
};
/* The same node under another address. */
static const struct fake_peer moved[] = {
    {{127, 0, 0, 3}, "dc1", "r1", "host two ------2", "100"},
};
/* It has another token. */
static const struct fake_peer shifted[] = {
    {{127, 0, 0, 2}, "dc1", "r1", "host two ------2", "40"},
};
/* Its address with another node. */
static const struct fake_peer replaced[] = {
    {{127, 0, 0, 2}, "dc1", "r1", "host three ----3", "300"},
};

struct bed {
    struct fake_server server; /* asked for the topology: 127.0.0.1 */
    struct fake_server other;  /* 127.0.0.2, same port */
    char address[32];
    const char *hosts[1];
    struct cs_settings settings;
    struct cs_driver *driver;
    struct cs_session *session;
    const struct cs_statement *statement;
};

static struct bed bed;
static bool done;

static void set_up(void)
{
    struct cs_statement_options options = {.cl = CS_CL_ONE};
    struct cs_err err;

    memset(&bed, 0, sizeof(bed));
    fake_start(&bed.server);
    fake_start_at(&bed.other, 2, bed.server.port);
    snprintf(bed.address, sizeof(bed.address), "127.0.0.1:%d", bed.server.port);
    bed.hosts[0] = bed.address;
    bed.settings.node.hosts = bed.hosts;
    bed.settings.node.count = 1;
    bed.settings.port.native_port = bed.server.port;
    bed.settings.mode.protocol_version = 4;
    bed.settings.mode.max_pending = 128;
    bed.settings.mode.connections_per_host = 1;
    if (ops->connect(&bed.settings, &bed.driver, &err) ||
        ops->prepare(bed.driver, "ks", "INSERT INTO ks.t (k) VALUES (?)",
                     &options, &bed.statement, &err) ||
        ops->session_new(bed.driver, 1, &bed.session, &err))
        fail_msg("%s", err.text);
}

static void tear_down(void)
{
    ops->session_free(bed.session);
    ops->close(bed.driver);
    fake_stop(&bed.other);
    fake_stop(&bed.server);
}

static void on_done(struct cs_operation *op, const struct cs_outcome *outcome)
{
    (void)op;
    assert_int_equal(outcome->result, CS_RESULT_OK);
    done = true;
}

static void pass(void)
{
    struct cs_err err;

    if (ops->poll(bed.session, cs_now_ns() + PASS_NS, &err))
        fail_msg("%s", err.text);
}

static int64_t limit_ns(void)
{
    return cs_now_ns() + LIMIT_NS;
}

static void send_op(struct cs_operation op)
{
    int64_t end_ns = limit_ns();

    op.statement = bed.statement;
    op.row_count = 1;
    op.timestamp_us = INT64_MIN;
    op.on_done = on_done;
    cs_buf_init(&op.values, 64);
    cs_buf_put(&op.values, "\0\0\0\1k", 5);
    done = false;
    ops->submit(bed.session, &op);
    while (!done && cs_now_ns() < end_ns)
        pass();
    assert_true(done);
    cs_buf_release(&op.values);
}

/* One request, to whichever node's turn it is. */
static void send_one(void)
{
    send_op((struct cs_operation){.has_token = false});
}

/* The event arrives, and what it announces is read without the pause. */
static void hear_of(const struct fake_peer *peers, size_t count)
{
    struct pollfd wait = {.fd = ops->event_fd(bed.driver), .events = POLLIN};
    int64_t end_ns = limit_ns();

    bed.server.peer_count = 0;
    bed.server.peers = peers;
    bed.server.peer_count = count;
    bed.driver->refresh_ns = INT64_MAX;
    bed.server.news = true;
    while (bed.driver->refresh_ns == INT64_MAX && cs_now_ns() < end_ns) {
        poll(&wait, 1, 10);
        ops->handle_events(bed.driver);
    }
    assert_int_not_equal(bed.driver->refresh_ns, INT64_MAX);
    bed.driver->refresh_ns = 1;
    ops->handle_events(bed.driver);
}

static struct cs_node_traffic traffic_of(size_t node)
{
    struct cs_node_traffic traffic[4];

    assert_true(ops->traffic(bed.session, traffic, 4) > node);
    return traffic[node];
}

/* Sends until the server has had one of them. */
static void send_until_it_is_reached(struct fake_server *server)
{
    int before = server->executes;
    int64_t end_ns = limit_ns();

    while (server->executes == before && cs_now_ns() < end_ns) {
        send_one();
        pass();
    }
    assert_true(server->executes > before);
}

static bool has_notice(const char *part)
{
    const char *notice;

    for (size_t i = 0; (notice = ops->notice(bed.driver, i)); i++)
        if (strstr(notice, part))
            return true;
    return false;
}

static void asks_a_node_that_joins(void **state)
{
    struct cs_node_traffic traffic;
    int64_t before_ns;
    int64_t end_ns = limit_ns();

    (void)state;
    set_up();
    send_one();
    assert_int_equal(traffic_of(0).joined_ns, 0);
    before_ns = cs_now_ns();
    hear_of(second, 1);
    send_until_it_is_reached(&bed.other);
    while (!traffic_of(1).first_request_ns && cs_now_ns() < end_ns)
        pass();
    traffic = traffic_of(1);
    assert_true(traffic.joined_ns >= before_ns);
    assert_true(traffic.first_request_ns >= traffic.joined_ns);
    assert_int_equal(traffic.left_ns, 0);
    assert_true(has_notice("127.0.0.2") && has_notice("has joined"));
    tear_down();
}

static void looks_once_more_after_an_event(void **state)
{
    (void)state;
    set_up();
    hear_of(second, 1);
    assert_true(bed.driver->refresh_ns < cs_now_ns() + 20 * CS_NS_PER_S);
    bed.driver->refresh_ns = 1;
    ops->handle_events(bed.driver);
    assert_int_equal(bed.driver->refresh_ns, INT64_MAX);
    tear_down();
}

static void leaves_a_node_that_has_left(void **state)
{
    int executes;
    int64_t end_ns = limit_ns();

    (void)state;
    set_up();
    hear_of(second, 1);
    send_until_it_is_reached(&bed.other);
    hear_of(NULL, 0);
    while (traffic_of(1).connections && cs_now_ns() < end_ns)
        pass();
    assert_int_equal(traffic_of(1).connections, 0);
    executes = bed.other.executes;
    for (int i = 0; i < 20; i++)
        send_one();
    assert_int_equal(bed.other.executes, executes);
    assert_true(traffic_of(1).left_ns >= traffic_of(1).joined_ns);
    assert_true(has_notice("has left"));
    tear_down();
}

static void asks_a_node_again_that_comes_back(void **state)
{
    (void)state;
    set_up();
    hear_of(second, 1);
    send_until_it_is_reached(&bed.other);
    for (int i = 0; i < 3; i++) {
        hear_of(NULL, 0);
        send_one();
        hear_of(second, 1);
        send_until_it_is_reached(&bed.other);
    }
    assert_int_equal(traffic_of(1).left_ns, 0);
    tear_down();
}

static void follows_a_node_to_another_address(void **state)
{
    struct fake_server third;
    int64_t end_ns = limit_ns();

    (void)state;
    set_up();
    fake_start_at(&third, 3, bed.server.port);
    hear_of(second, 1);
    send_until_it_is_reached(&bed.other);
    hear_of(moved, 1);
    bed.other.kick = true;
    while (!third.accepted && cs_now_ns() < end_ns)
        pass();
    send_until_it_is_reached(&third);
    assert_int_equal(bed.driver->node_count, 2);
    assert_string_equal(traffic_of(1).address, "127.0.0.3");
    tear_down();
    fake_stop(&third);
}

/* Which of the two has a request with this token: 1 or 2. */
static int holder_of(int64_t token)
{
    int first = bed.server.executes;
    int second_one = bed.other.executes;

    send_op((struct cs_operation){.has_token = true, .token = token});
    assert_int_equal(bed.server.executes + bed.other.executes,
                     first + second_one + 1);
    return bed.server.executes > first ? 1 : 2;
}

/* The first node has token 0, and so all behind the other's. */
static void sends_by_the_tokens_that_a_node_has_moved_to(void **state)
{
    static const char *const heard[] = {"MOVED_NODE", NULL};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(heard); i++) {
        set_up();
        hear_of(second, 1);
        send_until_it_is_reached(&bed.other);
        assert_int_equal(holder_of(30), 2);
        assert_int_equal(holder_of(100), 2);
        assert_int_equal(holder_of(101), 1);
        bed.server.change = heard[i];
        if (heard[i]) {
            hear_of(shifted, 1);
        } else { /* found when the topology is read for another reason */
            bed.server.peers = shifted;
            bed.driver->refresh_ns = 1;
            ops->handle_events(bed.driver);
        }
        pass(); /* the session takes it */
        assert_int_equal(holder_of(30), 2);
        assert_int_equal(holder_of(40), 2);
        assert_int_equal(holder_of(41), 1);
        assert_int_equal(holder_of(100), 1);
        assert_int_equal(bed.driver->node_count, 2);
        assert_int_equal(traffic_of(1).left_ns, 0);
        tear_down();
    }
}

static void takes_a_replacement_for_another_node(void **state)
{
    (void)state;
    set_up();
    hear_of(second, 1);
    send_until_it_is_reached(&bed.other);
    hear_of(replaced, 1);
    send_until_it_is_reached(&bed.other);
    assert_int_equal(bed.driver->node_count, 3);
    assert_true(traffic_of(1).left_ns != 0);
    assert_true(traffic_of(2).joined_ns != 0 && !traffic_of(2).left_ns);
    tear_down();
}

static void keeps_its_nodes_when_they_cannot_be_read(void **state)
{
    (void)state;
    set_up();
    hear_of(second, 1);
    bed.server.error_code = CS_SERVER_OVERLOADED;
    bed.server.peers_fail = true;
    hear_of(NULL, 0);
    assert_true(bed.driver->nodes[1].present);
    assert_true(bed.driver->refresh_ns < cs_now_ns() + 2 * CS_NS_PER_S);
    send_until_it_is_reached(&bed.other);
    bed.server.peers_fail = false;
    bed.driver->refresh_ns = 1;
    ops->handle_events(bed.driver);
    assert_false(bed.driver->nodes[1].present);
    tear_down();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asks_a_node_that_joins),
        cmocka_unit_test(looks_once_more_after_an_event),
        cmocka_unit_test(leaves_a_node_that_has_left),
        cmocka_unit_test(asks_a_node_again_that_comes_back),
        cmocka_unit_test(follows_a_node_to_another_address),
        cmocka_unit_test(sends_by_the_tokens_that_a_node_has_moved_to),
        cmocka_unit_test(takes_a_replacement_for_another_node),
        cmocka_unit_test(keeps_its_nodes_when_they_cannot_be_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
