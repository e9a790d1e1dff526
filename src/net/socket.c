/* socket.c - TCP sockets as a load generator wants them. */
#include "net/socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* Seconds of silence before the first probe, between probes, and how many. */
#define KEEPALIVE_IDLE_S     30
#define KEEPALIVE_INTERVAL_S 10
#define KEEPALIVE_PROBES     3
/* How long sent bytes may stay unacknowledged before the peer counts as gone.
 */
#define USER_TIMEOUT_MS 30000
/* The first port of those that are nobody's (RFC 6335). */
#define SOURCE_FIRST 49152

static void set_text(struct cs_address *address)
{
    getnameinfo((struct sockaddr *)&address->sa, address->size, address->text,
                sizeof(address->text), NULL, 0, NI_NUMERICHOST);
}

bool cs_address_from_bytes(const void *bytes, size_t size, int port,
                           struct cs_address *out)
{
    memset(out, 0, sizeof(*out));
    out->port = port;
    if (size == 4) {
        struct sockaddr_in *in = (struct sockaddr_in *)&out->sa;

        in->sin_family = AF_INET;
        in->sin_port = htons((uint16_t)port);
        memcpy(&in->sin_addr, bytes, size);
        out->size = sizeof(*in);
    } else if (size == 16) {
        struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)&out->sa;

        in6->sin6_family = AF_INET6;
        in6->sin6_port = htons((uint16_t)port);
        memcpy(&in6->sin6_addr, bytes, size);
        out->size = sizeof(*in6);
    } else {
        return false;
    }
    set_text(out);
    return true;
}

enum cs_code cs_address_resolve(const char *host, int port,
                                struct cs_address *out, size_t max,
                                size_t *count, struct cs_err *err)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *list = NULL;
    char service[16];
    int code;

    snprintf(service, sizeof(service), "%d", port);
    code = getaddrinfo(host, service, &hints, &list);
    /* RFC 6761, 6.3: this name is the loopback, also where no file says so. */
    if (code && !strcasecmp(host, "localhost"))
        code = getaddrinfo("127.0.0.1", service, &hints, &list);
    if (code)
        return cs_fail(err, CS_ECONNECT, "%s: %s", host, gai_strerror(code));
    *count = 0;
    for (struct addrinfo *at = list; at && *count < max; at = at->ai_next) {
        struct cs_address *address = &out[*count];

        if (at->ai_addrlen > sizeof(address->sa))
            continue;
        memset(address, 0, sizeof(*address));
        memcpy(&address->sa, at->ai_addr, at->ai_addrlen);
        address->size = at->ai_addrlen;
        address->port = port;
        set_text(address);
        (*count)++;
    }
    freeaddrinfo(list);
    return CS_OK;
}

bool cs_address_equal(const struct cs_address *a, const struct cs_address *b)
{
    return a->port == b->port && !strcmp(a->text, b->text);
}

static enum cs_code parse_port(const char *text, const char *digits, int *port,
                               struct cs_err *err)
{
    char *end;
    long value = strtol(digits, &end, 10);

    if (end == digits || *end || value < 1 || value > 65535)
        return cs_fail(err, CS_EUSAGE, "%s: a port is 1 to 65535, not '%s'",
                       text, digits);
    *port = (int)value;
    return CS_OK;
}

enum cs_code cs_address_split(const char *text, int default_port, char *host,
                              size_t host_size, int *port, struct cs_err *err)
{
    const char *start = text;
    const char *colon = strchr(text, ':');
    size_t size = strlen(text);

    *port = default_port;
    if (*text == '[') {
        const char *close = strchr(text, ']');

        if (!close)
            return cs_fail(err, CS_EUSAGE, "%s: ']' is missing", text);
        start = text + 1;
        size = (size_t)(close - start);
        colon = close[1] == ':' ? close + 1 : NULL;
    } else if (colon && !strchr(colon + 1, ':')) {
        size = (size_t)(colon - text);
    } else {
        colon = NULL; /* none, or an IPv6 number without brackets */
    }
    if (!size || size >= host_size)
        return cs_fail(err, CS_EUSAGE, "'%s' is not a host name", text);
    memcpy(host, start, size);
    host[size] = 0;
    return colon ? parse_port(text, colon + 1, port, err) : CS_OK;
}

static void set_option(int fd, int level, int name, int value)
{
    /* All of them are improvements only: without one the socket still works. */
    if (setsockopt(fd, level, name, &value, sizeof(value)))
        errno = 0;
}

static int make_socket(const struct cs_address *address)
{
    int s = socket(address->sa.ss_family,
                   SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (s < 0)
        return s;
    set_option(s, IPPROTO_TCP, TCP_NODELAY, 1);
    set_option(s, SOL_SOCKET, SO_KEEPALIVE, 1);
    set_option(s, IPPROTO_TCP, TCP_KEEPIDLE, KEEPALIVE_IDLE_S);
    set_option(s, IPPROTO_TCP, TCP_KEEPINTVL, KEEPALIVE_INTERVAL_S);
    set_option(s, IPPROTO_TCP, TCP_KEEPCNT, KEEPALIVE_PROBES);
    set_option(s, IPPROTO_TCP, TCP_USER_TIMEOUT, USER_TIMEOUT_MS);
    return s;
}

enum cs_code cs_socket_connect(const struct cs_address *address, int *fd,
                               struct cs_err *err)
{
    int s = make_socket(address);

    if (s < 0)
        return cs_fail_sys(err, "cannot make a socket");
    if (connect(s, (const struct sockaddr *)&address->sa, address->size) &&
        errno != EINPROGRESS) {
        enum cs_code rc = cs_fail_sys(err, "cannot connect to %s:%d",
                                      address->text, address->port);

        close(s);
        return rc;
    }
    *fd = s;
    return CS_OK;
}

/* ---- from a port of our choice ---- */

void cs_address_set_port(struct cs_address *address, int port)
{
    if (address->sa.ss_family == AF_INET6)
        ((struct sockaddr_in6 *)&address->sa)->sin6_port =
            htons((uint16_t)port);
    else
        ((struct sockaddr_in *)&address->sa)->sin_port = htons((uint16_t)port);
    address->port = port;
}

int cs_source_port(const struct cs_source_ports *ports, unsigned n)
{
    unsigned count = ports->count;
    unsigned first = SOURCE_FIRST +
                     (count + ports->remainder - SOURCE_FIRST % count) % count;
    uint64_t port = first + (uint64_t)n * count;

    return port <= UINT16_MAX ? (int)port : 0;
}

/* The wildcard address of the same family, with this port. */
static bool bind_port(int fd, const struct cs_address *address, int port)
{
    struct cs_address any = {.sa.ss_family = address->sa.ss_family};

    cs_address_set_port(&any, port);
    return !bind(fd, (struct sockaddr *)&any.sa, address->size);
}

/* A port that is free to bind may still be waiting for its last connection to
 * this very server to be forgotten. */
enum cs_code cs_socket_connect_from(const struct cs_address *address,
                                    const struct cs_source_ports *ports,
                                    int *fd, struct cs_err *err)
{
    unsigned count = (UINT16_MAX - SOURCE_FIRST) / ports->count + 1;
    unsigned start = ports->start % count;

    for (unsigned i = 0; i < count; i++) {
        int port = cs_source_port(ports, (start + i) % count);
        int s = port ? make_socket(address) : -1;

        if (s < 0)
            continue;
        if (bind_port(s, address, port) &&
            (!connect(s, (const struct sockaddr *)&address->sa,
                      address->size) ||
             errno == EINPROGRESS)) {
            *fd = s;
            return CS_OK;
        }
        if (errno != EADDRINUSE && errno != EADDRNOTAVAIL)
            count = 0; /* no other will do */
        close(s);
    }
    return cs_fail(err, CS_ECONNECT,
                   "cannot connect to %s:%d from a port that is %u modulo %u",
                   address->text, address->port, ports->remainder,
                   ports->count);
}

int cs_socket_error(int fd)
{
    int error = 0;
    socklen_t size = sizeof(error);

    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size))
        return errno;
    return error;
}
