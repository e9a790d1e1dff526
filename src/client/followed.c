/* followed.c - the tables that statements are about. What sessions have learned
 * of one counts for its age; a change of the schema makes it older. */
#include "client/cluster.h"

#include <stdlib.h>

static enum cs_code add_table(struct cs_driver *driver, unsigned keyspace,
                              const char *name, struct cs_err *err)
{
    struct cs_followed_table *more =
        realloc(driver->tables, (driver->table_count + 1) * sizeof(*more));

    if (more)
        driver->tables = more;
    name = cs_arena_text(&driver->arena, name);
    if (!more || !name)
        return cs_fail(err, CS_ENOMEM, "no memory for a table");
    more[driver->table_count++] =
        (struct cs_followed_table){.keyspace = keyspace, .name = name};
    driver->stale = true;
    return CS_OK;
}

enum cs_code cs_table_follow(struct cs_driver *driver, const char *keyspace,
                             const char *name, unsigned *out,
                             struct cs_err *err)
{
    unsigned at = 0;
    unsigned index;
    enum cs_code rc = cs_keyspace_index(driver, keyspace, &index, err);

    if (rc)
        return rc;
    while (at < driver->table_count &&
           (driver->tables[at].keyspace != index ||
            strcmp(driver->tables[at].name, name) != 0))
        at++;
    *out = at;
    return at < driver->table_count ? CS_OK
                                    : add_table(driver, index, name, err);
}

static bool concerns(const struct cs_driver *driver,
                     const struct cs_schema_change *change,
                     const struct cs_followed_table *table)
{
    if (!cs_view_is(change->keyspace, driver->keyspaces[table->keyspace]->name))
        return false;
    return cs_view_is(change->target, "KEYSPACE") ||
           (cs_view_is(change->target, "TABLE") &&
            cs_view_is(change->name, table->name));
}

void cs_tables_take_change(void *ctx, const struct cs_schema_change *change)
{
    struct cs_driver *driver = ctx;

    for (unsigned i = 0; i < driver->table_count; i++) {
        if (!concerns(driver, change, &driver->tables[i]))
            continue;
        driver->tables[i].age++;
        driver->tables_aged = true;
    }
}

void cs_tables_age(struct cs_driver *driver)
{
    for (unsigned i = 0; i < driver->table_count; i++)
        driver->tables[i].age++;
    driver->tables_aged = driver->tables_aged || driver->table_count;
}
