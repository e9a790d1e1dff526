/* test_routes.c - where requests go that their ring alone does not place: what
 * a session learns of tablets, and when it forgets it. */
#include "client/routes.h"

#include "client/session_internal.h"
#include "protocol/tablets.h"
#include "support/vectors.h"

#define NODES 4

/* Three nodes of a data centre, one of another; one table. */
struct bed {
    struct cs_connection_config config;
    struct cs_snapshot snapshot;
    struct cs_snapshot_node nodes[NODES];
    struct cs_snapshot_table table;
    struct cs_ring *rings[1];
    struct cs_session session;
    struct cs_prepared prepared;
    struct cs_operation op;
    struct cs_route route;
};

static const char *const hosts[] = {"host of node 0--", "host of node 1--",
                                    "host of node 2--", "host of node 3--",
                                    "host of nobody--"};

static void make_ring(struct bed *bed)
{
    static const int64_t tokens[] = {0, 1000, 2000, 3000};
    struct cs_replication replication = {.strategy = CS_STRATEGY_SIMPLE,
                                         .factor = 3};
    struct cs_ring_node nodes[NODES];
    struct cs_err err;

    for (int i = 0; i < NODES; i++)
        nodes[i] = (struct cs_ring_node){.datacenter = "dc",
                                         .rack = "r",
                                         .tokens = &tokens[i],
                                         .token_count = 1,
                                         .usable = true};
    assert_int_equal(
        cs_ring_new(nodes, NODES, &replication, &bed->rings[0], &err), CS_OK);
}

static void set_up(struct bed *bed)
{
    memset(bed, 0, sizeof(*bed));
    bed->config.tablets = true;
    for (int i = 0; i < NODES; i++) {
        memcpy(bed->nodes[i].host_id, hosts[i], 16);
        bed->nodes[i].present = bed->nodes[i].wanted = true;
        bed->nodes[i].datacenter = i == 3 ? 3 : 0;
    }
    make_ring(bed);
    bed->snapshot = (struct cs_snapshot){.nodes = bed->nodes,
                                         .node_count = NODES,
                                         .rings = bed->rings,
                                         .ring_count = 1,
                                         .tables = &bed->table,
                                         .table_count = 1};
    bed->session.config = &bed->config;
    bed->session.snapshot = &bed->snapshot;
    bed->prepared.ring = CS_RING_NONE;
    bed->prepared.statement.driver_data = &bed->prepared;
    bed->op.statement = &bed->prepared.statement;
    bed->op.has_token = true;
}

static void tear_down(struct bed *bed)
{
    cs_tablets_free(bed->session.tablets);
    cs_ring_free(bed->rings[0]);
}

/* Tokens 1 to 100; the digits are indexes of hosts. */
static void tell(struct bed *bed, const char *replicas)
{
    struct cs_told_tablet told = {.first = 0, .last = 100};
    struct cs_buf buf;

    for (; replicas[told.count]; told.count++) {
        told.replicas[told.count].host_id =
            (const uint8_t *)hosts[replicas[told.count] - '0'];
        told.replicas[told.count].shard = (uint16_t)(told.count + 5);
    }
    cs_buf_init(&buf, 4096);
    cs_tablet_put(&buf, &told);
    cs_routes_learn(&bed->session, &bed->op, cs_view_of(buf.data, buf.size));
    cs_buf_release(&buf);
}

static const struct cs_route *look(struct bed *bed, int64_t token)
{
    bed->op.token = token;
    cs_route_find(&bed->session, &bed->op, NULL, &bed->route);
    return &bed->route;
}

static bool by_ring(struct bed *bed, int64_t token)
{
    const struct cs_route *route = look(bed, token);

    return route->ring == bed->rings[0] && !route->count;
}

static bool nowhere(struct bed *bed, int64_t token)
{
    const struct cs_route *route = look(bed, token);

    return !route->ring && !route->count;
}

/* ---- what is learned ---- */

static const struct {
    const char *told;
    const char *nodes; /* '-': not known */
    const char *roles;
} rows[] = {
    {"0", "0", "0"},
    {"210", "210", "012"},
    {"031", "031", "001"},
    {"3012", "3012", "0012"},
    {"141", "1-1", "031"},
    {"40", "-0", "30"},
    {"01201", "01201", "01233"},
};

static void asks_the_replicas_that_it_was_told_of(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        const struct cs_route *route;
        struct bed bed;

        set_up(&bed);
        assert_true(by_ring(&bed, 50));
        tell(&bed, rows[i].told);
        print_message("%s\n", rows[i].told);
        route = look(&bed, 50);
        assert_null(route->ring);
        assert_int_equal(route->count, strlen(rows[i].told));
        for (unsigned k = 0; k < route->count; k++) {
            assert_int_equal(route->replicas[k].node,
                             rows[i].nodes[k] == '-' ? CS_NODE_UNKNOWN
                                                     : rows[i].nodes[k] - '0');
            assert_int_equal(route->replicas[k].shard, k + 5);
            assert_int_equal(route->replicas[k].role, rows[i].roles[k] - '0');
        }
        assert_int_equal(bed.session.counts.tablets_told, 1);
        tear_down(&bed);
    }
}

static void knows_that_the_ring_means_nothing_to_such_a_table(void **state)
{
    struct bed bed;

    (void)state;
    set_up(&bed);
    assert_false(cs_routes_bypass(&bed.session, 0));
    tell(&bed, "1");
    assert_true(nowhere(&bed, 101));
    assert_true(nowhere(&bed, 0));
    assert_true(cs_routes_bypass(&bed.session, 0));
    assert_false(cs_routes_bypass(&bed.session, 1));
    /* Another table of the keyspace. */
    bed.prepared.table = 1;
    assert_true(by_ring(&bed, 50));
    tear_down(&bed);
}

static void learns_nothing_from_what_it_cannot_use(void **state)
{
    struct cs_operation text = {.cql = "SELECT"};
    struct bed bed;

    (void)state;
    set_up(&bed);
    tell(&bed, "4"); /* nobody that is known */
    assert_true(by_ring(&bed, 50));
    cs_routes_learn(&bed.session, &text, cs_view_text("x"));
    bed.prepared.table = 7; /* the snapshot does not have it yet */
    tell(&bed, "0");
    bed.prepared.table = 0;
    bed.config.tablets = false; /* it was not asked for */
    tell(&bed, "0");
    assert_true(by_ring(&bed, 50));
    assert_int_equal(bed.session.warnings.kept, 0);
    tear_down(&bed);
}

static void says_once_that_a_payload_makes_no_sense(void **state)
{
    struct bed bed;

    (void)state;
    set_up(&bed);
    tell(&bed, "0");
    for (int i = 0; i < 3; i++)
        cs_routes_learn(&bed.session, &bed.op, cs_view_text("nonsense"));
    cs_routes_learn(&bed.session, &bed.op, cs_view_of("", 0));
    assert_int_equal(bed.session.warnings.kept, 1);
    assert_int_equal(bed.session.warnings.items[0].count, 4);
    assert_int_equal(look(&bed, 50)->count, 1);
    tear_down(&bed);
}

/* ---- what is forgotten ---- */

static void forgets_a_node_that_has_left(void **state)
{
    struct bed bed;

    (void)state;
    set_up(&bed);
    tell(&bed, "12");
    bed.nodes[0].present = false;
    cs_routes_review(&bed.session);
    assert_int_equal(look(&bed, 50)->count, 2);
    bed.nodes[2].present = false;
    cs_routes_review(&bed.session);
    assert_true(by_ring(&bed, 50));
    tell(&bed, "12"); /* late news: of a node that is gone nothing is known */
    assert_int_equal(look(&bed, 50)->replicas[1].node, CS_NODE_UNKNOWN);
    tear_down(&bed);
}

static void asks_again_when_it_may_know_more_nodes(void **state)
{
    struct bed bed;

    (void)state;
    set_up(&bed);
    bed.snapshot.node_count = 3;
    tell(&bed, "03");
    assert_int_equal(look(&bed, 50)->replicas[1].node, CS_NODE_UNKNOWN);
    bed.snapshot.node_count = 4;
    cs_routes_review(&bed.session);
    assert_true(by_ring(&bed, 50));
    tell(&bed, "03");
    cs_routes_review(&bed.session);
    assert_int_equal(look(&bed, 50)->replicas[1].node, 3);
    tear_down(&bed);
}

static void forgets_a_table_that_was_changed(void **state)
{
    struct bed bed;

    (void)state;
    set_up(&bed);
    tell(&bed, "0");
    cs_routes_review(&bed.session);
    assert_int_equal(look(&bed, 50)->count, 1);
    bed.table.age = 1;
    cs_routes_review(&bed.session);
    assert_true(by_ring(&bed, 50));
    bed.table.age = 2; /* the first news of it come at this age */
    cs_tablets_free(bed.session.tablets);
    bed.session.tablets = NULL;
    tell(&bed, "1");
    cs_routes_review(&bed.session);
    assert_int_equal(look(&bed, 50)->count, 1);
    assert_int_equal(look(&bed, 50)->replicas[0].node, 1);
    tear_down(&bed);
}

/* ---- conditional statements ---- */

static void keeps_the_order_of_replicas_for_conditions(void **state)
{
    const struct cs_route *route;
    struct bed bed;

    (void)state;
    set_up(&bed);
    bed.prepared.conditional = true;
    route = look(&bed, 1500); /* the third node's, then round the ring */
    assert_true(route->in_order);
    assert_null(route->ring);
    assert_int_equal(route->count, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(route->replicas[i].node, (i + 2) % NODES);
        assert_int_equal(route->replicas[i].shard, CS_SHARD_BY_TOKEN);
        assert_int_equal(route->replicas[i].role, i);
    }
    tell(&bed, "31");
    route = look(&bed, 50);
    assert_true(route->in_order);
    assert_int_equal(route->replicas[0].node, 3);
    bed.op.has_token = false;
    assert_true(nowhere(&bed, 50));
    tear_down(&bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asks_the_replicas_that_it_was_told_of),
        cmocka_unit_test(knows_that_the_ring_means_nothing_to_such_a_table),
        cmocka_unit_test(learns_nothing_from_what_it_cannot_use),
        cmocka_unit_test(says_once_that_a_payload_makes_no_sense),
        cmocka_unit_test(forgets_a_node_that_has_left),
        cmocka_unit_test(asks_again_when_it_may_know_more_nodes),
        cmocka_unit_test(forgets_a_table_that_was_changed),
        cmocka_unit_test(keeps_the_order_of_replicas_for_conditions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
