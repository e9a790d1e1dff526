/* driver.c - what a driver knows of its servers, prepared statements, and the
 * table of functions. */
#include "mysql/mysql_internal.h"

#include <stdlib.h>

static enum cs_code fill_info(struct cs_driver *driver, struct cs_err *err)
{
    struct cs_cluster_info *info = &driver->info;
    const char *version = mysql_get_server_info(driver->mysql);
    struct cs_node_info *nodes =
        cs_arena_array(&driver->arena, driver->host_count, sizeof(*nodes));

    info->release_version = cs_arena_text(&driver->arena, version);
    if (!nodes || !info->release_version)
        return cs_fail(err, CS_ENOMEM, "hosts: out of memory");
    info->name = strstr(version, "MariaDB") ? "MariaDB" : "MySQL";
    info->protocol_version = (int)mysql_get_proto_info(driver->mysql);
    info->max_pending = 1;
    info->connections_per_host = 0;
    for (size_t i = 0; i < driver->host_count; i++) {
        nodes[i] = (struct cs_node_info){.port = (int)driver->hosts[i].port,
                                         .datacenter = "",
                                         .rack = "",
                                         .host_name = driver->hosts[i].socket,
                                         .allowed = true};
        memcpy(nodes[i].address, driver->hosts[i].address,
               sizeof(nodes[i].address));
    }
    info->nodes = nodes;
    info->node_count = driver->host_count;
    return CS_OK;
}

/* A larger request is answered by a lost connection, which says nothing. */
static enum cs_code ask_packet_max(struct cs_driver *driver, struct cs_err *err)
{
    MYSQL_RES *rows = NULL;
    enum cs_code rc =
        cs_mysql_ask(driver, "SELECT @@max_allowed_packet", &rows, err);
    MYSQL_ROW row = rows ? mysql_fetch_row(rows) : NULL;

    driver->packet_max = row && row[0] ? strtoull(row[0], NULL, 10) : SIZE_MAX;
    if (rows)
        mysql_free_result(rows);
    return rc;
}

static void close_driver(struct cs_driver *driver)
{
    if (!driver)
        return;
    cs_mysql_drop(driver);
    if (driver->library)
        mysql_library_end();
    cs_arena_release(&driver->arena);
    free(driver);
}

static enum cs_code connect_driver(const struct cs_settings *settings,
                                   struct cs_driver **out, struct cs_err *err)
{
    struct cs_driver *driver = calloc(1, sizeof(*driver));
    enum cs_code rc = CS_OK;

    if (!driver)
        return cs_fail(err, CS_ENOMEM, "driver: out of memory");
    cs_arena_init(&driver->arena);
    driver->settings = settings;
    driver->interrupt_fd = -1;
    driver->library = !mysql_library_init(0, NULL, NULL);
    if (!driver->library)
        rc = cs_fail(err, CS_ENOMEM, "libmariadb cannot be started");
    if (!rc)
        rc = cs_mysql_hosts(settings, &driver->arena, &driver->hosts,
                            &driver->host_count, err);
    if (!rc)
        rc = cs_mysql_check_stores(settings, err);
    if (!rc)
        rc = cs_mysql_open_any(driver, err);
    if (!rc)
        rc = ask_packet_max(driver, err);
    if (!rc)
        rc = fill_info(driver, err);
    if (rc)
        close_driver(driver);
    else
        *out = driver;
    return rc;
}

/* ---- prepared statements ---- */

/* The server says how many markers there are, and not of which type. */
static enum cs_code take_binds(struct cs_driver *driver, unsigned count,
                               struct cs_statement *s, struct cs_err *err)
{
    s->binds =
        cs_arena_array(&driver->arena, CS_MAX(count, 1), sizeof(*s->binds));
    if (!s->binds)
        return cs_fail(err, CS_ENOMEM, "statement: out of memory");
    if (count && !s->options.marker_types)
        return cs_fail(err, CS_EUNSUPPORTED,
                       "the types of the markers are not known");
    s->bind_count = count;
    for (unsigned i = 0; i < count; i++)
        s->binds[i].type = s->options.marker_types[i];
    return CS_OK;
}

/* By the main thread, once: whether the server takes it. */
static enum cs_code try_statement(struct cs_driver *driver,
                                  struct cs_statement *s, struct cs_err *err)
{
    MYSQL_STMT *stmt = mysql_stmt_init(driver->mysql);
    enum cs_code rc;

    if (!stmt)
        return cs_fail(err, CS_ENOMEM, "statement: out of memory");
    rc =
        mysql_stmt_prepare(stmt, s->cql, strlen(s->cql))
            ? cs_mysql_fail(err, mysql_stmt_errno(stmt), mysql_stmt_error(stmt))
            : take_binds(driver, (unsigned)mysql_stmt_param_count(stmt), s,
                         err);
    mysql_stmt_close(stmt);
    return rc ? cs_while(err, "preparing '%.300s'", s->cql) : CS_OK;
}

static enum cs_code prepare(struct cs_driver *driver, const char *keyspace,
                            const char *sql,
                            const struct cs_statement_options *options,
                            const struct cs_statement **out, struct cs_err *err)
{
    struct cs_statement *s = cs_arena_alloc(&driver->arena, sizeof(*s));
    const char *text = cs_arena_text(&driver->arena, sql);
    enum cs_code rc;

    (void)keyspace; /* nothing is routed by it */
    if (!s || !text)
        return cs_fail(err, CS_ENOMEM, "statement: out of memory");
    if (driver->statement_count == CS_MYSQL_STATEMENTS)
        return cs_fail(err, CS_EUNSUPPORTED, "more than %d statements",
                       CS_MYSQL_STATEMENTS);
    *s = (struct cs_statement){
        .cql = text,
        .options = *options,
        .driver_data = &driver->statements[driver->statement_count]};
    rc = try_statement(driver, s, err);
    if (rc)
        return rc;
    driver->statements[driver->statement_count++] = s;
    *out = s;
    return CS_OK;
}

/* ---- what else is asked ---- */

static const struct cs_cluster_info *get_info(struct cs_driver *driver)
{
    return &driver->info;
}

static const char *get_notice(struct cs_driver *driver, size_t index)
{
    return index < driver->notice_count ? driver->notices[index] : NULL;
}

static enum cs_code no_tokens(struct cs_driver *driver, int64_t **out,
                              size_t *count, struct cs_err *err)
{
    (void)driver;
    (void)out;
    (void)count;
    return cs_fail(err, CS_EUNSUPPORTED, "there are no tokens");
}

static enum cs_code follow_nothing(struct cs_driver *driver,
                                   const char *keyspace, struct cs_err *err)
{
    (void)driver;
    (void)keyspace;
    (void)err;
    return CS_OK;
}

static void set_interrupt(struct cs_driver *driver, int fd)
{
    driver->interrupt_fd = fd;
}

static int no_event_fd(struct cs_driver *driver)
{
    (void)driver;
    return -1;
}

static void no_events(struct cs_driver *driver)
{
    (void)driver;
}

static void node_name(struct cs_session *session, unsigned node,
                      struct cs_node_name *out)
{
    cs_mysql_host_name(&session->driver->hosts[node], out);
}

static size_t no_replicas(struct cs_session *session, const char *keyspace,
                          int64_t token, struct cs_node_name *out, size_t count)
{
    (void)session;
    (void)keyspace;
    (void)token;
    (void)out;
    (void)count;
    return 0;
}

static size_t get_traffic(struct cs_session *session,
                          struct cs_node_traffic *out, size_t count)
{
    const struct cs_driver *driver = session->driver;

    for (size_t i = 0; i < driver->host_count && i < count; i++) {
        out[i] = (struct cs_node_traffic){
            .port = (int)driver->hosts[i].port,
            .requests = atomic_load_explicit(&session->requests[i],
                                             memory_order_relaxed)};
        out[i].roles[CS_ROLE_UNKNOWN] = out[i].requests;
        memcpy(out[i].address, driver->hosts[i].address,
               sizeof(out[i].address));
    }
    return driver->host_count;
}

static void get_counts(const struct cs_session *session,
                       struct cs_session_counts *out)
{
    *out = session->counts;
}

static size_t no_warnings(struct cs_session *session,
                          struct cs_server_warning *out, size_t count,
                          uint64_t *others)
{
    (void)session;
    (void)out;
    (void)count;
    if (others)
        *others = 0;
    return 0;
}

const struct cs_driver_ops cs_mysql_driver = {
    .language = CS_LANGUAGE_SQL,
    .connect = connect_driver,
    .close = close_driver,
    .info = get_info,
    .notice = get_notice,
    .execute = cs_mysql_execute,
    .table = cs_mysql_table,
    .ring_tokens = no_tokens,
    .has_keyspace = cs_mysql_has_database,
    .follow_keyspace = follow_nothing,
    .prepare = prepare,
    .interrupt = set_interrupt,
    .event_fd = no_event_fd,
    .handle_events = no_events,
    .session_new = cs_mysql_session_new,
    .session_free = cs_mysql_session_free,
    .submit = cs_mysql_session_submit,
    .poll = cs_mysql_session_poll,
    .node_name = node_name,
    .replicas = no_replicas,
    .wake = cs_mysql_session_wake,
    .traffic = get_traffic,
    .counts = get_counts,
    .warnings = no_warnings,
};
