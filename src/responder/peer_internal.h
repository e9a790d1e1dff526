/* peer_internal.h - the responder and its connections. */
#ifndef CS_RESPONDER_PEER_INTERNAL_H
#define CS_RESPONDER_PEER_INTERNAL_H

#include "net/link.h"
#include "net/tls.h"
#include "protocol/inbox.h"
#include "protocol/outbox.h"
#include "responder/answer_internal.h"
#include "responder/responder.h"

/* A connection of a client. */
struct cs_peer {
    struct cs_link link;
    struct cs_responder *responder;
    size_t place; /* where it came in */
    struct cs_inbox inbox;
    struct cs_outbox outbox;
    uint8_t version; /* 0: nothing has come yet */
    bool refused;    /* it has been told so, and is not listened to */
    char keyspace[128];
    struct cs_peer *next;
};

/* Prepared for all connections and for good. */
struct cs_prepared_script {
    struct cs_arena arena;
    struct cs_script script;
    int64_t hash; /* of keyspace and text */
    uint8_t id[16];
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

#define CS_ERROR_SHARES_MAX 16

struct cs_listener {
    struct cs_watch watch;
    struct cs_responder *responder;
    size_t place;
    struct cs_address address;
};

struct cs_responder {
    const struct cs_responder_options *options;
    struct cs_tls *tls; /* owned; NULL: plain */
    struct cs_catalog catalog;
    struct cs_link_group group;
    struct cs_listener *listeners; /* owned */
    struct cs_place *places;       /* owned; parallel */
    size_t place_count;
    struct cs_peer *peers; /* owned */
    struct cs_peer *dead;  /* owned; freed when the pass is over */
    struct cs_prepared_script **prepared; /* owned */
    size_t prepared_count;
    struct cs_late **late; /* owned: a heap, the earliest first */
    size_t late_count;
    size_t late_cap;
    struct cs_dist delay;
    struct cs_error_share errors[CS_ERROR_SHARES_MAX];
    size_t error_count;
    uint64_t random;
    int64_t stall_ns;     /* when the next one is due; INT64_MAX: never */
    struct cs_buf answer; /* the one being made */
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
void cs_peer_send(struct cs_peer *peer);

/* ---- statements.c ---- */

void cs_peer_on_query(struct cs_peer *peer, const struct cs_reply *reply,
                      struct cs_reader body);
void cs_peer_on_prepare(struct cs_peer *peer, const struct cs_reply *reply,
                        struct cs_reader body);
void cs_peer_on_execute(struct cs_peer *peer, const struct cs_reply *reply,
                        struct cs_reader body);

/* ---- mischief.c ---- */

enum cs_code cs_mischief_init(struct cs_responder *responder,
                              struct cs_err *err) CS_MUST_USE;
void cs_mischief_release(struct cs_responder *responder);
/* The answer to a statement on a user's table: sends responder->answer, or what
 * is to come in its place. id: of what was executed, or NULL. */
void cs_mischief_send(struct cs_peer *peer, const struct cs_reply *reply,
                      const uint8_t *id);
/* Sends what is due and stalls when it is time; when to be called again. */
int64_t cs_mischief_tick(struct cs_responder *responder);
/* Nothing more is sent to it. */
void cs_mischief_forget(struct cs_responder *responder,
                        const struct cs_peer *peer);

#endif
