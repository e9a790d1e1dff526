/* differences.h - the file that -errors differences= names: every difference
 * that a read found, one JSON object a line. */
#ifndef CS_RUN_DIFFERENCES_H
#define CS_RUN_DIFFERENCES_H

#include "base/buf.h"

struct cs_differences; /* opaque; add may be called by any thread */

/* path NULL: *out is NULL, and nothing is kept. The file is made anew. On
 * success the caller owns *out. */
enum cs_code cs_differences_open(const char *path, struct cs_differences **out,
                                 struct cs_err *err) CS_MUST_USE;

/* Whole lines at once; after the first that could not be written nothing is
 * added, so that the file never has a part of one. NULL takes them, too. */
void cs_differences_add(struct cs_differences *differences,
                        const struct cs_buf *lines);

/* Closes and frees; an error when the file lacks lines. NULL is fine. */
enum cs_code cs_differences_close(struct cs_differences *differences,
                                  struct cs_err *err) CS_MUST_USE;

/* Likewise, where nothing was to be added. */
void cs_differences_free(struct cs_differences *differences);

#endif
