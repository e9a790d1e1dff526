/* expected.c - a partition generated again: its rows with their values as the
 * server keeps them, and a hash table from clustering key to row. */
#include "operation/expected.h"

#include "types/order.h"

#include <stdlib.h>

#define ROWS_LEAST 64

void cs_expected_init(struct cs_expected *expected,
                      const struct cs_table *table, size_t max)
{
    *expected = (struct cs_expected){.table = table};
    cs_buf_init(&expected->cells, max);
    cs_buf_init(&expected->raw, max);
}

void cs_expected_release(struct cs_expected *expected)
{
    cs_buf_release(&expected->cells);
    cs_buf_release(&expected->raw);
    free(expected->rows);
    free(expected->buckets);
}

/* ---- order ---- */

int cs_prefix_compare(const struct cs_table *table, unsigned depth,
                      const uint8_t *a, const uint8_t *b)
{
    const struct cs_column *column = &table->columns[table->partition_count];
    int order = 0;

    for (unsigned i = 0; !order && i < depth; i++, column++) {
        order = cs_value_compare(column->type, a + 4, (int32_t)cs_load32(a),
                                 b + 4, (int32_t)cs_load32(b));
        a += cs_cells_span(a, 1);
        b += cs_cells_span(b, 1);
    }
    return order;
}

static bool is_inside(const struct cs_table *table,
                      const struct cs_slice *slice, const uint8_t *key)
{
    int from, to;

    if (!slice->depth)
        return true;
    from = cs_prefix_compare(table, slice->depth, key, slice->from);
    to = cs_prefix_compare(table, slice->depth, key, slice->to);
    return (from > 0 || (!from && slice->with_from)) &&
           (to < 0 || (!to && slice->with_to));
}

/* ---- rows ---- */

static struct cs_expected_row *new_row(struct cs_expected *e)
{
    if (e->count == e->row_cap) {
        size_t cap = CS_MAX(e->row_cap * 2, (size_t)ROWS_LEAST);
        struct cs_expected_row *more = realloc(e->rows, cap * sizeof(*more));

        if (!more)
            return NULL;
        e->rows = more;
        e->row_cap = cap;
    }
    e->rows[e->count] = (struct cs_expected_row){.place = e->cells.size};
    return &e->rows[e->count++];
}

/* The generator's current row. */
static void take_row(struct cs_expected *e, struct cs_generator *gen,
                     const struct cs_slice *slice)
{
    const struct cs_table *table = e->table;
    struct cs_expected_row *row = new_row(e);
    const uint8_t *cell;

    if (!row) {
        e->fault = true;
        return;
    }
    cs_buf_clear(&e->raw);
    for (unsigned i = 0; i < table->clustering_count; i++)
        cs_generator_put(gen, table->partition_count + i, &e->raw);
    cs_generator_put_values(gen, &e->raw);
    if (e->raw.fault)
        return;
    cell = e->raw.data;
    for (unsigned i = table->partition_count; i < table->column_count; i++) {
        if (i == cs_table_key_count(table))
            row->key_size = e->cells.size - row->place;
        cs_cell_settle(table->columns[i].type, cell, &e->cells);
        cell += cs_cells_span(cell, 1);
    }
    if (table->column_count == cs_table_key_count(table))
        row->key_size = e->cells.size - row->place;
    if (e->cells.fault)
        return;
    row->inside = is_inside(table, slice, e->cells.data + row->place);
    e->inside += row->inside;
}

/* ---- finding ---- */

static size_t hash_of(const uint8_t *key, size_t size)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

    for (size_t i = 0; i < size; i++)
        h = (h ^ key[i]) * UINT64_C(0x100000001b3);
    return (size_t)(h ^ h >> 32);
}

static bool make_buckets(struct cs_expected *e)
{
    size_t count = ROWS_LEAST;
    uint32_t *more;

    while (count < 2 * e->count)
        count *= 2;
    if (count > e->bucket_count) {
        more = realloc(e->buckets, count * sizeof(*more));
        if (!more)
            return false;
        e->buckets = more;
        e->bucket_count = count;
    }
    memset(e->buckets, 0, e->bucket_count * sizeof(*e->buckets));
    return true;
}

static size_t bucket_of(const struct cs_expected *e, const uint8_t *key,
                        size_t size)
{
    size_t at = hash_of(key, size) & (e->bucket_count - 1);

    while (e->buckets[at]) {
        const struct cs_expected_row *row = &e->rows[e->buckets[at] - 1];

        if (row->key_size == size &&
            (!size || !memcmp(cs_expected_cells(e, row), key, size)))
            break;
        at = (at + 1) & (e->bucket_count - 1);
    }
    return at;
}

struct cs_expected_row *cs_expected_find(struct cs_expected *expected,
                                         const uint8_t *key, size_t size)
{
    uint32_t found = expected->buckets[bucket_of(expected, key, size)];

    return found ? &expected->rows[found - 1] : NULL;
}

/* Two rows that are one for the server: the later one was written last. */
static void drop_earlier(struct cs_expected *e, struct cs_expected_row *row)
{
    e->inside -= row->inside;
    row->inside = false;
}

static bool index_rows(struct cs_expected *e)
{
    if (!make_buckets(e))
        return false;
    for (size_t i = 0; i < e->count; i++) {
        const struct cs_expected_row *row = &e->rows[i];
        size_t at = bucket_of(e, cs_expected_cells(e, row), row->key_size);

        if (e->buckets[at])
            drop_earlier(e, &e->rows[e->buckets[at] - 1]);
        e->buckets[at] = (uint32_t)i + 1;
    }
    return true;
}

bool cs_expected_fill(struct cs_expected *expected, struct cs_generator *gen,
                      const struct cs_slice *slice)
{
    cs_buf_clear(&expected->cells);
    expected->count = 0;
    expected->inside = 0;
    expected->fault = false;
    while (!expected->fault && cs_generator_next(gen)) {
        take_row(expected, gen, slice);
        expected->fault |= expected->raw.fault || expected->cells.fault;
    }
    expected->fault = expected->fault || !index_rows(expected);
    return !expected->fault;
}

void cs_expected_forget(struct cs_expected *expected)
{
    for (size_t i = 0; i < expected->count; i++)
        expected->rows[i].seen = false;
}
