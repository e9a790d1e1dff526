/* block_internal.h - the results block: 17 lines, label and value. */
#ifndef CS_REPORT_BLOCK_INTERNAL_H
#define CS_REPORT_BLOCK_INTERNAL_H

#include "base/buf.h"
#include "metrics/results.h"
#include "settings/settings.h"

#define BLOCK_LINES 17

/* What the lines are made from. order: the kinds sorted by name. */
struct block_source {
    const struct cs_results *results;
    const unsigned *order;
    enum cs_level level;
};

/* "Op rate"; without its padding. */
const char *block_label(int line);

/* What follows label, colon and blank; no newline. */
void put_block_value(struct cs_buf *out, const struct block_source *source,
                     int line);

/* All lines and the empty one at the end. */
void put_block(struct cs_buf *out, const struct block_source *source);

#endif
