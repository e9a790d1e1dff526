/* expected.h - the rows that a partition should have, found by their clustering
 * key. Memory is kept from one partition to the next. */
#ifndef CS_OPERATION_EXPECTED_H
#define CS_OPERATION_EXPECTED_H

#include "base/reader.h"
#include "generate/generator.h"

/* The rows between two clustering prefixes, by the server's order. */
struct cs_slice {
    unsigned depth;      /* columns of the prefixes; 0: the whole partition */
    const uint8_t *from; /* cells one behind the other; borrowed */
    const uint8_t *to;
    bool with_from; /* rows of that very prefix are part of it */
    bool with_to;
};

struct cs_expected_row {
    size_t place;    /* of its cells: clustering, then values */
    size_t key_size; /* bytes of the clustering cells */
    bool inside;     /* of the slice */
    bool seen;
};

struct cs_expected {
    const struct cs_table *table; /* borrowed */
    struct cs_buf cells;
    struct cs_buf raw; /* of one row, as generated */
    struct cs_expected_row *rows;
    size_t row_cap;
    size_t count;
    size_t inside; /* rows of the slice */
    uint32_t *buckets;
    size_t bucket_count; /* a power of two */
    bool fault;          /* memory ran out */
};

void cs_expected_init(struct cs_expected *expected,
                      const struct cs_table *table, size_t max);
void cs_expected_release(struct cs_expected *expected);

/* Takes all rows that the generator's open partition offers. False: out of
 * memory. */
bool cs_expected_fill(struct cs_expected *expected, struct cs_generator *gen,
                      const struct cs_slice *slice);

/* No row has been seen. */
void cs_expected_forget(struct cs_expected *expected);

/* The row of these clustering cells, or NULL. */
struct cs_expected_row *cs_expected_find(struct cs_expected *expected,
                                         const uint8_t *key, size_t size);

static inline const uint8_t *
cs_expected_cells(const struct cs_expected *expected,
                  const struct cs_expected_row *row)
{
    return expected->cells.data + row->place;
}

/* Bytes of so many cells; they are known to be whole. */
static inline size_t cs_cells_span(const uint8_t *cells, unsigned count)
{
    const uint8_t *end = cells;

    for (unsigned i = 0; i < count; i++)
        end += 4 + CS_MAX((int32_t)cs_load32(end), 0);
    return (size_t)(end - cells);
}

/* The next cell of an answer: its address; it is passed over. */
static inline const uint8_t *cs_read_cell(struct cs_reader *r)
{
    const uint8_t *cell = r->p;
    int32_t size = (int32_t)cs_read32(r);

    cs_read_bytes(r, (size_t)CS_MAX(size, 0));
    return cell;
}

/* Below, equal or above, by the clustering columns in front. */
int cs_prefix_compare(const struct cs_table *table, unsigned depth,
                      const uint8_t *a, const uint8_t *b);

#endif
