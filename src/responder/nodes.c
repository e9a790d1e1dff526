/* nodes.c - the places where the responder listens, each a node of its ring. */
#include "base/log.h"
#include "responder/peer_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BACKLOG    1024
#define PLACES_MAX 256

/* ---- sockets ---- */

/* All descriptors are in use: the connection that waits is closed, for it would
 * wake the loop for ever. */
static void refuse(struct cs_responder *responder, int listener)
{
    int fd;

    if (responder->spare_fd >= 0)
        close(responder->spare_fd);
    fd = accept(listener, NULL, NULL);
    if (fd >= 0)
        close(fd);
    responder->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    CS_DEBUG("a connection was closed: no descriptors are left");
}

static void on_connection(struct cs_watch *watch, uint32_t events)
{
    struct cs_listener *listener =
        CS_CONTAINER(watch, struct cs_listener, watch);
    int fd = accept4(watch->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    int on = 1;
    struct cs_err err;

    (void)events;
    if (fd < 0) {
        if (errno == EMFILE || errno == ENFILE)
            refuse(listener->responder, watch->fd);
        return;
    }
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
    if (!listener->by_shard)
        take_place(&listener->responder->places[listener->place], address);
    return cs_loop_add(listener->responder->group.loop, &listener->watch, err);
}

/* On the port for shards of the same address, if there is one. */
static enum cs_code listen_for_shards(struct cs_responder *responder,
                                      size_t place, struct cs_err *err)
{
    struct cs_listener *listener = &responder->shard_listeners[place];

    *listener = (struct cs_listener){
        .watch = {.fd = -1, .events = EPOLLIN, .on_ready = on_connection},
        .responder = responder,
        .place = place,
        .by_shard = true,
        .address = responder->listeners[place].address};
    if (!responder->shard_port.port || responder->shard_port.refused)
        return CS_OK;
    cs_address_set_port(&listener->address, responder->shard_port.port);
    return listen_at(listener, err);
}

static void stop_listening(struct cs_listener *listener)
{
    struct cs_watch *watch = &listener->watch;

    if (watch->fd < 0)
        return;
    cs_loop_remove(listener->responder->group.loop, watch);
    close(watch->fd);
    watch->fd = -1;
}

/* ---- the list ---- */

/* "/dc/rack", each part optional, cut off the text of an address. */
static enum cs_code cut_place(char *text, struct cs_place *place,
                              struct cs_err *err)
{
    char *dc = strchr(text, '/');
    char *rack = dc ? strchr(dc + 1, '/') : NULL;

    snprintf(place->dc, sizeof(place->dc), "datacenter1");
    snprintf(place->rack, sizeof(place->rack), "rack1");
    if (rack)
        *rack++ = 0;
    if (dc)
        *dc++ = 0;
    if ((dc && (!*dc || strlen(dc) >= sizeof(place->dc))) ||
        (rack &&
         (!*rack || strlen(rack) >= sizeof(place->rack) || strchr(rack, '/'))))
        return cs_fail(err, CS_EUSAGE,
                       "listen=: behind '%s' expected /dc/rack with names of 1 "
                       "to %zu bytes",
                       text, sizeof(place->dc) - 1);
    if (dc)
        memcpy(place->dc, dc, strlen(dc) + 1);
    if (rack)
        memcpy(place->rack, rack, strlen(rack) + 1);
    return CS_OK;
}

static enum cs_code add_place(struct cs_responder *responder, char *text,
                              struct cs_err *err)
{
    struct cs_listener *listener =
        &responder->listeners[responder->place_count];
    char host[256];
    size_t count;
    int port;
    enum cs_code rc =
        cut_place(text, &responder->places[responder->place_count], err);

    *listener = (struct cs_listener){
        .watch = {.fd = -1, .events = EPOLLIN, .on_ready = on_connection},
        .responder = responder,
        .place = responder->place_count++};
    responder->shard_listeners[listener->place].watch.fd = -1;
    if (!rc)
        rc = cs_address_split(text, responder->options->port, host,
                              sizeof(host), &port, err);
    if (!rc)
        rc = cs_address_resolve(host, port, &listener->address, 1, &count, err);
    if (!rc)
        rc = listen_at(listener, err);
    return rc ? rc : listen_for_shards(responder, listener->place, err);
}

enum cs_code cs_nodes_init(struct cs_responder *responder, struct cs_err *err)
{
    const char *p = responder->options->listen;
    enum cs_code rc = CS_OK;

    responder->listeners = calloc(PLACES_MAX, sizeof(*responder->listeners));
    responder->places = calloc(PLACES_MAX, sizeof(*responder->places));
    responder->shard_listeners =
        calloc(PLACES_MAX, sizeof(*responder->shard_listeners));
    if (!responder->listeners || !responder->places ||
        !responder->shard_listeners)
        return cs_fail(err, CS_ENOMEM, "no memory for the nodes");
    while (*p && !rc) {
        size_t size = strcspn(p, ",");
        char text[512];

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

void cs_nodes_release(struct cs_responder *responder)
{
    for (size_t i = 0; i < responder->place_count; i++) {
        if (responder->listeners[i].watch.fd >= 0)
            close(responder->listeners[i].watch.fd);
        if (responder->shard_listeners[i].watch.fd >= 0)
            close(responder->shard_listeners[i].watch.fd);
    }
    free(responder->listeners);
    free(responder->shard_listeners);
    free(responder->places);
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

/* ---- coming and going ---- */

void cs_node_drop_peers(struct cs_responder *responder, size_t node)
{
    struct cs_peer *next;
    struct cs_err why;

    cs_fail(&why, CS_ECONNECT, "dropped, as told");
    for (struct cs_peer *peer = responder->peers; peer; peer = next) {
        next = peer->next;
        if (peer->place != node)
            continue;
        cs_link_close(&peer->link);
        peer->link.ops->lost(&peer->link, &why);
    }
}

void cs_node_stop(struct cs_responder *responder, size_t node)
{
    stop_listening(&responder->listeners[node]);
    stop_listening(&responder->shard_listeners[node]);
    cs_node_drop_peers(responder, node);
}

enum cs_code cs_node_start(struct cs_responder *responder, size_t node,
                           struct cs_err *err)
{
    struct cs_listener *listener = &responder->listeners[node];

    if (listener->watch.fd >= 0)
        return CS_OK;
    if (listen_at(listener, err))
        return err->code;
    return listen_for_shards(responder, node, err);
}
