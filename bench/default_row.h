/* default_row.h - the generator of the predefined table as `cstress write` sets
 * it up, for programs that want its rows and nothing around them. */
#ifndef BENCH_DEFAULT_ROW_H
#define BENCH_DEFAULT_ROW_H

#include "base/buf.h"

struct default_row; /* opaque */

/* Rows of partitions 1 to partition_count, in this order; a count of 0 never
 * ends. */
enum cs_code default_row_new(int64_t partition_count, struct default_row **out,
                             struct cs_err *err) CS_MUST_USE;
void default_row_free(struct default_row *rows);

/* Appends the values of the next row: five columns, then the key. False: that
 * was the last one. */
bool default_row_put(struct default_row *rows, struct cs_buf *out);

#endif
