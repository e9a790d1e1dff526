/* fake_answers.h - the state of the fake server, and the answers that it
 * writes. */
#ifndef CS_TESTS_SUPPORT_FAKE_ANSWERS_H
#define CS_TESTS_SUPPORT_FAKE_ANSWERS_H

#include "protocol/error.h"
#include "protocol/frame.h"
#include "support/vectors.h"

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <unistd.h>

#define FAKE_CONNECTIONS 128
#define FAKE_HELD        1024
#define FAKE_PAGES_COUNT 3

/* What happens to an EXECUTE. */
enum fake_mode {
    FAKE_VOID,
    FAKE_HOLD, /* answered when mode is FAKE_RELEASE */
    FAKE_RELEASE,
    FAKE_UNPREPARED_ONCE, /* on each connection */
    FAKE_UNPREPARED,
    FAKE_RESET,          /* closes without an answer */
    FAKE_RESET_IN_FRAME, /* closes within the answer */
    FAKE_HALF,           /* begins an answer and says no more */
    FAKE_ERROR,          /* server->error_code */
    FAKE_PAGES,          /* three pages of two rows */
    FAKE_SAME_PAGE,      /* the first page, for ever */
    FAKE_STRANGER,       /* answers a stream that asked nothing */
    FAKE_WARNING,        /* void, with a warning that has a number in it */
    FAKE_APPLIED,        /* rows with [applied] false */
    FAKE_NONSENSE,       /* an opcode that is no answer */
    FAKE_PREFIXED,       /* void behind prefixes */
    FAKE_PREFIXED_ERROR, /* error_code with error_fields behind prefixes */
};

/* A row of system.peers. NULL and 0: null cells. */
struct fake_peer {
    uint8_t address[4];
    const char *datacenter;
    const char *rack;
    const char *host_id; /* 16 characters */
    const char *token;
};

struct fake_connection {
    int fd;
    bool was_unprepared;
    bool registered; /* for events */
    struct cs_buf in;
};

struct fake_server {
    int listener;
    int port;
    pthread_t thread;
    _Atomic int mode;
    _Atomic int error_code;
    const struct cs_view *_Atomic error_fields; /* behind its message */
    _Atomic int prefixes; /* flags: what stands in front of an answer */
    _Atomic int executes;
    _Atomic int prepares;
    _Atomic int accepted;
    _Atomic bool old_peers; /* there is no system.peers_v2 */
    _Atomic int disagree;   /* so many answers show another schema version */
    _Atomic int ddl_fails;  /* so many CREATEs get error_code */
    _Atomic int creates;
    const struct fake_peer *_Atomic peers; /* of the caller */
    _Atomic size_t peer_count;
    _Atomic bool peers_fail;    /* asking for them gets error_code */
    _Atomic bool news;          /* sends an event, then false */
    const char *_Atomic change; /* of the event; NULL: NEW_NODE */
    _Atomic bool other_id;      /* PREPARE gives another id than at first */
    _Atomic bool refuse;        /* closes new connections at once */
    _Atomic bool kick;          /* closes all connections, then false */
    _Atomic bool stop;
    struct fake_connection connections[FAKE_CONNECTIONS];
    struct {
        int fd;
        int16_t stream;
    } held[FAKE_HELD];
    int held_count;
};

/* ---- writing answers ---- */

static inline void fake_send(int fd, const struct cs_buf *buf)
{
    size_t sent = 0;

    while (sent < buf->size) {
        ssize_t done =
            send(fd, buf->data + sent, buf->size - sent, MSG_NOSIGNAL);

        if (done <= 0)
            return;
        sent += (size_t)done;
    }
}

static inline void fake_answer(int fd, int16_t stream, uint8_t flags,
                               uint8_t opcode, const struct cs_buf *body)
{
    struct cs_frame_header header = {
        .version = 0x84, .flags = flags, .stream = stream, .opcode = opcode};
    struct cs_buf out;
    size_t at;

    cs_buf_init(&out, 1 << 20);
    at = cs_frame_begin(&out, &header);
    cs_buf_put(&out, body->data, body->size);
    cs_frame_end(&out, at);
    fake_send(fd, &out);
    cs_buf_release(&out);
}

/* It says nothing of itself. */
static inline void fake_supported(int fd, int16_t stream)
{
    struct cs_buf body;

    cs_buf_init(&body, 64);
    cs_buf_put16(&body, 0);
    fake_answer(fd, stream, 0, CS_OP_SUPPORTED, &body);
    cs_buf_release(&body);
}

static inline void fake_void(int fd, int16_t stream)
{
    struct cs_buf body;

    cs_buf_init(&body, 64);
    cs_buf_put32(&body, 1);
    fake_answer(fd, stream, 0, CS_OP_RESULT, &body);
    cs_buf_release(&body);
}

static inline void fake_error(int fd, int16_t stream, int code)
{
    struct cs_buf body;

    cs_buf_init(&body, 256);
    cs_buf_put32(&body, (uint32_t)code);
    cs_put_string(&body, cs_view_text("as told"));
    if (code == CS_SERVER_UNPREPARED)
        cs_put_string(&body, cs_view_text("id"));
    if (code == CS_SERVER_UNAVAILABLE)
        cs_buf_put(&body, "\0\1\0\0\0\2\0\0\0\1", 10);
    fake_answer(fd, stream, 0, CS_OP_ERROR, &body);
    cs_buf_release(&body);
}

/* What may stand in front of a message, in its order. */
static inline void fake_prefix(struct cs_buf *body, int flags)
{
    if (flags & CS_FRAME_TRACING)
        cs_buf_put(body, "0123456789abcdef", 16);
    if (flags & CS_FRAME_WARNING)
        cs_buf_put(body, "\0\1\0\11take care", 13);
    if (flags & CS_FRAME_PAYLOAD)
        cs_buf_put(body, "\0\1\0\1k\0\0\0\1v", 10);
}

/* A void, or the error of error_code with its fields. */
static inline void fake_prefixed(struct fake_server *server, int fd,
                                 int16_t stream, bool error)
{
    const struct cs_view *fields = server->error_fields;
    int flags = server->prefixes;
    struct cs_buf body;

    cs_buf_init(&body, 1024);
    fake_prefix(&body, flags);
    if (error) {
        cs_buf_put32(&body, (uint32_t)server->error_code);
        cs_put_string(&body, cs_view_text("as told"));
        cs_buf_put(&body, fields->data, fields->size);
    } else {
        cs_buf_put32(&body, 1);
    }
    fake_answer(fd, stream, (uint8_t)flags, error ? CS_OP_ERROR : CS_OP_RESULT,
                &body);
    cs_buf_release(&body);
}

/* Rows of varchar columns: the names, then so many rows whose cells are
 * written by the caller behind it. */
static inline void fake_rows(struct cs_buf *body, const char *const *names,
                             size_t count, uint32_t rows)
{
    cs_buf_put32(body, 2);
    cs_buf_put32(body, 1); /* global table */
    cs_buf_put32(body, (uint32_t)count);
    cs_put_string(body, cs_view_text("ks"));
    cs_put_string(body, cs_view_text("t"));
    for (size_t i = 0; i < count; i++) {
        cs_put_string(body, cs_view_text(names[i]));
        cs_buf_put16(body, 0x0D);
    }
    cs_buf_put32(body, rows);
}

static inline void fake_cell(struct cs_buf *body, const void *bytes,
                             size_t size)
{
    cs_buf_put32(body, (uint32_t)size);
    cs_buf_put(body, bytes, size);
}

static inline void fake_local(struct cs_buf *body)
{
    static const char *const names[] = {
        "cluster_name", "release_version", "partitioner", "data_center",
        "rack",         "host_id",         "tokens",      "schema_version"};

    fake_rows(body, names, CS_COUNT(names), 1);
    fake_cell(body, "fake", 4);
    fake_cell(body, "5.0", 3);
    fake_cell(body, "Murmur3Partitioner", 18);
    fake_cell(body, "dc1", 3);
    fake_cell(body, "r1", 2);
    fake_cell(body, "0123456789abcdef", 16);
    fake_cell(body,
              "\0\0\0\1\0\0\0\1"
              "0",
              9);
    fake_cell(body, "0123456789abcdef", 16);
}

static inline void fake_text(struct cs_buf *body, const char *text)
{
    if (text)
        fake_cell(body, text, strlen(text));
    else
        cs_buf_put32(body, UINT32_MAX);
}

static inline void fake_peers(struct fake_server *server, struct cs_buf *body)
{
    static const char *const names[] = {
        "peer", "rpc_address", "native_address", "native_port",   "data_center",
        "rack", "host_id",     "tokens",         "schema_version"};
    uint8_t port[4];
    bool differ = server->disagree > 0;

    if (differ)
        server->disagree--;
    fake_rows(body, names, CS_COUNT(names), (uint32_t)server->peer_count);
    cs_store32(port, (uint32_t)server->port);
    for (size_t i = 0; i < server->peer_count; i++) {
        const struct fake_peer *peer = &server->peers[i];

        for (int k = 0; k < 3; k++)
            fake_cell(body, peer->address, 4);
        fake_cell(body, port, 4);
        fake_text(body, peer->datacenter);
        fake_text(body, peer->rack);
        fake_text(body, peer->host_id);
        if (peer->token) {
            cs_buf_put32(body, (uint32_t)(8 + strlen(peer->token)));
            cs_buf_put32(body, 1);
        }
        fake_text(body, peer->token);
        fake_text(body, differ ? "another version!" : "0123456789abcdef");
    }
}

static inline void fake_keyspace(struct cs_buf *body)
{
    static const char *const names[] = {"keyspace_name", "replication"};

    fake_rows(body, names, 2, 1);
    fake_cell(body, "ks", 2);
    fake_cell(body,
              "\0\0\0\2\0\0\0\5"
              "class\0\0\0\16SimpleStrategy\0\0\0\22"
              "replication_factor\0\0\0\1"
              "1",
              4 + 4 + 5 + 4 + 14 + 4 + 18 + 4 + 1);
}

/* Which node it is about, nobody reads. */
static inline void fake_event(struct fake_server *server, int fd)
{
    const char *change = server->change;
    struct cs_buf body;

    cs_buf_init(&body, 256);
    cs_put_string(&body, cs_view_text("TOPOLOGY_CHANGE"));
    cs_put_string(&body, cs_view_text(change ? change : "NEW_NODE"));
    cs_buf_put(&body, "\4\177\0\0\2\0\0\43\122", 9);
    fake_answer(fd, -1, 0, CS_OP_EVENT, &body);
    cs_buf_release(&body);
}

static inline bool fake_has(const char *cql, size_t size, const char *word)
{
    return memmem(cql, size, word, strlen(word)) != NULL;
}

static inline void fake_query(struct fake_server *server, int fd,
                              int16_t stream, const char *cql, size_t size)
{
    struct cs_buf body;

    cs_buf_init(&body, 65536);
    if (fake_has(cql, size, "CREATE")) {
        server->creates++;
        if (server->ddl_fails > 0) {
            server->ddl_fails--;
            fake_error(fd, stream, server->error_code);
            return;
        }
        cs_buf_put32(&body, 1);
    } else if (fake_has(cql, size, "system.local")) {
        fake_local(&body);
    } else if (fake_has(cql, size, "system_schema.keyspaces")) {
        fake_keyspace(&body);
    } else if (fake_has(cql, size, "peers_v2") && server->old_peers) {
        fake_error(fd, stream, CS_SERVER_INVALID);
        return;
    } else if (server->peers_fail) {
        fake_error(fd, stream, server->error_code);
        return;
    } else {
        fake_peers(server, &body);
    }
    fake_answer(fd, stream, 0, CS_OP_RESULT, &body);
    cs_buf_release(&body);
}

static inline void fake_prepared(struct fake_server *server, int fd,
                                 int16_t stream)
{
    struct cs_buf body;

    server->prepares++;
    cs_buf_init(&body, 4096);
    cs_buf_put32(&body, 4);
    cs_put_string(&body, cs_view_text(server->other_id ? "di" : "id"));
    cs_buf_put32(&body, 1); /* global table, one marker: the key */
    cs_buf_put32(&body, 1);
    cs_buf_put32(&body, 1);
    cs_buf_put16(&body, 0);
    cs_put_string(&body, cs_view_text("ks"));
    cs_put_string(&body, cs_view_text("t"));
    cs_put_string(&body, cs_view_text("k"));
    cs_buf_put16(&body, 0x0D);
    cs_buf_put32(&body, 4); /* no result metadata */
    cs_buf_put32(&body, 0);
    fake_answer(fd, stream, 0, CS_OP_RESULT, &body);
    cs_buf_release(&body);
}

/* page 1 and 2 announce more. */
static inline void fake_page(int fd, int16_t stream, int page)
{
    bool last = page >= FAKE_PAGES_COUNT;
    struct cs_buf body;

    cs_buf_init(&body, 4096);
    cs_buf_put32(&body, 2);
    cs_buf_put32(&body, last ? 1 : 3);
    cs_buf_put32(&body, 1);
    if (!last) {
        cs_buf_put32(&body, 4);
        cs_buf_put32(&body, (uint32_t)page);
    }
    cs_put_string(&body, cs_view_text("ks"));
    cs_put_string(&body, cs_view_text("t"));
    cs_put_string(&body, cs_view_text("c"));
    cs_buf_put16(&body, 0x0D);
    cs_buf_put32(&body, 2);
    fake_cell(&body, "x", 1);
    fake_cell(&body, "y", 1);
    fake_answer(fd, stream, 0, CS_OP_RESULT, &body);
    cs_buf_release(&body);
}

static inline void fake_applied(int fd, int16_t stream)
{
    struct cs_buf body;

    cs_buf_init(&body, 4096);
    cs_buf_put32(&body, 2);
    cs_buf_put32(&body, 1);
    cs_buf_put32(&body, 1);
    cs_put_string(&body, cs_view_text("ks"));
    cs_put_string(&body, cs_view_text("t"));
    cs_put_string(&body, cs_view_text("[applied]"));
    cs_buf_put16(&body, 0x04);
    cs_buf_put32(&body, 1);
    fake_cell(&body, "\0", 1);
    fake_answer(fd, stream, 0, CS_OP_RESULT, &body);
    cs_buf_release(&body);
}

static inline void fake_warning(struct fake_server *server, int fd,
                                int16_t stream)
{
    struct cs_buf text;
    struct cs_buf body;

    cs_buf_init(&text, 256);
    cs_buf_init(&body, 256);
    cs_buf_printf(&text, "batch of %d bytes", server->executes);
    cs_buf_put16(&body, 1);
    cs_put_string(&body, cs_view_of(text.data, text.size));
    cs_buf_put32(&body, 1);
    fake_answer(fd, stream, CS_FRAME_WARNING, CS_OP_RESULT, &body);
    cs_buf_release(&text);
    cs_buf_release(&body);
}

#endif
