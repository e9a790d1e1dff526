/* catalog.c - learns schema by listening to the statements that make it. */
#include "responder/catalog_internal.h"

#include "base/text.h"
#include "schema/ddl.h"

#include <stdlib.h>

#define STRATEGIES "org.apache.cassandra.locator."

struct cs_known_space *cs_catalog_space(const struct cs_catalog *catalog,
                                        const char *name)
{
    for (size_t i = 0; i < catalog->space_count; i++)
        if (!strcmp(catalog->spaces[i]->name, name))
            return catalog->spaces[i];
    return NULL;
}

struct cs_table *cs_catalog_table(const struct cs_catalog *catalog,
                                  const char *keyspace, const char *name)
{
    for (size_t i = 0; i < catalog->table_count; i++)
        if (!strcmp(catalog->tables[i]->name, name) &&
            !strcmp(catalog->tables[i]->keyspace, keyspace))
            return catalog->tables[i];
    return NULL;
}

bool cs_catalog_is_system(const struct cs_table *table)
{
    return cs_starts_with(table->keyspace, "system");
}

static enum cs_code no_memory(struct cs_err *err)
{
    return cs_fail(err, CS_ENOMEM, "no memory for the schema");
}

/* ---- CREATE ---- */

void cs_catalog_read_replication(struct cs_catalog *catalog,
                                 const struct cs_cql_words *words,
                                 struct cs_known_space *space)
{
    size_t i = 0;

    space->replication_count = 0;
    while (i < words->count && !cs_cql_words_is(words, i, "replication"))
        i++;
    for (i += 3; cs_cql_words_at(words, i + 1)->kind == ':'; i += 4) {
        const char *key = cs_cql_words_at(words, i)->text;
        const char *value = cs_cql_words_at(words, i + 2)->text;
        bool bare = !strcmp(key, "class") && !strchr(value, '.');

        if (space->replication_count == CS_REPLICATION_MAX)
            return;
        space->replication[space->replication_count++] =
            (struct cs_option_pair){cs_arena_text(&catalog->arena, key),
                                    cs_arena_printf(&catalog->arena, "%s%s",
                                                    bare ? STRATEGIES : "",
                                                    value)};
    }
}

static enum cs_code add_space(struct cs_catalog *catalog, const char *text,
                              const struct cs_cql_words *words,
                              struct cs_schema_step *out, struct cs_err *err)
{
    struct cs_known_space *space =
        cs_arena_alloc(&catalog->arena, sizeof(*space));
    struct cs_known_space **more =
        realloc(catalog->spaces, (catalog->space_count + 1) * sizeof(space));
    const struct cs_known_space *was;
    enum cs_code rc;

    if (more)
        catalog->spaces = more;
    if (!space || !more)
        return no_memory(err);
    rc = cs_ddl_keyspace_name(text, &catalog->arena, &space->name, err);
    if (rc)
        return rc;
    was = cs_catalog_space(catalog, space->name);
    if (was) {
        *out = (struct cs_schema_step){
            .keyspace = was->name, .exists = !cs_cql_words_is(words, 2, "if")};
        return CS_OK;
    }
    cs_catalog_read_replication(catalog, words, space);
    space->system = cs_starts_with(space->name, "system");
    catalog->spaces[catalog->space_count++] = space;
    *out = (struct cs_schema_step){
        .what = "CREATED", .target = "KEYSPACE", .keyspace = space->name};
    return CS_OK;
}

const struct cs_type *cs_catalog_find_type(void *ctx, const char *name)
{
    const struct cs_catalog *catalog = ctx;

    for (size_t i = catalog->type_count; i-- > 0;)
        if (!strcmp(catalog->types[i]->name, name))
            return catalog->types[i];
    return NULL;
}

/* The predefined tables may be made anew, in another shape. */
static bool is_preset(const struct cs_catalog *catalog,
                      const struct cs_table *table)
{
    for (size_t i = 0; i < catalog->preset_count; i++)
        if (catalog->presets[i] == table)
            return true;
    return false;
}

static bool same_columns(const struct cs_table *a, const struct cs_table *b)
{
    bool same = a->column_count == b->column_count &&
                a->partition_count == b->partition_count &&
                a->clustering_count == b->clustering_count;

    for (unsigned i = 0; same && i < a->column_count; i++)
        same = !strcmp(a->columns[i].name, b->columns[i].name) &&
               a->columns[i].kind == b->columns[i].kind &&
               a->columns[i].descending == b->columns[i].descending &&
               cs_type_equal(a->columns[i].type, b->columns[i].type);
    return same;
}

static enum cs_code add_table(struct cs_catalog *catalog, const char *keyspace,
                              const char *text, bool lenient,
                              struct cs_schema_step *out, struct cs_err *err)
{
    const struct cs_table *was;
    struct cs_table *table = cs_arena_alloc(&catalog->arena, sizeof(*table));
    struct cs_table **more =
        realloc(catalog->tables, (catalog->table_count + 1) * sizeof(table));
    enum cs_code rc;

    if (more)
        catalog->tables = more;
    if (!table || !more)
        return no_memory(err);
    rc = cs_ddl_table(text, &catalog->arena, cs_catalog_find_type, catalog,
                      table, err);
    if (rc)
        return rc;
    if (!table->keyspace)
        table->keyspace =
            cs_arena_text(&catalog->arena, keyspace ? keyspace : "keyspace1");
    if (!cs_catalog_space(catalog, table->keyspace))
        return cs_fail(err, CS_EINVALID, "keyspace '%s' does not exist",
                       table->keyspace);
    was = cs_catalog_table(catalog, table->keyspace, table->name);
    if (was && (!is_preset(catalog, was) || same_columns(was, table))) {
        *out = (struct cs_schema_step){
            .keyspace = was->keyspace, .name = was->name, .exists = !lenient};
        return CS_OK;
    }
    cs_catalog_drop_tables(catalog, table->keyspace, table->name);
    catalog->tables[catalog->table_count++] = table;
    *out = (struct cs_schema_step){.what = "CREATED",
                                   .target = "TABLE",
                                   .keyspace = table->keyspace,
                                   .name = table->name,
                                   .now = table};
    return CS_OK;
}

static enum cs_code add_type(struct cs_catalog *catalog, const char *keyspace,
                             const char *text, bool lenient,
                             struct cs_schema_step *out, struct cs_err *err)
{
    const struct cs_type **more =
        realloc(catalog->types,
                (catalog->type_count + 1) * sizeof(const struct cs_type *));
    const struct cs_type *type;
    struct cs_type *owned;
    enum cs_code rc;

    if (!more)
        return no_memory(err);
    catalog->types = more;
    rc = cs_ddl_type(text, &catalog->arena, cs_catalog_find_type, catalog,
                     &type, err);
    if (rc)
        return rc;
    owned = cs_arena_alloc(&catalog->arena, sizeof(*owned));
    if (!owned)
        return no_memory(err);
    *owned = *type;
    if (!owned->keyspace)
        owned->keyspace =
            cs_arena_text(&catalog->arena, keyspace ? keyspace : "keyspace1");
    for (size_t i = 0; i < catalog->type_count; i++)
        if (!strcmp(catalog->types[i]->name, owned->name) &&
            !strcmp(catalog->types[i]->keyspace, owned->keyspace))
            return lenient ? CS_OK
                           : cs_fail(err, CS_EINVALID,
                                     "A user type with name '%s' already "
                                     "exists",
                                     owned->name);
    catalog->types[catalog->type_count++] = owned;
    *out = (struct cs_schema_step){.what = "CREATED",
                                   .target = "TYPE",
                                   .keyspace = owned->keyspace,
                                   .name = owned->name};
    return CS_OK;
}

/* CREATE INDEX changes no columns, but is told of as a change of the table. */
static void touch_table(struct cs_catalog *catalog, const char *keyspace,
                        const struct cs_cql_words *words,
                        struct cs_schema_step *out)
{
    const struct cs_table *table;
    const char *space = keyspace ? keyspace : "keyspace1";
    const char *name;
    size_t i = 0;

    while (i < words->count && !cs_cql_words_is(words, i, "on"))
        i++;
    name = cs_cql_words_at(words, i + 1)->text;
    if (cs_cql_words_at(words, i + 2)->kind == '.') {
        space = name;
        name = cs_cql_words_at(words, i + 3)->text;
    }
    table = cs_catalog_table(catalog, space, name);
    if (table)
        *out = (struct cs_schema_step){.what = "UPDATED",
                                       .target = "TABLE",
                                       .keyspace = table->keyspace,
                                       .name = table->name};
}

/* ---- all ---- */

static enum cs_code create(struct cs_catalog *catalog, const char *keyspace,
                           struct cs_view cql, const struct cs_cql_words *words,
                           struct cs_schema_step *out, struct cs_err *err)
{
    bool lenient = cs_cql_words_is(words, 2, "if");
    const char *text;

    if (cs_cql_words_is(words, 1, "index") ||
        cs_cql_words_is(words, 1, "custom")) {
        touch_table(catalog, keyspace, words, out);
        return CS_OK;
    }
    text = cs_arena_bytes(&catalog->arena, cql.data, cql.size);
    if (!text)
        return no_memory(err);
    if (cs_cql_words_is(words, 1, "keyspace"))
        return add_space(catalog, text, words, out, err);
    if (cs_cql_words_is(words, 1, "table") ||
        cs_cql_words_is(words, 1, "columnfamily"))
        return add_table(catalog, keyspace, text, lenient, out, err);
    if (cs_cql_words_is(words, 1, "type"))
        return add_type(catalog, keyspace, text, lenient, out, err);
    return CS_OK;
}

static enum cs_code change(struct cs_catalog *catalog, const char *keyspace,
                           struct cs_view cql, const struct cs_cql_words *words,
                           struct cs_schema_step *out, struct cs_err *err)
{
    if (cs_cql_words_is(words, 0, "drop"))
        return cs_catalog_drop(catalog, keyspace, words, out, err);
    if (cs_cql_words_is(words, 0, "alter"))
        return cs_catalog_alter(catalog, keyspace, words, out, err);
    if (cs_cql_words_is(words, 0, "create"))
        return create(catalog, keyspace, cql, words, out, err);
    return CS_OK;
}

enum cs_code cs_catalog_change(struct cs_catalog *catalog, const char *keyspace,
                               struct cs_view cql, struct cs_schema_step *out,
                               struct cs_err *err)
{
    struct cs_arena_mark mark = cs_arena_mark(&catalog->arena);
    struct cs_cql_words words;
    struct cs_arena scratch;
    enum cs_code rc;

    *out = (struct cs_schema_step){.what = NULL};
    cs_arena_init(&scratch);
    rc = cs_cql_words_cut(cql, &scratch, &words, err);
    if (!rc)
        rc = change(catalog, keyspace, cql, &words, out, err);
    cs_arena_release(&scratch);
    /* Clients that ask for the same tables at each start cost nothing. */
    if (!out->what)
        cs_arena_rewind(&catalog->arena, mark);
    return rc;
}
