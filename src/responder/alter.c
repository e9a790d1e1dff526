/* alter.c - ALTER TABLE, TYPE and KEYSPACE: what is changed becomes a new one,
 * since prepared statements may still look at the old. */
#include "responder/catalog_internal.h"

#include <stdio.h>

/* A statement while it is carried out. */
struct altering {
    struct cs_catalog *catalog;
    const struct cs_cql_words *words;
    size_t at;
    struct cs_table *table; /* in the making */
    struct cs_err *err;
};

static bool is(const struct altering *a, const char *word)
{
    return cs_cql_words_is(a->words, a->at, word);
}

static bool is_sign(const struct altering *a, char sign)
{
    return cs_cql_words_at(a->words, a->at)->kind == sign;
}

/* Takes the words when they stand here. */
static bool take(struct altering *a, const char *word)
{
    bool here = is(a, word);

    a->at += here;
    return here;
}

static bool take_sign(struct altering *a, char sign)
{
    bool here = is_sign(a, sign);

    a->at += here;
    return here;
}

/* IF EXISTS and IF NOT EXISTS. */
static bool take_if(struct altering *a)
{
    if (!take(a, "if"))
        return false;
    take(a, "not");
    return take(a, "exists");
}

static enum cs_code no_memory(struct cs_err *err)
{
    return cs_fail(err, CS_ENOMEM, "no memory for the schema");
}

static const char *take_name(struct altering *a)
{
    const struct cs_cql_word *word = cs_cql_words_at(a->words, a->at);

    if (!cs_cql_words_is_name(a->words, a->at))
        return NULL;
    a->at++;
    return cs_arena_text(&a->catalog->arena, word->text);
}

static enum cs_code no_name(const struct altering *a)
{
    return cs_fail(a->err, CS_EINVALID,
                   "line 1:0 no viable alternative at input '%.40s'",
                   cs_cql_words_at(a->words, a->at)->text);
}

/* ---- types ---- */

/* The words of a type as one text; quotes are put back. */
static void put_type_text(struct altering *a, struct cs_buf *text)
{
    size_t depth = 0;

    for (; a->at < a->words->count; a->at++) {
        const struct cs_cql_word *word = cs_cql_words_at(a->words, a->at);
        bool quoted = word->kind == 'q';

        if (!depth && (word->kind == ',' || word->kind == ')' ||
                       word->kind == ';' || is(a, "static") || is(a, "and")))
            return;
        depth += word->kind == '<';
        depth -= word->kind == '>' && depth;
        cs_buf_printf(text, quoted ? "\"%s\"" : "%s", word->text);
    }
}

static enum cs_code take_type(struct altering *a, const struct cs_type **out)
{
    struct cs_buf text;
    enum cs_code rc;

    cs_buf_init(&text, CS_CQL_MAX);
    put_type_text(a, &text);
    rc = cs_type_parse(cs_buf_text(&text), &a->catalog->arena,
                       cs_catalog_find_type, a->catalog, out, a->err);
    cs_buf_release(&text);
    return rc;
}

/* ---- ALTER TABLE ---- */

static enum cs_code undefined(const struct altering *a, const char *name)
{
    return cs_fail(a->err, CS_EINVALID,
                   "Column %s was not found in table '%s.%s'", name,
                   a->table->keyspace, a->table->name);
}

/* name type [static] */
static enum cs_code add_column(struct altering *a, bool lenient)
{
    struct cs_column column = {.kind = CS_COLUMN_REGULAR};
    enum cs_code rc;

    column.name = take_name(a);
    if (!column.name)
        return no_name(a);
    rc = take_type(a, &column.type);
    if (rc)
        return rc;
    if (take(a, "static"))
        column.kind = CS_COLUMN_STATIC;
    if (cs_table_column(a->table, column.name) < 0)
        a->table->columns[a->table->column_count++] = column;
    else if (!lenient)
        return cs_fail(a->err, CS_EINVALID,
                       "Column with name '%s' already exists", column.name);
    return CS_OK;
}

static enum cs_code drop_column(struct altering *a, bool lenient)
{
    const char *name = take_name(a);
    struct cs_column *columns = a->table->columns;
    int i = name ? cs_table_column(a->table, name) : -1;

    if (!name)
        return no_name(a);
    if (i < 0)
        return lenient ? CS_OK : undefined(a, name);
    if (columns[i].kind == CS_COLUMN_PARTITION_KEY ||
        columns[i].kind == CS_COLUMN_CLUSTERING)
        return cs_fail(a->err, CS_EINVALID, "Cannot drop PRIMARY KEY column %s",
                       name);
    a->table->column_count--;
    memmove(columns + i, columns + i + 1,
            (a->table->column_count - (unsigned)i) * sizeof(*columns));
    return CS_OK;
}

static enum cs_code rename_column(struct altering *a, bool lenient)
{
    const char *from = take_name(a);
    const char *to;
    int i = from ? cs_table_column(a->table, from) : -1;

    if (!from || !take(a, "to"))
        return no_name(a);
    to = take_name(a);
    if (!to)
        return no_name(a);
    if (i < 0)
        return lenient ? CS_OK : undefined(a, from);
    a->table->columns[i].name = to;
    return CS_OK;
}

/* ADD, DROP and RENAME with one or many columns; all else (WITH) changes
 * nothing that is played. */
static enum cs_code change_columns(struct altering *a)
{
    enum cs_code (*change)(struct altering *, bool) = NULL;
    enum cs_code rc = CS_OK;
    bool lenient;

    if (take(a, "add"))
        change = add_column;
    else if (take(a, "drop"))
        change = drop_column;
    else if (take(a, "rename"))
        change = rename_column;
    if (!change)
        return CS_OK;
    lenient = take_if(a);
    take_sign(a, '(');
    do
        rc = change(a, lenient);
    while (!rc && (take_sign(a, ',') || take(a, "and")));
    return rc ? rc : cs_table_arrange(a->table, a->err);
}

/* Room for as many columns more as there are words. */
static struct cs_table *copy_table(struct altering *a,
                                   const struct cs_table *table)
{
    struct cs_arena *arena = &a->catalog->arena;
    struct cs_table *copy = cs_arena_alloc(arena, sizeof(*copy));

    if (!copy)
        return NULL;
    *copy = *table;
    copy->columns = cs_arena_array(arena, table->column_count + a->words->count,
                                   sizeof(*copy->columns));
    if (!copy->columns)
        return NULL;
    memcpy(copy->columns, table->columns,
           table->column_count * sizeof(*copy->columns));
    return copy;
}

static void replace_table(struct cs_catalog *catalog,
                          const struct cs_table *was, struct cs_table *now)
{
    for (size_t i = 0; i < catalog->table_count; i++)
        if (catalog->tables[i] == was)
            catalog->tables[i] = now;
}

/* [ks.]name */
static enum cs_code take_full_name(struct altering *a, const char *keyspace,
                                   const char **out_space,
                                   const char **out_name)
{
    *out_space = keyspace ? keyspace : "keyspace1";
    *out_name = take_name(a);
    if (*out_name && take_sign(a, '.')) {
        *out_space = *out_name;
        *out_name = take_name(a);
    }
    return *out_name && *out_space ? CS_OK : no_name(a);
}

static enum cs_code alter_table(struct altering *a, const char *keyspace,
                                struct cs_schema_step *out)
{
    const char *space;
    const char *name;
    struct cs_table *was;
    bool lenient = take_if(a);
    enum cs_code rc = take_full_name(a, keyspace, &space, &name);

    if (rc)
        return rc;
    was = cs_catalog_table(a->catalog, space, name);
    if (!was && lenient)
        return CS_OK;
    if (!was)
        return cs_fail(a->err, CS_EINVALID, "table '%s.%s' doesn't exist",
                       space, name);
    a->table = copy_table(a, was);
    if (!a->table)
        return no_memory(a->err);
    rc = change_columns(a);
    if (rc)
        return rc;
    replace_table(a->catalog, was, a->table);
    *out = (struct cs_schema_step){.what = "UPDATED",
                                   .target = "TABLE",
                                   .keyspace = a->table->keyspace,
                                   .name = a->table->name,
                                   .was = was,
                                   .now = a->table};
    return CS_OK;
}

/* ---- ALTER TYPE ---- */

/* Room for one field more. */
static struct cs_type *copy_type(struct cs_arena *arena,
                                 const struct cs_type *type,
                                 const char ***out_names)
{
    struct cs_type *copy = cs_arena_alloc(arena, sizeof(*copy));
    const char **names =
        cs_arena_array(arena, type->part_count + 1, sizeof(*names));

    if (!copy || !names)
        return NULL;
    *copy = *type;
    copy->parts =
        cs_arena_array(arena, type->part_count + 1, sizeof(*copy->parts));
    if (!copy->parts)
        return NULL;
    for (size_t i = 0; i < type->part_count; i++) {
        copy->parts[i] = type->parts[i];
        names[i] = type->field_names[i];
    }
    copy->field_names = names;
    *out_names = names;
    return copy;
}

/* ADD name type. Tables that have the type keep it as it was: who needs more
 * makes them anew. */
static enum cs_code alter_type(struct altering *a, const char *keyspace,
                               struct cs_schema_step *out)
{
    const char *space;
    const char *name;
    const char **names;
    struct cs_type *copy;
    size_t i = 0;
    enum cs_code rc;

    take_if(a);
    rc = take_full_name(a, keyspace, &space, &name);
    if (rc)
        return rc;
    while (i < a->catalog->type_count &&
           (strcmp(a->catalog->types[i]->name, name) != 0 ||
            strcmp(a->catalog->types[i]->keyspace, space) != 0))
        i++;
    if (i == a->catalog->type_count)
        return cs_fail(a->err, CS_EINVALID, "type '%s.%s' doesn't exist", space,
                       name);
    copy = copy_type(&a->catalog->arena, a->catalog->types[i], &names);
    if (!copy)
        return no_memory(a->err);
    if (take(a, "add")) {
        take_if(a);
        names[copy->part_count] = take_name(a);
        if (!names[copy->part_count])
            return no_name(a);
        rc = take_type(a, &copy->parts[copy->part_count]);
        copy->part_count++;
    }
    if (rc)
        return rc;
    a->catalog->types[i] = copy;
    *out = (struct cs_schema_step){
        .what = "UPDATED", .target = "TYPE", .keyspace = space, .name = name};
    return CS_OK;
}

/* ---- all ---- */

static enum cs_code alter_space(struct altering *a, struct cs_schema_step *out)
{
    struct cs_known_space *space;
    const char *name;

    take_if(a);
    name = take_name(a);
    if (!name)
        return no_name(a);
    space = cs_catalog_space(a->catalog, name);
    if (!space)
        return cs_fail(a->err, CS_EINVALID, "Keyspace '%s' doesn't exist",
                       name);
    cs_catalog_read_replication(a->catalog, a->words, space);
    *out = (struct cs_schema_step){
        .what = "UPDATED", .target = "KEYSPACE", .keyspace = space->name};
    return CS_OK;
}

enum cs_code cs_catalog_alter(struct cs_catalog *catalog, const char *keyspace,
                              const struct cs_cql_words *words,
                              struct cs_schema_step *out, struct cs_err *err)
{
    struct altering a = {
        .catalog = catalog, .words = words, .at = 1, .err = err};

    if (take(&a, "table") || take(&a, "columnfamily"))
        return alter_table(&a, keyspace, out);
    if (take(&a, "type"))
        return alter_type(&a, keyspace, out);
    if (take(&a, "keyspace"))
        return alter_space(&a, out);
    return CS_OK;
}
