/* ddl_table.c - CREATE TABLE: columns, primary key, clustering order. */
#include "schema/ddl_internal.h"

#include "base/text.h"

#include <limits.h>

/* The server refuses a table of that size long before. */
#define COLUMNS_MAX 65535

struct column {
    struct cs_column column;
    struct cs_token where;
    bool is_key;
    struct column *next;
};

struct table {
    struct cs_ddl ddl;
    struct column *first;
    struct column *last;
    unsigned count;
    unsigned partition_count;
    unsigned clustering_count;
    bool has_key; /* PRIMARY KEY was there */
};

static struct column *find_column(struct table *t, const char *name)
{
    for (struct column *c = t->first; c; c = c->next)
        if (strcmp(c->column.name, name) == 0)
            return c;
    return NULL;
}

static const char *nearest_column(struct table *t, const char *name)
{
    const char *near = NULL;

    for (struct column *c = t->first; c && !near; c = c->next)
        near = cs_nearest(name, &c->column.name, 1);
    return near;
}

/* The name of a column that is there. */
static struct column *known_column(struct table *t)
{
    const struct cs_token where = t->ddl.lexer.token;
    const char *name = cs_lexer_name(&t->ddl.lexer, "a column");
    struct column *column;
    const char *near;

    if (!name)
        return NULL;
    column = find_column(t, name);
    if (column)
        return column;
    near = nearest_column(t, name);
    if (near)
        cs_lexer_fail(&t->ddl.lexer, &where,
                      "the table has no column '%s', try '%s'", name, near);
    else
        cs_lexer_fail(&t->ddl.lexer, &where, "the table has no column '%s'",
                      name);
    return NULL;
}

/* ---- PRIMARY KEY ---- */

static void add_key(struct table *t, struct column *column,
                    enum cs_column_kind kind)
{
    unsigned *count = kind == CS_COLUMN_PARTITION_KEY ? &t->partition_count
                                                      : &t->clustering_count;

    if (!column)
        return;
    if (column->is_key || column->column.kind == CS_COLUMN_STATIC) {
        cs_lexer_fail(&t->ddl.lexer, &column->where,
                      column->is_key
                          ? "column '%s' is in the primary key twice"
                          : "column '%s' is static and in the primary key",
                      column->column.name);
        return;
    }
    column->is_key = true;
    column->column.kind = kind;
    column->column.position = (*count)++;
}

static void begin_key(struct table *t, const struct cs_token *where)
{
    if (t->has_key)
        cs_lexer_fail(&t->ddl.lexer, where, "a second PRIMARY KEY");
    t->has_key = true;
}

/* "PRIMARY KEY (a, b)", "PRIMARY KEY ((a, b), c)". Its columns may stand
 * behind it, so that it is read last, from where the lexer was. */
static void parse_key(struct table *t)
{
    struct cs_lexer *lexer = &t->ddl.lexer;

    cs_lexer_expect_symbol(lexer, '(');
    if (cs_lexer_take_symbol(lexer, '(')) {
        do
            add_key(t, known_column(t), CS_COLUMN_PARTITION_KEY);
        while (cs_lexer_take_symbol(lexer, ','));
        cs_lexer_expect_symbol(lexer, ')');
    } else {
        add_key(t, known_column(t), CS_COLUMN_PARTITION_KEY);
    }
    while (cs_lexer_take_symbol(lexer, ','))
        add_key(t, known_column(t), CS_COLUMN_CLUSTERING);
    cs_lexer_expect_symbol(lexer, ')');
}

/* Past the next balanced parentheses. */
static void skip_parentheses(struct cs_lexer *lexer)
{
    unsigned depth = 0;

    do {
        if (cs_lexer_at_symbol(lexer, '('))
            depth++;
        if (cs_lexer_at_symbol(lexer, ')'))
            depth--;
        cs_lexer_next(lexer);
    } while (depth && lexer->token.kind != CS_TOKEN_END);
}

/* ---- columns ---- */

static void add_column(struct table *t, const struct column *column)
{
    struct column *copy;

    if (t->ddl.lexer.rc)
        return;
    if (find_column(t, column->column.name) || t->count == COLUMNS_MAX) {
        cs_lexer_fail(&t->ddl.lexer, &column->where,
                      t->count == COLUMNS_MAX ? "column '%s' is one too many"
                                              : "column '%s' is there twice",
                      column->column.name);
        return;
    }
    copy = cs_arena_alloc(t->ddl.lexer.arena, sizeof(*copy));
    if (!copy) {
        cs_lexer_stop(&t->ddl.lexer, &column->where,
                      cs_fail(t->ddl.lexer.err, CS_ENOMEM, "no memory"));
        return;
    }
    *copy = *column;
    if (t->last)
        t->last->next = copy;
    else
        t->first = copy;
    t->last = copy;
    t->count++;
}

/* "MASKED WITH f(1, 2)" of 5.0, "CHECK (...)" of later releases: nothing that
 * a generator needs. */
static void skip_rule(struct cs_lexer *lexer)
{
    while (lexer->token.kind != CS_TOKEN_END &&
           !cs_lexer_at_symbol(lexer, ',') && !cs_lexer_at_symbol(lexer, ')') &&
           !cs_lexer_at_word(lexer, "primary")) {
        if (cs_lexer_at_symbol(lexer, '('))
            skip_parentheses(lexer);
        else
            cs_lexer_next(lexer);
    }
}

/* "name type [STATIC] [PRIMARY KEY]". */
static void parse_column(struct table *t)
{
    struct cs_lexer *lexer = &t->ddl.lexer;
    struct column column = {.where = lexer->token};
    struct cs_token where;

    column.column.kind = CS_COLUMN_REGULAR;
    column.column.name = cs_lexer_name(lexer, "a column");
    if (!lexer->rc)
        column.column.type = cs_ddl_type_at(&t->ddl);
    if (cs_lexer_take_word(lexer, "static"))
        column.column.kind = CS_COLUMN_STATIC;
    if (cs_lexer_at_word(lexer, "masked") || cs_lexer_at_word(lexer, "check"))
        skip_rule(lexer);
    add_column(t, &column);
    where = lexer->token;
    if (cs_lexer_take_word(lexer, "primary")) {
        cs_lexer_expect_word(lexer, "key");
        begin_key(t, &where);
        add_key(t, t->last, CS_COLUMN_PARTITION_KEY);
    }
}

/* Everything between the outer parentheses. */
static void parse_columns(struct table *t)
{
    struct cs_lexer *lexer = &t->ddl.lexer;
    struct cs_lexer key = {.at = NULL};

    cs_lexer_expect_symbol(lexer, '(');
    do {
        const struct cs_token where = lexer->token;

        if (cs_lexer_take_word(lexer, "primary")) {
            cs_lexer_expect_word(lexer, "key");
            begin_key(t, &where);
            key = *lexer;
            if (!cs_lexer_at_symbol(lexer, '('))
                cs_lexer_fail_expected(lexer, "'('");
            skip_parentheses(lexer);
        } else {
            parse_column(t);
        }
    } while (cs_ddl_more(lexer));
    cs_lexer_expect_symbol(lexer, ')');
    if (key.at && !lexer->rc) {
        struct cs_lexer behind = *lexer;

        *lexer = key;
        parse_key(t);
        if (!lexer->rc)
            *lexer = behind;
    }
}

/* ---- WITH ---- */

/* "CLUSTERING ORDER BY (a DESC, b)". */
static void parse_order(struct table *t)
{
    struct cs_lexer *lexer = &t->ddl.lexer;

    cs_lexer_expect_word(lexer, "order");
    cs_lexer_expect_word(lexer, "by");
    cs_lexer_expect_symbol(lexer, '(');
    do {
        const struct cs_token where = lexer->token;
        struct column *column = known_column(t);

        if (column && column->column.kind != CS_COLUMN_CLUSTERING)
            cs_lexer_fail(lexer, &where, "column '%s' is no clustering column",
                          column->column.name);
        if (!cs_lexer_take_word(lexer, "desc"))
            (void)cs_lexer_take_word(lexer, "asc");
        else if (column)
            column->column.descending = true;
    } while (cs_lexer_take_symbol(lexer, ','));
    cs_lexer_expect_symbol(lexer, ')');
}

/* The value of an option ends before AND, semicolon or the end. */
static void skip_option(struct cs_lexer *lexer)
{
    while (lexer->token.kind != CS_TOKEN_END &&
           !cs_lexer_at_symbol(lexer, ';') && !cs_lexer_at_word(lexer, "and"))
        cs_lexer_next(lexer);
}

static void parse_options(struct table *t)
{
    struct cs_lexer *lexer = &t->ddl.lexer;

    if (!cs_lexer_take_word(lexer, "with"))
        return;
    do {
        if (cs_lexer_take_word(lexer, "clustering"))
            parse_order(t);
        else
            skip_option(lexer);
    } while (cs_lexer_take_word(lexer, "and"));
}

/* ---- what no server takes ---- */

static bool is_multicell(const struct cs_type *type)
{
    switch (type->kind) {
    case CS_TYPE_LIST:
    case CS_TYPE_SET:
    case CS_TYPE_MAP:
    case CS_TYPE_UDT:
        return !type->frozen;
    default:
        return false;
    }
}

/* Why a server refuses this column among the others, or NULL. */
static const char *fault_of(const struct table *t, const struct column *column,
                            bool counters)
{
    bool counter = column->column.type->kind == CS_TYPE_COUNTER;

    if (column->is_key && counter)
        return "is a counter and in the primary key";
    if (column->is_key && is_multicell(column->column.type))
        return "is in the primary key, expected frozen<...> for "
               "its type";
    if (column->column.kind == CS_COLUMN_STATIC && !t->clustering_count)
        return "is static, but the table has no clustering column";
    if (counters && !column->is_key && !counter)
        return "is no counter: beside counters a table has key "
               "columns only";
    return NULL;
}

static void check_columns(struct table *t)
{
    bool counters = false;

    for (const struct column *c = t->first; c; c = c->next)
        counters |= !c->is_key && c->column.type->kind == CS_TYPE_COUNTER;
    for (const struct column *c = t->first; c; c = c->next) {
        const char *fault = fault_of(t, c, counters);

        if (!fault)
            continue;
        cs_lexer_fail(&t->ddl.lexer, &c->where, "column '%s' %s",
                      c->column.name, fault);
        return;
    }
}

/* ---- the whole statement ---- */

static enum cs_code build(const struct table *t, const struct cs_ddl_name *name,
                          struct cs_table *out, struct cs_err *err)
{
    struct cs_table table = {
        .keyspace = name->keyspace,
        .name = name->name,
        .column_count = t->count,
    };
    const struct column *column = t->first;
    enum cs_code rc;

    table.columns =
        cs_arena_array(t->ddl.lexer.arena, t->count, sizeof(*table.columns));
    if (!table.columns)
        return cs_fail(err, CS_ENOMEM, "no memory for a table");
    for (unsigned i = 0; i < t->count; i++, column = column->next)
        table.columns[i] = column->column;
    rc = cs_table_arrange(&table, err);
    if (!rc)
        *out = table;
    return rc;
}

enum cs_code cs_ddl_table(const char *text, struct cs_arena *arena,
                          cs_udt_find_fn find, void *ctx, struct cs_table *out,
                          struct cs_err *err)
{
    struct table t = {.ddl = {.find = find, .ctx = ctx}};
    struct cs_ddl_name name;

    cs_lexer_init(&t.ddl.lexer, text, arena, err);
    cs_ddl_create(&t.ddl.lexer, "table", "columnfamily");
    name = cs_ddl_qualified(&t.ddl.lexer, "a table");
    parse_columns(&t);
    parse_options(&t);
    cs_ddl_end(&t.ddl.lexer);
    if (!t.has_key)
        cs_lexer_fail(&t.ddl.lexer, &t.ddl.lexer.token,
                      "table '%s' has no PRIMARY KEY", name.name);
    if (!t.ddl.lexer.rc)
        check_columns(&t);
    if (t.ddl.lexer.rc)
        return t.ddl.lexer.rc;
    return build(&t, &name, out, err);
}
