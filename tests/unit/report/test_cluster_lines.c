/* test_cluster_lines.c - what is said of a run's cluster, and what is not. */
#include "report/cluster_lines.h"

#include "support/vectors.h"

#define S INT64_C(1000000000)

static const struct row {
    const char *what;
    struct cs_node_share shares[4];
    size_t count;
    const char *want;
} rows[] = {
    {"a single node has it all",
     {{.name = "a:1",
       .requests = 10,
       .roles = {[CS_ROLE_FIRST] = 6, [CS_ROLE_NONE] = 4}}},
     1,
     ""},
    {"servers without replicas have shares only",
     {{.name = "a:1", .requests = 3, .roles = {[CS_ROLE_UNKNOWN] = 3}},
      {.name = "b:1", .requests = 1, .roles = {[CS_ROLE_UNKNOWN] = 1}}},
     2,
     "# requests per node: a:1 3 (75.0%), b:1 1 (25.0%)\n"},
    {"with one copy all are the first",
     {{.name = "a:1", .requests = 3, .roles = {[CS_ROLE_FIRST] = 3}},
      {.name = "b:1", .requests = 0}},
     2,
     "# requests per node (100.0% to a replica): a:1 3 (100.0%), b:1 0 "
     "(0.0%)\n"},
    {"what has no token is not held against the routing",
     {{.name = "a:1",
       .requests = 1500,
       .roles = {[CS_ROLE_FIRST] = 500,
                 [CS_ROLE_SECOND] = 250,
                 [CS_ROLE_THIRD] = 100,
                 [CS_ROLE_FURTHER] = 50,
                 [CS_ROLE_UNKNOWN] = 600}},
      {.name = "b:1", .requests = 100, .roles = {[CS_ROLE_NONE] = 100}}},
     2,
     "# requests per node (90.0% to a replica): a:1 1,500 (93.8%), b:1 100 "
     "(6.3%)\n"
     "# requests per replica of their partition: first 500 (31.3%), second 250 "
     "(15.6%), third 100 (6.3%), further ones 50 (3.1%), no replica 100 "
     "(6.3%), not known 600 (37.5%)\n"},
    {"shards are counted where they are known, on a single node, too",
     {{.name = "a:1",
       .requests = 3000,
       .roles = {[CS_ROLE_FIRST] = 3000},
       .shard_known = 2000,
       .shard_right = 1999}},
     1,
     "# requests to the shard of their partition: 1,999 of 2,000 (100.0%)\n"},
    {"nodes that come and go in a run without requests",
     {{.name = "a:1", .joined_ns = 12 * S, .first_request_ns = 12 * S + S / 2},
      {.name = "b:1", .joined_ns = 11 * S, .left_ns = 13 * S},
      {.name = "c:1", .joined_ns = 2 * S, .left_ns = 3 * S}},
     3,
     "# node a:1 joined after 2.0 s, the first request reached it 0.5 s later\n"
     "# node b:1 joined after 1.0 s, no request reached it\n"
     "# node b:1 left after 3.0 s\n"},
};

static void says_what_means_something(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_extra extra = {0};
        struct cs_buf text;

        cs_buf_init(&text, 4096);
        cs_put_cluster_lines(
            &text, &(struct cs_cluster_facts){.start_ns = 10 * S,
                                              .shares = rows[i].shares,
                                              .share_count = rows[i].count,
                                              .extra = &extra});
        print_message("%s\n", rows[i].what);
        assert_string_equal(cs_buf_text(&text), rows[i].want);
        cs_buf_release(&text);
    }
}

static void tells_what_levels_cost_with_several_copies(void **state)
{
    struct cs_extra extra = {.fan_outs = {{"QUORUM", true, 2, 3},
                                          {"ONE", false, 1, 3},
                                          {"ONE", true, 1, 1}},
                             .fan_out_count = 3};
    struct cs_buf text;

    (void)state;
    cs_buf_init(&text, 4096);
    cs_put_cluster_lines(&text, &(struct cs_cluster_facts){.extra = &extra});
    assert_string_equal(
        cs_buf_text(&text),
        "# each read at QUORUM waits for 2 of 3 replicas, so it makes 2 reads "
        "in the cluster\n"
        "# each write at ONE waits for 1 of 3 replicas, and is sent to all "
        "3\n");
    cs_buf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_means_something),
        cmocka_unit_test(tells_what_levels_cost_with_several_copies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
