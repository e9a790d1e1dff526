/* result.c - bodies of RESULT. */
#include "protocol/result.h"

#include "protocol/option.h"

#define OPTION_BOOLEAN 0x0004

/* Where the descriptions of columns are read from and put. */
struct source {
    struct cs_reader *in;
    struct cs_arena *arena; /* NULL: skip them */
    uint8_t version;
    uint32_t nodes_left;
};

struct table_name {
    const char *keyspace;
    const char *table;
};

/* A [string] as text in the arena; NULL and *rc when memory ran out. */
static const char *keep_string(struct source *s, enum cs_code *rc,
                               struct cs_err *err)
{
    struct cs_view view = cs_read_string(s->in);
    const char *text = cs_arena_bytes(s->arena, view.data, view.size);

    if (!text && !*rc)
        *rc = cs_fail(err, CS_ENOMEM, "column: no memory");
    return text;
}

static enum cs_code keep_table_name(struct source *s, struct table_name *out,
                                    struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    out->keyspace = keep_string(s, &rc, err);
    out->table = keep_string(s, &rc, err);
    return rc;
}

static enum cs_code keep_column(struct source *s,
                                const struct table_name *global,
                                struct cs_result_column *out,
                                struct cs_err *err)
{
    struct cs_option_reader types = {
        .in = s->in,
        .arena = s->arena,
        .nodes_left = s->nodes_left,
    };
    struct table_name own = {0};
    enum cs_code rc = CS_OK;

    if (!global) {
        rc = keep_table_name(s, &own, err);
        global = &own;
    }
    out->keyspace = global->keyspace;
    out->table = global->table;
    out->name = keep_string(s, &rc, err);
    if (rc)
        return rc;
    rc = cs_option_read(&types, &out->type, err);
    s->nodes_left = types.nodes_left;
    return rc ? cs_while(err, "column %s", out->name) : CS_OK;
}

static bool is_applied(struct cs_view name)
{
    return cs_view_is(name, "[applied]");
}

static enum cs_code keep_columns(struct source *s, struct cs_metadata *out,
                                 struct cs_err *err)
{
    struct table_name name;
    const struct table_name *global = NULL;
    struct cs_result_column *columns =
        cs_arena_array(s->arena, out->column_count, sizeof(*columns));
    enum cs_code rc = CS_OK;

    if (!columns)
        return cs_fail(err, CS_ENOMEM, "columns: no memory");
    if (out->flags & CS_METADATA_GLOBAL) {
        rc = keep_table_name(s, &name, err);
        global = &name;
    }
    for (uint32_t i = 0; !rc && i < out->column_count; i++)
        rc = keep_column(s, global, &columns[i], err);
    if (rc)
        return rc;
    out->columns = columns;
    out->conditional = out->column_count &&
                       is_applied(cs_view_text(columns[0].name)) &&
                       columns[0].type->kind == CS_TYPE_BOOLEAN;
    return CS_OK;
}

static void skip_columns(struct source *s, struct cs_metadata *out)
{
    struct cs_reader *r = s->in;
    bool global = out->flags & CS_METADATA_GLOBAL;

    if (global) {
        cs_read_string(r);
        cs_read_string(r);
    }
    for (uint32_t i = 0; i < out->column_count && !r->fault; i++) {
        struct cs_view name;
        uint16_t type;

        if (!global) {
            cs_read_string(r);
            cs_read_string(r);
        }
        name = cs_read_string(r);
        type = cs_option_skip(r);
        if (i == 0)
            out->conditional = type == OPTION_BOOLEAN && is_applied(name);
    }
}

static enum cs_code read_columns(struct source *s, struct cs_metadata *out,
                                 struct cs_err *err)
{
    size_t least = out->flags & CS_METADATA_GLOBAL ? 2 + 2 : 2 + 2 + 2 + 2;
    enum cs_code rc = CS_OK;

    cs_read_count(s->in, out->column_count, least);
    if (s->in->fault)
        return cs_reader_check(s->in, "columns", err);
    if (s->arena)
        rc = keep_columns(s, out, err);
    else
        skip_columns(s, out);
    return rc ? rc : cs_reader_check(s->in, "columns", err);
}

static enum cs_code check_column_count(const struct cs_metadata *m,
                                       struct cs_err *err)
{
    if (m->column_count > CS_RESULT_COLUMNS_MAX)
        return cs_fail(err, CS_EPROTOCOL, "metadata: %d columns",
                       (int)m->column_count);
    return CS_OK;
}

static enum cs_code read_metadata(struct source *s, struct cs_metadata *out,
                                  struct cs_err *err)
{
    struct cs_reader *r = s->in;
    enum cs_code rc;

    out->flags = cs_read32(r);
    out->column_count = cs_read32(r);
    if (out->flags & CS_METADATA_MORE_PAGES)
        out->paging_state = cs_read_blob(r);
    if (out->flags & CS_METADATA_CHANGED)
        out->new_id = cs_read_string(r);
    rc = cs_reader_check(r, "metadata", err);
    if (!rc)
        rc = check_column_count(out, err);
    if (rc)
        return rc;
    if (out->flags & CS_METADATA_MORE_PAGES &&
        (!out->paging_state.data ||
         out->paging_state.size > CS_PAGING_STATE_MAX))
        return cs_fail(err, CS_EPROTOCOL,
                       "metadata: more pages, with a paging state of %zu "
                       "bytes",
                       out->paging_state.size);
    if (out->flags & CS_METADATA_NONE)
        return CS_OK;
    return read_columns(s, out, err);
}

/* Which bind markers make up the partition key. */
static enum cs_code read_key_binds(struct source *s, struct cs_result *out,
                                   struct cs_err *err)
{
    struct cs_reader *r = s->in;
    uint32_t count = cs_read_count(r, cs_read32(r), 2);
    enum cs_code rc = cs_reader_check(r, "partition key", err);

    if (rc || !count)
        return rc;
    if (count > CS_RESULT_COLUMNS_MAX)
        return cs_fail(err, CS_EPROTOCOL, "partition key: %d components",
                       (int)count);
    if (s->arena) {
        out->key_binds =
            cs_arena_array(s->arena, count, sizeof(*out->key_binds));
        if (!out->key_binds)
            return cs_fail(err, CS_ENOMEM, "partition key: no memory");
    }
    for (uint32_t i = 0; i < count; i++) {
        uint16_t bind = cs_read16(r);

        if (bind >= out->binds.column_count)
            return cs_fail(err, CS_EPROTOCOL,
                           "partition key: bind marker %d of %u", bind,
                           (unsigned)out->binds.column_count);
        if (out->key_binds)
            out->key_binds[i] = bind;
    }
    out->key_count = count;
    return CS_OK;
}

static enum cs_code read_prepared(struct source *s, struct cs_result *out,
                                  struct cs_err *err)
{
    struct cs_reader *r = s->in;
    enum cs_code rc;

    out->id = cs_read_string(r);
    if (s->version >= 5)
        out->metadata_id = cs_read_string(r);
    out->binds.flags = cs_read32(r);
    out->binds.column_count = cs_read32(r);
    rc = cs_reader_check(r, "bind markers", err);
    if (!rc)
        rc = check_column_count(&out->binds, err);
    if (!rc && s->version >= 4)
        rc = read_key_binds(s, out, err);
    if (!rc)
        rc = read_columns(s, &out->binds, err);
    if (rc)
        return cs_while(err, "bind markers");
    return read_metadata(s, &out->metadata, err);
}

static enum cs_code read_rows(struct source *s, struct cs_result *out,
                              struct cs_err *err)
{
    struct cs_reader *r = s->in;
    enum cs_code rc = read_metadata(s, &out->metadata, err);
    size_t least;

    if (rc)
        return rc;
    least = 4 * (size_t)out->metadata.column_count; /* an [int] per cell */
    out->row_count = cs_read32(r);
    rc = cs_reader_check(r, "rows", err);
    if (rc)
        return rc;
    /* Rows of no columns would be a long loop over nothing. */
    if (out->row_count &&
        (!least || out->row_count > cs_reader_left(r) / least))
        return cs_fail(err, CS_EPROTOCOL,
                       "rows: %d rows of %u columns announced in %zu bytes",
                       (int)out->row_count,
                       (unsigned)out->metadata.column_count, cs_reader_left(r));
    out->cells = *r;
    return CS_OK;
}

static enum cs_code read_kind(struct source *s, struct cs_result *out,
                              struct cs_err *err)
{
    switch (out->kind) {
    case CS_RESULT_KIND_VOID:
        return CS_OK;
    case CS_RESULT_KIND_ROWS:
        return read_rows(s, out, err);
    case CS_RESULT_KIND_SET_KEYSPACE:
        out->keyspace = cs_read_string(s->in);
        return cs_reader_check(s->in, "keyspace", err);
    case CS_RESULT_KIND_PREPARED:
        return read_prepared(s, out, err);
    case CS_RESULT_KIND_SCHEMA_CHANGE:
        cs_schema_change_read(s->in, &out->change);
        return cs_reader_check(s->in, "schema change", err);
    default:
        return cs_fail(err, CS_EPROTOCOL, "unknown kind %d", (int)out->kind);
    }
}

enum cs_code cs_result_decode(struct cs_reader body, uint8_t version,
                              struct cs_arena *arena, struct cs_result *out,
                              struct cs_err *err)
{
    struct source s = {
        .in = &body,
        .arena = arena,
        .version = version,
        .nodes_left = CS_OPTION_NODES_MAX,
    };
    struct cs_result result = {.kind = (enum cs_result_kind)cs_read32(&body)};
    enum cs_code rc = cs_reader_check(&body, "kind", err);

    if (!rc)
        rc = read_kind(&s, &result, err);
    if (rc)
        return cs_while(err, "RESULT");
    *out = result;
    return CS_OK;
}

enum cs_code cs_result_check_cells(const struct cs_result *result,
                                   struct cs_err *err)
{
    struct cs_reader r = result->cells;
    uint64_t count =
        (uint64_t)result->row_count * result->metadata.column_count;

    for (uint64_t i = 0; i < count && !r.fault; i++)
        cs_read_blob(&r);
    return cs_reader_check(&r, "cells", err);
}

bool cs_result_applied(const struct cs_result *result)
{
    struct cs_reader r = result->cells;
    struct cs_view cell;

    if (!result->metadata.conditional || !result->row_count)
        return true;
    cell = cs_read_blob(&r);
    return cell.size == 1 && cell.data[0] != 0;
}
