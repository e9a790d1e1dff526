/* result.h - RESULT messages: void, rows, prepared, keyspace, schema change. */
#ifndef CS_PROTOCOL_RESULT_H
#define CS_PROTOCOL_RESULT_H

#include "protocol/event.h"
#include "types/type.h"

enum cs_result_kind {
    CS_RESULT_KIND_VOID = 1,
    CS_RESULT_KIND_ROWS = 2,
    CS_RESULT_KIND_SET_KEYSPACE = 3,
    CS_RESULT_KIND_PREPARED = 4,
    CS_RESULT_KIND_SCHEMA_CHANGE = 5,
};

enum cs_metadata_flag {
    CS_METADATA_GLOBAL = 0x01,
    CS_METADATA_MORE_PAGES = 0x02,
    CS_METADATA_NONE = 0x04,
    CS_METADATA_CHANGED = 0x08,
};

/* A longer paging state is refused. */
#define CS_PAGING_STATE_MAX (1 << 20)
/* More columns are refused; no server has so many. */
#define CS_RESULT_COLUMNS_MAX 65535

struct cs_result_column {
    const char *keyspace;
    const char *table;
    const char *name;
    const struct cs_type *type;
};

struct cs_metadata {
    uint32_t flags;
    uint32_t column_count;       /* also when there is no metadata */
    struct cs_view paging_state; /* null: the last page */
    struct cs_view new_id;       /* v5: changed metadata id, or null */
    struct cs_result_column
        *columns;     /* in the arena; NULL: not sent or skipped */
    bool conditional; /* the first column is a boolean "[applied]" */
};

/* The part of the kind is filled, the rest is zero. Views are borrowed from the
 * body. */
struct cs_result {
    enum cs_result_kind kind;
    struct cs_metadata metadata; /* of rows; of what a prepared one returns */
    /* rows */
    uint32_t row_count;
    struct cs_reader cells; /* row_count x column_count x [bytes] */
    /* prepared */
    struct cs_view id;
    struct cs_view metadata_id; /* v5, else null */
    struct cs_metadata binds;   /* bind markers */
    uint32_t key_count;         /* v4 and later; 0: cannot be routed */
    uint16_t *key_binds; /* in the arena: marker of each component of the key */
    /* set_keyspace */
    struct cs_view keyspace;
    /* schema_change */
    struct cs_schema_change change;
};

/* Body of a RESULT (behind cs_frame_open). arena NULL: column descriptions are
 * checked but not kept, nothing is allocated (key_binds too). */
enum cs_code cs_result_decode(struct cs_reader body, uint8_t version,
                              struct cs_arena *arena, struct cs_result *out,
                              struct cs_err *err) CS_MUST_USE;

/* Walks all cells; then readers of result->cells need no further checks. */
enum cs_code cs_result_check_cells(const struct cs_result *result,
                                   struct cs_err *err) CS_MUST_USE;

/* Of rows: what a conditional statement says; true without one. */
bool cs_result_applied(const struct cs_result *result);

#endif
