/* line.h - the result line of each release. */
#ifndef CS_SBK_LINE_H
#define CS_SBK_LINE_H

#include "sbk/fields.h"

/* With the newline, and with the empty line that newer releases put behind
 * it. The spread is of the same format. */
void cs_sbk_put_line(enum cs_sbk_format format,
                     const struct cs_sbk_figures *figures,
                     const struct cs_sbk_spread *spread, struct cs_buf *out);

#endif
