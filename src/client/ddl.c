/* ddl.c - statements as text, and waiting until all nodes know the schema that
 * a change has made. */
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "client/cluster.h"
#include "client/rowset.h"
#include "protocol/error.h"

#include <ctype.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define AGREEMENT_LIMIT_NS (10 * CS_NS_PER_S)
#define POLL_FIRST_NS      (20 * CS_NS_PER_MS)
#define POLL_LONGEST_NS    (50 * CS_NS_PER_MS)
/* When a node still differs after so long, and how long a connection to it may
 * take then. */
#define PROBE_AFTER_NS (1 * CS_NS_PER_S)
#define PROBE_MS       300
#define DEAD_MAX       64
/* To connect to the node that runs a schema change. */
#define SCHEMA_NODE_TIMEOUT_NS (2 * CS_NS_PER_S)
#define TRIES                  6
#define RETRY_PAUSE_NS         (200 * CS_NS_PER_MS)

static void pause_ns(int64_t ns)
{
    struct timespec t = {.tv_sec = ns / CS_NS_PER_S,
                         .tv_nsec = ns % CS_NS_PER_S};

    nanosleep(&t, NULL);
}

/* Blanks and comments in front of a statement. */
static const char *skip_blanks(const char *cql)
{
    for (;;) {
        while (isspace((unsigned char)*cql))
            cql++;
        if (!strncmp(cql, "--", 2) || !strncmp(cql, "//", 2)) {
            cql += strcspn(cql, "\n");
        } else if (!strncmp(cql, "/*", 2)) {
            const char *end = strstr(cql + 2, "*/");

            cql = end ? end + 2 : cql + strlen(cql);
        } else {
            return cql;
        }
    }
}

static bool is_ddl(const char *cql)
{
    cql = skip_blanks(cql);
    return cs_starts_with_word(cql, "create") ||
           cs_starts_with_word(cql, "alter") ||
           cs_starts_with_word(cql, "drop");
}

/* ---- agreement ---- */

struct agreement {
    struct cs_driver *driver;
    struct cs_control *control;
    uint8_t version[16]; /* of the node that is asked */
    bool agreed;
    bool probe; /* look whether the nodes that differ are there at all */
    const struct cs_known_node *other; /* one that differs; NULL: unknown */
    uint8_t dead[DEAD_MAX][16];        /* host ids of those that are not */
    size_t dead_count;
};

static enum cs_code ask(struct agreement *a, const char *cql,
                        struct cs_arena *arena, struct cs_result *result,
                        struct cs_rowset *rows, struct cs_err *err)
{
    enum cs_code rc = cs_control_query(a->control, cql, CS_CL_LOCAL_ONE,
                                       CS_QUERY_TIMEOUT_NS, arena, result, err);

    if (!rc)
        rc = cs_rowset_init(rows, result, err);
    return rc;
}

static enum cs_code ask_local(struct agreement *a, struct cs_arena *arena,
                              struct cs_err *err)
{
    struct cs_result result;
    struct cs_rowset rows;
    struct cs_view version = {.data = NULL};
    enum cs_code rc =
        ask(a, "SELECT schema_version FROM system.local WHERE key = 'local'",
            arena, &result, &rows, err);

    if (!rc && cs_rowset_next(&rows))
        version = cs_rowset_get(&rows, "schema_version");
    if (!rc && version.size != sizeof(a->version))
        return cs_fail(err, CS_EPROTOCOL, "system.local has no schema version");
    if (!rc)
        memcpy(a->version, version.data, sizeof(a->version));
    return rc;
}

static bool answers(const struct cs_address *address)
{
    struct pollfd p = {.events = POLLOUT};
    struct cs_err err;
    bool open;

    if (cs_socket_connect(address, &p.fd, &err))
        return false;
    open = poll(&p, 1, PROBE_MS) == 1 && !cs_socket_error(p.fd);
    close(p.fd);
    return open;
}

static const struct cs_known_node *node_of(const struct cs_driver *driver,
                                           struct cs_view host_id)
{
    for (size_t i = 0; host_id.size == 16 && i < driver->node_count; i++)
        if (!memcmp(driver->nodes[i].host_id, host_id.data, 16))
            return &driver->nodes[i];
    return NULL;
}

/* A node that is down keeps its old version in the tables of the others: it is
 * not waited for. */
static bool is_dead(struct agreement *a, struct cs_view host_id)
{
    const struct cs_known_node *node = node_of(a->driver, host_id);

    if (!node)
        return false;
    for (size_t i = 0; i < a->dead_count; i++)
        if (!memcmp(a->dead[i], host_id.data, 16))
            return true;
    if (!a->probe || a->dead_count == DEAD_MAX || answers(&node->address))
        return false;
    memcpy(a->dead[a->dead_count++], host_id.data, 16);
    return true;
}

static enum cs_code check_agreement(struct agreement *a, struct cs_err *err)
{
    const char *peers =
        a->driver->old_peers
            ? "SELECT host_id, schema_version FROM system.peers"
            : "SELECT host_id, schema_version FROM system.peers_v2";
    struct cs_arena arena;
    struct cs_result result;
    struct cs_rowset rows;
    enum cs_code rc;

    cs_arena_init(&arena);
    rc = ask_local(a, &arena, err);
    if (!rc)
        rc = ask(a, peers, &arena, &result, &rows, err);
    a->agreed = !rc;
    while (!rc && cs_rowset_next(&rows)) {
        struct cs_view version = cs_rowset_get(&rows, "schema_version");
        struct cs_view host_id = cs_rowset_get(&rows, "host_id");

        if (version.size != 16 || !memcmp(version.data, a->version, 16) ||
            is_dead(a, host_id))
            continue;
        a->agreed = false;
        a->other = node_of(a->driver, host_id);
    }
    cs_arena_release(&arena);
    return rc;
}

/* Once: several changes of the schema follow each other. */
static void tell_disagreement(const struct agreement *a)
{
    if (a->driver->disagreement_told)
        return;
    a->driver->disagreement_told = true;
    cs_cluster_notice(a->driver,
                      "the nodes do not agree on the schema after %d s: %s has "
                      "another one than the rest",
                      (int)(AGREEMENT_LIMIT_NS / CS_NS_PER_S),
                      a->other ? a->other->address.text : "one of them");
}

static enum cs_code wait_agreement(struct cs_driver *driver,
                                   struct cs_control *control,
                                   int64_t *waited_ns, struct cs_err *err)
{
    struct agreement a = {.driver = driver, .control = control};
    int64_t start_ns = cs_now_ns();
    int64_t probe_ns = start_ns + PROBE_AFTER_NS;
    int64_t poll_ns = POLL_FIRST_NS;
    enum cs_code rc = check_agreement(&a, err);

    while (!rc && !a.agreed && cs_now_ns() - start_ns < AGREEMENT_LIMIT_NS) {
        pause_ns(poll_ns);
        poll_ns = CS_MIN(poll_ns + poll_ns / 2, POLL_LONGEST_NS);
        a.probe = cs_now_ns() >= probe_ns;
        if (a.probe)
            probe_ns = cs_now_ns() + PROBE_AFTER_NS;
        rc = check_agreement(&a, err);
    }
    if (waited_ns)
        *waited_ns += cs_now_ns() - start_ns;
    if (!rc && !a.agreed)
        tell_disagreement(&a);
    return rc;
}

/* ---- who runs it ---- */

/* The node with the least host id above that of after (NULL: of all). */
static const struct cs_known_node *
next_by_host_id(const struct cs_driver *driver,
                const struct cs_known_node *after)
{
    const struct cs_known_node *next = NULL;

    for (size_t i = 0; i < driver->node_count; i++) {
        const struct cs_known_node *node = &driver->nodes[i];

        if (!node->present || !driver->infos[i].allowed ||
            (after && memcmp(node->host_id, after->host_id, 16) <= 0))
            continue;
        if (!next || memcmp(node->host_id, next->host_id, 16) < 0)
            next = node;
    }
    return next;
}

static bool open_schema_control(struct cs_driver *driver,
                                const struct cs_address *address)
{
    struct cs_err err;

    if (driver->schema_control.open &&
        cs_address_equal(&driver->schema_control.address, address))
        return true;
    if (!cs_control_open(&driver->schema_control, &driver->config, address,
                         SCHEMA_NODE_TIMEOUT_NS, &err))
        return true;
    CS_DEBUG("node for schema changes: %s", err.text);
    return false;
}

/* Programs that create the same tables at the same moment must not do so on
 * different nodes: each node would give the table an id of its own. All of
 * them ask the first node that answers, in the order of host ids. */
static struct cs_control *schema_control(struct cs_driver *driver)
{
    const struct cs_known_node *node = NULL;

    while ((node = next_by_host_id(driver, node))) {
        if (cs_address_equal(&node->address, &driver->control.address))
            break;
        if (open_schema_control(driver, &node->address))
            return &driver->schema_control;
    }
    return &driver->control;
}

/* ---- running it ---- */

static bool may_pass(const struct cs_err *err)
{
    if (err->code == CS_ECONNECT || err->code == CS_ETIMEOUT ||
        err->code == CS_ESYSTEM)
        return true;
    if (err->code != CS_ESERVER)
        return false;
    switch (err->server_code) {
    case CS_SERVER_ERROR:
    case CS_SERVER_UNAVAILABLE:
    case CS_SERVER_OVERLOADED:
    case CS_SERVER_IS_BOOTSTRAPPING:
    case CS_SERVER_WRITE_TIMEOUT:
    case CS_SERVER_READ_TIMEOUT:
    case CS_SERVER_WRITE_FAILURE:
    case CS_SERVER_READ_FAILURE:
        return true;
    default:
        return false;
    }
}

static enum cs_code run_once(struct cs_driver *driver, const char *cql,
                             enum cs_consistency cl, bool ddl,
                             int64_t *waited_ns, struct cs_err *err)
{
    struct cs_result result;
    struct cs_control *control;
    enum cs_code rc = cs_cluster_reconnect(driver, CS_CONNECT_TIMEOUT_NS, err);

    if (rc)
        return rc;
    /* Others too: USE must reach the connection of the DDL behind it. */
    control = schema_control(driver);
    rc = cs_control_query(control, cql, cl, CS_DDL_TIMEOUT_NS, NULL, &result,
                          err);
    /* Also when nothing was changed: another program may have made the table a
     * moment ago. */
    if (!rc && ddl)
        rc = wait_agreement(driver, control, waited_ns, err);
    return rc;
}

/* Longer with each try, and never the same for two programs. */
static int64_t retry_pause_ns(int try)
{
    return RETRY_PAUSE_NS * (try + 1) + cs_now_ns() / 1000 % RETRY_PAUSE_NS;
}

enum cs_code cs_cluster_execute(struct cs_driver *driver, const char *cql,
                                enum cs_consistency cl, int64_t *waited_ns,
                                struct cs_err *err)
{
    bool ddl = is_ddl(cql);
    enum cs_code rc = run_once(driver, cql, cl, ddl, waited_ns, err);

    for (int try = 0; ddl && rc && try < TRIES && may_pass(err); try++) {
        CS_DEBUG("trying a schema change again: %s", err->text);
        pause_ns(retry_pause_ns(try));
        rc = run_once(driver, cql, cl, ddl, waited_ns, err);
    }
    return rc;
}
