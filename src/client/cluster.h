/* cluster.h - what a connected cluster is made of; inside this room only. The
 * main thread owns it; sessions read the shared part under the mutex. */
#ifndef CS_CLIENT_CLUSTER_H
#define CS_CLIENT_CLUSTER_H

#include "client/control.h"
#include "client/prepared.h"
#include "client/ring.h"
#include "client/snapshot.h"
#include "driver/driver.h"

/* Time to connect and shake hands with one node; an answer to a system query;
 * an answer to DDL (Cassandra truncates for up to 60 s). */
#define CS_CONNECT_TIMEOUT_NS (INT64_C(5) * 1000000000)
#define CS_QUERY_TIMEOUT_NS   (INT64_C(12) * 1000000000)
#define CS_DDL_TIMEOUT_NS     (INT64_C(70) * 1000000000)
/* A request of a session: as the driver of the original, and above the
 * timeouts of the server. */
#define CS_REQUEST_TIMEOUT_NS (INT64_C(12) * 1000000000)

/* One address of a host as typed. */
struct cs_contact {
    const char *typed;     /* in the arena */
    const char *host_name; /* NULL: it was a number */
    const char *why;       /* it does not answer; NULL: it does, or not tried */
    struct cs_address address;
};

/* A node ever seen; its index never changes. */
/* How near a node is by -node loadbalance=: nearer ones are asked first. */
enum cs_node_rank {
    CS_RANK_NEAR,   /* in the data centre; rack-aware: in the rack */
    CS_RANK_RACK,   /* rack-aware: in the data centre, another rack */
    CS_RANK_REMOTE, /* another data centre, by remote-dc= */
};

struct cs_known_node {
    struct cs_address address;
    uint8_t host_id[16];
    int64_t *tokens; /* owned */
    size_t token_count;
    bool present; /* in the last reading */
    bool seen;    /* in the reading under way */
    uint8_t rank; /* enum cs_node_rank */
    /* When we heard that it is there, and that it is no more; 0: it was there
     * when we connected, it has not left. */
    int64_t joined_ns;
    int64_t left_ns;
};

struct cs_known_keyspace {
    const char *name;
    struct cs_replication replication;
};

/* That a statement is about; only where there are tablets. */
struct cs_followed_table {
    unsigned keyspace;
    const char *name;
    uint32_t age; /* counts changes of the schema */
};

struct cs_driver {
    const struct cs_settings *settings; /* borrowed */
    struct cs_connection_config config;
    struct cs_tls *tls;         /* owned; NULL: connections are plain */
    int64_t request_timeout_ns; /* of the operations of sessions */
    struct cs_loop *loop;
    struct cs_control control;
    struct cs_arena arena;
    struct cs_contact *contacts; /* in the arena */
    size_t contact_count;
    struct cs_cluster_info info;
    struct cs_node_info *infos;  /* owned; parallel to nodes */
    struct cs_known_node *nodes; /* owned */
    size_t node_count;
    size_t node_cap;
    const char *local_dc;                 /* NULL: not yet known */
    const char *local_rack;               /* of rack-aware; NULL: likewise */
    bool has_tokens;                      /* a Murmur3 partitioner */
    bool old_peers;                       /* there is no system.peers_v2 */
    struct cs_known_keyspace **keyspaces; /* owned list, content in arena */
    unsigned keyspace_count;
    struct cs_prepared **statements; /* likewise */
    unsigned statement_count;
    struct cs_followed_table *tables; /* owned; names in the arena */
    unsigned table_count;
    bool tables_aged;     /* the snapshot does not know it yet */
    const char **notices; /* owned list, content in arena */
    size_t notice_count;
    struct cs_shared shared;
    bool stale;           /* the snapshot lacks something of the above */
    int sessions;         /* open ones */
    int64_t refresh_ns;   /* when to read the topology; INT64_MAX: no need */
    int64_t news_ns;      /* when we heard of what it will show; 0: at first */
    bool look_again;      /* once more after that */
    int64_t reconnect_ns; /* likewise, for the control connection */
    unsigned reconnect_failures;
    struct cs_control schema_control; /* of the node that runs DDL */
    bool disagreement_told;           /* that the nodes know other schemas */
};

enum cs_code cs_cluster_connect(const struct cs_settings *settings,
                                struct cs_driver **out,
                                struct cs_err *err) CS_MUST_USE;
void cs_cluster_close(struct cs_driver *driver);

/* A line for the user; told once by the caller of connect. */
void cs_cluster_notice(struct cs_driver *driver, const char *fmt, ...)
    CS_PRINTF(2, 3);

/* Opens the control connection to one of the known nodes or contact points,
 * unless it is open. Reads the topology when it had to. */
enum cs_code cs_cluster_reconnect(struct cs_driver *driver, int64_t timeout_ns,
                                  struct cs_err *err) CS_MUST_USE;

/* Asks the control connection, opened when it was lost. Rows and arena are the
 * caller's. */
enum cs_code cs_cluster_ask(struct cs_driver *driver, const char *cql,
                            struct cs_arena *arena, struct cs_result *result,
                            struct cs_err *err) CS_MUST_USE;

/* ---- topology.c ---- */

/* Reads system.local and system.peers over the control connection. */
enum cs_code cs_topology_read(struct cs_driver *driver, int64_t timeout_ns,
                              struct cs_err *err) CS_MUST_USE;
/* All tokens of the nodes that are there, ascending; the caller frees *out. */
enum cs_code cs_topology_tokens(struct cs_driver *driver, int64_t **out,
                                size_t *count, struct cs_err *err) CS_MUST_USE;
/* Applies datacenter= and whitelist to all nodes. */
enum cs_code cs_topology_filter(struct cs_driver *driver,
                                struct cs_err *err) CS_MUST_USE;

/* ---- keyspaces.c ---- */

/* As replicas of the driver's table. */
bool cs_keyspace_copies(struct cs_driver *driver,
                        const struct cs_statement *statement,
                        struct cs_copies *out);
/* Index of the keyspace whose replication routes statements; it is read from
 * the server when it is new. */
enum cs_code cs_keyspace_index(struct cs_driver *driver, const char *name,
                               unsigned *out, struct cs_err *err) CS_MUST_USE;
enum cs_code cs_keyspace_exists(struct cs_driver *driver, const char *name,
                                bool *out, struct cs_err *err) CS_MUST_USE;
/* Reads the replication of all known ones again. */
enum cs_code cs_keyspaces_read(struct cs_driver *driver,
                               struct cs_err *err) CS_MUST_USE;
/* 'text' with its quotes doubled, as CQL writes it. */
void cs_put_cql_text(struct cs_buf *buf, const char *text);

/* ---- followed.c ---- */

/* Index of the table among those that statements are about. */
enum cs_code cs_table_follow(struct cs_driver *driver, const char *keyspace,
                             const char *name, unsigned *out,
                             struct cs_err *err) CS_MUST_USE;
/* What was learned of the tables that the change is about has become old. ctx:
 * the driver. */
void cs_tables_take_change(void *ctx, const struct cs_schema_change *change);
/* Likewise of all: changes may have been missed. */
void cs_tables_age(struct cs_driver *driver);

/* ---- snapshot.c ---- */

/* Gives the sessions what is known now. */
enum cs_code cs_cluster_publish(struct cs_driver *driver,
                                struct cs_err *err) CS_MUST_USE;

/* ---- the rest of the driver's table ---- */

enum cs_code cs_cluster_execute(struct cs_driver *driver, const char *cql,
                                enum cs_consistency cl, int64_t *waited_ns,
                                struct cs_err *err) CS_MUST_USE;
enum cs_code cs_cluster_table(struct cs_driver *driver, const char *keyspace,
                              const char *name, struct cs_arena *arena,
                              struct cs_table **out,
                              struct cs_err *err) CS_MUST_USE;
enum cs_code cs_cluster_prepare(struct cs_driver *driver, const char *keyspace,
                                const char *cql,
                                const struct cs_statement_options *options,
                                const struct cs_statement **out,
                                struct cs_err *err) CS_MUST_USE;
void cs_cluster_handle_events(struct cs_driver *driver);

#endif
