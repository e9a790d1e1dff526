/* validation.h - the statements of the user command's `validate`: they read a
 * partition, whole or in slices. Made once, then read by all loops. */
#ifndef CS_WORKLOAD_VALIDATION_H
#define CS_WORKLOAD_VALIDATION_H

#include "driver/driver.h"

/* One statement. Binds the partition key, then the lower and the upper prefix
 * of the slice. */
struct cs_validation_part {
    const struct cs_statement *statement;
    unsigned depth;
    bool with_from;
    bool with_to;
};

struct cs_validation {
    /* The whole partition, each depth but the last, the last one with all four
     * kinds of bounds. */
    struct cs_validation_part *parts;
    unsigned part_count;
    unsigned depths;   /* clustering columns of the table */
    uint16_t *columns; /* column of an answer -> column of the table */
};

#endif
