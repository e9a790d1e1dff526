/* query.h - the table and the columns that a statement names. No grammar: what
 * a statement may say is the server's to judge. This finds misspelled columns
 * where there is no server. */
#ifndef CS_SCHEMA_QUERY_H
#define CS_SCHEMA_QUERY_H

#include "schema/ddl.h"

struct cs_query_name {
    const char *name; /* as the server would spell it */
    bool is_marker;   /* a marker that stands for no column: "[limit]" */
};

/* What a SELECT, INSERT, UPDATE or DELETE names; of other statements nothing.
 * A name is there only where it must be a column: compared, set, or in the list
 * of an INSERT, SELECT or DELETE. */
struct cs_query {
    struct cs_ddl_name table; /* name NULL: none was found */
    struct cs_query_name *names;
    size_t count;
};

/* All of *out is in the arena. A text that ends inside a string or comment:
 * CS_EINVALID. */
enum cs_code cs_query_read(const char *cql, struct cs_arena *arena,
                           struct cs_query *out,
                           struct cs_err *err) CS_MUST_USE;

#endif
