/* printer.h - the rows of inserts as lines of text. */
#ifndef CS_OFFLINE_PRINTER_H
#define CS_OFFLINE_PRINTER_H

#include "operation/job.h"

struct cs_printer; /* opaque */

/* fd is borrowed. On success the caller owns *out. */
enum cs_code cs_printer_new(const struct cs_workload *workload, int fd,
                            struct cs_printer **out,
                            struct cs_err *err) CS_MUST_USE;
void cs_printer_free(struct cs_printer *printer);

/* One line per row of the job, which is a made insert or write: an object of
 * JSON (key columns in order, then the others by name; the wire bytes in hex)
 * or a statement of CQL. Written when enough has come together: CS_ESYSTEM. */
enum cs_code cs_printer_put(struct cs_printer *printer,
                            const struct cs_job *job,
                            struct cs_err *err) CS_MUST_USE;

/* Writes what has come together. */
enum cs_code cs_printer_flush(struct cs_printer *printer,
                              struct cs_err *err) CS_MUST_USE;

#endif
