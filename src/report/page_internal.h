/* page_internal.h - the graph page as text: template, style, script and chart
 * library, which the build puts into the program. */
#ifndef CS_REPORT_PAGE_INTERNAL_H
#define CS_REPORT_PAGE_INTERNAL_H

#include "base/buf.h"

/* Around the data in the page, the same as the original's. */
#define PAGE_START "/* stats start */"
#define PAGE_END   "/* stats end */"

/* The whole page; data: a JSON object, on one line, without '<'. */
void put_page(struct cs_buf *out, const char *data);

/* The JSON text in a page (of either program): from its first byte to the end
 * of the page. NULL without the markers. */
const char *page_data(const char *page);

#endif
