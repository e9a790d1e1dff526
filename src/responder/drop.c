/* drop.c - DROP of keyspaces, tables, types and indexes. */
#include "responder/catalog_internal.h"

void cs_catalog_drop_tables(struct cs_catalog *catalog, const char *keyspace,
                            const char *name)
{
    size_t kept = 0;

    for (size_t i = 0; i < catalog->table_count; i++) {
        const struct cs_table *table = catalog->tables[i];

        if (strcmp(table->keyspace, keyspace) != 0 ||
            (name && strcmp(table->name, name) != 0))
            catalog->tables[kept++] = catalog->tables[i];
    }
    catalog->table_count = kept;
}

static void drop_types(struct cs_catalog *catalog, const char *keyspace,
                       const char *name)
{
    size_t kept = 0;

    for (size_t i = 0; i < catalog->type_count; i++) {
        const struct cs_type *type = catalog->types[i];

        if (strcmp(type->keyspace, keyspace) != 0 ||
            (name && strcmp(type->name, name) != 0))
            catalog->types[kept++] = type;
    }
    catalog->type_count = kept;
}

static void drop_space(struct cs_catalog *catalog, const char *name)
{
    size_t kept = 0;

    for (size_t i = 0; i < catalog->space_count; i++)
        if (strcmp(catalog->spaces[i]->name, name) != 0)
            catalog->spaces[kept++] = catalog->spaces[i];
    catalog->space_count = kept;
    cs_catalog_drop_tables(catalog, name, NULL);
    drop_types(catalog, name, NULL);
}

/* What is dropped: its names, and how many of them there were. */
struct dropped {
    const char *target;
    const char *space;
    const char *name;
    size_t before;
    size_t after;
};

static void drop_in_space(struct cs_catalog *catalog, struct dropped *d)
{
    bool table = !strcmp(d->target, "TABLE");
    size_t *count = table ? &catalog->table_count : &catalog->type_count;

    d->before = *count;
    if (table)
        cs_catalog_drop_tables(catalog, d->space, d->name);
    else
        drop_types(catalog, d->space, d->name);
    d->after = *count;
}

static enum cs_code carry_out(struct cs_catalog *catalog, struct dropped *d,
                              bool lenient, struct cs_schema_step *out,
                              struct cs_err *err)
{
    if (d->name) {
        drop_in_space(catalog, d);
    } else {
        d->before = catalog->space_count;
        drop_space(catalog, d->space);
        d->after = catalog->space_count;
    }
    if (d->before != d->after)
        *out = (struct cs_schema_step){.what = "DROPPED",
                                       .target = d->target,
                                       .keyspace = d->space,
                                       .name = d->name};
    else if (!lenient)
        return cs_fail(err, CS_EINVALID, "%s '%s%s%s' doesn't exist", d->target,
                       d->space, d->name ? "." : "", d->name ? d->name : "");
    return CS_OK;
}

/* DROP what [IF EXISTS] [ks.]name */
enum cs_code cs_catalog_drop(struct cs_catalog *catalog, const char *keyspace,
                             const struct cs_cql_words *words,
                             struct cs_schema_step *out, struct cs_err *err)
{
    bool lenient = cs_cql_words_is(words, 2, "if");
    size_t at = lenient ? 4 : 2;
    bool dotted = cs_cql_words_at(words, at + 1)->kind == '.';
    const char *first =
        cs_arena_text(&catalog->arena, cs_cql_words_at(words, at)->text);
    const char *second =
        cs_arena_text(&catalog->arena, cs_cql_words_at(words, at + 2)->text);
    const char *space =
        cs_arena_text(&catalog->arena, keyspace ? keyspace : "keyspace1");
    struct dropped d = {.target = "KEYSPACE", .space = first};

    if (!first || !second || !space)
        return cs_fail(err, CS_ENOMEM, "no memory for the schema");
    if (cs_cql_words_is(words, 1, "table"))
        d.target = "TABLE";
    else if (cs_cql_words_is(words, 1, "type"))
        d.target = "TYPE";
    else if (!cs_cql_words_is(words, 1, "keyspace"))
        return CS_OK;
    if (strcmp(d.target, "KEYSPACE") != 0) {
        d.space = dotted ? first : space;
        d.name = dotted ? second : first;
    }
    return carry_out(catalog, &d, lenient, out, err);
}
