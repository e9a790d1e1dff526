/* statements.c - CQL texts of the predefined commands and of the generated
 * insert; vectors/statements.tsv has what the originals send. */
#include "workload/statements.h"
#include "schema/ident.h"

const char *cs_predefined_table(const struct cs_settings *s)
{
    return s->schema.table == CS_PREDEFINED_KV ? CS_KV_TABLE
                                               : CS_STANDARD_TABLE;
}

static void put_options(struct cs_buf *buf, const struct cs_key_value *options,
                        size_t count, const char *colon)
{
    for (size_t i = 0; i < count; i++)
        cs_buf_printf(buf, ", '%s'%s'%s'", options[i].key, colon,
                      options[i].value);
}

/* Where ScyllaDB keeps the files; LOCAL is what it does unasked. */
static void put_storage(struct cs_buf *buf, const struct cs_settings_schema *s)
{
    if (!s->storage_type || !strcmp(s->storage_type, "LOCAL"))
        return;
    cs_buf_printf(buf,
                  " AND storage = { 'type' : '%s', 'endpoint' : '%s', "
                  "'bucket' : '%s' }",
                  s->storage_type, s->storage_endpoint, s->storage_bucket);
}

void cs_ddl_put_keyspace(struct cs_buf *buf, const struct cs_settings *s)
{
    cs_buf_puts(buf, "CREATE KEYSPACE IF NOT EXISTS ");
    cs_ident_put_quoted(buf, s->schema.keyspace);
    cs_buf_printf(buf, " WITH replication = {'class': '%s'",
                  s->schema.strategy);
    if (s->schema.replication_count)
        put_options(buf, s->schema.replication, s->schema.replication_count,
                    " : ");
    else
        cs_buf_puts(buf, ", 'replication_factor': '1'");
    cs_buf_puts(buf, "} AND durable_writes = true");
    put_storage(buf, &s->schema);
    cs_buf_puts(buf, ";\n");
}

static void put_table_options(struct cs_buf *buf, const struct cs_settings *s)
{
    cs_buf_puts(buf, ") WITH compression = {");
    if (s->schema.compression)
        cs_buf_printf(buf, "'class' : '%s'", s->schema.compression);
    cs_buf_puts(buf, "}");
    if (s->schema.compaction) {
        cs_buf_printf(buf, " AND compaction = { 'class' : '%s'",
                      s->schema.compaction);
        put_options(buf, s->schema.compaction_options,
                    s->schema.compaction_count, " : ");
        cs_buf_puts(buf, " }");
    }
    cs_buf_puts(buf, ";\n");
}

static void put_columns(struct cs_buf *buf, const struct cs_settings *s,
                        const char *type)
{
    for (size_t i = 0; i < s->columns.count; i++) {
        cs_buf_puts(buf, "\n, ");
        cs_ident_put_quoted(buf, s->columns.names[i]);
        cs_buf_printf(buf, " %s", type);
    }
}

static void put_table_name(struct cs_buf *buf, const struct cs_settings *s,
                           const char *table)
{
    cs_ident_put_quoted(buf, s->schema.keyspace);
    cs_buf_printf(buf, ".%s", table);
}

void cs_ddl_put_standard(struct cs_buf *buf, const struct cs_settings *s)
{
    bool kv = s->schema.table == CS_PREDEFINED_KV;

    cs_buf_puts(buf, "CREATE TABLE IF NOT EXISTS ");
    put_table_name(buf, s, cs_predefined_table(s));
    cs_buf_printf(buf, " (key %s PRIMARY KEY ", kv ? "int" : "blob");
    put_columns(buf, s, kv ? "text" : "blob");
    put_table_options(buf, s);
}

void cs_ddl_put_counter(struct cs_buf *buf, const struct cs_settings *s)
{
    cs_buf_puts(buf, "CREATE TABLE IF NOT EXISTS ");
    put_table_name(buf, s, CS_COUNTER_TABLE);
    cs_buf_puts(buf, " (key blob PRIMARY KEY ");
    put_columns(buf, s, "counter");
    put_table_options(buf, s);
}

void cs_ddl_put_old(struct cs_buf *buf, const struct cs_settings *s,
                    const char *table)
{
    bool counters = s->old.operation == CS_OLD_COUNTER_ADD;

    cs_buf_puts(buf, "CREATE TABLE IF NOT EXISTS ");
    put_table_name(buf, s, table);
    cs_buf_puts(buf, s->old.super ? " (key blob, super ascii"
                                  : " (key blob PRIMARY KEY");
    for (unsigned i = 0; i < s->old.columns; i++)
        cs_buf_printf(buf, ", \"C%u\" %s", i, counters ? "counter" : "blob");
    if (s->old.super)
        cs_buf_puts(buf, ", PRIMARY KEY (key, super)");
    put_table_options(buf, s);
}

static void put_keyspace_dot(struct cs_buf *buf, const char *keyspace)
{
    cs_ident_put(buf, keyspace);
    cs_buf_put8(buf, '.');
}

void cs_cql_put_write(struct cs_buf *buf, const struct cs_settings *s)
{
    cs_buf_puts(buf, "UPDATE ");
    put_keyspace_dot(buf, s->schema.keyspace);
    cs_ident_put_quoted(buf, cs_predefined_table(s));
    cs_buf_put8(buf, ' ');
    if (s->columns.timestamp)
        cs_buf_printf(buf, "USING TIMESTAMP %s ", s->columns.timestamp);
    cs_buf_puts(buf, "SET ");
    for (size_t i = 0; i < s->columns.count; i++) {
        if (i)
            cs_buf_put8(buf, ',');
        cs_ident_put_quoted(buf, s->columns.names[i]);
        cs_buf_puts(buf, " = ?");
    }
    cs_buf_puts(buf, " WHERE KEY=?");
}

void cs_cql_put_read(struct cs_buf *buf, const struct cs_settings *s)
{
    cs_buf_puts(buf, "SELECT ");
    for (size_t i = 0; i < s->columns.count && !s->columns.slice; i++) {
        if (i)
            cs_buf_put8(buf, ',');
        cs_ident_put_quoted(buf, s->columns.names[i]);
    }
    if (s->columns.slice)
        cs_buf_put8(buf, '*');
    cs_buf_puts(buf, " FROM ");
    put_keyspace_dot(buf, s->schema.keyspace);
    cs_ident_put_quoted(buf, cs_predefined_table(s));
    cs_buf_puts(buf, " WHERE KEY=?");
}

void cs_cql_put_counter_write(struct cs_buf *buf, const struct cs_settings *s)
{
    cs_buf_puts(buf, "UPDATE ");
    put_keyspace_dot(buf, s->schema.keyspace);
    cs_buf_puts(buf, CS_COUNTER_TABLE " SET ");
    for (size_t i = 0; i < s->columns.count; i++) {
        if (i)
            cs_buf_put8(buf, ',');
        cs_ident_put_quoted(buf, s->columns.names[i]);
        cs_buf_put8(buf, '=');
        cs_ident_put_quoted(buf, s->columns.names[i]);
        cs_buf_puts(buf, "+?");
    }
    cs_buf_puts(buf, " WHERE KEY=?");
}

void cs_cql_put_counter_read(struct cs_buf *buf, const struct cs_settings *s)
{
    cs_buf_puts(buf, "SELECT * FROM ");
    put_keyspace_dot(buf, s->schema.keyspace);
    cs_buf_puts(buf, "\"" CS_COUNTER_TABLE "\" WHERE KEY=?");
}

void cs_cql_put_where(struct cs_buf *buf, const struct cs_table *table,
                      unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        cs_buf_puts(buf, i ? " AND " : " WHERE ");
        cs_ident_put(buf, table->columns[i].name);
        cs_buf_puts(buf, " = ?");
    }
}

/* Counters and non-frozen collections are added to, all else is set. */
static bool is_added_to(const struct cs_column *column)
{
    enum cs_type_kind kind = column->type->kind;

    if (kind == CS_TYPE_COUNTER)
        return true;
    return !column->type->frozen &&
           (kind == CS_TYPE_LIST || kind == CS_TYPE_SET || kind == CS_TYPE_MAP);
}

static void put_table(struct cs_buf *buf, const char *keyspace,
                      const struct cs_table *table)
{
    if (keyspace)
        put_keyspace_dot(buf, keyspace);
    cs_ident_put(buf, table->name);
}

static void put_update(struct cs_buf *buf, const char *keyspace,
                       const struct cs_table *table, const char *condition)
{
    unsigned keys = cs_table_key_count(table);

    cs_buf_puts(buf, "UPDATE ");
    put_table(buf, keyspace, table);
    cs_buf_puts(buf, " SET ");
    for (unsigned i = keys; i < table->column_count; i++) {
        const struct cs_column *column = &table->columns[i];

        if (i > keys)
            cs_buf_put8(buf, ',');
        cs_ident_put(buf, column->name);
        cs_buf_puts(buf, " = ");
        if (is_added_to(column)) {
            cs_ident_put(buf, column->name);
            cs_buf_puts(buf, " + ");
        }
        cs_buf_put8(buf, '?');
    }
    cs_cql_put_where(buf, table, keys);
    if (condition)
        cs_buf_printf(buf, " %s", condition);
}

static void put_key_only(struct cs_buf *buf, const char *keyspace,
                         const struct cs_table *table)
{
    cs_buf_puts(buf, "INSERT INTO ");
    put_table(buf, keyspace, table);
    for (unsigned i = 0; i < table->column_count; i++) {
        cs_buf_puts(buf, i ? ", " : " (");
        cs_ident_put(buf, table->columns[i].name);
    }
    cs_buf_puts(buf, ") values(");
    for (unsigned i = 0; i < table->column_count; i++)
        cs_buf_puts(buf, i ? ", ?" : "?");
    cs_buf_put8(buf, ')');
}

void cs_cql_put_insert(struct cs_buf *buf, const char *keyspace,
                       const struct cs_table *table, const char *condition)
{
    if (table->column_count > cs_table_key_count(table))
        put_update(buf, keyspace, table, condition);
    else
        put_key_only(buf, keyspace, table);
}
