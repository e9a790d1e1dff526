/* link_secure.c - the moves of an encrypted connection in a pass. */
#include "net/link_internal.h"

#include <errno.h>
#include <sys/socket.h>

/* Sends what is encrypted by one write; waits for room after a short one. */
static void push_wire(struct cs_link *link)
{
    struct cs_tls_end *end = link->tls;
    size_t size = end->wire.size - end->sent;
    ssize_t done = 0;

    if (size)
        done = send(link->watch.fd, end->wire.data + end->sent, size,
                    MSG_NOSIGNAL);
    /* Closed by the peer: the next read tells, and gives the alert that it may
     * have sent before. */
    if (done < 0 && (errno == EPIPE || errno == ECONNRESET))
        done = (ssize_t)size;
    if (done < 0 && errno != EAGAIN && errno != EINTR) {
        cs_link_lose_by_errno(link, "write");
        return;
    }
    end->sent += (size_t)CS_MAX(done, (ssize_t)0);
    link->bytes_out += (size_t)CS_MAX(done, (ssize_t)0);
    link->blocked = end->sent < end->wire.size;
    if (!link->blocked) {
        cs_buf_clear(&end->wire);
        end->sent = 0;
    }
}

static void want_by_state(struct cs_link *link)
{
    uint32_t events = EPOLLIN | (link->blocked ? EPOLLOUT : 0);

    if (link->watch.fd >= 0 && link->watch.events != events)
        cs_link_want(link, events);
}

void cs_link_shake(struct cs_link *link)
{
    struct cs_err err = {.code = CS_OK};
    enum cs_code rc;

    link->tls->started = link->tls->may_read = true;
    rc = cs_tls_shake(link->tls, &err);
    push_wire(link);
    want_by_state(link);
    if (link->watch.fd < 0)
        return;
    if (rc) {
        cs_link_lose(link, &err);
    } else if (link->tls->shaken) {
        link->connecting = false;
        link->ops->opened(link);
        /* The first bytes may have come with the last of the handshake. */
        if (link->tls)
            cs_link_take_sealed(link);
    }
}

void cs_link_send_sealed(struct cs_link *link)
{
    size_t size = cs_link_backlog(link);
    struct cs_err err;

    if (size) {
        link->writes++;
        if (cs_tls_seal(link->tls, link->out.data + link->sent, size, &err)) {
            cs_link_lose(link, &err);
            return;
        }
        link->out.size = link->sent = 0;
    }
    push_wire(link);
    want_by_state(link);
}

ssize_t cs_link_read_sealed(struct cs_link *link, uint8_t *to, size_t size)
{
    size_t got = cs_tls_open(link->tls, to, size, &link->tls->why);

    link->bytes_in += got;
    return (ssize_t)got;
}

void cs_link_take_sealed(struct cs_link *link)
{
    struct cs_err why;

    link->tls->may_read = true;
    do
        cs_link_take_input(link);
    while (link->tls && link->tls->more && !link->tls->why.code);
    if (!link->tls)
        return;
    why = link->tls->why;
    /* Alerts and new keys are answered by the library. */
    if (!link->blocked && link->tls->wire.size)
        push_wire(link);
    want_by_state(link);
    if (why.code && link->watch.fd >= 0)
        cs_link_lose(link, &why);
}
