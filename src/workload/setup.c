/* setup.c - runs the DDL of a command; "exists already" is no error. */
#include "workload/setup.h"
#include "schema/ddl.h"
#include "schema/ident.h"
#include "workload/old.h"
#include "workload/statements.h"

/* Error codes of the native protocol. */
#define ALREADY_EXISTS 0x2400
#define INVALID        0x2200

#define DDL_MAX ((size_t)1 << 20)

/* CREATE INDEX answers Invalid, not "already exists", when the index is
 * there. */
static bool exists_already(const struct cs_err *err)
{
    if (err->code != CS_ESERVER)
        return false;
    return err->server_code == ALREADY_EXISTS ||
           (err->server_code == INVALID &&
            strstr(err->text, "already exists") != NULL);
}

static enum cs_code define(const struct cs_driver_ops *db,
                           struct cs_driver *driver, const char *cql,
                           enum cs_consistency cl, int64_t *waited_ns,
                           struct cs_err *err)
{
    enum cs_code rc = db->execute(driver, cql, cl, waited_ns, err);

    if (rc && exists_already(err)) {
        *err = (struct cs_err){0};
        return CS_OK;
    }
    return rc;
}

typedef void (*put_ddl_fn)(struct cs_buf *buf, const struct cs_settings *s);

enum cs_code cs_setup_predefined(const struct cs_settings *settings,
                                 const struct cs_driver_ops *db,
                                 struct cs_driver *driver, int64_t *waited_ns,
                                 struct cs_err *err)
{
    static const struct {
        put_ddl_fn put[2]; /* by language */
        const char *what;
    } steps[] = {
        {{cs_ddl_put_keyspace, cs_sql_put_database}, ""},
        {{cs_ddl_put_standard, cs_sql_put_standard},
         "the table of the command in "},
        {{cs_ddl_put_counter, cs_sql_put_counter},
         "table " CS_COUNTER_TABLE " of "},
    };
    bool kv = settings->schema.table == CS_PREDEFINED_KV;
    size_t count = CS_COUNT(steps) - kv; /* which has no counters */
    enum cs_code rc = CS_OK;
    struct cs_buf cql;

    cs_buf_init(&cql, DDL_MAX);
    for (size_t i = 0; i < count && !rc; i++) {
        cs_buf_clear(&cql);
        steps[i].put[db->language](&cql, settings);
        rc = cs_buf_check(&cql, "CREATE statement", err);
        if (!rc)
            rc = define(db, driver, cs_buf_text(&cql), CS_CL_LOCAL_ONE,
                        waited_ns, err);
        if (rc)
            cs_while(err, "creating %skeyspace %s", steps[i].what,
                     settings->schema.keyspace);
    }
    cs_buf_release(&cql);
    return rc;
}

static void put_index(struct cs_buf *buf, const struct cs_settings *s)
{
    cs_buf_puts(buf, "CREATE INDEX IF NOT EXISTS \"Idx1\" ON ");
    cs_ident_put_quoted(buf, s->schema.keyspace);
    cs_buf_printf(buf, ".%s (\"C1\")", cs_old_table(&s->old));
}

/* keyspace, table, index: the index only where it is asked for. */
static enum cs_code define_old(const struct cs_settings *s, int step,
                               const struct cs_driver_ops *db,
                               struct cs_driver *driver, int64_t *waited_ns,
                               struct cs_err *err)
{
    struct cs_buf cql;
    enum cs_code rc;

    cs_buf_init(&cql, (size_t)1 << 24);
    if (step == 0)
        cs_ddl_put_keyspace(&cql, s);
    else if (step == 1)
        cs_ddl_put_old(&cql, s, cs_old_table(&s->old));
    else if (s->old.index && s->old.operation == CS_OLD_INSERT && !s->old.super)
        put_index(&cql, s);
    rc = cs_buf_check(&cql, "CREATE statement", err);
    if (!rc && cql.size)
        rc = define(db, driver, cs_buf_text(&cql), CS_CL_LOCAL_ONE, waited_ns,
                    err);
    if (rc)
        cs_while(err, "creating keyspace %s and table %s", s->schema.keyspace,
                 cs_old_table(&s->old));
    cs_buf_release(&cql);
    return rc;
}

enum cs_code cs_setup_old(const struct cs_settings *settings,
                          const struct cs_driver_ops *db,
                          struct cs_driver *driver, bool *existed,
                          int64_t *waited_ns, struct cs_err *err)
{
    enum cs_code rc =
        db->has_keyspace(driver, settings->schema.keyspace, existed, err);

    for (int step = 0; step < 3 && !rc; step++)
        rc = define_old(settings, step, db, driver, waited_ns, err);
    return rc;
}

/* "USE ks" or "TRUNCATE ks.t" with names quoted. */
static enum cs_code run_named(const struct cs_driver_ops *db,
                              struct cs_driver *driver, const char *verb,
                              const char *keyspace, const char *table,
                              int64_t *waited_ns, struct cs_err *err)
{
    struct cs_buf cql;
    enum cs_code rc;

    cs_buf_init(&cql, DDL_MAX);
    cs_buf_printf(&cql, "%s ", verb);
    cs_ident_put_quoted(&cql, keyspace);
    if (table) {
        cs_buf_put8(&cql, '.');
        cs_ident_put_quoted(&cql, table);
    }
    rc = cs_buf_check(&cql, verb, err);
    if (!rc)
        rc = db->execute(driver, cs_buf_text(&cql), CS_CL_ONE, waited_ns, err);
    cs_buf_release(&cql);
    return rc;
}

static enum cs_code need_keyspace(const struct cs_profile *profile,
                                  const struct cs_driver_ops *db,
                                  struct cs_driver *driver, struct cs_err *err)
{
    bool found = false;
    struct cs_buf name;
    enum cs_code rc =
        db->has_keyspace(driver, profile->keyspace_name, &found, err);

    if (rc || found)
        return rc;
    cs_buf_init(&name, DDL_MAX);
    cs_ident_put(&name, profile->keyspace_name);
    rc = cs_fail(err, CS_EINVALID,
                 "keyspace '%s' does not exist and %s has no "
                 "keyspace_definition; create it with: CREATE KEYSPACE %s WITH "
                 "replication = {'class': 'SimpleStrategy', "
                 "'replication_factor': 1};",
                 profile->keyspace_name, profile->path, cs_buf_text(&name));
    cs_buf_release(&name);
    return rc;
}

/* Types come before the table that may need them, all else after it. */
static enum cs_code define_extra(const struct cs_profile *profile, bool types,
                                 const struct cs_driver_ops *db,
                                 struct cs_driver *driver, int64_t *waited_ns,
                                 struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    for (size_t i = 0; i < profile->extra_count && !rc; i++) {
        if (cs_ddl_is_type(profile->extra_definitions[i]) != types)
            continue;
        rc = define(db, driver, profile->extra_definitions[i], CS_CL_ONE,
                    waited_ns, err);
        if (rc)
            cs_while(err, "%s:%d:%d: extra_definitions, item %zu",
                     profile->path, profile->extra_places[i].line,
                     profile->extra_places[i].column, i + 1);
    }
    return rc;
}

enum cs_code cs_setup_profile(const struct cs_profile *profile,
                              const struct cs_driver_ops *db,
                              struct cs_driver *driver, int64_t *waited_ns,
                              struct cs_err *err)
{
    enum cs_code rc;

    if (profile->keyspace_definition) {
        rc = define(db, driver, profile->keyspace_definition, CS_CL_ONE,
                    waited_ns, err);
        if (rc)
            return cs_while(err, "%s:%d:%d: keyspace_definition", profile->path,
                            profile->keyspace_definition_place.line,
                            profile->keyspace_definition_place.column);
    } else {
        rc = need_keyspace(profile, db, driver, err);
    }
    if (!rc)
        rc = run_named(db, driver, "USE", profile->keyspace_name, NULL,
                       waited_ns, err);
    if (!rc)
        rc = define_extra(profile, true, db, driver, waited_ns, err);
    if (!rc && profile->table_definition) {
        rc = define(db, driver, profile->table_definition, CS_CL_ONE, waited_ns,
                    err);
        if (rc)
            cs_while(err, "%s:%d:%d: table_definition", profile->path,
                     profile->table_definition_place.line,
                     profile->table_definition_place.column);
    }
    return rc;
}

enum cs_code cs_setup_extra(const struct cs_profile *profile,
                            const struct cs_driver_ops *db,
                            struct cs_driver *driver, int64_t *waited_ns,
                            struct cs_err *err)
{
    return define_extra(profile, false, db, driver, waited_ns, err);
}

enum cs_code cs_setup_truncate(const char *keyspace, const char *table,
                               const struct cs_driver_ops *db,
                               struct cs_driver *driver, int64_t *waited_ns,
                               struct cs_err *err)
{
    enum cs_code rc =
        run_named(db, driver, "TRUNCATE", keyspace, table, waited_ns, err);

    return rc ? cs_while(err, "truncating %s.%s", keyspace, table) : CS_OK;
}
