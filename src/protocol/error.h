/* error.h - ERROR messages of the server with the fields of each code. */
#ifndef CS_PROTOCOL_ERROR_H
#define CS_PROTOCOL_ERROR_H

#include "protocol/notation.h"

enum cs_server_code {
    CS_SERVER_ERROR = 0x0000,
    CS_SERVER_PROTOCOL_ERROR = 0x000A,
    CS_SERVER_AUTH_ERROR = 0x0100,
    CS_SERVER_UNAVAILABLE = 0x1000,
    CS_SERVER_OVERLOADED = 0x1001,
    CS_SERVER_IS_BOOTSTRAPPING = 0x1002,
    CS_SERVER_TRUNCATE_ERROR = 0x1003,
    CS_SERVER_WRITE_TIMEOUT = 0x1100,
    CS_SERVER_READ_TIMEOUT = 0x1200,
    CS_SERVER_READ_FAILURE = 0x1300,
    CS_SERVER_FUNCTION_FAILURE = 0x1400,
    CS_SERVER_WRITE_FAILURE = 0x1500,
    CS_SERVER_CDC_WRITE_FAILURE = 0x1600,
    CS_SERVER_CAS_WRITE_UNKNOWN = 0x1700,
    CS_SERVER_SYNTAX_ERROR = 0x2000,
    CS_SERVER_UNAUTHORIZED = 0x2100,
    CS_SERVER_INVALID = 0x2200,
    CS_SERVER_CONFIG_ERROR = 0x2300,
    CS_SERVER_ALREADY_EXISTS = 0x2400,
    CS_SERVER_UNPREPARED = 0x2500,
    /* ScyllaDB's, where it was switched on: the number that it announces, so
     * far. */
    CS_SERVER_RATE_LIMIT = 0xF000,
};

/* Fields that a code does not have are 0 or null. Views are borrowed from the
 * body. */
struct cs_server_error {
    int32_t code; /* any: unknown ones are no fault */
    struct cs_view message;
    uint16_t consistency;
    int32_t received; /* UNAVAILABLE: alive */
    int32_t required; /* "blockfor" */
    bool data_present;
    int32_t failure_count;
    uint16_t failure_reason;   /* v5: of the first replica in the map */
    struct cs_view write_type; /* "SIMPLE", "BATCH_LOG", "CAS" ... */
    uint16_t contentions;      /* v5, write type CAS */
    struct cs_view keyspace;   /* ALREADY_EXISTS, FUNCTION_FAILURE */
    struct cs_view table;      /* empty: the keyspace exists */
    struct cs_view function;
    struct cs_view unprepared_id;
    struct cs_view rest; /* of codes that are not known here */
};

/* What ScyllaDB says of a request over the limit of its partition. */
struct cs_rate_limit {
    bool write;
    bool by_coordinator; /* else by replicas */
};

/* From the rest of an error with the code that the server announced for it;
 * false: it is something else. */
bool cs_rate_limit_read(const struct cs_server_error *error,
                        struct cs_rate_limit *out);

/* Body of an ERROR (behind cs_frame_open). */
enum cs_code cs_server_error_decode(struct cs_reader body, uint8_t version,
                                    struct cs_server_error *out,
                                    struct cs_err *err) CS_MUST_USE;

/* "WRITE_TIMEOUT"; NULL for unknown codes. */
const char *cs_server_code_name(int32_t code);

/* "TIMEOUT"; NULL for those whose meaning depends on the server (7 and up). */
const char *cs_failure_reason_name(uint16_t reason);

/* The server does not speak the version it was asked in. */
bool cs_server_error_is_version_refusal(const struct cs_server_error *error);

/* err becomes "<NAME>: <message>", CS_EAUTH for AUTH_ERROR and UNAUTHORIZED,
 * else CS_ESERVER; server_code is set. Returns that code. */
enum cs_code cs_server_error_fail(const struct cs_server_error *error,
                                  struct cs_err *err);

#endif
