/* queries.c - holds the names in queries against the defined table. */
#include "offline/queries.h"

#include "base/text.h"
#include "offline/database.h"
#include "schema/query.h"

static bool alters(const struct cs_profile *profile)
{
    for (size_t i = 0; i < profile->extra_count; i++) {
        const char *text = profile->extra_definitions[i];

        if (cs_starts_with_word(text + strspn(text, " \t\r\n"), "alter"))
            return true;
    }
    return false;
}

static bool is_of(const struct cs_query *query, const struct cs_table *table)
{
    return query->table.name && !strcmp(query->table.name, table->name) &&
           (!query->table.keyspace ||
            !strcmp(query->table.keyspace, table->keyspace));
}

static bool is_told(const struct cs_query *query, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (!strcmp(query->names[i].name, query->names[index].name))
            return true;
    return false;
}

static void tell(struct cs_buf *warnings, const struct cs_profile *profile,
                 const struct cs_query_spec *spec, const struct cs_table *table,
                 const struct cs_query_name *name)
{
    const char *near = cs_table_nearest(table, name->name);

    cs_buf_printf(warnings, "%s:%d:%d: query '%s': ", profile->path,
                  spec->place.line, spec->place.column, spec->name);
    if (name->is_marker)
        cs_buf_printf(warnings,
                      "a marker is called '%s', which is no column of %s.%s; "
                      "values come from the table's columns\n",
                      name->name, table->keyspace, table->name);
    else
        cs_buf_printf(warnings, "'%s' is no column of %s.%s%s%s%s\n",
                      name->name, table->keyspace, table->name,
                      near ? ", try '" : "", near ? near : "", near ? "'" : "");
}

static enum cs_code check_query(const struct cs_profile *profile,
                                const struct cs_query_spec *spec,
                                const struct cs_table *table,
                                struct cs_arena *arena, struct cs_buf *warnings,
                                struct cs_err *err)
{
    struct cs_query query;
    enum cs_code rc = cs_query_read(spec->cql, arena, &query, err);

    if (rc == CS_EINVALID) {
        cs_buf_printf(warnings, "%s:%d:%d: query '%s': %s\n", profile->path,
                      spec->place.line, spec->place.column, spec->name,
                      err->text);
        return CS_OK;
    }
    for (size_t i = 0; !rc && is_of(&query, table) && i < query.count; i++) {
        const struct cs_query_name *name = &query.names[i];

        if ((name->is_marker || cs_table_column(table, name->name) < 0) &&
            !is_told(&query, i))
            tell(warnings, profile, spec, table, name);
    }
    return rc;
}

enum cs_code cs_offline_check_queries(struct cs_driver *driver,
                                      const struct cs_profile *profile,
                                      struct cs_buf *warnings,
                                      struct cs_err *err)
{
    struct cs_arena arena;
    struct cs_table *table = NULL;
    enum cs_code rc;

    if (alters(profile))
        return CS_OK;
    cs_arena_init(&arena);
    rc = cs_offline_driver.table(driver, profile->keyspace_name,
                                 profile->table_name, &arena, &table, err);
    for (size_t i = 0; i < profile->query_count && !rc; i++)
        rc = check_query(profile, &profile->queries[i], table, &arena, warnings,
                         err);
    cs_arena_release(&arena);
    return rc;
}
