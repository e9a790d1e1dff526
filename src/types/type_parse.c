/* type_parse.c - CQL text such as "map<text, frozen<list<int>>>" to a type. */
#include "types/type.h"

#include "base/text.h"

#include <stdlib.h>

/* Longest name; the server allows 48 characters, classes are longer. */
#define NAME_MAX_SIZE 4096

struct parser {
    const char *at;
    struct cs_arena *arena;
    cs_udt_find_fn find;
    void *ctx;
    unsigned depth;
    unsigned nodes;
    struct cs_err *err;
};

static enum cs_code parse_type(struct parser *p, const struct cs_type **out);

static enum cs_code no_memory(struct parser *p)
{
    return cs_fail(p->err, CS_ENOMEM, "no memory for a type");
}

static void skip_blanks(struct parser *p)
{
    p->at += strspn(p->at, " \t\r\n\f\v");
}

static enum cs_code expect(struct parser *p, char c)
{
    skip_blanks(p);
    if (*p->at == c) {
        p->at++;
        return CS_OK;
    }
    if (!*p->at)
        return cs_fail(p->err, CS_EINVALID, "ends early, expected '%c'", c);
    return cs_fail(p->err, CS_EINVALID, "found '%.20s', expected '%c'", p->at,
                   c);
}

/* ---- names ---- */

/* A name or class in quotes, the quote itself doubled inside. */
static enum cs_code parse_quoted(struct parser *p, char **out)
{
    char quote = *p->at++;
    const char *from = p->at;
    size_t size = 0;
    char *name;

    while (*p->at && (*p->at != quote || p->at[1] == quote))
        p->at += *p->at == quote ? 2 : 1;
    if (!*p->at)
        return cs_fail(p->err, CS_EINVALID, "no closing %c", quote);
    if (p->at == from || p->at - from > NAME_MAX_SIZE)
        return cs_fail(p->err, CS_EINVALID,
                       "a name of %zu characters, expected 1 to %d",
                       (size_t)(p->at - from), NAME_MAX_SIZE);
    name = cs_arena_bytes(p->arena, from, (size_t)(p->at - from));
    if (!name)
        return no_memory(p);
    for (const char *c = from; c < p->at; c++) {
        name[size++] = *c;
        if (*c == quote)
            c++;
    }
    name[size] = 0;
    p->at++;
    *out = name;
    return CS_OK;
}

static bool is_word_char(char c, bool first)
{
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

    return letter || (!first && ((c >= '0' && c <= '9') || c == '_'));
}

/* An unquoted name, in lower case. */
static enum cs_code parse_word(struct parser *p, char **out)
{
    const char *from = p->at;
    char *name;

    while (is_word_char(*p->at, p->at == from))
        p->at++;
    if (p->at == from && !*from)
        return cs_fail(p->err, CS_EINVALID, "ends early, expected a type");
    if (p->at == from)
        return cs_fail(p->err, CS_EINVALID, "found '%.20s', expected a type",
                       from);
    name = cs_arena_bytes(p->arena, from, (size_t)(p->at - from));
    if (!name)
        return no_memory(p);
    for (char *c = name; *c; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c + 'a' - 'A');
    *out = name;
    return CS_OK;
}

/* ---- types with parts ---- */

static struct cs_type *new_type(struct parser *p, enum cs_type_kind kind,
                                size_t part_count)
{
    struct cs_type *type = cs_arena_alloc(p->arena, sizeof(*type));

    if (!type)
        return NULL;
    type->kind = kind;
    type->part_count = part_count;
    if (part_count)
        type->parts =
            cs_arena_array(p->arena, part_count, sizeof(struct cs_type *));
    return part_count && !type->parts ? NULL : type;
}

/* count types between < and >, the < included. */
static enum cs_code parse_parts(struct parser *p, const struct cs_type **parts,
                                size_t count)
{
    enum cs_code rc = expect(p, '<');

    for (size_t i = 0; !rc && i < count; i++) {
        if (i)
            rc = expect(p, ',');
        if (!rc)
            rc = parse_type(p, &parts[i]);
    }
    return rc;
}

/* So many types, and the closing >. */
static enum cs_code parse_nested(struct parser *p, enum cs_type_kind kind,
                                 size_t count, const struct cs_type **out)
{
    struct cs_type *type = new_type(p, kind, count);
    enum cs_code rc;

    if (!type)
        return no_memory(p);
    rc = parse_parts(p, type->parts, count);
    if (!rc)
        rc = expect(p, '>');
    *out = type;
    return rc;
}

/* How many types stand at this level before the closing >. */
static size_t count_parts(const char *text)
{
    size_t count = 1;
    unsigned depth = 1;

    for (text += strspn(text, " \t\r\n<"); *text && depth; text++) {
        if (*text == '<')
            depth++;
        else if (*text == '>')
            depth--;
        else if (*text == ',' && depth == 1)
            count++;
        else if (*text == '"' || *text == '\'')
            text = strchr(text + 1, *text);
        if (!text)
            return count;
    }
    return count;
}

static enum cs_code parse_dimension(struct parser *p, uint32_t *out)
{
    char *end;
    unsigned long value;

    skip_blanks(p);
    if (*p->at < '0' || *p->at > '9')
        return cs_fail(p->err, CS_EINVALID,
                       "found '%.20s', expected the vector's dimension", p->at);
    value = strtoul(p->at, &end, 10);
    if (value < 1 || value > INT32_MAX || end - p->at > 10)
        return cs_fail(p->err, CS_EINVALID,
                       "dimension '%.20s', expected 1 to %d", p->at, INT32_MAX);
    *out = (uint32_t)value;
    p->at = end;
    return CS_OK;
}

/* Nothing longer than a value may be, so that sizes never overflow. */
static enum cs_code check_vector(struct parser *p, const struct cs_type *type)
{
    size_t item = cs_type_vector_item_size(type->parts[0]);

    if (item > INT32_MAX / type->dimension)
        return cs_fail(p->err, CS_EINVALID,
                       "a vector of %u times %zu bytes, expected at most %d "
                       "in all",
                       type->dimension, item, INT32_MAX);
    return CS_OK;
}

static enum cs_code parse_vector(struct parser *p, const struct cs_type **out)
{
    struct cs_type *type = new_type(p, CS_TYPE_VECTOR, 1);
    enum cs_code rc;

    if (!type)
        return no_memory(p);
    rc = parse_parts(p, type->parts, 1);
    if (!rc)
        rc = expect(p, ',');
    if (!rc)
        rc = parse_dimension(p, &type->dimension);
    if (!rc)
        rc = check_vector(p, type);
    if (!rc)
        rc = expect(p, '>');
    *out = type;
    return rc;
}

static enum cs_code parse_frozen(struct parser *p, const struct cs_type **out)
{
    const struct cs_type *inner = NULL;
    struct cs_type *type = new_type(p, CS_TYPE_BLOB, 0);
    enum cs_code rc;

    if (!type)
        return no_memory(p);
    rc = parse_parts(p, &inner, 1);
    if (!rc)
        rc = expect(p, '>');
    if (rc)
        return rc;
    if (inner->kind < CS_TYPE_LIST)
        return cs_fail(p->err, CS_EINVALID,
                       "frozen<%s>, expected a collection, tuple or user type",
                       cs_type_word(inner->kind));
    *type = *inner;
    type->frozen = true;
    *out = type;
    return CS_OK;
}

/* ---- one type ---- */

/* Counts the nodes of a tree against the limits. Trees of find may be shared
 * and grow fast when unfolded: it stops at the limit. */
static enum cs_code count_nodes(struct parser *p, const struct cs_type *type,
                                unsigned depth)
{
    enum cs_code rc = CS_OK;

    if (depth > CS_TYPE_DEPTH_MAX)
        return cs_fail(p->err, CS_EINVALID, "nested deeper than %d types",
                       CS_TYPE_DEPTH_MAX);
    if (++p->nodes > CS_TYPE_NODES_MAX)
        return cs_fail(p->err, CS_EINVALID, "more than %d parts",
                       CS_TYPE_NODES_MAX);
    for (size_t i = 0; !rc && i < type->part_count; i++)
        rc = count_nodes(p, type->parts[i], depth + 1);
    return rc;
}

static enum cs_code unknown_type(struct parser *p, const char *name)
{
    const char *words[CS_TYPE_CUSTOM];
    const char *near;
    size_t count = 0;

    for (int i = 0; i < CS_TYPE_CUSTOM; i++)
        if (i != CS_TYPE_UDT)
            words[count++] = cs_type_word((enum cs_type_kind)i);
    near = cs_nearest(name, words, count);
    if (near)
        return cs_fail(p->err, CS_EINVALID, "unknown type '%.60s', try '%s'",
                       name, near);
    return cs_fail(p->err, CS_EINVALID,
                   "unknown type '%.60s': no type of CQL, and no user type of "
                   "that name is known",
                   name);
}

/* A user type, perhaps with its keyspace in front. */
static enum cs_code find_udt(struct parser *p, char *name,
                             const struct cs_type **out)
{
    enum cs_code rc;

    skip_blanks(p);
    if (*p->at == '.') {
        p->at++;
        skip_blanks(p);
        rc = *p->at == '"' ? parse_quoted(p, &name) : parse_word(p, &name);
        if (rc)
            return rc;
    }
    *out = p->find ? p->find(p->ctx, name) : NULL;
    if (!*out)
        return unknown_type(p, name);
    return count_nodes(p, *out, p->depth);
}

static enum cs_code parse_class(struct parser *p, const struct cs_type **out)
{
    struct cs_type *type = new_type(p, CS_TYPE_CUSTOM, 0);
    char *name = NULL;
    enum cs_code rc = parse_quoted(p, &name);

    if (rc)
        return rc;
    if (!type)
        return no_memory(p);
    type->name = name;
    *out = type;
    return CS_OK;
}

/* The kind of a word of CQL, or CS_TYPE_CUSTOM: it is none. */
static enum cs_type_kind kind_of(const char *word)
{
    if (!strcmp(word, "varchar"))
        return CS_TYPE_TEXT;
    for (int i = 0; i < CS_TYPE_CUSTOM; i++)
        if (i != CS_TYPE_UDT &&
            !strcmp(word, cs_type_word((enum cs_type_kind)i)))
            return (enum cs_type_kind)i;
    return CS_TYPE_CUSTOM;
}

static enum cs_code parse_named(struct parser *p, const struct cs_type **out)
{
    char none[] = "";
    char *word = none;
    enum cs_type_kind kind;
    enum cs_code rc = parse_word(p, &word);

    if (rc)
        return rc;
    if (!strcmp(word, "frozen"))
        return parse_frozen(p, out);
    kind = kind_of(word);
    switch (kind) {
    case CS_TYPE_LIST:
    case CS_TYPE_SET:
    case CS_TYPE_MAP:
        return parse_nested(p, kind, kind == CS_TYPE_MAP ? 2 : 1, out);
    case CS_TYPE_TUPLE:
        return parse_nested(p, CS_TYPE_TUPLE, count_parts(p->at), out);
    case CS_TYPE_VECTOR:
        return parse_vector(p, out);
    case CS_TYPE_CUSTOM:
        return find_udt(p, word, out);
    default:
        *out = cs_type_simple(kind);
        return CS_OK;
    }
}

static enum cs_code parse_any(struct parser *p, const struct cs_type **out)
{
    char *name = NULL;
    enum cs_code rc;

    skip_blanks(p);
    if (*p->at == '\'')
        return parse_class(p, out);
    if (*p->at != '"')
        return parse_named(p, out);
    rc = parse_quoted(p, &name);
    return rc ? rc : find_udt(p, name, out);
}

static enum cs_code parse_type(struct parser *p, const struct cs_type **out)
{
    enum cs_code rc;

    if (p->depth >= CS_TYPE_DEPTH_MAX)
        return cs_fail(p->err, CS_EINVALID, "nested deeper than %d types",
                       CS_TYPE_DEPTH_MAX);
    if (++p->nodes > CS_TYPE_NODES_MAX)
        return cs_fail(p->err, CS_EINVALID, "more than %d parts",
                       CS_TYPE_NODES_MAX);
    p->depth++;
    rc = parse_any(p, out);
    p->depth--;
    return rc;
}

enum cs_code cs_type_parse(const char *text, struct cs_arena *arena,
                           cs_udt_find_fn find, void *ctx,
                           const struct cs_type **out, struct cs_err *err)
{
    struct parser p = {
        .at = text, .arena = arena, .find = find, .ctx = ctx, .err = err};
    const struct cs_type *type = NULL;
    enum cs_code rc = parse_type(&p, &type);

    skip_blanks(&p);
    if (!rc && *p.at)
        rc = cs_fail(err, CS_EINVALID, "found '%.20s' behind the type", p.at);
    if (rc)
        return cs_while(err, "type '%.200s'", text);
    *out = type;
    return CS_OK;
}
