/* Shared pieces of the loopback limit bench: clock, histogram, RNG, frame, CPU
 * accounting. */
#ifndef COMMON_H
#define COMMON_H
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

static inline uint64_t tsc(void)
{
    return __rdtsc();
}
static inline uint64_t mono_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + t.tv_nsec;
}

/* ticks -> ns as (ticks * mult) >> 32 */
static uint64_t tsc_mult;
static double tsc_per_ns;
static void tsc_calibrate(void)
{
    uint64_t n0 = mono_ns(), t0 = tsc(), n1, t1;
    do {
        n1 = mono_ns();
        t1 = tsc();
    } while (n1 - n0 < 20000000u);
    tsc_per_ns = (double)(t1 - t0) / (double)(n1 - n0);
    tsc_mult = (uint64_t)(4294967296.0 / tsc_per_ns);
}
static inline uint64_t tick2ns(uint64_t d)
{
    return (uint64_t)(((unsigned __int128)d * tsc_mult) >> 32);
}

/* log-linear histogram, 2^HB sub-buckets per octave (HB=10: < 0.1 % error), ns,
 * up to 2^40 ns */
#ifndef HB
#define HB 10
#endif
#define HN ((40 - HB + 1) << HB)
typedef struct {
    uint64_t n, max, sum;
    uint64_t c[HN];
} hist_t;
static inline unsigned hist_idx(uint64_t v)
{
    int e = 63 - __builtin_clzll(v | ((2u << HB) - 1)) - HB;
    unsigned i = ((unsigned)e << HB) + (unsigned)(v >> e);
    return i < HN ? i : HN - 1;
}
static inline void hist_add(hist_t *h, uint64_t v)
{
    h->c[hist_idx(v)]++;
    h->n++;
    h->sum += v;
    if (v > h->max)
        h->max = v;
}
static inline uint64_t hist_val(unsigned i) /* middle of bucket i */
{
    unsigned e = i >> HB;
    if (e <= 1)
        return i;
    e--;
    return ((uint64_t)(i - (e << HB)) << e) + ((1u << e) >> 1);
}
static uint64_t hist_q(const hist_t *h, double q)
{
    uint64_t want = (uint64_t)(q * (double)h->n), s = 0;
    if (want >= h->n)
        return h->max;
    for (unsigned i = 0; i < HN; i++)
        if ((s += h->c[i]) > want)
            return hist_val(i);
    return h->max;
}
static void hist_merge(hist_t *a, const hist_t *b)
{
    for (unsigned i = 0; i < HN; i++)
        a->c[i] += b->c[i];
    a->n += b->n;
    a->sum += b->sum;
    if (b->max > a->max)
        a->max = b->max;
}

/* RNGs */
static inline uint64_t splitmix(uint64_t *s)
{
    uint64_t z = (*s += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* MurmurHash3 x64_128, high half only as Cassandra's Murmur3Partitioner does,
 * any length */
static inline uint64_t rotl(uint64_t x, int r)
{
    return (x << r) | (x >> (64 - r));
}
static inline uint64_t fmix(uint64_t k)
{
    k ^= k >> 33;
    k *= 0xff51afd7ed558ccdu;
    k ^= k >> 33;
    k *= 0xc4ceb9fe1a85ec53u;
    return k ^ (k >> 33);
}
static inline int64_t murmur3(const uint8_t *d, size_t n)
{
    const uint64_t c1 = 0x87c37b91114253d5u, c2 = 0x4cf5ad432745937fu;
    uint64_t h1 = 0, h2 = 0, k1, k2;
    size_t nb = n / 16;
    for (size_t i = 0; i < nb; i++) {
        memcpy(&k1, d + i * 16, 8);
        memcpy(&k2, d + i * 16 + 8, 8);
        k1 *= c1;
        k1 = rotl(k1, 31);
        k1 *= c2;
        h1 ^= k1;
        h1 = rotl(h1, 27);
        h1 += h2;
        h1 = h1 * 5 + 0x52dce729;
        k2 *= c2;
        k2 = rotl(k2, 33);
        k2 *= c1;
        h2 ^= k2;
        h2 = rotl(h2, 31);
        h2 += h1;
        h2 = h2 * 5 + 0x38495ab5;
    }
    const int8_t *t =
        (const int8_t *)d + nb * 16; /* signed tail bytes, as in Cassandra */
    size_t r = n & 15;
    k1 = k2 = 0;
    for (size_t i = r; i > 8; i--)
        k2 ^= (uint64_t)(int64_t)t[i - 1] << ((i - 9) * 8);
    if (r > 8) {
        k2 *= c2;
        k2 = rotl(k2, 33);
        k2 *= c1;
        h2 ^= k2;
        r = 8;
    }
    for (size_t i = r; i > 0; i--)
        k1 ^= (uint64_t)(int64_t)t[i - 1] << ((i - 1) * 8);
    if (r) {
        k1 *= c1;
        k1 = rotl(k1, 31);
        k1 *= c2;
        h1 ^= k1;
    }
    h1 ^= n;
    h2 ^= n;
    h1 += h2;
    h2 += h1;
    h1 = fmix(h1);
    h2 = fmix(h2);
    h1 += h2;
    return (int64_t)h1;
}

/* EXECUTE frame of a cassandra-stress style write: 5 blobs of 34 bytes, 10-byte
 * key, timestamp */
#define FRAME   244
#define VOIDLEN 13
static uint8_t tmpl[FRAME];
static void frame_init(const uint8_t id[16])
{
    uint8_t *p = tmpl;
    static const uint8_t head[9] = {4, 0, 0, 0, 0x0A, 0, 0, 0, FRAME - 9};
    memset(tmpl, 'x', sizeof tmpl);
    memcpy(p, head, 9);
    p += 9;
    *p++ = 0;
    *p++ = 16;
    memcpy(p, id, 16);
    p += 16;
    *p++ = 0;
    *p++ = 0x0A; /* LOCAL_ONE */
    *p++ = 0x21; /* values + default timestamp */
    *p++ = 0;
    *p++ = 6;
    for (int i = 0; i < 5; i++) {
        memset(p, 0, 3);
        p[3] = 34;
        p += 38;
    }
    memset(p, 0, 3);
    p[3] = 10;
}
static inline void frame_build(uint8_t *f, unsigned stream)
{
    memcpy(f, tmpl, FRAME);
    f[2] = stream >> 8;
    f[3] = (uint8_t)stream;
}
/* per-op work of a real write: key, token, 170 pseudo-random bytes, timestamp
 */
static inline int64_t frame_fill(uint8_t *f, uint64_t seq, uint64_t ts_us)
{
    uint64_t s = seq * 0x9E3779B97F4A7C15u, w;
    uint8_t *p = f + 32;
    for (int i = 0; i < 5; i++, p += 38) {
        for (int j = 0; j < 4; j++) {
            w = splitmix(&s);
            memcpy(p + 4 + j * 8, &w, 8);
        }
        w = splitmix(&s);
        memcpy(p + 36, &w, 2);
    }
    uint64_t k = fmix(seq);
    for (int i = 0; i < 10; i++)
        p[4 + i] = "0123456789ABCDEF"[(k >> (4 * i)) & 15];
    ts_us = __builtin_bswap64(ts_us);
    memcpy(p + 14, &ts_us, 8);
    return murmur3(p + 4, 10);
}

/* blocking helpers used for connection set-up */
static void die(const char *s)
{
    perror(s);
    exit(1);
}
static void wr_all(int fd, const void *b, size_t n)
{
    const char *p = b;
    while (n) {
        ssize_t r = write(fd, p, n);
        if (r < 0)
            die("write");
        p += r;
        n -= (size_t)r;
    }
}
static void rd_all(int fd, void *b, size_t n)
{
    char *p = b;
    while (n) {
        ssize_t r = read(fd, p, n);
        if (r <= 0)
            die("read");
        p += r;
        n -= (size_t)r;
    }
}
static size_t cql_call(int fd, uint8_t op, const void *body, uint32_t n,
                       uint8_t *rep, size_t cap)
{
    uint8_t h[9] = {4,
                    0,
                    0,
                    0,
                    op,
                    (uint8_t)(n >> 24),
                    (uint8_t)(n >> 16),
                    (uint8_t)(n >> 8),
                    (uint8_t)n};
    wr_all(fd, h, 9);
    if (n)
        wr_all(fd, body, n);
    rd_all(fd, h, 9);
    uint32_t l = (uint32_t)h[5] << 24 | h[6] << 16 | h[7] << 8 | h[8];
    if (l > cap) {
        fprintf(stderr, "reply too long\n");
        exit(1);
    }
    rd_all(fd, rep, l);
    if (h[4] == 0) {
        fprintf(stderr, "server error\n");
        exit(1);
    }
    return l;
}
static int cql_connect(int port, int handshake)
{
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_port = htons((uint16_t)port)};
    int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    uint8_t rep[4096];
    inet_pton(AF_INET, "127.0.0.1", &a.sin_addr);
    if (fd < 0)
        die("socket");
    if (connect(fd, (void *)&a, sizeof a))
        die("connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (handshake) {
        static const uint8_t st[] = "\0\1\0\13CQL_VERSION\0\0053.0.0";
        cql_call(fd, 1, st, sizeof st - 1, rep, sizeof rep);
    }
    if (handshake > 1) {
        static const char q[] =
            "UPDATE standard1 SET \"C0\"=?,\"C1\"=?,\"C2\"=?,\"C3\"=?,\"C4\"=? WHERE KEY=?";
        uint8_t b[4 + sizeof q] = {0, 0, 0, sizeof q - 1};
        memcpy(b + 4, q, sizeof q - 1);
        size_t l = cql_call(fd, 9, b, 4 + sizeof q - 1, rep, sizeof rep);
        if (l < 22 || rep[3] != 4 || rep[5] != 16) {
            fprintf(stderr, "bad PREPARED\n");
            exit(1);
        }
        frame_init(rep + 6);
    }
    return fd;
}
static void nonblock(int fd)
{
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}
static void pin(int cpu)
{
    cpu_set_t s;
    if (cpu < 0)
        return;
    CPU_ZERO(&s);
    CPU_SET(cpu, &s);
    if (sched_setaffinity(0, sizeof s, &s))
        die("sched_setaffinity");
}

/* CPU accounting of ourselves, of another process and of the whole machine */
typedef struct {
    uint64_t ns;
    double u, s;        /* self, s */
    double ru, rs;      /* responder, s (tick split) */
    double rt;          /* responder, s (schedstat, exact) */
    double busy, steal; /* machine, s */
    long ncsw, nicsw;
} cpu_t;
static void cpu_read(cpu_t *c, const int *pids, int np)
{
    struct rusage r;
    char b[4096], path[64];
    FILE *f;
    memset(c, 0, sizeof *c);
    c->ns = mono_ns();
    getrusage(RUSAGE_SELF, &r);
    c->u = r.ru_utime.tv_sec + r.ru_utime.tv_usec / 1e6;
    c->s = r.ru_stime.tv_sec + r.ru_stime.tv_usec / 1e6;
    c->ncsw = r.ru_nvcsw;
    c->nicsw = r.ru_nivcsw;
    for (int i = 0; i < np; i++) {
        unsigned long u = 0, s = 0;
        unsigned long long t = 0;
        snprintf(path, sizeof path, "/proc/%d/stat", pids[i]);
        if ((f = fopen(path, "r"))) {
            if (fgets(b, sizeof b, f)) {
                char *p = strrchr(b, ')');
                if (p)
                    sscanf(
                        p + 2,
                        "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
                        &u, &s);
            }
            fclose(f);
        }
        snprintf(path, sizeof path, "/proc/%d/schedstat", pids[i]);
        if ((f = fopen(path, "r"))) {
            if (fscanf(f, "%llu", &t) != 1)
                t = 0;
            fclose(f);
        }
        c->ru += u / 100.0;
        c->rs += s / 100.0;
        c->rt += t / 1e9;
    }
    if ((f = fopen("/proc/stat", "r"))) {
        unsigned long v[8] = {0};
        if (fscanf(f, "cpu %lu %lu %lu %lu %lu %lu %lu %lu", v, v + 1, v + 2,
                   v + 3, v + 4, v + 5, v + 6, v + 7) == 8) {
            c->busy = (v[0] + v[1] + v[2] + v[5] + v[6]) / 100.0;
            c->steal = v[7] / 100.0;
        }
        fclose(f);
    }
}
#endif
