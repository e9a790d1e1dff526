/* lexer_internal.h - CQL text to tokens, one at a time. The first error sticks:
 * from then on every token is the end, so that callers read straight down and
 * test once. */
#ifndef CS_SCHEMA_LEXER_INTERNAL_H
#define CS_SCHEMA_LEXER_INTERNAL_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum cs_token_kind {
    CS_TOKEN_END,
    CS_TOKEN_WORD,   /* unquoted, in lower case: name or keyword */
    CS_TOKEN_QUOTED, /* a name from double quotes */
    CS_TOKEN_STRING, /* from '...' or $$...$$ */
    CS_TOKEN_NUMBER, /* digits and what clings to them */
    CS_TOKEN_SYMBOL, /* one character */
};

struct cs_token {
    enum cs_token_kind kind;
    const char *text; /* in the arena, without quotes */
    unsigned line;    /* from 1 */
    unsigned column;  /* in characters, from 1 */
};

struct cs_lexer {
    const char *at;
    unsigned line;
    unsigned column;
    struct cs_token token; /* the one to look at */
    struct cs_arena *arena;
    enum cs_code rc;
    struct cs_err *err;
};

/* Reads the first token. */
void cs_lexer_init(struct cs_lexer *lexer, const char *text,
                   struct cs_arena *arena, struct cs_err *err);
void cs_lexer_next(struct cs_lexer *lexer);

/* Looks at the token; these never move. */
bool cs_lexer_at_word(const struct cs_lexer *lexer, const char *word);
bool cs_lexer_at_symbol(const struct cs_lexer *lexer, char symbol);

/* Moves past the token if it is this one. */
bool cs_lexer_take_word(struct cs_lexer *lexer, const char *word);
bool cs_lexer_take_symbol(struct cs_lexer *lexer, char symbol);

/* The same, or an error. */
void cs_lexer_expect_word(struct cs_lexer *lexer, const char *word);
void cs_lexer_expect_symbol(struct cs_lexer *lexer, char symbol);

/* A name: quoted, or a word that is not reserved. what: "a column". NULL and
 * the error when there is none. */
const char *cs_lexer_name(struct cs_lexer *lexer, const char *what);

/* "2:14: ..." with the place of a token; only the first error counts. */
void cs_lexer_fail(struct cs_lexer *lexer, const struct cs_token *where,
                   const char *fmt, ...) CS_PRINTF(3, 4);

/* "2:14: found 'x', expected ...". */
void cs_lexer_fail_expected(struct cs_lexer *lexer, const char *expected);

/* Stops with an error that err already holds and puts the place in front. */
void cs_lexer_stop(struct cs_lexer *lexer, const struct cs_token *where,
                   enum cs_code rc);

#endif
