/* test_ring.c - replicas as Cassandra places them. */
#include "client/ring.h"

#include "support/vectors.h"

#define NODES_MAX 8

struct row {
    const char *what;
    const char *nodes[NODES_MAX]; /* data centre, rack, tokens; "-": not to be
                                     asked */
    const char *strategy;
    const char *options[3][2];
    int64_t token;
    const char *want; /* node indexes in order */
};

static const struct row rows[] = {
    {"one node takes all",
     {"dc1 r1 -5"},
     "SimpleStrategy",
     {{"replication_factor", "3"}},
     7,
     "0"},
    {"a token equal to a node's belongs to that node",
     {"dc1 r1 -100", "dc1 r1 0", "dc1 r1 100"},
     "org.apache.cassandra.locator.SimpleStrategy",
     {{"replication_factor", "2"}},
     0,
     "1 2"},
    {"one above belongs to the next",
     {"dc1 r1 -100", "dc1 r1 0", "dc1 r1 100"},
     "SimpleStrategy",
     {{"replication_factor", "2"}},
     1,
     "2 0"},
    {"behind the last token the ring closes",
     {"dc1 r1 -100", "dc1 r1 0", "dc1 r1 100"},
     "SimpleStrategy",
     {{"replication_factor", "1"}},
     101,
     "0"},
    {"a node with several tokens is taken once",
     {"dc1 r1 -100 10", "dc1 r1 0 20"},
     "SimpleStrategy",
     {{"replication_factor", "3"}},
     5,
     "0 1"},
    {"the other data centre does not count without a factor",
     {"dc1 r1 0", "dc2 r1 10", "dc1 r1 20"},
     "NetworkTopologyStrategy",
     {{"dc1", "2"}},
     5,
     "2 0"},
    {"each data centre has its own factor",
     {"dc1 r1 0", "dc2 r1 10", "dc1 r1 20", "dc2 r1 30"},
     "NetworkTopologyStrategy",
     {{"dc1", "1"}, {"dc2", "2"}},
     5,
     "2 1 3"},
    {"racks are used up before one is used again",
     {"dc1 r1 0", "dc1 r1 10", "dc1 r2 20", "dc1 r2 30"},
     "NetworkTopologyStrategy",
     {{"dc1", "2"}},
     -1,
     "0 2"},
    {"as many repeats as the factor is above the racks",
     {"dc1 r1 0", "dc1 r1 10", "dc1 r1 20", "dc1 r2 30"},
     "NetworkTopologyStrategy",
     {{"dc1", "3"}},
     -1,
     "0 1 3"},
    {"the same rack name in two data centres is two racks",
     {"dc1 r1 0", "dc2 r1 10", "dc2 r2 20"},
     "NetworkTopologyStrategy",
     {{"dc1", "1"}, {"dc2", "2"}},
     -1,
     "0 1 2"},
    {"a factor above the number of nodes takes all",
     {"dc1 r1 0", "dc1 r2 10"},
     "NetworkTopologyStrategy",
     {{"dc1", "5"}},
     -1,
     "0 1"},
    {"a transient factor counts in full",
     {"dc1 r1 0", "dc1 r1 10", "dc1 r1 20"},
     "NetworkTopologyStrategy",
     {{"dc1", "3/1"}},
     -1,
     "0 1 2"},
    {"nodes that must not be asked hold their place but are not listed",
     {"dc1 r1 0", "-dc1 r1 10", "dc1 r1 20"},
     "SimpleStrategy",
     {{"replication_factor", "2"}},
     -1,
     "0"},
    {"a factor of nothing lists nobody",
     {"dc1 r1 0"},
     "NetworkTopologyStrategy",
     {{"dc2", "3"}},
     -1,
     ""},
};

struct node_text {
    char datacenter[16];
    char rack[16];
    int64_t tokens[4];
};

static struct cs_ring_node read_node(const char *text, struct node_text *out)
{
    struct cs_ring_node node = {.datacenter = out->datacenter,
                                .rack = out->rack,
                                .tokens = out->tokens,
                                .usable = *text != '-'};
    long tokens[4];
    int count = sscanf(text + !node.usable, "%15s %15s %ld %ld %ld %ld",
                       out->datacenter, out->rack, &tokens[0], &tokens[1],
                       &tokens[2], &tokens[3]);

    assert_true(count >= 2);
    node.token_count = (size_t)count - 2;
    for (size_t i = 0; i < node.token_count; i++)
        out->tokens[i] = tokens[i];
    return node;
}

static struct cs_ring *make(const struct row *row)
{
    struct cs_ring_node nodes[NODES_MAX];
    struct node_text texts[NODES_MAX];
    struct cs_replication replication = {.strategy = CS_STRATEGY_NONE};
    struct cs_ring *ring;
    struct cs_err err;
    size_t count = 0;

    cs_replication_set_class(&replication, row->strategy);
    for (size_t i = 0; i < 3 && row->options[i][0]; i++)
        cs_replication_add(&replication, row->options[i][0],
                           row->options[i][1]);
    for (; count < NODES_MAX && row->nodes[count]; count++)
        nodes[count] = read_node(row->nodes[count], &texts[count]);
    assert_int_equal(cs_ring_new(nodes, count, &replication, &ring, &err), 0);
    return ring;
}

static void check(const struct row *row)
{
    struct cs_ring *ring = make(row);
    char got[64] = "";
    unsigned count;
    const uint16_t *replicas;

    assert_non_null(ring);
    replicas = cs_ring_replicas(ring, row->token, &count);
    for (unsigned i = 0; i < count; i++)
        sprintf(got + strlen(got), "%s%u", i ? " " : "", replicas[i]);
    if (strcmp(got, row->want) != 0)
        fail_msg("%s: got '%s', want '%s'", row->what, got, row->want);
    cs_ring_free(ring);
}

static void lists_those_that_may_not_be_asked_behind(void **state)
{
    static const struct row row = {
        .nodes = {"x x 0 100", "-x x 10 110", "x x 20 120"},
        .strategy = "SimpleStrategy",
        .options = {{"replication_factor", "3"}}};
    struct cs_ring *ring = make(&row);
    unsigned count;
    const uint16_t *nodes = cs_ring_replicas(ring, 5, &count);

    (void)state;
    assert_int_equal(count, 2);
    assert_int_equal(nodes[0], 2); /* ring order */
    assert_int_equal(nodes[1], 0);
    assert_ptr_equal(cs_ring_all_replicas(ring, 5, &count), nodes);
    assert_int_equal(count, 3);
    assert_int_equal(nodes[2], 1);
    cs_ring_free(ring);
}

static void keeps_the_roles_of_those_that_are_left(void **state)
{
    static const struct row row = {.nodes = {"a x 0", "-a x 10", "a x 20",
                                             "a x 30", "a x 40", "b x 50",
                                             "b x 60"},
                                   .strategy = "NetworkTopologyStrategy",
                                   .options = {{"a", "5"}, {"b", "1"}}};
    static const enum cs_replica_role want[] = {
        CS_ROLE_SECOND,  CS_ROLE_THIRD, CS_ROLE_FURTHER,
        CS_ROLE_FURTHER, CS_ROLE_FIRST, CS_ROLE_FIRST};
    struct cs_ring *ring = make(&row);
    unsigned count;
    const uint16_t *nodes = cs_ring_all_replicas(ring, 5, &count);

    (void)state;
    assert_int_equal(count, CS_COUNT(want));
    assert_int_equal(nodes[count - 1], 1); /* first, but not to be asked */
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(cs_ring_role(ring, &nodes[i]), want[i]);
    cs_ring_free(ring);
}

static void places_replicas_as_the_server_does(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++)
        check(&rows[i]);
}

static void finds_each_token_among_many(void **state)
{
    static const struct row row = {
        .nodes = {"x x 0 40 80 120", "x x 10 50 90 130", "x x 20 60 100 140",
                  "x x 30 70 110 150"},
        .strategy = "SimpleStrategy",
        .options = {{"replication_factor", "1"}}};
    struct cs_ring *ring = make(&row);

    (void)state;
    for (int64_t token = -5; token < 165; token++) {
        int64_t owner = token <= 0 || token > 150 ? 0 : (token + 9) / 10;
        unsigned count;
        const uint16_t *replicas = cs_ring_replicas(ring, token, &count);

        assert_int_equal(count, 1);
        if (replicas[0] != owner % 4)
            fail_msg("token %ld: node %u, want %ld", (long)token, replicas[0],
                     (long)(owner % 4));
    }
    cs_ring_free(ring);
}

static void has_no_ring_without_a_known_strategy(void **state)
{
    static const char *const names[] = {"LocalStrategy", "EverywhereStrategy",
                                        "org.example.Odd"};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(names); i++) {
        struct row row = {.nodes = {"dc1 r1 0"}, .strategy = names[i]};

        assert_null(make(&row));
    }
}

static void has_no_ring_without_tokens(void **state)
{
    static const struct row row = {.nodes = {"dc1 r1"},
                                   .strategy = "SimpleStrategy",
                                   .options = {{"replication_factor", "1"}}};

    (void)state;
    assert_null(make(&row));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_replicas_as_the_server_does),
        cmocka_unit_test(lists_those_that_may_not_be_asked_behind),
        cmocka_unit_test(keeps_the_roles_of_those_that_are_left),
        cmocka_unit_test(finds_each_token_among_many),
        cmocka_unit_test(has_no_ring_without_a_known_strategy),
        cmocka_unit_test(has_no_ring_without_tokens),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
