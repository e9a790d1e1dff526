/* printer.c - the values of a request between the fixed parts of a line. What
 * does not change from row to row is made once per kind of operation. */
#include "offline/printer.h"

#include "base/text.h"
#include "types/literal.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* Text is written when so much has come together. */
#define WRITE_SIZE ((size_t)1 << 18)
/* Longest line: a row's values in hex, several times over. */
#define LINE_MAX_SIZE ((size_t)1 << 31)

/* Fixed text and the value behind it. */
struct piece {
    const char *text;
    size_t size;
    unsigned marker;
    const struct cs_type *type;
};

struct layout {
    struct piece *pieces;
    unsigned count;
    const char *end;
    size_t end_size;
};

struct cell {
    const uint8_t *bytes;
    int32_t size; /* -1: null */
};

struct cs_printer {
    struct cs_arena arena;
    int fd;
    bool cql;
    struct layout *layouts; /* by kind */
    struct cell *cells;     /* of one row, by marker */
    struct cs_buf text;
};

/* ---- layouts ---- */

static enum cs_code take_text(struct cs_printer *printer, struct cs_buf *text,
                              const char **out, size_t *size,
                              struct cs_err *err)
{
    enum cs_code rc = cs_buf_check(text, "a statement", err);

    if (rc)
        return rc;
    *size = text->size;
    *out = cs_arena_bytes(&printer->arena, text->size ? text->data : NULL,
                          text->size);
    cs_buf_clear(text);
    return *out ? CS_OK : cs_fail(err, CS_ENOMEM, "rows: out of memory");
}

/* Columns in the table's order, each with the marker that it is bound to. */
static enum cs_code json_layout(struct cs_printer *printer,
                                const struct cs_kind *kind,
                                const struct cs_table *table,
                                struct layout *layout, struct cs_buf *text,
                                struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    for (unsigned m = 0; m < kind->bind_count; m++)
        layout->pieces[kind->bind_columns[m]].marker = m;
    layout->count = table->column_count;
    for (unsigned i = 0; i < layout->count && !rc; i++) {
        struct piece *piece = &layout->pieces[i];

        cs_buf_put8(text, i ? ',' : '{');
        cs_put_json(text, table->columns[i].name,
                    strlen(table->columns[i].name));
        cs_buf_put8(text, ':');
        rc = take_text(printer, text, &piece->text, &piece->size, err);
    }
    cs_buf_puts(text, "}\n");
    return rc ? rc
              : take_text(printer, text, &layout->end, &layout->end_size, err);
}

/* Copies up to the next marker outside of quotes and returns where it is, or
 * the end of the text. */
static const char *copy_to_marker(struct cs_buf *text, const char *cql)
{
    char quote = 0;

    for (; *cql && (quote || *cql != '?'); cql++) {
        if (quote == *cql)
            quote = 0;
        else if (!quote && (*cql == '"' || *cql == '\''))
            quote = *cql;
        /* A row is a line: a profile's condition may have several. */
        cs_buf_put8(text, quote || *cql != '\n' ? (uint8_t)*cql : ' ');
    }
    return cql;
}

/* The statement cut at its markers. */
static enum cs_code cql_layout(struct cs_printer *printer,
                               const struct cs_kind *kind,
                               const struct cs_table *table,
                               struct layout *layout, struct cs_buf *text,
                               struct cs_err *err)
{
    const char *cql = kind->statement->cql;
    enum cs_code rc = CS_OK;

    layout->count = kind->bind_count;
    for (unsigned m = 0; m < layout->count && !rc; m++) {
        struct piece *piece = &layout->pieces[m];

        cql = copy_to_marker(text, cql);
        cql += *cql == '?';
        piece->marker = m;
        piece->type = table->columns[kind->bind_columns[m]].type;
        rc = take_text(printer, text, &piece->text, &piece->size, err);
    }
    (void)copy_to_marker(text, cql);
    while (text->size && text->data[text->size - 1] == ' ')
        text->size--;
    cs_buf_puts(text, ";\n");
    return rc ? rc
              : take_text(printer, text, &layout->end, &layout->end_size, err);
}

static enum cs_code new_layout(struct cs_printer *printer,
                               const struct cs_workload *workload,
                               unsigned index, struct cs_err *err)
{
    const struct cs_kind *kind = &workload->kinds[index];
    const struct cs_table *table = workload->sources[kind->source].table;
    struct layout *layout = &printer->layouts[index];
    struct cs_buf text;
    enum cs_code rc;

    layout->pieces = cs_arena_array(&printer->arena, kind->bind_count,
                                    sizeof(*layout->pieces));
    if (!layout->pieces)
        return cs_fail(err, CS_ENOMEM, "rows: out of memory");
    cs_buf_init(&text, LINE_MAX_SIZE);
    rc = printer->cql ? cql_layout(printer, kind, table, layout, &text, err)
                      : json_layout(printer, kind, table, layout, &text, err);
    cs_buf_release(&text);
    return rc;
}

static enum cs_code init(struct cs_printer *printer,
                         const struct cs_workload *workload, struct cs_err *err)
{
    unsigned most = 0;
    enum cs_code rc = CS_OK;

    for (unsigned i = 0; i < workload->kind_count; i++)
        most = CS_MAX(most, workload->kinds[i].bind_count);
    printer->layouts = cs_arena_array(&printer->arena, workload->kind_count,
                                      sizeof(*printer->layouts));
    printer->cells =
        cs_arena_array(&printer->arena, most, sizeof(*printer->cells));
    if (!printer->layouts || !printer->cells)
        return cs_fail(err, CS_ENOMEM, "rows: out of memory");
    for (unsigned i = 0; i < workload->kind_count && !rc; i++)
        rc = new_layout(printer, workload, i, err);
    return rc;
}

enum cs_code cs_printer_new(const struct cs_workload *workload, int fd,
                            struct cs_printer **out, struct cs_err *err)
{
    struct cs_printer *printer = calloc(1, sizeof(*printer));
    enum cs_code rc;

    if (!printer)
        return cs_fail(err, CS_ENOMEM, "rows: out of memory");
    cs_arena_init(&printer->arena);
    cs_buf_init(&printer->text, LINE_MAX_SIZE + WRITE_SIZE);
    printer->fd = fd;
    printer->cql = workload->settings->rows.format == CS_ROWS_CQL;
    rc = init(printer, workload, err);
    if (rc)
        cs_printer_free(printer);
    else
        *out = printer;
    return rc;
}

void cs_printer_free(struct cs_printer *printer)
{
    if (!printer)
        return;
    cs_arena_release(&printer->arena);
    cs_buf_release(&printer->text);
    free(printer);
}

/* ---- rows ---- */

static void put_json_value(struct cs_buf *text, const struct cell *cell)
{
    if (cell->size < 0) {
        cs_buf_puts(text, "null");
        return;
    }
    cs_buf_put8(text, '"');
    cs_put_hex(text, cell->bytes, (size_t)cell->size);
    cs_buf_put8(text, '"');
}

static void put_line(struct cs_printer *printer, const struct layout *layout)
{
    struct cs_buf *text = &printer->text;

    for (unsigned i = 0; i < layout->count; i++) {
        const struct piece *piece = &layout->pieces[i];
        const struct cell *cell = &printer->cells[piece->marker];

        cs_buf_put(text, piece->text, piece->size);
        if (printer->cql)
            cs_literal_put(text, piece->type, cell->bytes, cell->size);
        else
            put_json_value(text, cell);
    }
    cs_buf_put(text, layout->end, layout->end_size);
}

enum cs_code cs_printer_put(struct cs_printer *printer,
                            const struct cs_job *job, struct cs_err *err)
{
    const struct layout *layout = &printer->layouts[job->kind_index];
    const uint8_t *at = job->op.values.data;
    enum cs_code rc = CS_OK;

    for (uint32_t row = 0; row < job->op.row_count && !rc; row++) {
        for (unsigned m = 0; m < job->kind->bind_count; m++) {
            struct cell *cell = &printer->cells[m];

            cell->size = (int32_t)cs_load32(at);
            cell->bytes = at + 4;
            at += 4 + CS_MAX(cell->size, 0);
        }
        put_line(printer, layout);
        if (CS_UNLIKELY(printer->text.fault))
            rc = cs_fail(err, CS_ENOMEM, "rows: a row is too long for memory");
        else if (printer->text.size >= WRITE_SIZE)
            rc = cs_printer_flush(printer, err);
    }
    return rc;
}

enum cs_code cs_printer_flush(struct cs_printer *printer, struct cs_err *err)
{
    const struct cs_buf *text = &printer->text;
    size_t done = 0;

    while (done < text->size) {
        ssize_t size = write(printer->fd, text->data + done, text->size - done);

        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0)
            return cs_fail_sys(err, "cannot write to standard output");
        done += (size_t)size;
    }
    cs_buf_clear(&printer->text);
    return CS_OK;
}
