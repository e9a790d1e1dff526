/* signals.c - the first signal writes to an eventfd and gives both signals
 * their usual effect back, so that the second ends the process at once whatever
 * the main thread waits for. */
#include "run/signals.h"
#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* What the handler knows; one struct cs_signals is open at a time. */
static _Atomic int came;
static _Atomic int told_fd;

static void on_signal(int number)
{
    int before = errno;
    uint64_t one = 1;
    ssize_t done;

    atomic_store(&came, number);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    done = write(atomic_load(&told_fd), &one, sizeof(one));
    (void)done; /* a full counter: the main thread will wake up anyway */
    errno = before;
}

enum cs_code cs_signals_open(struct cs_signals *signals, struct cs_err *err)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

    signals->taken = 0;
    signals->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (signals->fd < 0)
        return cs_fail_sys(err, "eventfd");
    atomic_store(&came, 0);
    atomic_store(&told_fd, signals->fd);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &signals->before_int);
    sigaction(SIGTERM, &action, &signals->before_term);
    return CS_OK;
}

void cs_signals_close(struct cs_signals *signals)
{
    if (signals->fd < 0)
        return;
    sigaction(SIGINT, &signals->before_int, NULL);
    sigaction(SIGTERM, &signals->before_term, NULL);
    close(signals->fd);
    signals->fd = -1;
}

int cs_signals_take(struct cs_signals *signals)
{
    if (!signals->taken)
        signals->taken = atomic_load(&came);
    return signals->taken;
}

int cs_signals_sleep(struct cs_signals *signals, int64_t duration_ns)
{
    struct pollfd fd = {.fd = signals->fd, .events = POLLIN};
    int64_t end_ns = cs_now_ns() + duration_ns;

    while (!signals->taken) {
        int64_t left_ns = end_ns - cs_now_ns();
        struct timespec wait = {.tv_sec = left_ns / CS_NS_PER_S,
                                .tv_nsec = left_ns % CS_NS_PER_S};

        if (left_ns <= 0)
            break;
        if (ppoll(&fd, 1, &wait, NULL) > 0)
            cs_signals_take(signals);
    }
    return signals->taken;
}
