/* catalog.c - learns schema by listening to the statements that make it. */
#include "responder/catalog_internal.h"

#include "base/text.h"
#include "schema/ddl.h"

#include <stdlib.h>

#define STRATEGIES "org.apache.cassandra.locator."

struct cs_known_space *cs_catalog_space(const struct cs_catalog *catalog,
                                        const char *name)
{
    for (size_t i = 0; i < catalog->space_count; i++)
        if (!strcmp(catalog->spaces[i]->name, name))
            return catalog->spaces[i];
    return NULL;
}

struct cs_table *cs_catalog_table(const struct cs_catalog *catalog,
                                  const char *keyspace, const char *name)
{
    for (size_t i = 0; i < catalog->table_count; i++)
        if (!strcmp(catalog->tables[i]->name, name) &&
            !strcmp(catalog->tables[i]->keyspace, keyspace))
            return catalog->tables[i];
    return NULL;
}

bool cs_catalog_is_system(const struct cs_table *table)
{
    return cs_starts_with(table->keyspace, "system");
}

static enum cs_code no_memory(struct cs_err *err)
{
    return cs_fail(err, CS_ENOMEM, "no memory for the schema");
}

/* ---- CREATE ---- */

/* {'class': 'X', 'replication_factor': 1} */
static void read_replication(struct cs_catalog *catalog,
                             const struct cs_cql_words *words,
                             struct cs_known_space *space)
{
    size_t i = 0;

    while (i < words->count && !cs_cql_words_is(words, i, "replication"))
        i++;
    for (i += 3; cs_cql_words_at(words, i + 1)->kind == ':'; i += 4) {
        const char *key = cs_cql_words_at(words, i)->text;
        const char *value = cs_cql_words_at(words, i + 2)->text;
        bool bare = !strcmp(key, "class") && !strchr(value, '.');

        if (space->replication_count == CS_REPLICATION_MAX)
            return;
        space->replication[space->replication_count++] =
            (struct cs_option_pair){cs_arena_text(&catalog->arena, key),
                                    cs_arena_printf(&catalog->arena, "%s%s",
                                                    bare ? STRATEGIES : "",
                                                    value)};
    }
}

static enum cs_code add_space(struct cs_catalog *catalog, const char *text,
                              const struct cs_cql_words *words,
                              struct cs_schema_step *out, struct cs_err *err)
{
    struct cs_known_space *space =
        cs_arena_alloc(&catalog->arena, sizeof(*space));
    struct cs_known_space **more =
        realloc(catalog->spaces, (catalog->space_count + 1) * sizeof(space));
    enum cs_code rc;

    if (more)
        catalog->spaces = more;
    if (!space || !more)
        return no_memory(err);
    rc = cs_ddl_keyspace_name(text, &catalog->arena, &space->name, err);
    if (rc || cs_catalog_space(catalog, space->name))
        return rc;
    read_replication(catalog, words, space);
    space->system = cs_starts_with(space->name, "system");
    catalog->spaces[catalog->space_count++] = space;
    *out = (struct cs_schema_step){"CREATED", "KEYSPACE", space->name, NULL};
    return CS_OK;
}

static const struct cs_type *find_type(void *ctx, const char *name)
{
    const struct cs_catalog *catalog = ctx;

    for (size_t i = catalog->type_count; i-- > 0;)
        if (!strcmp(catalog->types[i]->name, name))
            return catalog->types[i];
    return NULL;
}

static void drop_tables(struct cs_catalog *catalog, const char *keyspace,
                        const char *name)
{
    size_t kept = 0;

    for (size_t i = 0; i < catalog->table_count; i++) {
        const struct cs_table *table = catalog->tables[i];

        if (strcmp(table->keyspace, keyspace) != 0 ||
            (name && strcmp(table->name, name) != 0))
            catalog->tables[kept++] = catalog->tables[i];
    }
    catalog->table_count = kept;
}

static enum cs_code add_table(struct cs_catalog *catalog, const char *keyspace,
                              const char *text, struct cs_schema_step *out,
                              struct cs_err *err)
{
    struct cs_table *table = cs_arena_alloc(&catalog->arena, sizeof(*table));
    struct cs_table **more =
        realloc(catalog->tables, (catalog->table_count + 1) * sizeof(table));
    enum cs_code rc;

    if (more)
        catalog->tables = more;
    if (!table || !more)
        return no_memory(err);
    rc = cs_ddl_table(text, &catalog->arena, find_type, catalog, table, err);
    if (rc)
        return rc;
    if (!table->keyspace)
        table->keyspace =
            cs_arena_text(&catalog->arena, keyspace ? keyspace : "keyspace1");
    if (!cs_catalog_space(catalog, table->keyspace))
        return cs_fail(err, CS_EINVALID, "keyspace '%s' does not exist",
                       table->keyspace);
    /* The newest definition counts: there are no rows that it could not fit,
     * and it may be another than that of the predefined tables. */
    drop_tables(catalog, table->keyspace, table->name);
    catalog->tables[catalog->table_count++] = table;
    *out = (struct cs_schema_step){"CREATED", "TABLE", table->keyspace,
                                   table->name};
    return CS_OK;
}

static enum cs_code add_type(struct cs_catalog *catalog, const char *keyspace,
                             const char *text, struct cs_schema_step *out,
                             struct cs_err *err)
{
    const struct cs_type **more =
        realloc(catalog->types,
                (catalog->type_count + 1) * sizeof(const struct cs_type *));
    const struct cs_type *type;
    struct cs_type *owned;
    enum cs_code rc;

    if (!more)
        return no_memory(err);
    catalog->types = more;
    rc = cs_ddl_type(text, &catalog->arena, find_type, catalog, &type, err);
    if (rc)
        return rc;
    owned = cs_arena_alloc(&catalog->arena, sizeof(*owned));
    if (!owned)
        return no_memory(err);
    *owned = *type;
    if (!owned->keyspace)
        owned->keyspace =
            cs_arena_text(&catalog->arena, keyspace ? keyspace : "keyspace1");
    catalog->types[catalog->type_count++] = owned;
    *out = (struct cs_schema_step){"CREATED", "TYPE", owned->keyspace,
                                   owned->name};
    return CS_OK;
}

/* ---- DROP ---- */

static void drop_space(struct cs_catalog *catalog, const char *name)
{
    size_t kept = 0;

    for (size_t i = 0; i < catalog->space_count; i++)
        if (strcmp(catalog->spaces[i]->name, name) != 0)
            catalog->spaces[kept++] = catalog->spaces[i];
    catalog->space_count = kept;
    drop_tables(catalog, name, NULL);
}

/* DROP KEYSPACE|TABLE [IF EXISTS] [ks.]name */
static void drop(struct cs_catalog *catalog, const char *keyspace,
                 const struct cs_cql_words *words, struct cs_schema_step *out)
{
    size_t at = cs_cql_words_is(words, 2, "if") ? 4 : 2;
    const char *first = cs_cql_words_at(words, at)->text;
    bool dotted = cs_cql_words_at(words, at + 1)->kind == '.';

    first = cs_arena_text(&catalog->arena, first);
    if (!first)
        return;
    if (cs_cql_words_is(words, 1, "keyspace")) {
        drop_space(catalog, first);
        *out = (struct cs_schema_step){"DROPPED", "KEYSPACE", first, NULL};
    } else if (cs_cql_words_is(words, 1, "table")) {
        const char *name =
            dotted ? cs_arena_text(&catalog->arena,
                                   cs_cql_words_at(words, at + 2)->text)
                   : first;
        const char *space = dotted ? first : keyspace;

        if (!name || !space)
            return;
        drop_tables(catalog, space, name);
        *out = (struct cs_schema_step){"DROPPED", "TABLE", space, name};
    }
}

enum cs_code cs_catalog_change(struct cs_catalog *catalog, const char *keyspace,
                               struct cs_view cql, struct cs_schema_step *out,
                               struct cs_err *err)
{
    const char *text = cs_arena_bytes(&catalog->arena, cql.data, cql.size);
    struct cs_cql_words words;
    enum cs_code rc = cs_cql_words_cut(cql, &catalog->arena, &words, err);

    *out = (struct cs_schema_step){.what = NULL};
    if (rc || !text)
        return rc ? rc : no_memory(err);
    if (cs_cql_words_is(&words, 0, "drop")) {
        drop(catalog, keyspace, &words, out);
        return CS_OK;
    }
    if (!cs_cql_words_is(&words, 0, "create"))
        return CS_OK;
    if (cs_cql_words_is(&words, 1, "keyspace"))
        return add_space(catalog, text, &words, out, err);
    if (cs_cql_words_is(&words, 1, "table") ||
        cs_cql_words_is(&words, 1, "columnfamily"))
        return add_table(catalog, keyspace, text, out, err);
    if (cs_cql_words_is(&words, 1, "type"))
        return add_type(catalog, keyspace, text, out, err);
    return CS_OK;
}

/* ---- life ---- */

/* The system's tables as drivers of all languages read them (Cassandra 5.0),
 * and those of the predefined commands. */
static const char *const statements[] = {
    "CREATE KEYSPACE system WITH replication = {'class': 'LocalStrategy'}",
    "CREATE KEYSPACE system_schema WITH replication = "
    "{'class': 'LocalStrategy'}",
    "CREATE KEYSPACE system_virtual_schema WITH replication = "
    "{'class': 'LocalStrategy'}",
    "CREATE TABLE system.local (key text PRIMARY KEY, bootstrapped text, "
    "broadcast_address inet, broadcast_port int, cluster_name text, "
    "cql_version text, data_center text, gossip_generation int, host_id uuid, "
    "listen_address inet, listen_port int, native_protocol_version text, "
    "partitioner text, rack text, release_version text, rpc_address inet, "
    "rpc_port int, schema_version uuid, tokens set<text>, "
    "truncated_at map<uuid, blob>)",
    "CREATE TABLE system.peers (peer inet PRIMARY KEY, data_center text, "
    "host_id uuid, preferred_ip inet, rack text, release_version text, "
    "rpc_address inet, schema_version uuid, tokens set<text>)",
    "CREATE TABLE system.peers_v2 (peer inet, peer_port int, data_center text, "
    "host_id uuid, native_address inet, native_port int, preferred_ip inet, "
    "preferred_port int, rack text, release_version text, schema_version uuid, "
    "tokens set<text>, PRIMARY KEY (peer, peer_port))",
    "CREATE TABLE system.size_estimates (keyspace_name text, table_name text, "
    "range_start text, range_end text, mean_partition_size bigint, "
    "partitions_count bigint, PRIMARY KEY (keyspace_name, table_name))",
    "CREATE TABLE system_schema.keyspaces (keyspace_name text PRIMARY KEY, "
    "durable_writes boolean, replication map<text, text>)",
    "CREATE TABLE system_schema.tables (keyspace_name text, table_name text, "
    "additional_write_policy text, bloom_filter_fp_chance double, "
    "caching map<text, text>, cdc boolean, comment text, "
    "compaction map<text, text>, compression map<text, text>, "
    "crc_check_chance double, dclocal_read_repair_chance double, "
    "default_time_to_live int, extensions map<text, blob>, flags set<text>, "
    "gc_grace_seconds int, id uuid, max_index_interval int, memtable text, "
    "memtable_flush_period_in_ms int, min_index_interval int, "
    "read_repair text, read_repair_chance double, speculative_retry text, "
    "PRIMARY KEY (keyspace_name, table_name))",
    "CREATE TABLE system_schema.columns (keyspace_name text, table_name text, "
    "column_name text, clustering_order text, column_name_bytes blob, "
    "kind text, position int, type text, "
    "PRIMARY KEY (keyspace_name, table_name, column_name))",
    "CREATE TABLE system_schema.types (keyspace_name text, type_name text, "
    "field_names frozen<list<text>>, field_types frozen<list<text>>, "
    "PRIMARY KEY (keyspace_name, type_name))",
    "CREATE TABLE system_schema.functions (keyspace_name text, "
    "function_name text, argument_types frozen<list<text>>, "
    "argument_names frozen<list<text>>, body text, "
    "called_on_null_input boolean, language text, return_type text, "
    "PRIMARY KEY (keyspace_name, function_name, argument_types))",
    "CREATE TABLE system_schema.aggregates (keyspace_name text, "
    "aggregate_name text, argument_types frozen<list<text>>, final_func text, "
    "initcond text, return_type text, state_func text, state_type text, "
    "PRIMARY KEY (keyspace_name, aggregate_name, argument_types))",
    "CREATE TABLE system_schema.indexes (keyspace_name text, table_name text, "
    "index_name text, kind text, options map<text, text>, "
    "PRIMARY KEY (keyspace_name, table_name, index_name))",
    "CREATE TABLE system_schema.triggers (keyspace_name text, "
    "table_name text, trigger_name text, options map<text, text>, "
    "PRIMARY KEY (keyspace_name, table_name, trigger_name))",
    "CREATE TABLE system_schema.dropped_columns (keyspace_name text, "
    "table_name text, column_name text, dropped_time timestamp, kind text, "
    "type text, PRIMARY KEY (keyspace_name, table_name, column_name))",
    "CREATE TABLE system_schema.views (keyspace_name text, view_name text, "
    "base_table_id uuid, base_table_name text, where_clause text, "
    "include_all_columns boolean, id uuid, "
    "PRIMARY KEY (keyspace_name, view_name))",
    "CREATE TABLE system_virtual_schema.keyspaces (keyspace_name text "
    "PRIMARY KEY)",
    "CREATE TABLE system_virtual_schema.tables (keyspace_name text, "
    "table_name text, comment text, PRIMARY KEY (keyspace_name, table_name))",
    "CREATE TABLE system_virtual_schema.columns (keyspace_name text, "
    "table_name text, column_name text, clustering_order text, "
    "column_name_bytes blob, kind text, position int, type text, "
    "PRIMARY KEY (keyspace_name, table_name, column_name))",
    "CREATE KEYSPACE keyspace1 WITH replication = {'class': 'SimpleStrategy', "
    "'replication_factor': '1'}",
    "CREATE TABLE keyspace1.standard1 (key blob PRIMARY KEY, \"C0\" blob, "
    "\"C1\" blob, \"C2\" blob, \"C3\" blob, \"C4\" blob)",
    "CREATE TABLE keyspace1.counter1 (key blob PRIMARY KEY, \"C0\" counter, "
    "\"C1\" counter, \"C2\" counter, \"C3\" counter, \"C4\" counter)",
};

enum cs_code cs_catalog_init(struct cs_catalog *catalog, struct cs_err *err)
{
    struct cs_schema_step change;
    enum cs_code rc = CS_OK;

    *catalog = (struct cs_catalog){.spaces = NULL};
    cs_arena_init(&catalog->arena);
    for (size_t i = 0; i < CS_COUNT(statements) && !rc; i++)
        rc = cs_catalog_change(catalog, NULL, cs_view_text(statements[i]),
                               &change, err);
    return rc;
}

void cs_catalog_release(struct cs_catalog *catalog)
{
    free(catalog->spaces);
    free(catalog->tables);
    free(catalog->types);
    cs_arena_release(&catalog->arena);
}
