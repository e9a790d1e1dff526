/* loop.c - the epoll set, its timerfd and its eventfd. Never epoll's own
 * milliseconds: an absolute timer is precise and need not be set again while
 * the next due time stays. */
#include "net/loop.h"

#include "base/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define BATCH_MAX 128

struct cs_loop {
    int epoll_fd;
    int timer_fd;
    int wake_fd;
    int64_t armed_ns; /* INT64_MAX: the timer is off */
    int at;           /* event of the current pass being called */
    int count;
    struct epoll_event batch[BATCH_MAX];
    uint8_t input[CS_LOOP_INPUT_SIZE];
};

/* The two descriptors of the loop itself are told apart from watches by these
 * addresses inside it. */
static enum cs_code add_own(struct cs_loop *loop, int fd, int *mark,
                            struct cs_err *err)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = mark};

    if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, fd, &event))
        return cs_fail_sys(err, "cannot add to an epoll set");
    return CS_OK;
}

static enum cs_code open_all(struct cs_loop *loop, struct cs_err *err)
{
    enum cs_code rc;

    loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (loop->epoll_fd < 0)
        return cs_fail_sys(err, "cannot make an epoll set");
    loop->timer_fd =
        timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (loop->timer_fd < 0)
        return cs_fail_sys(err, "cannot make a timer");
    loop->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (loop->wake_fd < 0)
        return cs_fail_sys(err, "cannot make an eventfd");
    rc = add_own(loop, loop->timer_fd, &loop->timer_fd, err);
    if (!rc)
        rc = add_own(loop, loop->wake_fd, &loop->wake_fd, err);
    return rc;
}

enum cs_code cs_loop_new(struct cs_loop **out, struct cs_err *err)
{
    struct cs_loop *loop = calloc(1, sizeof(*loop));
    enum cs_code rc;

    if (!loop)
        return cs_fail(err, CS_ENOMEM, "no memory for an event loop");
    loop->epoll_fd = loop->timer_fd = loop->wake_fd = -1;
    loop->armed_ns = INT64_MAX;
    rc = open_all(loop, err);
    if (rc) {
        cs_loop_free(loop);
        return rc;
    }
    *out = loop;
    return CS_OK;
}

void cs_loop_free(struct cs_loop *loop)
{
    if (!loop)
        return;
    if (loop->wake_fd >= 0)
        close(loop->wake_fd);
    if (loop->timer_fd >= 0)
        close(loop->timer_fd);
    if (loop->epoll_fd >= 0)
        close(loop->epoll_fd);
    free(loop);
}

enum cs_code cs_loop_add(struct cs_loop *loop, struct cs_watch *watch,
                         struct cs_err *err)
{
    struct epoll_event event = {.events = watch->events, .data.ptr = watch};

    if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, watch->fd, &event))
        return cs_fail_sys(err, "cannot watch a descriptor");
    return CS_OK;
}

enum cs_code cs_loop_change(struct cs_loop *loop, struct cs_watch *watch,
                            uint32_t events, struct cs_err *err)
{
    struct epoll_event event = {.events = events, .data.ptr = watch};

    if (watch->events == events)
        return CS_OK;
    if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_MOD, watch->fd, &event))
        return cs_fail_sys(err, "cannot watch a descriptor");
    watch->events = events;
    return CS_OK;
}

void cs_loop_remove(struct cs_loop *loop, struct cs_watch *watch)
{
    epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL, watch->fd, NULL);
    for (int i = loop->at; i < loop->count; i++)
        if (loop->batch[i].data.ptr == watch)
            loop->batch[i].data.ptr = NULL;
}

void cs_loop_arm(struct cs_loop *loop, int64_t deadline_ns)
{
    struct itimerspec at = {{0, 0}, {0, 0}};

    if (loop->armed_ns == deadline_ns)
        return;
    if (deadline_ns != INT64_MAX) {
        /* All zero would switch the timer off. */
        if (deadline_ns < 1)
            deadline_ns = 1;
        at.it_value.tv_sec = deadline_ns / CS_NS_PER_S;
        at.it_value.tv_nsec = deadline_ns % CS_NS_PER_S;
    }
    timerfd_settime(loop->timer_fd, TFD_TIMER_ABSTIME, &at, NULL);
    loop->armed_ns = deadline_ns;
}

static void drain(int fd)
{
    uint64_t ticks;

    while (read(fd, &ticks, sizeof(ticks)) < 0 && errno == EINTR)
        ;
}

static void call_one(struct cs_loop *loop, const struct epoll_event *event)
{
    struct cs_watch *watch;

    if (event->data.ptr == &loop->timer_fd) {
        drain(loop->timer_fd);
        loop->armed_ns = INT64_MAX;
    } else if (event->data.ptr == &loop->wake_fd) {
        drain(loop->wake_fd);
    } else {
        watch = event->data.ptr;
        if (watch)
            watch->on_ready(watch, event->events);
    }
}

/* -1 when the timer will end the wait, 0 when the deadline is past. */
static int wait_ms(struct cs_loop *loop, int64_t deadline_ns)
{
    if (deadline_ns == INT64_MAX || deadline_ns == loop->armed_ns) {
        cs_loop_arm(loop, deadline_ns);
        return -1;
    }
    if (deadline_ns <= cs_now_ns())
        return 0;
    cs_loop_arm(loop, deadline_ns);
    return -1;
}

enum cs_code cs_loop_wait(struct cs_loop *loop, int64_t deadline_ns,
                          struct cs_err *err)
{
    int ms = wait_ms(loop, deadline_ns);
    int count = epoll_wait(loop->epoll_fd, loop->batch, BATCH_MAX, ms);

    if (count < 0) {
        if (errno == EINTR)
            return CS_OK;
        return cs_fail_sys(err, "cannot wait for events");
    }
    loop->count = count;
    for (loop->at = 0; loop->at < loop->count; loop->at++) {
        struct epoll_event event = loop->batch[loop->at];

        call_one(loop, &event);
    }
    loop->at = loop->count = 0;
    return CS_OK;
}

void cs_loop_wake(struct cs_loop *loop)
{
    uint64_t one = 1;

    /* A full counter means that the loop is awake already. */
    while (write(loop->wake_fd, &one, sizeof(one)) < 0 && errno == EINTR)
        ;
}

int cs_loop_fd(const struct cs_loop *loop)
{
    return loop->epoll_fd;
}

uint8_t *cs_loop_input(struct cs_loop *loop)
{
    return loop->input;
}
