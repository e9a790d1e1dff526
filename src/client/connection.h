/* connection.h - a CQL connection: handshake, log-in, framing; then whole
 * envelopes in both directions. Knows no operations. */
#ifndef CS_CLIENT_CONNECTION_H
#define CS_CLIENT_CONNECTION_H

#include "net/link.h"
#include "protocol/inbox.h"
#include "protocol/outbox.h"
#include "protocol/request.h"
#include "protocol/shards.h"

/* What all connections of a run have in common; fixed once the version is
 * agreed on. */
struct cs_connection_config {
    uint8_t version;
    bool lz4;
    bool snappy;        /* version 3 and 4 only */
    struct cs_tls *tls; /* borrowed; NULL: not encrypted */
    const char *user;   /* NULL: no credentials */
    const char *password;
    /* How a message says what asks for TLS and for a log-in; NULL: as
     * cassandra-stress has it. */
    const char *tls_hint;
    const char *log_in_hint;
    int32_t rate_limit_code; /* of such an ERROR, where it has its own; or 0 */
    bool extended;  /* ask each connection what it offers beyond the protocol,
                       before STARTUP */
    bool no_shards; /* any connection of a node will do */
    bool tablets;   /* be told of them; not with no_shards */
    uint32_t lwt_mask; /* of the flags of conditional statements, or 0 */
};

enum cs_connection_state {
    CS_CONNECTION_CLOSED,
    CS_CONNECTION_CONNECTING,
    CS_CONNECTION_OPTIONS, /* likewise; only of an extended server */
    CS_CONNECTION_STARTUP, /* sent, not answered */
    CS_CONNECTION_AUTH,
    CS_CONNECTION_READY,
};

struct cs_connection;

/* Called inside a pass of the loop; the connection's memory must stay until
 * the pass is over. */
struct cs_connection_ops {
    void (*ready)(struct cs_connection *connection);
    /* An envelope after the handshake; borrowed. */
    void (*answer)(struct cs_connection *connection,
                   const struct cs_frame *frame);
    /* The same for RESULT void, which nearly every write gets, alone in its
     * envelope. NULL: such go to answer, too. */
    void (*done)(struct cs_connection *connection, uint16_t stream);
    /* It ended, by whatever cause but cs_connection_close. */
    void (*lost)(struct cs_connection *connection, const struct cs_err *why);
};

struct cs_connection {
    struct cs_link link;
    const struct cs_connection_ops *ops;
    const struct cs_connection_config *config;
    enum cs_connection_state state;
    bool version_refused;        /* the cause of a loss: try an older version */
    bool heard;                  /* the server has sent an envelope */
    struct cs_sharding sharding; /* zero unless config->extended */
    struct cs_inbox inbox;
    struct cs_outbox outbox;
};

void cs_connection_init(struct cs_connection *connection,
                        struct cs_link_group *group,
                        const struct cs_connection_config *config,
                        const struct cs_connection_ops *ops);
void cs_connection_release(struct cs_connection *connection);

/* Connects and shakes hands; ready or lost follows. */
enum cs_code cs_connection_start(struct cs_connection *connection,
                                 const struct cs_address *address,
                                 struct cs_err *err) CS_MUST_USE;

/* The same, to another port of that node, from one of these. */
enum cs_code cs_connection_start_from(struct cs_connection *connection,
                                      const struct cs_address *address,
                                      int port,
                                      const struct cs_source_ports *ports,
                                      struct cs_err *err) CS_MUST_USE;

/* The same over a socket that is connected. */
enum cs_code cs_connection_start_on(struct cs_connection *connection, int fd,
                                    struct cs_err *err) CS_MUST_USE;

/* Ends it without a callback. */
void cs_connection_close(struct cs_connection *connection);

/* Ends it with the callback: the peer broke a rule. */
void cs_connection_fail(struct cs_connection *connection,
                        const struct cs_err *why);

/* Between these any encoder may append one envelope to the returned buffer. On
 * failure nothing of it is left. */
CS_INLINE struct cs_buf *cs_connection_begin(struct cs_connection *connection)
{
    cs_outbox_begin(&connection->outbox, &connection->link.out);
    return &connection->link.out;
}

CS_INLINE enum cs_code cs_connection_end(struct cs_connection *connection,
                                         struct cs_err *err)
{
    enum cs_code rc =
        cs_outbox_end(&connection->outbox, &connection->link.out, err);

    if (CS_LIKELY(!rc))
        cs_link_touch(&connection->link);
    return rc;
}

static inline struct cs_request
cs_connection_request(const struct cs_connection *connection, uint16_t stream)
{
    return (struct cs_request){.version = connection->config->version,
                               .stream = (int16_t)stream};
}

#endif
