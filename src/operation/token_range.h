/* token_range.h - the parts of the ring that token range queries read, handed
 * out to all loops of a run: one queue per profile. */
#ifndef CS_OPERATION_TOKEN_RANGE_H
#define CS_OPERATION_TOKEN_RANGE_H

#include "workload/workload.h"

/* Tokens above start, up to and with end. end INT64_MIN: to the last one. */
struct cs_token_range {
    int64_t start;
    int64_t end;
};

struct cs_token_ranges; /* opaque */

/* What the run that begins will read. warm_up: of each range one page. *out
 * is NULL when the workload has no token range query; else the caller owns
 * it. */
enum cs_code cs_token_ranges_new(const struct cs_workload *workload,
                                 struct cs_driver *driver, bool warm_up,
                                 struct cs_token_ranges **out,
                                 struct cs_err *err) CS_MUST_USE;

/* The same of a given ring: its tokens ascending, each range cut into so many
 * parts. */
enum cs_code cs_token_ranges_of(const int64_t *tokens, size_t token_count,
                                uint64_t split_factor, bool wrap,
                                unsigned source_count,
                                struct cs_token_ranges **out,
                                struct cs_err *err) CS_MUST_USE;
void cs_token_ranges_free(struct cs_token_ranges *ranges);

/* The next range of a profile's queue; false: it is empty. Both from any
 * thread, lock-free. */
bool cs_token_ranges_take(struct cs_token_ranges *ranges, unsigned source,
                          struct cs_token_range *out);
bool cs_token_ranges_empty(struct cs_token_ranges *ranges, unsigned source);

bool cs_token_ranges_warm_up(const struct cs_token_ranges *ranges);

#endif
