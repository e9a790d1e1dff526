/* graph_internal.h - the records of the graph page: one per run, beside those
 * that the file held before. */
#ifndef CS_REPORT_GRAPH_INTERNAL_H
#define CS_REPORT_GRAPH_INTERNAL_H

#include "report/block_internal.h"

struct graph;  /* opaque */
struct json_t; /* of jansson */

/* Reads the file's old records. *out is NULL without -graph; every function
 * below takes that and does nothing. A file that is no such page is an error
 * and stays as it is. */
enum cs_code graph_open(const struct cs_settings *settings, struct graph **out,
                        struct cs_err *err) CS_MUST_USE;
void graph_free(struct graph *graph);

/* A run begins; name as in cs_report_run_start. */
enum cs_code graph_run_start(struct graph *graph, const char *name,
                             struct cs_err *err) CS_MUST_USE;
/* The rows of the interval collected last. */
void graph_interval(struct graph *graph, const struct block_source *source);
/* Its record is complete; none without an operation. */
void graph_run_end(struct graph *graph, const struct block_source *source);

/* Replaces the file by a new page, as a whole or not at all. */
enum cs_code graph_write(struct graph *graph, struct cs_err *err) CS_MUST_USE;

/* The data of a page, the caller's; path is for messages. */
enum cs_code graph_parse_page(struct cs_buf *page, const char *path,
                              struct json_t **out,
                              struct cs_err *err) CS_MUST_USE;

/* ---- graph_record.c: one record ---- */

/* A string value; bytes that are no UTF-8 become '?'. Takes NULL as "". */
struct json_t *graph_text(const char *text);

/* Rows as they come: an array of 19 per row, and the type of each. */
struct graph_rows {
    struct json_t *intervals; /* owned */
    struct json_t *types;     /* owned */
};

void graph_rows_add(struct graph_rows *rows, const struct block_source *source);

/* The record with all its keys, the caller's; NULL when memory ran out. */
struct json_t *graph_record(const struct cs_settings *settings,
                            const char *revision, const struct graph_rows *rows,
                            const struct block_source *source);

#endif
