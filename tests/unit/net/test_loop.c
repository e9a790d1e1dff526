/* test_loop.c - what ends the wait of a pass, and who is called in it. */
#include "net/loop.h"

#include "base/clock.h"

#include "support/vectors.h"

#include <poll.h>
#include <unistd.h>

struct watched {
    struct cs_watch watch;
    struct cs_loop *loop;
    struct watched *victim; /* removed when this one is called */
    int write_fd;
    int calls;
};

static void on_ready(struct cs_watch *watch, uint32_t events)
{
    struct watched *w = CS_CONTAINER(watch, struct watched, watch);

    (void)events;
    w->calls++;
    if (w->victim) {
        cs_loop_remove(w->loop, &w->victim->watch);
        w->victim = NULL;
    }
}

static struct cs_loop *new_loop(void)
{
    struct cs_loop *loop;
    struct cs_err err;

    assert_int_equal(cs_loop_new(&loop, &err), 0);
    return loop;
}

static void watch_pipe(struct cs_loop *loop, struct watched *w)
{
    int fds[2];
    struct cs_err err;

    assert_int_equal(pipe(fds), 0);
    *w = (struct watched){
        .watch = {.fd = fds[0], .events = EPOLLIN, .on_ready = on_ready},
        .loop = loop,
        .write_fd = fds[1]};
    assert_int_equal(cs_loop_add(loop, &w->watch, &err), 0);
}

static void close_pipe(struct watched *w)
{
    close(w->watch.fd);
    close(w->write_fd);
}

static void look(struct cs_loop *loop, int64_t deadline_ns)
{
    struct cs_err err;

    assert_int_equal(cs_loop_wait(loop, deadline_ns, &err), 0);
}

static void ends_at_the_deadline_and_not_before(void **state)
{
    struct cs_loop *loop = new_loop();

    (void)state;
    for (int i = 0; i < 3; i++) {
        int64_t deadline_ns = cs_now_ns() + 3 * CS_NS_PER_MS;

        look(loop, deadline_ns);
        assert_true(cs_now_ns() >= deadline_ns);
    }
    cs_loop_free(loop);
}

static void only_looks_when_the_deadline_is_past(void **state)
{
    struct cs_loop *loop = new_loop();
    struct watched w;

    (void)state;
    watch_pipe(loop, &w);
    look(loop, 0);
    assert_int_equal(w.calls, 0);
    assert_int_equal(write(w.write_fd, "x", 1), 1);
    look(loop, 0);
    assert_int_equal(w.calls, 1);
    close_pipe(&w);
    cs_loop_free(loop);
}

static void an_earlier_deadline_replaces_a_later_one(void **state)
{
    struct cs_loop *loop = new_loop();
    struct watched w;
    int64_t start_ns = cs_now_ns();

    (void)state;
    watch_pipe(loop, &w);
    assert_int_equal(write(w.write_fd, "x", 1), 1);
    look(loop, start_ns + 60 * CS_NS_PER_S); /* ended by the pipe */
    cs_loop_remove(loop, &w.watch);
    look(loop, cs_now_ns() + CS_NS_PER_MS);
    assert_true(cs_now_ns() - start_ns < 30 * CS_NS_PER_S);
    close_pipe(&w);
    cs_loop_free(loop);
}

static void is_woken_even_before_it_waits(void **state)
{
    struct cs_loop *loop = new_loop();
    int64_t start_ns = cs_now_ns();

    (void)state;
    cs_loop_wake(loop);
    cs_loop_wake(loop);
    look(loop, INT64_MAX);
    assert_true(cs_now_ns() - start_ns < 30 * CS_NS_PER_S);
    cs_loop_free(loop);
}

static void a_watch_removed_in_the_pass_is_not_called(void **state)
{
    struct cs_loop *loop = new_loop();
    struct watched a;
    struct watched b;

    (void)state;
    watch_pipe(loop, &a);
    watch_pipe(loop, &b);
    a.victim = &b;
    b.victim = &a;
    assert_int_equal(write(a.write_fd, "x", 1), 1);
    assert_int_equal(write(b.write_fd, "x", 1), 1);
    look(loop, 0);
    assert_int_equal(a.calls + b.calls, 1);
    close_pipe(&a);
    close_pipe(&b);
    cs_loop_free(loop);
}

static void an_armed_timer_makes_its_descriptor_readable(void **state)
{
    struct cs_loop *loop = new_loop();
    struct pollfd fd = {.fd = cs_loop_fd(loop), .events = POLLIN};

    (void)state;
    assert_int_equal(poll(&fd, 1, 0), 0);
    cs_loop_arm(loop, cs_now_ns() + CS_NS_PER_MS);
    assert_int_equal(poll(&fd, 1, 30000), 1);
    look(loop, 0);
    assert_int_equal(poll(&fd, 1, 0), 0);
    cs_loop_free(loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_at_the_deadline_and_not_before),
        cmocka_unit_test(only_looks_when_the_deadline_is_past),
        cmocka_unit_test(an_earlier_deadline_replaces_a_later_one),
        cmocka_unit_test(is_woken_even_before_it_waits),
        cmocka_unit_test(a_watch_removed_in_the_pass_is_not_called),
        cmocka_unit_test(an_armed_timer_makes_its_descriptor_readable),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
