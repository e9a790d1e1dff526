/* script.c - finds table, result columns and bind markers of a statement. */
#include "responder/script_internal.h"

/* A statement while it is looked through. */
struct reading {
    const struct cs_catalog *catalog;
    const char *keyspace;
    struct cs_arena *arena;
    struct cs_cql_words words;
    struct cs_script *out;
    struct cs_err *err;
    size_t body; /* the word behind the table's name */
};

static const struct cs_cql_word *at(const struct reading *r, size_t i)
{
    return cs_cql_words_at(&r->words, i);
}

static bool is(const struct reading *r, size_t i, const char *word)
{
    return cs_cql_words_is(&r->words, i, word);
}

static bool is_name(const struct reading *r, size_t i)
{
    return cs_cql_words_is_name(&r->words, i);
}

static const struct cs_type *column_type(const struct cs_table *table,
                                         const char *name)
{
    int i = table ? cs_table_column(table, name) : -1;

    return i < 0 ? NULL : table->columns[i].type;
}

/* ---- the table ---- */

/* The word behind FROM, INTO or UPDATE; 0: there is none. */
static size_t find_table(const struct reading *r)
{
    size_t depth = 0;

    if (is(r, 0, "update"))
        return 1;
    if (is(r, 0, "truncate"))
        return is(r, 1, "table") ? 2 : 1;
    for (size_t i = 0; i < r->words.count; i++) {
        depth += at(r, i)->kind == '(';
        depth -= at(r, i)->kind == ')' && depth;
        if (!depth && (is(r, i, "from") || is(r, i, "into")))
            return i + 1;
    }
    return 0;
}

static enum cs_code read_table(struct reading *r)
{
    size_t i = find_table(r);
    const char *space = r->keyspace ? r->keyspace : "keyspace1";
    const char *name = at(r, i)->text;

    r->body = i + 1;
    if (!i || !is_name(r, i))
        return cs_fail(r->err, CS_EINVALID,
                       "line 1:0 no viable alternative at input");
    if (at(r, i + 1)->kind == '.') {
        space = name;
        name = at(r, i + 2)->text;
        r->body = i + 3;
    }
    r->out->table = cs_catalog_table(r->catalog, space, name);
    if (r->out->table)
        return CS_OK;
    if (!cs_catalog_space(r->catalog, space))
        return cs_fail(r->err, CS_EINVALID, "keyspace %.100s does not exist",
                       space);
    return cs_fail(r->err, CS_EINVALID, "table %.100s does not exist", name);
}

/* ---- columns of the result ---- */

static void add_column(struct cs_script *out, const char *name,
                       const struct cs_type *type)
{
    out->columns[out->column_count++] = (struct cs_named_type){
        name, type ? type : cs_type_simple(CS_TYPE_BLOB)};
}

static const struct cs_type *function_type(const char *name)
{
    if (!strcmp(name, "count") || !strcmp(name, "writetime") ||
        !strcmp(name, "token"))
        return cs_type_simple(CS_TYPE_BIGINT);
    return cs_type_simple(!strcmp(name, "ttl") ? CS_TYPE_INT : CS_TYPE_BLOB);
}

/* Behind the parenthesis that closes the one at i. */
static size_t skip_parentheses(const struct reading *r, size_t i)
{
    size_t depth = 0;

    do {
        depth += at(r, i)->kind == '(';
        depth -= at(r, i)->kind == ')' && depth;
        i++;
    } while (depth && i < r->words.count);
    return i;
}

/* One item of a SELECT; where it ends. */
static size_t read_item(struct reading *r, size_t i)
{
    const struct cs_table *table = r->out->table;
    const char *name = at(r, i)->text;
    const struct cs_type *type = column_type(table, name);

    if (at(r, i)->kind == '*') {
        for (unsigned k = 0; k < table->column_count; k++)
            add_column(r->out, table->columns[k].name, table->columns[k].type);
        return i + 1;
    }
    if (!is_name(r, i++))
        return i;
    if (at(r, i)->kind == '(') {
        r->out->counts = r->out->counts || !strcmp(name, "count");
        type = function_type(name);
        i = skip_parentheses(r, i);
    }
    if (is(r, i, "as")) {
        name = at(r, i + 1)->text;
        i += 2;
    }
    add_column(r->out, name, type);
    return i;
}

static enum cs_code read_columns(struct reading *r)
{
    size_t most = r->words.count + r->out->table->column_count;
    size_t i = is(r, 1, "distinct") || is(r, 1, "json") ? 2 : 1;

    r->out->columns =
        cs_arena_array(r->arena, most + 1, sizeof(*r->out->columns));
    if (!r->out->columns)
        return cs_fail(r->err, CS_ENOMEM, "no memory for a statement");
    while (i < r->words.count && !is(r, i, "from"))
        i = read_item(r, i);
    return CS_OK;
}

/* A conditional change answers with a row. */
static enum cs_code read_condition(struct reading *r)
{
    for (size_t i = r->body; i < r->words.count; i++)
        r->out->applied = r->out->applied || is(r, i, "if");
    if (!r->out->applied)
        return CS_OK;
    r->out->kind = CS_SCRIPT_ROWS;
    r->out->columns = cs_arena_alloc(r->arena, sizeof(*r->out->columns));
    if (!r->out->columns)
        return cs_fail(r->err, CS_ENOMEM, "no memory for a statement");
    add_column(r->out, "[applied]", cs_type_simple(CS_TYPE_BOOLEAN));
    return CS_OK;
}

/* ---- bind markers ---- */

static const struct cs_type *list_of(struct reading *r,
                                     const struct cs_type *item)
{
    struct cs_type *list = cs_arena_alloc(r->arena, sizeof(*list));

    if (!list)
        return item;
    list->parts = cs_arena_array(r->arena, 1, sizeof(item));
    if (!list->parts)
        return item;
    list->kind = CS_TYPE_LIST;
    list->part_count = 1;
    list->parts[0] = item;
    return list;
}

static const struct cs_type *marker_type(const struct reading *r,
                                         const char *name)
{
    const struct cs_type *type = column_type(r->out->table, name);

    if (type)
        return type;
    if (!strcmp(name, "[ttl]") || !strcmp(name, "[limit]"))
        return cs_type_simple(CS_TYPE_INT);
    if (!strcmp(name, "[timestamp]") || !strcmp(name, "partition key token"))
        return cs_type_simple(CS_TYPE_BIGINT);
    return cs_type_simple(CS_TYPE_BLOB);
}

static void add_marker(struct reading *r, size_t i, const char *column,
                       bool in_list)
{
    const struct cs_type *type = marker_type(r, column);
    const char *name = column;

    if (in_list) {
        type = list_of(r, type);
        name = cs_arena_printf(r->arena, "in(%s)", column);
    }
    if (at(r, i)->kind == ':' && is_name(r, i + 1))
        name = at(r, i + 1)->text;
    r->out->markers[r->out->marker_count++] =
        (struct cs_named_type){name ? name : "", type};
}

static bool is_marker(const struct reading *r, size_t i)
{
    return cs_cql_words_is_marker(&r->words, i);
}

/* Words that are no names where they stand behind a table. */
static const char *keyword_column(const struct reading *r, size_t i)
{
    if (is(r, i, "ttl"))
        return "[ttl]";
    if (is(r, i, "timestamp"))
        return "[timestamp]";
    if (is(r, i, "limit"))
        return "[limit]";
    if (is(r, i, "token") && at(r, i + 1)->kind == '(')
        return "partition key token";
    return NULL;
}

/* The column that a name means: the last one before a marker is its own. */
static const char *column_at(const struct reading *r, size_t i,
                             const char *last)
{
    const char *name = at(r, i)->text;

    if (!is_name(r, i))
        return last;
    if (column_type(r->out->table, name))
        return name;
    return keyword_column(r, i) ? keyword_column(r, i) : last;
}

static void add_filter(struct reading *r, size_t i, const char *column)
{
    struct cs_script *out = r->out;

    if (at(r, i)->kind == 's' && *column && out->filter_count < CS_FILTER_MAX)
        out->filters[out->filter_count++] =
            (struct cs_filter){column, at(r, i)->text};
}

/* UPDATE, DELETE and SELECT: col = ?, col IN ?, token(key) > ?, LIMIT ? */
static void read_markers(struct reading *r, size_t i)
{
    const char *last = "";
    bool in_list = false;

    for (; i < r->words.count; i++) {
        if (is_marker(r, i)) {
            add_marker(r, i, last, in_list);
            in_list = false;
            i += at(r, i)->kind == ':';
            continue;
        }
        last = column_at(r, i, last);
        add_filter(r, i, last);
        if (!strcmp(last, "partition key token") && at(r, i + 1)->kind == '(')
            i = skip_parentheses(r, i + 1) - 1;
        in_list = is(r, i, "in") && at(r, i + 1)->kind != '(';
    }
}

/* The k-th name between the parentheses at i. */
static const char *listed_column(const struct reading *r, size_t i, size_t k)
{
    for (i++; k && i < r->words.count; i++)
        k -= at(r, i)->kind == ',';
    return at(r, i)->text;
}

/* INSERT INTO t (a, b) VALUES (?, ?): markers by their place. */
static void read_insert_markers(struct reading *r)
{
    size_t list = r->body;
    size_t i = at(r, list)->kind == '(' ? skip_parentheses(r, list) : list;
    size_t depth = 0;
    size_t place = 0;

    if (!is(r, i, "values")) {
        read_markers(r, i);
        return;
    }
    for (i++; i < r->words.count; i++) {
        depth += at(r, i)->kind == '(';
        depth -= at(r, i)->kind == ')' && depth;
        if (!depth)
            break;
        place += depth == 1 && at(r, i)->kind == ',';
        if (is_marker(r, i)) {
            add_marker(r, i, listed_column(r, list, place), false);
            i += at(r, i)->kind == ':';
        }
    }
    read_markers(r, i);
}

static void bind_key(struct reading *r)
{
    struct cs_script *out = r->out;
    const struct cs_table *table = out->table;

    out->key_binds = cs_arena_array(r->arena, table->partition_count,
                                    sizeof(*out->key_binds));
    for (unsigned k = 0; out->key_binds && k < table->partition_count; k++) {
        unsigned m = 0;

        while (m < out->marker_count &&
               strcmp(out->markers[m].name, table->columns[k].name) != 0)
            m++;
        if (m == out->marker_count)
            return;
        out->key_binds[k] = (uint16_t)m;
    }
    if (out->key_binds)
        out->key_count = table->partition_count;
}

/* ---- all ---- */

static enum cs_code read_statement(struct reading *r)
{
    struct cs_script *out = r->out;
    bool select = is(r, 0, "select");
    enum cs_code rc = read_table(r);

    if (rc)
        return rc;
    out->data = !cs_catalog_is_system(out->table);
    out->markers =
        cs_arena_array(r->arena, r->words.count + 1, sizeof(*out->markers));
    if (!out->markers)
        return cs_fail(r->err, CS_ENOMEM, "no memory for a statement");
    if (select)
        out->kind = out->data ? CS_SCRIPT_ROWS : CS_SCRIPT_SYSTEM;
    rc = select ? read_columns(r) : read_condition(r);
    if (rc)
        return rc;
    if (is(r, 0, "insert"))
        read_insert_markers(r);
    else
        read_markers(r, select ? r->body : 1);
    bind_key(r);
    return CS_OK;
}

static bool is_one_of(const struct reading *r, const char *const *words)
{
    for (; *words; words++)
        if (is(r, 0, *words))
            return true;
    return false;
}

enum cs_code cs_script_read(const struct cs_catalog *catalog,
                            const char *keyspace, struct cs_view cql,
                            struct cs_arena *arena, struct cs_script *out,
                            struct cs_err *err)
{
    static const char *const statements[] = {"select", "insert", "update",
                                             "delete", NULL};
    static const char *const changes[] = {"create", "drop", "alter", NULL};
    struct reading r = {.catalog = catalog,
                        .keyspace = keyspace,
                        .arena = arena,
                        .out = out,
                        .err = err};
    enum cs_code rc;

    *out = (struct cs_script){.kind = CS_SCRIPT_VOID};
    rc = cs_cql_words_cut(cql, arena, &r.words, err);
    if (rc)
        return rc;
    if (is_one_of(&r, statements))
        return read_statement(&r);
    if (is(&r, 0, "truncate"))
        return read_table(&r);
    if (is_one_of(&r, changes)) {
        out->kind = CS_SCRIPT_SCHEMA;
    } else if (is(&r, 0, "use")) {
        out->kind = CS_SCRIPT_USE;
        out->keyspace = at(&r, 1)->text;
    }
    return CS_OK;
}
