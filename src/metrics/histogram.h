/* histogram.h - how long operations took: log-linear buckets of three
 * significant digits, the same as HdrHistogram's. One writer. */
#ifndef CS_METRICS_HISTOGRAM_H
#define CS_METRICS_HISTOGRAM_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* Highest value with a bucket of its own: 2 hours and 26 minutes. The first
 * bits of an index choose the power of two, the other ten the bucket in it. */
#define CS_HISTOGRAM_TOP_BITS 43
#define CS_HISTOGRAM_TOP_NS   ((INT64_C(1) << CS_HISTOGRAM_TOP_BITS) - 1)
#define CS_HISTOGRAM_BUCKETS  ((CS_HISTOGRAM_TOP_BITS - 9) * 1024)

struct cs_histogram; /* opaque */

/* Rank rule of percentiles. */
enum cs_rank_rule {
    CS_RANK_OLD, /* library 2.1.9: 3.8-4.0.11, 4.1.0-4.1.3 */
    CS_RANK_NEW, /* library 2.1.12: 5.0 */
};

/* All buckets are there from the start (272 KiB of address space, of which
 * only the touched pages take memory), so that recording never allocates. On
 * success the caller owns *out. */
enum cs_code cs_histogram_new(struct cs_histogram **out,
                              struct cs_err *err) CS_MUST_USE;
void cs_histogram_free(struct cs_histogram *h);

/* Never fails, never allocates. Values above CS_HISTOGRAM_TOP_NS are counted
 * in the top bucket and in cs_histogram_clipped(), so that no report can hide
 * a slow tail. Negative values count as 0. */
void cs_histogram_record(struct cs_histogram *h, int64_t value_ns);

/* These cost as much as the range of buckets in use, not all of them. */
void cs_histogram_add(struct cs_histogram *to, const struct cs_histogram *from);
/* Takes out samples that were put in before: less is a part of from. */
void cs_histogram_subtract(struct cs_histogram *from,
                           const struct cs_histogram *less);
void cs_histogram_clear(struct cs_histogram *h);

uint64_t cs_histogram_count(const struct cs_histogram *h);
/* In buckets above that of the value. */
uint64_t cs_histogram_count_above(const struct cs_histogram *h,
                                  int64_t value_ns);
uint64_t cs_histogram_clipped(const struct cs_histogram *h);
double cs_histogram_mean(const struct cs_histogram *h); /* ns, 0 when empty */
int64_t cs_histogram_max(const struct cs_histogram *h); /* of its bucket */
int64_t cs_histogram_min(const struct cs_histogram *h); /* of its bucket */
/* percent in 0..100; ns, the highest value of the bucket; 0 when empty. */
int64_t cs_histogram_percentile(const struct cs_histogram *h, double percent,
                                enum cs_rank_rule rule);

/* The counts from bucket 0 on, borrowed; *out_size: up to the last one in use,
 * 0 when empty. For encoders. */
const uint64_t *cs_histogram_counts(const struct cs_histogram *h,
                                    size_t *out_size);

#endif
