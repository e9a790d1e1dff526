/* tables.c - what a table looks like in the server, and whether it is there. */
#include "mysql/mysql_internal.h"

#include "schema/ident.h"

#include <mysqld_error.h>

static const struct cs_type *type_of(enum enum_field_types type,
                                     unsigned charset)
{
    /* Number of the character set of bytes. */
    const unsigned binary = 63;

    switch (type) {
    case MYSQL_TYPE_LONG:
        return cs_type_simple(CS_TYPE_INT);
    case MYSQL_TYPE_LONGLONG:
        return cs_type_simple(CS_TYPE_BIGINT);
    default:
        return cs_type_simple(charset == binary ? CS_TYPE_BLOB : CS_TYPE_TEXT);
    }
}

static enum cs_code describe(MYSQL_RES *rows, struct cs_arena *arena,
                             struct cs_table *table, struct cs_err *err)
{
    unsigned count = mysql_num_fields(rows);

    table->columns = cs_arena_array(arena, count, sizeof(*table->columns));
    if (!table->columns)
        return cs_fail(err, CS_ENOMEM, "table '%s': out of memory",
                       table->name);
    for (unsigned i = 0; i < count; i++) {
        const MYSQL_FIELD *field = mysql_fetch_field_direct(rows, i);

        table->columns[i] = (struct cs_column){
            .name = cs_arena_text(arena, field->name),
            .type = type_of(field->type, field->charsetnr),
            .kind = field->flags & PRI_KEY_FLAG ? CS_COLUMN_PARTITION_KEY
                                                : CS_COLUMN_REGULAR};
        table->partition_count += field->flags & PRI_KEY_FLAG ? 1 : 0;
        if (!table->columns[i].name)
            return cs_fail(err, CS_ENOMEM, "table '%s': out of memory",
                           table->name);
    }
    table->column_count = count;
    return CS_OK;
}

enum cs_code cs_mysql_table(struct cs_driver *driver, const char *keyspace,
                            const char *name, struct cs_arena *arena,
                            struct cs_table **out, struct cs_err *err)
{
    struct cs_table *table = cs_arena_alloc(arena, sizeof(*table));
    MYSQL_RES *rows = NULL;
    struct cs_buf sql;
    enum cs_code rc;

    if (!table)
        return cs_fail(err, CS_ENOMEM, "table '%s': out of memory", name);
    cs_buf_init(&sql, CS_ERR_TEXT);
    cs_buf_puts(&sql, "SELECT * FROM ");
    cs_ident_put_quoted(&sql, keyspace);
    cs_buf_put8(&sql, '.');
    cs_ident_put_quoted(&sql, name);
    cs_buf_puts(&sql, " LIMIT 0");
    rc = cs_buf_check(&sql, "name of the table", err);
    if (!rc)
        rc = cs_mysql_ask(driver, cs_buf_text(&sql), &rows, err);
    cs_buf_release(&sql);
    if (rc == CS_ESERVER && (err->server_code == ER_NO_SUCH_TABLE ||
                             err->server_code == ER_BAD_DB_ERROR))
        return cs_fail(err, CS_EINVALID, "table %s.%s does not exist", keyspace,
                       name);
    if (rc)
        return rc;
    *table = (struct cs_table){.keyspace = keyspace, .name = name};
    rc = rows ? describe(rows, arena, table, err)
              : cs_fail(err, CS_EPROTOCOL, "a table without columns");
    if (rows)
        mysql_free_result(rows);
    *out = table;
    return rc;
}

enum cs_code cs_mysql_has_database(struct cs_driver *driver,
                                   const char *keyspace, bool *out,
                                   struct cs_err *err)
{
    struct cs_buf sql;
    enum cs_code rc;

    cs_buf_init(&sql, CS_ERR_TEXT);
    cs_buf_puts(&sql, "SHOW TABLES FROM ");
    cs_ident_put_quoted(&sql, keyspace);
    rc = cs_buf_check(&sql, "name of the database", err);
    if (!rc)
        rc = cs_mysql_execute(driver, cs_buf_text(&sql), CS_CL_ONE, NULL, err);
    cs_buf_release(&sql);
    *out = !rc;
    if (rc == CS_ESERVER && err->server_code == ER_BAD_DB_ERROR)
        return CS_OK;
    return rc;
}
