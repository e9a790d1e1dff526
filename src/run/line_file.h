/* line_file.h - a file that an option names, of which each line is a JSON
 * object: the differences that reads find, the operations that failed. */
#ifndef CS_RUN_LINE_FILE_H
#define CS_RUN_LINE_FILE_H

#include "base/buf.h"

struct cs_line_file; /* opaque; add may be called by any thread */

/* what: the option of -errors without its '=', which is also the word for
 * what the lines hold ("differences"); it must outlive the file. path NULL:
 * *out is NULL, and nothing is kept. The file is made anew. On success the
 * caller owns *out. */
enum cs_code cs_line_file_open(const char *what, const char *path,
                               struct cs_line_file **out,
                               struct cs_err *err) CS_MUST_USE;

/* Whole lines at once; after the first that could not be written nothing is
 * added, so that the file never has a part of one. NULL takes them, too. */
void cs_line_file_add(struct cs_line_file *file, const struct cs_buf *lines);

/* Closes and frees; an error when the file lacks lines. NULL is fine. */
enum cs_code cs_line_file_close(struct cs_line_file *file,
                                struct cs_err *err) CS_MUST_USE;

/* Likewise, where nothing was to be added. */
void cs_line_file_free(struct cs_line_file *file);

#endif
