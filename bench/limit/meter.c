/* Runs a command against the null responder and measures it from outside, the
 * same way for any client: EXECUTEs per second as the responder saw them (first
 * to last), client CPU from wait4, responder CPU. usage: meter [-p port]
 * command args... prints one line: ops ops_s secs cli_user_us cli_sys_us cli_us
 * resp_us ops_read (requests per responder read) rss_kb rc */
#include "common.h"
#include <sys/wait.h>

static void counters(int port, uint64_t c[8])
{
    uint8_t b[64];
    int fd = cql_connect(port, 0);
    if (cql_call(fd, 0x7F, NULL, 0, b, sizeof b) != 64) {
        fprintf(stderr, "not our responder\n");
        exit(1);
    }
    for (int i = 0; i < 8; i++) {
        memcpy(&c[i], b + 8 * i, 8);
        c[i] = __builtin_bswap64(c[i]);
    }
    close(fd);
}
int main(int argc, char **argv)
{
    int port = 19042, o, st = 0;
    while ((o = getopt(argc, argv, "+p:")) != -1) {
        if (o == 'p')
            port = atoi(optarg);
        else
            return 2;
    }
    if (optind >= argc)
        return 2;
    uint64_t a[8], b[8];
    counters(port, a); /* also resets first/last */
    pid_t p = fork();
    if (p == 0) {
        dup2(2, 1); /* the command's output must not mix with our line */
        execvp(argv[optind], argv + optind);
        _exit(127);
    }
    struct rusage r;
    if (p < 0 || wait4(p, &st, 0, &r) != p)
        die("wait4");
    counters(port, b);
    double n = (double)(b[0] - a[0]), s = (double)(b[2] - b[1]) / 1e9;
    double u = (double)r.ru_utime.tv_sec * 1e6 + (double)r.ru_utime.tv_usec,
           k = (double)r.ru_stime.tv_sec * 1e6 + (double)r.ru_stime.tv_usec;
    if (n < 1 || s <= 0) {
        printf("ops=0 rc=%d\n", st);
        return 1;
    }
    printf(
        "ops=%.0f ops_s=%.0f secs=%.3f cli_user_us=%.4f cli_sys_us=%.4f cli_us=%.4f resp_us=%.4f ops_read=%.2f rss_kb=%ld rc=%d\n",
        n, n / s, s, u / n, k / n, (u + k) / n,
        (double)(b[3] + b[4] - a[3] - a[4]) / n, n / (double)(b[5] - a[5]),
        r.ru_maxrss, WEXITSTATUS(st));
    return 0;
}
