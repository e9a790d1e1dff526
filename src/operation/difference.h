/* difference.h - one finding of a read that compares: where, what was expected,
 * what was found. */
#ifndef CS_OPERATION_DIFFERENCE_H
#define CS_OPERATION_DIFFERENCE_H

#include "driver/driver.h"

enum cs_difference_kind {
    CS_DIFFERENCE_ROW_MISSING,
    CS_DIFFERENCE_ROW_TOO_MANY,
    CS_DIFFERENCE_COLUMN_COUNT,
    CS_DIFFERENCE_NULL,  /* null where a value was expected */
    CS_DIFFERENCE_VALUE, /* a value where null was expected */
    CS_DIFFERENCE_BYTES, /* another value than the expected one */
    CS_DIFFERENCE_KINDS,
};

/* "missing row"; never NULL. */
const char *cs_difference_kind_name(enum cs_difference_kind kind);

/* Cells (int32 size, bytes) lie one behind the other. All of it is borrowed
 * for the call that passes it on. */
struct cs_difference {
    enum cs_difference_kind kind;
    const struct cs_table *table;
    const char *operation;     /* as reports name it */
    const uint8_t *partition;  /* cells of the partition key */
    const uint8_t *clustering; /* cells; NULL: no row in particular */
    int column;                /* of the table; -1: none in particular */
    const uint8_t *expected;   /* the column's cells */
    const uint8_t *found;
    uint32_t expected_count; /* of columns, where their number is wrong */
    uint32_t found_count;
    enum cs_consistency cl;
    bool has_token;
    int64_t token;
    unsigned node; /* the coordinator */
};

typedef void (*cs_difference_fn)(void *ctx, const struct cs_difference *found);

#define CS_REPLICAS_SHOWN 16

/* The nodes that have to do with it. */
struct cs_difference_nodes {
    struct cs_node_name coordinator;
    struct cs_node_name replicas[CS_REPLICAS_SHOWN];
    size_t replica_count; /* may be more than are here; 0: not known */
};

/* One line for people, long values shortened; no line end. */
void cs_difference_put_text(struct cs_buf *buf, const struct cs_difference *d,
                            const struct cs_difference_nodes *nodes);

/* One JSON object with everything in full, and a line end. wall_ns: since
 * 1970. */
void cs_difference_put_json(struct cs_buf *buf, const struct cs_difference *d,
                            const struct cs_difference_nodes *nodes,
                            int64_t wall_ns);

#endif
