/* ddl_internal.h - parts of DDL that ddl.c and ddl_table.c share. */
#ifndef CS_SCHEMA_DDL_INTERNAL_H
#define CS_SCHEMA_DDL_INTERNAL_H

#include "schema/ddl.h"
#include "schema/lexer_internal.h"

struct cs_ddl {
    struct cs_lexer lexer;
    cs_udt_find_fn find; /* may be NULL */
    void *ctx;
};

/* "[ks.]name"; what: "a table". */
struct cs_ddl_name cs_ddl_qualified(struct cs_lexer *lexer, const char *what);

/* "CREATE first|second [IF NOT EXISTS]". */
void cs_ddl_create(struct cs_lexer *lexer, const char *first,
                   const char *second);

/* Behind an item of a list in parentheses: whether another one follows. CQL
 * takes any number of commas there, also before the parenthesis. */
bool cs_ddl_more(struct cs_lexer *lexer);

/* A type; NULL and the lexer's error when there is none. */
const struct cs_type *cs_ddl_type_at(struct cs_ddl *ddl);

/* Semicolons and nothing else, to the end. */
void cs_ddl_end(struct cs_lexer *lexer);

#endif
