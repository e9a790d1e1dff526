/* columns_internal.h - the 19 columns of the interval table: header, rows and
 * the numbers in them. */
#ifndef CS_REPORT_COLUMNS_INTERNAL_H
#define CS_REPORT_COLUMNS_INTERNAL_H

#include "base/buf.h"
#include "metrics/results.h"
#include "settings/settings.h"

/* The numbers after the type, in their order. */
enum column {
    COLUMN_OPERATIONS, /* run so far */
    COLUMN_OP_RATE,
    COLUMN_PARTITION_RATE,
    COLUMN_ROW_RATE,
    COLUMN_MEAN,
    COLUMN_MEDIAN,
    COLUMN_P95,
    COLUMN_P99,
    COLUMN_P999,
    COLUMN_MAX,
    COLUMN_TIME, /* run so far */
    COLUMN_STDERR,
    COLUMN_ERRORS,
    COLUMN_PAUSES,
    COLUMN_PAUSE_MAX,
    COLUMN_PAUSE_SUM,
    COLUMN_PAUSE_SPREAD,
    COLUMN_RECLAIMED,
    COLUMN_COUNT
};

struct row {
    const char *type; /* borrowed: of the run's set-up, or "total" */
    double values[COLUMN_COUNT];
};

extern const char *const column_names[1 + COLUMN_COUNT]; /* with "type" */

/* Library version of the level: 2.1.9 up to 4.1, 2.1.12 from 5.0 on. */
enum cs_rank_rule rank_rule(enum cs_level level);

/* One row: kind `kind` of the span (the total for kind == kind_count). The
 * span is an interval, several, or the whole run. */
void row_fill(struct row *row, const struct cs_results *results,
              const struct cs_interval *span, unsigned kind,
              enum cs_level level);

/* With their newlines. */
void put_header(struct cs_buf *out, enum cs_level level);
void put_row(struct cs_buf *out, const struct row *row, enum cs_level level);

/* Standard deviation in ms, 0 where there was none. */
double pause_spread_ms(const struct cs_pauses *pauses);

#endif
