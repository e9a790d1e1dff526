/* test_session_pool.c - connections that are lost, made anew, full, or many. */
#include "client/session_internal.h"

#include "session_fixture.h"

static void makes_a_connection_anew_that_owes_too_many_answers(void **state)
{
    struct bed bed = {.driver = NULL};
    struct test_op tests[OPS_MAX] = {{.done = 0}};

    (void)state;
    connect_bed(&bed, 30 * CS_NS_PER_MS, 1);
    bed.server.mode = FAKE_HOLD;
    for (int i = 0; i < OPS_MAX; i++)
        submit(&bed, &tests[i], 0);
    finish(&bed, tests, OPS_MAX);
    for (int i = 0; i < 200 && bed.server.accepted < 3; i++)
        pass(&bed, 20);
    assert_int_equal(bed.server.accepted, 3);
    close_bed(&bed);
}

/* A node that is back within the time of a request costs no operation. */
static void waits_for_the_only_node_to_come_back(void **state)
{
    struct bed bed = {.driver = NULL};
    struct test_op test = {.done = 0};

    (void)state;
    connect_bed(&bed, LIMIT_NS, 1);
    bed.server.refuse = true;
    bed.server.kick = true;
    while (bed.server.kick)
        pass(&bed, 5);
    pass(&bed, 20);
    submit(&bed, &test, 0);
    for (int i = 0; i < 20; i++)
        pass(&bed, 10);
    assert_int_equal(test.done, 0);
    bed.server.refuse = false;
    finish(&bed, &test, 1);
    assert_int_equal(test.outcome.result, CS_RESULT_OK);
    close_bed(&bed);
}

static void says_which_nodes_were_tried_when_none_comes_back(void **state)
{
    struct bed bed = {.driver = NULL};
    struct test_op test = {.done = 0};

    (void)state;
    connect_bed(&bed, 100 * CS_NS_PER_MS, 1);
    bed.server.refuse = true;
    bed.server.kick = true;
    while (bed.server.kick)
        pass(&bed, 5);
    pass(&bed, 20);
    submit(&bed, &test, 0);
    finish(&bed, &test, 1);
    assert_int_equal(test.outcome.result, CS_RESULT_NO_HOST);
    assert_false(test.outcome.sent);
    assert_non_null(strstr(test.message, "/127.0.0.1:"));
    close_bed(&bed);
}

static void queues_what_a_typed_limit_does_not_let_through(void **state)
{
    struct bed bed = {
        .settings.mode = {.max_pending_typed = true, .max_pending = 2}};
    struct test_op tests[OPS_MAX] = {{.done = 0}};

    (void)state;
    connect_bed(&bed, LIMIT_NS, 1);
    bed.server.mode = FAKE_HOLD;
    for (int i = 0; i < OPS_MAX; i++)
        submit(&bed, &tests[i], 0);
    for (int i = 0; i < 10; i++)
        pass(&bed, 5);
    assert_int_equal(bed.server.executes, 2);
    bed.server.mode = FAKE_RELEASE;
    finish(&bed, tests, OPS_MAX);
    for (int i = 0; i < OPS_MAX; i++)
        assert_int_equal(tests[i].outcome.result, CS_RESULT_OK);
    close_bed(&bed);
}

/* Two connections for a load that one would carry, because they were asked
 * for; and each gets its half, again and again. */
static void spreads_requests_over_the_connections_asked_for(void **state)
{
    struct bed bed = {.settings.mode.connections_typed = true};
    struct test_op tests[8] = {{.done = 0}};

    (void)state;
    connect_bed(&bed, LIMIT_NS, 8);
    for (int round = 0; round < 5; round++) {
        int as_first = 0;

        for (int i = 0; i < 8; i++) {
            tests[i].op.values = (struct cs_buf){.data = NULL};
            submit(&bed, &tests[i], 0);
            as_first += tests[i].op.session.connection ==
                        tests[0].op.session.connection;
        }
        assert_int_equal(as_first, 4);
        finish(&bed, tests, 8);
    }
    close_bed(&bed);
}

/* Every connection is cut at once; how many were being opened at one moment,
 * at most, until all stood again. */
static unsigned most_opened_at_once(struct bed *bed)
{
    const struct cs_pool *pool = bed->session->pools[0];
    int64_t end_ns = cs_now_ns() + LIMIT_NS;
    unsigned all = pool->usable_count, most = 0;

    bed->server.kick = true;
    while (pool->usable_count == all && cs_now_ns() < end_ns)
        pass(bed, 5);
    while (pool->usable_count < all && cs_now_ns() < end_ns) {
        pass(bed, 5);
        most = CS_MAX(most, pool->channel_count - pool->usable_count);
    }
    assert_int_equal(pool->usable_count, all);
    return most;
}

static void opens_some_dozens_at_once_and_all_in_the_end(void **state)
{
    struct bed bed = {.settings.mode = {.connections_typed = true,
                                        .connections_per_host = 100}};

    (void)state;
    connect_bed(&bed, LIMIT_NS, 100);
    assert_int_equal(bed.session->pools[0]->usable_count, 100);
    assert_int_equal(most_opened_at_once(&bed), 32);
    close_bed(&bed);
}

/* A usual number is not kept back. */
static void opens_sixteen_at_once(void **state)
{
    struct bed bed = {.settings.mode = {.connections_typed = true,
                                        .connections_per_host = 16}};

    (void)state;
    connect_bed(&bed, LIMIT_NS, 16);
    assert_int_equal(most_opened_at_once(&bed), 15);
    close_bed(&bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_a_connection_anew_that_owes_too_many_answers),
        cmocka_unit_test(waits_for_the_only_node_to_come_back),
        cmocka_unit_test(says_which_nodes_were_tried_when_none_comes_back),
        cmocka_unit_test(queues_what_a_typed_limit_does_not_let_through),
        cmocka_unit_test(spreads_requests_over_the_connections_asked_for),
        cmocka_unit_test(opens_some_dozens_at_once_and_all_in_the_end),
        cmocka_unit_test(opens_sixteen_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
