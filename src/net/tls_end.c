/* tls_end.c - one end of an encrypted connection: bytes in, bytes out, without
 * ever waiting. */
#include "base/log.h"
#include "net/tls_internal.h"

#include <errno.h>
#include <openssl/err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

/* What a record adds to its 16 KiB, generously, and a handshake at all. */
#define WIRE_EXTRA(size) ((size) / 64 + ((size_t)64 << 10))

/* ---- the socket as the library sees it ---- */

/* One read per pass: epoll tells of what is left, and a second read would
 * mostly find nothing. */
static int read_socket(BIO *bio, char *to, int size)
{
    struct cs_tls_end *end = BIO_get_data(bio);
    ssize_t got;

    BIO_clear_retry_flags(bio);
    if (!end->may_read) {
        BIO_set_retry_read(bio);
        return -1;
    }
    end->may_read = false;
    got = recv(end->fd, to, (size_t)size, MSG_DONTWAIT);
    if (got > 0) {
        end->heard = true;
        return (int)got;
    }
    end->closed = got == 0;
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        BIO_set_retry_read(bio);
    else if (got < 0)
        end->sys_errno = errno;
    return (int)got;
}

/* Gathered, so that many records leave by one write. */
static int write_socket(BIO *bio, const char *bytes, int size)
{
    struct cs_tls_end *end = BIO_get_data(bio);

    cs_buf_put(&end->wire, bytes, (size_t)size);
    return end->wire.fault ? -1 : size;
}

static long control_socket(BIO *bio, int command, long number, void *pointer)
{
    const struct cs_tls_end *end = BIO_get_data(bio);

    (void)number;
    (void)pointer;
    if (command == BIO_CTRL_EOF)
        return end->closed;
    return command == BIO_CTRL_FLUSH;
}

enum cs_code cs_tls_socket_new(BIO_METHOD **out, struct cs_err *err)
{
    *out = BIO_meth_new(BIO_TYPE_SOURCE_SINK | BIO_get_new_index(), "cstress");
    if (!*out || !BIO_meth_set_read(*out, read_socket) ||
        !BIO_meth_set_write(*out, write_socket) ||
        !BIO_meth_set_ctrl(*out, control_socket))
        return cs_fail(err, CS_ENOMEM, "no memory for TLS");
    return CS_OK;
}

/* ---- life ---- */

static char *host_of(const struct cs_tls_end *end)
{
    for (size_t i = 0; i < end->tls->name_count; i++)
        if (!strcmp(end->tls->names[i].address, end->address))
            return end->tls->names[i].host;
    return NULL;
}

static void offer_session(struct cs_tls_end *end)
{
    struct cs_tls *tls = end->tls;
    char peer[80];

    snprintf(peer, sizeof(peer), "%s:%d", end->address, end->port);
    pthread_mutex_lock(&tls->mutex);
    for (size_t i = 0; i < tls->session_count; i++)
        if (!strcmp(tls->sessions[i].peer, peer) && tls->sessions[i].session)
            SSL_set_session(end->ssl, tls->sessions[i].session);
    pthread_mutex_unlock(&tls->mutex);
}

static enum cs_code set_up(struct cs_tls_end *end, struct cs_err *err)
{
    BIO *bio = BIO_new(end->tls->socket);
    char *host = host_of(end);

    end->ssl = SSL_new(end->tls->ctx);
    if (!bio || !end->ssl) {
        BIO_free(bio);
        return cs_fail(err, CS_ENOMEM, "no memory for a TLS connection");
    }
    BIO_set_data(bio, end);
    BIO_set_init(bio, 1);
    SSL_set_bio(end->ssl, bio, bio);
    SSL_set_app_data(end->ssl, end);
    if (end->tls->server) {
        SSL_set_accept_state(end->ssl);
        return CS_OK;
    }
    SSL_set_connect_state(end->ssl);
    offer_session(end);
    if (host && !SSL_set_tlsext_host_name(end->ssl, host))
        return cs_fail(err, CS_ENOMEM, "no memory for a host name");
    return CS_OK;
}

enum cs_code cs_tls_end_new(struct cs_tls *tls, int fd,
                            const struct cs_address *address, size_t out_max,
                            struct cs_tls_end **out, struct cs_err *err)
{
    struct cs_tls_end *end = calloc(1, sizeof(*end));
    enum cs_code rc;

    if (!end)
        return cs_fail(err, CS_ENOMEM, "no memory for a TLS connection");
    end->tls = tls;
    end->fd = fd;
    cs_buf_init(&end->wire, out_max + WIRE_EXTRA(out_max));
    if (address) {
        memcpy(end->address, address->text, sizeof(end->address));
        end->port = address->port;
    }
    rc = set_up(end, err);
    ERR_clear_error();
    if (rc) {
        cs_tls_end_free(end);
        return rc;
    }
    *out = end;
    return CS_OK;
}

static void say_goodbye(struct cs_tls_end *end)
{
    ssize_t done;

    if (SSL_shutdown(end->ssl) < 0 || end->closed || end->wire.fault)
        return;
    /* Whether it arrives makes no difference to us: nothing follows. */
    done = send(end->fd, end->wire.data + end->sent, end->wire.size - end->sent,
                MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)done;
}

void cs_tls_end_free(struct cs_tls_end *end)
{
    if (!end)
        return;
    if (end->shaken) {
        say_goodbye(end);
        /* Without this the session would count as broken, and would not be
         * resumed. */
        SSL_set_shutdown(end->ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    }
    SSL_free(end->ssl);
    ERR_clear_error();
    cs_buf_release(&end->wire);
    free(end);
}

/* ---- bytes ---- */

enum cs_code cs_tls_shake(struct cs_tls_end *end, struct cs_err *err)
{
    int result;

    ERR_clear_error();
    result = SSL_do_handshake(end->ssl);
    if (result == 1) {
        end->shaken = true;
        CS_DEBUG("%s:%d: %s, %s, session %s", end->address, end->port,
                 SSL_get_version(end->ssl), SSL_get_cipher_name(end->ssl),
                 SSL_session_reused(end->ssl) ? "resumed" : "new");
        return cs_tls_check_host(end, err);
    }
    if (SSL_get_error(end->ssl, result) == SSL_ERROR_WANT_READ)
        return CS_OK;
    return cs_tls_fail(end, result, err);
}

enum cs_code cs_tls_seal(struct cs_tls_end *end, const uint8_t *bytes,
                         size_t size, struct cs_err *err)
{
    while (size) {
        size_t done = 0;
        int result;

        ERR_clear_error();
        result = SSL_write_ex(end->ssl, bytes, size, &done);
        if (!result)
            return cs_tls_fail(end, result, err);
        bytes += done;
        size -= done;
    }
    return CS_OK;
}

size_t cs_tls_open(struct cs_tls_end *end, uint8_t *to, size_t size,
                   struct cs_err *err)
{
    size_t total = 0;
    size_t got = 0;
    int result = 1;

    ERR_clear_error();
    while (total < size) {
        result = SSL_read_ex(end->ssl, to + total, size - total, &got);
        if (!result)
            break;
        total += got;
    }
    end->more = result == 1;
    end->answered = end->answered || total;
    if (!result && SSL_get_error(end->ssl, result) != SSL_ERROR_WANT_READ)
        cs_tls_fail(end, result, err);
    return total;
}
