/* socket.h - addresses and TCP sockets that never block. */
#ifndef CS_NET_SOCKET_H
#define CS_NET_SOCKET_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

struct cs_address {
    struct sockaddr_storage sa;
    socklen_t size;
    char text[64]; /* the number: "127.0.0.1", "::1" */
    int port;
};

/* An address from its 4 or 16 bytes; false for any other size. */
bool cs_address_from_bytes(const void *bytes, size_t size, int port,
                           struct cs_address *out);

/* All addresses of a host name or number; blocks on the name service, so only
 * used at start. Writes up to max, *count says how many there are of them. */
enum cs_code cs_address_resolve(const char *host, int port,
                                struct cs_address *out, size_t max,
                                size_t *count, struct cs_err *err) CS_MUST_USE;

void cs_address_set_port(struct cs_address *address, int port);

bool cs_address_equal(const struct cs_address *a, const struct cs_address *b);

/* "host", "host:port", "[v6]:port" or "v6"; the host is copied. */
enum cs_code cs_address_split(const char *text, int default_port, char *host,
                              size_t host_size, int *port,
                              struct cs_err *err) CS_MUST_USE;

/* Starts to connect: the descriptor becomes writable when that has ended and
 * cs_socket_error tells how. Without delay (TCP_NODELAY), with keep-alive.
 * On success the caller owns *fd. */
enum cs_code cs_socket_connect(const struct cs_address *address, int *fd,
                               struct cs_err *err) CS_MUST_USE;

/* Ports of ours, for a server that looks at them: those that are remainder,
 * modulo count. */
struct cs_source_ports {
    unsigned count;
    unsigned remainder;
    unsigned start; /* any number: where to begin with looking for a free one */
};

/* Of the ports from 49152 on, where clients belong, the n-th of these; 0:
 * there are no more. */
int cs_source_port(const struct cs_source_ports *ports, unsigned n);

/* Starts to connect from one of these ports. */
enum cs_code cs_socket_connect_from(const struct cs_address *address,
                                    const struct cs_source_ports *ports,
                                    int *fd, struct cs_err *err) CS_MUST_USE;

/* The pending error of a socket (an errno), 0: none. */
int cs_socket_error(int fd);

#endif
