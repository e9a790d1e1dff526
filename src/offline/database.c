/* database.c - tables out of CREATE TABLE and CREATE TYPE texts, as the server
 * would have them after it ran these. */
#include "offline/database.h"

#include "base/text.h"
#include "schema/ddl.h"

#include <stdio.h>
#include <stdlib.h>

struct user_type {
    const char *keyspace; /* of its profile */
    const struct cs_type *type;
    struct user_type *next;
};

struct cs_driver {
    struct cs_arena arena;
    const struct cs_settings *settings;
    struct user_type *types;
    struct cs_table *tables;
    size_t table_count;
};

/* The types that one profile may name. */
struct scope {
    const struct cs_driver *driver;
    const char *keyspace;
    struct cs_arena *arena;
    const char *missing; /* the last name that was none of them */
};

static const struct cs_type *find_type(void *ctx, const char *name)
{
    struct scope *scope = ctx;

    for (const struct user_type *t = scope->driver->types; t; t = t->next)
        if (!strcmp(t->type->name, name) &&
            !strcmp(t->keyspace, scope->keyspace))
            return t->type;
    scope->missing = cs_arena_text(scope->arena, name);
    return NULL;
}

#define NAMES_MAX 256

/* A definition failed for a type that nobody made: where types come from. */
static enum cs_code add_hint(const struct scope *scope, struct cs_err *err)
{
    const char *names[NAMES_MAX];
    const char *near;
    size_t count = 0;
    size_t used = strlen(err->text);

    if (!scope->missing || err->code != CS_EINVALID ||
        !strstr(err->text, "no user type of that name"))
        return err->code;
    for (const struct user_type *t = scope->driver->types;
         t && count < NAMES_MAX; t = t->next)
        names[count++] = t->type->name;
    near = cs_nearest(scope->missing, names, count);
    snprintf(err->text + used, sizeof(err->text) - used,
             "; its CREATE TYPE belongs in extra_definitions%s%s%s",
             near ? "; try '" : "", near ? near : "", near ? "'" : "");
    return err->code = CS_EUNSUPPORTED;
}

/* Puts the place in the file in front. The error begins with a place in the
 * definition, which becomes the file's where lines are lines of the file. */
static enum cs_code say_where(const struct cs_profile *profile,
                              const struct cs_place *place, const char *what,
                              struct cs_err *err)
{
    int line = 0, column = 0, used = 0;

    if (!place->indent ||
        sscanf(err->text, "%d:%d: %n", &line, &column, &used) < 2 || !used)
        return cs_while(err, "%s:%d:%d: %s", profile->path, place->line,
                        place->column, what);
    memmove(err->text, err->text + used, strlen(err->text + used) + 1);
    return cs_while(err, "%s:%d:%d: %s", profile->path, place->line + line,
                    place->indent + column, what);
}

/* ---- definitions ---- */

/* Of two definitions of a type the first counts: the server answers the second
 * with "already exists", which is no error. */
static enum cs_code add_type(struct cs_driver *driver, struct scope *scope,
                             const char *text, struct cs_err *err)
{
    const struct cs_type *type = NULL;
    struct user_type *known;
    enum cs_code rc =
        cs_ddl_type(text, &driver->arena, find_type, scope, &type, err);

    if (rc)
        return add_hint(scope, err);
    if (find_type(scope, type->name))
        return CS_OK;
    known = cs_arena_alloc(&driver->arena, sizeof(*known));
    if (!known)
        return cs_fail(err, CS_ENOMEM, "types: out of memory");
    *known = (struct user_type){
        .keyspace = scope->keyspace, .type = type, .next = driver->types};
    driver->types = known;
    return CS_OK;
}

static enum cs_code add_types(struct cs_driver *driver,
                              const struct cs_profile *profile,
                              struct scope *scope, struct cs_err *err)
{
    for (size_t i = 0; i < profile->extra_count; i++) {
        const struct cs_place *place = &profile->extra_places[i];
        const char *text = profile->extra_definitions[i];
        char what[64];

        if (!cs_ddl_is_type(text) || !add_type(driver, scope, text, err))
            continue;
        snprintf(what, sizeof(what), "extra_definitions, item %zu", i + 1);
        return say_where(profile, place, what, err);
    }
    return CS_OK;
}

static enum cs_code add_table(struct cs_driver *driver,
                              const struct cs_profile *profile,
                              struct cs_err *err)
{
    struct scope scope = {.driver = driver,
                          .keyspace = profile->keyspace_name,
                          .arena = &driver->arena};
    const struct cs_place *place = &profile->table_definition_place;
    struct cs_table *table = &driver->tables[driver->table_count];
    enum cs_code rc;

    if (!profile->table_definition)
        return cs_fail(err, CS_EINVALID, "rows needs table_definition in %s",
                       profile->path);
    rc = add_types(driver, profile, &scope, err);
    if (rc)
        return rc;
    rc = cs_ddl_table(profile->table_definition, &driver->arena, find_type,
                      &scope, table, err);
    if (rc) {
        (void)add_hint(&scope, err);
        return say_where(profile, place, "table_definition", err);
    }
    table->keyspace = profile->keyspace_name;
    driver->table_count++;
    return CS_OK;
}

enum cs_code cs_offline_new(const struct cs_settings *settings,
                            struct cs_profile *const *profiles, size_t count,
                            struct cs_driver **out, struct cs_err *err)
{
    struct cs_driver *driver = calloc(1, sizeof(*driver));
    enum cs_code rc = CS_OK;

    if (!driver)
        return cs_fail(err, CS_ENOMEM, "tables: out of memory");
    cs_arena_init(&driver->arena);
    driver->settings = settings;
    driver->tables =
        cs_arena_array(&driver->arena, count + 1, sizeof(*driver->tables));
    if (!driver->tables)
        rc = cs_fail(err, CS_ENOMEM, "tables: out of memory");
    for (size_t i = 0; i < count && !rc; i++)
        rc = add_table(driver, profiles[i], err);
    if (rc)
        cs_offline_driver.close(driver);
    else
        *out = driver;
    return rc;
}

/* ---- what a workload asks for ---- */

static void offline_close(struct cs_driver *driver)
{
    cs_arena_release(&driver->arena);
    free(driver);
}

static enum cs_code offline_has_keyspace(struct cs_driver *driver,
                                         const char *keyspace, bool *out,
                                         struct cs_err *err)
{
    (void)driver;
    (void)keyspace;
    (void)err;
    *out = true;
    return CS_OK;
}

/* A predefined table as a fresh run makes it: key and columns by name. Their
 * types are the command's own business. */
static enum cs_code new_predefined(const struct cs_driver *driver,
                                   const char *keyspace, const char *name,
                                   struct cs_arena *arena,
                                   struct cs_table **out, struct cs_err *err)
{
    const struct cs_settings_columns *columns = &driver->settings->columns;
    unsigned count = (unsigned)columns->count + 1;
    struct cs_table *table = cs_arena_alloc(arena, sizeof(*table));
    struct cs_column *all = cs_arena_array(arena, count, sizeof(*all));

    if (!table || !all)
        return cs_fail(err, CS_ENOMEM, "table '%s': out of memory", name);
    all[0] =
        (struct cs_column){.name = "key", .type = cs_type_simple(CS_TYPE_BLOB)};
    for (unsigned i = 1; i < count; i++)
        all[i] = (struct cs_column){.name = columns->names[i - 1],
                                    .type = cs_type_simple(CS_TYPE_BLOB),
                                    .kind = CS_COLUMN_REGULAR};
    *table = (struct cs_table){.keyspace = keyspace,
                               .name = name,
                               .columns = all,
                               .column_count = count,
                               .partition_count = 1};
    *out = table;
    return CS_OK;
}

static enum cs_code offline_table(struct cs_driver *driver,
                                  const char *keyspace, const char *name,
                                  struct cs_arena *arena, struct cs_table **out,
                                  struct cs_err *err)
{
    if (!driver->table_count)
        return new_predefined(driver, keyspace, name, arena, out, err);
    for (size_t i = 0; i < driver->table_count; i++) {
        struct cs_table *table = &driver->tables[i];

        if (strcmp(table->keyspace, keyspace) || strcmp(table->name, name))
            continue;
        *out = table;
        return CS_OK;
    }
    return cs_fail(err, CS_EINVALID, "no profile defines %s.%s", keyspace,
                   name);
}

static enum cs_code offline_prepare(struct cs_driver *driver,
                                    const char *keyspace, const char *cql,
                                    const struct cs_statement_options *options,
                                    const struct cs_statement **out,
                                    struct cs_err *err)
{
    struct cs_statement *statement =
        cs_arena_alloc(&driver->arena, sizeof(*statement));
    const char *text = cs_arena_text(&driver->arena, cql);

    (void)keyspace;
    if (!statement || !text)
        return cs_fail(err, CS_ENOMEM, "statement: out of memory");
    *statement = (struct cs_statement){.cql = text, .options = *options};
    *out = statement;
    return CS_OK;
}

const struct cs_driver_ops cs_offline_driver = {
    .close = offline_close,
    .table = offline_table,
    .has_keyspace = offline_has_keyspace,
    .prepare = offline_prepare,
};
