/* responder.c - the places where it listens, and its loop. */
#include "responder/responder.h"

#include "base/log.h"
#include "responder/peer_internal.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BACKLOG    1024
#define PLACES_MAX 256

/* ---- places ---- */

static void on_connection(struct cs_watch *watch, uint32_t events)
{
    struct cs_listener *listener =
        CS_CONTAINER(watch, struct cs_listener, watch);
    int fd = accept4(watch->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    int on = 1;
    struct cs_err err;

    (void)events;
    if (fd < 0)
        return;
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)))
        CS_DEBUG("no TCP_NODELAY");
    if (cs_peer_accept(listener, fd, &err))
        CS_DEBUG("a connection was not taken: %s", err.text);
}

static void take_place(struct cs_place *place, struct cs_address *address)
{
    socklen_t size = sizeof(address->sa);

    if (address->sa.ss_family == AF_INET6) {
        struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)&address->sa;

        place->address_size = sizeof(in6->sin6_addr);
        memcpy(place->address, &in6->sin6_addr, place->address_size);
        place->port = ntohs(in6->sin6_port);
    } else {
        struct sockaddr_in *in = (struct sockaddr_in *)&address->sa;

        place->address_size = sizeof(in->sin_addr);
        memcpy(place->address, &in->sin_addr, place->address_size);
        place->port = ntohs(in->sin_port);
    }
    address->port = place->port;
    address->size = size;
}

static enum cs_code listen_at(struct cs_listener *listener, struct cs_err *err)
{
    struct cs_address *address = &listener->address;
    socklen_t size = sizeof(address->sa);
    int on = 1;
    int fd = socket(address->sa.ss_family,
                    SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return cs_fail_sys(err, "cannot make a socket");
    listener->watch.fd = fd;
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
        bind(fd, (struct sockaddr *)&address->sa, address->size) ||
        listen(fd, BACKLOG) ||
        getsockname(fd, (struct sockaddr *)&address->sa, &size))
        return cs_fail_sys(err, "cannot listen on %s:%d", address->text,
                           address->port);
    take_place(&listener->responder->places[listener->place], address);
    return cs_loop_add(listener->responder->group.loop, &listener->watch, err);
}

static enum cs_code add_place(struct cs_responder *responder, const char *text,
                              struct cs_err *err)
{
    struct cs_listener *listener =
        &responder->listeners[responder->place_count];
    char host[256];
    size_t count;
    int port;
    enum cs_code rc = cs_address_split(text, responder->options->port, host,
                                       sizeof(host), &port, err);

    *listener = (struct cs_listener){
        .watch = {.fd = -1, .events = EPOLLIN, .on_ready = on_connection},
        .responder = responder,
        .place = responder->place_count++};
    if (!rc)
        rc = cs_address_resolve(host, port, &listener->address, 1, &count, err);
    return rc ? rc : listen_at(listener, err);
}

static enum cs_code add_places(struct cs_responder *responder,
                               struct cs_err *err)
{
    const char *p = responder->options->listen;
    enum cs_code rc = CS_OK;

    responder->listeners = calloc(PLACES_MAX, sizeof(*responder->listeners));
    responder->places = calloc(PLACES_MAX, sizeof(*responder->places));
    if (!responder->listeners || !responder->places)
        return cs_fail(err, CS_ENOMEM, "no memory for the nodes");
    while (*p && !rc) {
        size_t size = strcspn(p, ",");
        char text[300];

        if (responder->place_count == PLACES_MAX)
            return cs_fail(err, CS_EUSAGE, "listen=: at most %d nodes",
                           PLACES_MAX);
        snprintf(text, sizeof(text), "%.*s", (int)size, p);
        rc = add_place(responder, text, err);
        p += size;
        p += *p == ',';
    }
    return rc;
}

const char *cs_responder_name(struct cs_responder *responder, size_t node)
{
    const struct cs_address *address;

    if (node >= responder->place_count)
        return NULL;
    address = &responder->listeners[node].address;
    snprintf(responder->name, sizeof(responder->name), "%s:%d", address->text,
             address->port);
    return responder->name;
}

/* ---- life ---- */

enum cs_code cs_responder_new(const struct cs_responder_options *options,
                              struct cs_responder **out, struct cs_err *err)
{
    struct cs_responder *responder = calloc(1, sizeof(*responder));
    enum cs_code rc;

    if (!responder)
        return cs_fail(err, CS_ENOMEM, "no memory for the responder");
    responder->options = options;
    cs_buf_init(&responder->answer, CS_FRAME_BODY_LIMIT);
    rc = cs_catalog_init(&responder->catalog, err);
    if (!rc)
        rc = cs_mischief_init(responder, err);
    if (!rc && options->tls)
        rc = cs_tls_new(options->tls, &responder->tls, err);
    if (!rc)
        rc = cs_loop_new(&responder->group.loop, err);
    if (!rc)
        rc = add_places(responder, err);
    if (rc) {
        cs_responder_free(responder);
        return rc;
    }
    *out = responder;
    return CS_OK;
}

static void free_peers(struct cs_peer **list)
{
    while (*list) {
        struct cs_peer *peer = *list;

        *list = peer->next;
        cs_peer_free(peer);
    }
}

void cs_responder_free(struct cs_responder *responder)
{
    if (!responder)
        return;
    free_peers(&responder->peers);
    free_peers(&responder->dead);
    for (size_t i = 0; i < responder->place_count; i++)
        if (responder->listeners[i].watch.fd >= 0)
            close(responder->listeners[i].watch.fd);
    for (size_t i = 0; i < responder->prepared_count; i++) {
        cs_arena_release(&responder->prepared[i]->arena);
        free(responder->prepared[i]);
    }
    cs_mischief_release(responder);
    free(responder->prepared);
    free(responder->listeners);
    free(responder->places);
    cs_loop_free(responder->group.loop);
    cs_tls_free(responder->tls);
    cs_catalog_release(&responder->catalog);
    cs_buf_release(&responder->answer);
    free(responder);
}

struct cs_responder_counts
cs_responder_counts(const struct cs_responder *responder)
{
    return responder->counts;
}

/* ---- the loop ---- */

static void on_stop(struct cs_watch *watch, uint32_t events)
{
    (void)events;
    CS_CONTAINER(watch, struct cs_responder, stop)->stopped = true;
}

enum cs_code cs_responder_run(struct cs_responder *responder, int stop_fd,
                              struct cs_err *err)
{
    struct cs_loop *loop = responder->group.loop;
    enum cs_code rc;

    responder->stop = (struct cs_watch){
        .fd = stop_fd, .events = EPOLLIN, .on_ready = on_stop};
    rc = cs_loop_add(loop, &responder->stop, err);
    while (!rc && !responder->stopped) {
        int64_t deadline_ns = cs_mischief_tick(responder);

        cs_link_flush_all(&responder->group);
        free_peers(&responder->dead);
        rc = cs_loop_wait(loop, deadline_ns, err);
    }
    return rc;
}
