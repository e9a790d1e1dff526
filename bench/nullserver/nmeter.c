/* Runs a client against the null server and measures it from outside, the same
 * way for any client. usage: nmeter [-a address] [-p port] [-c client_cpu] [-k
 * seconds] command args... -k: stop the command (TERM, then KILL after 5 s)
 * when it has run that long prints one line of key=value: ops       operations
 * the server answered (EXECUTE, BATCH, QUERY on user tables) ops_s     from the
 * first to the last of them; warm_ops_s: the second half of them only cli_us
 * client CPU per operation, user and system, whole life of all its processes
 * (start-up included) warm_us   client CPU per operation over the second half
 * of the operations (sampled every 20 ms; 0: too short) start_ms  from exec to
 * the first operation, wall_ms: whole life, end_ms: from the last operation to
 * exit rss_mb    largest resident set of one process, srv_us: server CPU per
 * operation, ops_read: operations per server read */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static volatile pid_t child;
static void on_sig(int s)
{
    if (child > 0)
        kill(-child, s);
    _exit(128 + s);
}
static void die(const char *s)
{
    perror(s);
    exit(1);
}
static uint64_t mono_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
static void all(int fd, void *b, size_t n, int wr)
{
    char *p = b;
    while (n) {
        ssize_t r = wr ? write(fd, p, n) : read(fd, p, n);
        if (r <= 0)
            die("server connection");
        p += r;
        n -= (size_t)r;
    }
}
static void counters(int fd, int op, uint64_t c[8])
{
    uint8_t h[9] = {4, 0, 0, 0, (uint8_t)op, 0, 0, 0, 0}, b[64];
    all(fd, h, 9, 1);
    all(fd, h, 9, 0);
    if (h[4] != 8 || h[8] != 64) {
        fprintf(stderr, "nmeter: not our null server\n");
        exit(1);
    }
    all(fd, b, 64, 0);
    for (int i = 0; i < 8; i++) {
        memcpy(&c[i], b + 8 * i, 8);
        c[i] = __builtin_bswap64(c[i]);
    }
}
static double group_cpu(pid_t g) /* seconds of all live processes of the group,
                                    their reaped children included */
{
    DIR *d = opendir("/proc");
    struct dirent *e;
    double s = 0;
    while (d && (e = readdir(d))) {
        char p[300], b[2048], *q;
        int pg;
        unsigned long u, k, cu, ck;
        if (e->d_name[0] < '0' || e->d_name[0] > '9')
            continue;
        snprintf(p, sizeof p, "/proc/%s/stat", e->d_name);
        FILE *f = fopen(p, "r");
        if (!f)
            continue;
        if (fgets(b, sizeof b, f) && (q = strrchr(b, ')')) &&
            sscanf(q + 2,
                   "%*c %*d %d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %lu %lu",
                   &pg, &u, &k, &cu, &ck) == 5 &&
            pg == g)
            s += (double)(u + k + cu + ck) / (double)sysconf(_SC_CLK_TCK);
        fclose(f);
    }
    if (d)
        closedir(d);
    return s;
}
typedef struct {
    uint64_t t, n;
    double cpu;
} smp_t;
int main(int argc, char **argv)
{
    const char *addr = "127.0.0.1";
    int port = 9042, cpu = -1, o, st = 0, one = 1;
    double kill_s = 0;
    while ((o = getopt(argc, argv, "+a:p:c:k:")) != -1) {
        if (o == 'a')
            addr = optarg;
        else if (o == 'p')
            port = atoi(optarg);
        else if (o == 'c')
            cpu = atoi(optarg);
        else if (o == 'k')
            kill_s = atof(optarg);
        else
            return 2;
    }
    if (optind >= argc)
        return 2;
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_port = htons((uint16_t)port)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    inet_pton(AF_INET, addr, &a.sin_addr);
    if (connect(fd, (void *)&a, sizeof a))
        die("connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    uint64_t c0[8], c[8], t0;
    counters(fd, 0x7F, c0); /* also restarts first/last */
    t0 = mono_ns();
    pid_t p = fork();
    if (p == 0) {
        setpgid(0, 0);
        if (cpu >= 0) {
            cpu_set_t s;
            CPU_ZERO(&s);
            CPU_SET(cpu, &s);
            sched_setaffinity(0, sizeof s, &s);
        }
        dup2(2, 1); /* its output must not mix with our line */
        execvp(argv[optind], argv + optind);
        _exit(127);
    }
    if (p < 0)
        die("fork");
    child = p;
    signal(SIGTERM, on_sig);
    signal(SIGINT, on_sig);
    size_t cap = 1 << 16, ns = 0;
    smp_t *s = malloc(cap * sizeof *s);
    int termed = 0, timeout = 0;
    for (;;) {
        pid_t w = waitpid(p, &st, WNOHANG);
        if (w == p)
            break;
        counters(fd, 0x7E, c);
        if (ns == cap)
            s = realloc(s, (cap *= 2) * sizeof *s);
        s[ns].t = mono_ns();
        s[ns].n = c[0] - c0[0];
        s[ns].cpu = group_cpu(p);
        ns++;
        double life = (double)(mono_ns() - t0) / 1e9;
        if (kill_s > 0 && life > kill_s && !termed) {
            kill(-p, SIGTERM);
            termed = timeout = 1;
        }
        if (kill_s > 0 && life > kill_s + 5)
            kill(-p, SIGKILL);
        usleep(20000);
    }
    uint64_t t1 = mono_ns();
    counters(fd, 0x7E, c);
    struct rusage r;
    getrusage(RUSAGE_CHILDREN, &r);
    double n = (double)(c[0] - c0[0]), sec = (double)(c[2] - c[1]) / 1e9;
    double us = (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1e6 +
                (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
    if (n < 1 || sec <= 0) {
        printf("ops=%.0f wall_ms=%.0f rss_mb=%.1f timeout=%d rc=%d\n", n,
               (double)(t1 - t0) / 1e6, (double)r.ru_maxrss / 1024, timeout,
               WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st));
        return 1;
    }
    size_t i, j; /* second half: from the first sample at n/2 to the last sample
                    before the end of the operations */
    for (i = 0; i < ns && (double)s[i].n < n / 2; i++)
        ;
    for (j = ns; j > i && (double)s[j - 1].n >= n; j--)
        ;
    double wn = 0, wt = 0, wc = 0;
    if (i < ns && j > i + 2) {
        j--;
        wn = (double)(s[j].n - s[i].n);
        wt = (double)(s[j].t - s[i].t) / 1e9;
        wc = (s[j].cpu - s[i].cpu) * 1e6;
    }
    printf(
        "ops=%.0f ops_s=%.0f warm_ops_s=%.0f cli_us=%.3f warm_us=%.3f start_ms=%.0f wall_ms=%.0f end_ms=%.0f rss_mb=%.1f srv_us=%.3f ops_read=%.2f timeout=%d rc=%d\n",
        n, n / sec, wt > 0 ? wn / wt : 0, us / n,
        wn > 0 && wc > 0 ? wc / wn : 0, (double)(c[1] - t0) / 1e6,
        (double)(t1 - t0) / 1e6, (double)(t1 - c[2]) / 1e6,
        (double)r.ru_maxrss / 1024, (double)(c[3] + c[4] - c0[3] - c0[4]) / n,
        n / (double)(c[5] - c0[5]), timeout,
        WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st));
    return 0;
}
