/* link.h - one TCP connection in a loop: input by one large read per pass,
 * output gathered and sent by one write at the end of the pass. Waits for
 * room in the socket only after a short write. With TLS the same holds for the
 * encrypted bytes. */
#ifndef CS_NET_LINK_H
#define CS_NET_LINK_H

#include "base/buf.h"
#include "net/loop.h"
#include "net/socket.h"

struct cs_tls;
struct cs_tls_end;

/* A loop and those of its links that have something to send. */
struct cs_link_group {
    struct cs_loop *loop; /* borrowed */
    struct cs_link *dirty;
};

/* Called back inside cs_loop_wait and cs_link_flush_all. The link may be
 * closed in any of them, its memory must stay until the pass is over. */
struct cs_link_ops {
    void (*opened)(struct cs_link *link);
    /* Bytes in the order of arrival; returns how many were used. The rest
     * comes again, with more behind it. */
    size_t (*input)(struct cs_link *link, const uint8_t *bytes, size_t size);
    /* Last chance to complete what stands in out before it is sent. */
    void (*sealing)(struct cs_link *link);
    /* The peer or the system ended it; not called for cs_link_close. */
    void (*lost)(struct cs_link *link, const struct cs_err *why);
};

struct cs_link {
    struct cs_watch watch; /* fd -1: closed */
    struct cs_link_group *group;
    const struct cs_link_ops *ops;
    struct cs_tls *secure;         /* borrowed; NULL: plain */
    const struct cs_address *peer; /* borrowed until it is connected */
    struct cs_tls_end *tls;        /* owned; NULL: plain, or closed */
    struct cs_link *next_dirty;
    bool dirty;
    bool connecting; /* also while hands are shaken for TLS */
    bool blocked;    /* a write was short: EPOLLOUT is awaited */
    uint32_t writes; /* tries to write so far: bytes put into out after the
                        n-th have not left while it is still n */
    size_t sent;     /* leading bytes of out that are sent */
    struct cs_buf out;
    struct cs_buf rest; /* input not used yet */
    uint64_t bytes_in;
    uint64_t bytes_out;
};

/* out_max and in_max: the most bytes kept in either direction. */
void cs_link_init(struct cs_link *link, struct cs_link_group *group,
                  const struct cs_link_ops *ops, size_t out_max, size_t in_max);
void cs_link_release(struct cs_link *link);

/* Connections from now on are encrypted. The certificate must name peer, which
 * stays until the connection is made; NULL: no certificate can. */
void cs_link_secure(struct cs_link *link, struct cs_tls *tls,
                    const struct cs_address *peer);

/* Starts to connect; opened or lost is called in a later pass. */
enum cs_code cs_link_connect(struct cs_link *link,
                             const struct cs_address *address,
                             struct cs_err *err) CS_MUST_USE;

/* Likewise, from one of these ports. */
enum cs_code cs_link_connect_from(struct cs_link *link,
                                  const struct cs_address *address,
                                  const struct cs_source_ports *ports,
                                  struct cs_err *err) CS_MUST_USE;

/* Takes a socket that is connected. A plain link is open at once and opened is
 * not called; a secured one is once hands are shaken. */
enum cs_code cs_link_take_socket(struct cs_link *link, int fd,
                                 struct cs_err *err) CS_MUST_USE;

/* Ends it without a callback; harmless when closed. */
void cs_link_close(struct cs_link *link);

static inline bool cs_link_is_open(const struct cs_link *link)
{
    return link->watch.fd >= 0 && !link->connecting;
}

/* out was written to: it is sent at the end of the pass. */
CS_INLINE void cs_link_touch(struct cs_link *link)
{
    if (!link->dirty) {
        link->dirty = true;
        link->next_dirty = link->group->dirty;
        link->group->dirty = link;
    }
}

/* Bytes that wait to be sent, but for those encrypted already. */
CS_INLINE size_t cs_link_backlog(const struct cs_link *link)
{
    return link->out.size - link->sent;
}

/* Sends what all touched links of the group hold, one write each. */
void cs_link_flush_all(struct cs_link_group *group);

#endif
