/* session_fixture.h - a session with a server that misbehaves, and operations
 * of it. */
#ifndef CS_TESTS_SESSION_FIXTURE_H
#define CS_TESTS_SESSION_FIXTURE_H

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

static inline void connect_bed(struct bed *bed, int64_t timeout_ns,
                               int in_flight)
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
    if (!bed->settings.mode.connections_per_host)
        bed->settings.mode.connections_per_host = 2;
    if (ops->connect(&bed->settings, &bed->driver, &err))
        fail_msg("%s", err.text);
    bed->driver->request_timeout_ns = timeout_ns;
    if (ops->prepare(bed->driver, "ks", "INSERT INTO ks.t (k) VALUES (?)",
                     &options, &bed->statement, &err) ||
        ops->session_new(bed->driver, in_flight, &bed->session, &err))
        fail_msg("%s", err.text);
}

static inline void close_bed(struct bed *bed)
{
    ops->session_free(bed->session);
    ops->close(bed->driver);
    fake_stop(&bed->server);
}

static inline void on_done(struct cs_operation *op,
                           const struct cs_outcome *outcome)
{
    struct test_op *test = CS_CONTAINER(op, struct test_op, op);
    size_t size = CS_MIN(outcome->message_size, sizeof(test->message) - 1);

    test->done++;
    test->outcome = *outcome;
    memcpy(test->message, outcome->message, size);
    test->message[size] = 0;
}

static inline void on_rows(struct cs_operation *op, const struct cs_rows *rows)
{
    struct test_op *test = CS_CONTAINER(op, struct test_op, op);

    test->pages++;
    test->rows += rows->row_count;
}

static inline void submit(struct bed *bed, struct test_op *test,
                          unsigned attempt)
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

static inline void pass(struct bed *bed, int64_t ms)
{
    struct cs_err err;

    if (ops->poll(bed->session, cs_now_ns() + ms * CS_NS_PER_MS, &err))
        fail_msg("%s", err.text);
}

static inline void finish(struct bed *bed, struct test_op *tests, int count)
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

#endif
