/* keyspaces.c - how keyspaces are replicated. */
#include "client/cluster.h"
#include "client/rowset.h"

#include <stdlib.h>

/* Far above any query about the schema. */
#define CQL_MAX ((size_t)1 << 20)

void cs_put_cql_text(struct cs_buf *buf, const char *text)
{
    cs_buf_put8(buf, '\'');
    for (; *text; text++) {
        if (*text == '\'')
            cs_buf_put8(buf, '\'');
        cs_buf_put8(buf, (uint8_t)*text);
    }
    cs_buf_put8(buf, '\'');
}

/* Asks for one keyspace; rows and arena are the caller's. */
static enum cs_code ask(struct cs_driver *driver, const char *name,
                        struct cs_arena *arena, struct cs_result *result,
                        struct cs_err *err)
{
    struct cs_buf cql;
    enum cs_code rc;

    cs_buf_init(&cql, CQL_MAX);
    cs_buf_puts(&cql, "SELECT keyspace_name, replication FROM "
                      "system_schema.keyspaces WHERE keyspace_name = ");
    cs_put_cql_text(&cql, name);
    rc = cs_buf_check(&cql, "a query", err);
    if (!rc)
        rc = cs_cluster_ask(driver, cs_buf_text(&cql), arena, result, err);
    cs_buf_release(&cql);
    return rc;
}

static bool copy_text(struct cs_reader *r, char *to, size_t size)
{
    struct cs_view text = cs_read_blob(r);

    if (!text.data || text.size >= size)
        return false;
    memcpy(to, text.data, text.size);
    to[text.size] = 0;
    return true;
}

static void read_replication(struct cs_view cell,
                             struct cs_replication *replication)
{
    struct cs_reader r;
    uint32_t count = cs_collection_open(cell, 2, &r);
    char key[128];
    char value[128];

    *replication = (struct cs_replication){.strategy = CS_STRATEGY_NONE};
    for (uint32_t i = 0; i < count; i++) {
        bool fits = copy_text(&r, key, sizeof(key));

        fits = copy_text(&r, value, sizeof(value)) && fits;
        if (!fits)
            continue;
        if (!strcmp(key, "class"))
            cs_replication_set_class(replication, value);
        else
            cs_replication_add(replication, key, value);
    }
}

/* *found tells whether it exists. replication may be NULL. */
static enum cs_code read_keyspace(struct cs_driver *driver, const char *name,
                                  struct cs_replication *replication,
                                  bool *found, struct cs_err *err)
{
    struct cs_arena arena;
    struct cs_result result;
    struct cs_rowset rows;
    enum cs_code rc;

    cs_arena_init(&arena);
    rc = ask(driver, name, &arena, &result, err);
    if (!rc)
        rc = cs_rowset_init(&rows, &result, err);
    if (!rc) {
        *found = cs_rowset_next(&rows);
        if (*found && replication)
            read_replication(cs_rowset_get(&rows, "replication"), replication);
    }
    cs_arena_release(&arena);
    return rc;
}

enum cs_code cs_keyspace_exists(struct cs_driver *driver, const char *name,
                                bool *out, struct cs_err *err)
{
    enum cs_code rc = read_keyspace(driver, name, NULL, out, err);

    return rc ? cs_while(err, "keyspace %s", name) : CS_OK;
}

static enum cs_code add_keyspace(struct cs_driver *driver, const char *name,
                                 struct cs_err *err)
{
    struct cs_known_keyspace *keyspace =
        cs_arena_alloc(&driver->arena, sizeof(*keyspace));
    struct cs_known_keyspace **more;
    bool found;
    enum cs_code rc;

    if (keyspace)
        keyspace->name = cs_arena_text(&driver->arena, name);
    more = realloc(driver->keyspaces, (driver->keyspace_count + 1) *
                                          sizeof(struct cs_known_keyspace *));
    if (more)
        driver->keyspaces = more;
    if (!keyspace || !keyspace->name || !more)
        return cs_fail(err, CS_ENOMEM, "no memory for a keyspace");
    rc = read_keyspace(driver, name, &keyspace->replication, &found, err);
    if (rc)
        return cs_while(err, "keyspace %s", name);
    driver->keyspaces[driver->keyspace_count++] = keyspace;
    driver->stale = true;
    return CS_OK;
}

enum cs_code cs_keyspace_index(struct cs_driver *driver, const char *name,
                               unsigned *out, struct cs_err *err)
{
    unsigned at = 0;

    while (at < driver->keyspace_count &&
           strcmp(driver->keyspaces[at]->name, name) != 0)
        at++;
    *out = at;
    if (at < driver->keyspace_count)
        return CS_OK;
    return add_keyspace(driver, name, err);
}

bool cs_keyspace_copies(struct cs_driver *driver,
                        const struct cs_statement *statement,
                        struct cs_copies *out)
{
    unsigned at = statement ? cs_prepared_of(statement)->keyspace : 0;
    const struct cs_replication *replication;

    if (at >= driver->keyspace_count)
        return false;
    replication = &driver->keyspaces[at]->replication;
    *out = (struct cs_copies){0};
    if (replication->strategy == CS_STRATEGY_SIMPLE) {
        out->all = out->local = replication->factor;
        out->quorums = out->all / 2 + 1;
    }
    for (size_t i = 0; i < replication->dc_count; i++) {
        unsigned factor = replication->dcs[i].factor;

        out->all += factor;
        out->quorums += factor / 2 + 1;
        if (driver->local_dc &&
            !strcmp(replication->dcs[i].name, driver->local_dc))
            out->local = factor;
    }
    return out->all != 0;
}

enum cs_code cs_keyspaces_read(struct cs_driver *driver, struct cs_err *err)
{
    enum cs_code rc = CS_OK;
    bool found;

    for (unsigned i = 0; i < driver->keyspace_count && !rc; i++)
        rc = read_keyspace(driver, driver->keyspaces[i]->name,
                           &driver->keyspaces[i]->replication, &found, err);
    return rc;
}
