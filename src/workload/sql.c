/* sql.c - the texts of the predefined commands for MariaDB and MySQL. Names
 * stand in double quotes: the driver asks for ANSI_QUOTES. */
#include "schema/ident.h"
#include "workload/statements.h"

/* A row has 65,535 bytes at most, of which VARBINARY and VARCHAR count with
 * their largest size; larger values lie beside it. */
#define ROW_MAX 60000

static void put_table(struct cs_buf *buf, const struct cs_settings *s,
                      const char *table)
{
    cs_ident_put_quoted(buf, s->schema.keyspace);
    cs_buf_put8(buf, '.');
    cs_ident_put_quoted(buf, table);
}

/* "C0","C1" */
static void put_names(struct cs_buf *buf, const struct cs_settings *s)
{
    for (size_t i = 0; i < s->columns.count; i++) {
        if (i)
            cs_buf_put8(buf, ',');
        cs_ident_put_quoted(buf, s->columns.names[i]);
    }
}

/* ---- definitions ---- */

void cs_sql_put_database(struct cs_buf *buf, const struct cs_settings *s)
{
    cs_buf_puts(buf, "CREATE DATABASE IF NOT EXISTS ");
    cs_ident_put_quoted(buf, s->schema.keyspace);
}

static void put_value_type(struct cs_buf *buf, const struct cs_settings *s,
                           bool text)
{
    int64_t most = CS_MAX(cs_dist_most(&s->columns.size), 1);
    int64_t room = ROW_MAX / (int64_t)s->columns.count;

    if (most > room)
        cs_buf_puts(buf, text ? "LONGTEXT" : "LONGBLOB");
    else
        cs_buf_printf(buf, "%s(%lld)", text ? "VARCHAR" : "VARBINARY",
                      (long long)most);
    if (text)
        cs_buf_puts(buf, " CHARACTER SET ascii");
}

void cs_sql_put_standard(struct cs_buf *buf, const struct cs_settings *s)
{
    bool kv = s->schema.table == CS_PREDEFINED_KV;

    cs_buf_puts(buf, "CREATE TABLE IF NOT EXISTS ");
    put_table(buf, s, cs_predefined_table(s));
    if (kv)
        cs_buf_puts(buf, " (\"key\" INT PRIMARY KEY");
    else
        cs_buf_printf(buf, " (\"key\" VARBINARY(%d) PRIMARY KEY",
                      s->command.key_size);
    for (size_t i = 0; i < s->columns.count; i++) {
        cs_buf_puts(buf, ", ");
        cs_ident_put_quoted(buf, s->columns.names[i]);
        cs_buf_put8(buf, ' ');
        put_value_type(buf, s, kv);
    }
    cs_buf_put8(buf, ')');
}

void cs_sql_put_counter(struct cs_buf *buf, const struct cs_settings *s)
{
    cs_buf_puts(buf, "CREATE TABLE IF NOT EXISTS ");
    put_table(buf, s, CS_COUNTER_TABLE);
    cs_buf_printf(buf, " (\"key\" VARBINARY(%d) PRIMARY KEY",
                  s->command.key_size);
    for (size_t i = 0; i < s->columns.count; i++) {
        cs_buf_puts(buf, ", ");
        cs_ident_put_quoted(buf, s->columns.names[i]);
        cs_buf_puts(buf, " BIGINT NOT NULL DEFAULT 0");
    }
    cs_buf_put8(buf, ')');
}

/* ---- statements ---- */

/* As in Cassandra a write makes the row or changes it. */
static void put_upsert(struct cs_buf *buf, const struct cs_settings *s,
                       const char *table, bool add)
{
    cs_buf_puts(buf, "INSERT INTO ");
    put_table(buf, s, table);
    cs_buf_puts(buf, " (");
    put_names(buf, s);
    cs_buf_puts(buf, ",\"key\") VALUES (");
    for (size_t i = 0; i < s->columns.count; i++)
        cs_buf_puts(buf, "?,");
    cs_buf_puts(buf, "?) ON DUPLICATE KEY UPDATE ");
    for (size_t i = 0; i < s->columns.count; i++) {
        const char *name = s->columns.names[i];

        if (i)
            cs_buf_put8(buf, ',');
        cs_ident_put_quoted(buf, name);
        cs_buf_put8(buf, '=');
        if (add) {
            cs_ident_put_quoted(buf, name);
            cs_buf_put8(buf, '+');
        }
        cs_buf_puts(buf, "VALUES(");
        cs_ident_put_quoted(buf, name);
        cs_buf_put8(buf, ')');
    }
}

void cs_sql_put_write(struct cs_buf *buf, const struct cs_settings *s)
{
    put_upsert(buf, s, cs_predefined_table(s), false);
}

void cs_sql_put_counter_write(struct cs_buf *buf, const struct cs_settings *s)
{
    put_upsert(buf, s, CS_COUNTER_TABLE, true);
}

static void put_select(struct cs_buf *buf, const struct cs_settings *s,
                       const char *table, bool all)
{
    cs_buf_puts(buf, "SELECT ");
    if (all)
        cs_buf_put8(buf, '*');
    else
        put_names(buf, s);
    cs_buf_puts(buf, " FROM ");
    put_table(buf, s, table);
    cs_buf_puts(buf, " WHERE \"key\"=?");
}

void cs_sql_put_read(struct cs_buf *buf, const struct cs_settings *s)
{
    put_select(buf, s, cs_predefined_table(s), s->columns.slice);
}

void cs_sql_put_counter_read(struct cs_buf *buf, const struct cs_settings *s)
{
    put_select(buf, s, CS_COUNTER_TABLE, true);
}
