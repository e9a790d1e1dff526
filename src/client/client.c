/* client.c - the table of functions, and what else callers may ask. */
#include "client/client.h"

#include "client/replicas.h"
#include "client/session.h"
#include "client/session_internal.h"

static const struct cs_cluster_info *get_info(struct cs_driver *driver)
{
    return &driver->info;
}

static int get_event_fd(struct cs_driver *driver)
{
    return cs_loop_fd(driver->loop);
}

static void set_interrupt(struct cs_driver *driver, int fd)
{
    driver->control.interrupt_fd = fd;
    driver->schema_control.interrupt_fd = fd;
}

static const char *get_notice(struct cs_driver *driver, size_t index)
{
    return index < driver->notice_count ? driver->notices[index] : NULL;
}

static void get_counts(const struct cs_session *session,
                       struct cs_session_counts *out)
{
    *out = session->counts;
}

static size_t get_warnings(struct cs_session *session,
                           struct cs_server_warning *out, size_t count,
                           uint64_t *others)
{
    struct cs_warnings *warnings = &session->warnings;
    size_t kept = atomic_load_explicit(&warnings->kept, memory_order_acquire);

    for (size_t i = 0; i < kept && i < count; i++)
        out[i] = (struct cs_server_warning){
            .text = warnings->items[i].text,
            .count = atomic_load_explicit(&warnings->items[i].count,
                                          memory_order_relaxed)};
    if (others)
        *others = atomic_load_explicit(&warnings->others, memory_order_relaxed);
    return kept;
}

const struct cs_driver_ops cs_cassandra_driver = {
    .connect = cs_cluster_connect,
    .close = cs_cluster_close,
    .info = get_info,
    .notice = get_notice,
    .execute = cs_cluster_execute,
    .table = cs_cluster_table,
    .ring_tokens = cs_topology_tokens,
    .has_keyspace = cs_keyspace_exists,
    .follow_keyspace = cs_keyspace_follow,
    .prepare = cs_cluster_prepare,
    .interrupt = set_interrupt,
    .event_fd = get_event_fd,
    .handle_events = cs_cluster_handle_events,
    .session_new = cs_session_new,
    .session_free = cs_session_free,
    .submit = cs_session_submit,
    .poll = cs_session_poll,
    .node_name = cs_session_node_name,
    .replicas = cs_session_replicas,
    .wake = cs_session_wake,
    .traffic = cs_session_traffic,
    .copies = cs_keyspace_copies,
    .counts = get_counts,
    .warnings = get_warnings,
};
