/* query.c - goes through a statement token by token; what stands around a name
 * tells whether it is a column. */
#include "schema/query.h"

#include "schema/lexer_internal.h"

#include <stdio.h>

/* Markers that stand for no column, by the word in front of them; the server's
 * names for them. */
static const char *const other_markers[][2] = {
    {"limit", "[limit]"}, {"ttl", "[ttl]"}, {"timestamp", "[timestamp]"}};

struct scan {
    struct cs_lexer lexer;
    struct cs_query *out;
    size_t capacity;
    struct cs_token before; /* the token in front of the one to look at */
    struct cs_token column; /* the last one that was found to be one */
};

static bool is_name(const struct cs_token *token)
{
    return token->kind == CS_TOKEN_WORD || token->kind == CS_TOKEN_QUOTED;
}

static bool is_symbol(const struct cs_token *token, char symbol)
{
    return token->kind == CS_TOKEN_SYMBOL && token->text[0] == symbol;
}

static bool is_one_of(const struct cs_token *token, const char *const *words)
{
    for (; *words; words++)
        if (token->kind == CS_TOKEN_WORD && !strcmp(token->text, *words))
            return true;
    return false;
}

static void next(struct scan *scan)
{
    scan->before = scan->lexer.token;
    cs_lexer_next(&scan->lexer);
}

/* The token behind the one to look at; nothing moves. */
static struct cs_token peek(const struct scan *scan)
{
    struct cs_err ignored = {0};
    struct cs_lexer ahead = scan->lexer;

    ahead.err = &ignored;
    cs_lexer_next(&ahead);
    return ahead.token;
}

static void no_memory(struct scan *scan)
{
    cs_lexer_stop(&scan->lexer, &scan->lexer.token,
                  cs_fail(scan->lexer.err, CS_ENOMEM, "no memory"));
}

static void add(struct scan *scan, const char *name, bool is_marker)
{
    struct cs_query *out = scan->out;
    size_t more = CS_MAX(2 * scan->capacity, 16);
    struct cs_query_name *names;

    if (out->count == scan->capacity) {
        names = cs_arena_array(scan->lexer.arena, more, sizeof(*names));
        if (!names) {
            no_memory(scan);
            return;
        }
        if (out->count)
            memcpy(names, out->names, out->count * sizeof(*names));
        out->names = names;
        scan->capacity = more;
    }
    out->names[out->count++] =
        (struct cs_query_name){.name = name, .is_marker = is_marker};
}

/* ---- lists ---- */

/* "a, b AS x, f(c), m['k'] FROM" of SELECT and DELETE: plain names only. */
static void read_selection(struct scan *scan)
{
    static const char *const ends[] = {"from", "as", NULL};
    static const char *const modes[] = {"distinct", "json", NULL};
    struct cs_token behind = peek(scan);
    bool begins = true;
    int depth = 0;

    if (is_one_of(&scan->lexer.token, modes) && !is_symbol(&behind, ',') &&
        !is_one_of(&behind, ends))
        next(scan);
    while (scan->lexer.token.kind != CS_TOKEN_END &&
           (depth || !cs_lexer_at_word(&scan->lexer, "from"))) {
        const struct cs_token *token = &scan->lexer.token;

        behind = peek(scan);
        if (begins && !depth && is_name(token) &&
            (is_symbol(&behind, ',') || is_one_of(&behind, ends) ||
             is_symbol(&behind, '[')))
            add(scan, token->text, false);
        depth += is_symbol(token, '(') - is_symbol(token, ')');
        begins = is_symbol(token, ',');
        next(scan);
    }
}

/* "(a, b)" behind the table of an INSERT. */
static void read_inserted(struct scan *scan)
{
    if (!is_symbol(&scan->lexer.token, '('))
        return;
    next(scan);
    while (scan->lexer.token.kind != CS_TOKEN_END &&
           !is_symbol(&scan->lexer.token, ')')) {
        if (is_name(&scan->lexer.token))
            add(scan, scan->lexer.token.text, false);
        next(scan);
    }
}

static void read_table(struct scan *scan)
{
    struct cs_ddl_name name = {0};

    next(scan);
    if (!is_name(&scan->lexer.token))
        return;
    name.name = scan->lexer.token.text;
    next(scan);
    if (is_symbol(&scan->lexer.token, '.')) {
        next(scan);
        name.keyspace = name.name;
        name.name = scan->lexer.token.text;
        next(scan);
    }
    if (!scan->out->table.name)
        scan->out->table = name;
}

/* ---- comparisons, assignments, markers ---- */

static void read_marker(struct scan *scan)
{
    char *name;
    size_t size;

    for (size_t i = 0; i < CS_COUNT(other_markers); i++)
        if (scan->before.kind == CS_TOKEN_WORD &&
            !strcmp(scan->before.text, other_markers[i][0]))
            add(scan, other_markers[i][1], true);
    if (scan->before.kind != CS_TOKEN_WORD || strcmp(scan->before.text, "in") ||
        !scan->column.text)
        return;
    size = strlen(scan->column.text) + sizeof("in()");
    name = cs_arena_alloc(scan->lexer.arena, size);
    if (!name) {
        no_memory(scan);
        return;
    }
    snprintf(name, size, "in(%s)", scan->column.text);
    add(scan, name, true);
}

/* Whether the name to look at is compared, set or indexed. */
static bool is_used(const struct scan *scan)
{
    static const char *const words[] = {"in", "contains", "like", NULL};
    struct cs_token behind = peek(scan);

    if (behind.kind == CS_TOKEN_SYMBOL)
        return strchr("=<>![", *behind.text);
    return is_one_of(&behind, words);
}

static void read_other(struct scan *scan)
{
    const struct cs_token token = scan->lexer.token;

    if (is_symbol(&token, '?'))
        read_marker(scan);
    if (is_name(&token) && !is_symbol(&scan->before, '.') && is_used(scan)) {
        add(scan, token.text, false);
        scan->column = token;
    }
    next(scan);
}

static void read_statement(struct scan *scan)
{
    static const char *const tables[] = {"from", "into", "update", NULL};
    static const char *const lists[] = {"select", "delete", NULL};

    if (is_one_of(&scan->lexer.token, lists)) {
        next(scan);
        read_selection(scan);
    }
    while (scan->lexer.token.kind != CS_TOKEN_END) {
        if (!is_one_of(&scan->lexer.token, tables)) {
            read_other(scan);
            continue;
        }
        read_table(scan);
        if (scan->out->count == 0)
            read_inserted(scan);
    }
}

enum cs_code cs_query_read(const char *cql, struct cs_arena *arena,
                           struct cs_query *out, struct cs_err *err)
{
    static const char *const verbs[] = {"select", "insert", "update", "delete",
                                        NULL};
    struct scan scan = {.out = out};

    *out = (struct cs_query){0};
    cs_lexer_init(&scan.lexer, cql, arena, err);
    if (is_one_of(&scan.lexer.token, verbs))
        read_statement(&scan);
    return scan.lexer.rc;
}
