/* ident.h - CQL identifiers: quoted where needed, never by guess. */
#ifndef CS_SCHEMA_IDENT_H
#define CS_SCHEMA_IDENT_H

#include "base/buf.h"

/* The name as it must be written in CQL: as it is when it matches
 * [a-z][a-z0-9_]* and no release of Cassandra or ScyllaDB reserves it,
 * otherwise in double quotes. */
void cs_ident_put(struct cs_buf *buf, const char *name);

/* Always in double quotes. */
void cs_ident_put_quoted(struct cs_buf *buf, const char *name);

/* keyspace.table, both by cs_ident_put; keyspace NULL: the table alone. */
void cs_ident_put_table(struct cs_buf *buf, const char *keyspace,
                        const char *table);

/* Whether the word (any case) is reserved in the CQL of Cassandra 5.0: read
 * as a name only in quotes. */
bool cs_ident_reserved(const char *word);

#endif
