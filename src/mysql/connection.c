/* connection.c - one connection as a state machine: connect, prepare, then one
 * request after the other. libmariadb says what each call waits for; the event
 * loop of the session calls on. */
#include "mysql/mysql_internal.h"

#include <errmsg.h>
#include <mysqld_error.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>

/* Pause before another attempt to connect: doubled from the least to the
 * most. */
#define RETRY_LEAST_NS (20 * CS_NS_PER_MS)
#define RETRY_MOST_NS  CS_NS_PER_S

static void advance(struct cs_mysql_connection *c, int waits);

static const struct cs_statement *
statement_of(const struct cs_mysql_connection *c, unsigned index)
{
    return c->session->driver->statements[index];
}

/* ---- watching the socket ---- */

static void watch(struct cs_mysql_connection *c, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = c};
    int epoll_fd = c->session->epoll_fd;
    int fd = (int)mysql_get_socket(c->mysql);

    if (fd == c->fd && events == c->events && c->state > CS_MYSQL_CONNECTING)
        return;
    /* While it connects libmariadb may go from one address of a name to the
     * next, and the new socket has the number of the old one. */
    if (epoll_ctl(epoll_fd, EPOLL_CTL_MOD, fd, &event) &&
        epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event))
        return; /* its deadline ends what is under way */
    c->fd = fd;
    c->events = events;
}

static void wait_for(struct cs_mysql_connection *c, int waits)
{
    uint32_t events = 0;

    c->waits = waits;
    if (waits & MYSQL_WAIT_READ)
        events |= EPOLLIN;
    if (waits & MYSQL_WAIT_WRITE)
        events |= EPOLLOUT;
    if (waits & MYSQL_WAIT_EXCEPT)
        events |= EPOLLPRI;
    watch(c, events);
}

/* ---- the end of a connection ---- */

void cs_mysql_connection_close(struct cs_mysql_connection *c)
{
    if (c->mysql) {
        /* A call that is under way is given up with it; nothing may block. */
        if (c->state != CS_MYSQL_DOWN && c->fd >= 0) {
            epoll_ctl(c->session->epoll_fd, EPOLL_CTL_DEL, c->fd, NULL);
            shutdown(c->fd, SHUT_RDWR);
        }
        mysql_close(c->mysql);
    }
    for (unsigned i = 0; i < CS_MYSQL_STATEMENTS; i++)
        cs_mysql_prepared_release(&c->prepared[i]);
    if (c->state > CS_MYSQL_PREPARING)
        c->session->standing--;
    c->mysql = NULL;
    c->fd = -1;
    c->events = 0;
    c->state = CS_MYSQL_DOWN;
}

static void leave_idle(struct cs_mysql_connection *c)
{
    struct cs_mysql_connection **at = &c->session->idle;

    while (*at && *at != c)
        at = &(*at)->next_idle;
    if (*at)
        *at = c->next_idle;
}

/* A lost connection is made again at once; one that could not be made after a
 * pause, and at the next host. */
static void plan_retry(struct cs_mysql_connection *c, bool connected)
{
    struct cs_session *session = c->session;
    int64_t pause_ns = 0;

    if (connected) {
        c->failures = 0;
    } else {
        c->host = (c->host + 1) % (unsigned)session->driver->host_count;
        pause_ns = RETRY_LEAST_NS << CS_MIN(c->failures, 10U);
        c->failures++;
    }
    c->deadline_ns = cs_now_ns() + CS_MIN(pause_ns, RETRY_MOST_NS);
    session->check_ns = 0;
}

/* If there is one. */
static void end_operation(struct cs_mysql_connection *c,
                          enum cs_result_class result, int code,
                          const char *message, uint32_t rows)
{
    struct cs_operation *op = c->op;
    struct cs_outcome outcome = {.result = result,
                                 .server_code = code,
                                 .message = message,
                                 .message_size = strlen(message),
                                 .rows = rows,
                                 .applied = true,
                                 .end_ns = cs_now_ns(),
                                 .node = c->host,
                                 .sent = true};

    if (!op)
        return;
    c->op = NULL;
    op->on_done(op, &outcome);
}

/* Gives the connection up; its operation ends with the error. */
static void lose(struct cs_mysql_connection *c, enum cs_result_class result,
                 unsigned error, const char *text)
{
    bool connected = c->state > CS_MYSQL_PREPARING;
    struct cs_session *session = c->session;
    struct cs_node_name name;
    struct cs_err why = {0};

    cs_mysql_host_name(&session->driver->hosts[c->host], &name);
    cs_mysql_fail(&why, error, text);
    cs_while(&why, "%s", name.text);
    if (c->state == CS_MYSQL_IDLE)
        leave_idle(c);
    cs_mysql_connection_close(c);
    plan_retry(c, connected);
    session->trouble = why;
    end_operation(c, result, (int)error, why.text, 0);
    if (!connected && !session->standing)
        cs_mysql_fail_queue(session, &why);
}

static void lose_by_error(struct cs_mysql_connection *c, unsigned error,
                          const char *text)
{
    /* libmariadb's words may lie in what is given back. */
    char words[CS_ERR_TEXT / 2];
    size_t size = strnlen(text, sizeof(words) - 1);

    memcpy(words, text, size);
    words[size] = '\0';
    lose(c, cs_mysql_class(error, c->is_read), error, words);
}

/* ---- connecting and preparing ---- */

void cs_mysql_connection_open(struct cs_mysql_connection *c)
{
    struct cs_driver *driver = c->session->driver;

    c->mysql = cs_mysql_new(driver->settings);
    c->prepared_count = 0;
    c->deadline_ns = cs_now_ns() + CS_MYSQL_CONNECT_NS;
    if (!c->mysql) {
        lose(c, CS_RESULT_NO_HOST, CR_OUT_OF_MEMORY, "out of memory");
        return;
    }
    c->state = CS_MYSQL_CONNECTING;
    advance(c, cs_mysql_open(c->mysql, &c->connected, driver->settings,
                             &driver->hosts[c->host]));
}

static void become_idle(struct cs_mysql_connection *c)
{
    c->state = CS_MYSQL_IDLE;
    c->next_idle = c->session->idle;
    c->session->idle = c;
    /* Readable while nothing was asked: the server closed it. */
    watch(c, EPOLLIN);
}

/* Starts to prepare the next statement; 0 and idle: there is no other. */
static int prepare_next(struct cs_mysql_connection *c)
{
    struct cs_driver *driver = c->session->driver;
    struct cs_mysql_prepared *p = &c->prepared[c->prepared_count];
    const char *text;

    if (c->prepared_count == driver->statement_count) {
        c->failures = 0;
        c->session->standing++;
        become_idle(c);
        return 0;
    }
    c->state = CS_MYSQL_PREPARING;
    text = statement_of(c, c->prepared_count)->cql;
    p->stmt = mysql_stmt_init(c->mysql);
    if (!p->stmt) {
        c->returned = 1;
        return 0;
    }
    return mysql_stmt_prepare_start(&c->returned, p->stmt, text, strlen(text));
}

static int after_prepare(struct cs_mysql_connection *c)
{
    struct cs_mysql_prepared *p = &c->prepared[c->prepared_count];

    if (c->returned && p->stmt) {
        lose_by_error(c, mysql_stmt_errno(p->stmt), mysql_stmt_error(p->stmt));
        return 0;
    }
    if (c->returned ||
        !cs_mysql_prepared_fit(p, statement_of(c, c->prepared_count))) {
        lose(c, CS_RESULT_PROTOCOL, CR_OUT_OF_MEMORY,
             "a statement cannot be bound");
        return 0;
    }
    c->prepared_count++;
    return prepare_next(c);
}

/* ---- a request ---- */

static unsigned index_of(const struct cs_mysql_connection *c,
                         const struct cs_statement *statement)
{
    struct cs_statement **place = statement->driver_data;

    return (unsigned)(place - c->session->driver->statements);
}

static void refuse_size(struct cs_mysql_connection *c)
{
    char words[120];

    snprintf(words, sizeof(words),
             "%zu bytes of values are more than the server's "
             "max_allowed_packet of %zu",
             c->op->values.size, c->session->driver->packet_max);
    become_idle(c);
    end_operation(c, CS_RESULT_INVALID, ER_NET_PACKET_TOO_LARGE, words, 0);
}

void cs_mysql_connection_send(struct cs_mysql_connection *c,
                              struct cs_operation *op)
{
    struct cs_session *session = c->session;
    struct cs_mysql_prepared *p;

    c->op = op;
    c->state = CS_MYSQL_EXECUTING;
    c->deadline_ns =
        cs_now_ns() +
        session->driver->settings->mode.request_timeout_ms * CS_NS_PER_MS;
    p = &c->prepared[index_of(c, op->statement)];
    c->sent = p;
    c->is_read = op->statement->options.is_read;
    atomic_fetch_add_explicit(&session->requests[c->host], 1,
                              memory_order_relaxed);
    if (CS_UNLIKELY(op->values.size > session->driver->packet_max)) {
        refuse_size(c);
        return;
    }
    if (!cs_mysql_bind(p, op->statement, &op->values)) {
        become_idle(c);
        end_operation(c, CS_RESULT_PROTOCOL, 0,
                      "the values do not fit the statement", 0);
        return;
    }
    advance(c, mysql_stmt_execute_start(&c->returned, p->stmt));
}

static void done(struct cs_mysql_connection *c, uint32_t rows)
{
    become_idle(c);
    end_operation(c, CS_RESULT_OK, 0, "", rows);
}

static void request_failed(struct cs_mysql_connection *c)
{
    MYSQL_STMT *stmt = c->sent->stmt;
    unsigned error = mysql_stmt_errno(stmt);
    char words[CS_ERR_TEXT];
    struct cs_err why = {0};

    if (cs_mysql_is_fatal(error)) {
        lose_by_error(c, error, mysql_stmt_error(stmt));
        return;
    }
    cs_mysql_fail(&why, error, mysql_stmt_error(stmt));
    memcpy(words, why.text, sizeof(words));
    become_idle(c);
    end_operation(c, cs_mysql_class(error, c->is_read), (int)error, words, 0);
}

static int after_execute(struct cs_mysql_connection *c)
{
    struct cs_mysql_prepared *p = c->sent;

    if (c->returned) {
        request_failed(c);
        return 0;
    }
    if (!p->column_count) {
        done(c, 0);
        return 0;
    }
    c->state = CS_MYSQL_STORING;
    return mysql_stmt_store_result_start(&c->returned, p->stmt);
}

static void after_store(struct cs_mysql_connection *c)
{
    struct cs_mysql_prepared *p = c->sent;
    struct cs_buf *cells = &c->session->cells;
    struct cs_rows rows = {.column_count = p->column_count, .node = c->host};

    if (c->returned) {
        request_failed(c);
        return;
    }
    cs_buf_clear(cells);
    if (!cs_mysql_put_rows(p, cells, &rows.row_count)) {
        lose(c, CS_RESULT_PROTOCOL, CR_MALFORMED_PACKET,
             "the rows cannot be read");
        return;
    }
    rows.cells = cs_reader_of(cells->data, cells->size);
    if (c->op && c->op->on_rows && rows.row_count)
        c->op->on_rows(c->op, &rows);
    done(c, rows.row_count);
}

/* ---- one step after the other ---- */

static void connection_failed(struct cs_mysql_connection *c)
{
    lose_by_error(c, mysql_errno(c->mysql), mysql_error(c->mysql));
}

/* A call has ended: what follows, and what that waits for. */
static int next_step(struct cs_mysql_connection *c)
{
    switch (c->state) {
    case CS_MYSQL_CONNECTING:
        if (c->connected)
            return prepare_next(c);
        connection_failed(c);
        return 0;
    case CS_MYSQL_PREPARING:
        return after_prepare(c);
    case CS_MYSQL_EXECUTING:
        return after_execute(c);
    case CS_MYSQL_STORING:
        after_store(c);
        return 0;
    default:
        return 0;
    }
}

static bool is_under_way(const struct cs_mysql_connection *c)
{
    return c->state != CS_MYSQL_DOWN && c->state != CS_MYSQL_IDLE;
}

static void advance(struct cs_mysql_connection *c, int waits)
{
    while (!waits && is_under_way(c))
        waits = next_step(c);
    if (is_under_way(c))
        wait_for(c, waits);
}

static int carry_on(struct cs_mysql_connection *c, int happened)
{
    MYSQL_STMT *stmt = NULL;

    if (c->state == CS_MYSQL_CONNECTING)
        return mysql_real_connect_cont(&c->connected, c->mysql, happened);
    if (c->state == CS_MYSQL_PREPARING) {
        stmt = c->prepared[c->prepared_count].stmt;
        return mysql_stmt_prepare_cont(&c->returned, stmt, happened);
    }
    stmt = c->sent->stmt;
    if (c->state == CS_MYSQL_STORING)
        return mysql_stmt_store_result_cont(&c->returned, stmt, happened);
    return mysql_stmt_execute_cont(&c->returned, stmt, happened);
}

void cs_mysql_connection_ready(struct cs_mysql_connection *c, uint32_t events)
{
    int happened = 0;

    if (c->state == CS_MYSQL_DOWN)
        return;
    if (c->state == CS_MYSQL_IDLE) {
        lose(c, CS_RESULT_CONNECTION_LOST, CR_SERVER_GONE_ERROR,
             "the server closed the connection");
        return;
    }
    if (events & (EPOLLERR | EPOLLHUP))
        happened = MYSQL_WAIT_READ | MYSQL_WAIT_WRITE | MYSQL_WAIT_EXCEPT;
    if (events & EPOLLIN)
        happened |= MYSQL_WAIT_READ;
    if (events & EPOLLOUT)
        happened |= MYSQL_WAIT_WRITE;
    if (events & EPOLLPRI)
        happened |= MYSQL_WAIT_EXCEPT;
    if (happened & c->waits)
        advance(c, carry_on(c, happened & c->waits));
}

void cs_mysql_connection_overdue(struct cs_mysql_connection *c, int64_t now_ns)
{
    if (c->state == CS_MYSQL_IDLE || now_ns < c->deadline_ns)
        return;
    if (c->state == CS_MYSQL_DOWN)
        cs_mysql_connection_open(c);
    else if (c->op)
        lose(c, CS_RESULT_CLIENT_TIMEOUT, CR_SERVER_LOST, "no answer in time");
    else
        lose(c, CS_RESULT_NO_HOST, CR_SERVER_LOST,
             "no answer in time while connecting");
}
