/* old.h - the rows of stress and stress.py: on standard output or in the file
 * of -f, in the layout of the release that is asked for. */
#ifndef CS_REPORT_OLD_H
#define CS_REPORT_OLD_H

#include "metrics/results.h"
#include "settings/settings.h"

struct cs_old_report; /* opaque */

/* Makes the file of -f, so that trouble with it shows before the run. settings
 * are borrowed until close. On success the caller owns *out. */
enum cs_code cs_old_report_open(const struct cs_settings *settings,
                                struct cs_old_report **out,
                                struct cs_err *err) CS_MUST_USE;
void cs_old_report_close(struct cs_old_report *report);

/* A line among the rows, flushed. */
void cs_old_report_line(struct cs_old_report *report, const char *text);

/* The header; a row for the interval collected last; the last row, unless it is
 * out, the averages where they are asked for, END or FAILURE. */
void cs_old_report_start(struct cs_old_report *report);
void cs_old_report_row(struct cs_old_report *report,
                       const struct cs_results *results);
void cs_old_report_end(struct cs_old_report *report,
                       const struct cs_results *results, bool failed);

/* The first trouble with the output: told at the end. */
enum cs_code cs_old_report_check(const struct cs_old_report *report,
                                 struct cs_err *err) CS_MUST_USE;

#endif
