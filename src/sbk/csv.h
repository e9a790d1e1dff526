/* csv.h - the file of -csvfile, as sbk-charts reads it. */
#ifndef CS_SBK_CSV_H
#define CS_SBK_CSV_H

#include "sbk/fields.h"

/* SBK has a CSV file since 0.90; earlier formats get the newest columns. */
enum cs_sbk_format cs_sbk_csv_format(enum cs_sbk_format format);

/* Each with its newline. id: 1, 2, ... */
void cs_sbk_put_csv_header(enum cs_sbk_format format, struct cs_buf *out);
void cs_sbk_put_csv_row(enum cs_sbk_format format, int64_t id,
                        const struct cs_sbk_figures *figures,
                        const struct cs_sbk_spread *spread, struct cs_buf *out);

#endif
