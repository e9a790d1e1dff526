/* tls_internal.h - one end of an encrypted connection. */
#ifndef CS_NET_TLS_INTERNAL_H
#define CS_NET_TLS_INTERNAL_H

#include "base/buf.h"
#include "net/tls.h"

#include <openssl/ssl.h>
#include <pthread.h>

/* A host as it was typed, and its address. */
struct cs_tls_name {
    char address[64];
    char host[256];
};

/* The last session with a server. */
struct cs_tls_session {
    char peer[80]; /* address and port */
    SSL_SESSION *session;
};

struct cs_tls {
    SSL_CTX *ctx;
    BIO_METHOD *socket; /* how an end reads and writes */
    bool server;
    bool verify_host;
    bool has_key;
    char trusted[300];         /* where trust comes from, for messages */
    struct cs_tls_name *names; /* owned */
    size_t name_count;
    pthread_mutex_t mutex;           /* of the sessions */
    struct cs_tls_session *sessions; /* owned */
    size_t session_count;
};

/* One end. Reads the socket itself, at most once per pass; what is to be sent
 * is left in wire. */
struct cs_tls_end {
    struct cs_tls *tls; /* borrowed */
    SSL *ssl;
    int fd;       /* borrowed */
    bool started; /* the first step of the handshake is made */
    bool shaken;  /* the handshake is complete */
    bool may_read;
    bool more;          /* the last read stopped for want of room */
    bool heard;         /* the peer has sent anything at all */
    bool closed;        /* the peer has closed the socket */
    bool answered;      /* the peer has sent bytes of ours */
    bool asked;         /* the server wants a certificate of ours */
    int sys_errno;      /* of a read that failed */
    struct cs_buf wire; /* encrypted, to be sent */
    size_t sent;        /* leading bytes of it that are */
    char address[64];   /* of the peer; empty: not known */
    int port;
    struct cs_err why; /* it is over, by this cause */
    char flaw[300];    /* what is wrong with the certificate, or empty */
};

enum cs_code cs_tls_socket_new(BIO_METHOD **out,
                               struct cs_err *err) CS_MUST_USE;

/* address NULL: not known, no certificate can name it. */
enum cs_code cs_tls_end_new(struct cs_tls *tls, int fd,
                            const struct cs_address *address, size_t out_max,
                            struct cs_tls_end **out,
                            struct cs_err *err) CS_MUST_USE;
/* Says good-bye when the socket takes it. */
void cs_tls_end_free(struct cs_tls_end *end);

/* One step; end->shaken when it was the last. What must be sent is in wire,
 * also when it fails. */
enum cs_code cs_tls_shake(struct cs_tls_end *end,
                          struct cs_err *err) CS_MUST_USE;

/* Appends to wire, all or nothing. */
enum cs_code cs_tls_seal(struct cs_tls_end *end, const uint8_t *bytes,
                         size_t size, struct cs_err *err) CS_MUST_USE;

/* Up to size bytes; 0 also when none is there. *err is filled when it is over,
 * behind the bytes that came before that. */
size_t cs_tls_open(struct cs_tls_end *end, uint8_t *to, size_t size,
                   struct cs_err *err);

/* ---- tls_names.c ---- */

/* Whether the certificate of the peer names the host that was meant. */
enum cs_code cs_tls_check_host(const struct cs_tls_end *end,
                               struct cs_err *err) CS_MUST_USE;

/* ---- tls_why.c ---- */

/* Why a call of the library with this result failed. Empties its queue. */
enum cs_code cs_tls_fail(struct cs_tls_end *end, int result,
                         struct cs_err *err);
/* Remembers what is wrong with a certificate; the library's callback. */
int cs_tls_judge(int good, X509_STORE_CTX *context);

/* ---- sessions ---- */

/* Keeps a session for the next connection to this peer; owns it. */
void cs_tls_keep_session(struct cs_tls_end *end, SSL_SESSION *session);

#endif
