/* fuzz_responder_requests.c - what a client may send to the responder behind
 * its STARTUP: any bytes are answered or end the connection, without harm. */
#include "responder/peer_internal.h"

#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Version 4, stream 0, no options but the version of CQL. */
static const uint8_t startup[] = "\x04\0\0\0\x01\0\0\0\x16\0\x01\0\x0B"
                                 "CQL_VERSION\0\5"
                                 "3.0.0";

static void feed(struct cs_responder *responder, const uint8_t *data,
                 size_t size)
{
    struct cs_peer *peer = responder->peers;
    const struct cs_link_ops *ops = peer->link.ops;

    ops->input(&peer->link, startup, sizeof(startup) - 1);
    if (responder->peers)
        ops->input(&peer->link, data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct cs_responder_options options = {
        .listen = "127.0.0.1", .version = 5, .stored = 1 << 16};
    struct cs_responder *responder;
    struct cs_err err;
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends))
        return 0;
    if (cs_responder_new(&options, &responder, &err) == CS_OK) {
        if (cs_peer_accept(&responder->listeners[0], ends[0], &err) == CS_OK)
            feed(responder, data, size);
        else
            close(ends[0]);
        cs_responder_free(responder);
    }
    close(ends[1]);
    return 0;
}
