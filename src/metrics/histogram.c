/* histogram.c - adding, clearing and asking buckets of three significant
 * digits; the layout itself is in histogram_internal.h. */
#include "metrics/histogram_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(CS_HISTOGRAM_BUCKETS == 34 * 1024,
               "the last bucket is that of the top value");

enum cs_code cs_histogram_new(struct cs_histogram **out, struct cs_err *err)
{
    struct cs_histogram *h = calloc(1, sizeof(*h));

    if (!h)
        return cs_fail(err, CS_ENOMEM, "no memory for a histogram");
    h->first = CS_HISTOGRAM_BUCKETS;
    *out = h;
    return CS_OK;
}

void cs_histogram_free(struct cs_histogram *h)
{
    free(h);
}

void cs_histogram_record(struct cs_histogram *h, int64_t value_ns)
{
    histogram_record(h, value_ns);
}

void cs_histogram_add(struct cs_histogram *to, const struct cs_histogram *from)
{
    for (uint32_t i = from->first; i < from->end; i++)
        to->counts[i] += from->counts[i];
    to->count += from->count;
    to->clipped += from->clipped;
    to->first = CS_MIN(to->first, from->first);
    to->end = CS_MAX(to->end, from->end);
}

void cs_histogram_subtract(struct cs_histogram *from,
                           const struct cs_histogram *less)
{
    for (uint32_t i = less->first; i < less->end; i++)
        from->counts[i] -= CS_MIN(from->counts[i], less->counts[i]);
    from->count -= CS_MIN(from->count, less->count);
    from->clipped -= CS_MIN(from->clipped, less->clipped);
    while (from->first < from->end && !from->counts[from->first])
        from->first++;
    while (from->first < from->end && !from->counts[from->end - 1])
        from->end--;
}

void cs_histogram_clear(struct cs_histogram *h)
{
    if (h->first < h->end)
        memset(h->counts + h->first, 0,
               (h->end - h->first) * sizeof(h->counts[0]));
    h->count = 0;
    h->clipped = 0;
    h->first = CS_HISTOGRAM_BUCKETS;
    h->end = 0;
}

uint64_t cs_histogram_count(const struct cs_histogram *h)
{
    return h->count;
}

uint64_t cs_histogram_clipped(const struct cs_histogram *h)
{
    return h->clipped;
}

/* How many bits a bucket leaves out: its width is two to that power. */
static uint32_t bucket_shift(uint32_t index)
{
    return index < 2048 ? 0 : (index >> 10) - 1;
}

static int64_t lowest_of_bucket(uint32_t index)
{
    uint32_t shift = bucket_shift(index);

    return (int64_t)(index - (shift << 10)) << shift;
}

static int64_t highest_of_bucket(uint32_t index)
{
    return lowest_of_bucket(index) + (INT64_C(1) << bucket_shift(index)) - 1;
}

/* The library's middle of a bucket: its lowest value plus half its width, for
 * a bucket of one value that value. */
static int64_t middle_of_bucket(uint32_t index)
{
    return lowest_of_bucket(index) + ((INT64_C(1) << bucket_shift(index)) >> 1);
}

uint64_t cs_histogram_count_above(const struct cs_histogram *h,
                                  int64_t value_ns)
{
    uint64_t count = 0;

    for (uint32_t i = h->end; i > h->first; i--) {
        if (lowest_of_bucket(i - 1) <= value_ns)
            break;
        count += h->counts[i - 1];
    }
    return count;
}

double cs_histogram_mean(const struct cs_histogram *h)
{
    double sum = 0;

    if (!h->count)
        return 0;
    for (uint32_t i = h->first; i < h->end; i++)
        if (h->counts[i])
            sum += (double)middle_of_bucket(i) * (double)h->counts[i];
    return sum / (double)h->count;
}

int64_t cs_histogram_max(const struct cs_histogram *h)
{
    return h->first < h->end ? highest_of_bucket(h->end - 1) : 0;
}

int64_t cs_histogram_min(const struct cs_histogram *h)
{
    return h->first < h->end ? lowest_of_bucket(h->first) : 0;
}

static uint64_t rank_of(const struct cs_histogram *h, double percent,
                        enum cs_rank_rule rule)
{
    double count = (double)h->count;
    double rank;

    percent = CS_MIN(CS_MAX(percent, 0.0), 100.0);
    if (rule == CS_RANK_OLD)
        rank = floor(percent / 100.0 * count + 0.5);
    else
        rank = ceil(nextafter(percent, -1.0) * count / 100.0);
    return rank < 1 ? 1 : (uint64_t)rank;
}

int64_t cs_histogram_percentile(const struct cs_histogram *h, double percent,
                                enum cs_rank_rule rule)
{
    uint64_t rank = rank_of(h, percent, rule);
    uint64_t seen = 0;

    for (uint32_t i = h->first; i < h->end; i++) {
        seen += h->counts[i];
        if (seen >= rank)
            return highest_of_bucket(i);
    }
    return cs_histogram_max(h);
}

const uint64_t *cs_histogram_counts(const struct cs_histogram *h,
                                    size_t *out_size)
{
    *out_size = h->first < h->end ? h->end : 0;
    return h->counts;
}
