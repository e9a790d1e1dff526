/* condition.c - the row that an UPDATE's condition needs: the query that reads
 * it, and which of its columns each marker takes. */
#include "schema/ident.h"
#include "workload/workload_internal.h"

static void put_select(struct cs_buf *cql, const struct cs_table *table,
                       const struct cs_kind *kind, unsigned first)
{
    unsigned keys = cs_table_key_count(table);

    cs_buf_puts(cql, "SELECT ");
    for (unsigned i = first, n = 0; i < kind->bind_count; i++) {
        if (kind->condition->from[i] != n)
            continue;
        cs_buf_puts(cql, n++ ? ", " : "");
        cs_ident_put(cql, table->columns[kind->bind_columns[i]].name);
    }
    cs_buf_puts(cql, " FROM ");
    cs_ident_put_table(cql, table->keyspace, table->name);
    cs_cql_put_where(cql, table, keys);
}

/* The last marker of each column behind IF takes what was read, all others
 * what was generated: so does the original. */
static void number_columns(struct cs_condition *condition,
                           const struct cs_kind *kind, unsigned first)
{
    for (unsigned i = 0; i < kind->bind_count; i++) {
        bool last = i >= first;

        for (unsigned j = i + 1; j < kind->bind_count; j++)
            last = last && kind->bind_columns[j] != kind->bind_columns[i];
        condition->from[i] =
            (uint16_t)(last ? condition->column_count++ : CS_NOT_READ);
    }
}

static enum cs_code prepare_select(struct cs_workload *w,
                                   struct cs_driver *driver,
                                   struct cs_kind *kind,
                                   struct cs_condition *condition,
                                   unsigned first, struct cs_err *err)
{
    const struct cs_table *table = w->sources[kind->source].table;
    struct cs_statement_options options = kind->statement->options;
    struct cs_buf cql;
    enum cs_code rc;

    kind->condition = condition;
    cs_buf_init(&cql, (size_t)1 << 24);
    put_select(&cql, table, kind, first);
    rc = cs_buf_check(&cql, "query of a condition", err);
    if (!rc)
        rc = w->db->prepare(driver, table->keyspace, cs_buf_text(&cql),
                            &options, &condition->select, err);
    if (rc)
        cs_while(err, "'%s'", cs_buf_text(&cql));
    cs_buf_release(&cql);
    return rc;
}

enum cs_code cs_workload_condition(struct cs_workload *w,
                                   struct cs_driver *driver,
                                   struct cs_kind *kind,
                                   const struct cs_query_spec *query,
                                   struct cs_err *err)
{
    const char *path = w->sources[kind->source].profile->path;
    struct cs_condition *condition;
    enum cs_code rc = CS_OK;
    unsigned first;

    if (w->settings->compat.data != CS_DATA_C4 ||
        !cs_cql_condition_marker(query->cql, &first) ||
        first >= kind->bind_count)
        return CS_OK;
    condition = cs_arena_alloc(&w->arena, sizeof(*condition));
    if (condition)
        condition->from = cs_arena_array(&w->arena, kind->bind_count,
                                         sizeof(*condition->from));
    if (!condition || !condition->from)
        return cs_fail(err, CS_ENOMEM, "workload: out of memory");
    if (!query->same_row)
        rc = cs_fail(err, CS_EINVALID,
                     "CAS is supported only for type 'samerow'; the marker "
                     "behind IF needs 'fields: samerow'");
    if (!rc) {
        number_columns(condition, kind, first);
        rc = prepare_select(w, driver, kind, condition, first, err);
    }
    if (rc)
        cs_while(err, "%s:%d:%d: query '%s'", path, query->place.line,
                 query->place.column, query->name);
    return rc;
}
