/* session.c - one loop thread's view: the pass that reads, calls back and
 * writes. */
#include "client/session.h"

#include "base/clock.h"
#include "client/interrupt.h"
#include "client/routes.h"
#include "client/session_internal.h"

#include <stdio.h>
#include <stdlib.h>

/* How long a new session waits for the other nodes when one stands. */
#define OTHERS_NS CS_NS_PER_S
/* What a request is given while no node can be asked and that has been so for
 * longer than a request may take. */
#define NO_NODE_GRACE_NS CS_NS_PER_S
#define REASONS_MAX      900

/* ---- those that wait ---- */

/* "/127.0.0.1:9042: connection refused, ..." */
static const char *reasons(const struct cs_session *session, struct cs_buf *buf)
{
    cs_buf_puts(buf, "all host(s) tried for query failed (tried: ");
    for (unsigned i = 0; i < session->pool_count; i++) {
        const struct cs_pool *pool = session->pools[i];

        if (pool->wanted)
            cs_buf_printf(buf, "%s/%s:%d: %s", i ? ", " : "",
                          pool->address.text, pool->address.port, pool->why);
    }
    cs_buf_puts(buf, ")");
    return cs_buf_text(buf);
}

static bool has_expired(const struct cs_session *session,
                        const struct cs_operation *op)
{
    int64_t end_ns = op->session.deadline_ns;
    int64_t given_up_ns;

    if (session->no_node_ns != INT64_MAX) {
        given_up_ns = CS_MAX(session->no_node_ns + session->timeout_ns,
                             end_ns - session->timeout_ns + NO_NODE_GRACE_NS);
        end_ns = CS_MIN(end_ns, given_up_ns);
    }
    return end_ns <= session->now_ns;
}

static void expire_one(struct cs_session *session, struct cs_operation *op)
{
    struct cs_buf buf;

    if (session->usable_pools) {
        cs_operation_fail(session, op, CS_RESULT_CLIENT_TIMEOUT,
                          "not sent: the connections had no room in time");
        return;
    }
    cs_buf_init(&buf, REASONS_MAX);
    cs_operation_fail(session, op, CS_RESULT_NO_HOST, reasons(session, &buf));
    cs_buf_release(&buf);
}

/* Callbacks may submit: what they add is not looked at in this round. */
static void expire_waiting(struct cs_session *session)
{
    size_t count = session->waiting.count;

    while (count--) {
        struct cs_operation *op = cs_operations_pop(&session->waiting);

        if (has_expired(session, op))
            expire_one(session, op);
        else
            cs_operations_push(&session->waiting, op);
    }
}

/* Requests that could not be written down at all. */
static void end_finished(struct cs_session *session)
{
    size_t count = session->finished.count;

    while (count--) {
        struct cs_operation *op = cs_operations_pop(&session->finished);

        op->session.connection = NULL;
        cs_operation_fail(session, op, CS_RESULT_INVALID,
                          "the request is too large, or its values are not "
                          "those of its statement");
    }
}

/* ---- the pass ---- */

static enum cs_code adopt(struct cs_session *session, struct cs_err *err)
{
    session->version =
        cs_shared_adopt(&session->driver->shared, &session->snapshot);
    cs_routes_review(session);
    return cs_pools_adopt(session, err);
}

static bool is_outdated(const struct cs_session *session)
{
    return atomic_load_explicit(&session->driver->shared.version,
                                memory_order_acquire) != session->version;
}

static void tick(struct cs_session *session)
{
    session->tick_ns = session->now_ns + CS_TICK_NS;
    cs_pools_tick(session);
    if (session->waiting.first)
        expire_waiting(session);
}

static enum cs_code wait_and_read(struct cs_session *session,
                                  int64_t deadline_ns, struct cs_err *err)
{
    enum cs_code rc;

    session->answered = false;
    session->in_pass = true;
    rc = cs_loop_wait(session->group.loop,
                      CS_MIN(deadline_ns, session->tick_ns), err);
    if (!session->answered)
        session->now_ns = cs_now_ns();
    return rc;
}

enum cs_code cs_session_poll(struct cs_session *session, int64_t deadline_ns,
                             struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    if (CS_UNLIKELY(is_outdated(session)))
        rc = adopt(session, err);
    if (rc)
        return rc;
    if (CS_UNLIKELY(session->finished.first != NULL))
        deadline_ns = 0;
    cs_link_flush_all(&session->group);
    rc = wait_and_read(session, deadline_ns, err);
    if (CS_UNLIKELY(session->now_ns >= session->tick_ns))
        tick(session);
    if (CS_UNLIKELY(session->waiting.first != NULL))
        cs_session_drain_waiting(session);
    if (CS_UNLIKELY(session->finished.first != NULL))
        end_finished(session);
    cs_link_flush_all(&session->group);
    if (CS_UNLIKELY(session->dead != NULL))
        cs_session_bury(session);
    session->in_pass = false;
    return rc;
}

void cs_session_wake(struct cs_session *session)
{
    cs_loop_wake(session->group.loop);
}

/* ---- new and free ---- */

static unsigned connections_for(const struct cs_settings_mode *mode,
                                int in_flight)
{
    int most = CS_MAX(mode->connections_per_host, 1);
    int count = (in_flight + CS_IN_FLIGHT_PER_CONNECTION - 1) /
                CS_IN_FLIGHT_PER_CONNECTION;

    if (mode->connections_typed)
        count = most;
    return (unsigned)CS_MAX(1, CS_MIN(count, most));
}

static uint32_t limit_for(const struct cs_settings_mode *mode, int in_flight,
                          unsigned connections)
{
    int64_t limit = mode->max_pending;
    int64_t share = ((int64_t)in_flight + connections - 1) / connections;

    if (!mode->max_pending_typed)
        limit = CS_MAX(share, (int64_t)CS_IN_FLIGHT_LIMIT_LEAST);
    return (uint32_t)CS_MAX(1, CS_MIN(limit, CS_STREAM_MAX + 1));
}

/* Whether there is nothing left to wait for. */
static bool is_settled(const struct cs_session *session, int64_t now_ns,
                       int64_t start_ns)
{
    bool complete = true;
    bool settled = true;

    for (unsigned i = 0; i < session->pool_count; i++) {
        const struct cs_pool *pool = session->pools[i];

        if (!pool->wanted)
            continue;
        settled = settled && pool->settled;
        complete = complete && pool->settled &&
                   pool->usable_count == pool->channel_count &&
                   !cs_shards_lack(pool);
    }
    if (complete)
        return true;
    if (session->usable_pools)
        return now_ns - start_ns > OTHERS_NS;
    return settled;
}

static enum cs_code fail_no_host(const struct cs_session *session,
                                 struct cs_err *err)
{
    struct cs_buf buf;
    enum cs_code rc;

    cs_buf_init(&buf, REASONS_MAX);
    rc = cs_fail(err, CS_ECONNECT, "NoHostAvailableException: %s",
                 reasons(session, &buf));
    cs_buf_release(&buf);
    return rc;
}

static enum cs_code await_connections(struct cs_session *session,
                                      struct cs_err *err)
{
    int64_t start_ns = cs_now_ns();
    int64_t end_ns = start_ns + CS_CONNECT_TIMEOUT_NS + CS_NS_PER_S;
    struct cs_interrupt interrupt;
    enum cs_code rc =
        cs_interrupt_begin(&interrupt, session->group.loop,
                           session->driver->control.interrupt_fd, err);

    while (!rc && !is_settled(session, cs_now_ns(), start_ns) &&
           cs_now_ns() < end_ns) {
        rc = cs_session_poll(session, end_ns, err);
        if (!rc)
            rc = cs_interrupt_check(&interrupt, err);
    }
    cs_interrupt_end(&interrupt);
    if (!rc && !session->usable_pools)
        return fail_no_host(session, err);
    return rc;
}

/* Nodes that a run begins without. */
static void tell_missing_nodes(const struct cs_session *session)
{
    for (unsigned i = 0; i < session->pool_count; i++) {
        const struct cs_pool *pool = session->pools[i];

        if (pool->wanted && !pool->usable_count)
            cs_cluster_notice(session->driver, "node %s:%d is not used yet: %s",
                              pool->address.text, pool->address.port,
                              pool->settled ? pool->why
                                            : "it has not answered");
    }
}

static enum cs_code start(struct cs_session *session, struct cs_err *err)
{
    enum cs_code rc = cs_loop_new(&session->group.loop, err);

    /* The schema stands: a further connection would only be in the way of
     * those who count them. */
    cs_control_close(&session->driver->schema_control);
    if (!rc && session->driver->stale)
        rc = cs_cluster_publish(session->driver, err);
    if (!rc)
        rc = adopt(session, err);
    if (!rc)
        rc = await_connections(session, err);
    /* All sessions have the same nodes. */
    if (!rc && session->driver->sessions == 1)
        tell_missing_nodes(session);
    return rc;
}

enum cs_code cs_session_new(struct cs_driver *driver, int in_flight,
                            struct cs_session **out, struct cs_err *err)
{
    const struct cs_settings_mode *mode = &driver->settings->mode;
    struct cs_session *session = calloc(1, sizeof(*session));
    enum cs_code rc;

    if (!session)
        return cs_fail(err, CS_ENOMEM, "no memory for a session");
    session->driver = driver;
    session->done =
        (struct cs_outcome){.message = "", .applied = true, .sent = true};
    session->config = &driver->config;
    session->timeout_ns = driver->request_timeout_ns;
    session->connections_per_node = connections_for(mode, in_flight);
    session->limit = limit_for(mode, in_flight, session->connections_per_node);
    session->start_ns = session->now_ns = cs_now_ns();
    cs_pass_clock_init(&session->clock);
    session->no_node_ns = session->now_ns;
    session->route_shard = CS_SHARD_BY_TOKEN;
    session->random = (uint64_t)session->now_ns | 1;
    cs_operations_init(&session->waiting);
    cs_operations_init(&session->finished);
    pthread_mutex_init(&session->pools_mutex, NULL);
    driver->sessions++;
    rc = start(session, err);
    if (rc) {
        cs_session_free(session);
        return rc;
    }
    *out = session;
    return CS_OK;
}

void cs_session_free(struct cs_session *session)
{
    if (!session)
        return;
    cs_session_bury(session);
    cs_pools_free(session);
    if (session->snapshot)
        cs_shared_leave(&session->driver->shared, &session->snapshot);
    for (unsigned i = 0; i < session->statement_count; i++)
        free(session->statements[i]);
    free(session->statements);
    cs_tablets_free(session->tablets);
    cs_loop_free(session->group.loop);
    pthread_mutex_destroy(&session->pools_mutex);
    session->driver->sessions--;
    free(session);
}

/* ---- looked at by the main thread ---- */

static void fill_traffic(const struct cs_pool *pool,
                         struct cs_node_traffic *out)
{
    const struct cs_known_node *node =
        &pool->session->driver->nodes[pool->node];

    snprintf(out->address, sizeof(out->address), "%s", pool->address.text);
    out->joined_ns = node->joined_ns;
    out->left_ns = node->left_ns;
    out->first_request_ns =
        atomic_load_explicit(&pool->first_request_ns, memory_order_relaxed);
    out->port = pool->address.port;
    out->shard_known =
        atomic_load_explicit(&pool->shard_known, memory_order_relaxed);
    out->shard_right =
        atomic_load_explicit(&pool->shard_right, memory_order_relaxed);
    out->requests = 0;
    for (size_t i = 0; i < CS_ROLE_COUNT; i++) {
        out->roles[i] =
            atomic_load_explicit(&pool->requests[i], memory_order_relaxed);
        out->requests += out->roles[i];
    }
    out->connections =
        atomic_load_explicit(&pool->open_count, memory_order_relaxed);
}

size_t cs_session_traffic(struct cs_session *session,
                          struct cs_node_traffic *out, size_t count)
{
    size_t pools;

    pthread_mutex_lock(&session->pools_mutex);
    pools = session->pool_count;
    for (size_t i = 0; i < pools && i < count; i++)
        fill_traffic(session->pools[i], &out[i]);
    pthread_mutex_unlock(&session->pools_mutex);
    return pools;
}
