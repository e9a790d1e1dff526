/* admin.c - the connection of the main thread: opening it, waiting for it in a
 * way that a signal ends, statements as text. */
#include "mysql/mysql_internal.h"

#include <errno.h>
#include <poll.h>

/* Names in double quotes and backslashes as they are, as in CQL; what does not
 * fit is an error instead of cut off. */
#define SQL_MODE                                                               \
    "SET SESSION sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,"                \
    "STRICT_ALL_TABLES'"

/* A definition may wait for others that use the table. */
#define DEFINITION_NS (60 * CS_NS_PER_S)

MYSQL *cs_mysql_new(const struct cs_settings *settings)
{
    MYSQL *mysql = mysql_init(NULL);
    unsigned tcp = MYSQL_PROTOCOL_TCP;
    unsigned no = 0;

    if (!mysql)
        return NULL;
    mysql_options(mysql, MYSQL_OPT_NONBLOCK, NULL);
    mysql_options(mysql, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    mysql_options(mysql, MYSQL_INIT_COMMAND, SQL_MODE);
    mysql_options(mysql, MYSQL_OPT_LOCAL_INFILE, &no);
    if (!settings->mode.socket)
        mysql_options(mysql, MYSQL_OPT_PROTOCOL, &tcp);
    cs_mysql_use_tls(mysql, settings);
    return mysql;
}

int cs_mysql_open(MYSQL *mysql, MYSQL **ret, const struct cs_settings *settings,
                  const struct cs_mysql_host *host)
{
    return mysql_real_connect_start(
        ret, mysql, host->address, settings->mode.user, settings->mode.password,
        NULL, host->port, host->socket, 0);
}

/* ---- waiting ---- */

static short events_of(int waits)
{
    return (short)((waits & MYSQL_WAIT_READ ? POLLIN : 0) |
                   (waits & MYSQL_WAIT_WRITE ? POLLOUT : 0) |
                   (waits & MYSQL_WAIT_EXCEPT ? POLLPRI : 0));
}

/* What the call under way can go on with. */
static enum cs_code wait_on(struct cs_driver *driver, MYSQL *mysql,
                            int64_t deadline_ns, int *waits, struct cs_err *err)
{
    struct pollfd fds[] = {
        {.fd = (int)mysql_get_socket(mysql), .events = events_of(*waits)},
        {.fd = driver->interrupt_fd, .events = POLLIN},
    };
    int64_t left_ns = CS_MAX(deadline_ns - cs_now_ns(), 0);
    int ready = poll(fds, CS_COUNT(fds), (int)(left_ns / CS_NS_PER_MS));
    int happened = 0;

    if (ready < 0 && errno != EINTR)
        return cs_fail_sys(err, "poll");
    if (ready > 0 && fds[1].revents)
        return cs_fail(err, CS_EINTERRUPTED, "interrupted");
    if (left_ns < CS_NS_PER_MS)
        return cs_fail(err, CS_ETIMEOUT, "no answer in time");
    if (ready > 0 && fds[0].revents & (POLLIN | POLLERR | POLLHUP))
        happened |= MYSQL_WAIT_READ;
    if (ready > 0 && fds[0].revents & (POLLOUT | POLLERR | POLLHUP))
        happened |= MYSQL_WAIT_WRITE;
    if (ready > 0 && fds[0].revents & POLLPRI)
        happened |= MYSQL_WAIT_EXCEPT;
    *waits &= happened;
    return CS_OK;
}

static enum cs_code fail_as(MYSQL *mysql, struct cs_err *err)
{
    return cs_mysql_fail(err, mysql_errno(mysql), mysql_error(mysql));
}

/* ---- the connection ---- */

void cs_mysql_drop(struct cs_driver *driver)
{
    if (driver->mysql)
        mysql_close(driver->mysql);
    driver->mysql = NULL;
}

static enum cs_code open_host(struct cs_driver *driver,
                              const struct cs_mysql_host *host,
                              struct cs_err *err)
{
    int64_t deadline_ns = cs_now_ns() + CS_MYSQL_CONNECT_NS;
    MYSQL *mysql = cs_mysql_new(driver->settings);
    MYSQL *connected = NULL;
    struct cs_node_name name;
    int waits;
    enum cs_code rc = CS_OK;

    if (!mysql)
        return cs_fail(err, CS_ENOMEM, "connection: out of memory");
    waits = cs_mysql_open(mysql, &connected, driver->settings, host);
    while (waits && !rc) {
        int happened = waits;

        rc = wait_on(driver, mysql, deadline_ns, &happened, err);
        if (!rc && happened)
            waits = mysql_real_connect_cont(&connected, mysql, happened);
    }
    if (!rc && !connected)
        rc = fail_as(mysql, err);
    if (rc) {
        mysql_close(mysql);
        cs_mysql_host_name(host, &name);
        return cs_while(err, "%s", name.text);
    }
    driver->mysql = mysql;
    return CS_OK;
}

static void note(struct cs_driver *driver, const struct cs_err *err)
{
    char *text = cs_arena_text(&driver->arena, err->text);

    if (text && driver->notice_count < CS_COUNT(driver->notices))
        driver->notices[driver->notice_count++] = text;
}

/* The first host that lets us in; those before it are told of. */
enum cs_code cs_mysql_open_any(struct cs_driver *driver, struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    for (size_t i = 0; i < driver->host_count; i++) {
        rc = open_host(driver, &driver->hosts[i], err);
        if (!rc || rc == CS_EAUTH || rc == CS_EINTERRUPTED)
            return rc;
        if (i + 1 < driver->host_count)
            note(driver, err);
    }
    return rc;
}

/* ---- statements as text ---- */

static enum cs_code send_text(struct cs_driver *driver, const char *sql,
                              MYSQL_RES **out, struct cs_err *err)
{
    int64_t deadline_ns = cs_now_ns() + DEFINITION_NS;
    MYSQL *mysql = driver->mysql;
    int failed = 0;
    int waits = mysql_real_query_start(&failed, mysql, sql, strlen(sql));

    while (waits) {
        int happened = waits;
        enum cs_code rc = wait_on(driver, mysql, deadline_ns, &happened, err);

        if (rc) {
            cs_mysql_drop(driver);
            return rc;
        }
        if (happened)
            waits = mysql_real_query_cont(&failed, mysql, happened);
    }
    if (failed)
        return fail_as(mysql, err);
    /* The rows of these statements are few. */
    *out = mysql_store_result(mysql);
    return mysql_errno(mysql) ? fail_as(mysql, err) : CS_OK;
}

/* A ramp may leave the connection alone for longer than the server keeps
 * it. */
enum cs_code cs_mysql_ask(struct cs_driver *driver, const char *sql,
                          MYSQL_RES **out, struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    *out = NULL;
    if (driver->mysql) {
        rc = send_text(driver, sql, out, err);
        if (rc != CS_ECONNECT)
            return rc;
        cs_mysql_drop(driver);
    }
    rc = cs_mysql_open_any(driver, err);
    return rc ? rc : send_text(driver, sql, out, err);
}

enum cs_code cs_mysql_execute(struct cs_driver *driver, const char *sql,
                              enum cs_consistency cl, int64_t *waited_ns,
                              struct cs_err *err)
{
    MYSQL_RES *rows;
    enum cs_code rc = cs_mysql_ask(driver, sql, &rows, err);

    (void)cl;
    (void)waited_ns; /* a definition is done when it is answered */
    if (rows)
        mysql_free_result(rows);
    return rc;
}
