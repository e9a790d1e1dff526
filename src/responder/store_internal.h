/* store_internal.h - rows in memory, of all tables, up to a size: partitions by
 * key, rows in clustering order. */
#ifndef CS_RESPONDER_STORE_INTERNAL_H
#define CS_RESPONDER_STORE_INTERNAL_H

#include "base/buf.h"
#include "schema/table.h"

struct cs_store; /* opaque */

/* The cells of all columns of the table in its order, each the int64 time of
 * its last write, an int32 size and so many bytes. The time of a row as a whole
 * is that of its first cell, which belongs to the key. */
struct cs_stored_row {
    uint32_t size;
    uint8_t cells[];
};

struct cs_partition {
    struct cs_partition *next; /* in its bucket */
    const struct cs_table *table;
    int64_t token;
    struct cs_stored_row *statics; /* NULL: it has none */
    struct cs_stored_row **rows;   /* owned, in clustering order */
    size_t row_count;
    size_t row_cap;
    uint32_t key_size;
    uint8_t key[]; /* as it is hashed */
};

/* One cell of a row; size -1: null. */
struct cs_cell {
    const uint8_t *data;
    int32_t size;
    int64_t written_us; /* as the writer has it; a null has it, too */
};

static inline void cs_cell_put(struct cs_buf *out, struct cs_cell cell)
{
    cs_buf_put64(out, (uint64_t)cell.written_us);
    cs_buf_put32(out, (uint32_t)CS_MAX(cell.size, -1));
    if (cell.size > 0)
        cs_buf_put(out, cell.data, (size_t)cell.size);
}

enum cs_code cs_store_new(size_t max_bytes, struct cs_store **out,
                          struct cs_err *err) CS_MUST_USE;
void cs_store_free(struct cs_store *store);
size_t cs_store_bytes(const struct cs_store *store);

struct cs_cell cs_row_cell(const struct cs_stored_row *row, unsigned column);

/* token of a key as it is hashed. */
int64_t cs_store_token(const uint8_t *key, size_t size);

/* NULL: there is none. */
struct cs_partition *cs_store_find(const struct cs_store *store,
                                   const struct cs_table *table,
                                   const uint8_t *key, size_t size);
/* Or a new, empty one. */
enum cs_code cs_store_make(struct cs_store *store, const struct cs_table *table,
                           const uint8_t *key, size_t size,
                           struct cs_partition **out,
                           struct cs_err *err) CS_MUST_USE;
/* Removes it and what is in it. */
void cs_store_drop(struct cs_store *store, struct cs_partition *partition);

/* Where a row with the clustering of these cells is, or would be inserted;
 * *out_found says which. */
size_t cs_partition_place(const struct cs_partition *partition,
                          const struct cs_stored_row *cells, bool *out_found);
/* Puts a copy of the cells there: in the place of the row that is found, or
 * before it. CS_ENOMEM: the store is full, nothing is changed. */
enum cs_code cs_store_put(struct cs_store *store,
                          struct cs_partition *partition, size_t at, bool found,
                          const struct cs_buf *cells,
                          struct cs_err *err) CS_MUST_USE;
/* cells NULL: it has none any more. */
enum cs_code cs_store_put_statics(struct cs_store *store,
                                  struct cs_partition *partition,
                                  const struct cs_buf *cells,
                                  struct cs_err *err) CS_MUST_USE;
void cs_store_remove(struct cs_store *store, struct cs_partition *partition,
                     size_t at);

/* The partitions of all tables by token: borrowed until one comes or goes.
 * NULL: no memory. */
struct cs_partition **cs_store_by_token(struct cs_store *store,
                                        size_t *out_count);

/* Rows of was belong to now: columns by name, of the same type; all others are
 * null. Their number is what the change may fail at: then they are dropped. */
void cs_store_alter(struct cs_store *store, const struct cs_table *was,
                    const struct cs_table *now);

/* Drops the partitions for which keep says no. */
void cs_store_sweep(struct cs_store *store,
                    bool (*keep)(void *ctx, const struct cs_table *table),
                    void *ctx);

#endif
