/* store.c - rows in memory: a hash table of partitions. */
#include "responder/store_internal.h"

#include "base/murmur3.h"
#include "types/order.h"

#include <stdlib.h>

#define BUCKETS_FIRST ((size_t)1024)

#define CELL_HEAD 12 /* time and size */

struct cs_store {
    struct cs_partition **buckets; /* owned */
    size_t bucket_count;           /* a power of two */
    size_t count;
    size_t bytes;
    size_t max;
    struct cs_partition **sorted; /* owned; by token */
    bool unsorted;
};

enum cs_code cs_store_new(size_t max_bytes, struct cs_store **out,
                          struct cs_err *err)
{
    struct cs_store *store = calloc(1, sizeof(*store));

    if (store)
        store->buckets = calloc(BUCKETS_FIRST, sizeof(struct cs_partition *));
    if (!store || !store->buckets) {
        free(store);
        return cs_fail(err, CS_ENOMEM, "no memory for rows");
    }
    store->bucket_count = BUCKETS_FIRST;
    store->max = max_bytes;
    *out = store;
    return CS_OK;
}

static size_t row_bytes(const struct cs_stored_row *row)
{
    return row ? sizeof(*row) + row->size : 0;
}

static void free_partition(struct cs_store *store,
                           struct cs_partition *partition)
{
    store->bytes -= sizeof(*partition) + partition->key_size +
                    row_bytes(partition->statics);
    for (size_t i = 0; i < partition->row_count; i++) {
        store->bytes -= row_bytes(partition->rows[i]) + sizeof(void *);
        free(partition->rows[i]);
    }
    free(partition->rows);
    free(partition->statics);
    free(partition);
    store->count--;
    store->unsorted = true;
}

static bool keep_none(void *ctx, const struct cs_table *table)
{
    (void)ctx;
    (void)table;
    return false;
}

void cs_store_free(struct cs_store *store)
{
    if (!store)
        return;
    cs_store_sweep(store, keep_none, NULL);
    free(store->sorted);
    free(store->buckets);
    free(store);
}

size_t cs_store_bytes(const struct cs_store *store)
{
    return store->bytes;
}

struct cs_cell cs_row_cell(const struct cs_stored_row *row, unsigned column)
{
    const uint8_t *p = row->cells;
    int32_t size = (int32_t)cs_load32(p + 8);

    for (; column; column--) {
        p += CELL_HEAD + CS_MAX(size, 0);
        size = (int32_t)cs_load32(p + 8);
    }
    return (struct cs_cell){.data = p + CELL_HEAD,
                            .size = size,
                            .written_us = (int64_t)cs_load64(p)};
}

int64_t cs_store_token(const uint8_t *key, size_t size)
{
    int64_t token = cs_murmur3(key, size);

    return token == INT64_MIN ? INT64_MAX : token;
}

/* ---- partitions ---- */

static struct cs_partition **bucket_of(const struct cs_store *store,
                                       int64_t token)
{
    return &store->buckets[(uint64_t)token & (store->bucket_count - 1)];
}

struct cs_partition *cs_store_find(const struct cs_store *store,
                                   const struct cs_table *table,
                                   const uint8_t *key, size_t size)
{
    int64_t token = cs_store_token(key, size);
    struct cs_partition *found = *bucket_of(store, token);

    while (found && (found->token != token || found->table != table ||
                     found->key_size != size ||
                     (size && memcmp(found->key, key, size) != 0)))
        found = found->next;
    return found;
}

/* Twice the buckets; when there is no memory for them chains get longer. */
static void spread(struct cs_store *store)
{
    struct cs_store wider = {.bucket_count = 2 * store->bucket_count};

    wider.buckets = calloc(wider.bucket_count, sizeof(struct cs_partition *));
    if (!wider.buckets)
        return;
    for (size_t i = 0; i < store->bucket_count; i++) {
        struct cs_partition *next;

        for (struct cs_partition *p = store->buckets[i]; p; p = next) {
            struct cs_partition **to = bucket_of(&wider, p->token);

            next = p->next;
            p->next = *to;
            *to = p;
        }
    }
    free(store->buckets);
    store->buckets = wider.buckets;
    store->bucket_count = wider.bucket_count;
}

static enum cs_code no_room(const struct cs_store *store, struct cs_err *err)
{
    return cs_fail(err, CS_ENOMEM,
                   "stored=: more than %zu bytes of rows are not kept",
                   store->max);
}

static bool has_room(const struct cs_store *store, size_t bytes)
{
    return bytes <= store->max && store->bytes <= store->max - bytes;
}

enum cs_code cs_store_make(struct cs_store *store, const struct cs_table *table,
                           const uint8_t *key, size_t size,
                           struct cs_partition **out, struct cs_err *err)
{
    struct cs_partition *partition = cs_store_find(store, table, key, size);
    struct cs_partition **bucket;

    *out = partition;
    if (partition)
        return CS_OK;
    if (!has_room(store, sizeof(*partition) + size))
        return no_room(store, err);
    partition = calloc(1, sizeof(*partition) + size);
    if (!partition)
        return cs_fail(err, CS_ENOMEM, "no memory for rows");
    partition->table = table;
    partition->token = cs_store_token(key, size);
    partition->key_size = (uint32_t)size;
    if (size)
        memcpy(partition->key, key, size);
    if (store->count == 2 * store->bucket_count)
        spread(store);
    bucket = bucket_of(store, partition->token);
    partition->next = *bucket;
    *bucket = partition;
    store->count++;
    store->bytes += sizeof(*partition) + size;
    store->unsorted = true;
    *out = partition;
    return CS_OK;
}

void cs_store_drop(struct cs_store *store, struct cs_partition *partition)
{
    struct cs_partition **at = bucket_of(store, partition->token);

    while (*at != partition)
        at = &(*at)->next;
    *at = partition->next;
    free_partition(store, partition);
}

void cs_store_sweep(struct cs_store *store,
                    bool (*keep)(void *ctx, const struct cs_table *table),
                    void *ctx)
{
    for (size_t i = 0; i < store->bucket_count; i++) {
        struct cs_partition **at = &store->buckets[i];

        while (*at) {
            struct cs_partition *partition = *at;

            if (keep(ctx, partition->table)) {
                at = &partition->next;
                continue;
            }
            *at = partition->next;
            free_partition(store, partition);
        }
    }
}

/* ---- by token ---- */

static int compare_tokens(const void *a, const void *b)
{
    int64_t x = (*(struct cs_partition *const *)a)->token;
    int64_t y = (*(struct cs_partition *const *)b)->token;

    return x < y ? -1 : x > y;
}

struct cs_partition **cs_store_by_token(struct cs_store *store,
                                        size_t *out_count)
{
    struct cs_partition **sorted;
    size_t count = 0;

    *out_count = store->count;
    if (store->sorted && !store->unsorted)
        return store->sorted;
    sorted = realloc(store->sorted, (store->count + 1) * sizeof(*sorted));
    if (!sorted)
        return NULL;
    store->sorted = sorted;
    for (size_t i = 0; i < store->bucket_count; i++)
        for (struct cs_partition *p = store->buckets[i]; p; p = p->next)
            sorted[count++] = p;
    qsort(sorted, count, sizeof(struct cs_partition *), compare_tokens);
    store->unsorted = false;
    return sorted;
}

/* ---- rows ---- */

static int compare_clustering(const struct cs_table *table,
                              const struct cs_stored_row *a,
                              const struct cs_stored_row *b)
{
    unsigned first = table->partition_count;

    for (unsigned i = first; i < first + table->clustering_count; i++) {
        struct cs_cell x = cs_row_cell(a, i);
        struct cs_cell y = cs_row_cell(b, i);
        int order = cs_value_compare(table->columns[i].type, x.data, x.size,
                                     y.data, y.size);

        if (order)
            return table->columns[i].descending ? -order : order;
    }
    return 0;
}

size_t cs_partition_place(const struct cs_partition *partition,
                          const struct cs_stored_row *cells, bool *out_found)
{
    size_t low = 0;
    size_t high = partition->row_count;

    *out_found = false;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_clustering(partition->table,
                                       partition->rows[middle], cells);

        if (!order) {
            *out_found = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A copy of the cells in the place of *row. */
static enum cs_code put_row(struct cs_store *store, struct cs_stored_row **row,
                            const struct cs_buf *cells, struct cs_err *err)
{
    size_t old = row_bytes(*row);
    size_t size = sizeof(**row) + cells->size;
    struct cs_stored_row *copy;

    if (cells->fault || !has_room(store, size > old ? size - old : 0))
        return no_room(store, err);
    copy = malloc(size);
    if (!copy)
        return cs_fail(err, CS_ENOMEM, "no memory for rows");
    copy->size = (uint32_t)cells->size;
    memcpy(copy->cells, cells->data, cells->size);
    free(*row);
    *row = copy;
    store->bytes += size;
    store->bytes -= old;
    return CS_OK;
}

static enum cs_code make_row_room(struct cs_partition *partition,
                                  struct cs_err *err)
{
    size_t cap = partition->row_cap ? 2 * partition->row_cap : 1;
    struct cs_stored_row **rows;

    if (partition->row_count < partition->row_cap)
        return CS_OK;
    rows = realloc(partition->rows, cap * sizeof(*rows));
    if (!rows)
        return cs_fail(err, CS_ENOMEM, "no memory for rows");
    partition->rows = rows;
    partition->row_cap = cap;
    return CS_OK;
}

enum cs_code cs_store_put(struct cs_store *store,
                          struct cs_partition *partition, size_t at, bool found,
                          const struct cs_buf *cells, struct cs_err *err)
{
    struct cs_stored_row *row = NULL;
    enum cs_code rc;

    if (found)
        return put_row(store, &partition->rows[at], cells, err);
    rc = make_row_room(partition, err);
    if (!rc)
        rc = put_row(store, &row, cells, err);
    if (rc)
        return rc;
    memmove(partition->rows + at + 1, partition->rows + at,
            (partition->row_count - at) * sizeof(struct cs_stored_row *));
    partition->rows[at] = row;
    partition->row_count++;
    store->bytes += sizeof(void *);
    return CS_OK;
}

enum cs_code cs_store_put_statics(struct cs_store *store,
                                  struct cs_partition *partition,
                                  const struct cs_buf *cells,
                                  struct cs_err *err)
{
    if (cells)
        return put_row(store, &partition->statics, cells, err);
    store->bytes -= row_bytes(partition->statics);
    free(partition->statics);
    partition->statics = NULL;
    return CS_OK;
}

void cs_store_remove(struct cs_store *store, struct cs_partition *partition,
                     size_t at)
{
    store->bytes -= row_bytes(partition->rows[at]) + sizeof(void *);
    free(partition->rows[at]);
    partition->row_count--;
    memmove(partition->rows + at, partition->rows + at + 1,
            (partition->row_count - at) * sizeof(struct cs_stored_row *));
}

/* ---- another shape ---- */

static void put_reshaped(const struct cs_stored_row *row,
                         const struct cs_table *was, const struct cs_table *now,
                         struct cs_buf *out)
{
    cs_buf_clear(out);
    for (unsigned i = 0; i < now->column_count; i++) {
        int k = cs_table_column(was, now->columns[i].name);
        struct cs_cell cell = {.size = -1};

        /* A column that is part of the key keeps its place under a new name. */
        if (i < cs_table_key_count(now))
            k = (int)i;
        if (k >= 0 && cs_type_equal(was->columns[k].type, now->columns[i].type))
            cell = cs_row_cell(row, (unsigned)k);
        cs_cell_put(out, cell);
    }
}

void cs_store_alter(struct cs_store *store, const struct cs_table *was,
                    const struct cs_table *now)
{
    struct cs_buf cells;

    cs_buf_init(&cells, store->max);
    for (size_t i = 0; i < store->bucket_count; i++) {
        for (struct cs_partition *p = store->buckets[i]; p; p = p->next) {
            bool fits = p->table == was;

            if (fits && p->statics) {
                put_reshaped(p->statics, was, now, &cells);
                fits = !put_row(store, &p->statics, &cells, NULL);
            }
            for (size_t k = 0; k < p->row_count && fits; k++) {
                put_reshaped(p->rows[k], was, now, &cells);
                fits = !put_row(store, &p->rows[k], &cells, NULL);
            }
            if (fits)
                p->table = now;
        }
    }
    cs_buf_release(&cells);
}
