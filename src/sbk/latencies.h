/* latencies.h - how often each latency came, exactly: an array for what is
 * small, a hash map above it. One writer. */
#ifndef CS_SBK_LATENCIES_H
#define CS_SBK_LATENCIES_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Cells of a map, at most, unless it is bound to fewer: 256 MB, as in SBK. */
#define CS_SBK_CELLS_MAX ((size_t)1 << 24)

struct cs_sbk_cell {
    int64_t value;
    uint64_t count; /* 0: free */
};

struct cs_sbk_latencies {
    int64_t least;   /* the first value of the array */
    uint64_t *dense; /* owned */
    size_t dense_size;
    size_t dense_used;         /* nothing is counted from here on */
    struct cs_sbk_cell *cells; /* owned; a power of two, or NULL */
    size_t cell_cap;
    size_t cell_count;
    size_t cells_max;
};

/* For values from least to most, which the caller keeps to. */
enum cs_code cs_sbk_latencies_init(struct cs_sbk_latencies *l, int64_t least,
                                   int64_t most,
                                   struct cs_err *err) CS_MUST_USE;
void cs_sbk_latencies_release(struct cs_sbk_latencies *l);
void cs_sbk_latencies_clear(struct cs_sbk_latencies *l);

/* Before the first value: at most so many cells, rounded down to a power of
 * two. Three quarters of them can be in use. */
void cs_sbk_latencies_bound(struct cs_sbk_latencies *l, size_t cells);

/* Whether the value could be counted: the map grows up to its bound. What is
 * in it already always counts. */
bool cs_sbk_latencies_add(struct cs_sbk_latencies *l, int64_t value,
                          uint64_t count);

/* Adds all counts of from; returns how many found no room. */
uint64_t cs_sbk_latencies_merge(struct cs_sbk_latencies *l,
                                const struct cs_sbk_latencies *from);

/* Whether more than half of the bound is in use. */
bool cs_sbk_latencies_crowded(const struct cs_sbk_latencies *l);
/* Whether all of from has room in it. */
bool cs_sbk_latencies_fit(const struct cs_sbk_latencies *l,
                          const struct cs_sbk_latencies *from);

/* The value at index floor(n x hundredths / 10000) of all n values in
 * ascending order, and how often it came; zeros when there are none. The
 * percentiles ascend. False: no memory to sort. */
bool cs_sbk_latencies_at(const struct cs_sbk_latencies *l,
                         const int *hundredths, size_t count, int64_t *values,
                         uint64_t *counts);

#endif
