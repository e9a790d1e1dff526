/* report.h - everything a run prints on stdout and into -log file=: header,
 * interval rows, results block, ramp comparison. Reads, never measures. */
#ifndef CS_REPORT_REPORT_H
#define CS_REPORT_REPORT_H

#include "base/buf.h"
#include "metrics/results.h"
#include "settings/settings.h"

struct cs_report; /* opaque: the outputs of one process */

/* Opens -log file= and hdrfile= and reads the -graph file if there is one, so
 * that trouble with them shows before the run. settings are borrowed until
 * close. On success the caller owns *out. */
enum cs_code cs_report_open(const struct cs_settings *settings,
                            struct cs_report **out,
                            struct cs_err *err) CS_MUST_USE;
/* Whether it could be opened, as far as that shows without making a file. */
enum cs_code cs_report_try(const struct cs_settings *settings,
                           struct cs_err *err) CS_MUST_USE;
void cs_report_close(struct cs_report *report);

/* A line (or several) to stdout and the log file, ended by a newline here and
 * flushed. */
void cs_report_line(struct cs_report *report, const char *fmt, ...)
    CS_PRINTF(2, 3);
void cs_report_text(struct cs_report *report, const char *text, size_t size);
/* To stdout only with figures=original, else to both. */
void cs_report_aside(struct cs_report *report, const char *fmt, ...)
    CS_PRINTF(2, 3);

/* The first trouble with stdout, the log file or the hdr file, which stops no
 * run: to be told at the end. */
enum cs_code cs_report_check(const struct cs_report *report,
                             struct cs_err *err) CS_MUST_USE;

/* A run: header, then a call per interval collected, then the end. The report
 * keeps what the comparison and the graph need. name: "4 threadCount", or
 * NULL for a single run. */
enum cs_code cs_report_run_start(struct cs_report *report, const char *name,
                                 struct cs_results *results,
                                 struct cs_err *err) CS_MUST_USE;
void cs_report_interval(struct cs_report *report, struct cs_results *results);
/* Extra lines, "Results:" and the block. incomplete: the reason why the run
 * broke off, or NULL; such a run is not part of the comparison. shares:
 * requests per node, for the extra lines. */
void cs_report_run_end(struct cs_report *report, struct cs_results *results,
                       const struct cs_node_share *shares, size_t share_count,
                       const char *incomplete);

/* "Incomplete: <reason>" and an empty line (not with figures=original): for
 * what breaks off outside of a run, such as a warm-up. */
void cs_report_incomplete(struct cs_report *report, const char *reason);

/* "Improvement over 4 threadCount: 12%": from the two runs completed last;
 * returns the relative change of the op rate, 0.12. Nothing and 0 before the
 * second run. */
double cs_report_improvement(struct cs_report *report);
/* The comparison table of all runs that were completed. */
void cs_report_comparison(struct cs_report *report);

/* Writes the graph page (nothing without -graph). Old records of the file are
 * kept; the file is replaced as a whole or not at all. */
enum cs_code cs_report_graph(struct cs_report *report,
                             struct cs_err *err) CS_MUST_USE;

#endif
