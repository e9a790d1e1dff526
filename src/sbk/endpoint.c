/* endpoint.c - libmicrohttpd with one page under a lock; every other path is
 * not found, as SBK has it. */
#include "sbk/endpoint.h"

#include <errno.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PORT_MAX 65535
/* A scrape that does not go on for so long is given up. */
#define IDLE_S 10

struct cs_sbk_endpoint {
    struct MHD_Daemon *daemon;
    pthread_mutex_t mutex;
    char *page; /* owned */
    size_t size;
    char path[CS_SBK_PATH_SIZE];
};

enum cs_code cs_sbk_context_parse(const char *text, uint16_t *port,
                                  char path[CS_SBK_PATH_SIZE],
                                  struct cs_err *err)
{
    char *end;
    long number;

    *port = 0;
    if (!strcmp(text, "no"))
        return CS_OK;
    number = strtol(text, &end, 10);
    if (end == text || number < 1 || number > PORT_MAX ||
        (*end && *end != '/') || strlen(end) + 1 >= CS_SBK_PATH_SIZE)
        return cs_fail(err, CS_EUSAGE,
                       "-context: '%.80s', expected a port and a path, as in "
                       "9718/metrics, or no",
                       text);
    *port = (uint16_t)number;
    snprintf(path, CS_SBK_PATH_SIZE, "%s", *end ? end : "/");
    return CS_OK;
}

static struct MHD_Response *page_of(struct cs_sbk_endpoint *endpoint)
{
    struct MHD_Response *response;

    /* Without a page there are no bytes, and no address of any. */
    pthread_mutex_lock(&endpoint->mutex);
    response = MHD_create_response_from_buffer(endpoint->size, endpoint->page,
                                               MHD_RESPMEM_MUST_COPY);
    pthread_mutex_unlock(&endpoint->mutex);
    return response;
}

static enum MHD_Result answer(void *ctx, struct MHD_Connection *connection,
                              const char *url, const char *method,
                              const char *version, const char *upload,
                              size_t *upload_size, void **state)
{
    struct cs_sbk_endpoint *endpoint = ctx;
    bool found = !strcmp(url, endpoint->path);
    bool get = !strcmp(method, MHD_HTTP_METHOD_GET) ||
               !strcmp(method, MHD_HTTP_METHOD_HEAD);
    unsigned status = MHD_HTTP_OK;
    struct MHD_Response *response;
    enum MHD_Result queued;

    (void)version;
    (void)upload;
    (void)upload_size;
    (void)state;
    if (!found || !get)
        status = found ? MHD_HTTP_METHOD_NOT_ALLOWED : MHD_HTTP_NOT_FOUND;
    response =
        status == MHD_HTTP_OK
            ? page_of(endpoint)
            : MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    if (!response)
        return MHD_NO;
    queued = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return queued;
}

/* With IPv6 where the machine has it. */
static struct MHD_Daemon *start(struct cs_sbk_endpoint *endpoint, uint16_t port)
{
    const unsigned flags[] = {MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_EPOLL |
                                  MHD_USE_DUAL_STACK,
                              MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_EPOLL};
    struct MHD_Daemon *daemon = NULL;

    for (size_t i = 0; i < CS_COUNT(flags) && !daemon; i++)
        daemon = MHD_start_daemon(flags[i], port, NULL, NULL, answer, endpoint,
                                  MHD_OPTION_CONNECTION_TIMEOUT,
                                  (unsigned)IDLE_S, MHD_OPTION_END);
    return daemon;
}

enum cs_code cs_sbk_endpoint_new(uint16_t port, const char *path,
                                 struct cs_sbk_endpoint **out,
                                 struct cs_err *err)
{
    struct cs_sbk_endpoint *endpoint = calloc(1, sizeof(*endpoint));

    if (!endpoint)
        return cs_fail(err, CS_ENOMEM, "-context: out of memory");
    pthread_mutex_init(&endpoint->mutex, NULL);
    snprintf(endpoint->path, sizeof(endpoint->path), "%s", path);
    errno = 0;
    endpoint->daemon = start(endpoint, port);
    if (!endpoint->daemon) {
        cs_fail(err, CS_ESYSTEM,
                "-context: cannot listen on port %u: %s; another port, as in "
                "19718/metrics, or 'no'",
                (unsigned)port, errno ? strerror(errno) : "refused");
        cs_sbk_endpoint_free(endpoint);
        return CS_ESYSTEM;
    }
    *out = endpoint;
    return CS_OK;
}

void cs_sbk_endpoint_free(struct cs_sbk_endpoint *endpoint)
{
    if (!endpoint)
        return;
    if (endpoint->daemon)
        MHD_stop_daemon(endpoint->daemon);
    pthread_mutex_destroy(&endpoint->mutex);
    free(endpoint->page);
    free(endpoint);
}

uint16_t cs_sbk_endpoint_port(const struct cs_sbk_endpoint *endpoint)
{
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(endpoint->daemon, MHD_DAEMON_INFO_BIND_PORT);

    return info ? info->port : 0;
}

void cs_sbk_endpoint_show(struct cs_sbk_endpoint *endpoint,
                          const struct cs_buf *page)
{
    char *copy = malloc(page->size + 1);
    char *old;

    if (!copy)
        return;
    if (page->size)
        memcpy(copy, page->data, page->size);
    pthread_mutex_lock(&endpoint->mutex);
    old = endpoint->page;
    endpoint->page = copy;
    endpoint->size = page->size;
    pthread_mutex_unlock(&endpoint->mutex);
    free(old);
}
