/* user_table.c - the table of a profile: read from the server, matched with the
 * column specs, its insert prepared. */
#include "base/text.h"
#include "workload/workload_internal.h"

#include <stdlib.h>

static void warn_unmatched(const struct cs_profile *profile,
                           const struct cs_table *table,
                           const struct cs_column_spec *spec,
                           struct cs_buf *warnings)
{
    const char **names = calloc(table->column_count, sizeof(*names));
    const char *near = NULL;

    for (unsigned i = 0; names && i < table->column_count; i++)
        names[i] = table->columns[i].name;
    if (names)
        near = cs_nearest(spec->name, names, table->column_count);
    cs_buf_printf(warnings,
                  "%s:%d:%d: columnspec '%s' matches no column of %s.%s and "
                  "has no effect%s%s%s\n",
                  profile->path, spec->place.line, spec->place.column,
                  spec->name, table->keyspace, table->name,
                  near ? "; nearest column '" : "", near ? near : "",
                  near ? "'" : "");
    free(names);
}

/* A path inside a column ("m[v]", "p.street") belongs to the column in
 * front. */
static bool matches_column(const struct cs_table *table, const char *name)
{
    for (unsigned i = 0; i < table->column_count; i++) {
        size_t size = strlen(table->columns[i].name);

        if (!strncmp(table->columns[i].name, name, size) &&
            (!name[size] || name[size] == '.' || name[size] == '['))
            return true;
    }
    return false;
}

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
    for (size_t i = 0; i < p->column_count; i++) {
        const struct cs_column_spec *spec = &p->columns[i];

        if (warnings && !matches_column(source->table, spec->name))
            warn_unmatched(p, source->table, spec, warnings);
        source->rules[i] =
            (struct cs_column_rule){.name = spec->name,
                                    .has_population = spec->has_population,
                                    .has_size = spec->has_size,
                                    .has_cluster = spec->has_cluster,
                                    .population = spec->population,
                                    .size = spec->size,
                                    .cluster = spec->cluster};
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

enum cs_code cs_workload_add_source(struct cs_workload *w,
                                    struct cs_driver *driver,
                                    const struct cs_profile *profile,
                                    struct cs_buf *warnings, struct cs_err *err)
{
    struct cs_source *source = &w->sources[w->source_count];
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
    source->table = table;
    rc = profile_rules(w, source, warnings, err);
    if (!rc)
        rc = prepare_insert(w, driver, source, err);
    if (!rc)
        w->source_count++;
    return rc;
}
