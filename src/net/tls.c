/* tls.c - what all encrypted connections of a run share: stores, versions,
 * cipher suites, sessions. */
#include "net/tls_internal.h"

#include "net/store_internal.h"

#include <openssl/err.h>
#include <stdio.h>
#include <stdlib.h>

static enum cs_code fail_library(struct cs_err *err, const char *what)
{
    unsigned long error = ERR_peek_last_error();
    const char *reason = ERR_reason_error_string(error);

    cs_fail(err, CS_EINVALID, "%s: %s", what,
            reason ? reason : "the TLS library refuses it");
    ERR_clear_error();
    return CS_EINVALID;
}

/* ---- versions and suites ---- */

static bool is_tls13(const char *suite)
{
    return !strstr(suite, "_WITH_");
}

/* The names are the registered ones; the library has its own for those of
 * TLS 1.2. What it does not know is left out. */
static void sort_suites(const char *list, struct cs_buf *old,
                        struct cs_buf *new)
{
    while (*list) {
        size_t size = strcspn(list, ",");
        char name[80];
        const char *known;

        snprintf(name, sizeof(name), "%.*s", (int)size, list);
        known = is_tls13(name) ? name : OPENSSL_cipher_name(name);
        if (is_tls13(name))
            cs_buf_printf(new, "%s%s", new->size ? ":" : "", name);
        else if (known && strcmp(known, "(NONE)") != 0)
            cs_buf_printf(old, "%s%s", old->size ? ":" : "", known);
        list += size;
        list += *list == ',';
    }
}

/* Only the suites named, so a version without any is switched off. */
static enum cs_code set_suites(SSL_CTX *ctx, const char *list,
                               struct cs_err *err)
{
    struct cs_buf old, new;
    bool ok;

    cs_buf_init(&old, CS_ERR_TEXT * 8);
    cs_buf_init(&new, CS_ERR_TEXT * 8);
    sort_suites(list, &old, &new);
    ok = old.size || new.size;
    if (ok && old.size)
        ok = SSL_CTX_set_cipher_list(ctx, cs_buf_text(&old));
    else if (ok)
        ok = SSL_CTX_set_min_proto_version(ctx, TLS1_3_VERSION);
    if (ok && new.size)
        ok = SSL_CTX_set_ciphersuites(ctx, cs_buf_text(&new));
    else if (ok)
        ok = SSL_CTX_set_max_proto_version(ctx, TLS1_2_VERSION);
    cs_buf_release(&old);
    cs_buf_release(&new);
    return ok ? CS_OK
              : cs_fail(err, CS_EINVALID,
                        "ssl-ciphers=: the TLS library has none of them");
}

static enum cs_code set_versions(SSL_CTX *ctx, const char *protocol,
                                 struct cs_err *err)
{
    bool only12 = protocol && !strcmp(protocol, "TLSv1.2");
    bool only13 = protocol && !strcmp(protocol, "TLSv1.3");

    if ((only12 && SSL_CTX_get_min_proto_version(ctx) == TLS1_3_VERSION) ||
        (only13 && SSL_CTX_get_max_proto_version(ctx) == TLS1_2_VERSION))
        return cs_fail(err, CS_EINVALID,
                       "ssl-ciphers= has no suite of ssl-protocol=%s",
                       protocol);
    if (only12)
        SSL_CTX_set_max_proto_version(ctx, TLS1_2_VERSION);
    if (only13)
        SSL_CTX_set_min_proto_version(ctx, TLS1_3_VERSION);
    return CS_OK;
}

static enum cs_code set_protocol(SSL_CTX *ctx,
                                 const struct cs_tls_options *options,
                                 struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    SSL_CTX_set_min_proto_version(ctx, TLS1_2_VERSION);
    if (options->ciphers)
        rc = set_suites(ctx, options->ciphers, err);
    return rc ? rc : set_versions(ctx, options->protocol, err);
}

/* ---- stores ---- */

/* As in Java each certificate of a trust store is an end of a chain, be it
 * self-signed or not. */
static enum cs_code trust(SSL_CTX *ctx, STACK_OF(X509) * certificates,
                          struct cs_err *err)
{
    X509_STORE *store = SSL_CTX_get_cert_store(ctx);

    for (int i = 0; i < sk_X509_num(certificates); i++)
        if (!X509_STORE_add_cert(store, sk_X509_value(certificates, i)))
            return fail_library(err, "a certificate");
    X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
    return CS_OK;
}

static enum cs_code trust_store(SSL_CTX *ctx, const struct cs_store *store,
                                struct cs_err *err)
{
    X509_STORE *trusted = SSL_CTX_get_cert_store(ctx);
    enum cs_code rc;

    if (store->certificate && !X509_STORE_add_cert(trusted, store->certificate))
        return fail_library(err, "a certificate");
    rc = trust(ctx, store->chain, err);
    return rc ? rc : trust(ctx, store->others, err);
}

static enum cs_code use_key(struct cs_tls *tls, const struct cs_store *store,
                            struct cs_err *err)
{
    if (!SSL_CTX_use_cert_and_key(tls->ctx, store->certificate, store->key,
                                  store->chain, 1))
        return fail_library(err, "key and certificate");
    tls->has_key = true;
    return CS_OK;
}

/* A client certificate is only sent to servers that want one. A trust store
 * that holds a key is the key store as well, as in the original. */
static enum cs_code load_truststore(struct cs_tls *tls,
                                    const struct cs_tls_options *options,
                                    struct cs_err *err)
{
    struct cs_store store;
    enum cs_code rc = cs_store_read(options->truststore,
                                    options->truststore_password, &store, err);

    if (!rc && !store.certificate && sk_X509_num(store.others) < 1)
        rc = cs_fail(err, CS_EINVALID, "no certificate is in it");
    if (!rc)
        rc = trust_store(tls->ctx, &store, err);
    if (!rc && !options->keystore && store.key)
        rc = use_key(tls, &store, err);
    cs_store_release(&store);
    snprintf(tls->trusted, sizeof(tls->trusted), "truststore=%s",
             options->truststore);
    return rc ? cs_while(err, "truststore=%s", options->truststore) : CS_OK;
}

static enum cs_code load_keystore(struct cs_tls *tls,
                                  const struct cs_tls_options *options,
                                  struct cs_err *err)
{
    const char *password = options->keystore_password
                               ? options->keystore_password
                               : options->truststore_password;
    struct cs_store store;
    enum cs_code rc = cs_store_read(options->keystore, password, &store, err);

    if (!rc && !store.key)
        rc = cs_fail(err, CS_EINVALID,
                     store.certificate ? "its private key needs a password"
                                       : "no private key is in it");
    if (!rc)
        rc = use_key(tls, &store, err);
    /* Alone it says whom to trust, beside the authorities of the system. */
    if (!rc && !options->truststore)
        rc = trust_store(tls->ctx, &store, err);
    cs_store_release(&store);
    return rc ? cs_while(err, "keystore=%s", options->keystore) : CS_OK;
}

static enum cs_code load_stores(struct cs_tls *tls,
                                const struct cs_tls_options *options,
                                struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    if (options->truststore) {
        rc = load_truststore(tls, options, err);
    } else {
        SSL_CTX_set_default_verify_paths(tls->ctx);
        snprintf(tls->trusted, sizeof(tls->trusted),
                 "the authorities of this system");
    }
    if (!rc && options->keystore)
        rc = load_keystore(tls, options, err);
    if (!rc && options->server && !tls->has_key)
        rc = cs_fail(err, CS_EINVALID, "keystore=: a server needs a key");
    return rc;
}

/* ---- sessions ---- */

void cs_tls_keep_session(struct cs_tls_end *end, SSL_SESSION *session)
{
    struct cs_tls *tls = end->tls;
    struct cs_tls_session *more = NULL;
    char peer[80];
    size_t at = 0;

    snprintf(peer, sizeof(peer), "%s:%d", end->address, end->port);
    pthread_mutex_lock(&tls->mutex);
    while (at < tls->session_count && strcmp(tls->sessions[at].peer, peer) != 0)
        at++;
    if (at == tls->session_count)
        more = realloc(tls->sessions, (at + 1) * sizeof(*more));
    if (more) {
        tls->sessions = more;
        tls->session_count++;
        more[at] = (struct cs_tls_session){.session = NULL};
        memcpy(more[at].peer, peer, sizeof(peer));
    }
    if (at < tls->session_count) {
        SSL_SESSION_free(tls->sessions[at].session);
        tls->sessions[at].session = session;
    } else {
        SSL_SESSION_free(session);
    }
    pthread_mutex_unlock(&tls->mutex);
}

/* The library's callback; 1: the session is ours now. */
static int on_session(SSL *ssl, SSL_SESSION *session)
{
    struct cs_tls_end *end = SSL_get_app_data(ssl);

    cs_tls_keep_session(end, session);
    return 1;
}

/* Called when a server wants a certificate, whether we have one or not. */
static int on_certificate_wanted(SSL *ssl, void *ctx)
{
    struct cs_tls_end *end = SSL_get_app_data(ssl);

    (void)ctx;
    end->asked = true;
    return 1;
}

/* ---- life ---- */

/* Bytes read from a socket at a time; a record has 16 KiB. */
#define READ_SIZE ((size_t)64 << 10)

static void set_modes(struct cs_tls *tls, const struct cs_tls_options *options)
{
    int verify = SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT;

    SSL_CTX_set_mode(tls->ctx, SSL_MODE_AUTO_RETRY |
                                   SSL_MODE_ENABLE_PARTIAL_WRITE |
                                   SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_read_ahead(tls->ctx, 1);
    SSL_CTX_set_default_read_buffer_len(tls->ctx, READ_SIZE);
    SSL_CTX_set_options(tls->ctx,
                        SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
    if (tls->server) {
        SSL_CTX_set_verify(tls->ctx,
                           options->ask_client ? verify : SSL_VERIFY_NONE,
                           cs_tls_judge);
        SSL_CTX_set_session_id_context(tls->ctx, (const uint8_t *)"cstress", 7);
        return;
    }
    SSL_CTX_set_verify(tls->ctx, SSL_VERIFY_PEER, cs_tls_judge);
    SSL_CTX_set_session_cache_mode(tls->ctx, SSL_SESS_CACHE_CLIENT |
                                                 SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(tls->ctx, on_session);
    SSL_CTX_set_cert_cb(tls->ctx, on_certificate_wanted, NULL);
}

enum cs_code cs_tls_new(const struct cs_tls_options *options,
                        struct cs_tls **out, struct cs_err *err)
{
    struct cs_tls *tls = calloc(1, sizeof(*tls));
    enum cs_code rc;

    if (!tls)
        return cs_fail(err, CS_ENOMEM, "no memory for TLS");
    pthread_mutex_init(&tls->mutex, NULL);
    tls->server = options->server;
    tls->verify_host = options->verify_host;
    tls->ctx = SSL_CTX_new(options->server ? TLS_server_method()
                                           : TLS_client_method());
    rc = tls->ctx ? CS_OK : fail_library(err, "TLS");
    if (!rc)
        rc = cs_tls_socket_new(&tls->socket, err);
    if (!rc)
        rc = set_protocol(tls->ctx, options, err);
    if (!rc)
        rc = load_stores(tls, options, err);
    if (rc) {
        cs_tls_free(tls);
        return rc;
    }
    set_modes(tls, options);
    *out = tls;
    return CS_OK;
}

void cs_tls_free(struct cs_tls *tls)
{
    if (!tls)
        return;
    for (size_t i = 0; i < tls->session_count; i++)
        SSL_SESSION_free(tls->sessions[i].session);
    free(tls->sessions);
    free(tls->names);
    SSL_CTX_free(tls->ctx);
    BIO_meth_free(tls->socket);
    pthread_mutex_destroy(&tls->mutex);
    free(tls);
}

enum cs_code cs_tls_name_host(struct cs_tls *tls,
                              const struct cs_address *address,
                              const char *host, struct cs_err *err)
{
    struct cs_tls_name *more =
        realloc(tls->names, (tls->name_count + 1) * sizeof(*more));

    if (!more)
        return cs_fail(err, CS_ENOMEM, "no memory for a host name");
    tls->names = more;
    more += tls->name_count++;
    snprintf(more->address, sizeof(more->address), "%s", address->text);
    snprintf(more->host, sizeof(more->host), "%s", host);
    return CS_OK;
}

long cs_tls_resumed(const struct cs_tls *tls)
{
    return SSL_CTX_sess_hits(tls->ctx);
}
