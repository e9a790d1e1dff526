/* lexer.c - words, names, strings, numbers and comments of CQL. */
#include "schema/lexer_internal.h"

#include "types/word.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Characters of a token that a message shows. */
#define SHOWN_MAX 60

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Moves one byte on; bytes inside a UTF-8 character do not count. */
static void step(struct cs_lexer *lexer)
{
    if (*lexer->at == '\n') {
        lexer->line++;
        lexer->column = 1;
    } else if (((unsigned char)lexer->at[1] & 0xc0) != 0x80) {
        lexer->column++;
    }
    lexer->at++;
}

static void skip(struct cs_lexer *lexer, size_t count)
{
    while (count-- && *lexer->at)
        step(lexer);
}

static bool starts(const struct cs_lexer *lexer, const char *text)
{
    return strncmp(lexer->at, text, strlen(text)) == 0;
}

/* ---- errors ---- */

void cs_lexer_stop(struct cs_lexer *lexer, const struct cs_token *where,
                   enum cs_code rc)
{
    unsigned line = where->line;
    unsigned column = where->column;

    lexer->token.kind = CS_TOKEN_END;
    if (lexer->rc)
        return;
    lexer->rc = rc;
    cs_while(lexer->err, "%u:%u", line, column);
}

void cs_lexer_fail(struct cs_lexer *lexer, const struct cs_token *where,
                   const char *fmt, ...)
{
    char text[CS_ERR_TEXT];
    va_list va;

    if (lexer->rc)
        return;
    va_start(va, fmt);
    vsnprintf(text, sizeof(text), fmt, va);
    va_end(va);
    cs_lexer_stop(lexer, where, cs_fail(lexer->err, CS_EINVALID, "%s", text));
}

void cs_lexer_fail_expected(struct cs_lexer *lexer, const char *expected)
{
    const struct cs_token *token = &lexer->token;

    if (token->kind == CS_TOKEN_END)
        cs_lexer_fail(lexer, token, "ends early, expected %s", expected);
    else
        cs_lexer_fail(lexer, token, "found '%.*s', expected %s", SHOWN_MAX,
                      token->text, expected);
}

/* ---- tokens ---- */

static void skip_comment(struct cs_lexer *lexer, const char *end)
{
    const struct cs_token start = {.line = lexer->line,
                                   .column = lexer->column};
    const char *found = strstr(lexer->at + 2, end);

    if (found)
        skip(lexer, (size_t)(found - lexer->at) + strlen(end));
    else if (*end == '\n')
        skip(lexer, strlen(lexer->at));
    else
        cs_lexer_fail(lexer, &start, "a comment without its end, expected %s",
                      end);
}

static void skip_blanks(struct cs_lexer *lexer)
{
    while (!lexer->rc) {
        size_t blanks = strspn(lexer->at, " \t\r\n\f\v");

        skip(lexer, blanks);
        if (starts(lexer, "--") || starts(lexer, "//"))
            skip_comment(lexer, "\n");
        else if (starts(lexer, "/*"))
            skip_comment(lexer, "*/");
        else
            return;
    }
}

/* The next size bytes as the token's text. */
static char *take(struct cs_lexer *lexer, enum cs_token_kind kind, size_t size)
{
    char *text = cs_arena_bytes(lexer->arena, lexer->at, size);

    lexer->token.kind = kind;
    lexer->token.text = text;
    if (!text) {
        cs_lexer_stop(lexer, &lexer->token,
                      cs_fail(lexer->err, CS_ENOMEM, "no memory"));
        return NULL;
    }
    skip(lexer, size);
    return text;
}

static void read_word(struct cs_lexer *lexer)
{
    size_t size = 0;
    char *text;

    while (is_letter(lexer->at[size]) || is_digit(lexer->at[size]) ||
           lexer->at[size] == '_')
        size++;
    text = take(lexer, CS_TOKEN_WORD, size);
    for (; text && *text; text++)
        if (*text >= 'A' && *text <= 'Z')
            *text = (char)(*text + 'a' - 'A');
}

static void read_number(struct cs_lexer *lexer)
{
    size_t size = 0;

    while (is_letter(lexer->at[size]) || is_digit(lexer->at[size]))
        size++;
    (void)take(lexer, CS_TOKEN_NUMBER, size);
}

/* A string or a name between quotes; the quote itself is doubled inside. */
static void read_quoted(struct cs_lexer *lexer, enum cs_token_kind kind)
{
    char quote = *lexer->at;
    const char *end = lexer->at + 1;
    char *from, *to;

    while (*end && (*end != quote || end[1] == quote))
        end += *end == quote ? 2 : 1;
    if (!*end) {
        cs_lexer_fail(lexer, &lexer->token, "no closing %c", quote);
        return;
    }
    skip(lexer, 1);
    from = to = take(lexer, kind, (size_t)(end - lexer->at));
    skip(lexer, 1);
    while (from && *from) {
        if (*from == quote)
            from++;
        *to++ = *from++;
    }
    if (to)
        *to = 0;
}

static void read_dollars(struct cs_lexer *lexer)
{
    const char *end = strstr(lexer->at + 2, "$$");

    if (!end) {
        cs_lexer_fail(lexer, &lexer->token, "no closing $$");
        return;
    }
    skip(lexer, 2);
    (void)take(lexer, CS_TOKEN_STRING, (size_t)(end - lexer->at));
    skip(lexer, 2);
}

static void read_symbol(struct cs_lexer *lexer)
{
    size_t size = 1;

    while (((unsigned char)lexer->at[size] & 0xc0) == 0x80)
        size++;
    (void)take(lexer, CS_TOKEN_SYMBOL, size);
}

void cs_lexer_next(struct cs_lexer *lexer)
{
    if (!lexer->rc)
        skip_blanks(lexer);
    lexer->token = (struct cs_token){
        .text = "", .line = lexer->line, .column = lexer->column};
    if (lexer->rc || !*lexer->at)
        return;
    if (is_letter(*lexer->at))
        read_word(lexer);
    else if (is_digit(*lexer->at))
        read_number(lexer);
    else if (*lexer->at == '"')
        read_quoted(lexer, CS_TOKEN_QUOTED);
    else if (*lexer->at == '\'')
        read_quoted(lexer, CS_TOKEN_STRING);
    else if (starts(lexer, "$$"))
        read_dollars(lexer);
    else
        read_symbol(lexer);
}

void cs_lexer_init(struct cs_lexer *lexer, const char *text,
                   struct cs_arena *arena, struct cs_err *err)
{
    *lexer = (struct cs_lexer){
        .at = text, .line = 1, .column = 1, .arena = arena, .err = err};
    cs_lexer_next(lexer);
}

/* ---- what callers look for ---- */

bool cs_lexer_at_word(const struct cs_lexer *lexer, const char *word)
{
    return lexer->token.kind == CS_TOKEN_WORD &&
           strcmp(lexer->token.text, word) == 0;
}

bool cs_lexer_at_symbol(const struct cs_lexer *lexer, char symbol)
{
    return lexer->token.kind == CS_TOKEN_SYMBOL &&
           lexer->token.text[0] == symbol;
}

bool cs_lexer_take_word(struct cs_lexer *lexer, const char *word)
{
    bool found = cs_lexer_at_word(lexer, word);

    if (found)
        cs_lexer_next(lexer);
    return found;
}

bool cs_lexer_take_symbol(struct cs_lexer *lexer, char symbol)
{
    bool found = cs_lexer_at_symbol(lexer, symbol);

    if (found)
        cs_lexer_next(lexer);
    return found;
}

void cs_lexer_expect_word(struct cs_lexer *lexer, const char *word)
{
    char keyword[SHOWN_MAX]; /* in capitals, as manuals have it */
    size_t size = 0;

    if (cs_lexer_take_word(lexer, word))
        return;
    for (; word[size] && size + 1 < sizeof(keyword); size++)
        keyword[size] = (char)(word[size] - 'a' + 'A');
    keyword[size] = 0;
    cs_lexer_fail_expected(lexer, keyword);
}

void cs_lexer_expect_symbol(struct cs_lexer *lexer, char symbol)
{
    const char expected[] = {'\'', symbol, '\'', 0};

    if (!cs_lexer_take_symbol(lexer, symbol))
        cs_lexer_fail_expected(lexer, expected);
}

const char *cs_lexer_name(struct cs_lexer *lexer, const char *what)
{
    const struct cs_token token = lexer->token;

    if (token.kind == CS_TOKEN_WORD && cs_word_reserved(token.text)) {
        cs_lexer_fail(lexer, &token,
                      "found the reserved word '%s', expected the name of %s "
                      "(such a name must stand in double quotes)",
                      token.text, what);
        return NULL;
    }
    if (token.kind != CS_TOKEN_WORD && token.kind != CS_TOKEN_QUOTED) {
        char expected[SHOWN_MAX];

        snprintf(expected, sizeof(expected), "the name of %s", what);
        cs_lexer_fail_expected(lexer, expected);
        return NULL;
    }
    if (!*token.text) {
        cs_lexer_fail(lexer, &token, "an empty name, expected that of %s",
                      what);
        return NULL;
    }
    cs_lexer_next(lexer);
    return token.text;
}
