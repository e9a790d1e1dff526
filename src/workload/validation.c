/* validation.c - the statements of `validate`: the whole partition, and for
 * each depth of the clustering the rows between two prefixes. */
#include "workload/validation.h"

#include "schema/ident.h"
#include "workload/workload_internal.h"

#define CQL_MAX  ((size_t)1 << 24)
#define VARIANTS 4 /* of the deepest slice: with and without its bounds */

static void put_bound(struct cs_buf *cql, const struct cs_table *table,
                      unsigned depth, const char *operator)
{
    const struct cs_column *column = &table->columns[table->partition_count];

    for (unsigned i = 0; i < depth; i++) {
        cs_buf_puts(cql, i ? "," : " AND (");
        cs_ident_put(cql, column[i].name);
    }
    cs_buf_printf(cql, ")%s(", operator);
    for (unsigned i = 0; i < depth; i++)
        cs_buf_puts(cql, i ? ",?" : "?");
    cs_buf_put8(cql, ')');
}

static void put_select(struct cs_buf *cql, const struct cs_table *table,
                       const struct cs_validation_part *part)
{
    cs_buf_puts(cql, "SELECT * FROM ");
    cs_ident_put_table(cql, table->keyspace, table->name);
    cs_cql_put_where(cql, table, table->partition_count);
    if (!part->depth)
        return;
    put_bound(cql, table, part->depth, part->with_from ? ">=" : ">");
    put_bound(cql, table, part->depth, part->with_to ? "<=" : "<");
}

static enum cs_code prepare_part(struct cs_workload *w,
                                 struct cs_driver *driver,
                                 const struct cs_source *source,
                                 struct cs_validation_part *part,
                                 struct cs_err *err)
{
    struct cs_statement_options options =
        cs_workload_options(w->settings, true);
    struct cs_buf cql;
    enum cs_code rc;

    options.idempotent = true;
    cs_buf_init(&cql, CQL_MAX);
    put_select(&cql, source->table, part);
    rc = cs_buf_check(&cql, "validate", err);
    if (!rc)
        rc = w->db->prepare(driver, source->table->keyspace, cs_buf_text(&cql),
                            &options, &part->statement, err);
    if (rc)
        cs_while(err, "%s: validate: '%s'", source->profile->path,
                 cs_buf_text(&cql));
    cs_buf_release(&cql);
    return rc;
}

/* The slice from a prefix to another, the first one part of it; of the deepest
 * one there are all four kinds. */
static void plan_parts(struct cs_validation *v, unsigned depths)
{
    v->part_count = 1;
    for (unsigned depth = 1; depth < depths; depth++)
        v->parts[v->part_count++] =
            (struct cs_validation_part){.depth = depth, .with_from = true};
    for (unsigned i = 0; depths && i < VARIANTS; i++)
        v->parts[v->part_count++] = (struct cs_validation_part){
            .depth = depths, .with_from = !(i & 2), .with_to = !(i & 1)};
}

/* Answers have the columns in an order of the server's. */
static enum cs_code map_columns(struct cs_workload *w, struct cs_validation *v,
                                const struct cs_table *table,
                                struct cs_err *err)
{
    const struct cs_statement *statement = v->parts[0].statement;

    v->columns =
        cs_arena_array(&w->arena, table->column_count, sizeof(*v->columns));
    if (!v->columns)
        return cs_fail(err, CS_ENOMEM, "workload: out of memory");
    for (unsigned i = 0; i < table->column_count; i++) {
        int column = (int)i;

        if (statement->result_count == table->column_count)
            column = cs_table_column(table, statement->results[i].name);
        if (column < 0)
            return cs_fail(err, CS_EINVALID,
                           "validate: %s.%s has a new column '%s': the table "
                           "was changed a moment ago",
                           table->keyspace, table->name,
                           statement->results[i].name);
        v->columns[i] = (uint16_t)column;
    }
    return CS_OK;
}

enum cs_code cs_workload_validate_kind(struct cs_workload *w,
                                       struct cs_driver *driver,
                                       struct cs_kind *kind, struct cs_err *err)
{
    const struct cs_source *source = &w->sources[kind->source];
    const struct cs_table *table = source->table;
    unsigned depths = table->clustering_count;
    struct cs_validation *v = cs_arena_alloc(&w->arena, sizeof(*v));
    enum cs_code rc = CS_OK;

    if (v)
        v->parts =
            cs_arena_array(&w->arena, depths + 1 + VARIANTS, sizeof(*v->parts));
    if (!v || !v->parts)
        return cs_fail(err, CS_ENOMEM, "workload: out of memory");
    v->depths = depths;
    plan_parts(v, depths);
    for (unsigned i = 0; i < v->part_count && !rc; i++)
        rc = prepare_part(w, driver, source, &v->parts[i], err);
    if (!rc)
        rc = map_columns(w, v, table, err);
    if (rc)
        return rc;
    kind->type = CS_KIND_VALIDATE;
    kind->validation = v;
    kind->statement = v->parts[0].statement;
    kind->shown_cql = kind->statement->cql;
    kind->select = cs_ratio_whole();
    kind->partitions = cs_dist_fixed(1);
    kind->bind_count = table->partition_count;
    if (table->partition_count <= CS_COUNT(kind->key_binds))
        kind->key_bind_count = table->partition_count;
    for (unsigned i = 0; i < kind->key_bind_count; i++)
        kind->key_binds[i] = (uint16_t)i;
    return CS_OK;
}
