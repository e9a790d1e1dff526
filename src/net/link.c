/* link.c - drain, refill, flush: the three moves of a connection in a pass. */
#include "net/link_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* Partial input up to this size is copied in front of the next read; longer
 * input is a large message and is read into its own buffer. */
#define REST_SMALL ((size_t)16 << 10)
#define READ_SIZE  (CS_LOOP_INPUT_SIZE - REST_SMALL)

static void on_ready(struct cs_watch *watch, uint32_t events);

void cs_link_init(struct cs_link *link, struct cs_link_group *group,
                  const struct cs_link_ops *ops, size_t out_max, size_t in_max)
{
    *link = (struct cs_link){
        .watch = {.fd = -1, .on_ready = on_ready}, .group = group, .ops = ops};
    cs_buf_init(&link->out, out_max);
    cs_buf_init(&link->rest, in_max);
}

static void leave_dirty(struct cs_link *link)
{
    struct cs_link **at = &link->group->dirty;

    if (!link->dirty)
        return;
    while (*at && *at != link)
        at = &(*at)->next_dirty;
    if (*at)
        *at = link->next_dirty;
    link->dirty = false;
    link->next_dirty = NULL;
}

void cs_link_close(struct cs_link *link)
{
    if (link->watch.fd < 0)
        return;
    leave_dirty(link);
    cs_loop_remove(link->group->loop, &link->watch);
    cs_tls_end_free(link->tls);
    link->tls = NULL;
    close(link->watch.fd);
    link->watch.fd = -1;
    link->connecting = link->blocked = false;
    link->sent = 0;
    cs_buf_clear(&link->out);
    cs_buf_clear(&link->rest);
}

void cs_link_release(struct cs_link *link)
{
    cs_link_close(link);
    cs_buf_release(&link->out);
    cs_buf_release(&link->rest);
}

static enum cs_code watch_socket(struct cs_link *link, int fd, uint32_t events,
                                 struct cs_err *err)
{
    enum cs_code rc;

    link->watch.fd = fd;
    link->watch.events = events;
    link->writes = 0;
    rc = cs_loop_add(link->group->loop, &link->watch, err);
    if (!rc && link->secure) {
        rc = cs_tls_end_new(link->secure, fd, link->peer, link->out.max,
                            &link->tls, err);
        if (rc)
            cs_loop_remove(link->group->loop, &link->watch);
    }
    if (rc) {
        close(fd);
        link->watch.fd = -1;
    }
    return rc;
}

void cs_link_secure(struct cs_link *link, struct cs_tls *tls,
                    const struct cs_address *peer)
{
    link->secure = tls;
    link->peer = peer;
}

enum cs_code cs_link_connect(struct cs_link *link,
                             const struct cs_address *address,
                             struct cs_err *err)
{
    int fd;
    enum cs_code rc = cs_socket_connect(address, &fd, err);

    if (!rc)
        rc = watch_socket(link, fd, EPOLLOUT, err);
    link->connecting = !rc;
    return rc;
}

enum cs_code cs_link_connect_from(struct cs_link *link,
                                  const struct cs_address *address,
                                  const struct cs_source_ports *ports,
                                  struct cs_err *err)
{
    int fd;
    enum cs_code rc = cs_socket_connect_from(address, ports, &fd, err);

    if (!rc)
        rc = watch_socket(link, fd, EPOLLOUT, err);
    link->connecting = !rc;
    return rc;
}

enum cs_code cs_link_take_socket(struct cs_link *link, int fd,
                                 struct cs_err *err)
{
    enum cs_code rc = watch_socket(
        link, fd, link->secure ? EPOLLIN | EPOLLOUT : EPOLLIN, err);

    link->connecting = !rc && link->secure;
    return rc;
}

void cs_link_lose(struct cs_link *link, const struct cs_err *why)
{
    cs_link_close(link);
    link->ops->lost(link, why);
}

void cs_link_lose_by_errno(struct cs_link *link, const char *what)
{
    struct cs_err err;

    cs_fail_sys(&err, "%s", what);
    err.code = CS_ECONNECT;
    cs_link_lose(link, &err);
}

/* ---- output ---- */

void cs_link_want(struct cs_link *link, uint32_t events)
{
    struct cs_err err;

    if (cs_loop_change(link->group->loop, &link->watch, events, &err))
        cs_link_lose(link, &err);
}

/* One write. A short one leaves the rest and waits for room. */
static void send_out(struct cs_link *link)
{
    size_t size = cs_link_backlog(link);
    ssize_t done;

    if (CS_UNLIKELY(link->tls != NULL)) {
        cs_link_send_sealed(link);
        return;
    }
    link->writes++;
    done =
        send(link->watch.fd, link->out.data + link->sent, size, MSG_NOSIGNAL);
    if (done < 0) {
        if (errno != EAGAIN && errno != EINTR) {
            cs_link_lose_by_errno(link, "write");
            return;
        }
        done = 0;
    }
    link->bytes_out += (size_t)done;
    if (CS_LIKELY((size_t)done == size)) {
        link->out.size = link->sent = 0;
        if (CS_UNLIKELY(link->blocked)) {
            link->blocked = false;
            cs_link_want(link, EPOLLIN);
        }
        return;
    }
    link->sent += (size_t)done;
    if (!link->blocked) {
        link->blocked = true;
        cs_link_want(link, EPOLLIN | EPOLLOUT);
    }
}

/* Moves unsent bytes to the front once most of the buffer is sent. */
static void compact(struct cs_link *link)
{
    if (link->sent > link->out.cap / 2) {
        cs_buf_consume(&link->out, link->sent);
        link->sent = 0;
    }
}

static void flush(struct cs_link *link)
{
    if (link->ops->sealing && link->out.size)
        link->ops->sealing(link);
    if (link->watch.fd < 0)
        return;
    if (CS_UNLIKELY(link->sent))
        compact(link);
    if (!link->blocked && (cs_link_backlog(link) || link->tls))
        send_out(link);
}

void cs_link_flush_all(struct cs_link_group *group)
{
    while (group->dirty) {
        struct cs_link *link = group->dirty;

        group->dirty = link->next_dirty;
        link->next_dirty = NULL;
        link->dirty = false;
        if (cs_link_is_open(link))
            flush(link);
    }
}

/* ---- input ---- */

static ssize_t read_some(struct cs_link *link, uint8_t *to, size_t size)
{
    ssize_t got;

    if (CS_UNLIKELY(link->tls != NULL))
        return cs_link_read_sealed(link, to, size);
    got = recv(link->watch.fd, to, size, 0);
    if (CS_LIKELY(got > 0)) {
        link->bytes_in += (size_t)got;
        return got;
    }
    if (got == 0) {
        struct cs_err err;

        cs_fail(&err, CS_ECONNECT, "closed by the server");
        cs_link_lose(link, &err);
    } else if (errno != EAGAIN && errno != EINTR) {
        cs_link_lose_by_errno(link, "read");
    }
    return 0;
}

static void keep_rest(struct cs_link *link, const uint8_t *bytes, size_t size)
{
    struct cs_err err;

    cs_buf_clear(&link->rest);
    if (!size)
        return;
    cs_buf_put(&link->rest, bytes, size);
    if (cs_buf_check(&link->rest, "a message of the server", &err))
        cs_link_lose(link, &err);
}

/* The usual case: what was left and the new bytes side by side in the input
 * memory of the loop. */
static void read_shared(struct cs_link *link)
{
    uint8_t *input = cs_loop_input(link->group->loop);
    size_t size = link->rest.size;
    size_t used;
    ssize_t got;

    if (CS_UNLIKELY(size))
        memcpy(input, link->rest.data, size);
    got = read_some(link, input + size, READ_SIZE);
    if (got <= 0)
        return;
    size += (size_t)got;
    used = link->ops->input(link, input, size);
    if (link->watch.fd >= 0 && (used < size || link->rest.size))
        keep_rest(link, input + used, size - used);
}

/* A large message: it grows in its own buffer as its bytes arrive. */
static void read_large(struct cs_link *link)
{
    uint8_t *to = cs_buf_room(&link->rest, READ_SIZE / 2);
    size_t used;
    ssize_t got;

    if (!to) {
        struct cs_err err;

        cs_fail(&err, CS_ENOMEM,
                "a message of the server is larger than %zu bytes",
                link->rest.max);
        cs_link_lose(link, &err);
        return;
    }
    got = read_some(link, to, link->rest.cap - link->rest.size);
    if (got <= 0)
        return;
    link->rest.size += (size_t)got;
    used = link->ops->input(link, link->rest.data, link->rest.size);
    if (link->watch.fd >= 0)
        cs_buf_consume(&link->rest, used);
}

static void finish_connect(struct cs_link *link)
{
    /* Later, what the peer said before it reset the connection counts. */
    bool shaking = link->tls && link->tls->started;
    int error = shaking ? 0 : cs_socket_error(link->watch.fd);

    if (error) {
        errno = error;
        cs_link_lose_by_errno(link, "connect");
        return;
    }
    if (link->tls) {
        cs_link_shake(link);
        return;
    }
    link->connecting = false;
    cs_link_want(link, EPOLLIN);
    if (link->watch.fd >= 0)
        link->ops->opened(link);
}

void cs_link_take_input(struct cs_link *link)
{
    if (CS_LIKELY(link->rest.size <= REST_SMALL))
        read_shared(link);
    else
        read_large(link);
}

static void on_ready(struct cs_watch *watch, uint32_t events)
{
    struct cs_link *link = CS_CONTAINER(watch, struct cs_link, watch);

    if (link->connecting) {
        finish_connect(link);
        return;
    }
    if (CS_UNLIKELY(events & EPOLLOUT) && link->blocked) {
        link->blocked = false;
        flush(link);
        if (link->watch.fd >= 0 && !link->blocked)
            cs_link_want(link, EPOLLIN);
        if (link->watch.fd < 0)
            return;
    }
    /* A reset or an end shows as a failing read, behind the bytes that came
     * before it. */
    if (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) {
        if (CS_LIKELY(!link->tls))
            cs_link_take_input(link);
        else
            cs_link_take_sealed(link);
    }
}
