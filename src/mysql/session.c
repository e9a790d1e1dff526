/* session.c - the connections of one event loop: as many as it may have
 * requests in flight. */
#include "mysql/mysql_internal.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* How often deadlines are looked at. */
#define CHECK_NS (50 * CS_NS_PER_MS)
/* Answers taken in one pass. */
#define EVENTS_MAX 256
/* Rows of one answer. */
#define CELLS_MAX ((size_t)1 << 30)

/* ---- operations that wait ---- */

void cs_mysql_session_submit(struct cs_session *session,
                             struct cs_operation *op)
{
    session->counts.queued += !session->idle;
    op->session.next = NULL;
    *session->queue_end = op;
    session->queue_end = &op->session.next;
}

static struct cs_operation *take_queue(struct cs_session *session)
{
    struct cs_operation *first = session->queue;

    session->queue = NULL;
    session->queue_end = &session->queue;
    return first;
}

void cs_mysql_fail_queue(struct cs_session *session, const struct cs_err *why)
{
    struct cs_operation *op = take_queue(session);
    struct cs_outcome outcome = {.result = CS_RESULT_NO_HOST,
                                 .server_code = why->server_code,
                                 .message = why->text,
                                 .message_size = strlen(why->text),
                                 .end_ns = cs_now_ns(),
                                 .applied = true};

    while (op) {
        struct cs_operation *next = op->session.next;

        op->on_done(op, &outcome);
        op = next;
    }
}

static void send_queued(struct cs_session *session)
{
    while (session->queue && session->idle) {
        struct cs_mysql_connection *c = session->idle;
        struct cs_operation *op = session->queue;

        session->idle = c->next_idle;
        session->queue = op->session.next;
        if (!session->queue)
            session->queue_end = &session->queue;
        cs_mysql_connection_send(c, op);
    }
}

/* ---- a pass ---- */

static void check_deadlines(struct cs_session *session)
{
    int64_t now_ns = cs_now_ns();

    if (now_ns < session->check_ns)
        return;
    session->check_ns = now_ns + CHECK_NS;
    for (unsigned i = 0; i < session->connection_count; i++)
        cs_mysql_connection_overdue(&session->connections[i], now_ns);
}

static void read_wake(struct cs_session *session)
{
    uint64_t count;

    if (read(session->wake_fd, &count, sizeof(count)) < 0)
        return; /* another pass has read it */
}

static void handle(struct cs_session *session, const struct epoll_event *events,
                   int count)
{
    for (int i = 0; i < count; i++) {
        if (events[i].data.ptr)
            cs_mysql_connection_ready(events[i].data.ptr, events[i].events);
        else
            read_wake(session);
    }
}

/* epoll_wait takes whole milliseconds, which is too coarse for pacing: the last
 * part of one is waited for by ppoll. (epoll_pwait2 is not in every kernel.) */
static int wait_for_events(struct cs_session *session, int64_t deadline_ns,
                           struct epoll_event *events)
{
    int64_t left_ns = CS_MIN(deadline_ns, session->check_ns) - cs_now_ns();

    left_ns = CS_MAX(left_ns, 0);
    if (left_ns > 0 && left_ns < CS_NS_PER_MS) {
        struct pollfd fd = {.fd = session->epoll_fd, .events = POLLIN};
        struct timespec wait = {.tv_nsec = (long)left_ns};

        ppoll(&fd, 1, &wait, NULL);
        left_ns = 0;
    }
    return epoll_wait(session->epoll_fd, events, EVENTS_MAX,
                      (int)(left_ns / CS_NS_PER_MS));
}

enum cs_code cs_mysql_session_poll(struct cs_session *session,
                                   int64_t deadline_ns, struct cs_err *err)
{
    struct epoll_event events[EVENTS_MAX];
    int count;

    check_deadlines(session);
    send_queued(session);
    count = wait_for_events(session, deadline_ns, events);
    if (count < 0 && errno != EINTR)
        return cs_fail_sys(err, "epoll_wait");
    handle(session, events, count);
    send_queued(session);
    return CS_OK;
}

void cs_mysql_session_wake(struct cs_session *session)
{
    uint64_t one = 1;

    if (write(session->wake_fd, &one, sizeof(one)) < 0)
        return; /* it is awake already */
}

/* ---- its life ---- */

void cs_mysql_session_free(struct cs_session *session)
{
    if (!session)
        return;
    for (unsigned i = 0; i < session->connection_count; i++)
        cs_mysql_connection_close(&session->connections[i]);
    free(session->connections);
    free(session->requests);
    cs_buf_release(&session->cells);
    if (session->wake_fd >= 0)
        close(session->wake_fd);
    if (session->epoll_fd >= 0)
        close(session->epoll_fd);
    free(session);
}

static enum cs_code open_fds(struct cs_session *session, struct cs_err *err)
{
    struct epoll_event event = {.events = EPOLLIN};

    session->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (session->epoll_fd < 0)
        return cs_fail_sys(err, "epoll_create1");
    session->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (session->wake_fd < 0)
        return cs_fail_sys(err, "eventfd");
    if (epoll_ctl(session->epoll_fd, EPOLL_CTL_ADD, session->wake_fd, &event))
        return cs_fail_sys(err, "epoll_ctl");
    return CS_OK;
}

/* Connections are dealt out to the hosts one after the other. */
static enum cs_code new_connections(struct cs_session *session, unsigned count,
                                    struct cs_err *err)
{
    size_t hosts = session->driver->host_count;

    session->connections = calloc(count, sizeof(*session->connections));
    session->requests = calloc(hosts, sizeof(*session->requests));
    if (!session->connections || !session->requests)
        return cs_fail(err, CS_ENOMEM, "%u connections: out of memory", count);
    session->connection_count = count;
    for (unsigned i = 0; i < count; i++) {
        struct cs_mysql_connection *c = &session->connections[i];

        c->session = session;
        c->host = (unsigned)(i % hosts);
        c->fd = -1;
    }
    return CS_OK;
}

/* A pass of the main thread, which a signal ends. */
static enum cs_code pass(struct cs_session *session, struct cs_err *err)
{
    struct pollfd fds[] = {
        {.fd = session->epoll_fd, .events = POLLIN},
        {.fd = session->driver->interrupt_fd, .events = POLLIN},
    };

    if (poll(fds, CS_COUNT(fds), (int)(CHECK_NS / CS_NS_PER_MS)) > 0 &&
        fds[1].revents)
        return cs_fail(err, CS_EINTERRUPTED, "interrupted");
    return cs_mysql_session_poll(session, 0, err);
}

static enum cs_code refuse(const struct cs_session *session, struct cs_err *err)
{
    *err = session->trouble;
    return cs_while(err, "%u connections are needed, one per request in flight",
                    session->connection_count);
}

/* Every host is tried once for each connection. */
static enum cs_code stand(struct cs_session *session, struct cs_err *err)
{
    size_t hosts = session->driver->host_count;
    enum cs_code rc = CS_OK;

    for (unsigned i = 0; i < session->connection_count; i++)
        cs_mysql_connection_open(&session->connections[i]);
    while (!rc && session->standing < session->connection_count) {
        for (unsigned i = 0; i < session->connection_count; i++)
            if (session->connections[i].failures >= hosts)
                return refuse(session, err);
        rc = pass(session, err);
    }
    return rc;
}

enum cs_code cs_mysql_session_new(struct cs_driver *driver, int in_flight,
                                  struct cs_session **out, struct cs_err *err)
{
    struct cs_session *session = calloc(1, sizeof(*session));
    enum cs_code rc;

    if (!session)
        return cs_fail(err, CS_ENOMEM, "session: out of memory");
    session->driver = driver;
    session->queue_end = &session->queue;
    session->epoll_fd = -1;
    session->wake_fd = -1;
    cs_buf_init(&session->cells, CELLS_MAX);
    rc = open_fds(session, err);
    if (!rc)
        rc = new_connections(session, (unsigned)CS_MAX(in_flight, 1), err);
    if (!rc)
        rc = stand(session, err);
    if (rc) {
        cs_mysql_session_free(session);
        return rc;
    }
    *out = session;
    return CS_OK;
}
