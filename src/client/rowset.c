/* rowset.c - cells of system tables by name. */
#include "client/rowset.h"

enum cs_code cs_rowset_init(struct cs_rowset *rows,
                            const struct cs_result *result, struct cs_err *err)
{
    if (result->kind != CS_RESULT_KIND_ROWS || !result->metadata.columns ||
        result->metadata.column_count > CS_ROWSET_COLUMNS_MAX)
        return cs_fail(err, CS_EPROTOCOL, "expected rows with their columns");
    rows->result = result;
    rows->cells = result->cells;
    rows->rows_left = result->row_count;
    return CS_OK;
}

bool cs_rowset_next(struct cs_rowset *rows)
{
    if (!rows->rows_left)
        return false;
    rows->rows_left--;
    for (uint32_t i = 0; i < rows->result->metadata.column_count; i++)
        rows->row[i] = cs_read_blob(&rows->cells);
    return true;
}

struct cs_view cs_rowset_get(const struct cs_rowset *rows, const char *name)
{
    const struct cs_metadata *metadata = &rows->result->metadata;

    for (uint32_t i = 0; i < metadata->column_count; i++)
        if (!strcmp(metadata->columns[i].name, name))
            return rows->row[i];
    return cs_view_of(NULL, 0);
}

char *cs_rowset_text(const struct cs_rowset *rows, const char *name,
                     struct cs_arena *arena)
{
    struct cs_view cell = cs_rowset_get(rows, name);

    return cell.data ? cs_arena_bytes(arena, cell.data, cell.size) : NULL;
}

int32_t cs_rowset_int(const struct cs_rowset *rows, const char *name)
{
    struct cs_view cell = cs_rowset_get(rows, name);

    return cell.size == 4 ? (int32_t)cs_load32(cell.data) : 0;
}

uint32_t cs_collection_open(struct cs_view cell, unsigned stride,
                            struct cs_reader *out)
{
    if (!cell.data)
        return 0;
    *out = cs_reader_of(cell.data, cell.size);
    return cs_read_count(out, cs_read32(out), (size_t)4 * stride);
}
