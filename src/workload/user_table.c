/* user_table.c - the table of a profile: read from the server, matched with the
 * column specs, its insert prepared. */
#include "base/log.h"
#include "workload/workload_internal.h"

static enum cs_code profile_rules(struct cs_workload *w,
                                  struct cs_source *source,
                                  struct cs_buf *warnings, struct cs_err *err)
{
    const struct cs_profile *p = source->profile;

    source->rule_count = p->column_count;
    source->rules =
        cs_arena_array(&w->arena, p->column_count + 1, sizeof(*source->rules));
    if (!source->rules)
        return cs_fail(err, CS_ENOMEM, "workload: out of memory");
    if (warnings && p->column_count)
        cs_workload_check_specs(p, source->table, warnings);
    for (size_t i = 0; i < p->column_count; i++) {
        const struct cs_column_spec *spec = &p->columns[i];

        source->rules[i] =
            (struct cs_column_rule){.name = spec->name,
                                    .has_population = spec->has_population,
                                    .has_size = spec->has_size,
                                    .has_cluster = spec->has_cluster,
                                    .population = spec->population,
                                    .size = spec->size,
                                    .cluster = spec->cluster,
                                    .family = spec->family};
    }
    return CS_OK;
}

/* The insert is prepared whatever ops() names, as in the original: a table
 * whose insert cannot be prepared is found at once. */
static enum cs_code prepare_insert(struct cs_workload *w,
                                   struct cs_driver *driver,
                                   struct cs_source *source, struct cs_err *err)
{
    const struct cs_profile *p = source->profile;
    struct cs_statement_options options =
        cs_workload_options(w->settings, false);
    struct cs_buf cql;
    enum cs_code rc;

    if (p->insert.condition &&
        source->table->column_count == cs_table_key_count(source->table))
        return cs_fail(err, CS_EINVALID,
                       "%s: insert: 'condition' is not allowed for a table of "
                       "key columns only, such as %s.%s",
                       p->path, source->table->keyspace, source->table->name);
    if (p->insert.has_cl)
        options.cl = p->insert.cl;
    if (p->insert.has_serial_cl) {
        options.serial_cl = p->insert.serial_cl;
        options.has_serial_cl = true;
    }
    cs_buf_init(&cql, (size_t)1 << 24);
    cs_cql_put_insert(&cql, p->keyspace_name, source->table,
                      p->insert.condition);
    rc = cs_buf_check(&cql, "insert statement", err);
    /* Refused only where ops() asks for inserts. */
    if (!rc && cs_workload_settle_level(cs_buf_text(&cql), &options, NULL))
        CS_DEBUG("%s: no level to send its inserts at", p->path);
    if (!rc)
        rc = w->db->prepare(driver, p->keyspace_name, cs_buf_text(&cql),
                            &options, &source->insert, err);
    if (rc)
        cs_while(err, "%s: insert statement '%s'", p->path, cs_buf_text(&cql));
    cs_buf_clear(&cql);
    cs_cql_put_insert(
        &cql, w->settings->compat.original_figures ? NULL : p->keyspace_name,
        source->table, p->insert.condition);
    source->insert_cql = cs_arena_text(&w->arena, cs_buf_text(&cql));
    cs_buf_release(&cql);
    return rc;
}

/* A class of somebody's own has no values that could be made; all else has. */
static bool is_unsupported(const struct cs_type *type)
{
    for (size_t i = 0; i < type->part_count; i++)
        if (is_unsupported(type->parts[i]))
            return true;
    return type->kind == CS_TYPE_CUSTOM;
}

static bool is_skipped(const struct cs_column *column)
{
    return column->kind != CS_COLUMN_PARTITION_KEY &&
           column->kind != CS_COLUMN_CLUSTERING && is_unsupported(column->type);
}

/* -errors skip-unsupported-columns: the table without such value columns. */
static void skip_columns(struct cs_table *table, struct cs_buf *warnings)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < table->column_count; i++) {
        if (!is_skipped(&table->columns[i]))
            table->columns[kept++] = table->columns[i];
        else if (warnings)
            cs_buf_printf(warnings,
                          "%s.%s has column '%s' of unsupported type: it is "
                          "left out\n",
                          table->keyspace, table->name, table->columns[i].name);
    }
    table->column_count = kept;
}

enum cs_code cs_workload_profile_source(struct cs_workload *w,
                                        struct cs_driver *driver,
                                        const struct cs_profile *profile,
                                        struct cs_source *source,
                                        struct cs_buf *warnings,
                                        struct cs_err *err)
{
    struct cs_table *table = NULL;
    enum cs_code rc;

    source->profile = profile;
    source->salt_prefix = "seed for stress";
    rc = w->db->table(driver, profile->keyspace_name, profile->table_name,
                      &w->arena, &table, err);
    if (rc == CS_EINVALID)
        cs_fail(err, CS_EINVALID, "Unable to find table %s.%s",
                profile->keyspace_name, profile->table_name);
    if (rc)
        return cs_while(err, "%s", profile->path);
    if (w->settings->errors.skip_unsupported_columns)
        skip_columns(table, warnings);
    source->table = table;
    return profile_rules(w, source, warnings, err);
}

enum cs_code cs_workload_add_source(struct cs_workload *w,
                                    struct cs_driver *driver,
                                    const struct cs_profile *profile,
                                    struct cs_buf *warnings, struct cs_err *err)
{
    struct cs_source *source = &w->sources[w->source_count];
    enum cs_code rc =
        cs_workload_profile_source(w, driver, profile, source, warnings, err);

    if (!rc)
        rc = prepare_insert(w, driver, source, err);
    if (!rc)
        w->source_count++;
    return rc;
}
