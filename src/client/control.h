/* control.h - the control connection: the main thread asks one thing at a time
 * and waits for the answer; events arrive in between. */
#ifndef CS_CLIENT_CONTROL_H
#define CS_CLIENT_CONTROL_H

#include "client/connection.h"
#include "protocol/result.h"
#include "settings/settings.h"

struct cs_control {
    struct cs_link_group group; /* its loop is borrowed */
    struct cs_connection connection;
    struct cs_address address; /* of the node at the other end */
    bool open;
    bool answered;         /* reply is filled */
    bool topology_changed; /* events since the owner last cleared it */
    struct cs_err why;     /* why it is not open */
    uint8_t reply_opcode;
    struct cs_buf reply; /* body behind the prefixes */
    int interrupt_fd;    /* readable: nothing is waited for; -1: none */
    /* Where there are tablets: the schema has changed. NULL: not asked for. */
    void (*on_schema)(void *ctx, const struct cs_schema_change *change);
    void *ctx;
};

void cs_control_init(struct cs_control *control, struct cs_loop *loop);
void cs_control_release(struct cs_control *control);

/* Connects and shakes hands. control->connection.version_refused says whether
 * an older version might do. */
enum cs_code cs_control_open(struct cs_control *control,
                             const struct cs_connection_config *config,
                             const struct cs_address *address,
                             int64_t timeout_ns,
                             struct cs_err *err) CS_MUST_USE;
void cs_control_close(struct cs_control *control);

/* Each sends one request and waits. An ERROR of the server becomes err. The
 * result lives in arena (column descriptions) and in control until the next
 * request (the rest). arena may be NULL. */
enum cs_code cs_control_query(struct cs_control *control, const char *cql,
                              enum cs_consistency cl, int64_t timeout_ns,
                              struct cs_arena *arena, struct cs_result *out,
                              struct cs_err *err) CS_MUST_USE;
enum cs_code cs_control_prepare(struct cs_control *control, const char *cql,
                                int64_t timeout_ns, struct cs_arena *arena,
                                struct cs_result *out,
                                struct cs_err *err) CS_MUST_USE;

/* Asks what the server can do beyond the protocol; all zero: nothing. */
enum cs_code cs_control_sharding(struct cs_control *control, int64_t timeout_ns,
                                 struct cs_sharding *out,
                                 struct cs_err *err) CS_MUST_USE;

/* Asks for the events of nodes, and of the schema where there are tablets. */
enum cs_code cs_control_register(struct cs_control *control, int64_t timeout_ns,
                                 struct cs_err *err) CS_MUST_USE;

/* One pass that waits for nothing: takes the events that are there. */
void cs_control_look(struct cs_control *control);

/* "127.0.0.1:9042" for messages; borrowed. */
const char *cs_control_name(const struct cs_control *control, char *buf,
                            size_t size);

#endif
