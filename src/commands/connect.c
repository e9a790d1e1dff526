/* connect.c - from the dump to the first operation: connection, schema,
 * statements, and the lines that tell of them. */
#include "base/clock.h"
#include "base/text.h"
#include "client/client.h"
#include "commands/session_internal.h"
#include "offline/database.h"
#ifdef CSTRESS_HAS_MYSQL
#include "mysql/mysql_driver.h"
#define MYSQL_DRIVER &cs_mysql_driver
#else
#define MYSQL_DRIVER NULL
#endif
#include "workload/probe.h"
#include "workload/setup.h"
#include "workload/statements.h"

#include <stdio.h>

/* A wait shorter than this is none. */
#define WAIT_SHOWN_NS (50 * CS_NS_PER_MS)

static void show_node(struct cs_stress *stress, const struct cs_node_info *node)
{
    bool old = stress->settings->compat.level == CS_LEVEL_3_11;
    const char *name = node->host_name ? node->host_name : "";

    if (old)
        cs_report_aside(stress->report,
                        "Datatacenter: %s; Host: %s/%s; Rack: %s",
                        node->datacenter, name, node->address, node->rack);
    else
        cs_report_aside(
            stress->report, "Datacenter: %s; Host: %s/%s:%d; Rack: %s",
            node->datacenter, name, node->address, node->port, node->rack);
}

/* "Connected to MariaDB 10.11.6, one connection per request in flight". */
static void tell_servers(struct cs_stress *stress,
                         const struct cs_cluster_info *info)
{
    cs_report_aside(stress->report,
                    "Connected to %s %s, one connection per request in flight",
                    info->name, info->release_version);
    for (size_t i = 0; i < info->node_count; i++) {
        const struct cs_node_info *node = &info->nodes[i];

        if (node->port)
            cs_report_aside(stress->report, "Host: %s:%d", node->address,
                            node->port);
        else
            cs_report_aside(stress->report, "Host: %s", node->host_name);
    }
}

void cs_stress_tell_connection(struct cs_stress *stress)
{
    const struct cs_cluster_info *info = stress->db->info(stress->driver);

    if (stress->connection_told)
        return;
    stress->connection_told = true;
    if (stress->db->language == CS_LANGUAGE_SQL) {
        tell_servers(stress, info);
        return;
    }
    cs_report_aside(stress->report,
                    "Connected to cluster: %s, max pending requests per "
                    "connection %d, max connections per host %d",
                    info->name, info->max_pending, info->connections_per_host);
    for (size_t i = 0; i < info->node_count; i++)
        show_node(stress, &info->nodes[i]);
}

/* Commands without a schema of their own connect at their first run in the
 * original. */
static bool connects_late(const struct cs_settings *s)
{
    return s->compat.original_figures &&
           (s->command.type == CS_COMMAND_READ ||
            s->command.type == CS_COMMAND_COUNTER_READ ||
            s->command.type == CS_COMMAND_MIXED);
}

/* The command line tells of several nodes that it names; here are those that
 * the cluster has. */
static void advise_defaults(struct cs_stress *stress)
{
    const struct cs_settings *s = stress->settings;

    if (stress->db->language == CS_LANGUAGE_CQL &&
        s->command.type != CS_COMMAND_USER && cs_settings_updates(s) &&
        !s->schema.typed && s->node.count <= 1 &&
        stress->db->info(stress->driver)->node_count > 1)
        cs_stress_message(stress, CS_MESSAGE_NOTE,
                          "notice: a keyspace that is created has "
                          "SimpleStrategy with one replica, and its tables no "
                          "compression (-schema says otherwise)");
}

static enum cs_code pick_database(struct cs_stress *stress, struct cs_err *err)
{
    stress->db =
        stress->settings->mode.mysql ? MYSQL_DRIVER : &cs_cassandra_driver;
    if (!stress->db)
        return cs_fail(err, CS_EUNSUPPORTED,
                       "-mode mysql: this program was built without "
                       "libmariadb");
    return CS_OK;
}

enum cs_code cs_stress_connect(struct cs_stress *stress, struct cs_err *err)
{
    enum cs_code rc = pick_database(stress, err);

    if (rc)
        return rc;
    rc = stress->db->connect(stress->settings, &stress->driver, err);
    if (rc)
        return rc;
    cs_notices_tell_news(&stress->notices, stress->db, stress->driver,
                         cs_stress_message, stress);
    if (!connects_late(stress->settings))
        cs_stress_tell_connection(stress);
    advise_defaults(stress);
    return CS_OK;
}

enum cs_code cs_stress_probe(struct cs_stress *stress, struct cs_err *err)
{
    struct cs_probe found;
    char line[sizeof(found.words) + 16];
    enum cs_code rc;

    if (stress->settings->compat.data != CS_DATA_PROBE)
        return CS_OK;
    rc =
        cs_workload_probe(stress->settings, stress->db, stress->driver,
                          stress->profiles, stress->profile_count, &found, err);
    if (rc)
        return rc;
    snprintf(line, sizeof(line), "%s: %s", found.decided ? "notice" : "warning",
             found.words);
    cs_stress_message(stress, CS_MESSAGE_NOTE, line);
    stress->probed = *stress->settings;
    stress->probed.compat.data = found.dialect;
    stress->settings = &stress->probed;
    return CS_OK;
}

/* "Created keyspaces." and how long it took until all nodes agreed. */
static void show_wait(struct cs_stress *stress, const char *what,
                      int64_t waited_ns)
{
    const struct cs_settings *s = stress->settings;
    struct cs_buf text;

    cs_buf_init(&text, CS_COMMAND_TEXT_MAX);
    cs_buf_puts(&text, what);
    if (s->compat.original_figures) {
        cs_buf_printf(&text, " Sleeping %zus for propagation.", s->node.count);
    } else if (waited_ns >= WAIT_SHOWN_NS) {
        cs_buf_puts(&text, " Sleeping ");
        cs_put_fixed(&text, (double)waited_ns / 1e9, 1, false, 0);
        cs_buf_puts(&text, "s for propagation.");
    }
    if (s->compat.strict)
        cs_signals_sleep(&stress->signals,
                         (int64_t)s->node.count * CS_NS_PER_S);
    cs_report_aside(stress->report, "%s", cs_buf_text(&text));
    cs_buf_release(&text);
}

/* Whether both predefined tables are there. */
static enum cs_code have_predefined(struct cs_stress *stress, bool *out,
                                    struct cs_err *err)
{
    const struct cs_settings *s = stress->settings;
    const char *const names[] = {cs_predefined_table(s), CS_COUNTER_TABLE};
    const char *keyspace = s->schema.keyspace;
    size_t count = s->schema.table == CS_PREDEFINED_KV ? 1 : CS_COUNT(names);
    struct cs_arena arena;
    enum cs_code rc = CS_OK;

    *out = true;
    cs_arena_init(&arena);
    for (size_t i = 0; i < count && !rc && *out; i++) {
        struct cs_table *table;

        rc = stress->db->table(stress->driver, keyspace, names[i], &arena,
                               &table, err);
        if (rc == CS_EINVALID) {
            *out = false;
            rc = CS_OK;
        }
    }
    cs_arena_release(&arena);
    return rc;
}

/* Commands that write make what they need; `mixed` only what is missing, as it
 * is mostly run on data that another command has written. */
static enum cs_code create_predefined(struct cs_stress *stress,
                                      struct cs_err *err)
{
    const struct cs_settings *s = stress->settings;
    bool all_there = false;
    int64_t waited_ns = 0;
    enum cs_code rc = CS_OK;

    if (s->command.type == CS_COMMAND_READ ||
        s->command.type == CS_COMMAND_COUNTER_READ)
        return CS_OK;
    if (s->command.type == CS_COMMAND_MIXED)
        rc = have_predefined(stress, &all_there, err);
    if (rc || all_there)
        return rc;
    rc = cs_setup_predefined(s, stress->db, stress->driver, &waited_ns, err);
    if (rc)
        return rc;
    cs_stress_tell_connection(stress);
    show_wait(stress, "Created keyspaces.", waited_ns);
    if (s->command.type == CS_COMMAND_MIXED)
        cs_stress_message(stress, CS_MESSAGE_NOTE,
                          "warning: mixed: tables were missing and are empty: "
                          "reads of what is not written yet fail; a write of "
                          "the same population first fills them");
    return CS_OK;
}

/* The server refused something of a profile. Where our own reader of
 * definitions sees a fault, its words stand behind: they know the place. */
static void add_own_view(const struct cs_stress *stress,
                         struct cs_profile *profile, struct cs_err *err)
{
    size_t used = strlen(err->text);
    struct cs_driver *offline = NULL;
    struct cs_err own = {0};

    if (!profile->table_definition || !strstr(err->text, "_definition"))
        return;
    if (!cs_offline_new(stress->settings, &profile, 1, &offline, &own))
        cs_offline_driver.close(offline);
    else
        snprintf(err->text + used, sizeof(err->text) - used, "; %s", own.text);
}

static enum cs_code create_profiles(struct cs_stress *stress,
                                    struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    for (size_t i = 0; i < stress->profile_count && !rc; i++) {
        int64_t waited_ns = 0;

        rc = cs_setup_profile(stress->profiles[i], stress->db, stress->driver,
                              &waited_ns, err);
        if (rc) {
            add_own_view(stress, stress->profiles[i], err);
            break;
        }
        if (stress->profiles[i]->table_definition)
            show_wait(stress, "Created schema.", waited_ns);
        waited_ns = 0;
        rc = cs_setup_extra(stress->profiles[i], stress->db, stress->driver,
                            &waited_ns, err);
        if (!rc)
            show_wait(stress, "Created extra schema.", waited_ns);
    }
    return rc;
}

void cs_stress_tell_inserts(struct cs_stress *stress)
{
    if (stress->inserts_told || stress->settings->compat.level == CS_LEVEL_3_11)
        return;
    stress->inserts_told = true;
    for (unsigned i = 0; i < stress->profile_count; i++)
        cs_report_aside(stress->report, "Insert Statement:\n  %s",
                        stress->workload->sources[i].insert_cql);
}

/* The generated insert of each profile and how large its batches get. Without
 * the dump the original prepares it later. */
static enum cs_code show_inserts(struct cs_stress *stress, struct cs_err *err)
{
    const struct cs_settings *s = stress->settings;
    struct cs_buf line, warnings;
    enum cs_code rc = CS_OK;

    cs_buf_init(&line, CS_COMMAND_TEXT_MAX);
    cs_buf_init(&warnings, CS_COMMAND_TEXT_MAX);
    if (!s->compat.original_figures || !s->log.no_settings)
        cs_stress_tell_inserts(stress);
    for (unsigned i = 0; i < stress->profile_count && !rc; i++) {
        cs_buf_clear(&line);
        rc = cs_workload_describe_batches(stress->workload, i, &line, &warnings,
                                          err);
        if (!rc && !s->log.no_settings)
            cs_report_line(stress->report, "%s", cs_buf_text(&line));
    }
    if (!rc && stress->profile_count && !s->log.no_settings)
        cs_report_line(stress->report, "%s", "");
    cs_stress_tell(&warnings);
    cs_buf_release(&line);
    cs_buf_release(&warnings);
    return rc;
}

enum cs_code cs_stress_prepare(struct cs_stress *stress, struct cs_err *err)
{
    struct cs_buf warnings;
    enum cs_code rc;

    rc = stress->profile_count ? create_profiles(stress, err)
                               : create_predefined(stress, err);
    cs_notices_tell_news(&stress->notices, stress->db, stress->driver,
                         cs_stress_message, stress);
    if (rc)
        return rc;
    cs_buf_init(&warnings, CS_COMMAND_TEXT_MAX);
    rc = cs_workload_new(stress->settings, stress->db, stress->driver,
                         stress->profiles, stress->profile_count,
                         &stress->workload, &warnings, err);
    cs_stress_tell(&warnings);
    cs_buf_release(&warnings);
    return rc ? rc : show_inserts(stress, err);
}

/* ---- truncate= ---- */

/* Tables that the kinds of a predefined command use. */
static bool table_used(const struct cs_workload *w, unsigned source)
{
    for (unsigned i = 0; i < w->kind_count; i++)
        if (w->kinds[i].source == source)
            return true;
    return w->sources[source].profile != NULL;
}

enum cs_code cs_stress_truncate(struct cs_stress *stress, struct cs_err *err)
{
    const struct cs_workload *w = stress->workload;
    enum cs_code rc = CS_OK;
    char line[512];

    for (unsigned i = 0; i < w->source_count && !rc; i++) {
        const struct cs_table *table = w->sources[i].table;
        int64_t waited_ns = 0;

        if (!table_used(w, i))
            continue;
        rc = cs_setup_truncate(table->keyspace, table->name, stress->db,
                               stress->driver, &waited_ns, err);
        snprintf(line, sizeof(line), "Truncated %s.%s.", table->keyspace,
                 table->name);
        if (!rc)
            show_wait(stress, line, waited_ns);
    }
    return rc;
}
