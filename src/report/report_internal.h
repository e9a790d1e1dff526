/* report_internal.h - the outputs of one process, shared by the files of this
 * room. */
#ifndef CS_REPORT_REPORT_INTERNAL_H
#define CS_REPORT_REPORT_INTERNAL_H

#include "base/arena.h"
#include "report/columns_internal.h"
#include "report/graph_internal.h"
#include "report/hdr_internal.h"
#include "report/report.h"

#include <stdio.h>

/* Most text that is put together before it is written. */
#define TEXT_MAX (16u << 20)

/* Rows of a run that ended, for the comparison table. */
struct kept_run {
    struct kept_run *next;
    const char *name; /* "4 threadCount"; in the report's arena */
    double op_rate;
    size_t row_count;
    struct row rows[]; /* types in the arena, too */
};

/* The run that is being reported. */
struct current_run {
    const char *name;   /* in the arena, or NULL */
    unsigned *order;    /* kinds sorted by name; owned */
    int64_t second_ns;  /* the wall-clock second in which it started */
    uint64_t row_count; /* intervals with rows, for figures=original */
    int64_t header_ns;  /* since second_ns: when the header was due last */
    bool thinned;       /* rows are printed less often than collected */
    struct cs_interval since; /* what no row has shown yet, when thinned */
};

struct cs_report {
    const struct cs_settings *settings; /* borrowed */
    FILE *out;                          /* stdout; borrowed */
    FILE *log;                          /* -log file=, or NULL; owned */
    struct hdr_log *hdr;                /* -log hdrfile=, or NULL; owned */
    struct graph *graph;                /* -graph, or NULL; owned */
    struct cs_buf text;                 /* being put together */
    struct cs_err output_err;           /* the first output that failed */
    struct cs_arena arena;
    struct kept_run *first_kept;
    struct kept_run *last_kept;
    struct current_run run;
};

/* cs_report_open with another place for stdout. */
enum cs_code report_open_to(const struct cs_settings *settings, FILE *out,
                            struct cs_report **out_report,
                            struct cs_err *err) CS_MUST_USE;

/* Writes report->text to stdout and the log file, flushed, and empties it. */
void report_flush(struct cs_report *report);

#endif
