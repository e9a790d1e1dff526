/* catalog_presets.c - the tables that are there before anybody makes one. */
#include "responder/catalog_internal.h"

#include <stdlib.h>

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
    if (rc)
        return rc;
    catalog->presets = calloc(catalog->table_count, sizeof(*catalog->presets));
    if (!catalog->presets)
        return cs_fail(err, CS_ENOMEM, "no memory for the schema");
    for (size_t i = 0; i < catalog->table_count; i++)
        catalog->presets[i] = catalog->tables[i];
    catalog->preset_count = catalog->table_count;
    return CS_OK;
}

void cs_catalog_release(struct cs_catalog *catalog)
{
    free(catalog->spaces);
    free(catalog->tables);
    free(catalog->presets);
    free(catalog->types);
    cs_arena_release(&catalog->arena);
}
