/* values.c - cells of an operation to markers of a statement, and columns of a
 * row to cells. */
#include "mysql/mysql_internal.h"

#include <stdlib.h>

void cs_mysql_prepared_release(struct cs_mysql_prepared *p)
{
    if (p->stmt)
        mysql_stmt_close(p->stmt);
    free(p->params);
    free(p->numbers);
    free(p->columns);
    free(p->cells);
    free(p->sizes);
    free(p->nulls);
    *p = (struct cs_mysql_prepared){0};
}

/* ---- markers ---- */

static bool is_number(const struct cs_type *type)
{
    return type->kind == CS_TYPE_INT || type->kind == CS_TYPE_BIGINT ||
           type->kind == CS_TYPE_COUNTER;
}

static void bind_number(MYSQL_BIND *bind, uint64_t *number,
                        const uint8_t *bytes, int32_t size)
{
    bind->buffer = number;
    if (size == 4) {
        uint32_t small = cs_load32(bytes);

        memcpy(number, &small, sizeof(small));
        bind->buffer_type = MYSQL_TYPE_LONG;
        return;
    }
    *number = cs_load64(bytes);
    bind->buffer_type = MYSQL_TYPE_LONGLONG;
}

static void bind_bytes(MYSQL_BIND *bind, const uint8_t *bytes, int32_t size)
{
    /* libmariadb only reads what a marker points at. */
    union {
        const uint8_t *from;
        void *to;
    } place = {.from = bytes};

    bind->buffer_type = MYSQL_TYPE_BLOB;
    bind->buffer = place.to;
    bind->buffer_length = (unsigned long)size;
}

bool cs_mysql_bind(struct cs_mysql_prepared *p,
                   const struct cs_statement *statement,
                   const struct cs_buf *values)
{
    struct cs_reader cells = cs_reader_of(values->data, values->size);

    for (unsigned i = 0; i < p->param_count; i++) {
        MYSQL_BIND *bind = &p->params[i];
        int32_t size = (int32_t)cs_read32(&cells);
        const uint8_t *bytes =
            size > 0 ? cs_read_bytes(&cells, (size_t)size) : cells.p;

        if (cells.fault)
            return false;
        memset(bind, 0, sizeof(*bind));
        if (size < 0)
            bind->buffer_type = MYSQL_TYPE_NULL;
        else if (is_number(statement->binds[i].type) &&
                 (size == 4 || size == 8))
            bind_number(bind, &p->numbers[i], bytes, size);
        else
            bind_bytes(bind, bytes, size);
    }
    return !p->param_count || !mysql_stmt_bind_param(p->stmt, p->params);
}

/* ---- rows ---- */

static void bind_column(struct cs_mysql_prepared *p, unsigned i,
                        enum enum_field_types type)
{
    MYSQL_BIND *bind = &p->columns[i];

    bind->buffer = &p->cells[i];
    bind->length = &p->sizes[i];
    bind->is_null = &p->nulls[i];
    bind->buffer_type = MYSQL_TYPE_BLOB;
    if (type == MYSQL_TYPE_LONG || type == MYSQL_TYPE_LONGLONG)
        bind->buffer_type = type;
    /* Bytes have no room here: their size is asked for, then they are fetched
     * to where they belong. */
    bind->buffer_length =
        bind->buffer_type == MYSQL_TYPE_BLOB ? 0 : sizeof(p->cells[i]);
}

static bool bind_columns(struct cs_mysql_prepared *p)
{
    MYSQL_RES *names = mysql_stmt_result_metadata(p->stmt);

    if (!names)
        return false;
    for (unsigned i = 0; i < p->column_count; i++)
        bind_column(p, i, mysql_fetch_field_direct(names, i)->type);
    mysql_free_result(names);
    return !mysql_stmt_bind_result(p->stmt, p->columns);
}

bool cs_mysql_prepared_fit(struct cs_mysql_prepared *p,
                           const struct cs_statement *statement)
{
    p->param_count = (unsigned)mysql_stmt_param_count(p->stmt);
    p->column_count = mysql_stmt_field_count(p->stmt);
    if (p->param_count != statement->bind_count)
        return false;
    p->params = calloc(p->param_count + 1U, sizeof(*p->params));
    p->numbers = calloc(p->param_count + 1U, sizeof(*p->numbers));
    p->columns = calloc(p->column_count + 1U, sizeof(*p->columns));
    p->cells = calloc(p->column_count + 1U, sizeof(*p->cells));
    p->sizes = calloc(p->column_count + 1U, sizeof(*p->sizes));
    p->nulls = calloc(p->column_count + 1U, sizeof(*p->nulls));
    if (!p->params || !p->numbers || !p->columns || !p->cells || !p->sizes ||
        !p->nulls)
        return false;
    return !p->column_count || bind_columns(p);
}

static void put_number(const struct cs_mysql_prepared *p, unsigned i,
                       struct cs_buf *out)
{
    uint32_t small;

    if (p->columns[i].buffer_type == MYSQL_TYPE_LONGLONG) {
        cs_buf_put32(out, 8);
        cs_buf_put64(out, p->cells[i]);
        return;
    }
    memcpy(&small, &p->cells[i], sizeof(small));
    cs_buf_put32(out, 4);
    cs_buf_put32(out, small);
}

static void put_bytes(struct cs_mysql_prepared *p, unsigned i,
                      struct cs_buf *out)
{
    unsigned long size = p->sizes[i];
    MYSQL_BIND bind = {.buffer_type = MYSQL_TYPE_BLOB, .buffer_length = size};
    uint8_t *place = cs_buf_room(out, 4 + size);

    if (!place)
        return;
    cs_store32(place, (uint32_t)size);
    bind.buffer = place + 4;
    if (size && mysql_stmt_fetch_column(p->stmt, &bind, i, 0))
        out->fault = true;
    out->size += 4 + size;
}

bool cs_mysql_put_rows(struct cs_mysql_prepared *p, struct cs_buf *out,
                       uint32_t *rows)
{
    int fetched;

    *rows = 0;
    while ((fetched = mysql_stmt_fetch(p->stmt)) == 0 ||
           fetched == MYSQL_DATA_TRUNCATED) {
        ++*rows;
        for (unsigned i = 0; i < p->column_count; i++) {
            if (p->nulls[i])
                cs_buf_put32(out, UINT32_MAX);
            else if (p->columns[i].buffer_type == MYSQL_TYPE_BLOB)
                put_bytes(p, i, out);
            else
                put_number(p, i, out);
        }
    }
    mysql_stmt_free_result(p->stmt);
    return fetched == MYSQL_NO_DATA && !out->fault;
}
