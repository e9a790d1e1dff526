/* ddl.h - reads what a CREATE statement says. */
#ifndef CS_SCHEMA_DDL_H
#define CS_SCHEMA_DDL_H

#include "schema/table.h"

/* Names of "CREATE KEYSPACE|TABLE|COLUMNFAMILY [IF NOT EXISTS] [ks.]name ...",
 * as the server would spell them (unquoted names in lower case). keyspace is
 * NULL when not given. In the arena. Nothing behind the name is read. Errors
 * start with line and column of the text: "2:14: found 'select', ...". */
struct cs_ddl_name {
    const char *keyspace;
    const char *name;
};

enum cs_code cs_ddl_keyspace_name(const char *text, struct cs_arena *arena,
                                  const char **out,
                                  struct cs_err *err) CS_MUST_USE;
enum cs_code cs_ddl_table_name(const char *text, struct cs_arena *arena,
                               struct cs_ddl_name *out,
                               struct cs_err *err) CS_MUST_USE;

/* The whole CREATE TABLE: columns, primary key, static, CLUSTERING ORDER.
 * User types by find (may be NULL). table->keyspace is NULL when the text has
 * none. */
enum cs_code cs_ddl_table(const char *text, struct cs_arena *arena,
                          cs_udt_find_fn find, void *ctx, struct cs_table *out,
                          struct cs_err *err) CS_MUST_USE;

/* CREATE TYPE as a UDT in the arena; its keyspace is NULL when the text has
 * none. User types inside by find (may be NULL). */
enum cs_code cs_ddl_type(const char *text, struct cs_arena *arena,
                         cs_udt_find_fn find, void *ctx,
                         const struct cs_type **out,
                         struct cs_err *err) CS_MUST_USE;

/* Whether the text starts with CREATE TYPE (for lists of mixed statements). */
bool cs_ddl_is_type(const char *text);

#endif
