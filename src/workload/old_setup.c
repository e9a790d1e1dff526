/* old_setup.c - the statement of an operation of the old tools. */
#include "base/clock.h"
#include "schema/ident.h"
#include "workload/old.h"
#include "workload/workload_internal.h"

#include <stdio.h>
#include <stdlib.h>

#define CQL_MAX ((size_t)1 << 24)

static bool on_counters(const struct cs_settings_old *s)
{
    return s->operation == CS_OLD_COUNTER_ADD ||
           s->operation == CS_OLD_COUNTER_GET;
}

static bool writes(const struct cs_settings_old *s)
{
    return s->operation == CS_OLD_INSERT || s->operation == CS_OLD_COUNTER_ADD;
}

const char *cs_old_table(const struct cs_settings_old *s)
{
    if (on_counters(s))
        return s->super ? "supercounter1" : CS_COUNTER_TABLE;
    return s->super ? "super1" : CS_STANDARD_TABLE;
}

static void put_table(struct cs_buf *cql, const struct cs_settings *s)
{
    cs_ident_put_table(cql, s->schema.keyspace, cs_old_table(&s->old));
}

static void put_update(struct cs_buf *cql, const struct cs_settings *s)
{
    bool adds = s->old.operation == CS_OLD_COUNTER_ADD;

    cs_buf_puts(cql, "UPDATE ");
    put_table(cql, s);
    for (unsigned i = 0; i < s->old.columns; i++) {
        cs_buf_printf(cql, "%s\"C%u\" = ", i ? ", " : " SET ", i);
        if (adds)
            cs_buf_printf(cql, "\"C%u\" + ", i);
        cs_buf_put8(cql, '?');
    }
}

static void put_select(struct cs_buf *cql, const struct cs_settings *s)
{
    const struct cs_settings_old *old = &s->old;

    cs_buf_puts(cql, "SELECT ");
    for (size_t i = 0; i < old->name_count; i++) {
        cs_buf_puts(cql, i ? ", " : "");
        cs_ident_put_quoted(cql, old->names[i]);
    }
    for (unsigned i = 0; i < old->columns && !old->name_count; i++)
        cs_buf_printf(cql, "%s\"C%u\"", i ? ", " : "", i);
    cs_buf_puts(cql, " FROM ");
    put_table(cql, s);
}

static void put_statement(struct cs_buf *cql, const struct cs_settings *s)
{
    const struct cs_settings_old *old = &s->old;

    if (writes(old))
        put_update(cql, s);
    else
        put_select(cql, s);
    switch (old->operation) {
    case CS_OLD_RANGE_SLICE:
        cs_buf_puts(cql, " WHERE token(key) >= token(?) LIMIT ?");
        break;
    case CS_OLD_INDEXED_RANGE_SLICE:
        cs_buf_puts(cql, " WHERE \"C1\" = ?");
        break;
    case CS_OLD_MULTI_GET:
        cs_buf_puts(cql, " WHERE key = ?");
        break;
    default:
        cs_buf_puts(cql, old->super ? " WHERE key = ? AND super = ?"
                                    : " WHERE key = ?");
    }
}

/* One line now is better than an error per operation. */
static enum cs_code check_table(struct cs_workload *w, struct cs_driver *driver,
                                struct cs_err *err)
{
    const struct cs_settings *s = w->settings;
    const char *name = cs_old_table(&s->old);
    struct cs_table *table = NULL;
    char column[24];
    enum cs_code rc =
        w->db->table(driver, s->schema.keyspace, name, &w->arena, &table, err);

    if (rc == CS_EINVALID)
        return cs_fail(err, rc,
                       "table %s.%s does not exist; 'stress -o %s%s' creates "
                       "and fills it",
                       s->schema.keyspace, name,
                       on_counters(&s->old) ? "counter_add" : "insert",
                       s->old.super ? " -y Super" : "");
    for (unsigned i = 0; !rc && i < s->old.columns; i++) {
        snprintf(column, sizeof(column), "C%u", i);
        if (cs_table_column(table, column) < 0)
            rc = cs_fail(err, CS_EINVALID,
                         "table %s.%s has no column '%s': it was made with "
                         "another -c",
                         s->schema.keyspace, name, column);
    }
    return rc;
}

static enum cs_code prepare(struct cs_workload *w, struct cs_driver *driver,
                            struct cs_kind *kind, struct cs_err *err)
{
    struct cs_buf cql;
    enum cs_code rc;

    cs_buf_init(&cql, CQL_MAX);
    put_statement(&cql, w->settings);
    rc = cs_buf_check(&cql, "statement", err);
    if (!rc) {
        kind->cql = cs_arena_text(&w->arena, cs_buf_text(&cql));
        kind->shown_cql = kind->cql;
    }
    cs_buf_release(&cql);
    if (!rc && !kind->cql)
        rc = cs_fail(err, CS_ENOMEM, "workload: out of memory");
    return rc ? rc
              : w->db->prepare(driver, w->settings->schema.keyspace, kind->cql,
                               &kind->options, &kind->statement, err);
}

static void init_kind(const struct cs_workload *w, struct cs_kind *kind)
{
    static const char *const names[] = {
        [CS_OLD_INSERT] = "INSERT",
        [CS_OLD_READ] = "READ",
        [CS_OLD_RANGE_SLICE] = "RANGE_SLICE",
        [CS_OLD_INDEXED_RANGE_SLICE] = "INDEXED_RANGE_SLICE",
        [CS_OLD_MULTI_GET] = "MULTI_GET",
        [CS_OLD_COUNTER_ADD] = "COUNTER_ADD",
        [CS_OLD_COUNTER_GET] = "COUNTER_GET",
    };
    const struct cs_settings_old *old = &w->settings->old;

    kind->name = names[old->operation];
    kind->type = CS_KIND_OLD;
    kind->weight = 1;
    kind->writes = writes(old);
    kind->select = cs_ratio_whole();
    kind->partitions = cs_dist_fixed(1);
    kind->options = cs_workload_options(w->settings, !kind->writes);
    kind->options.idempotent = old->operation != CS_OLD_COUNTER_ADD;
    if (old->operation == CS_OLD_INDEXED_RANGE_SLICE)
        kind->options.page_size = (int32_t)old->per_call;
}

void cs_old_work_free(struct cs_old_work *work)
{
    if (!work)
        return;
    cs_old_values_free(work->values);
    free(work);
}

enum cs_code cs_workload_add_old(struct cs_workload *w,
                                 struct cs_driver *driver, struct cs_err *err)
{
    struct cs_kind *kind = &w->kinds[0];
    enum cs_code rc;

    w->old = calloc(1, sizeof(*w->old));
    if (!w->old)
        return cs_fail(err, CS_ENOMEM, "workload: out of memory");
    w->old->settings = &w->settings->old;
    w->old->digits = cs_old_key_digits(w->old->settings);
    init_kind(w, kind);
    rc =
        cs_old_values_new(w->old->settings, cs_wall_ns(), &w->old->values, err);
    if (!rc)
        rc = check_table(w, driver, err);
    if (!rc)
        rc = prepare(w, driver, kind, err);
    w->kind_count = 1;
    return rc;
}
