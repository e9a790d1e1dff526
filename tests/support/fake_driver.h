/* fake_driver.h - a database in memory for tests of the run: answers every
 * operation at the next poll, by a script of the test. One test at a time. */
#ifndef CS_TESTS_SUPPORT_FAKE_DRIVER_H
#define CS_TESTS_SUPPORT_FAKE_DRIVER_H

#include "base/clock.h"
#include "driver/driver.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Decides the answer of an attempt: fills outcome (OK, no rows, when it does
 * nothing). false: no answer in this poll. */
typedef bool (*fake_answer_fn)(struct cs_operation *op,
                               struct cs_outcome *outcome);

static struct fake {
    fake_answer_fn answer;
    _Atomic uint64_t submitted;
    _Atomic uint64_t answered;
} fake;

struct cs_session {
    struct cs_operation *first;
    int wake_fd;
};

struct cs_driver {
    int event_fd;
    struct cs_arena arena;
};

static enum cs_code fake_table(struct cs_driver *driver, const char *keyspace,
                               const char *name, struct cs_arena *arena,
                               struct cs_table **out, struct cs_err *err)
{
    static const char *names[] = {"key", "C0", "C1"};
    static const struct cs_type blob = {.kind = CS_TYPE_BLOB};
    struct cs_table *table = cs_arena_alloc(arena, sizeof(*table));

    (void)driver;
    (void)err;
    table->keyspace = keyspace;
    table->name = name;
    table->columns = cs_arena_array(arena, 3, sizeof(*table->columns));
    table->column_count = 3;
    table->partition_count = 1;
    for (int i = 0; i < 3; i++)
        table->columns[i] = (struct cs_column){
            .name = names[i],
            .type = &blob,
            .kind = i ? CS_COLUMN_REGULAR : CS_COLUMN_PARTITION_KEY};
    *out = table;
    return CS_OK;
}

static enum cs_code fake_prepare(struct cs_driver *driver, const char *keyspace,
                                 const char *cql,
                                 const struct cs_statement_options *options,
                                 const struct cs_statement **out,
                                 struct cs_err *err)
{
    struct cs_statement *statement =
        cs_arena_alloc(&driver->arena, sizeof(*statement));

    (void)keyspace;
    (void)err;
    statement->cql = cql;
    statement->options = *options;
    *out = statement;
    return CS_OK;
}

static enum cs_code fake_session_new(struct cs_driver *driver, int in_flight,
                                     struct cs_session **out,
                                     struct cs_err *err)
{
    (void)driver;
    (void)in_flight;
    (void)err;
    *out = calloc(1, sizeof(**out));
    (*out)->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return CS_OK;
}

static void fake_session_free(struct cs_session *session)
{
    if (!session)
        return;
    close(session->wake_fd);
    free(session);
}

static void fake_submit(struct cs_session *session, struct cs_operation *op)
{
    atomic_fetch_add(&fake.submitted, 1);
    op->session.next = session->first;
    session->first = op;
}

static void fake_wait(struct cs_session *session, int64_t deadline_ns)
{
    struct pollfd fd = {.fd = session->wake_fd, .events = POLLIN};
    int64_t left_ns = CS_MAX(deadline_ns - cs_now_ns(), 0);
    struct timespec wait = {.tv_sec = left_ns / CS_NS_PER_S,
                            .tv_nsec = left_ns % CS_NS_PER_S};
    uint64_t count;

    if (ppoll(&fd, 1, &wait, NULL) > 0 &&
        read(session->wake_fd, &count, sizeof(count)) < 0)
        return;
}

static enum cs_code fake_poll(struct cs_session *session, int64_t deadline_ns,
                              struct cs_err *err)
{
    struct cs_operation *op = session->first;
    uint64_t before = atomic_load(&fake.answered);

    (void)err;
    session->first = NULL;
    while (op) {
        struct cs_operation *next = op->session.next;
        struct cs_outcome outcome = {.message = "",
                                     .end_ns = cs_now_ns(),
                                     .applied = true,
                                     .sent = true};

        if (fake.answer && !fake.answer(op, &outcome)) {
            op->session.next = session->first;
            session->first = op;
        } else {
            atomic_fetch_add(&fake.answered, 1);
            op->on_done(op, &outcome);
        }
        op = next;
    }
    if (atomic_load(&fake.answered) == before)
        fake_wait(session, deadline_ns);
    return CS_OK;
}

static void fake_wake(struct cs_session *session)
{
    uint64_t one = 1;

    if (write(session->wake_fd, &one, sizeof(one)) < 0)
        return;
}

static size_t fake_traffic(struct cs_session *session,
                           struct cs_node_traffic *out, size_t count)
{
    (void)session;
    (void)out;
    (void)count;
    return 0;
}

static void fake_counts(const struct cs_session *session,
                        struct cs_session_counts *out)
{
    (void)session;
    *out = (struct cs_session_counts){0};
}

static size_t fake_warnings(struct cs_session *session,
                            struct cs_server_warning *out, size_t count,
                            uint64_t *others)
{
    (void)session;
    (void)out;
    (void)count;
    *others = 0;
    return 0;
}

static void fake_node_name(struct cs_session *session, unsigned node,
                           struct cs_node_name *out)
{
    (void)session;
    snprintf(out->text, sizeof(out->text), "node%u:9042", node);
}

/* Every token is held by nodes 1 and 2. */
static size_t fake_replicas(struct cs_session *session, const char *keyspace,
                            int64_t token, struct cs_node_name *out,
                            size_t count)
{
    (void)keyspace;
    (void)token;
    for (unsigned i = 0; i < 2 && i < count; i++)
        fake_node_name(session, i + 1, &out[i]);
    return 2;
}

static enum cs_code fake_follow_keyspace(struct cs_driver *driver,
                                         const char *keyspace,
                                         struct cs_err *err)
{
    (void)driver;
    (void)keyspace;
    (void)err;
    return CS_OK;
}

static const char *fake_notice(struct cs_driver *driver, size_t index)
{
    (void)driver;
    (void)index;
    return NULL;
}

static int fake_event_fd(struct cs_driver *driver)
{
    return driver->event_fd;
}

static void fake_handle_events(struct cs_driver *driver)
{
    (void)driver;
}

static const struct cs_driver_ops fake_driver_ops = {
    .table = fake_table,
    .prepare = fake_prepare,
    .event_fd = fake_event_fd,
    .handle_events = fake_handle_events,
    .session_new = fake_session_new,
    .session_free = fake_session_free,
    .submit = fake_submit,
    .poll = fake_poll,
    .wake = fake_wake,
    .node_name = fake_node_name,
    .replicas = fake_replicas,
    .follow_keyspace = fake_follow_keyspace,
    .traffic = fake_traffic,
    .warnings = fake_warnings,
    .counts = fake_counts,
    .notice = fake_notice,
};

#endif
