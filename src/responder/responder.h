/* responder.h - a server that stores nothing, unless told to: it answers at
 * once, or late, or wrongly, as it is told. For calibrating load generators,
 * and as the stand-in of tests. One thread. */
#ifndef CS_RESPONDER_RESPONDER_H
#define CS_RESPONDER_RESPONDER_H

#include "base/err.h"
#include "random/dist.h"

struct cs_tls_options;
struct cs_responder; /* opaque */

/* Borrowed until the responder is freed. Shares are from 0 to 1, of the answers
 * to statements on tables that are not the system's. */
struct cs_responder_options {
    /* "127.0.0.1:9042,127.0.0.2/dc2/rack1": each is a node */
    const char *listen;
    int port;         /* where none is named; 0: any free one */
    int version;      /* newest version of the protocol, 3 to 5 */
    int tokens;       /* of each node; 0: 1 */
    const char *user; /* who must log in; NULL: nobody */
    const char *password;
    const char *script; /* file with what happens, or NULL */
    int rows;           /* made up for a SELECT; 0: 1 */
    int64_t stored;     /* bytes of rows that are kept; 0: none */
    bool delayed;
    struct cs_dist_spec delay; /* microseconds before an answer */
    int64_t stall_every_ms;    /* 0: never */
    int64_t stall_ms;          /* nothing at all is done for so long */
    const char *errors;        /* "overloaded:0.01,write_timeout:0.002" */
    double broken;             /* answers with a byte of their head changed */
    double dropped;            /* connections closed in place of an answer */
    double warnings;           /* answers with a warning */
    double payloads;           /* answers with a custom payload */
    const struct cs_tls_options *tls; /* NULL: plain */
    int shards;                       /* of each node, as ScyllaDB; 0: none */
    const char *shard_port; /* "19042", "19042/refused", "19042/shifted" */
    int tablets; /* of each table, as ScyllaDB; 0: rows follow the ring */
};

/* What has been received and done so far. */
struct cs_responder_counts {
    uint64_t connections;
    uint64_t requests;
    uint64_t prepares;
    uint64_t statements; /* on tables that are not the system's */
    uint64_t errors;     /* answers with an error, when told so */
    uint64_t broken;
    uint64_t dropped;
    uint64_t stalls;
    uint64_t events;      /* sent to registered connections */
    uint64_t right_shard; /* EXECUTEs that came to the shard of their key */
    uint64_t wrong_shard;
    uint64_t tablets_told; /* answers that said where a tablet is */
};

/* Listens. On success the caller owns *out. */
enum cs_code cs_responder_new(const struct cs_responder_options *options,
                              struct cs_responder **out,
                              struct cs_err *err) CS_MUST_USE;
void cs_responder_free(struct cs_responder *responder);

/* Serves until stop_fd is readable. */
enum cs_code cs_responder_run(struct cs_responder *responder, int stop_fd,
                              struct cs_err *err) CS_MUST_USE;

struct cs_responder_counts
cs_responder_counts(const struct cs_responder *responder);

/* "127.0.0.1:9042" of a node, counted from 0; NULL behind the last. Borrowed
 * until the next call. */
const char *cs_responder_name(struct cs_responder *responder, size_t node);

#endif
