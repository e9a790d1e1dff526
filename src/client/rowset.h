/* rowset.h - rows of a system table, cell by column name. */
#ifndef CS_CLIENT_ROWSET_H
#define CS_CLIENT_ROWSET_H

#include "protocol/result.h"

/* system.local of Cassandra 5.0 has 27 columns. */
#define CS_ROWSET_COLUMNS_MAX 128

struct cs_rowset {
    const struct cs_result *result; /* borrowed; rows with metadata */
    struct cs_reader cells;
    uint32_t rows_left;
    struct cs_view row[CS_ROWSET_COLUMNS_MAX];
};

enum cs_code cs_rowset_init(struct cs_rowset *rows,
                            const struct cs_result *result,
                            struct cs_err *err) CS_MUST_USE;

bool cs_rowset_next(struct cs_rowset *rows);

/* Null when the cell is or there is no such column. */
struct cs_view cs_rowset_get(const struct cs_rowset *rows, const char *name);

/* Text into the arena; NULL for a null cell or without memory. */
char *cs_rowset_text(const struct cs_rowset *rows, const char *name,
                     struct cs_arena *arena);

/* 0 for anything but an int. */
int32_t cs_rowset_int(const struct cs_rowset *rows, const char *name);

/* The element count of a list, set (stride 1) or map (stride 2) and a reader
 * behind it; 0 for null and for broken ones. */
uint32_t cs_collection_open(struct cs_view cell, unsigned stride,
                            struct cs_reader *out);

#endif
