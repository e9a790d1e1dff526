/* test_interrupt.c - a wait for an answer that does not come ends when the
 * caller's descriptor says so. */
#include "base/clock.h"
#include "client/interrupt.h"
#include "support/vectors.h"

#include <sys/eventfd.h>
#include <unistd.h>

static void signal_now(int fd)
{
    uint64_t one = 1;

    assert_int_equal(write(fd, &one, sizeof(one)), sizeof(one));
}

/* One wait of at most this long; whether it was interrupted. */
static bool wait_with(struct cs_loop *loop, int fd, int64_t most_ns)
{
    int64_t end_ns = cs_now_ns() + most_ns;
    struct cs_interrupt interrupt;
    struct cs_err err = {0};
    enum cs_code rc = CS_OK;

    assert_int_equal(cs_interrupt_begin(&interrupt, loop, fd, &err), CS_OK);
    while (!rc && cs_now_ns() < end_ns) {
        assert_int_equal(cs_loop_wait(loop, end_ns, &err), CS_OK);
        rc = cs_interrupt_check(&interrupt, &err);
    }
    cs_interrupt_end(&interrupt);
    assert_true(!rc || rc == CS_EINTERRUPTED);
    return rc != CS_OK;
}

static void a_readable_descriptor_ends_the_wait(void **state)
{
    int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    int64_t began_ns = cs_now_ns();
    struct cs_loop *loop = NULL;
    struct cs_err err;

    (void)state;
    assert_int_equal(cs_loop_new(&loop, &err), CS_OK);
    assert_false(wait_with(loop, fd, CS_NS_PER_MS));
    signal_now(fd);
    assert_true(wait_with(loop, fd, 60 * CS_NS_PER_S));
    /* It stays so: each further wait ends at once, too. */
    assert_true(wait_with(loop, fd, 60 * CS_NS_PER_S));
    assert_true(cs_now_ns() - began_ns < 30 * CS_NS_PER_S);
    cs_loop_free(loop);
    close(fd);
}

static void nothing_is_left_in_the_loop(void **state)
{
    int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    struct cs_loop *loop = NULL;
    struct cs_err err;
    int64_t end_ns;

    (void)state;
    assert_int_equal(cs_loop_new(&loop, &err), CS_OK);
    signal_now(fd);
    assert_true(wait_with(loop, fd, 60 * CS_NS_PER_S));
    end_ns = cs_now_ns() + 2 * CS_NS_PER_MS;
    assert_int_equal(cs_loop_wait(loop, end_ns, &err), CS_OK);
    assert_true(cs_now_ns() >= end_ns);
    cs_loop_free(loop);
    close(fd);
}

static void without_a_descriptor_nothing_ends_it(void **state)
{
    struct cs_loop *loop = NULL;
    struct cs_err err;

    (void)state;
    assert_int_equal(cs_loop_new(&loop, &err), CS_OK);
    assert_false(wait_with(loop, -1, CS_NS_PER_MS));
    cs_loop_free(loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_readable_descriptor_ends_the_wait),
        cmocka_unit_test(nothing_is_left_in_the_loop),
        cmocka_unit_test(without_a_descriptor_nothing_ends_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
