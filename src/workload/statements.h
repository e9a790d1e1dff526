/* statements.h - the CQL texts that the commands send: those of the original,
 * but with every table qualified by its keyspace. */
#ifndef CS_WORKLOAD_STATEMENTS_H
#define CS_WORKLOAD_STATEMENTS_H

#include "base/buf.h"
#include "schema/table.h"
#include "settings/settings.h"

#define CS_STANDARD_TABLE "standard1"
#define CS_COUNTER_TABLE  "counter1"
#define CS_KV_TABLE       "kv"

/* The table that write, read and mixed use. */
const char *cs_predefined_table(const struct cs_settings *s);

/* DDL of the predefined tables. class_key: the server wants 'class' in the
 * compression map (5.0; releases before also take 'sstable_compression'). */
void cs_ddl_put_keyspace(struct cs_buf *buf, const struct cs_settings *s);
void cs_ddl_put_standard(struct cs_buf *buf, const struct cs_settings *s);
void cs_ddl_put_counter(struct cs_buf *buf, const struct cs_settings *s);

/* Table of the old tools: columns C0 to C(columns - 1), super columns as
 * clustering. */
void cs_ddl_put_old(struct cs_buf *buf, const struct cs_settings *s,
                    const char *table);

/* Statements of the predefined commands. */
void cs_cql_put_write(struct cs_buf *buf, const struct cs_settings *s);
void cs_cql_put_read(struct cs_buf *buf, const struct cs_settings *s);
void cs_cql_put_counter_write(struct cs_buf *buf, const struct cs_settings *s);
void cs_cql_put_counter_read(struct cs_buf *buf, const struct cs_settings *s);

/* The same for MariaDB and MySQL: markers in the same order. */
void cs_sql_put_database(struct cs_buf *buf, const struct cs_settings *s);
void cs_sql_put_standard(struct cs_buf *buf, const struct cs_settings *s);
void cs_sql_put_counter(struct cs_buf *buf, const struct cs_settings *s);
void cs_sql_put_write(struct cs_buf *buf, const struct cs_settings *s);
void cs_sql_put_read(struct cs_buf *buf, const struct cs_settings *s);
void cs_sql_put_counter_write(struct cs_buf *buf, const struct cs_settings *s);
void cs_sql_put_counter_read(struct cs_buf *buf, const struct cs_settings *s);

/* The generated insert of a table; condition may be
 * NULL. Binds the value columns in table order, then the key; key-only tables
 * the key in order. keyspace NULL: unqualified, for figures=original. */
void cs_cql_put_insert(struct cs_buf *buf, const char *keyspace,
                       const struct cs_table *table, const char *condition);

/* " WHERE a = ? AND b = ?": the first so many columns. */
void cs_cql_put_where(struct cs_buf *buf, const struct cs_table *table,
                      unsigned count);

/* A statement of a profile with each unqualified table name (after FROM, INTO
 * and UPDATE) qualified. Nothing else of the text changes. */
void cs_cql_put_qualified(struct cs_buf *buf, const char *keyspace,
                          const char *cql);

/* An UPDATE whose IF part has a marker: since 4.0 the original reads the row
 * before it and binds what it read. first: the marker's number, from 0. */
bool cs_cql_condition_marker(const char *cql, unsigned *first);

/* Whether it is a SELECT; whether the word stands in it outside of strings,
 * quoted names and comments. In any case. */
bool cs_cql_is_select(const char *cql);
bool cs_cql_has_word(const char *cql, const char *word);

#endif
