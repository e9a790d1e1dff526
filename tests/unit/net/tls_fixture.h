/* tls_fixture.h - two encrypted links against each other over a pair of
 * sockets. */
#ifndef CS_TESTS_TLS_FIXTURE_H
#define CS_TESTS_TLS_FIXTURE_H

#include "net/link.h"
#include "net/tls.h"
#include "support/keys.h"

#include <sys/socket.h>

struct end {
    struct cs_link link;
    struct cs_buf got;
    int opened;
    int lost;
    struct cs_err why;
};

/* A client and a server in one loop. */
struct both {
    struct cs_link_group group;
    struct cs_tls *client_tls;
    struct cs_tls *server_tls;
    struct cs_address address;
    struct end client;
    struct end server;
};

/* Stores of all kinds, as files. */
static struct {
    struct folder folder;
    struct pair authority;
    char trust[512];
    char others[512];  /* an authority nobody has a certificate of */
    char node[512];    /* 127.0.0.1 and node1 */
    char expired[512]; /* likewise, but no more */
    char early[512];   /* likewise, but not yet */
    char client[512];
} files;

static inline struct end *of(struct cs_link *link)
{
    return CS_CONTAINER(link, struct end, link);
}

static inline void on_opened(struct cs_link *link)
{
    of(link)->opened++;
}

static inline size_t on_input(struct cs_link *link, const uint8_t *bytes,
                              size_t size)
{
    cs_buf_put(&of(link)->got, bytes, size);
    return size;
}

static inline void on_lost(struct cs_link *link, const struct cs_err *why)
{
    of(link)->lost++;
    of(link)->why = *why;
}

static const struct cs_link_ops ops = {
    .opened = on_opened, .input = on_input, .lost = on_lost};

static inline const char *make_file(const char *name, bool with_key,
                                    const struct pair_plan *plan, char *out)
{
    struct pair pair;

    pair_make(&pair, plan);
    snprintf(out, 512, "%s", folder_file(&files.folder, name));
    pair_write(&pair, out, with_key, NULL);
    pair_free(&pair);
    return out;
}

static inline int make_files(void **state)
{
    const char *hosts = "IP:127.0.0.1,DNS:node1";

    (void)state;
    folder_open(&files.folder);
    pair_make(&files.authority, &(struct pair_plan){.name = "authority",
                                                    .authority = true,
                                                    .days = 30});
    snprintf(files.trust, sizeof(files.trust), "%s",
             folder_file(&files.folder, "trust.pem"));
    pair_write(&files.authority, files.trust, false, NULL);
    make_file(
        "others.pem", false,
        &(struct pair_plan){.name = "stranger", .authority = true, .days = 30},
        files.others);
    make_file("node.pem", true,
              &(struct pair_plan){.name = "node",
                                  .hosts = hosts,
                                  .issuer = &files.authority,
                                  .days = 30},
              files.node);
    make_file("expired.pem", true,
              &(struct pair_plan){.name = "expired",
                                  .hosts = hosts,
                                  .issuer = &files.authority,
                                  .days = -1},
              files.expired);
    make_file("early.pem", true,
              &(struct pair_plan){.name = "early",
                                  .hosts = hosts,
                                  .issuer = &files.authority,
                                  .days = 30,
                                  .after = 5},
              files.early);
    make_file("client.pem", true,
              &(struct pair_plan){
                  .name = "client", .issuer = &files.authority, .days = 30},
              files.client);
    return 0;
}

static inline int remove_files(void **state)
{
    (void)state;
    pair_free(&files.authority);
    folder_remove(&files.folder);
    return 0;
}

/* ---- both ends ---- */

static inline struct cs_tls_options client_options(void)
{
    return (struct cs_tls_options){.truststore = files.trust,
                                   .verify_host = true};
}

static inline struct cs_tls_options server_options(void)
{
    return (struct cs_tls_options){
        .truststore = files.trust, .keystore = files.node, .server = true};
}

static inline void start(struct both *both, const struct cs_tls_options *client,
                         const struct cs_tls_options *server)
{
    static const uint8_t loopback[4] = {127, 0, 0, 1};
    struct cs_err err;

    memset(both, 0, sizeof(*both));
    assert_true(cs_address_from_bytes(loopback, 4, 9042, &both->address));
    assert_int_equal(cs_loop_new(&both->group.loop, &err), 0);
    if (client && cs_tls_new(client, &both->client_tls, &err))
        fail_msg("%s", err.text);
    if (server && cs_tls_new(server, &both->server_tls, &err))
        fail_msg("%s", err.text);
}

static inline void take(struct both *both, struct end *end, struct cs_tls *tls,
                        int fd)
{
    struct cs_err err;

    cs_buf_init(&end->got, 64 << 20);
    cs_link_init(&end->link, &both->group, &ops, 64 << 20, 1 << 20);
    cs_link_secure(&end->link, tls, &both->address);
    assert_int_equal(cs_link_take_socket(&end->link, fd, &err), 0);
    assert_int_equal(cs_link_is_open(&end->link), tls == NULL);
}

static inline void join(struct both *both)
{
    int fds[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds),
                     0);
    take(both, &both->client, both->client_tls, fds[0]);
    take(both, &both->server, both->server_tls, fds[1]);
}

static inline void part(struct both *both)
{
    cs_link_release(&both->client.link);
    cs_link_release(&both->server.link);
    cs_buf_release(&both->client.got);
    cs_buf_release(&both->server.got);
    both->client = both->server =
        (struct end){.link = {.watch = {.fd = -1}}, .opened = 0};
}

static inline void stop(struct both *both)
{
    part(both);
    cs_tls_free(both->client_tls);
    cs_tls_free(both->server_tls);
    cs_loop_free(both->group.loop);
}

static inline void pass(struct both *both)
{
    struct cs_err err;

    assert_int_equal(cs_loop_wait(both->group.loop, 0, &err), 0);
    cs_link_flush_all(&both->group);
}

static inline void passes(struct both *both)
{
    for (int i = 0; i < 30; i++)
        pass(both);
}

static inline void say(struct end *end, const char *text)
{
    cs_buf_puts(&end->link.out, text);
    cs_link_touch(&end->link);
}

static inline void exchange(struct both *both)
{
    passes(both);
    if (both->client.lost || both->server.lost)
        fail_msg("client: %s, server: %s", both->client.why.text,
                 both->server.why.text);
    assert_int_equal(both->client.opened, 1);
    assert_int_equal(both->server.opened, 1);
    say(&both->client, "hello");
    passes(both);
    say(&both->server, "good day");
    passes(both);
    assert_string_equal(cs_buf_text(&both->server.got), "hello");
    assert_string_equal(cs_buf_text(&both->client.got), "good day");
}

#endif
