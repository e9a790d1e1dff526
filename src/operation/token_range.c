/* token_range.c - cuts the ring into ranges. Parts of a range are worked out
 * when they are taken: a split factor of a billion costs no memory. */
#include "operation/token_range.h"

#include <stdatomic.h>
#include <stdlib.h>

struct cs_token_ranges {
    struct cs_token_range *whole; /* owned, ascending: before they are split */
    size_t whole_count;
    uint64_t split_factor;
    bool wrap;
    bool warm_up;
    _Atomic uint64_t *next; /* owned; by source: taken so far */
};

/* ---- the ring ---- */

/* The range that passes the end of the ring becomes two, so that each is one
 * comparison for the server. A ring of one token, or none, is one range. */
static void fill_whole(struct cs_token_ranges *r, const int64_t *tokens,
                       size_t count)
{
    size_t n = 0;

    if (count < 2) {
        r->whole[n++] = (struct cs_token_range){INT64_MIN, INT64_MIN};
    } else {
        if (tokens[0] != INT64_MIN)
            r->whole[n++] = (struct cs_token_range){INT64_MIN, tokens[0]};
        for (size_t i = 1; i < count; i++)
            if (tokens[i] != tokens[i - 1])
                r->whole[n++] =
                    (struct cs_token_range){tokens[i - 1], tokens[i]};
        r->whole[n++] = (struct cs_token_range){tokens[count - 1], INT64_MIN};
    }
    r->whole_count = n;
}

enum cs_code cs_token_ranges_of(const int64_t *tokens, size_t token_count,
                                uint64_t split_factor, bool wrap,
                                unsigned source_count,
                                struct cs_token_ranges **out,
                                struct cs_err *err)
{
    struct cs_token_ranges *r = calloc(1, sizeof(*r));

    if (r) {
        r->split_factor = CS_MAX(split_factor, 1);
        r->wrap = wrap;
        r->whole = calloc(token_count + 2, sizeof(*r->whole));
        r->next = calloc(source_count + (size_t)1, sizeof(*r->next));
    }
    if (!r || !r->whole || !r->next) {
        cs_token_ranges_free(r);
        return cs_fail(err, CS_ENOMEM, "token ranges: out of memory");
    }
    fill_whole(r, tokens, token_count);
    *out = r;
    return CS_OK;
}

static bool reads_ranges(const struct cs_workload *w)
{
    for (unsigned i = 0; i < w->kind_count; i++)
        if (w->kinds[i].type == CS_KIND_TOKEN_RANGE)
            return true;
    return false;
}

enum cs_code cs_token_ranges_new(const struct cs_workload *workload,
                                 struct cs_driver *driver, bool warm_up,
                                 struct cs_token_ranges **out,
                                 struct cs_err *err)
{
    const struct cs_settings *s = workload->settings;
    int64_t *tokens = NULL;
    size_t count = 0;
    enum cs_code rc;

    *out = NULL;
    if (!reads_ranges(workload))
        return CS_OK;
    rc = workload->db->ring_tokens(driver, &tokens, &count, err);
    if (rc)
        return cs_while(err, "token_range_queries");
    rc = cs_token_ranges_of(
        tokens, count, (uint64_t)CS_MAX(s->token_range.split_factor, 1),
        s->token_range.wrap, workload->source_count, out, err);
    free(tokens);
    if (!rc)
        (*out)->warm_up = warm_up;
    return rc;
}

void cs_token_ranges_free(struct cs_token_ranges *ranges)
{
    if (!ranges)
        return;
    free(ranges->whole);
    free(ranges->next);
    free(ranges);
}

/* ---- the queue ---- */

/* Where part number `part` of a range begins: all parts are of the same width,
 * or one wider for the first ones. */
static int64_t part_start(const struct cs_token_range *range, uint64_t factor,
                          uint64_t part)
{
    int64_t end = range->end == INT64_MIN ? INT64_MAX : range->end;
    uint64_t width = (uint64_t)end - (uint64_t)range->start;
    uint64_t wider = width % factor;

    return (int64_t)((uint64_t)range->start + part * (width / factor) +
                     CS_MIN(part, wider));
}

static struct cs_token_range part_of(const struct cs_token_ranges *r,
                                     uint64_t index)
{
    const struct cs_token_range *range = &r->whole[index / r->split_factor];
    uint64_t part = index % r->split_factor;
    struct cs_token_range out = {part_start(range, r->split_factor, part),
                                 range->end};

    if (part + 1 < r->split_factor)
        out.end = part_start(range, r->split_factor, part + 1);
    return out;
}

static uint64_t part_count(const struct cs_token_ranges *r)
{
    return r->whole_count * r->split_factor;
}

bool cs_token_ranges_empty(struct cs_token_ranges *ranges, unsigned source)
{
    return !ranges->wrap &&
           atomic_load_explicit(&ranges->next[source], memory_order_relaxed) >=
               part_count(ranges);
}

/* More parts than tokens make empty ones, which are passed over. */
static bool is_empty(const struct cs_token_range *range)
{
    return range->start == range->end && range->start != INT64_MIN;
}

bool cs_token_ranges_take(struct cs_token_ranges *ranges, unsigned source,
                          struct cs_token_range *out)
{
    uint64_t total = part_count(ranges);
    uint64_t index;

    do {
        if (cs_token_ranges_empty(ranges, source))
            return false;
        index = atomic_fetch_add_explicit(&ranges->next[source], 1,
                                          memory_order_relaxed);
        if (index >= total && !ranges->wrap)
            return false;
        *out = part_of(ranges, index % total);
    } while (is_empty(out));
    return true;
}

bool cs_token_ranges_warm_up(const struct cs_token_ranges *ranges)
{
    return ranges->warm_up;
}
