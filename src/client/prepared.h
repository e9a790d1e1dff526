/* prepared.h - a prepared statement: what the caller sees and what is sent. */
#ifndef CS_CLIENT_PREPARED_H
#define CS_CLIENT_PREPARED_H

#include "driver/driver.h"
#include "protocol/execute.h"
#include "protocol/notation.h"

/* Read-only once published. */
struct cs_prepared {
    struct cs_statement statement;
    unsigned index;    /* among the driver's statements */
    unsigned keyspace; /* index of the one that routes it */
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
