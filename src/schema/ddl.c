/* ddl.c - names in CREATE statements, types inside them, CREATE TYPE. */
#include "schema/ddl_internal.h"

#include "types/word.h"

#include <stdio.h>

/* Longest text of one type. */
#define TYPE_TEXT_MAX 65536

void cs_ddl_create(struct cs_lexer *lexer, const char *first,
                   const char *second)
{
    cs_lexer_expect_word(lexer, "create");
    if (!cs_lexer_take_word(lexer, second))
        cs_lexer_expect_word(lexer, first);
    if (cs_lexer_take_word(lexer, "if")) {
        cs_lexer_expect_word(lexer, "not");
        cs_lexer_expect_word(lexer, "exists");
    }
}

struct cs_ddl_name cs_ddl_qualified(struct cs_lexer *lexer, const char *what)
{
    struct cs_ddl_name name = {.name = cs_lexer_name(lexer, what)};

    if (cs_lexer_take_symbol(lexer, '.')) {
        name.keyspace = name.name;
        name.name = cs_lexer_name(lexer, what);
    }
    return name;
}

void cs_ddl_end(struct cs_lexer *lexer)
{
    while (cs_lexer_take_symbol(lexer, ';'))
        ;
    if (lexer->token.kind != CS_TOKEN_END)
        cs_lexer_fail_expected(lexer, "the end of the statement");
}

bool cs_ddl_more(struct cs_lexer *lexer)
{
    bool more = false;

    while (cs_lexer_take_symbol(lexer, ','))
        more = true;
    return more && !cs_lexer_at_symbol(lexer, ')');
}

enum cs_code cs_ddl_keyspace_name(const char *text, struct cs_arena *arena,
                                  const char **out, struct cs_err *err)
{
    struct cs_lexer lexer;
    const char *name;

    cs_lexer_init(&lexer, text, arena, err);
    cs_ddl_create(&lexer, "keyspace", "schema");
    name = cs_lexer_name(&lexer, "a keyspace");
    if (!lexer.rc)
        *out = name;
    return lexer.rc;
}

enum cs_code cs_ddl_table_name(const char *text, struct cs_arena *arena,
                               struct cs_ddl_name *out, struct cs_err *err)
{
    struct cs_lexer lexer;
    struct cs_ddl_name name;

    cs_lexer_init(&lexer, text, arena, err);
    cs_ddl_create(&lexer, "table", "columnfamily");
    name = cs_ddl_qualified(&lexer, "a table");
    if (!lexer.rc)
        *out = name;
    return lexer.rc;
}

/* ---- types ---- */

static void put_token(struct cs_buf *buf, const struct cs_token *token)
{
    switch (token->kind) {
    case CS_TOKEN_QUOTED:
        cs_word_put_quoted(buf, token->text);
        break;
    case CS_TOKEN_STRING:
        cs_buf_put8(buf, '\'');
        for (const char *c = token->text; *c; c++) {
            if (*c == '\'')
                cs_buf_put8(buf, '\'');
            cs_buf_put8(buf, (uint8_t)*c);
        }
        cs_buf_put8(buf, '\'');
        break;
    default:
        cs_buf_puts(buf, token->text);
    }
}

/* Puts the token and moves on; a blank keeps words apart. */
static void move_token(struct cs_lexer *lexer, struct cs_buf *buf)
{
    bool symbol = lexer->token.kind == CS_TOKEN_SYMBOL;

    put_token(buf, &lexer->token);
    cs_lexer_next(lexer);
    if (!symbol && lexer->token.kind != CS_TOKEN_SYMBOL)
        cs_buf_put8(buf, ' ');
}

/* The tokens of one type as text: a word, perhaps a dot and a word, perhaps
 * everything between < and >. */
static void collect_type(struct cs_lexer *lexer, struct cs_buf *buf)
{
    unsigned depth = 0;

    do {
        if (cs_lexer_at_symbol(lexer, '<'))
            depth++;
        if (cs_lexer_at_symbol(lexer, '>') && depth)
            depth--;
        move_token(lexer, buf);
        if (cs_lexer_at_symbol(lexer, '.')) {
            move_token(lexer, buf);
            move_token(lexer, buf);
        }
    } while (lexer->token.kind != CS_TOKEN_END &&
             (depth || cs_lexer_at_symbol(lexer, '<')));
    if (buf->size && buf->data[buf->size - 1] == ' ')
        buf->size--;
}

const struct cs_type *cs_ddl_type_at(struct cs_ddl *ddl)
{
    struct cs_lexer *lexer = &ddl->lexer;
    const struct cs_token start = lexer->token;
    const struct cs_type *type = NULL;
    struct cs_buf buf;
    enum cs_code rc;

    if (start.kind == CS_TOKEN_END || start.kind == CS_TOKEN_SYMBOL ||
        start.kind == CS_TOKEN_NUMBER) {
        cs_lexer_fail_expected(lexer, "a type");
        return NULL;
    }
    cs_buf_init(&buf, TYPE_TEXT_MAX);
    collect_type(lexer, &buf);
    if (!lexer->rc) {
        cs_buf_text(&buf); /* a NUL behind it, or the fault */
        rc = cs_buf_check(&buf, "a type", lexer->err);
        if (!rc)
            rc = cs_type_parse(cs_buf_text(&buf), lexer->arena, ddl->find,
                               ddl->ctx, &type, lexer->err);
        if (rc)
            cs_lexer_stop(lexer, &start, rc);
    }
    cs_buf_release(&buf);
    return type;
}

bool cs_ddl_is_type(const char *text)
{
    struct cs_arena arena;
    struct cs_lexer lexer;
    bool found;

    cs_arena_init(&arena);
    cs_lexer_init(&lexer, text, &arena, NULL);
    found = cs_lexer_take_word(&lexer, "create") &&
            cs_lexer_at_word(&lexer, "type");
    cs_arena_release(&arena);
    return found;
}

/* ---- CREATE TYPE ---- */

/* Fields are kept in a list until their number is known. */
struct field {
    const char *name;
    const struct cs_type *type;
    struct field *next;
};

static size_t parse_fields(struct cs_ddl *ddl, struct field **first)
{
    struct field **last = first;
    size_t count = 0;

    cs_lexer_expect_symbol(&ddl->lexer, '(');
    do {
        struct field *field =
            cs_arena_alloc(ddl->lexer.arena, sizeof(struct field));

        if (!field) {
            cs_lexer_stop(&ddl->lexer, &ddl->lexer.token,
                          cs_fail(ddl->lexer.err, CS_ENOMEM, "no memory"));
            return 0;
        }
        field->name = cs_lexer_name(&ddl->lexer, "a field");
        if (!ddl->lexer.rc)
            field->type = cs_ddl_type_at(ddl);
        *last = field;
        last = &field->next;
        count++;
    } while (cs_ddl_more(&ddl->lexer));
    cs_lexer_expect_symbol(&ddl->lexer, ')');
    return count;
}

static struct cs_type *new_udt(struct cs_ddl *ddl,
                               const struct cs_ddl_name *name,
                               const struct field *field, size_t count)
{
    struct cs_arena *arena = ddl->lexer.arena;
    struct cs_type *type = cs_arena_alloc(arena, sizeof(*type));
    const struct cs_type **parts =
        cs_arena_array(arena, count, sizeof(struct cs_type *));
    const char **names = cs_arena_array(arena, count, sizeof(char *));

    if (!type || !parts || !names)
        return NULL;
    for (size_t i = 0; i < count; i++, field = field->next) {
        parts[i] = field->type;
        names[i] = field->name;
    }
    *type = (struct cs_type){
        .kind = CS_TYPE_UDT,
        .part_count = count,
        .parts = parts,
        .keyspace = name->keyspace,
        .name = name->name,
        .field_names = names,
    };
    return type;
}

enum cs_code cs_ddl_type(const char *text, struct cs_arena *arena,
                         cs_udt_find_fn find, void *ctx,
                         const struct cs_type **out, struct cs_err *err)
{
    struct cs_ddl ddl = {.find = find, .ctx = ctx};
    struct field *fields = NULL;
    struct cs_ddl_name name;
    struct cs_type *type;
    size_t count;

    cs_lexer_init(&ddl.lexer, text, arena, err);
    cs_ddl_create(&ddl.lexer, "type", "type");
    name = cs_ddl_qualified(&ddl.lexer, "a type");
    count = parse_fields(&ddl, &fields);
    cs_ddl_end(&ddl.lexer);
    if (ddl.lexer.rc)
        return ddl.lexer.rc;
    type = new_udt(&ddl, &name, fields, count);
    if (!type)
        return cs_fail(err, CS_ENOMEM, "no memory for a type");
    *out = type;
    return CS_OK;
}
