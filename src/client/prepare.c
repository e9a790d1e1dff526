/* prepare.c - preparing a statement on one node: its markers, its columns, how
 * it is routed. Sessions prepare it on the others. */
#include "client/cluster.h"

#include <stdlib.h>

static enum cs_code no_memory(struct cs_err *err)
{
    return cs_fail(err, CS_ENOMEM, "no memory for a statement");
}

static enum cs_code copy_columns(struct cs_arena *arena,
                                 const struct cs_metadata *metadata,
                                 struct cs_bind_column **out, unsigned *count,
                                 struct cs_err *err)
{
    if (!metadata->columns)
        return CS_OK;
    *out = cs_arena_array(arena, metadata->column_count + (size_t)1,
                          sizeof(**out));
    if (!*out)
        return no_memory(err);
    for (uint32_t i = 0; i < metadata->column_count; i++)
        (*out)[i] = (struct cs_bind_column){.name = metadata->columns[i].name,
                                            .type = metadata->columns[i].type};
    *count = metadata->column_count;
    return CS_OK;
}

static enum cs_code copy_view(struct cs_arena *arena, struct cs_view from,
                              struct cs_view *out, struct cs_err *err)
{
    char *copy = cs_arena_bytes(
        arena, from.data ? from.data : (const uint8_t *)"", from.size);

    if (!copy)
        return no_memory(err);
    *out = cs_view_of(copy, from.size);
    return CS_OK;
}

static int find_bind(const struct cs_statement *statement, const char *name)
{
    for (unsigned i = 0; i < statement->bind_count; i++)
        if (!strcmp(statement->binds[i].name, name))
            return (int)i;
    return -1;
}

/* Version 3 does not say which markers are the partition key: they are found
 * by the names of its columns. */
static enum cs_code find_key_binds(struct cs_driver *driver,
                                   struct cs_statement *statement,
                                   const struct cs_result_column *first,
                                   struct cs_err *err)
{
    struct cs_arena *arena = &driver->arena;
    struct cs_table *table;
    enum cs_code rc = cs_cluster_table(driver, first->keyspace, first->table,
                                       arena, &table, err);

    if (rc)
        return rc;
    statement->key_binds = cs_arena_array(arena, table->partition_count,
                                          sizeof(*statement->key_binds));
    if (!statement->key_binds)
        return no_memory(err);
    for (unsigned i = 0; i < table->partition_count; i++) {
        int bind = find_bind(statement, table->columns[i].name);

        if (bind < 0)
            return CS_OK; /* key_bind_count stays 0: not routed by token */
        statement->key_binds[i] = (uint16_t)bind;
    }
    statement->key_bind_count = table->partition_count;
    return CS_OK;
}

static enum cs_code fill_statement(struct cs_driver *driver,
                                   const struct cs_result *result,
                                   struct cs_prepared *prepared,
                                   struct cs_err *err)
{
    struct cs_arena *arena = &driver->arena;
    struct cs_statement *statement = &prepared->statement;
    enum cs_code rc = copy_columns(arena, &result->binds, &statement->binds,
                                   &statement->bind_count, err);

    if (!rc)
        rc = copy_columns(arena, &result->metadata, &statement->results,
                          &statement->result_count, err);
    if (!rc)
        rc = copy_view(arena, result->id, &prepared->id, err);
    if (!rc)
        rc = copy_view(arena, result->metadata_id, &prepared->metadata_id, err);
    statement->key_binds = result->key_binds;
    statement->key_bind_count = result->key_count;
    prepared->conditional =
        (result->binds.flags & driver->config.lwt_mask) != 0;
    return rc;
}

/* By the ring alone, unless the server has tablets or wants conditional
 * statements on a partition in one place. */
static enum cs_code choose_way(struct cs_driver *driver,
                               const struct cs_metadata *binds,
                               struct cs_prepared *prepared, struct cs_err *err)
{
    prepared->ring = prepared->keyspace;
    if (prepared->conditional || driver->config.tablets)
        prepared->ring = CS_RING_NONE;
    if (!driver->config.tablets || !binds->columns || !binds->column_count)
        return CS_OK;
    return cs_table_follow(driver, binds->columns[0].keyspace,
                           binds->columns[0].table, &prepared->table, err);
}

/* Routing by a marker that is not there would read beyond the values. */
static enum cs_code check_key_binds(const struct cs_statement *statement,
                                    struct cs_err *err)
{
    for (unsigned i = 0; i < statement->key_bind_count; i++)
        if (statement->key_binds[i] >= statement->bind_count)
            return cs_fail(err, CS_EPROTOCOL,
                           "marker %u of the partition key does not exist",
                           statement->key_binds[i]);
    return CS_OK;
}

enum cs_code cs_prepared_template(const struct cs_prepared *prepared,
                                  uint8_t version, struct cs_view metadata_id,
                                  struct cs_execute_template *out,
                                  struct cs_err *err)
{
    const struct cs_statement_options *options = &prepared->statement.options;
    struct cs_request request = {.version = version};
    struct cs_query_params params = {
        .consistency = (uint16_t)options->cl,
        .skip_metadata = prepared->statement.result_count > 0,
        .has_serial = options->has_serial_cl,
        .serial_consistency = (uint16_t)options->serial_cl,
        .page_size = options->page_size,
        .timestamp_us = CS_TIMESTAMP_NONE,
        .value_count = (uint16_t)prepared->statement.bind_count,
    };

    return cs_execute_template_init(out, &request, prepared->id, metadata_id,
                                    &params, err);
}

static enum cs_code add_statement(struct cs_driver *driver,
                                  struct cs_prepared *prepared,
                                  struct cs_err *err)
{
    struct cs_prepared **more =
        realloc(driver->statements, (driver->statement_count + (size_t)1) *
                                        sizeof(struct cs_prepared *));

    if (!more)
        return no_memory(err);
    driver->statements = more;
    prepared->index = driver->statement_count;
    prepared->statement.driver_data = prepared;
    driver->statements[driver->statement_count++] = prepared;
    driver->stale = true;
    /* Without sessions the first one publishes everything at once. */
    return driver->sessions ? cs_cluster_publish(driver, err) : CS_OK;
}

static enum cs_code prepare(struct cs_driver *driver,
                            struct cs_prepared *prepared, struct cs_err *err)
{
    struct cs_statement *statement = &prepared->statement;
    struct cs_result result;
    enum cs_code rc = cs_cluster_reconnect(driver, CS_CONNECT_TIMEOUT_NS, err);

    if (!rc)
        rc = cs_control_prepare(&driver->control, statement->cql,
                                CS_QUERY_TIMEOUT_NS, &driver->arena, &result,
                                err);
    if (!rc)
        rc = fill_statement(driver, &result, prepared, err);
    if (!rc && driver->config.version < 4 && result.binds.columns &&
        result.binds.column_count)
        rc = find_key_binds(driver, statement, &result.binds.columns[0], err);
    if (!rc)
        rc = check_key_binds(statement, err);
    if (!rc)
        rc = choose_way(driver, &result.binds, prepared, err);
    if (!rc)
        rc = cs_prepared_template(prepared, driver->config.version,
                                  prepared->metadata_id, &prepared->execute,
                                  err);
    return rc;
}

enum cs_code cs_cluster_prepare(struct cs_driver *driver, const char *keyspace,
                                const char *cql,
                                const struct cs_statement_options *options,
                                const struct cs_statement **out,
                                struct cs_err *err)
{
    struct cs_prepared *prepared =
        cs_arena_alloc(&driver->arena, sizeof(*prepared));
    enum cs_code rc;

    if (!prepared)
        return no_memory(err);
    prepared->statement.options = *options;
    prepared->statement.cql = cs_arena_text(&driver->arena, cql);
    if (!prepared->statement.cql)
        return no_memory(err);
    rc = cs_keyspace_index(driver, keyspace, &prepared->keyspace, err);
    if (!rc)
        rc = prepare(driver, prepared, err);
    if (!rc)
        rc = add_statement(driver, prepared, err);
    if (rc)
        return rc;
    *out = &prepared->statement;
    return CS_OK;
}
