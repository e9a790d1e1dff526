/* test_link.c - one read and one write per pass, and what happens when the
 * peer does not take or give. */
#include "net/link.h"

#include "support/vectors.h"

#include <sys/socket.h>
#include <unistd.h>

struct end {
    struct cs_link_group group;
    struct cs_link link;
    int fd;      /* the peer's end */
    size_t take; /* bytes used by each call of input; SIZE_MAX: all */
    struct cs_buf got;
    int inputs;
    int sealings;
    int lost;
};

static struct end *of(struct cs_link *link)
{
    return CS_CONTAINER(link, struct end, link);
}

static void on_opened(struct cs_link *link)
{
    (void)link;
}

static size_t on_input(struct cs_link *link, const uint8_t *bytes, size_t size)
{
    struct end *end = of(link);
    size_t used = end->take == SIZE_MAX ? size : size - size % end->take;

    end->inputs++;
    cs_buf_put(&end->got, bytes, used);
    return used;
}

static void on_sealing(struct cs_link *link)
{
    of(link)->sealings++;
}

static void on_lost(struct cs_link *link, const struct cs_err *why)
{
    (void)why;
    of(link)->lost++;
}

static const struct cs_link_ops ops = {.opened = on_opened,
                                       .input = on_input,
                                       .sealing = on_sealing,
                                       .lost = on_lost};

static void start(struct end *end, size_t in_max)
{
    int fds[2];
    struct cs_err err;

    memset(end, 0, sizeof(*end));
    end->take = SIZE_MAX;
    cs_buf_init(&end->got, 64 << 20);
    assert_int_equal(cs_loop_new(&end->group.loop, &err), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds),
                     0);
    cs_link_init(&end->link, &end->group, &ops, 64 << 20, in_max);
    assert_int_equal(cs_link_take_socket(&end->link, fds[0], &err), 0);
    end->fd = fds[1];
}

static void stop(struct end *end)
{
    cs_link_release(&end->link);
    cs_loop_free(end->group.loop);
    cs_buf_release(&end->got);
    if (end->fd >= 0)
        close(end->fd);
}

static void pass(struct end *end)
{
    struct cs_err err;

    assert_int_equal(cs_loop_wait(end->group.loop, 0, &err), 0);
    cs_link_flush_all(&end->group);
}

static uint8_t pattern(size_t at)
{
    return (uint8_t)(at * 31 + at / 256);
}

static void put_pattern(struct cs_buf *buf, size_t size)
{
    uint8_t *p = cs_buf_room(buf, size);

    assert_non_null(p);
    for (size_t i = 0; i < size; i++)
        p[i] = pattern(buf->size + i);
    buf->size += size;
}

static size_t drain(struct end *end, size_t seen)
{
    uint8_t bytes[65536];
    ssize_t got;

    while ((got = recv(end->fd, bytes, sizeof(bytes), 0)) > 0) {
        for (ssize_t i = 0; i < got; i++)
            if (bytes[i] != pattern(seen + (size_t)i))
                fail_msg("byte %zu is wrong", seen + (size_t)i);
        seen += (size_t)got;
    }
    return seen;
}

static void sends_all_of_a_pass_in_one_write(void **state)
{
    struct end end;

    (void)state;
    start(&end, 1024);
    for (int i = 0; i < 10; i++) {
        put_pattern(&end.link.out, 100);
        cs_link_touch(&end.link);
    }
    cs_link_flush_all(&end.group);
    assert_int_equal(end.link.writes, 1);
    assert_int_equal(end.sealings, 1);
    assert_int_equal(drain(&end, 0), 1000);
    stop(&end);
}

/* More than a socket takes, while more is added. */
static void goes_on_after_short_writes(void **state)
{
    struct end end;
    size_t want = 0;
    size_t seen = 0;

    (void)state;
    start(&end, 1024);
    for (int i = 0; i < 200; i++) {
        for (size_t k = 0; k < 50000; k++)
            cs_buf_put8(&end.link.out, pattern(want + k));
        want += 50000;
        cs_link_touch(&end.link);
        pass(&end);
        if (i % 3 == 2)
            seen = drain(&end, seen);
    }
    for (int i = 0; i < 1000 && seen < want; i++) {
        pass(&end);
        seen = drain(&end, seen);
    }
    assert_int_equal(seen, want);
    assert_int_equal(cs_link_backlog(&end.link), 0);
    assert_false(end.link.blocked);
    stop(&end);
}

static void gives_the_rest_again_with_more_behind_it(void **state)
{
    struct end end;
    struct cs_buf sent;
    size_t at = 0;

    (void)state;
    start(&end, 1 << 20);
    cs_buf_init(&sent, 1 << 20);
    put_pattern(&sent, 7000);
    end.take = 1000;
    for (size_t step = 1; at < sent.size; step = step * 3 % 997) {
        size_t size = CS_MIN(step, sent.size - at);

        assert_int_equal(send(end.fd, sent.data + at, size, 0), size);
        at += size;
        pass(&end);
    }
    assert_int_equal(end.got.size, sent.size);
    assert_memory_equal(end.got.data, sent.data, sent.size);
    cs_buf_release(&sent);
    stop(&end);
}

/* A message of megabytes, wanted as one. */
static void gathers_a_large_message(void **state)
{
    struct end end;
    struct cs_buf sent;
    size_t at = 0;

    (void)state;
    start(&end, 8 << 20);
    cs_buf_init(&sent, 8 << 20);
    put_pattern(&sent, 3000000);
    end.take = 3000000;
    while (at < sent.size) {
        ssize_t done = send(end.fd, sent.data + at, sent.size - at, 0);

        if (done > 0)
            at += (size_t)done;
        pass(&end);
    }
    for (int i = 0; i < 100 && end.got.size < sent.size; i++)
        pass(&end);
    assert_int_equal(end.got.size, sent.size);
    assert_memory_equal(end.got.data, sent.data, sent.size);
    assert_int_equal(end.link.rest.size, 0);
    cs_buf_release(&sent);
    stop(&end);
}

static void is_lost_when_a_message_is_above_the_limit(void **state)
{
    uint8_t bytes[40000] = {0};
    struct end end;

    (void)state;
    start(&end, 30000);
    end.take = 100000;
    assert_int_equal(send(end.fd, bytes, sizeof(bytes), 0), sizeof(bytes));
    for (int i = 0; i < 10 && !end.lost; i++)
        pass(&end);
    assert_int_equal(end.lost, 1);
    assert_int_equal(end.link.watch.fd, -1);
    stop(&end);
}

static void takes_what_came_before_the_end(void **state)
{
    struct end end;

    (void)state;
    start(&end, 1024);
    assert_int_equal(send(end.fd, "hello", 5, 0), 5);
    close(end.fd);
    end.fd = -1;
    pass(&end);
    pass(&end);
    assert_int_equal(end.got.size, 5);
    assert_int_equal(end.lost, 1);
    stop(&end);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sends_all_of_a_pass_in_one_write),
        cmocka_unit_test(goes_on_after_short_writes),
        cmocka_unit_test(gives_the_rest_again_with_more_behind_it),
        cmocka_unit_test(gathers_a_large_message),
        cmocka_unit_test(is_lost_when_a_message_is_above_the_limit),
        cmocka_unit_test(takes_what_came_before_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
