/* prepared.h - a prepared statement: what the caller sees and what is sent. */
#ifndef CS_CLIENT_PREPARED_H
#define CS_CLIENT_PREPARED_H

#include "driver/driver.h"
#include "protocol/execute.h"
#include "protocol/notation.h"

#include <limits.h>

#define CS_RING_NONE UINT_MAX

/* Read-only once published. */
struct cs_prepared {
    struct cs_statement statement;
    unsigned index;    /* among the driver's statements */
    unsigned keyspace; /* index of the one that routes it */
    /* Index of the ring that says by itself where requests go; CS_RING_NONE:
     * they are routed with more care (routes.h). */
    unsigned ring;
    unsigned table;   /* index, where there are tablets */
    bool conditional; /* the server says so */
    struct cs_view id;
    struct cs_view metadata_id; /* v5 */
    struct cs_execute_template execute;
};

static inline const struct cs_prepared *
cs_prepared_of(const struct cs_statement *statement)
{
    return (const struct cs_prepared *)statement->driver_data;
}

/* The template of a statement under the given ids. */
enum cs_code cs_prepared_template(const struct cs_prepared *prepared,
                                  uint8_t version, struct cs_view metadata_id,
                                  struct cs_execute_template *out,
                                  struct cs_err *err) CS_MUST_USE;

#endif
