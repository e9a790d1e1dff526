/* tables.c - a table as the server's schema describes it. */
#include "client/cluster.h"
#include "client/rowset.h"

#include <stdlib.h>

#define CQL_MAX ((size_t)1 << 20)

/* The user types of a keyspace, read lazily: most tables have none. */
struct types {
    struct cs_driver *driver;
    const char *keyspace;
    struct cs_arena *arena; /* of the table */
    bool read;
    struct cs_result result;
    unsigned depth;
    struct cs_err err; /* of a look-up: find functions return none */
};

static enum cs_code ask(struct cs_driver *driver, const char *select,
                        const char *keyspace, const char *table,
                        struct cs_arena *arena, struct cs_result *result,
                        struct cs_err *err)
{
    struct cs_buf cql;
    enum cs_code rc;

    cs_buf_init(&cql, CQL_MAX);
    cs_buf_printf(&cql, "%s WHERE keyspace_name = ", select);
    cs_put_cql_text(&cql, keyspace);
    if (table) {
        cs_buf_puts(&cql, " AND table_name = ");
        cs_put_cql_text(&cql, table);
    }
    rc = cs_buf_check(&cql, "a query", err);
    if (!rc)
        rc = cs_cluster_ask(driver, cs_buf_text(&cql), arena, result, err);
    cs_buf_release(&cql);
    return rc;
}

/* ---- user types ---- */

static const struct cs_type *find_type(void *ctx, const char *name);

/* Cells are borrowed from the connection until its next request, so rows that
 * are needed later are copied. */
static enum cs_code keep_rows(struct types *types, struct cs_err *err)
{
    struct cs_reader *cells = &types->result.cells;
    size_t size = cs_reader_left(cells);
    char *copy = cs_arena_bytes(types->arena, cells->p, size);

    if (!copy)
        return cs_fail(err, CS_ENOMEM, "no memory for the user types");
    *cells = cs_reader_of(copy, size);
    return CS_OK;
}

static enum cs_code read_types(struct types *types, struct cs_err *err)
{
    enum cs_code rc;

    if (types->read)
        return CS_OK;
    rc = ask(types->driver,
             "SELECT type_name, field_names, field_types FROM "
             "system_schema.types",
             types->keyspace, NULL, types->arena, &types->result, err);
    if (!rc)
        rc = keep_rows(types, err);
    types->read = !rc;
    return rc;
}

static enum cs_code read_field(struct types *types, struct cs_reader *names,
                               struct cs_reader *texts, const char **out_name,
                               const struct cs_type **out_type,
                               struct cs_err *err)
{
    struct cs_view name = cs_read_blob(names);
    struct cs_view text = cs_read_blob(texts);
    char *type_text;

    if (!name.data || !text.data)
        return cs_fail(err, CS_EPROTOCOL, "a field without name or type");
    *out_name = cs_arena_bytes(types->arena, name.data, name.size);
    type_text = cs_arena_bytes(types->arena, text.data, text.size);
    if (!*out_name || !type_text)
        return cs_fail(err, CS_ENOMEM, "no memory for a user type");
    return cs_type_parse(type_text, types->arena, find_type, types, out_type,
                         err);
}

static enum cs_code make_type(struct types *types, const char *name,
                              const struct cs_rowset *row,
                              const struct cs_type **out, struct cs_err *err)
{
    struct cs_reader names;
    struct cs_reader texts;
    uint32_t count =
        cs_collection_open(cs_rowset_get(row, "field_names"), 1, &names);
    uint32_t text_count =
        cs_collection_open(cs_rowset_get(row, "field_types"), 1, &texts);
    struct cs_type *type = cs_arena_alloc(types->arena, sizeof(*type));
    const char **field_names =
        cs_arena_array(types->arena, count + (size_t)1, sizeof(*field_names));
    const struct cs_type **parts = cs_arena_array(
        types->arena, count + (size_t)1, sizeof(const struct cs_type *));
    enum cs_code rc = CS_OK;

    if (!type || !field_names || !parts)
        return cs_fail(err, CS_ENOMEM, "no memory for a user type");
    if (count != text_count)
        return cs_fail(err, CS_EPROTOCOL, "fields without types");
    for (uint32_t i = 0; i < count && !rc; i++)
        rc = read_field(types, &names, &texts, &field_names[i], &parts[i], err);
    *type = (struct cs_type){.kind = CS_TYPE_UDT,
                             .part_count = count,
                             .parts = parts,
                             .keyspace = types->keyspace,
                             .name = cs_arena_text(types->arena, name),
                             .field_names = field_names};
    *out = type;
    return rc;
}

static enum cs_code look_up(struct types *types, const char *name,
                            const struct cs_type **out, struct cs_err *err)
{
    struct cs_rowset rows;
    enum cs_code rc = read_types(types, err);

    if (!rc)
        rc = cs_rowset_init(&rows, &types->result, err);
    while (!rc && cs_rowset_next(&rows))
        if (cs_view_is(cs_rowset_get(&rows, "type_name"), name))
            return make_type(types, name, &rows, out, err);
    return rc;
}

static const struct cs_type *find_type(void *ctx, const char *name)
{
    struct types *types = ctx;
    const struct cs_type *type = NULL;

    if (types->depth >= CS_TYPE_DEPTH_MAX)
        return NULL;
    types->depth++;
    if (look_up(types, name, &type, &types->err))
        type = NULL;
    types->depth--;
    return type;
}

/* ---- columns ---- */

static bool read_kind(struct cs_view text, enum cs_column_kind *out)
{
    if (cs_view_is(text, "partition_key"))
        *out = CS_COLUMN_PARTITION_KEY;
    else if (cs_view_is(text, "clustering"))
        *out = CS_COLUMN_CLUSTERING;
    else if (cs_view_is(text, "regular"))
        *out = CS_COLUMN_REGULAR;
    else if (cs_view_is(text, "static"))
        *out = CS_COLUMN_STATIC;
    else
        return false;
    return true;
}

/* The type stays as text for now: reading a user type asks the server again,
 * which would take the rows away. */
static enum cs_code read_column(const struct cs_rowset *rows,
                                struct cs_arena *arena, struct cs_column *out,
                                const char **out_type, struct cs_err *err)
{
    int32_t position = cs_rowset_int(rows, "position");

    out->name = cs_rowset_text(rows, "column_name", arena);
    *out_type = cs_rowset_text(rows, "type", arena);
    if (!out->name || !*out_type ||
        !read_kind(cs_rowset_get(rows, "kind"), &out->kind))
        return cs_fail(err, CS_EPROTOCOL,
                       "a row of system_schema.columns is incomplete");
    out->position = position > 0 ? (unsigned)position : 0;
    out->descending =
        cs_view_is(cs_rowset_get(rows, "clustering_order"), "desc");
    return CS_OK;
}

static enum cs_code parse_types(struct types *types, struct cs_table *table,
                                const char *const *texts, struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    for (unsigned i = 0; i < table->column_count && !rc; i++) {
        rc = cs_type_parse(texts[i], types->arena, find_type, types,
                           &table->columns[i].type, err);
        if (rc && types->err.code) {
            *err = types->err;
            rc = err->code;
        }
        if (rc)
            cs_while(err, "column %s", table->columns[i].name);
    }
    return rc;
}

static enum cs_code read_columns(struct cs_driver *driver,
                                 struct cs_arena *arena, struct cs_table *table,
                                 const char ***out_texts, struct cs_err *err)
{
    struct cs_result result;
    struct cs_rowset rows;
    enum cs_code rc = ask(driver,
                          "SELECT column_name, clustering_order, kind, "
                          "position, type FROM system_schema.columns",
                          table->keyspace, table->name, arena, &result, err);

    if (!rc)
        rc = cs_rowset_init(&rows, &result, err);
    if (rc)
        return rc;
    if (!result.row_count)
        return cs_fail(err, CS_EINVALID, "there is no table %s.%s",
                       table->keyspace, table->name);
    table->columns =
        cs_arena_array(arena, result.row_count, sizeof(*table->columns));
    *out_texts = cs_arena_array(arena, result.row_count, sizeof(**out_texts));
    if (!table->columns || !*out_texts)
        return cs_fail(err, CS_ENOMEM, "no memory for a table");
    while (!rc && cs_rowset_next(&rows)) {
        unsigned at = table->column_count;

        rc = read_column(&rows, arena, &table->columns[at], &(*out_texts)[at],
                         err);
        table->column_count++;
    }
    return rc;
}

/* ---- compact storage ---- */

/* A table made WITH COMPACT STORAGE is stored in a shape of its own, which the
 * server's schema shows, but statements must not. */
enum shape {
    SHAPE_PLAIN,
    SHAPE_DENSE,  /* perhaps with a nameless column of type "empty" */
    SHAPE_STATIC, /* columns as static ones, beside "column1" and "value" */
};

static enum shape shape_of(const struct cs_rowset *rows)
{
    struct cs_reader flags;
    uint32_t count =
        cs_collection_open(cs_rowset_get(rows, "flags"), 1, &flags);
    enum shape shape = SHAPE_STATIC;

    for (uint32_t i = 0; i < count; i++) {
        struct cs_view flag = cs_read_blob(&flags);

        if (cs_view_is(flag, "compound") || cs_view_is(flag, "super"))
            return SHAPE_PLAIN;
        if (cs_view_is(flag, "dense"))
            shape = SHAPE_DENSE;
    }
    return shape;
}

static enum cs_code read_shape(struct cs_driver *driver,
                               const struct cs_table *table,
                               struct cs_arena *arena, enum shape *out,
                               struct cs_err *err)
{
    struct cs_result result;
    struct cs_rowset rows;
    enum cs_code rc = ask(driver, "SELECT flags FROM system_schema.tables",
                          table->keyspace, table->name, arena, &result, err);

    if (!rc)
        rc = cs_rowset_init(&rows, &result, err);
    /* A view has no row there, and is never compact. */
    *out = !rc && cs_rowset_next(&rows) ? shape_of(&rows) : SHAPE_PLAIN;
    return rc;
}

static bool is_hidden(const struct cs_column *column, const char *type,
                      enum shape shape)
{
    if (shape == SHAPE_DENSE)
        return column->kind == CS_COLUMN_REGULAR && !strcmp(type, "empty");
    return column->kind == CS_COLUMN_REGULAR ||
           column->kind == CS_COLUMN_CLUSTERING;
}

static enum cs_code hide_columns(struct cs_driver *driver,
                                 struct cs_table *table, const char **types,
                                 struct cs_arena *arena, struct cs_err *err)
{
    unsigned kept = 0;
    enum shape shape;
    enum cs_code rc = read_shape(driver, table, arena, &shape, err);

    if (rc || shape == SHAPE_PLAIN)
        return rc;
    for (unsigned i = 0; i < table->column_count; i++) {
        if (is_hidden(&table->columns[i], types[i], shape))
            continue;
        table->columns[kept] = table->columns[i];
        types[kept] = types[i];
        if (table->columns[kept].kind == CS_COLUMN_STATIC)
            table->columns[kept].kind = CS_COLUMN_REGULAR;
        kept++;
    }
    table->column_count = kept;
    return CS_OK;
}

enum cs_code cs_cluster_table(struct cs_driver *driver, const char *keyspace,
                              const char *name, struct cs_arena *arena,
                              struct cs_table **out, struct cs_err *err)
{
    struct types types = {.driver = driver, .arena = arena};
    struct cs_table *table = cs_arena_alloc(arena, sizeof(*table));
    const char **texts = NULL;
    enum cs_code rc;

    if (table) {
        table->keyspace = cs_arena_text(arena, keyspace);
        table->name = cs_arena_text(arena, name);
    }
    if (!table || !table->keyspace || !table->name)
        return cs_fail(err, CS_ENOMEM, "no memory for a table");
    types.keyspace = table->keyspace;
    rc = read_columns(driver, arena, table, &texts, err);
    if (rc == CS_EINVALID)
        return rc;
    if (!rc)
        rc = hide_columns(driver, table, texts, arena, err);
    if (!rc)
        rc = parse_types(&types, table, texts, err);
    if (!rc)
        rc = cs_table_arrange(table, err);
    /* The table is there: CS_EINVALID would say that it is not. */
    if (rc == CS_EINVALID)
        rc = err->code = CS_EUNSUPPORTED;
    if (rc)
        return cs_while(err, "table %s.%s", keyspace, name);
    *out = table;
    return CS_OK;
}
