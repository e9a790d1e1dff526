/* driver.h - the narrow interface between a workload and a database: connect,
 * prepare, start an operation, poll. One table of functions per database. */
#ifndef CS_DRIVER_DRIVER_H
#define CS_DRIVER_DRIVER_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/reader.h"
#include "metrics/role.h"
#include "schema/table.h"
#include "settings/settings.h"

struct cs_driver;  /* a connected cluster; used by the main thread only */
struct cs_session; /* the connections of one event loop; used by its thread */

/* ---- statements ---- */

struct cs_bind_column {
    const char *name;
    const struct cs_type *type;
};

/* What a statement is to be sent with. */
struct cs_statement_options {
    enum cs_consistency cl;
    enum cs_consistency serial_cl;
    bool has_serial_cl;
    int32_t page_size; /* rows, 0: no paging */
    bool idempotent;
    bool is_read;
    /* By marker, living as long as the driver; for databases that do not say
     * themselves which types they expect. NULL: not known. */
    const struct cs_type *const *marker_types;
};

/* Prepared on every node; shared read-only by all sessions, owned by the
 * driver. */
struct cs_statement {
    const char *cql;
    struct cs_statement_options options;
    struct cs_bind_column *binds;
    unsigned bind_count;
    struct cs_bind_column *results; /* columns of its rows */
    unsigned result_count;
    /* Bind markers of the partition key, in key order; count 0: the statement
     * cannot be routed by token. */
    uint16_t *key_binds;
    unsigned key_bind_count;
    void *driver_data;
};

/* ---- operations ---- */

enum cs_result_class {
    CS_RESULT_OK,
    CS_RESULT_UNAVAILABLE,
    CS_RESULT_WRITE_TIMEOUT,
    CS_RESULT_READ_TIMEOUT,
    CS_RESULT_WRITE_FAILURE,
    CS_RESULT_READ_FAILURE,
    CS_RESULT_OVERLOADED,
    CS_RESULT_BOOTSTRAPPING,
    CS_RESULT_INVALID,
    CS_RESULT_SYNTAX,
    CS_RESULT_UNAUTHORIZED,
    CS_RESULT_UNPREPARED,       /* stayed so after preparing again */
    CS_RESULT_FUNCTION_FAILURE, /* of a function that the server runs */
    CS_RESULT_SERVER_ERROR,     /* any other ERROR of the server */
    CS_RESULT_CLIENT_TIMEOUT,   /* no answer in time; outcome unknown */
    CS_RESULT_CONNECTION_LOST,  /* outcome unknown */
    CS_RESULT_NO_HOST,          /* not sent: no node could be asked */
    CS_RESULT_PROTOCOL,         /* the answer broke the protocol */
    CS_RESULT_DEADLOCK,         /* of transactions: this one was given up */
    CS_RESULT_RATE_LIMIT,       /* of the partition, on ScyllaDB */
    CS_RESULT_CLASS_COUNT,
};

/* Name in the original's messages: "UnavailableException"; never NULL. */
const char *cs_result_class_name(enum cs_result_class result);

/* A page of rows, borrowed: valid during the callback. */
struct cs_rows {
    uint32_t row_count;
    uint32_t column_count;
    struct cs_reader cells; /* row_count x column_count x [bytes], checked */
    unsigned node;          /* that sent this page: as in cs_outcome */
    bool more;              /* pages follow */
};

struct cs_outcome {
    enum cs_result_class result;
    int32_t server_code; /* of the ERROR, else 0 */
    const char *message; /* the server's or our words, borrowed; "" when OK */
    size_t message_size;
    uint32_t rows; /* rows of all pages */
    bool applied;  /* of a conditional statement; true without one */
    bool conditional;
    int64_t end_ns; /* monotonic: when the answer was read */
    unsigned node;  /* index of the coordinator in cs_driver_nodes */
    bool sent;      /* the request may have reached a server */
};

/* Of one that failed: whether the request may have had its effect. */
bool cs_outcome_in_doubt(const struct cs_outcome *outcome);

struct cs_operation;
typedef void (*cs_operation_done_fn)(struct cs_operation *op,
                                     const struct cs_outcome *outcome);
typedef void (*cs_operation_rows_fn)(struct cs_operation *op,
                                     const struct cs_rows *rows);

/* One request and its answer; owned by the caller (one per slot, embedded in
 * its own struct), borrowed by the session from submit until done. */
struct cs_operation {
    /* the request: the caller's */
    const struct cs_statement *statement;
    const char *cql; /* instead of statement: text sent as it is */
    size_t cql_size;
    struct cs_statement_options cql_options;
    struct cs_buf values; /* rows x bind_count values: int32 size, bytes */
    uint32_t row_count;   /* 1: EXECUTE; more: one BATCH of so many */
    enum cs_batch_type batch_type;
    int64_t timestamp_us; /* sent with the request; INT64_MIN: none */
    int64_t token;        /* of the (first) partition, when has_token */
    bool has_token;
    unsigned attempt; /* 0 first; a session asks other nodes later */
    cs_operation_rows_fn on_rows; /* each page; may be NULL */
    /* NULL: all pages are fetched. Else one page only, the one behind this
     * paging state (empty: the first); when it has come, the buffer holds what
     * the next one is asked for with, or is empty behind the last. */
    struct cs_buf *page;
    cs_operation_done_fn on_done; /* exactly once per submit, from poll */
    /* the session's, from submit until done */
    struct {
        struct cs_operation *next;
        void *connection;
        struct cs_buf paging_state;
        int64_t deadline_ns;
        int64_t waits_from_ns; /* for room on a connection; 0: for a node */
        uint32_t rows;
        uint32_t stream;
        uint32_t tried; /* nodes asked by this attempt */
        uint32_t flags;
    } session;
};

/* ---- the cluster ---- */

struct cs_node_info {
    char address[64];      /* "127.0.0.1" */
    const char *host_name; /* as typed for a contact point given by name, or
                              NULL: shown as "localhost/127.0.0.1" */
    int port;
    const char *datacenter;
    const char *rack;
    bool allowed; /* by white list and data centre */
};

struct cs_cluster_info {
    const char *name;
    const char *release_version; /* of the first contact point */
    int protocol_version;
    int max_pending; /* per connection, as in the connect line */
    int connections_per_host;
    const struct cs_node_info *nodes;
    size_t node_count;
};

/* "127.0.0.1:9042" */
struct cs_node_name {
    char text[80];
};

struct cs_node_traffic {
    char address[64];
    int port;
    uint64_t requests;
    uint64_t roles[CS_ROLE_COUNT]; /* of these, by enum cs_replica_role */
    uint64_t shard_known; /* of these, those whose shard of the node is known */
    uint64_t shard_right; /* and that went to it */
    unsigned connections;
    /* Monotonic, of a node that came or went since connecting; else 0. */
    int64_t joined_ns;
    int64_t left_ns;
    int64_t first_request_ns; /* to 0.1 s; 0: none yet */
};

/* How many copies a keyspace keeps of each row. */
struct cs_copies {
    unsigned all;
    unsigned local;   /* in our data centre */
    unsigned quorums; /* sum of the quorums of all data centres */
};

/* A warning that the server sent with answers to a session. Texts that differ
 * in numbers only are one. */
struct cs_server_warning {
    const char *text; /* of the first such, escaped; lives with the session */
    uint64_t count;
};

/* What happened in a session besides outcomes. */
struct cs_session_counts {
    uint64_t late_answers; /* to requests that had been given up */
    uint64_t queued;       /* requests that found no room on a connection */
    int64_t queued_ns;     /* sum of their waits, of those that were sent */
    uint64_t tablets_told; /* answers that said where a tablet is */
};

/* What statements and definitions are written in. */
enum cs_language { CS_LANGUAGE_CQL, CS_LANGUAGE_SQL };

struct cs_driver_ops {
    enum cs_language language;

    /* Connects the control connection, reads the topology. settings are
     * borrowed until close. */
    enum cs_code (*connect)(const struct cs_settings *settings,
                            struct cs_driver **out, struct cs_err *err);
    void (*close)(struct cs_driver *driver);
    const struct cs_cluster_info *(*info)(struct cs_driver *driver);

    /* What connecting, schema changes and events found worth telling the user:
     * a contact point that does not answer, nodes that do not agree. One line
     * each, no full stop; the list only grows. NULL behind the last. */
    const char *(*notice)(struct cs_driver *driver, size_t index);

    /* One statement as text; waits for schema agreement after DDL and adds the
     * wait to *waited_ns (may be NULL). CS_ESERVER: err->server_code. */
    enum cs_code (*execute)(struct cs_driver *driver, const char *cql,
                            enum cs_consistency cl, int64_t *waited_ns,
                            struct cs_err *err);

    /* Reads the table from the server's schema into the arena. CS_EINVALID:
     * there is no such table. */
    enum cs_code (*table)(struct cs_driver *driver, const char *keyspace,
                          const char *name, struct cs_arena *arena,
                          struct cs_table **out, struct cs_err *err);

    /* The tokens of all nodes, ascending; the caller frees *out.
     * CS_EUNSUPPORTED: the tokens of this cluster are no 64-bit numbers. */
    enum cs_code (*ring_tokens)(struct cs_driver *driver, int64_t **out,
                                size_t *count, struct cs_err *err);

    /* Whether the keyspace exists. */
    enum cs_code (*has_keyspace)(struct cs_driver *driver, const char *keyspace,
                                 bool *out, struct cs_err *err);

    /* Learns the keyspace's replication, for replicas; statements that are
     * prepared do so by themselves. */
    enum cs_code (*follow_keyspace)(struct cs_driver *driver,
                                    const char *keyspace, struct cs_err *err);

    /* keyspace: whose replication routes it. */
    enum cs_code (*prepare)(struct cs_driver *driver, const char *keyspace,
                            const char *cql,
                            const struct cs_statement_options *options,
                            const struct cs_statement **out,
                            struct cs_err *err);

    /* Whatever the main thread waits for from here on ends with
     * CS_EINTERRUPTED as soon as fd is readable (-1: never). Borrowed. */
    void (*interrupt)(struct cs_driver *driver, int fd);

    /* File descriptor that becomes readable when handle_events has work. */
    int (*event_fd)(struct cs_driver *driver);
    void (*handle_events)(struct cs_driver *driver);

    /* ---- sessions: one per loop thread. new: by the main thread, returns
     * when connections to at least one node stand. in_flight: of this
     * session. ---- */
    enum cs_code (*session_new)(struct cs_driver *driver, int in_flight,
                                struct cs_session **out, struct cs_err *err);
    void (*session_free)(struct cs_session *session);

    /* Takes the operation; it ends by on_done in some later poll, never
     * inside this call. */
    void (*submit)(struct cs_session *session, struct cs_operation *op);

    /* One pass: waits until deadline_ns (monotonic; INT64_MAX: for ever) for
     * something to happen, reads, calls back, writes what was submitted. */
    enum cs_code (*poll)(struct cs_session *session, int64_t deadline_ns,
                         struct cs_err *err);

    /* The name of the coordinator of an outcome. By the session's thread. */
    void (*node_name)(struct cs_session *session, unsigned node,
                      struct cs_node_name *out);

    /* The nodes that hold a token by the replication of a keyspace that
     * prepare or follow_keyspace was called with, those that are down or must
     * not be asked included: at most count are written, returns how many there
     * are; 0: not known. By the session's thread. */
    size_t (*replicas)(struct cs_session *session, const char *keyspace,
                       int64_t token, struct cs_node_name *out, size_t count);

    /* Ends the wait of a poll; from any thread. */
    void (*wake)(struct cs_session *session);

    /* The traffic of a session by node; count entries at most are written,
     * returns how many there are. By the main thread, any time. */
    size_t (*traffic)(struct cs_session *session, struct cs_node_traffic *out,
                      size_t count);

    /* The copies of the rows that a statement (NULL: any) is about; false: not
     * known. By the main thread. NULL: this database has none. */
    bool (*copies)(struct cs_driver *driver,
                   const struct cs_statement *statement, struct cs_copies *out);

    /* When its loop has ended. */
    void (*counts)(const struct cs_session *session,
                   struct cs_session_counts *out);

    /* The warnings of a session: at most count entries are written, returns
     * how many there are; *others (may be NULL) counts warnings of further
     * texts. From any thread. */
    size_t (*warnings)(struct cs_session *session,
                       struct cs_server_warning *out, size_t count,
                       uint64_t *others);
};

#endif
