/* script_internal.h - what a statement wants, and what its answer looks like:
 * as much as a server that stores nothing has to know. */
#ifndef CS_RESPONDER_SCRIPT_INTERNAL_H
#define CS_RESPONDER_SCRIPT_INTERNAL_H

#include "responder/catalog_internal.h"

enum cs_script_kind {
    CS_SCRIPT_VOID,
    CS_SCRIPT_ROWS,   /* of a table that is not the system's */
    CS_SCRIPT_SYSTEM, /* of one that is */
    CS_SCRIPT_SCHEMA,
    CS_SCRIPT_USE,
};

struct cs_plan;

struct cs_named_type {
    const char *name;
    const struct cs_type *type;
};

/* column = 'text' */
struct cs_filter {
    const char *column;
    const char *text;
};

#define CS_FILTER_MAX 16

struct cs_script {
    enum cs_script_kind kind;
    const struct cs_table *table; /* NULL: of none */
    const char *keyspace;         /* of USE */
    bool applied;                 /* rows are one "[applied]" */
    bool counts;                  /* rows are one count */
    bool data;                    /* speaks of a table of the user */
    struct cs_named_type *markers;
    unsigned marker_count;
    struct cs_named_type *columns; /* of the rows */
    unsigned column_count;
    uint16_t *key_binds; /* marker of each part of the partition key */
    unsigned key_count;  /* 0: not all parts have one */
    struct cs_filter filters[CS_FILTER_MAX];
    size_t filter_count;
    const struct cs_plan *plan; /* NULL: it is not carried out */
};

/* All in the arena. keyspace: of the connection, or NULL. CS_EINVALID: the
 * server would refuse it, with these words. */
enum cs_code cs_script_read(const struct cs_catalog *catalog,
                            const char *keyspace, struct cs_view cql,
                            struct cs_arena *arena, struct cs_script *out,
                            struct cs_err *err) CS_MUST_USE;

#endif
