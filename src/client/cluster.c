/* cluster.c - making the first connection: contact points, protocol version,
 * what is there. */
#include "client/cluster.h"

#include "base/clock.h"
#include "base/log.h"
#include "client/stranger.h"
#include "net/tls.h"

#include <arpa/inet.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define ADDRESSES_PER_HOST 16
#define NOTICE_MAX         512

void cs_cluster_notice(struct cs_driver *driver, const char *fmt, ...)
{
    char text[NOTICE_MAX];
    const char **more;
    char *copy;
    va_list va;

    va_start(va, fmt);
    vsnprintf(text, sizeof(text), fmt, va);
    va_end(va);
    copy = cs_arena_text(&driver->arena, text);
    more = realloc(driver->notices, (driver->notice_count + 1) * sizeof(*more));
    if (more)
        driver->notices = more;
    if (copy && more)
        driver->notices[driver->notice_count++] = copy;
}

/* ---- contact points ---- */

static bool is_number(const char *host)
{
    uint8_t bytes[16];

    return inet_pton(AF_INET, host, bytes) == 1 ||
           inet_pton(AF_INET6, host, bytes) == 1;
}

static void add_contact(struct cs_driver *driver, const char *typed,
                        const char *host_name, const struct cs_address *address)
{
    for (size_t i = 0; i < driver->contact_count; i++)
        if (cs_address_equal(&driver->contacts[i].address, address))
            return;
    driver->contacts[driver->contact_count++] = (struct cs_contact){
        .typed = typed, .host_name = host_name, .address = *address};
}

static enum cs_code resolve_host(struct cs_driver *driver, const char *typed,
                                 struct cs_err *err)
{
    struct cs_address found[ADDRESSES_PER_HOST];
    const char *host_name = NULL;
    char host[256];
    size_t count;
    int port;
    enum cs_code rc =
        cs_address_split(typed, driver->settings->port.native_port, host,
                         sizeof(host), &port, err);

    if (!rc)
        rc =
            cs_address_resolve(host, port, found, CS_COUNT(found), &count, err);
    if (rc)
        return rc;
    if (!is_number(host))
        host_name = cs_arena_text(&driver->arena, host);
    for (size_t i = 0; i < count && !rc; i++) {
        add_contact(driver, typed, host_name, &found[i]);
        if (driver->tls && host_name)
            rc = cs_tls_name_host(driver->tls, &found[i], host_name, err);
    }
    return rc;
}

/* Names that mean nothing are told; reasons collects them for the case that
 * no node at all answers. */
static enum cs_code resolve_all(struct cs_driver *driver,
                                struct cs_buf *reasons, struct cs_err *err)
{
    const struct cs_settings_node *node = &driver->settings->node;

    driver->contacts =
        cs_arena_array(&driver->arena, node->count * ADDRESSES_PER_HOST,
                       sizeof(*driver->contacts));
    if (!driver->contacts)
        return cs_fail(err, CS_ENOMEM, "no memory for the contact points");
    for (size_t i = 0; i < node->count; i++) {
        enum cs_code rc = resolve_host(driver, node->hosts[i], err);

        if (rc == CS_EUSAGE)
            return rc;
        if (rc) {
            cs_cluster_notice(driver, "contact point left out: %s", err->text);
            cs_buf_printf(reasons, "%s%s", reasons->size ? ", " : "",
                          err->text);
        }
    }
    return CS_OK;
}

/* ---- the first node that answers ---- */

static int oldest_version(const struct cs_driver *driver)
{
    return driver->settings->mode.protocol_version
               ? driver->settings->mode.protocol_version
               : CS_PROTOCOL_OLDEST;
}

/* A node that refuses a version is asked again with the one before. */
static enum cs_code open_contact(struct cs_driver *driver,
                                 const struct cs_address *address,
                                 int64_t timeout_ns, struct cs_err *err)
{
    bool agreed = driver->info.protocol_version != 0;
    int oldest = agreed ? driver->config.version : oldest_version(driver);
    enum cs_code rc;

    for (;;) {
        rc = cs_control_open(&driver->control, &driver->config, address,
                             timeout_ns, err);
        if (!rc || !driver->control.connection.version_refused ||
            driver->config.version <= oldest)
            return rc;
        driver->config.version--;
        CS_DEBUG("%s:%d: trying protocol version %d", address->text,
                 address->port, driver->config.version);
    }
}

static void note_dead_contact(struct cs_driver *driver,
                              struct cs_contact *contact,
                              const struct cs_err *err, struct cs_buf *reasons)
{
    contact->why = cs_arena_text(&driver->arena, err->text);
    cs_buf_printf(reasons, "%s%s/%s:%d: %s", reasons->size ? ", " : "",
                  contact->host_name ? contact->host_name : "",
                  contact->address.text, contact->address.port, err->text);
}

/* A host of several addresses is dead when all of them are. */
static bool is_dead_host(const struct cs_driver *driver, const char *typed)
{
    for (size_t i = 0; i < driver->contact_count; i++)
        if (driver->contacts[i].typed == typed && !driver->contacts[i].why)
            return false;
    return true;
}

static void tell_dead_contacts(struct cs_driver *driver)
{
    const char *told = NULL;

    for (size_t i = 0; i < driver->contact_count; i++) {
        const struct cs_contact *contact = &driver->contacts[i];

        if (contact->typed == told || !is_dead_host(driver, contact->typed))
            continue;
        told = contact->typed;
        cs_cluster_notice(driver, "contact point %s does not answer: %s", told,
                          contact->why);
    }
}

/* A node said that it does not speak the version; one that only closed the
 * connection may have any reason, or be no node at all. */
static bool is_version_refused(const struct cs_driver *driver)
{
    const struct cs_connection *connection = &driver->control.connection;

    return connection->version_refused && connection->heard;
}

/* What a server that takes only TLS does, but not it alone. */
static void hint_at_tls(const struct cs_driver *driver, struct cs_err *err)
{
    const struct cs_connection *connection = &driver->control.connection;
    struct cs_err cause = *err;

    if (connection->version_refused && !connection->heard && !driver->tls)
        cs_fail(err, cause.code,
                "%s, without an answer to the first message (does the server "
                "want TLS? %s)",
                cause.text, cs_stranger_tls_hint(&driver->config));
}

/* Log-in and version problems are the same on every node: no use to go on. */
static bool is_final(const struct cs_driver *driver, const struct cs_err *err)
{
    return err->code == CS_EAUTH || is_version_refused(driver);
}

static enum cs_code open_any(struct cs_driver *driver, struct cs_buf *reasons,
                             struct cs_err *err)
{
    for (size_t i = 0; i < driver->contact_count; i++) {
        struct cs_contact *contact = &driver->contacts[i];
        uint8_t newest = driver->config.version;
        enum cs_code rc =
            open_contact(driver, &contact->address, CS_CONNECT_TIMEOUT_NS, err);

        if (!rc) {
            tell_dead_contacts(driver);
            return CS_OK;
        }
        if (is_version_refused(driver))
            cs_while(err, "protocol version %d is refused",
                     driver->config.version);
        if (is_final(driver, err))
            return cs_while(err, "%s%s:%d",
                            rc == CS_EAUTH ? "AuthenticationException: " : "",
                            contact->address.text, contact->address.port);
        driver->config.version = newest;
        hint_at_tls(driver, err);
        note_dead_contact(driver, contact, err, reasons);
    }
    return cs_fail(err, CS_ECONNECT,
                   "NoHostAvailableException: all host(s) tried for query "
                   "failed (tried: %s)",
                   cs_buf_text(reasons));
}

static enum cs_code configure(struct cs_driver *driver, struct cs_err *err)
{
    const struct cs_settings_mode *mode = &driver->settings->mode;

    bool snappy = mode->compression == CS_COMPRESS_SNAPPY;
    uint8_t newest = snappy ? 4 : CS_PROTOCOL_NEWEST;

    driver->config = (struct cs_connection_config){
        .version =
            mode->protocol_version ? (uint8_t)mode->protocol_version : newest,
        .snappy = snappy,
        .lz4 = mode->compression == CS_COMPRESS_LZ4,
        .user = mode->user,
        .password = mode->password ? mode->password : "",
        .tls_hint = driver->settings->hints.tls,
        .log_in_hint = driver->settings->hints.log_in,
    };
    if (snappy && mode->protocol_version == 5)
        return cs_fail(err, CS_EUNSUPPORTED,
                       "compression=snappy: protocol version 5 has none, take "
                       "compression=lz4 or protocolVersion=4");
    if (driver->config.version < CS_PROTOCOL_OLDEST ||
        driver->config.version > CS_PROTOCOL_NEWEST)
        return cs_fail(err, CS_EUNSUPPORTED,
                       "protocol version %d is not offered, only %d to %d",
                       mode->protocol_version, CS_PROTOCOL_OLDEST,
                       CS_PROTOCOL_NEWEST);
    return CS_OK;
}

static enum cs_code configure_tls(struct cs_driver *driver, struct cs_err *err)
{
    const struct cs_settings_transport *transport =
        &driver->settings->transport;
    const struct cs_tls_options options = {
        .truststore = transport->truststore,
        .truststore_password = transport->truststore_password,
        .keystore = transport->keystore,
        .keystore_password = transport->keystore_password,
        .protocol = transport->protocol,
        .ciphers = transport->ciphers,
        .verify_host = transport->verify_host,
    };

    if (!cs_settings_wants_tls(driver->settings))
        return CS_OK;
    if (cs_tls_new(&options, &driver->tls, err))
        return cs_while(err, "-transport");
    driver->config.tls = driver->tls;
    return CS_OK;
}

static enum cs_code make_contact(struct cs_driver *driver, struct cs_err *err)
{
    struct cs_buf reasons;
    enum cs_code rc;

    cs_buf_init(&reasons, CS_ERR_TEXT);
    rc = resolve_all(driver, &reasons, err);
    if (!rc)
        rc = open_any(driver, &reasons, err);
    cs_buf_release(&reasons);
    return rc;
}

/* Connections from here on ask what they are offered, if that is anything: any
 * other server is asked this once. The one that asked is made anew, as all
 * others are. */
static enum cs_code look_for_extensions(struct cs_driver *driver,
                                        struct cs_err *err)
{
    const struct cs_settings_mode *mode = &driver->settings->mode;
    struct cs_connection_config *config = &driver->config;
    struct cs_sharding offered;
    struct cs_address address = driver->control.address;
    enum cs_code rc;

    if (mode->simple_native)
        return CS_OK;
    rc = cs_control_sharding(&driver->control, CS_QUERY_TIMEOUT_NS, &offered,
                             err);
    if (rc)
        return rc;
    config->no_shards = mode->no_shards;
    config->tablets = offered.tablets && !mode->no_shards;
    config->lwt_mask = offered.lwt_mask;
    config->rate_limit_code = offered.rate_limit_code;
    config->extended = (offered.count && !mode->no_shards) ||
                       offered.rate_limit || config->tablets ||
                       config->lwt_mask;
    if (!config->tablets && !config->lwt_mask)
        return CS_OK;
    return cs_control_open(&driver->control, config, &address,
                           CS_CONNECT_TIMEOUT_NS, err);
}

static void fill_info(struct cs_driver *driver)
{
    const struct cs_settings_mode *mode = &driver->settings->mode;

    driver->info.protocol_version = driver->config.version;
    driver->info.max_pending = mode->max_pending;
    driver->info.connections_per_host = mode->connections_per_host;
}

/* ---- the control connection, again ---- */

enum cs_code cs_cluster_reconnect(struct cs_driver *driver, int64_t timeout_ns,
                                  struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    if (driver->control.open)
        return CS_OK;
    cs_fail(err, CS_ECONNECT, "no node is known");
    for (size_t i = 0; i < driver->node_count; i++) {
        if (!driver->nodes[i].present)
            continue;
        rc = open_contact(driver, &driver->nodes[i].address, timeout_ns, err);
        if (!rc)
            rc = cs_control_register(&driver->control, timeout_ns, err);
        if (!rc)
            return CS_OK;
    }
    return cs_while(err, "no node takes the control connection");
}

enum cs_code cs_cluster_ask(struct cs_driver *driver, const char *cql,
                            struct cs_arena *arena, struct cs_result *result,
                            struct cs_err *err)
{
    enum cs_code rc = cs_cluster_reconnect(driver, CS_CONNECT_TIMEOUT_NS, err);

    if (rc)
        return rc;
    return cs_control_query(&driver->control, cql, CS_CL_LOCAL_ONE,
                            CS_QUERY_TIMEOUT_NS, arena, result, err);
}

/* ---- connect and close ---- */

static enum cs_code connect_all(struct cs_driver *driver, struct cs_err *err)
{
    enum cs_code rc = configure(driver, err);

    if (!rc)
        rc = configure_tls(driver, err);
    if (!rc)
        rc = cs_loop_new(&driver->loop, err);
    if (rc)
        return rc;
    cs_control_init(&driver->control, driver->loop);
    cs_control_init(&driver->schema_control, driver->loop);
    driver->control.on_schema = cs_tables_take_change;
    driver->control.ctx = driver;
    rc = make_contact(driver, err);
    if (!rc)
        rc = look_for_extensions(driver, err);
    if (!rc)
        rc = cs_control_register(&driver->control, CS_QUERY_TIMEOUT_NS, err);
    if (!rc)
        rc = cs_topology_read(driver, CS_QUERY_TIMEOUT_NS, err);
    if (!rc)
        rc = cs_topology_filter(driver, err);
    if (!rc)
        fill_info(driver);
    return rc;
}

enum cs_code cs_cluster_connect(const struct cs_settings *settings,
                                struct cs_driver **out, struct cs_err *err)
{
    struct cs_driver *driver = calloc(1, sizeof(*driver));
    enum cs_code rc;

    if (!driver)
        return cs_fail(err, CS_ENOMEM, "no memory for the client");
    driver->settings = settings;
    driver->refresh_ns = driver->reconnect_ns = INT64_MAX;
    driver->request_timeout_ns =
        settings->mode.request_timeout_ms
            ? settings->mode.request_timeout_ms * CS_NS_PER_MS
            : CS_REQUEST_TIMEOUT_NS;
    cs_arena_init(&driver->arena);
    cs_shared_init(&driver->shared);
    rc = connect_all(driver, err);
    if (rc) {
        cs_cluster_close(driver);
        return rc;
    }
    *out = driver;
    return CS_OK;
}

void cs_cluster_close(struct cs_driver *driver)
{
    if (!driver)
        return;
    if (driver->loop) {
        cs_control_release(&driver->control);
        cs_control_release(&driver->schema_control);
    }
    cs_loop_free(driver->loop);
    cs_tls_free(driver->tls);
    cs_shared_release(&driver->shared);
    for (size_t i = 0; i < driver->node_count; i++)
        free(driver->nodes[i].tokens);
    free(driver->nodes);
    free(driver->infos);
    free(driver->keyspaces);
    free(driver->statements);
    free(driver->tables);
    free(driver->notices);
    cs_arena_release(&driver->arena);
    free(driver);
}
