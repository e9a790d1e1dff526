/* session_internal.h - the connections of one event loop: pools of channels by
 * node, and the operations that are on their way. One thread owns it all. */
#ifndef CS_CLIENT_SESSION_INTERNAL_H
#define CS_CLIENT_SESSION_INTERNAL_H

#include "base/pass_clock.h"
#include "client/cluster.h"
#include "client/shards.h"
#include "client/streams.h"
#include "client/tablets.h"
#include "client/warnings.h"
#include "protocol/error.h"

/* How often time is looked at while something is under way. */
#define CS_TICK_NS (INT64_C(100) * 1000000)
/* A channel with so many bytes unsent gets no further requests. */
#define CS_BACKLOG_MAX ((size_t)1 << 20)
/* Requests under way for which one more connection pays. */
#define CS_IN_FLIGHT_PER_CONNECTION 32
#define CS_IN_FLIGHT_LIMIT_LEAST    128

enum cs_slot_kind {
    CS_SLOT_FREE,
    CS_SLOT_OPERATION,
    CS_SLOT_ORPHAN,  /* its operation has timed out, the answer is still due */
    CS_SLOT_PREPARE, /* statement: being prepared */
    CS_SLOT_HEARTBEAT,
};

/* A request under way, by its stream id. */
struct cs_slot {
    struct cs_operation *op;
    uint32_t written;     /* link.writes when it was put into the buffer */
    uint32_t deadline_ms; /* of the session's clock */
    uint32_t statement;   /* of a PREPARE: its index */
    uint8_t kind;         /* enum cs_slot_kind */
};

/* Why an operation is what it is; in op->session.flags. */
enum cs_operation_flag {
    CS_OPERATION_REPREPARED = 1, /* it had UNPREPARED once */
    CS_OPERATION_SENT = 2,
};

/* A connection of a pool. */
struct cs_channel {
    struct cs_connection connection;
    struct cs_pool *pool; /* NULL: given up, freed when the pass is over */
    struct cs_streams streams;
    struct cs_slot *slots; /* owned; by stream id */
    uint32_t orphans;
    bool usable;
    unsigned preparing;   /* PREPAREs out before it becomes usable */
    int64_t handshake_ns; /* must be usable by then */
    int64_t heard_ns;     /* of the last tick that saw new input */
    uint64_t heard_bytes;
    struct cs_operation *unprepared; /* wait for a PREPARE under way */
    struct cs_channel *next_dead;
    int aimed; /* shard that its port asks for; -1: it takes any */
    struct cs_channel *next_in_shard; /* usable; NULL: one too many */
};

/* The channels to one node. */
struct cs_pool {
    struct cs_session *session;
    unsigned node;
    struct cs_address address;
    bool wanted;
    uint8_t rank;                 /* of its node in the snapshot */
    struct cs_channel **channels; /* owned; usable ones first */
    unsigned channel_cap;
    unsigned channel_count; /* also those that are still opening */
    unsigned usable_count;
    unsigned turn;               /* the usable channel to be looked at next */
    struct cs_channel *answered; /* had the last answer; NULL: none, or lost */
    unsigned failures; /* tries in a row that did not come to be usable */
    int64_t retry_ns;  /* when to open more; INT64_MAX: no need */
    bool settled;      /* its first try has ended, either way */
    bool silent;       /* owes answers and says nothing: others are preferred */
    char why[256];     /* of the last failure */
    struct cs_shards *shards; /* owned; NULL: the node has none */
    /* Requests whose shard is known, and those of them that went there. */
    _Atomic uint64_t shard_known;
    _Atomic uint64_t shard_right;
    _Atomic uint64_t requests[CS_ROLE_COUNT]; /* by what it is to them */
    _Atomic int64_t first_request_ns;         /* seen by a tick; 0: none yet */
    _Atomic unsigned open_count;
};

/* What a session keeps of a statement: ids may change under it alone. */
struct cs_local_statement {
    struct cs_execute_template execute;
    const struct cs_prepared *prepared;
    uint32_t result_count; /* columns of rows without metadata */
};

/* A first-in first-out list of operations. */
struct cs_operation_list {
    struct cs_operation *first;
    struct cs_operation **end;
    size_t count;
};

struct cs_session {
    struct cs_link_group group;
    struct cs_driver *driver;
    const struct cs_connection_config *config;
    struct cs_snapshot *snapshot;
    uint64_t version;
    unsigned connections_per_node;
    uint32_t limit;     /* requests under way per channel */
    int64_t timeout_ns; /* of a request */
    int64_t start_ns;
    int64_t now_ns;             /* of the last clock read */
    struct cs_pass_clock clock; /* of answers */
    bool in_pass;               /* now_ns is fresh */
    bool answered;              /* likewise: this pass has read an answer */
    int64_t tick_ns;            /* when to look at the time again */
    uint64_t random;
    struct cs_pool **pools; /* owned; by node; grows under pools_mutex */
    unsigned pool_count;
    unsigned usable_pools;
    unsigned next_pool; /* round robin */
    int64_t
        no_node_ns; /* since when no node can be asked; INT64_MAX: one can */
    struct cs_local_statement **statements; /* owned; by index */
    unsigned statement_count;
    struct cs_operation_list waiting;  /* for a stream id or a node */
    struct cs_operation_list finished; /* ended outside a pass: see outcome */
    struct cs_channel *dead;
    struct cs_arena scratch; /* of rare decodings */
    struct cs_warnings warnings;
    struct cs_tablets *tablets; /* owned; NULL: none has been learned */
    uint16_t route_shard; /* of the node that was chosen last by a tablet, or
                             CS_SHARD_BY_TOKEN */
    struct cs_session_counts counts;
    struct cs_outcome done;   /* of a plain void answer; most of it stays */
    char reason[CS_ERR_TEXT]; /* of the failure being told, escaped */
    pthread_mutex_t pools_mutex;
};

/* ---- lists ---- */

static inline void cs_operations_init(struct cs_operation_list *list)
{
    list->first = NULL;
    list->end = &list->first;
    list->count = 0;
}

static inline void cs_operations_push(struct cs_operation_list *list,
                                      struct cs_operation *op)
{
    op->session.next = NULL;
    *list->end = op;
    list->end = &op->session.next;
    list->count++;
}

static inline struct cs_operation *
cs_operations_pop(struct cs_operation_list *list)
{
    struct cs_operation *op = list->first;

    if (!op)
        return NULL;
    list->first = op->session.next;
    if (!list->first)
        list->end = &list->first;
    list->count--;
    return op;
}

/* ---- session.c ---- */

CS_INLINE uint32_t cs_session_random(struct cs_session *session)
{
    uint64_t x = session->random;

    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    session->random = x;
    return (uint32_t)(x >> 32);
}

CS_INLINE void cs_count_one(_Atomic uint64_t *counter)
{
    /* One writer: no locked instruction is needed. */
    atomic_store_explicit(
        counter, atomic_load_explicit(counter, memory_order_relaxed) + 1,
        memory_order_relaxed);
}

/* In units of 2^20 ns: near enough to milliseconds for time-outs, and needs no
 * division. */
CS_INLINE uint32_t cs_session_ms(const struct cs_session *session, int64_t ns)
{
    return (uint32_t)((uint64_t)(ns - session->start_ns) >> 20);
}

/* ---- pool.c ---- */

/* Brings the pools in line with the snapshot. */
enum cs_code cs_pools_adopt(struct cs_session *session,
                            struct cs_err *err) CS_MUST_USE;
void cs_pools_free(struct cs_session *session);
/* Opens the channels that are missing. */
void cs_pool_fill(struct cs_pool *pool);
/* Whether one more may be on its way; if not, those that are come first. */
bool cs_pool_may_open(const struct cs_pool *pool);
/* Opens one, to this shard (-1: any); false: it could not be. */
bool cs_pool_open(struct cs_pool *pool, int shard);
/* A channel of the pool can be used from now on; it was lost. */
void cs_pool_usable(struct cs_pool *pool, struct cs_channel *channel);
void cs_pool_lost(struct cs_pool *pool, struct cs_channel *channel,
                  const struct cs_err *why);
/* Timeouts, and connections that are due to be tried again. */
void cs_pools_tick(struct cs_session *session);
/* Pause before the next try after so many failures in a row: doubled each
 * time, up to 10 s, or 1 s while no node at all can be asked (alone). */
int64_t cs_backoff_ns(unsigned failures, bool alone, uint32_t random);
/* Frees the channels that were lost in this pass. */
void cs_session_bury(struct cs_session *session);

/* ---- channel.c ---- */

/* shard: as in cs_pool_open. */
enum cs_code cs_channel_open(struct cs_pool *pool, int shard,
                             struct cs_channel **out,
                             struct cs_err *err) CS_MUST_USE;
void cs_channel_free(struct cs_channel *channel);
/* Ends all that is under way on a channel that was lost. */
void cs_channel_drop(struct cs_channel *channel, const struct cs_err *why);
/* Timeouts, orphans, heartbeats. */
void cs_channel_tick(struct cs_channel *channel);
/* One of the PREPAREs before its first use has been answered. */
void cs_channel_prepared(struct cs_channel *channel);
/* Asks the node to prepare; false: the connection could not take it. */
bool cs_channel_prepare(struct cs_channel *channel, uint32_t statement);

CS_INLINE bool cs_channel_has_room(const struct cs_channel *channel)
{
    return channel->streams.free_count &&
           cs_link_backlog(&channel->connection.link) < CS_BACKLOG_MAX;
}

/* ---- dispatch.c ---- */

/* Sends the operation to a node, or lets it wait. */
void cs_session_dispatch(struct cs_session *session, struct cs_operation *op);
/* Puts the request into a channel that has room. */
void cs_channel_send(struct cs_channel *channel, struct cs_operation *op);
/* Sends what waits, as far as there is room. */
void cs_session_drain_waiting(struct cs_session *session);
struct cs_local_statement *
cs_session_statement(struct cs_session *session,
                     const struct cs_statement *statement);

/* ---- statements.c ---- */

/* One that is sent for the first time; NULL: no memory. */
struct cs_local_statement *
cs_session_new_statement(struct cs_session *session,
                         const struct cs_prepared *prepared);

/* ---- batch.c ---- */

/* What does not fit sets the buffer's fault. */
void cs_operation_put_batch(struct cs_buf *buf,
                            const struct cs_request *request,
                            const struct cs_operation *op);

/* ---- answer.c ---- */

void cs_channel_answer(struct cs_connection *connection,
                       const struct cs_frame *frame);
void cs_channel_done(struct cs_connection *connection, uint16_t stream);

/* The peer broke a rule: ends the connection and all that is under way. */
void cs_channel_break_off(struct cs_channel *channel, const char *text);

void cs_operation_fail_by_server(struct cs_session *session,
                                 struct cs_operation *op,
                                 const struct cs_server_error *error);

/* Ends an operation without an answer. */
void cs_operation_fail(struct cs_session *session, struct cs_operation *op,
                       enum cs_result_class result, const char *message);

/* ---- prepare_again.c ---- */

/* Lets the operation wait for its statement to be prepared; false: that was
 * done before, or cannot be. */
bool cs_channel_prepare_again(struct cs_channel *channel,
                              struct cs_operation *op);
void cs_channel_answer_prepare(struct cs_channel *channel, uint32_t statement,
                               const struct cs_frame *frame,
                               struct cs_reader body);
/* Sends the operation on this channel if it has room, else on another. */
void cs_channel_send_again(struct cs_channel *channel, struct cs_operation *op);
/* Version 5: rows of the statement have a new shape from now on. */
void cs_session_take_metadata(struct cs_session *session,
                              struct cs_local_statement *local,
                              struct cs_view metadata_id,
                              uint32_t column_count);

#endif
