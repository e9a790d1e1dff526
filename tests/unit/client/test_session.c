/* test_session.c - operations against a server that misbehaves: each one ends
 * exactly once, in the right class. */
#include "session_fixture.h"

static const struct {
    const char *what;
    enum fake_mode mode;
    int error_code;
    bool other_id;
    enum cs_result_class want;
    const char *message; /* part of it */
    int executes;        /* seen by the server for one operation */
} rows[] = {
    {"void", FAKE_VOID, 0, false, CS_RESULT_OK, "", 1},
    {"unavailable", FAKE_ERROR, CS_SERVER_UNAVAILABLE, false,
     CS_RESULT_UNAVAILABLE, "as told", 1},
    {"overloaded", FAKE_ERROR, CS_SERVER_OVERLOADED, false,
     CS_RESULT_OVERLOADED, "as told", 1},
    {"invalid", FAKE_ERROR, CS_SERVER_INVALID, false, CS_RESULT_INVALID,
     "as told", 1},
    {"an unknown code", FAKE_ERROR, 0x7777, false, CS_RESULT_SERVER_ERROR,
     "as told", 1},
    {"protocol error", FAKE_ERROR, CS_SERVER_PROTOCOL_ERROR, false,
     CS_RESULT_PROTOCOL, "as told", 1},
    {"unprepared once", FAKE_UNPREPARED_ONCE, 0, false, CS_RESULT_OK, "", 2},
    {"unprepared for ever", FAKE_UNPREPARED, 0, false, CS_RESULT_UNPREPARED,
     "as told", 2},
    {"prepared under another id", FAKE_UNPREPARED_ONCE, 0, true,
     CS_RESULT_UNPREPARED, "another id", 1},
    {"reset", FAKE_RESET, 0, false, CS_RESULT_CONNECTION_LOST, "", 1},
    {"reset in a frame", FAKE_RESET_IN_FRAME, 0, false,
     CS_RESULT_CONNECTION_LOST, "", 1},
    {"an answer to no request", FAKE_STRANGER, 0, false,
     CS_RESULT_CONNECTION_LOST, "no request", 1},
    {"no answer at all", FAKE_NONSENSE, 0, false, CS_RESULT_PROTOCOL, "READY",
     1},
    {"the same page again", FAKE_SAME_PAGE, 0, false, CS_RESULT_PROTOCOL,
     "twice", 2},
};

static void each_fault_has_its_class(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct bed bed = {.driver = NULL};
        struct test_op test = {.done = 0};

        connect_bed(&bed, LIMIT_NS, 4);
        bed.server.error_code = rows[i].error_code;
        bed.server.other_id = rows[i].other_id;
        bed.server.mode = rows[i].mode;
        submit(&bed, &test, 0);
        finish(&bed, &test, 1);
        if (test.outcome.result != rows[i].want ||
            !strstr(test.message, rows[i].message) ||
            bed.server.executes != rows[i].executes)
            fail_msg("%s: got %s '%s' after %d executes", rows[i].what,
                     cs_result_class_name(test.outcome.result), test.message,
                     bed.server.executes);
        assert_true(test.outcome.sent);
        close_bed(&bed);
    }
}

static void goes_on_after_each_fault(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct bed bed = {.driver = NULL};
        struct test_op tests[OPS_MAX] = {{.done = 0}};

        connect_bed(&bed, LIMIT_NS, OPS_MAX);
        bed.server.error_code = rows[i].error_code;
        bed.server.mode = rows[i].mode;
        for (int k = 0; k < OPS_MAX; k++)
            submit(&bed, &tests[k], 0);
        finish(&bed, tests, OPS_MAX);
        bed.server.mode = FAKE_VOID;
        submit(&bed, &tests[0], 0);
        finish(&bed, tests, 1);
        assert_int_equal(tests[0].outcome.result, CS_RESULT_OK);
        close_bed(&bed);
    }
}

static void reads_all_pages(void **state)
{
    struct bed bed = {.driver = NULL};
    struct test_op test = {.done = 0};

    (void)state;
    connect_bed(&bed, LIMIT_NS, 1);
    bed.server.mode = FAKE_PAGES;
    submit(&bed, &test, 0);
    finish(&bed, &test, 1);
    assert_int_equal(test.outcome.result, CS_RESULT_OK);
    assert_int_equal(test.pages, FAKE_PAGES_COUNT);
    assert_int_equal(test.rows, 2 * FAKE_PAGES_COUNT);
    assert_int_equal(test.outcome.rows, 2 * FAKE_PAGES_COUNT);
    assert_int_equal(bed.server.executes, FAKE_PAGES_COUNT);
    close_bed(&bed);
}

/* Where the next page begins is kept by the caller from one operation to the
 * next, and stays as it is when one fails. */
static void reads_one_page_at_a_time(void **state)
{
    struct bed bed = {.driver = NULL};
    struct test_op test = {.done = 0};
    struct cs_buf page;

    (void)state;
    connect_bed(&bed, LIMIT_NS, 1);
    cs_buf_init(&page, 100);
    test.op.page = &page;
    for (int i = 1; i <= FAKE_PAGES_COUNT; i++) {
        size_t before = page.size;

        bed.server.mode = FAKE_ERROR;
        bed.server.error_code = 0x1200;
        submit(&bed, &test, 0);
        finish(&bed, &test, 1);
        assert_int_equal(page.size, before);
        bed.server.mode = FAKE_PAGES;
        submit(&bed, &test, 0);
        finish(&bed, &test, 1);
        assert_int_equal(test.outcome.result, CS_RESULT_OK);
        assert_int_equal(test.pages, 1);
        assert_int_equal(test.outcome.rows, 2);
        assert_int_equal(page.size, i < FAKE_PAGES_COUNT ? 4 : 0);
    }
    assert_int_equal(bed.server.executes, 2 * FAKE_PAGES_COUNT);
    cs_buf_release(&page);
    close_bed(&bed);
}

static void tells_that_a_condition_did_not_hold(void **state)
{
    struct bed bed = {.driver = NULL};
    struct test_op test = {.done = 0};

    (void)state;
    connect_bed(&bed, LIMIT_NS, 1);
    bed.server.mode = FAKE_APPLIED;
    submit(&bed, &test, 0);
    finish(&bed, &test, 1);
    assert_true(test.outcome.conditional);
    assert_false(test.outcome.applied);
    close_bed(&bed);
}

static void folds_warnings_that_differ_in_numbers(void **state)
{
    struct bed bed = {.driver = NULL};
    struct test_op tests[OPS_MAX] = {{.done = 0}};
    struct cs_server_warning warning;
    uint64_t others;

    (void)state;
    connect_bed(&bed, LIMIT_NS, OPS_MAX);
    bed.server.mode = FAKE_WARNING;
    for (int i = 0; i < OPS_MAX; i++)
        submit(&bed, &tests[i], 0);
    finish(&bed, tests, OPS_MAX);
    assert_int_equal(
        cs_cassandra_driver.warnings(bed.session, &warning, 1, &others), 1);
    assert_string_equal(warning.text, "batch of 1 bytes");
    assert_int_equal(warning.count, OPS_MAX);
    assert_int_equal(others, 0);
    close_bed(&bed);
}

static void prepares_once_for_all_that_wait(void **state)
{
    struct bed bed = {.driver = NULL};
    struct test_op tests[OPS_MAX] = {{.done = 0}};
    int before;

    (void)state;
    connect_bed(&bed, LIMIT_NS, 1);
    before = bed.server.prepares;
    bed.server.mode = FAKE_UNPREPARED_ONCE;
    for (int i = 0; i < OPS_MAX; i++)
        submit(&bed, &tests[i], 0);
    finish(&bed, tests, OPS_MAX);
    assert_int_equal(bed.server.prepares - before, 1);
    for (int i = 0; i < OPS_MAX; i++)
        assert_int_equal(tests[i].outcome.result, CS_RESULT_OK);
    close_bed(&bed);
}

/* A stream id used again before the late answer came would give that answer to
 * the second operation. */
static void a_late_answer_is_nobodys(void **state)
{
    struct bed bed = {.driver = NULL};
    struct test_op tests[8] = {{.done = 0}};
    struct test_op later[8] = {{.done = 0}};

    (void)state;
    connect_bed(&bed, 30 * CS_NS_PER_MS, 1);
    bed.server.mode = FAKE_HOLD;
    for (int i = 0; i < 8; i++)
        submit(&bed, &tests[i], 0);
    finish(&bed, tests, 8);
    for (int i = 0; i < 8; i++)
        assert_int_equal(tests[i].outcome.result, CS_RESULT_CLIENT_TIMEOUT);
    bed.server.mode = FAKE_RELEASE;
    while (bed.server.held_count)
        pass(&bed, 5);
    bed.server.mode = FAKE_ERROR;
    bed.server.error_code = CS_SERVER_INVALID;
    for (int i = 0; i < 8; i++)
        submit(&bed, &later[i], 0);
    finish(&bed, later, 8);
    for (int i = 0; i < 8; i++)
        assert_int_equal(later[i].outcome.result, CS_RESULT_INVALID);
    assert_int_equal(bed.server.accepted, 2); /* control and one more */
    close_bed(&bed);
}

/* Bytes are missing for ever: no later answer could be told from them. */
static void half_a_message_costs_one_time_out(void **state)
{
    struct bed bed = {.driver = NULL};
    struct test_op test = {.done = 0};

    (void)state;
    connect_bed(&bed, 300 * CS_NS_PER_MS, 1);
    bed.server.mode = FAKE_HALF;
    submit(&bed, &test, 0);
    finish(&bed, &test, 1);
    assert_int_equal(test.outcome.result, CS_RESULT_CLIENT_TIMEOUT);
    bed.server.mode = FAKE_VOID;
    for (int i = 0; i < 200 && bed.server.accepted < 3; i++)
        pass(&bed, 20);
    assert_int_equal(bed.server.accepted, 3); /* control, two in turn */
    submit(&bed, &test, 0);
    finish(&bed, &test, 1);
    assert_int_equal(test.outcome.result, CS_RESULT_OK);
    close_bed(&bed);
}

struct watched {
    struct bed *bed;
    struct test_op tests[OPS_MAX];
    _Atomic bool done;
};

static void *run_watched(void *arg)
{
    struct watched *watched = arg;

    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < OPS_MAX; i++)
            submit(watched->bed, &watched->tests[i], 0);
        finish(watched->bed, watched->tests, OPS_MAX);
        for (int i = 0; i < OPS_MAX; i++)
            watched->tests[i].op.values = (struct cs_buf){.data = NULL};
    }
    watched->done = true;
    return NULL;
}

/* What the main thread does during a run; the thread sanitizer looks on. */
static void can_be_watched_by_the_main_thread(void **state)
{
    struct bed bed = {.driver = NULL};
    static struct watched watched;
    pthread_t thread;
    struct cs_node_traffic traffic = {.requests = 0};
    struct cs_server_warning warning;
    struct cs_err err;

    (void)state;
    connect_bed(&bed, LIMIT_NS, OPS_MAX);
    watched.bed = &bed;
    bed.server.mode = FAKE_WARNING;
    assert_int_equal(pthread_create(&thread, NULL, run_watched, &watched), 0);
    while (!watched.done) {
        assert_int_equal(ops->traffic(bed.session, &traffic, 1), 1);
        ops->warnings(bed.session, &warning, 1, NULL);
        assert_int_equal(cs_cluster_publish(bed.driver, &err), 0);
        ops->handle_events(bed.driver);
        ops->wake(bed.session);
        usleep(200);
    }
    pthread_join(thread, NULL);
    ops->traffic(bed.session, &traffic, 1);
    assert_int_equal(traffic.requests, 50 * OPS_MAX);
    assert_int_equal(traffic.roles[CS_ROLE_FIRST], 50 * OPS_MAX);
    assert_int_equal(traffic.connections, 2);
    close_bed(&bed);
}

static void refuses_values_that_are_cut_off(void **state)
{
    struct bed bed = {.driver = NULL};
    struct test_op test = {.done = 0};

    (void)state;
    connect_bed(&bed, LIMIT_NS, 1);
    submit(&bed, &test, 0);
    finish(&bed, &test, 1);
    test.op.values = (struct cs_buf){.max = 64};
    test.done = 0;
    cs_buf_put(&test.op.values, "\0\0\0\1k", 5);
    test.op.row_count = 3; /* a batch, but the values of one row */
    ops->submit(bed.session, &test.op);
    finish(&bed, &test, 1);
    assert_int_equal(test.outcome.result, CS_RESULT_INVALID);
    assert_false(test.outcome.sent);
    assert_int_equal(bed.server.executes, 1);
    close_bed(&bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_has_its_class),
        cmocka_unit_test(goes_on_after_each_fault),
        cmocka_unit_test(reads_all_pages),
        cmocka_unit_test(reads_one_page_at_a_time),
        cmocka_unit_test(tells_that_a_condition_did_not_hold),
        cmocka_unit_test(folds_warnings_that_differ_in_numbers),
        cmocka_unit_test(prepares_once_for_all_that_wait),
        cmocka_unit_test(a_late_answer_is_nobodys),
        cmocka_unit_test(half_a_message_costs_one_time_out),
        cmocka_unit_test(can_be_watched_by_the_main_thread),
        cmocka_unit_test(refuses_values_that_are_cut_off),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
