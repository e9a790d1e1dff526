/* mysql_internal.h - the parts of the room: hosts, connections, sessions. */
#ifndef CS_MYSQL_MYSQL_INTERNAL_H
#define CS_MYSQL_MYSQL_INTERNAL_H

#include "mysql/mysql_driver.h"

#include "base/clock.h"

#include <mysql.h>
#include <stdatomic.h>

/* A server that does not answer for so long is down. */
#define CS_MYSQL_CONNECT_NS (10 * CS_NS_PER_S)

/* ---- hosts.c ---- */

struct cs_mysql_host {
    char address[64];
    unsigned port;
    const char *socket; /* path, or NULL: TCP */
};

/* The hosts of -node with their ports, or the one socket. Texts live in the
 * arena. */
enum cs_code cs_mysql_hosts(const struct cs_settings *settings,
                            struct cs_arena *arena, struct cs_mysql_host **out,
                            size_t *count, struct cs_err *err) CS_MUST_USE;
void cs_mysql_host_name(const struct cs_mysql_host *host,
                        struct cs_node_name *out);

/* ---- tls.c ---- */

/* Names the store that is not there, or not PEM. */
enum cs_code cs_mysql_check_stores(const struct cs_settings *settings,
                                   struct cs_err *err) CS_MUST_USE;
/* Sets what -transport says; before the connection is begun. */
void cs_mysql_use_tls(MYSQL *mysql, const struct cs_settings *settings);

/* ---- errors.c ---- */

/* Class of an error of the server (1000 and above) or of libmariadb (2000 to
 * 2999). */
enum cs_result_class cs_mysql_class(unsigned error, bool is_read);
/* Whether the connection is of no use after it. */
bool cs_mysql_is_fatal(unsigned error);
/* "Access denied ... (error 1045)". */
enum cs_code cs_mysql_fail(struct cs_err *err, unsigned error,
                           const char *text);

/* ---- values.c ---- */

/* A statement as one connection has prepared it. */
struct cs_mysql_prepared {
    MYSQL_STMT *stmt;
    MYSQL_BIND *params;
    uint64_t *numbers; /* of the markers, in the order of the machine */
    unsigned param_count;
    MYSQL_BIND *columns;
    uint64_t *cells; /* where numbers of a row go */
    unsigned long *sizes;
    my_bool *nulls;
    unsigned column_count;
};

/* Makes room for markers and columns; after the statement was prepared. False:
 * out of memory, or the statement is not what the driver knows of it. */
bool cs_mysql_prepared_fit(struct cs_mysql_prepared *p,
                           const struct cs_statement *statement);
void cs_mysql_prepared_release(struct cs_mysql_prepared *p);

/* Points the markers at the values of an operation, which stay where they
 * are until it is done. False: the values do not fit the statement. */
bool cs_mysql_bind(struct cs_mysql_prepared *p,
                   const struct cs_statement *statement,
                   const struct cs_buf *values);

/* Appends the rows of a stored result as cells: size, bytes. False: at fault.
 */
bool cs_mysql_put_rows(struct cs_mysql_prepared *p, struct cs_buf *out,
                       uint32_t *rows);

/* ---- driver.c ---- */

#define CS_MYSQL_STATEMENTS 8

struct cs_driver {
    const struct cs_settings *settings;
    struct cs_arena arena;
    struct cs_mysql_host *hosts;
    size_t host_count;
    MYSQL *mysql; /* of the main thread; NULL: none stands */
    int interrupt_fd;
    struct cs_cluster_info info;
    const char *notices[8];
    size_t notice_count;
    struct cs_statement *statements[CS_MYSQL_STATEMENTS];
    size_t statement_count;
    size_t packet_max; /* of a request, in bytes, as the server has it */
    bool library;      /* mysql_library_init was called */
};

/* ---- admin.c ---- */

/* A connection not yet begun, with all options set; NULL: out of memory. */
MYSQL *cs_mysql_new(const struct cs_settings *settings);
/* The non-blocking start of it, as mysql_real_connect_start. */
int cs_mysql_open(MYSQL *mysql, MYSQL **ret, const struct cs_settings *settings,
                  const struct cs_mysql_host *host);
/* The first host that lets us in; those before it are told of. */
enum cs_code cs_mysql_open_any(struct cs_driver *driver,
                               struct cs_err *err) CS_MUST_USE;
void cs_mysql_drop(struct cs_driver *driver);
/* A statement as text; *out: its rows, NULL for those without. */
enum cs_code cs_mysql_ask(struct cs_driver *driver, const char *sql,
                          MYSQL_RES **out, struct cs_err *err) CS_MUST_USE;
enum cs_code cs_mysql_execute(struct cs_driver *driver, const char *sql,
                              enum cs_consistency cl, int64_t *waited_ns,
                              struct cs_err *err) CS_MUST_USE;

/* ---- tables.c ---- */

enum cs_code cs_mysql_table(struct cs_driver *driver, const char *keyspace,
                            const char *name, struct cs_arena *arena,
                            struct cs_table **out,
                            struct cs_err *err) CS_MUST_USE;
enum cs_code cs_mysql_has_database(struct cs_driver *driver, const char *name,
                                   bool *out, struct cs_err *err) CS_MUST_USE;

/* ---- connection.c ---- */

enum cs_mysql_state {
    CS_MYSQL_DOWN,
    CS_MYSQL_CONNECTING,
    CS_MYSQL_PREPARING,
    CS_MYSQL_IDLE,
    CS_MYSQL_EXECUTING,
    CS_MYSQL_STORING, /* the rows are on their way */
};

struct cs_mysql_connection {
    struct cs_session *session;
    MYSQL *mysql;
    MYSQL *connected; /* what the call under way returns */
    int returned;
    enum cs_mysql_state state;
    unsigned host;
    struct cs_mysql_prepared prepared[CS_MYSQL_STATEMENTS];
    unsigned prepared_count;
    int fd;          /* in the epoll set, or -1 */
    uint32_t events; /* it is watched for */
    int waits;       /* MYSQL_WAIT_ bits */
    struct cs_operation *op;
    struct cs_mysql_prepared *sent; /* its statement */
    bool is_read;
    int64_t deadline_ns; /* of what is under way; while down: next attempt */
    unsigned failures;   /* attempts to connect, in a row */
    struct cs_mysql_connection *next_idle;
};

struct cs_session {
    struct cs_driver *driver;
    struct cs_mysql_connection *connections;
    unsigned connection_count;
    unsigned standing; /* not down and not connecting */
    struct cs_mysql_connection *idle;
    struct cs_operation *queue; /* submitted, not sent */
    struct cs_operation **queue_end;
    int epoll_fd;
    int wake_fd;
    int64_t check_ns; /* when deadlines are looked at next */
    struct cs_buf cells;
    struct cs_session_counts counts;
    _Atomic uint64_t *requests; /* by host */
    struct cs_err trouble;      /* why the last connection failed */
};

/* Begins to connect to its host. */
void cs_mysql_connection_open(struct cs_mysql_connection *c);
/* Sends the operation; the connection is idle. */
void cs_mysql_connection_send(struct cs_mysql_connection *c,
                              struct cs_operation *op);
/* Something happened on its socket. */
void cs_mysql_connection_ready(struct cs_mysql_connection *c, uint32_t events);
/* What was under way took too long, or it is time for another attempt. */
void cs_mysql_connection_overdue(struct cs_mysql_connection *c, int64_t now_ns);
/* Closes it; its operation is not called back. */
void cs_mysql_connection_close(struct cs_mysql_connection *c);

/* ---- session.c ---- */

/* Ends an operation that got no connection to be sent on. */
void cs_mysql_fail_queue(struct cs_session *session, const struct cs_err *why);

enum cs_code cs_mysql_session_new(struct cs_driver *driver, int in_flight,
                                  struct cs_session **out,
                                  struct cs_err *err) CS_MUST_USE;
void cs_mysql_session_free(struct cs_session *session);
void cs_mysql_session_submit(struct cs_session *session,
                             struct cs_operation *op);
enum cs_code cs_mysql_session_poll(struct cs_session *session,
                                   int64_t deadline_ns,
                                   struct cs_err *err) CS_MUST_USE;
void cs_mysql_session_wake(struct cs_session *session);

#endif
