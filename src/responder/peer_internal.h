/* peer_internal.h - the responder and its connections. */
#ifndef CS_RESPONDER_PEER_INTERNAL_H
#define CS_RESPONDER_PEER_INTERNAL_H

#include "net/link.h"
#include "net/tls.h"
#include "protocol/inbox.h"
#include "protocol/outbox.h"
#include "protocol/shards.h"
#include "responder/answer_internal.h"
#include "responder/asked_internal.h"
#include "responder/responder.h"

/* A connection of a client. */
struct cs_peer {
    struct cs_link link;
    struct cs_responder *responder;
    size_t place; /* where it came in */
    unsigned shard;
    uint8_t speaks; /* as in cs_reply */
    struct cs_inbox inbox;
    struct cs_outbox outbox;
    uint8_t version; /* 0: nothing has come yet */
    bool refused;    /* it has been told so, and is not listened to */
    bool asked;      /* who it is, after STARTUP */
    bool ready;      /* for statements */
    unsigned events; /* enum cs_registered, one bit each */
    char keyspace[128];
    struct cs_peer *next;
};

/* What REGISTER asked for, in the order of its names. */
enum cs_registered {
    CS_REGISTERED_TOPOLOGY = 1,
    CS_REGISTERED_STATUS = 2,
    CS_REGISTERED_SCHEMA = 4,
};

/* Prepared for all connections and for good. */
struct cs_prepared_script {
    struct cs_arena arena;
    struct cs_script script;
    bool stale;   /* its table is another now: it is not known any more */
    int64_t hash; /* of keyspace and text */
    uint8_t id[16];
    uint8_t shape[16]; /* id of its result's columns */
};

/* The script of script=. */
struct cs_play {
    const char *path; /* NULL: there is none */
    struct cs_loop *loop;
    struct cs_watch watch;
    struct cs_buf text;
    size_t at;     /* where the next line starts */
    unsigned line; /* of the last one */
    int64_t due_ns;
};

/* An answer that is to be late. */
struct cs_late {
    int64_t due_ns;
    struct cs_peer *peer; /* NULL: it has gone */
    size_t size;
    uint8_t bytes[];
};

struct cs_error_share {
    int32_t code;
    double share;
};

#define CS_ERROR_SHARES_MAX 32

struct cs_error_shares {
    struct cs_error_share list[CS_ERROR_SHARES_MAX];
    size_t count;
};

struct cs_listener {
    struct cs_watch watch;
    struct cs_responder *responder;
    size_t place;
    bool by_shard;       /* the client's port chooses the shard */
    unsigned shard_turn; /* else, of the next connection */
    struct cs_address address;
};

/* Of shard-aware-port=. */
struct cs_shard_port {
    int port;     /* 0: there is none */
    bool refused; /* it is told of, and nobody listens */
    bool shifted; /* as behind something that changes ports */
};

/* tablets=, and in a script */
#define CS_TABLETS_PLAYED_MAX 65536

/* How tables are cut into tablets. */
struct cs_tablet_map {
    unsigned count;        /* of each table; 0: none */
    unsigned *moves;       /* owned; how often each has gone elsewhere */
    struct cs_buf payload; /* for the answer that is being made */
};

struct cs_store;

struct cs_responder {
    const struct cs_responder_options *options;
    struct cs_tls *tls; /* owned; NULL: plain */
    struct cs_catalog catalog;
    struct cs_link_group group;
    struct cs_listener *listeners;       /* owned */
    struct cs_listener *shard_listeners; /* owned; parallel; fd -1: none */
    struct cs_shard_port shard_port;
    struct cs_tablet_map tablets;
    struct cs_place *places; /* owned; parallel */
    size_t place_count;
    int spare_fd; /* given up to refuse a connection when there are no more */
    struct cs_peer *peers; /* owned */
    struct cs_peer *dead;  /* owned; freed when the pass is over */
    struct cs_prepared_script **prepared; /* owned */
    size_t prepared_count;
    size_t prepared_turn;  /* whose place the next one takes, when all are */
    struct cs_late **late; /* owned: a heap, the earliest first */
    size_t late_count;
    size_t late_cap;
    struct cs_dist delay;
    bool delayed;
    struct cs_error_shares errors;
    uint64_t random;
    int64_t stall_ns;     /* when the next one is due; INT64_MAX: never */
    struct cs_buf answer; /* the one being made */
    struct cs_buf event;
    unsigned schema_version;
    struct cs_play play;
    struct cs_bounds bounds; /* of the request that is answered */
    struct cs_store *store;  /* owned; NULL: rows are not kept */
    int64_t written_us;      /* of the last write that brought no time */
    struct cs_buf key;       /* of the statement that is carried out */
    struct cs_buf cells;
    struct cs_buf rows;
    struct cs_watch stop;
    bool stopped;
    struct cs_responder_counts counts;
    char name[96];
};

/* ---- peer.c ---- */

enum cs_code cs_peer_accept(struct cs_listener *listener, int fd,
                            struct cs_err *err) CS_MUST_USE;
void cs_peer_free(struct cs_peer *peer);
/* Puts one envelope into the connection; broken: with a byte changed. */
void cs_peer_put(struct cs_peer *peer, const uint8_t *bytes, size_t size,
                 bool broken);

/* Puts responder->answer. */
void cs_peer_send(struct cs_peer *peer, const struct cs_reply *reply);

/* ---- handshake.c ---- */

void cs_peer_refuse_version(struct cs_peer *peer, const uint8_t *bytes);
/* Whether such a request may come now; false: it has been refused. */
bool cs_peer_allows(struct cs_peer *peer, const struct cs_reply *reply,
                    uint8_t opcode);
/* All requests that are no statements. */
void cs_peer_on_control(struct cs_peer *peer, const struct cs_reply *reply,
                        uint8_t opcode, struct cs_reader body);

/* ---- events.c: to all who registered, but for connections of that node ----
 */

void cs_event_status(struct cs_responder *responder, const char *change,
                     size_t node);
void cs_event_topology(struct cs_responder *responder, const char *change,
                       size_t node);
void cs_event_schema(struct cs_responder *responder,
                     const struct cs_schema_step *change);

/* ---- nodes.c ---- */

enum cs_code cs_nodes_init(struct cs_responder *responder,
                           struct cs_err *err) CS_MUST_USE;
void cs_nodes_release(struct cs_responder *responder);
/* Listens no more and ends its connections; harmless when it is stopped. */
void cs_node_stop(struct cs_responder *responder, size_t node);
enum cs_code cs_node_start(struct cs_responder *responder, size_t node,
                           struct cs_err *err) CS_MUST_USE;
void cs_node_drop_peers(struct cs_responder *responder, size_t node);

/* ---- shards.c ---- */

enum cs_code cs_shards_init(struct cs_responder *responder,
                            struct cs_err *err) CS_MUST_USE;
/* Gives the connection its shard. */
void cs_shards_place(struct cs_peer *peer, struct cs_listener *listener,
                     int fd);
/* What SUPPORTED says of it. */
struct cs_sharding cs_shards_told(const struct cs_peer *peer);
/* Whether it came to the right one. body: of EXECUTE, behind the id. */
void cs_shards_count(struct cs_peer *peer, const struct cs_script *script,
                     struct cs_reader body);

/* ---- tablets.c ---- */

enum cs_code cs_tablets_init(struct cs_responder *responder,
                             struct cs_err *err) CS_MUST_USE;
void cs_tablets_release(struct cs_responder *responder);
/* Words of a script: each table has so many from now on; those with this
 * number, from 1, go to the next nodes and shards. */
enum cs_code cs_tablets_recut(struct cs_responder *responder, int64_t count,
                              const char *words,
                              struct cs_err *err) CS_MUST_USE;
enum cs_code cs_tablets_migrate(struct cs_responder *responder, int64_t tablet,
                                const char *words,
                                struct cs_err *err) CS_MUST_USE;
/* What is wrong with these before anything happens. */
enum cs_code cs_tablets_verify(struct cs_responder *responder, int64_t number,
                               const char *words,
                               struct cs_err *err) CS_MUST_USE;
/* Whether the request came to a replica of its tablet; if not, the client is
 * told, if it speaks of that. */
bool cs_tablets_check(struct cs_peer *peer, const struct cs_table *table,
                      int64_t token);
/* What is to be told with this answer, once; null: nothing. */
struct cs_view cs_tablets_payload(struct cs_responder *responder);

/* ---- play.c ---- */

enum cs_code cs_play_init(struct cs_responder *responder,
                          struct cs_err *err) CS_MUST_USE;
void cs_play_release(struct cs_responder *responder);
/* Does what is due; when to be called again. INT64_MIN: err says why not. */
int64_t cs_play_tick(struct cs_responder *responder, struct cs_err *err);

/* ---- responder.c ---- */

/* The schema has changed: tells those who want to know. */
void cs_responder_changed(struct cs_responder *responder,
                          const struct cs_schema_step *change);

/* ---- prepared.c ---- */

/* What a statement wants; with stored rows, how it is carried out, too. */
enum cs_code cs_statement_read(struct cs_responder *responder,
                               const char *keyspace, struct cs_view cql,
                               struct cs_arena *arena, struct cs_script *out,
                               struct cs_err *err) CS_MUST_USE;
/* The one with this text, or a new one; NULL: err says why not. */
struct cs_prepared_script *cs_prepared_make(struct cs_responder *responder,
                                            const char *keyspace,
                                            struct cs_view cql,
                                            struct cs_err *err);
/* NULL: unknown, or not any more. */
struct cs_prepared_script *
cs_prepared_find(const struct cs_responder *responder, struct cs_view id);
/* The schema has changed: those whose table has are stale. */
void cs_prepared_look_again(struct cs_responder *responder);
void cs_prepared_release(struct cs_responder *responder);

/* ---- statements.c ---- */

const char *cs_peer_keyspace(const struct cs_peer *peer); /* or NULL */

void cs_peer_on_query(struct cs_peer *peer, const struct cs_reply *reply,
                      struct cs_reader body);
void cs_peer_on_prepare(struct cs_peer *peer, const struct cs_reply *reply,
                        struct cs_reader body);
void cs_peer_on_execute(struct cs_peer *peer, const struct cs_reply *reply,
                        struct cs_reader body);
void cs_peer_on_batch(struct cs_peer *peer, const struct cs_reply *reply,
                      struct cs_reader body);

/* ---- mischief.c ---- */

enum cs_code cs_mischief_init(struct cs_responder *responder,
                              struct cs_err *err) CS_MUST_USE;
void cs_mischief_release(struct cs_responder *responder);
/* The answer to a statement on a user's table: sends responder->answer, or what
 * is to come in its place. id: of what was executed, or NULL. */
void cs_mischief_send(struct cs_peer *peer, const struct cs_reply *reply,
                      const uint8_t *id);
/* "overloaded:0.01,..." */
enum cs_code cs_mischief_read_errors(const char *text,
                                     struct cs_error_shares *out,
                                     struct cs_err *err) CS_MUST_USE;
/* A distribution, or "none". */
enum cs_code cs_mischief_read_delay(const char *text, bool *out_delayed,
                                    struct cs_dist_spec *out,
                                    struct cs_err *err) CS_MUST_USE;
enum cs_code cs_mischief_set_delay(struct cs_responder *responder,
                                   const char *text,
                                   struct cs_err *err) CS_MUST_USE;
void cs_mischief_stall(struct cs_responder *responder, int64_t ms);
/* Sends what is due and stalls when it is time; when to be called again. */
int64_t cs_mischief_tick(struct cs_responder *responder);
/* Nothing more is sent to it. */
void cs_mischief_forget(struct cs_responder *responder,
                        const struct cs_peer *peer);

#endif
