/* user.c - the kinds of the user command: which profile and which part of it
 * each name in ops() means, and the statements behind them. */
#include "base/text.h"
#include "workload/workload_internal.h"

#include <stdio.h>
#include <stdlib.h>

/* What a name in ops() stands for. */
struct resolved {
    size_t profile;
    bool insert;
    bool validate;
    const struct cs_query_spec *query;       /* when it is no insert */
    const struct cs_token_range_spec *range; /* or this */
};

static enum cs_code unknown_profile(const char *name, size_t size,
                                    struct cs_profile *const *profiles,
                                    size_t count, struct cs_err *err)
{
    const char **names = calloc(count, sizeof(*names));
    char *spec = strndup(name, size);
    char known[512] = "";
    const char *near = NULL;
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        if (names)
            names[i] = profiles[i]->spec_name;
        if (used < sizeof(known))
            used +=
                (size_t)snprintf(known + used, sizeof(known) - used, "%s'%s'",
                                 i ? ", " : "", profiles[i]->spec_name);
    }
    if (names && spec)
        near = cs_nearest(spec, names, count);
    cs_fail(err, CS_EUSAGE,
            "ops: Op name %s contains an invalid profile specname: %.*s"
            "%s%s%s; there is: %s",
            name, (int)size, name, near ? ", try '" : "", near ? near : "",
            near ? "'" : "", known);
    free(names);
    free(spec);
    return CS_EUSAGE;
}

/* "spec.op": split at the last dot; without one the first profile is meant. */
static enum cs_code find_profile(const char *name,
                                 struct cs_profile *const *profiles,
                                 size_t count, struct resolved *out,
                                 const char **op, struct cs_err *err)
{
    const char *dot = strrchr(name, '.');
    size_t size = dot ? (size_t)(dot - name) : 0;

    out->profile = 0;
    *op = name;
    if (!dot)
        return CS_OK;
    *op = dot + 1;
    for (size_t i = 0; i < count; i++) {
        const char *spec = profiles[i]->spec_name;

        if (strlen(spec) == size && !strncmp(spec, name, size)) {
            out->profile = i;
            return CS_OK;
        }
    }
    return unknown_profile(name, size, profiles, count, err);
}

static enum cs_code unknown_op(const char *op, const struct cs_profile *p,
                               struct cs_err *err)
{
    size_t count = 2 + p->query_count + p->token_range_count;
    const char **names = calloc(count, sizeof(*names));
    const char *near = NULL;
    char known[512] = "insert, validate";
    size_t used = strlen(known);

    if (names) {
        names[0] = "insert";
        names[1] = "validate";
        for (size_t i = 2; i < count; i++) {
            names[i] = i - 2 < p->query_count
                           ? p->queries[i - 2].name
                           : p->token_ranges[i - 2 - p->query_count].name;
            if (used < sizeof(known))
                used += (size_t)snprintf(known + used, sizeof(known) - used,
                                         ", %s", names[i]);
        }
        near = cs_nearest(op, names, count);
    }
    cs_fail(err, CS_EUSAGE,
            "ops: No query defined with name %s%s%s%s; %s has: %s", op,
            near ? ", try '" : "", near ? near : "", near ? "'" : "", p->path,
            known);
    free(names);
    return CS_EUSAGE;
}

static enum cs_code resolve(const char *name,
                            struct cs_profile *const *profiles, size_t count,
                            struct resolved *out, struct cs_err *err)
{
    const struct cs_profile *p;
    const char *op;
    enum cs_code rc = find_profile(name, profiles, count, out, &op, err);

    if (rc)
        return rc;
    p = profiles[out->profile];
    out->insert = cs_same_word(op, "insert");
    out->validate = cs_same_word(op, "validate");
    out->query = NULL;
    out->range = NULL;
    if (out->insert || out->validate)
        return CS_OK;
    for (size_t i = 0; i < p->token_range_count; i++)
        if (!strcmp(p->token_ranges[i].name, op))
            out->range = &p->token_ranges[i];
    if (out->range)
        return CS_OK;
    for (size_t i = 0; i < p->query_count; i++)
        if (cs_same_word(p->queries[i].name, op))
            out->query = &p->queries[i];
    if (out->query)
        return CS_OK;
    return unknown_op(op, p, err);
}

enum cs_code cs_workload_check_ops(const struct cs_settings *settings,
                                   struct cs_profile *const *profiles,
                                   size_t profile_count, struct cs_err *err)
{
    struct resolved ignored;
    enum cs_code rc = CS_OK;

    for (size_t i = 0; i < settings->command.op_count && !rc; i++)
        rc = resolve(settings->command.ops[i].name, profiles, profile_count,
                     &ignored, err);
    return rc;
}

/* ---- kinds ---- */

static enum cs_code insert_kind(struct cs_workload *w, struct cs_kind *kind,
                                struct cs_err *err)
{
    const struct cs_source *source = &w->sources[kind->source];
    const struct cs_table *table = source->table;
    struct cs_statement_options options = source->insert->options;
    unsigned keys = cs_table_key_count(table);
    unsigned values = table->column_count - keys;

    if (cs_workload_settle_level(source->insert->cql, &options, err))
        return cs_while(err, "%s: %s", source->profile->path, kind->name);
    kind->type = CS_KIND_INSERT;
    kind->writes = true;
    kind->statement = source->insert;
    kind->shown_cql = source->insert_cql;
    cs_workload_insert_rules(w, kind);
    kind->bind_count = table->column_count;
    kind->bind_columns = cs_arena_array(&w->arena, kind->bind_count,
                                        sizeof(*kind->bind_columns));
    if (!kind->bind_columns)
        return cs_fail(err, CS_ENOMEM, "workload: out of memory");
    for (unsigned i = 0; i < table->column_count; i++)
        kind->bind_columns[i] = (uint16_t)(i < values ? keys + i : i - values);
    kind->key_start = values;
    kind->key_bind_count = table->partition_count;
    for (unsigned i = 0; i < table->partition_count; i++)
        kind->key_binds[i] = (uint16_t)(values + i);
    return CS_OK;
}

/* Each marker must be a column of the table: its value comes from a row. */
static enum cs_code query_binds(struct cs_workload *w, struct cs_kind *kind,
                                const struct cs_query_spec *query,
                                struct cs_err *err)
{
    const struct cs_source *source = &w->sources[kind->source];
    const struct cs_statement *statement = kind->statement;

    kind->bind_count = statement->bind_count;
    kind->bind_columns = cs_arena_array(&w->arena, kind->bind_count + 1,
                                        sizeof(*kind->bind_columns));
    if (!kind->bind_columns)
        return cs_fail(err, CS_ENOMEM, "workload: out of memory");
    for (unsigned i = 0; i < kind->bind_count; i++) {
        const char *name = statement->binds[i].name;
        int column = cs_table_column(source->table, name);

        if (column < 0)
            return cs_fail(err, CS_EINVALID,
                           "%s:%d:%d: query '%s': marker %u is called '%s', "
                           "which is no column of %s.%s; values come from the "
                           "table's columns",
                           source->profile->path, query->place.line,
                           query->place.column, query->name, i + 1, name,
                           source->table->keyspace, source->table->name);
        kind->bind_columns[i] = (uint16_t)column;
    }
    if (statement->key_bind_count <= CS_COUNT(kind->key_binds)) {
        kind->key_bind_count = statement->key_bind_count;
        for (unsigned i = 0; i < kind->key_bind_count; i++)
            kind->key_binds[i] = statement->key_binds[i];
    }
    return CS_OK;
}

static enum cs_code prepare_query(struct cs_workload *w,
                                  struct cs_driver *driver,
                                  struct cs_kind *kind,
                                  const struct cs_query_spec *query,
                                  struct cs_err *err)
{
    const struct cs_profile *p = w->sources[kind->source].profile;
    struct cs_statement_options options =
        cs_workload_options(w->settings, true);
    struct cs_buf cql;
    enum cs_code rc;

    kind->type = CS_KIND_QUERY;
    kind->same_row = query->same_row;
    kind->shown_cql = query->cql;
    kind->select = cs_ratio_whole();
    kind->partitions = cs_dist_fixed(1);
    if (query->has_cl)
        options.cl = query->cl;
    if (query->has_serial_cl) {
        options.serial_cl = query->serial_cl;
        options.has_serial_cl = true;
    }
    cs_buf_init(&cql, (size_t)1 << 24);
    cs_cql_put_qualified(&cql, p->keyspace_name, query->cql);
    rc = cs_buf_check(&cql, "query", err);
    /* What is only prepared has no name, and may have any level. */
    if (!rc && kind->name)
        rc = cs_workload_settle_level(query->cql, &options, err);
    if (!rc)
        rc = w->db->prepare(driver, p->keyspace_name, cs_buf_text(&cql),
                            &options, &kind->statement, err);
    cs_buf_release(&cql);
    if (rc)
        cs_while(err, "%s:%d:%d: query '%s'", p->path, query->place.line,
                 query->place.column, query->name);
    return rc;
}

static enum cs_code query_kind(struct cs_workload *w, struct cs_driver *driver,
                               struct cs_kind *kind,
                               const struct cs_query_spec *query,
                               struct cs_err *err)
{
    enum cs_code rc = prepare_query(w, driver, kind, query, err);

    if (!rc)
        rc = query_binds(w, kind, query, err);
    return rc ? rc : cs_workload_condition(w, driver, kind, query, err);
}

/* Whether a query of the profile is run: this one, or any when NULL. */
static bool runs_query(const struct cs_workload *w, unsigned source,
                       const struct cs_query_spec *query)
{
    for (unsigned i = 0; i < w->kind_count; i++) {
        const struct cs_kind *kind = &w->kinds[i];

        if (kind->type == CS_KIND_QUERY && kind->source == source &&
            (!query || kind->shown_cql == query->cql))
            return true;
    }
    return false;
}

/* With one query of a profile the original prepares all of them: one that the
 * server refuses fails the run, used or not. */
static enum cs_code check_unused(struct cs_workload *w,
                                 struct cs_driver *driver, struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    for (unsigned i = 0; i < w->source_count; i++) {
        const struct cs_profile *p = w->sources[i].profile;
        bool any = runs_query(w, i, NULL);

        for (size_t j = 0; j < p->query_count && any && !rc; j++) {
            struct cs_kind unused = {.source = i};

            if (!runs_query(w, i, &p->queries[j]))
                rc = prepare_query(w, driver, &unused, &p->queries[j], err);
        }
    }
    return rc;
}

static enum cs_code add_kind(struct cs_workload *w, struct cs_driver *driver,
                             const struct cs_weighted_name *op,
                             struct cs_profile *const *profiles, size_t count,
                             struct cs_err *err)
{
    struct cs_kind *kind = &w->kinds[w->kind_count];
    struct resolved what;
    enum cs_code rc = resolve(op->name, profiles, count, &what, err);

    if (rc)
        return rc;
    kind->name = op->name;
    kind->weight = op->weight;
    kind->source = (unsigned)what.profile;
    if (what.range)
        rc = cs_workload_token_kind(w, kind, what.range, err);
    else if (what.validate)
        rc = cs_workload_validate_kind(w, driver, kind, err);
    else
        rc = what.insert ? insert_kind(w, kind, err)
                         : query_kind(w, driver, kind, what.query, err);
    if (!rc)
        w->kind_count++;
    return rc;
}

enum cs_code cs_workload_add_profiles(struct cs_workload *w,
                                      struct cs_driver *driver,
                                      struct cs_profile *const *profiles,
                                      size_t profile_count,
                                      struct cs_buf *warnings,
                                      struct cs_err *err)
{
    const struct cs_settings_command *command = &w->settings->command;
    enum cs_code rc = CS_OK;

    for (size_t i = 0; i < profile_count && !rc; i++)
        rc = cs_workload_add_source(w, driver, profiles[i], warnings, err);
    for (size_t i = 0; i < command->op_count && !rc; i++)
        rc =
            add_kind(w, driver, &command->ops[i], profiles, profile_count, err);
    if (!rc)
        rc = check_unused(w, driver, err);
    if (!rc)
        cs_workload_advise_tables(w, warnings);
    return rc;
}
