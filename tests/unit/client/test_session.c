/* test_session.c - operations against a server that misbehaves: each one ends
 * exactly once, in the right class. */
#include "base/clock.h"
#include "client/client.h"
#include "client/cluster.h"

#include "support/fake_server.h"

#define OPS_MAX 64
/* Far above what any of these tests needs. */
#define LIMIT_NS (20 * CS_NS_PER_S)

struct bed {
    struct fake_server server;
    char address[32];
    const char *hosts[1];
    struct cs_settings settings;
    struct cs_driver *driver;
    struct cs_session *session;
    const struct cs_statement *statement;
};

struct test_op {
    struct cs_operation op;
    int done;
    struct cs_outcome outcome;
    char message[256];
    int pages;
    uint32_t rows;
};

static const struct cs_driver_ops *const ops = &cs_cassandra_driver;

static void connect_bed(struct bed *bed, int64_t timeout_ns, int in_flight)
{
    struct cs_statement_options options = {.cl = CS_CL_ONE};
    struct cs_err err;

    fake_start(&bed->server);
    snprintf(bed->address, sizeof(bed->address), "127.0.0.1:%d",
             bed->server.port);
    bed->hosts[0] = bed->address;
    bed->settings.node.hosts = bed->hosts;
    bed->settings.node.count = 1;
    bed->settings.mode.protocol_version = 4;
    if (!bed->settings.mode.max_pending_typed)
        bed->settings.mode.max_pending = 128;
    bed->settings.mode.connections_per_host = 2;
    if (ops->connect(&bed->settings, &bed->driver, &err))
        fail_msg("%s", err.text);
    bed->driver->request_timeout_ns = timeout_ns;
    if (ops->prepare(bed->driver, "ks", "INSERT INTO ks.t (k) VALUES (?)",
                     &options, &bed->statement, &err) ||
        ops->session_new(bed->driver, in_flight, &bed->session, &err))
        fail_msg("%s", err.text);
}

static void close_bed(struct bed *bed)
{
    ops->session_free(bed->session);
    ops->close(bed->driver);
    fake_stop(&bed->server);
}

static void on_done(struct cs_operation *op, const struct cs_outcome *outcome)
{
    struct test_op *test = CS_CONTAINER(op, struct test_op, op);
    size_t size = CS_MIN(outcome->message_size, sizeof(test->message) - 1);

    test->done++;
    test->outcome = *outcome;
    memcpy(test->message, outcome->message, size);
    test->message[size] = 0;
}

static void on_rows(struct cs_operation *op, const struct cs_rows *rows)
{
    struct test_op *test = CS_CONTAINER(op, struct test_op, op);

    test->pages++;
    test->rows += rows->row_count;
}

static void submit(struct bed *bed, struct test_op *test, unsigned attempt)
{
    struct cs_buf values = test->op.values;
    struct cs_buf *page = test->op.page;

    memset(test, 0, sizeof(*test));
    if (!values.data) {
        cs_buf_init(&values, 64);
        cs_buf_put(&values, "\0\0\0\1k", 5);
    }
    test->op = (struct cs_operation){.statement = bed->statement,
                                     .values = values,
                                     .row_count = 1,
                                     .timestamp_us = INT64_MIN,
                                     .has_token = true,
                                     .attempt = attempt,
                                     .page = page,
                                     .on_rows = on_rows,
                                     .on_done = on_done};
    ops->submit(bed->session, &test->op);
    assert_int_equal(test->done, 0);
}

static void pass(struct bed *bed, int64_t ms)
{
    struct cs_err err;

    if (ops->poll(bed->session, cs_now_ns() + ms * CS_NS_PER_MS, &err))
        fail_msg("%s", err.text);
}

static void finish(struct bed *bed, struct test_op *tests, int count)
{
    int64_t end_ns = cs_now_ns() + LIMIT_NS;

    for (int i = 0; i < count; i++)
        while (!tests[i].done && cs_now_ns() < end_ns)
            pass(bed, 50);
    for (int i = 0; i < count; i++) {
        assert_int_equal(tests[i].done, 1);
        cs_buf_release(&tests[i].op.values);
    }
}

/* ---- */

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
    assert_int_equal(traffic.replica_requests, 50 * OPS_MAX);
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
        cmocka_unit_test(makes_a_connection_anew_that_owes_too_many_answers),
        cmocka_unit_test(waits_for_the_only_node_to_come_back),
        cmocka_unit_test(says_which_nodes_were_tried_when_none_comes_back),
        cmocka_unit_test(queues_what_a_typed_limit_does_not_let_through),
        cmocka_unit_test(spreads_requests_over_the_connections_asked_for),
        cmocka_unit_test(can_be_watched_by_the_main_thread),
        cmocka_unit_test(refuses_values_that_are_cut_off),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
