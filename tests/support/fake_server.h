/* fake_server.h - a server of version 4 that can be told to misbehave: one
 * thread on a loopback port of the system's choice, a cluster of itself. */
#ifndef CS_TESTS_SUPPORT_FAKE_SERVER_H
#define CS_TESTS_SUPPORT_FAKE_SERVER_H

#include "support/fake_answers.h"

/* ---- requests ---- */

static inline void fake_close(struct fake_connection *connection)
{
    struct linger now = {.l_onoff = 1, .l_linger = 0};

    setsockopt(connection->fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
    close(connection->fd);
    connection->fd = -1;
    connection->was_unprepared = false;
    connection->registered = false;
    cs_buf_clear(&connection->in);
}

/* The page that the client asks for: its paging state ends the body. */
static inline int fake_next_page(const uint8_t *body, size_t size)
{
    /* id, consistency, flags */
    uint8_t flags = size > 6 ? body[6] : 0;

    return flags & 8 ? (int)cs_load32(body + size - 4) + 1 : 1;
}

/* Something else than an answer. */
static inline void fake_break(struct fake_connection *connection, int mode)
{
    bool begun = mode != FAKE_RESET &&
                 send(connection->fd, "\x84\0\0", 3, MSG_NOSIGNAL) == 3;

    if (begun && mode == FAKE_HALF)
        return;
    if (begun)
        usleep(2000);
    fake_close(connection);
}

static inline void fake_execute(struct fake_server *server,
                                struct fake_connection *connection,
                                int16_t stream, const uint8_t *body,
                                size_t size)
{
    int fd = connection->fd;
    int mode = server->mode;

    server->executes++;
    switch (mode) {
    case FAKE_HOLD:
        server->held[server->held_count].fd = fd;
        server->held[server->held_count++].stream = stream;
        break;
    case FAKE_UNPREPARED_ONCE:
    case FAKE_UNPREPARED:
        if (mode == FAKE_UNPREPARED_ONCE && connection->was_unprepared)
            fake_void(fd, stream);
        else
            fake_error(fd, stream, CS_SERVER_UNPREPARED);
        break;
    case FAKE_RESET_IN_FRAME:
    case FAKE_HALF:
    case FAKE_RESET:
        fake_break(connection, mode);
        break;
    case FAKE_ERROR:
        fake_error(fd, stream, server->error_code);
        break;
    case FAKE_PAGES:
        fake_page(fd, stream, fake_next_page(body, size));
        break;
    case FAKE_SAME_PAGE:
        fake_page(fd, stream, 1);
        break;
    case FAKE_STRANGER:
        fake_void(fd, (int16_t)(stream + 77));
        break;
    case FAKE_WARNING:
        fake_warning(server, fd, stream);
        break;
    case FAKE_APPLIED:
        fake_applied(fd, stream);
        break;
    case FAKE_PREFIXED:
    case FAKE_PREFIXED_ERROR:
        fake_prefixed(server, fd, stream, mode == FAKE_PREFIXED_ERROR);
        break;
    case FAKE_NONSENSE:
        fake_answer(fd, stream, 0, CS_OP_READY, &(struct cs_buf){.max = 0});
        break;
    default:
        fake_void(fd, stream);
    }
}

static inline void fake_request(struct fake_server *server,
                                struct fake_connection *connection,
                                const uint8_t *frame, size_t size)
{
    struct cs_buf none = {.max = 0};
    int16_t stream = (int16_t)cs_load16(frame + 2);
    int fd = connection->fd;

    switch (frame[4]) {
    case CS_OP_STARTUP:
    case CS_OP_REGISTER:
        connection->registered = frame[4] == CS_OP_REGISTER;
        if (frame[0] != 4)
            fake_close(connection);
        else
            fake_answer(fd, stream, 0, CS_OP_READY, &none);
        break;
    case CS_OP_OPTIONS:
        fake_supported(fd, stream);
        break;
    case CS_OP_QUERY:
        fake_query(server, fd, stream, (const char *)frame + 9, size - 9);
        break;
    case CS_OP_PREPARE:
        connection->was_unprepared = server->mode == FAKE_UNPREPARED_ONCE;
        fake_prepared(server, fd, stream);
        break;
    default:
        fake_execute(server, connection, stream, frame + 9, size - 9);
    }
}

static inline void fake_read(struct fake_server *server,
                             struct fake_connection *connection)
{
    uint8_t *to = cs_buf_room(&connection->in, 65536);
    ssize_t got = to ? recv(connection->fd, to, 65536, 0) : 0;

    if (got <= 0) {
        fake_close(connection);
        return;
    }
    connection->in.size += (size_t)got;
    while (connection->fd >= 0 && connection->in.size >= 9) {
        size_t size = 9 + (size_t)cs_load32(connection->in.data + 5);

        if (connection->in.size < size)
            break;
        fake_request(server, connection, connection->in.data, size);
        cs_buf_consume(&connection->in, size);
    }
}

/* ---- the thread ---- */

static inline void fake_accept(struct fake_server *server)
{
    int fd = accept(server->listener, NULL, NULL);

    if (fd < 0)
        return;
    server->accepted++;
    for (int i = 0; i < FAKE_CONNECTIONS && !server->refuse; i++) {
        if (server->connections[i].fd < 0) {
            server->connections[i].fd = fd;
            return;
        }
    }
    close(fd);
}

static inline void fake_do_as_told(struct fake_server *server)
{
    if (server->mode == FAKE_RELEASE) {
        for (int i = 0; i < server->held_count; i++)
            fake_void(server->held[i].fd, server->held[i].stream);
        server->held_count = 0;
    }
    if (server->kick) {
        for (int i = 0; i < FAKE_CONNECTIONS; i++)
            if (server->connections[i].fd >= 0)
                fake_close(&server->connections[i]);
        server->kick = false;
    }
    if (server->news) {
        for (int i = 0; i < FAKE_CONNECTIONS; i++)
            if (server->connections[i].fd >= 0 &&
                server->connections[i].registered)
                fake_event(server, server->connections[i].fd);
        server->news = false;
    }
}

static inline void *fake_run(void *arg)
{
    struct fake_server *server = arg;
    struct pollfd fds[FAKE_CONNECTIONS + 1];

    while (!server->stop) {
        for (int i = 0; i < FAKE_CONNECTIONS; i++)
            fds[i] = (struct pollfd){.fd = server->connections[i].fd,
                                     .events = POLLIN};
        fds[FAKE_CONNECTIONS] =
            (struct pollfd){.fd = server->listener, .events = POLLIN};
        poll(fds, FAKE_CONNECTIONS + 1, 2);
        fake_do_as_told(server);
        for (int i = 0; i < FAKE_CONNECTIONS; i++)
            if (fds[i].revents && server->connections[i].fd == fds[i].fd &&
                fds[i].fd >= 0)
                fake_read(server, &server->connections[i]);
        if (fds[FAKE_CONNECTIONS].revents)
            fake_accept(server);
    }
    return NULL;
}

/* host: 1 for 127.0.0.1; port 0: any that is free. */
static inline void fake_start_at(struct fake_server *server, uint32_t host,
                                 int port)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr =
                                 htonl((UINT32_C(127) << 24) | host)};
    socklen_t size = sizeof(at);

    memset(server, 0, sizeof(*server));
    for (int i = 0; i < FAKE_CONNECTIONS; i++) {
        server->connections[i].fd = -1;
        cs_buf_init(&server->connections[i].in, 1 << 20);
    }
    server->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(server->listener >= 0);
    assert_int_equal(bind(server->listener, (struct sockaddr *)&at, sizeof(at)),
                     0);
    assert_int_equal(listen(server->listener, 64), 0);
    assert_int_equal(
        getsockname(server->listener, (struct sockaddr *)&at, &size), 0);
    server->port = ntohs(at.sin_port);
    assert_int_equal(pthread_create(&server->thread, NULL, fake_run, server),
                     0);
}

static inline void fake_start(struct fake_server *server)
{
    fake_start_at(server, 1, 0);
}

static inline void fake_stop(struct fake_server *server)
{
    server->stop = true;
    pthread_join(server->thread, NULL);
    for (int i = 0; i < FAKE_CONNECTIONS; i++) {
        if (server->connections[i].fd >= 0)
            close(server->connections[i].fd);
        cs_buf_release(&server->connections[i].in);
    }
    close(server->listener);
}

#endif
