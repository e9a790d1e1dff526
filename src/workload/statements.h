/* statements.h - the CQL texts that the commands send: those of the original,
 * but with every table qualified by its keyspace. */
#ifndef CS_WORKLOAD_STATEMENTS_H
#define CS_WORKLOAD_STATEMENTS_H

#include "base/buf.h"
#include "schema/table.h"
#include "settings/settings.h"

#define CS_STANDARD_TABLE "standard1"
#define CS_COUNTER_TABLE  "counter1"

/* DDL of the predefined tables. class_key: the server wants 'class' in the
 * compression map (5.0; releases before also take 'sstable_compression'). */
void cs_ddl_put_keyspace(struct cs_buf *buf, const struct cs_settings *s);
void cs_ddl_put_standard(struct cs_buf *buf, const struct cs_settings *s);
void cs_ddl_put_counter(struct cs_buf *buf, const struct cs_settings *s);

/* Statements of the predefined commands. */
void cs_cql_put_write(struct cs_buf *buf, const struct cs_settings *s);
void cs_cql_put_read(struct cs_buf *buf, const struct cs_settings *s);
void cs_cql_put_counter_write(struct cs_buf *buf, const struct cs_settings *s);
void cs_cql_put_counter_read(struct cs_buf *buf, const struct cs_settings *s);

/* The generated insert of a table (profile.md section 7); condition may be
 * NULL. Binds the value columns in table order, then the key; key-only tables
 * the key in order. keyspace NULL: unqualified, for figures=original. */
void cs_cql_put_insert(struct cs_buf *buf, const char *keyspace,
                       const struct cs_table *table, const char *condition);

/* A statement of a profile with each unqualified table name (after FROM, INTO
 * and UPDATE) qualified. Nothing else of the text changes. */
void cs_cql_put_qualified(struct cs_buf *buf, const char *keyspace,
                          const char *cql);

/* An UPDATE whose IF part has a marker: since 4.0 the original reads the row
 * before it and binds what it read. */
bool cs_cql_has_condition_marker(const char *cql);

#endif
