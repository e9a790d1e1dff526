/* paths.c - what an entry of columnspec may be about: a column, or a part
 * inside a column of a type that the original cannot fill ("m[v]",
 * "p.homes[].street"). */
#include "base/text.h"
#include "workload/workload_internal.h"

#include <stdlib.h>

/* Parts of a table that are looked at; user types within user types can have
 * very many. */
#define PARTS_MAX 65536

struct part {
    const char *path;
    const struct cs_type *type;
};

struct parts {
    struct cs_arena arena;
    struct part *list; /* owned */
    size_t count;
    size_t cap;
    bool full; /* memory or the maximum ran out: nothing is said */
};

static void add_part(struct parts *parts, const char *path,
                     const struct cs_type *type)
{
    struct part *more;

    if (parts->count == parts->cap && !parts->full) {
        size_t cap = parts->cap ? 2 * parts->cap : 64;

        more = cap > PARTS_MAX
                   ? NULL
                   : realloc(parts->list, cap * sizeof(*parts->list));
        if (more) {
            parts->list = more;
            parts->cap = cap;
        }
    }
    if (!path || parts->count == parts->cap) {
        parts->full = true;
        return;
    }
    parts->list[parts->count++] = (struct part){.path = path, .type = type};
}

static const char *step(struct parts *parts, const char *path,
                        const struct cs_type *type, size_t i)
{
    switch (type->kind) {
    case CS_TYPE_MAP:
        return cs_arena_printf(&parts->arena, "%s%s", path, i ? "[v]" : "[k]");
    case CS_TYPE_TUPLE:
        return cs_arena_printf(&parts->arena, "%s.%zu", path, i);
    case CS_TYPE_UDT:
        return cs_arena_printf(&parts->arena, "%s.%s", path,
                               type->field_names[i]);
    default:
        return cs_arena_printf(&parts->arena, "%s[]", path);
    }
}

/* The parts below list[from], then those below them. A list or set of scalars
 * is a column as the original has it: its elements have no entry. */
static void add_column(struct parts *parts, const char *name,
                       const struct cs_type *type)
{
    size_t from = parts->count;

    add_part(parts, name, type);
    if ((type->kind == CS_TYPE_LIST || type->kind == CS_TYPE_SET) &&
        !type->parts[0]->part_count && type->parts[0]->kind != CS_TYPE_DURATION)
        return;
    for (size_t at = from; at < parts->count && !parts->full; at++) {
        const struct part part = parts->list[at];

        for (size_t i = 0; i < part.type->part_count && !parts->full; i++)
            add_part(parts, step(parts, part.path, part.type, i),
                     part.type->parts[i]);
    }
}

static const struct part *find_part(const struct parts *parts, const char *path)
{
    for (size_t i = 0; i < parts->count; i++)
        if (!strcmp(parts->list[i].path, path))
            return &parts->list[i];
    return NULL;
}

/* The quotes of CQL do not belong to a name. */
static const char *nearest_part(struct parts *parts, const char *path)
{
    const char **names = calloc(parts->count, sizeof(*names));
    const char *near = NULL;
    size_t size = strlen(path);

    if (size > 2 && path[0] == '"' && path[size - 1] == '"')
        path = cs_arena_bytes(&parts->arena, path + 1, size - 2);

    for (size_t i = 0; names && i < parts->count; i++)
        names[i] = parts->list[i].path;
    if (names && path)
        near = cs_nearest(path, names, parts->count);
    free(names);
    return near;
}

/* The column in front of a path, or NULL. */
static const char *column_of(const struct cs_table *table, const char *path)
{
    for (unsigned i = 0; i < table->column_count; i++) {
        const char *name = table->columns[i].name;
        size_t size = strlen(name);

        if (!strncmp(name, path, size) &&
            (path[size] == '.' || path[size] == '['))
            return name;
    }
    return NULL;
}

static void warn_unmatched(const struct cs_profile *profile,
                           const struct cs_table *table, struct parts *parts,
                           const struct cs_column_spec *spec,
                           struct cs_buf *warnings)
{
    const char *near = nearest_part(parts, spec->name);
    const char *column = column_of(table, spec->name);

    cs_buf_printf(warnings, "%s:%d:%d: columnspec '%s' matches no ",
                  profile->path, spec->place.line, spec->place.column,
                  spec->name);
    if (column)
        cs_buf_printf(warnings, "part of column '%s'", column);
    else
        cs_buf_printf(warnings, "column of %s.%s", table->keyspace,
                      table->name);
    cs_buf_puts(warnings, " and has no effect");
    if (near)
        cs_buf_printf(warnings, "; nearest %s '%s'",
                      strpbrk(near, ".[") ? "part" : "column", near);
    cs_buf_put8(warnings, '\n');
}

static bool has_address(const struct cs_type *type)
{
    bool found = type->kind == CS_TYPE_INET;

    for (size_t i = 0; i < type->part_count && !found; i++)
        found = has_address(type->parts[i]);
    return found;
}

/* Types whose values have a length, or elements. */
static bool has_size(const struct cs_type *type)
{
    bool found = false;

    switch (type->kind) {
    case CS_TYPE_ASCII:
    case CS_TYPE_BLOB:
    case CS_TYPE_TEXT:
    case CS_TYPE_LIST:
    case CS_TYPE_SET:
    case CS_TYPE_MAP:
        return true;
    default:
        for (size_t i = 0; i < type->part_count && !found; i++)
            found = has_size(type->parts[i]);
        return found;
    }
}

static bool is_clustering(const struct cs_table *table, const char *name)
{
    for (unsigned i = 0; i < table->column_count; i++)
        if (!strcmp(table->columns[i].name, name))
            return table->columns[i].kind == CS_COLUMN_CLUSTERING;
    return false;
}

static void warn_idle(const struct cs_profile *profile,
                      const struct cs_column_spec *spec, const char *why,
                      struct cs_buf *warnings)
{
    cs_buf_printf(warnings, "%s:%d:%d: columnspec '%s': %s\n", profile->path,
                  spec->place.line, spec->place.column, spec->name, why);
}

static void check_spec(const struct cs_profile *profile,
                       const struct cs_table *table, struct parts *parts,
                       const struct cs_column_spec *spec,
                       struct cs_buf *warnings)
{
    const struct part *part = find_part(parts, spec->name);

    if (!part) {
        warn_unmatched(profile, table, parts, spec, warnings);
        return;
    }
    if (spec->family && !has_address(part->type))
        warn_idle(profile, spec, "family has no effect: no inet in it",
                  warnings);
    if (spec->has_cluster && !is_clustering(table, spec->name))
        warn_idle(profile, spec, "cluster has no effect: no clustering column",
                  warnings);
    if (spec->has_size && !has_size(part->type))
        warn_idle(profile, spec,
                  "size has no effect: no text, blob or collection", warnings);
}

void cs_workload_check_specs(const struct cs_profile *profile,
                             const struct cs_table *table,
                             struct cs_buf *warnings)
{
    struct parts parts = {0};

    cs_arena_init(&parts.arena);
    for (unsigned i = 0; i < table->column_count; i++)
        add_column(&parts, table->columns[i].name, table->columns[i].type);
    for (size_t i = 0; i < profile->column_count && !parts.full; i++)
        check_spec(profile, table, &parts, &profile->columns[i], warnings);
    free(parts.list);
    cs_arena_release(&parts.arena);
}
