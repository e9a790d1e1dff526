/* Loopback limit client: the least a CQL load client can do per request and
 * still keep a full latency histogram.  Modes: block (one request at a time, no
 * epoll), pipe (epoll, one write per request), coal (epoll, one write per
 * connection and pass), bpipe (no epoll, one connection, blocking read + one
 * write).  Closed loop keeps -d requests in flight per connection; -r makes it
 * an open loop with a fixed schedule.  See README.md. */
#include "common.h"
#ifdef LIMIT_GENERATOR
#include "default_row.h"
#endif
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>

enum { M_BLOCK, M_PIPE, M_COAL, M_BPIPE };
enum { W_MS, W_NS, W_TFD, W_BUSY, W_HYB };
static const char *const mnames[] = {"block", "pipe", "coal", "bpipe"};
static const char *const wnames[] = {"epoll_ms", "epoll_ns", "timerfd", "busy",
                                     "hybrid"};
static struct {
    int mode, conns, depth, threads, port, nports, gen, busy, pids[8], npid,
        cpus[64], ncpu, wait;
    double secs, warm, rate, flush_us, spin_us;
    long nops;
} o = {M_COAL, 1, 1,     1, 19042, 1, 0, 0,   {0}, 0,
       {0},    0, W_TFD, 5, 0.5,   0, 0, 100, 0};
static volatile int phase; /* 0 warm-up, 1 measuring, 2 stop */
static uint8_t seedid[16];

typedef struct {
    int fd, want_out;
    uint32_t on, oo, pn; /* out buffer: end, sent; partial input bytes */
    uint32_t nfree, npend;
    uint8_t part[16];
    uint8_t *out;
    size_t ocap;
    uint64_t *ts;           /* start time per stream */
    uint16_t *freel, *pend; /* open loop: free streams; streams of this batch */
    uint64_t due;           /* open loop: when the held batch must leave */
} conn_t;
typedef struct {
    pthread_t th;
    int id, nc;
    conn_t *c;
    volatile uint64_t ops, reads, writes, waits, full;
    uint64_t seq, us0;
    int64_t sink;
    hist_t lat, late;
#ifdef LIMIT_GENERATOR
    struct default_row *rows;
#endif
} thr_t;

/* The generator writes whole blocks: up to so many bytes behind a value. */
#define SLACK 64

#ifdef LIMIT_GENERATOR
static void fill_init(thr_t *t)
{
    struct cs_err err;
    if (o.gen && default_row_new(0, &t->rows, &err)) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
}
/* The product's own row, straight into the frame, in place of made-up bytes. */
static inline int64_t fill(thr_t *t, uint8_t *f, uint64_t ts_us)
{
    struct cs_buf values = {
        .data = f + 32, .cap = FRAME - 32 + SLACK, .max = FRAME - 32 + SLACK};
    if (!default_row_put(t->rows, &values) || values.size != 204)
        die("a row of another size");
    ts_us = __builtin_bswap64(ts_us);
    memcpy(values.data + values.size, &ts_us, 8);
    return murmur3(values.data + values.size - 10, 10);
}
#else
static void fill_init(thr_t *t)
{
    (void)t;
}
static inline int64_t fill(thr_t *t, uint8_t *f, uint64_t ts_us)
{
    return frame_fill(f, ++t->seq, ts_us);
}
#endif

static inline void build(thr_t *t, uint8_t *f, unsigned stream, uint64_t now)
{
    frame_build(f, stream);
    if (o.gen)
        t->sink ^= fill(t, f, t->us0 + tick2ns(now) / 1000);
}
static int send_out(thr_t *t, conn_t *c, int ep)
{
    ssize_t r = write(c->fd, c->out + c->oo, c->on - c->oo);
    t->writes++;
    if (r < 0) {
        if (errno != EAGAIN)
            die("write");
        r = 0;
    }
    c->oo += (uint32_t)r;
    int want = c->oo < c->on;
    if (!want)
        c->on = c->oo = 0;
    if (want != c->want_out) {
        struct epoll_event e = {EPOLLIN | (want ? EPOLLOUT : 0), {.ptr = c}};
        epoll_ctl(ep, EPOLL_CTL_MOD, c->fd, &e);
        c->want_out = want;
    }
    return want;
}
static inline uint8_t *room(conn_t *c)
{
    if (c->on + FRAME + SLACK > c->ocap) {
        if (c->oo) {
            memmove(c->out, c->out + c->oo, c->on - c->oo);
            c->on -= c->oo;
            c->oo = 0;
        }
        if (c->on + FRAME + SLACK > c->ocap) {
            c->ocap = c->ocap ? c->ocap * 2 : 1024;
            c->out = realloc(c->out, c->ocap);
        }
    }
    return c->out + c->on;
}
static inline void issue(thr_t *t, conn_t *c, unsigned stream, uint64_t now,
                         int ep)
{
    build(t, room(c), stream, now);
    c->ts[stream] = now;
    c->on += FRAME;
    if (o.mode == M_PIPE && !c->want_out)
        send_out(t, c, ep);
}
/* one read; returns number of responses handled */
static int readable(thr_t *t, conn_t *c, int ep, int open)
{
    static __thread uint8_t in[65536 + 16];
    size_t n = c->pn, i = 0;
    int k = 0;
    memcpy(in, c->part, n);
    ssize_t r = read(c->fd, in + n, 65536);
    t->reads++;
    if (r <= 0) {
        if (r < 0 && errno == EAGAIN)
            return 0;
        die("read");
    }
    n += (size_t)r;
    for (; n - i >= VOIDLEN; i += VOIDLEN, k++) {
        const uint8_t *f = in + i;
        unsigned s = (unsigned)f[2] << 8 | f[3];
        if (f[4] != 8 || f[8] != 4) {
            fprintf(stderr, "unexpected response\n");
            exit(1);
        }
        uint64_t now = tsc();
        hist_add(&t->lat, tick2ns(now - c->ts[s]));
        if (open)
            c->freel[c->nfree++] = (uint16_t)s;
        else
            issue(t, c, s, now, ep);
    }
    t->ops += (uint64_t)k;
    c->pn = (uint32_t)(n - i);
    memcpy(c->part, in + i, n - i);
    return k;
}
static void *run_block(thr_t *t)
{
    conn_t *c = t->c;
    uint8_t f[FRAME + SLACK], in[VOIDLEN];
    for (int ph = 0; phase < 2;) {
        if (ph != phase) {
            ph = phase;
            memset(&t->lat, 0, sizeof t->lat);
        }
        uint64_t t0 = tsc();
        build(t, f, 1, t0);
        if (write(c->fd, f, FRAME) != FRAME)
            die("write");
        size_t n = 0;
        while (n < VOIDLEN) {
            ssize_t r = o.busy ? recv(c->fd, in + n, VOIDLEN - n, MSG_DONTWAIT)
                               : read(c->fd, in + n, VOIDLEN - n);
            if (r > 0)
                n += (size_t)r;
            else if (r == 0 || errno != EAGAIN)
                die("read");
        }
        if (in[4] != 8 || in[3] != 1)
            die("response");
        hist_add(&t->lat, tick2ns(tsc() - t0));
        t->ops++;
        t->reads++;
        t->writes++;
        if (o.nops && (long)t->ops >= o.nops)
            break;
    }
    return NULL;
}
static void *run_closed(thr_t *t)
{
    struct epoll_event ev[256];
    int ep = epoll_create1(0), ph = 0;
    for (int i = 0; i < t->nc; i++) {
        struct epoll_event e = {EPOLLIN, {.ptr = t->c + i}};
        if (o.mode != M_BPIPE)
            nonblock(t->c[i].fd);
        epoll_ctl(ep, EPOLL_CTL_ADD, t->c[i].fd, &e);
    }
    for (int i = 0; i < t->nc; i++) {
        for (int s = 0; s < o.depth; s++)
            issue(t, t->c + i, (unsigned)s, tsc(), ep);
        if (t->c[i].on && !t->c[i].want_out)
            send_out(t, t->c + i, ep);
    }
    while (phase < 2 && (!o.nops || (long)t->ops < o.nops)) {
        if (ph != phase) {
            ph = phase;
            memset(&t->lat, 0, sizeof t->lat);
        }
        if (o.mode == M_BPIPE) {
            readable(t, t->c, ep, 0);
            if (t->c->on)
                send_out(t, t->c, ep);
            continue;
        }
        int n = epoll_wait(ep, ev, 256, o.busy ? 0 : 200);
        t->waits++;
        for (int i = 0; i < n; i++) {
            conn_t *c = ev[i].data.ptr;
            if (ev[i].events & EPOLLOUT)
                send_out(t, c, ep);
            if (ev[i].events & EPOLLIN)
                readable(t, c, ep, 0);
            if (c->on && !c->want_out)
                send_out(t, c, ep);
        }
    }
    return NULL;
}
static void flush_open(thr_t *t, conn_t *c, int ep)
{
    uint64_t now = tsc();
    for (uint32_t i = 0; i < c->npend; i++) {
        uint64_t s = c->ts[c->pend[i]];
        hist_add(&t->late, tick2ns(now > s ? now - s : 0));
    }
    c->npend = 0;
    if (!c->want_out)
        send_out(t, c, ep);
}
static void *run_open(thr_t *t)
{
    struct epoll_event ev[256];
    int ep = epoll_create1(0),
        tfd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK), ph = 0, ndirty = 0;
    double step = 1e9 / (o.rate / o.threads) * tsc_per_ns;
    uint64_t k = 0, armed = 0, fl = (uint64_t)(o.flush_us * 1000 * tsc_per_ns),
             spin = (uint64_t)(o.spin_us * 1000 * tsc_per_ns);
    conn_t **dirty = calloc((size_t)t->nc, sizeof *dirty);
    for (int i = 0; i < t->nc; i++) {
        struct epoll_event e = {EPOLLIN, {.ptr = t->c + i}};
        nonblock(t->c[i].fd);
        epoll_ctl(ep, EPOLL_CTL_ADD, t->c[i].fd, &e);
        for (int s = 0; s < o.depth; s++)
            t->c[i].freel[t->c[i].nfree++] = (uint16_t)s;
    }
    struct epoll_event e = {EPOLLIN, {.ptr = NULL}};
    if (o.wait == W_TFD)
        epoll_ctl(ep, EPOLL_CTL_ADD, tfd, &e);
    uint64_t mbase = mono_ns(), tbase = tsc(),
             t0 = tbase + (uint64_t)(1e6 * tsc_per_ns), next = t0;
    while (phase < 2) {
        if (ph != phase) {
            ph = phase;
            memset(&t->lat, 0, sizeof t->lat);
            memset(&t->late, 0, sizeof t->late);
        }
        uint64_t now = tsc();
        for (int burst = 0; next <= now && burst < 256; burst++) {
            conn_t *c = t->c + k % (unsigned)t->nc;
            if (!c->nfree) {
                t->full++;
                break;
            } /* full: op stays due, its lateness will show */
            uint16_t s = c->freel[--c->nfree];
            if (!c->npend) {
                dirty[ndirty++] = c;
                c->due = now + fl;
            }
            build(t, room(c), s, now);
            c->on += FRAME;
            c->ts[s] = next;
            c->pend[c->npend++] = s;
            if (o.mode == M_PIPE) {
                flush_open(t, c, ep);
                ndirty--;
            }
            k++;
            next = t0 + (uint64_t)(step * (double)k);
        }
        uint64_t due = next;
        if (ndirty) {
            int m = 0;
            if (fl)
                now = tsc();
            for (int i = 0; i < ndirty; i++) {
                if (!fl || dirty[i]->due <= now)
                    flush_open(t, dirty[i], ep);
                else {
                    if (dirty[i]->due < due)
                        due = dirty[i]->due;
                    dirty[m++] = dirty[i];
                }
            }
            ndirty = m;
        }
        int n;
        now = tsc();
        int64_t left = (int64_t)(due - now),
                leftns = left > 0 ? (int64_t)tick2ns((uint64_t)left) : 0;
        if (left <= 0 || o.wait == W_BUSY)
            n = epoll_wait(ep, ev, 256, 0);
        else if (o.wait == W_MS)
            n = epoll_wait(ep, ev, 256, (int)((leftns + 999999) / 1000000));
        else if (o.wait == W_NS || o.wait == W_HYB) {
            if (o.wait == W_HYB) {
                left -= (int64_t)spin;
                leftns = left > 0 ? (int64_t)tick2ns((uint64_t)left) : 0;
            }
            struct timespec ts = {leftns / 1000000000, leftns % 1000000000};
            n = leftns ? epoll_pwait2(ep, ev, 256, &ts, NULL)
                       : epoll_wait(ep, ev, 256, 0);
        } else {
            if (armed != due) {
                uint64_t a = mbase + tick2ns(due - tbase);
                struct itimerspec it = {
                    {0, 0}, {(time_t)(a / 1000000000), (long)(a % 1000000000)}};
                timerfd_settime(tfd, TFD_TIMER_ABSTIME, &it, NULL);
                armed = due;
            }
            n = epoll_wait(ep, ev, 256, 100);
        }
        t->waits++;
        for (int i = 0; i < n; i++) {
            conn_t *c = ev[i].data.ptr;
            uint64_t x;
            if (!c) {
                if (read(tfd, &x, 8) < 0) {
                }
                continue;
            }
            if (ev[i].events & EPOLLOUT)
                send_out(t, c, ep);
            if (ev[i].events & EPOLLIN)
                readable(t, c, ep, 1);
        }
    }
    return NULL;
}
static void *thr_main(void *p)
{
    thr_t *t = p;
    if (o.ncpu)
        pin(o.cpus[t->id % o.ncpu]);
    if (o.rate > 0)
        return run_open(t);
    return o.mode == M_BLOCK ? run_block(t) : run_closed(t);
}
static void list(char *s, int *v, int *n, int max)
{
    for (char *p = strtok(s, ","); p && *n < max; p = strtok(NULL, ","))
        v[(*n)++] = atoi(p);
}
static long status_kb(const char *key)
{
    char b[256];
    long v = -1;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(b, sizeof b, f))
        if (!strncmp(b, key, strlen(key)))
            v = atol(b + strlen(key) + 1);
    if (f)
        fclose(f);
    return v;
}
static void sock_mem(long *pages)
{
    char b[256];
    FILE *f = fopen("/proc/net/sockstat", "r");
    while (f && fgets(b, sizeof b, f)) {
        char *p = strstr(b, " mem ");
        if (!strncmp(b, "TCP:", 4) && p)
            *pages = atol(p + 5);
    }
    if (f)
        fclose(f);
}
static void nap(double s)
{
    struct timespec ts = {(time_t)s, (long)((s - (double)(time_t)s) * 1e9)};
    nanosleep(&ts, NULL);
}
int main(int argc, char **argv)
{
    int ch;
    while ((ch = getopt(argc, argv, "m:n:d:t:p:P:s:w:gbR:c:r:W:F:S:N:T:")) !=
           -1)
        switch (ch) {
        case 'm':
            for (o.mode = 3; o.mode && strcmp(optarg, mnames[o.mode]);
                 o.mode--) {
            }
            break;
        case 'n':
            o.conns = atoi(optarg);
            break;
        case 'd':
            o.depth = atoi(optarg);
            break;
        case 't':
            o.threads = atoi(optarg);
            break;
        case 'p':
            o.port = atoi(optarg);
            break;
        case 'P':
            o.nports = atoi(optarg);
            break;
        case 's':
            o.secs = atof(optarg);
            break;
        case 'w':
            o.warm = atof(optarg);
            break;
        case 'g':
            o.gen = 1;
            break;
        case 'b':
            o.busy = 1;
            break;
        case 'R':
            list(optarg, o.pids, &o.npid, 8);
            break;
        case 'c':
            list(optarg, o.cpus, &o.ncpu, 64);
            break;
        case 'r':
            o.rate = atof(optarg);
            break;
        case 'W':
            for (o.wait = 4; o.wait && strcmp(optarg, wnames[o.wait]);
                 o.wait--) {
            }
            break;
        case 'F':
            o.flush_us = atof(optarg);
            break;
        case 'S':
            o.spin_us = atof(optarg);
            break;
        case 'N':
            o.nops = atol(optarg);
            break;
        case 'T':
            prctl(PR_SET_TIMERSLACK, atol(optarg), 0, 0, 0);
            break;
        default:
            return 2;
        }
    struct rlimit rl;
    getrlimit(RLIMIT_NOFILE, &rl);
    rl.rlim_cur = rl.rlim_max;
    setrlimit(RLIMIT_NOFILE, &rl);
    tsc_calibrate();
    frame_init(seedid);
    long rss0 = status_kb("VmRSS:"), sm0 = 0, sm1 = 0;
    sock_mem(&sm0);
    if (o.mode == M_BLOCK || o.mode == M_BPIPE)
        o.conns = o.threads; /* one each */
    thr_t *t = calloc((size_t)o.threads, sizeof *t);
    size_t streams =
        o.rate > 0 && o.depth < 2 ? (size_t)(o.depth = 1024) : (size_t)o.depth;
    if (o.mode == M_BLOCK)
        streams = 2;
    for (int i = 0; i < o.threads; i++) {
        t[i].id = i;
        t[i].nc = o.conns / o.threads + (i < o.conns % o.threads);
        t[i].c = calloc((size_t)t[i].nc, sizeof(conn_t));
        t[i].seq = (uint64_t)i << 40;
        fill_init(&t[i]);
        t[i].us0 = (uint64_t)time(NULL) * 1000000u - tick2ns(tsc()) / 1000;
        for (int j = 0; j < t[i].nc; j++) {
            conn_t *c = t[i].c + j;
            c->fd = cql_connect(o.port + i % o.nports, i + j == 0 ? 2 : 1);
            c->ts = calloc(streams, sizeof *c->ts);
            if (o.rate > 0) {
                c->freel = calloc(streams, 2);
                c->pend = calloc(streams, 2);
            }
        }
    }
    for (int i = 0; i < o.threads; i++)
        if (pthread_create(&t[i].th, NULL, thr_main, t + i))
            die("pthread_create");
    if (o.nops) {
        for (int i = 0; i < o.threads; i++)
            pthread_join(t[i].th, NULL);
        return 0;
    }
    cpu_t a, b;
    uint64_t v[2][5] = {{0}};
    nap(o.warm);
    for (int x = 0; x < 2; x++) {
        cpu_read(x ? &b : &a, o.pids, o.npid);
        for (int i = 0; i < o.threads; i++) {
            v[x][0] += t[i].ops;
            v[x][1] += t[i].reads;
            v[x][2] += t[i].writes;
            v[x][3] += t[i].waits;
            v[x][4] += t[i].full;
        }
        phase = x + 1;
        if (!x)
            nap(o.secs);
    }
    long rss = status_kb("VmRSS:");
    sock_mem(&sm1);
    for (int i = 0; i < o.threads; i++)
        pthread_join(t[i].th, NULL);
    for (int i = 1; i < o.threads; i++) {
        hist_merge(&t->lat, &t[i].lat);
        hist_merge(&t->late, &t[i].late);
    }
    double ops = (double)(v[1][0] - v[0][0]), s = (double)(b.ns - a.ns) / 1e9,
           cu = b.u - a.u, cs = b.s - a.s;
    double rt = b.rt - a.rt, ru = b.ru - a.ru, rs = b.rs - a.rs,
           rr = ru + rs > 0 ? ru / (ru + rs) : 0;
    const hist_t *h = &t->lat;
    printf(
        "mode=%s conns=%d depth=%d threads=%d gen=%d rate=%.0f wait=%s flush=%.0f ops=%.0f secs=%.3f ops_s=%.0f "
        "cli_user_us=%.4f cli_sys_us=%.4f cli_util=%.3f resp_user_us=%.4f resp_sys_us=%.4f resp_util=%.3f "
        "foreign=%.3f steal=%.3f p50=%.1f p90=%.1f p99=%.1f p999=%.1f max=%.1f mean=%.1f "
        "reads_op=%.4f writes_op=%.4f waits_op=%.4f csw_op=%.4f",
        mnames[o.mode], o.conns, o.depth, o.threads, o.gen, o.rate,
        o.rate > 0 ? wnames[o.wait] : "-", o.flush_us, ops, s, ops / s,
        cu / ops * 1e6, cs / ops * 1e6, (cu + cs) / s, rt * rr / ops * 1e6,
        rt * (1 - rr) / ops * 1e6, rt / s, (b.busy - a.busy - cu - cs - rt) / s,
        (b.steal - a.steal) / s, (double)hist_q(h, .5) / 1e3,
        (double)hist_q(h, .9) / 1e3, (double)hist_q(h, .99) / 1e3,
        (double)hist_q(h, .999) / 1e3, (double)h->max / 1e3,
        h->n ? (double)h->sum / (double)h->n / 1e3 : 0,
        (double)(v[1][1] - v[0][1]) / ops, (double)(v[1][2] - v[0][2]) / ops,
        (double)(v[1][3] - v[0][3]) / ops,
        (double)(b.ncsw + b.nicsw - a.ncsw - a.nicsw) / ops);
    if (o.rate > 0)
        printf(
            " late_p50=%.2f late_p90=%.2f late_p99=%.2f late_p999=%.2f late_max=%.2f full=%lu",
            (double)hist_q(&t->late, .5) / 1e3,
            (double)hist_q(&t->late, .9) / 1e3,
            (double)hist_q(&t->late, .99) / 1e3,
            (double)hist_q(&t->late, .999) / 1e3, (double)t->late.max / 1e3,
            v[1][4] - v[0][4]);
    printf(" rss_kb=%ld rss0_kb=%ld sockmem_kb=%ld\n", rss, rss0,
           (sm1 - sm0) * 4);
    return 0;
}
