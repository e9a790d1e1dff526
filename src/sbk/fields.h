/* fields.h - the numbers of a window by name, as lines, CSV rows and metrics
 * show them. */
#ifndef CS_SBK_FIELDS_H
#define CS_SBK_FIELDS_H

#include "base/buf.h"
#include "sbk/figures.h"

enum cs_sbk_field {
    CS_SBK_NOTHING, /* only text */
    CS_SBK_WRITERS,
    CS_SBK_READERS,
    CS_SBK_MAX_WRITERS,
    CS_SBK_MAX_READERS,
    CS_SBK_WRITE_REQUEST_MB,
    CS_SBK_WRITE_REQUEST_BYTES,
    CS_SBK_WRITE_REQUEST_RECORDS,
    CS_SBK_WRITE_REQUEST_RECORDS_PER_S,
    CS_SBK_WRITE_REQUEST_MB_PER_S,
    CS_SBK_READ_REQUEST_MB,
    CS_SBK_READ_REQUEST_BYTES,
    CS_SBK_READ_REQUEST_RECORDS,
    CS_SBK_READ_REQUEST_RECORDS_PER_S,
    CS_SBK_READ_REQUEST_MB_PER_S,
    CS_SBK_WRITE_PENDING_MB,
    CS_SBK_WRITE_PENDING_BYTES,
    CS_SBK_WRITE_PENDING_RECORDS,
    CS_SBK_READ_PENDING_MB,
    CS_SBK_READ_PENDING_BYTES,
    CS_SBK_READ_PENDING_RECORDS,
    CS_SBK_WRITE_READ_PENDING_MB,
    CS_SBK_WRITE_READ_PENDING_BYTES,
    CS_SBK_WRITE_READ_PENDING_RECORDS,
    CS_SBK_WRITE_TIMEOUTS,
    CS_SBK_WRITE_TIMEOUTS_PER_S,
    CS_SBK_READ_TIMEOUTS,
    CS_SBK_READ_TIMEOUTS_PER_S,
    CS_SBK_SECONDS,
    CS_SBK_BYTES,
    CS_SBK_MEGABYTES,
    CS_SBK_RECORDS,
    CS_SBK_RECORDS_PER_S,
    CS_SBK_MB_PER_S,
    CS_SBK_AVERAGE,
    CS_SBK_MIN,
    CS_SBK_MAX,
    CS_SBK_INVALID,
    CS_SBK_LOWER,
    CS_SBK_HIGHER,
    CS_SBK_SLC1,
    CS_SBK_SLC2,
    CS_SBK_FIELD_COUNT,
};

double cs_sbk_field_value(enum cs_sbk_field field,
                          const struct cs_sbk_figures *figures,
                          const struct cs_sbk_spread *spread);

/* Padded as in the lines since 0.91 and in the CSV file; width: another one,
 * unless 0. */
void cs_sbk_put_field(enum cs_sbk_field field, int width,
                      const struct cs_sbk_figures *figures,
                      const struct cs_sbk_spread *spread, struct cs_buf *out);

/* "2026-11-30", "17:59:49" */
void cs_sbk_put_date(const struct tm *when, struct cs_buf *out);
void cs_sbk_put_time(const struct tm *when, struct cs_buf *out);

#endif
