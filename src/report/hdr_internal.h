/* hdr_internal.h - the histogram log of -log hdrfile=: text lines with
 * compressed histograms inside. */
#ifndef CS_REPORT_HDR_INTERNAL_H
#define CS_REPORT_HDR_INTERNAL_H

#include "base/buf.h"
#include "metrics/results.h"

struct hdr_log; /* opaque */

/* *out is NULL without a path; every function below takes that and does
 * nothing. The path is borrowed until hdr_close. */
enum cs_code hdr_open(const char *path, struct hdr_log **out,
                      struct cs_err *err) CS_MUST_USE;
void hdr_close(struct hdr_log *log);

/* A run begins: head lines. What an earlier run of a ramp left in the file
 * moves to a file of its own, with the number of its threads in its name. */
enum cs_code hdr_run_start(struct hdr_log *log,
                           const struct cs_run_setup *setup,
                           struct cs_err *err) CS_MUST_USE;

/* One line per kind and time that the interval collected last has; flushed.
 * order: the kinds sorted by name. */
enum cs_code hdr_interval(struct hdr_log *log, const struct cs_results *results,
                          const unsigned *order,
                          struct cs_err *err) CS_MUST_USE;

/* The compressed form of a histogram, version 2, and as base64 text. */
void hdr_encode(struct cs_buf *out, const struct cs_histogram *h);
void hdr_encode_text(struct cs_buf *out, const struct cs_histogram *h);

/* The name of the file that keeps an earlier step: "a/x.hdr" with 4 threads is
 * "a/x.4t.hdr". The caller's to free; NULL when memory ran out. */
char *hdr_step_path(const char *path, int threads);

#endif
