/* tls.h - encryption for links: whom to trust, who we are, and the sessions
 * that make the next handshake short. One for all threads of a run. */
#ifndef CS_NET_TLS_H
#define CS_NET_TLS_H

#include "net/socket.h"

struct cs_tls; /* opaque; read-only but for the sessions, which are locked */

/* Files and words as a user gives them; borrowed by cs_tls_new alone. A store
 * is PEM, PKCS#12 or JKS, known by its content. NULL: not given. */
struct cs_tls_options {
    const char *truststore; /* NULL: the certificates of the system */
    const char *truststore_password;
    const char *keystore; /* NULL: the truststore, should it hold a key */
    const char *keystore_password;
    const char *protocol; /* "TLS", "TLSv1.2", "TLSv1.3" */
    const char *ciphers;  /* registered names with commas between */
    bool verify_host;     /* the certificate must name the host */
    bool server;          /* the accepting side; needs a keystore */
    bool ask_client;      /* a server: the client needs a certificate */
};

/* Reads the stores. CS_EINVALID names the option whose file or password is
 * wrong. On success the caller owns *out. */
enum cs_code cs_tls_new(const struct cs_tls_options *options,
                        struct cs_tls **out, struct cs_err *err) CS_MUST_USE;
/* After the last link that uses it. */
void cs_tls_free(struct cs_tls *tls);

/* The host at this address was typed by this name, so a certificate for the
 * name is as good as one for the address. Before the first link. */
enum cs_code cs_tls_name_host(struct cs_tls *tls,
                              const struct cs_address *address,
                              const char *host, struct cs_err *err) CS_MUST_USE;

/* How many handshakes were short because a session was resumed. */
long cs_tls_resumed(const struct cs_tls *tls);

#endif
