/* latencies.c - an array that costs an addition per sample, and an open hash
 * map for the values that it does not reach. */
#include "sbk/latencies.h"

#include <stdlib.h>
#include <string.h>

/* 2 MB: all milliseconds up to 180 s, or microseconds up to a quarter of a
 * second. */
#define DENSE_MAX   ((size_t)1 << 18)
#define CELLS_FIRST ((size_t)1 << 10)

enum cs_code cs_sbk_latencies_init(struct cs_sbk_latencies *l, int64_t least,
                                   int64_t most, struct cs_err *err)
{
    uint64_t range = (uint64_t)most - (uint64_t)least;

    *l = (struct cs_sbk_latencies){
        .least = least,
        .cells_max = CS_SBK_CELLS_MAX,
        .dense_size = range < DENSE_MAX ? (size_t)range + 1 : DENSE_MAX};
    l->dense = calloc(l->dense_size, sizeof(*l->dense));
    if (!l->dense)
        return cs_fail(err, CS_ENOMEM, "table of latencies: out of memory");
    return CS_OK;
}

void cs_sbk_latencies_bound(struct cs_sbk_latencies *l, size_t cells)
{
    l->cells_max = CELLS_FIRST;
    while (l->cells_max * 2 <= cells)
        l->cells_max *= 2;
}

void cs_sbk_latencies_release(struct cs_sbk_latencies *l)
{
    free(l->dense);
    free(l->cells);
    *l = (struct cs_sbk_latencies){0};
}

void cs_sbk_latencies_clear(struct cs_sbk_latencies *l)
{
    memset(l->dense, 0, l->dense_used * sizeof(*l->dense));
    l->dense_used = 0;
    if (l->cell_count)
        memset(l->cells, 0, l->cell_cap * sizeof(*l->cells));
    l->cell_count = 0;
}

/* ---- the map ---- */

static size_t place_of(int64_t value, size_t cap)
{
    uint64_t h = (uint64_t)value * UINT64_C(0x9E3779B97F4A7C15);

    return (size_t)(h >> 32) & (cap - 1);
}

static struct cs_sbk_cell *find_cell(struct cs_sbk_cell *cells, size_t cap,
                                     int64_t value)
{
    size_t i = place_of(value, cap);

    while (cells[i].count && cells[i].value != value)
        i = (i + 1) & (cap - 1);
    return &cells[i];
}

static CS_NOINLINE bool grow(struct cs_sbk_latencies *l)
{
    size_t cap = l->cell_cap ? l->cell_cap * 2 : CELLS_FIRST;
    struct cs_sbk_cell *cells;

    if (cap > l->cells_max)
        return false;
    cells = calloc(cap, sizeof(*cells));
    if (!cells)
        return false;
    for (size_t i = 0; i < l->cell_cap; i++)
        if (l->cells[i].count)
            *find_cell(cells, cap, l->cells[i].value) = l->cells[i];
    free(l->cells);
    l->cells = cells;
    l->cell_cap = cap;
    return true;
}

/* At most three quarters are in use. */
static bool has_room(const struct cs_sbk_latencies *l)
{
    return (l->cell_count + 1) * 4 <= l->cell_cap * 3;
}

static bool add_cell(struct cs_sbk_latencies *l, int64_t value, uint64_t count)
{
    struct cs_sbk_cell *cell =
        l->cell_cap ? find_cell(l->cells, l->cell_cap, value) : NULL;

    if (!cell || !cell->count) {
        if (!has_room(l) && !grow(l))
            return false;
        cell = find_cell(l->cells, l->cell_cap, value);
        l->cell_count++;
        cell->value = value;
    }
    cell->count += count;
    return true;
}

bool cs_sbk_latencies_add(struct cs_sbk_latencies *l, int64_t value,
                          uint64_t count)
{
    uint64_t i = (uint64_t)value - (uint64_t)l->least;

    if (CS_UNLIKELY(i >= l->dense_size))
        return add_cell(l, value, count);
    l->dense[i] += count;
    if (i >= l->dense_used)
        l->dense_used = (size_t)i + 1;
    return true;
}

static uint64_t move(struct cs_sbk_latencies *l, int64_t value, uint64_t count)
{
    if (!count || cs_sbk_latencies_add(l, value, count))
        return 0;
    return count;
}

uint64_t cs_sbk_latencies_merge(struct cs_sbk_latencies *l,
                                const struct cs_sbk_latencies *from)
{
    uint64_t lost = 0;

    for (size_t i = 0; i < from->dense_used; i++)
        lost += move(l, from->least + (int64_t)i, from->dense[i]);
    for (size_t i = 0; i < from->cell_cap; i++)
        lost += move(l, from->cells[i].value, from->cells[i].count);
    return lost;
}

bool cs_sbk_latencies_crowded(const struct cs_sbk_latencies *l)
{
    return l->cell_count > l->cells_max / 2;
}

bool cs_sbk_latencies_fit(const struct cs_sbk_latencies *l,
                          const struct cs_sbk_latencies *from)
{
    return l->cell_count + from->cell_count <= l->cells_max / 4 * 3;
}

/* ---- percentiles ---- */

static int by_value(const void *a, const void *b)
{
    const struct cs_sbk_cell *x = a;
    const struct cs_sbk_cell *y = b;

    return (x->value > y->value) - (x->value < y->value);
}

/* The cells in use, ascending; NULL when there are none, or no memory. */
static struct cs_sbk_cell *sorted(const struct cs_sbk_latencies *l)
{
    struct cs_sbk_cell *cells;
    size_t used = 0;

    if (!l->cell_count)
        return NULL;
    cells = calloc(l->cell_count, sizeof(*cells));
    for (size_t i = 0; cells && i < l->cell_cap; i++)
        if (l->cells[i].count)
            cells[used++] = l->cells[i];
    if (cells)
        qsort(cells, used, sizeof(*cells), by_value);
    return cells;
}

/* The percentiles that are still looked for, and how many values are below. */
struct search {
    const int *hundredths;
    size_t count;
    size_t found;
    int64_t *values;
    uint64_t *counts;
    uint64_t total;
    uint64_t below;
};

static void pass_value(struct search *s, int64_t value, uint64_t count)
{
    s->below += count;
    while (s->found < s->count &&
           s->total * (uint64_t)s->hundredths[s->found] / 10000 < s->below) {
        s->values[s->found] = value;
        s->counts[s->found++] = count;
    }
}

static uint64_t count_all(const struct cs_sbk_latencies *l)
{
    uint64_t total = 0;

    for (size_t i = 0; i < l->dense_used; i++)
        total += l->dense[i];
    for (size_t i = 0; i < l->cell_cap; i++)
        total += l->cells[i].count;
    return total;
}

bool cs_sbk_latencies_at(const struct cs_sbk_latencies *l,
                         const int *hundredths, size_t count, int64_t *values,
                         uint64_t *counts)
{
    struct search search = {.hundredths = hundredths,
                            .count = count,
                            .values = values,
                            .counts = counts,
                            .total = count_all(l)};
    struct cs_sbk_cell *cells = sorted(l);

    memset(values, 0, count * sizeof(*values));
    memset(counts, 0, count * sizeof(*counts));
    for (size_t i = 0; i < l->dense_used; i++)
        if (l->dense[i])
            pass_value(&search, l->least + (int64_t)i, l->dense[i]);
    for (size_t i = 0; cells && i < l->cell_count; i++)
        pass_value(&search, cells[i].value, cells[i].count);
    free(cells);
    return cells || !l->cell_count;
}
