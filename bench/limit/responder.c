/* Null CQL responder: one thread, epoll, one read and one write per ready
 * connection and pass. EXECUTE/BATCH -> 13-byte VOID. OPTIONS, STARTUP,
 * REGISTER, PREPARE and QUERY are answered well enough for a driver to connect
 * (system.local and system.peers included). Opcode 0x7F (ours) returns the
 * counters that meter.c reads and restarts first/last. usage: responder [-p
 * port] [-c cpu] [-b]      (-b: spin instead of sleeping in epoll_wait) */
#include "common.h"
#include <ctype.h>
#include <signal.h>
#include <sys/epoll.h>

typedef struct {
    int fd;
    uint32_t pn, on, oo;
    uint8_t *part, *out;
} conn_t;
#define INCAP  (256 * 1024)
#define OUTCAP (512 * 1024)
static uint8_t in[INCAP + 65536], out[OUTCAP];
static size_t on;
static int ep;
static uint64_t nreq, nread, nwrite, nwait, nexec, texec0, texec1;
static volatile sig_atomic_t stop;
static void on_sig(int s)
{
    (void)s;
    stop = 1;
}

/* tiny writers */
static void p8(unsigned v)
{
    out[on++] = (uint8_t)v;
}
static void p16(unsigned v)
{
    p8(v >> 8);
    p8(v);
}
static void p32(uint32_t v)
{
    p16(v >> 16);
    p16(v & 0xffff);
}
static void pstr(const char *s)
{
    size_t n = strlen(s);
    p16((unsigned)n);
    memcpy(out + on, s, n);
    on += n;
}
static size_t begin(const uint8_t *f, uint8_t op)
{
    size_t at = on;
    p8(0x84);
    p8(0);
    p8(f[2]);
    p8(f[3]);
    p8(op);
    p32(0);
    return at;
}
static void end(size_t at)
{
    uint32_t n = (uint32_t)(on - at - 9);
    out[at + 5] = n >> 24;
    out[at + 6] = n >> 16;
    out[at + 7] = n >> 8;
    out[at + 8] = n;
}
static void val(const void *b, uint32_t n)
{
    p32(n);
    memcpy(out + on, b, n);
    on += n;
}
static void vstr(const char *s)
{
    val(s, (uint32_t)strlen(s));
}

enum {
    T_VARCHAR = 0x0D,
    T_UUID = 0x0C,
    T_INET = 0x10,
    T_SET = 0x22,
    T_BLOB = 0x03
};
static void col(const char *n, int t)
{
    pstr(n);
    p16((unsigned)t);
    if (t == T_SET)
        p16(T_VARCHAR);
}
static void rows_local(void)
{
    static const uint8_t ip[4] = {127, 0, 0, 1},
                         id[16] = {1, [6] = 0x40, [8] = 0x80, [15] = 1};
    p32(2);
    p32(1);
    p32(13);
    pstr("system");
    pstr("local");
    col("key", T_VARCHAR);
    col("cluster_name", T_VARCHAR);
    col("data_center", T_VARCHAR);
    col("rack", T_VARCHAR);
    col("release_version", T_VARCHAR);
    col("cql_version", T_VARCHAR);
    col("partitioner", T_VARCHAR);
    col("host_id", T_UUID);
    col("schema_version", T_UUID);
    col("rpc_address", T_INET);
    col("listen_address", T_INET);
    col("broadcast_address", T_INET);
    col("tokens", T_SET);
    p32(1);
    vstr("local");
    vstr("null");
    vstr("dc1");
    vstr("rack1");
    vstr("4.0.0");
    vstr("3.4.5");
    vstr("org.apache.cassandra.dht.Murmur3Partitioner");
    val(id, 16);
    val(id, 16);
    val(ip, 4);
    val(ip, 4);
    val(ip, 4);
    p32(4 + 4 + 1);
    p32(1);
    vstr("0");
}
static void rows_empty(const char *tab)
{
    p32(2);
    p32(1);
    p32(4);
    pstr("system");
    pstr(tab);
    col("peer", T_INET);
    col("data_center", T_VARCHAR);
    col("rack", T_VARCHAR);
    col("host_id", T_UUID);
    p32(0);
}
/* bind markers: names taken from the text before "= ?" or from the column list
 * of an INSERT */
static void prepared(const char *q, size_t n)
{
    char names[64][64];
    int nv = 0, pk = -1, ni = 0;
    char ins[64][64];
    const char *e = q + n, *p;
    if (n > 6 && !strncasecmp(q, "insert", 6) && (p = memchr(q, '(', n))) {
        for (p++; p < e && *p != ')' && ni < 64;) {
            int k = 0;
            while (p < e && !isalnum((unsigned char)*p) && *p != '_' &&
                   *p != ')')
                p++;
            while (p < e && (isalnum((unsigned char)*p) || *p == '_') && k < 63)
                ins[ni][k++] = *p++;
            if (k)
                ins[ni++][k] = 0;
        }
    }
    for (p = q; p < e && nv < 64; p++) {
        if (*p != '?')
            continue;
        const char *b = p;
        while (b > q && strchr(" =<>\"", b[-1]))
            b--;
        const char *z = b;
        while (b > q && (isalnum((unsigned char)b[-1]) || b[-1] == '_'))
            b--;
        if (ni)
            snprintf(names[nv], 64, "%s", nv < ni ? ins[nv] : "v");
        else if (z > b)
            snprintf(names[nv], 64, "%.*s", (int)(z - b), b);
        else
            snprintf(names[nv], 64, "v%d", nv);
        if (!strcasecmp(names[nv], "key")) {
            strcpy(names[nv], "key");
            pk = nv;
        }
        nv++;
    }
    uint64_t h[2] = {(uint64_t)murmur3((const uint8_t *)q, n), n};
    p32(4);
    p16(16);
    memcpy(out + on, h, 16);
    on += 16;
    p32(1);
    p32((uint32_t)nv);
    p32(pk >= 0);
    if (pk >= 0)
        p16((unsigned)pk);
    pstr("keyspace1");
    pstr("standard1");
    for (int i = 0; i < nv; i++)
        col(names[i], T_BLOB);
    p32(4);
    p32(0);
}
static void slow(const uint8_t *f, uint32_t len)
{
    size_t at;
    const char *q = (const char *)f + 13;
    uint32_t qn = 0;
    if (len >= 4)
        qn = (uint32_t)f[9] << 24 | f[10] << 16 | f[11] << 8 | f[12];
    if (qn > len - 4)
        qn = len >= 4 ? len - 4 : 0;
    if ((f[0] & 0x7f) != 4 && (f[0] & 0x7f) != 3) {
        at = begin(f, 0);
        p32(0x0A);
        pstr(
            "Invalid or unsupported protocol version; supported versions are (3/v3, 4/v4)");
        end(at);
        return;
    }
    switch (f[4]) {
    case 0x05:
        at = begin(f, 6);
        p16(2);
        pstr("CQL_VERSION");
        p16(1);
        pstr("3.4.5");
        pstr("COMPRESSION");
        p16(0);
        end(at);
        break;
    case 0x7F: {
        struct rusage r;
        getrusage(RUSAGE_SELF, &r);
        uint64_t v[8] = {nexec,
                         texec0,
                         texec1,
                         (uint64_t)r.ru_utime.tv_sec * 1000000 +
                             (uint64_t)r.ru_utime.tv_usec,
                         (uint64_t)r.ru_stime.tv_sec * 1000000 +
                             (uint64_t)r.ru_stime.tv_usec,
                         nread,
                         nwrite,
                         nwait};
        at = begin(f, 8);
        for (int i = 0; i < 8; i++) {
            p32((uint32_t)(v[i] >> 32));
            p32((uint32_t)v[i]);
        }
        end(at);
        texec0 = texec1 = 0;
        break;
    }
    case 0x01:
    case 0x0B:
        at = begin(f, 2);
        end(at);
        break;
    case 0x09:
        at = begin(f, 8);
        prepared(q, qn);
        end(at);
        break;
    case 0x07:
        at = begin(f, 8);
        if (memmem(q, qn, "system.local", 12))
            rows_local();
        else if (qn > 6 && !strncasecmp(q, "select", 6))
            rows_empty("peers");
        else if (qn > 3 && !strncasecmp(q, "use", 3)) {
            p32(3);
            pstr("keyspace1");
        } else
            p32(1);
        end(at);
        break;
    default:
        at = begin(f, 0);
        p32(0x0A);
        pstr("unsupported opcode");
        end(at);
    }
}
static void drop(conn_t *c)
{
    close(c->fd);
    free(c->part);
    free(c->out);
    free(c);
}
static int flush(conn_t *c)
{
    if (c->out) { /* earlier output still waiting: append */
        c->out = realloc(c->out, c->on + on);
        memcpy(c->out + c->on, out, on);
        c->on += on;
        on = 0;
        return 0;
    }
    ssize_t r = write(c->fd, out, on);
    nwrite++;
    if (r < 0 && errno != EAGAIN)
        return -1;
    if (r < 0)
        r = 0;
    if ((size_t)r < on) {
        c->on = (uint32_t)(on - (size_t)r);
        c->oo = 0;
        c->out = malloc(c->on);
        memcpy(c->out, out + r, c->on);
        struct epoll_event e = {EPOLLIN | EPOLLOUT, {.ptr = c}};
        epoll_ctl(ep, EPOLL_CTL_MOD, c->fd, &e);
    }
    on = 0;
    return 0;
}
static int flush_wait(conn_t *c)
{
    ssize_t r = write(c->fd, c->out + c->oo, c->on - c->oo);
    if (r < 0)
        return errno == EAGAIN ? 0 : -1;
    if ((c->oo += (uint32_t)r) == c->on) {
        struct epoll_event e = {EPOLLIN, {.ptr = c}};
        free(c->out);
        c->out = NULL;
        epoll_ctl(ep, EPOLL_CTL_MOD, c->fd, &e);
    }
    return 0;
}
static int readable(conn_t *c)
{
    size_t n = c->pn, i = 0;
    uint64_t ex = 0;
    if (n)
        memcpy(in, c->part, n);
    ssize_t r = read(c->fd, in + n, INCAP + 65536 - n);
    nread++;
    if (r <= 0)
        return r < 0 && errno == EAGAIN ? 0 : -1;
    n += (size_t)r;
    while (n - i >= 9) {
        const uint8_t *f = in + i;
        uint32_t len = (uint32_t)f[5] << 24 | f[6] << 16 | f[7] << 8 | f[8];
        if (len > 65000)
            return -1;
        if (n - i < 9 + (size_t)len)
            break;
        if (on > OUTCAP - 8192 && flush(c))
            return -1;
        if (f[4] == 0x0A || f[4] == 0x0D) {
            uint8_t *o = out + on;
            o[0] = 0x84;
            o[1] = 0;
            o[2] = f[2];
            o[3] = f[3];
            o[4] = 8;
            memcpy(o + 5, "\0\0\0\4\0\0\0\1", 8);
            on += VOIDLEN;
            ex++;
        } else
            slow(f, len);
        nreq++;
        i += 9 + len;
    }
    if (ex) {
        nexec += ex;
        texec1 = mono_ns();
        if (!texec0)
            texec0 = texec1;
    }
    size_t left = n - i;
    if (left) {
        if (left > c->pn || !c->part)
            c->part = realloc(c->part, left < 512 ? 512 : left);
        memcpy(c->part, in + i, left);
    }
    c->pn = (uint32_t)left;
    return on ? flush(c) : 0;
}
int main(int argc, char **argv)
{
    int port = 19042, cpu = -1, busy = 0, o, one = 1;
    while ((o = getopt(argc, argv, "p:c:b")) != -1) {
        if (o == 'p')
            port = atoi(optarg);
        else if (o == 'c')
            cpu = atoi(optarg);
        else if (o == 'b')
            busy = 1;
        else
            return 2;
    }
    struct rlimit rl;
    getrlimit(RLIMIT_NOFILE, &rl);
    rl.rlim_cur = rl.rlim_max;
    setrlimit(RLIMIT_NOFILE, &rl);
    signal(SIGPIPE, SIG_IGN);
    struct sigaction sa = {.sa_handler = on_sig};
    sigaction(SIGTERM, &sa, NULL);
    sigaction(SIGINT, &sa, NULL);
    pin(cpu);
    int ls = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_port = htons((uint16_t)port)};
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(ls, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(ls, (void *)&a, sizeof a) || listen(ls, 4096))
        die("bind/listen");
    ep = epoll_create1(0);
    struct epoll_event e = {EPOLLIN, {.ptr = NULL}}, ev[256];
    epoll_ctl(ep, EPOLL_CTL_ADD, ls, &e);
    while (!stop) {
        int n = epoll_wait(ep, ev, 256, busy ? 0 : -1);
        nwait++;
        for (int i = 0; i < n; i++) {
            conn_t *c = ev[i].data.ptr;
            if (!c) {
                int fd;
                while ((fd = accept4(ls, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
                    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
                    c = calloc(1, sizeof *c);
                    c->fd = fd;
                    struct epoll_event x = {EPOLLIN, {.ptr = c}};
                    epoll_ctl(ep, EPOLL_CTL_ADD, fd, &x);
                }
                continue;
            }
            if ((ev[i].events & EPOLLOUT) && c->out && flush_wait(c)) {
                drop(c);
                continue;
            }
            if ((ev[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) &&
                readable(c)) {
                on = 0;
                drop(c);
            }
        }
    }
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    fprintf(
        stderr,
        "responder: %lu requests, %lu reads, %lu writes, %lu waits, user %.2f s, sys %.2f s\n",
        nreq, nread, nwrite, nwait,
        r.ru_utime.tv_sec + r.ru_utime.tv_usec / 1e6,
        r.ru_stime.tv_sec + r.ru_stime.tv_usec / 1e6);
    return 0;
}
