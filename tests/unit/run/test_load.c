/* test_load.c - what is counted of a loop, and how loops become one figure. */
#include "run/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define MS CS_NS_PER_MS

static void counts_what_found_no_free_thread_in_time(void **state)
{
    struct cs_loop_load load = {0};

    (void)state;
    cs_loop_load_late(&load, -MS);
    cs_loop_load_late(&load, CS_IN_TIME_NS);
    assert_int_equal(load.late, 0);
    cs_loop_load_late(&load, CS_IN_TIME_NS + 1);
    assert_int_equal(load.late, 1);
}

/* As if the thread had worked for so long in the second behind it; what it
 * really does here is too short to matter. */
static void knows_a_second_without_a_moment_left(void **state)
{
    static const struct {
        int64_t worked_ms;
        int64_t full_ms;
    } seconds[] = {{1000, 1000}, {960, 1000}, {800, 0}, {0, 0}};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(seconds); i++) {
        int64_t now_ns = cs_now_ns();
        struct cs_loop_load load = {.second_ns = now_ns - 1000 * MS};

        cs_thread_use_read(&load.second);
        load.second.queued_ns = -1; /* a kernel that does not tell */
        load.second.cpu_ns -= seconds[i].worked_ms * MS;
        cs_loop_load_second(&load, now_ns);
        assert_int_equal(load.full_ns, seconds[i].full_ms * MS);
        assert_int_equal(load.second_ns, now_ns);
    }
}

static void ends_a_second_in_the_pass_behind_it(void **state)
{
    struct cs_loop_load load = {.second_ns = 5 * CS_NS_PER_S};

    (void)state;
    cs_loop_load_pass(&load, 6 * CS_NS_PER_S - 1);
    assert_int_equal(load.second_ns, 5 * CS_NS_PER_S);
    cs_loop_load_pass(&load, 6 * CS_NS_PER_S);
    assert_int_equal(load.second_ns, 6 * CS_NS_PER_S);
}

static void speaks_of_the_worst_loop_and_adds_what_adds_up(void **state)
{
    struct cs_loop_load loops[2];
    struct cs_client_load sum = {0};

    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(cs_loop_load_init(&loops[i], true, NULL), CS_OK);
        cs_loop_load_wait(&loops[i], MS);
    }
    loops[0].busy = 0.9;
    loops[0].full = 0.1;
    loops[0].queued = 0.02;
    loops[0].turn_wait_ns = 5;
    loops[0].late = 3;
    loops[1].busy = 0.2;
    loops[1].full = 0.3;
    loops[1].queued = 0.4;
    loops[1].turn_wait_ns = 7;
    loops[1].late = 4;
    for (int i = 0; i < 2; i++) {
        cs_client_load_add(&sum, &loops[i]);
        cs_client_load_rooms(&sum, 10, MS);
        cs_loop_load_release(&loops[i]);
    }
    assert_float_equal(sum.busy, 0.9, 1e-9);
    assert_float_equal(sum.idlest, 0.2, 1e-9);
    assert_float_equal(sum.full, 0.3, 1e-9);
    assert_float_equal(sum.queued, 0.4, 1e-9);
    assert_float_equal(sum.turn_wait_ns, 7, 1e-9);
    assert_int_equal(sum.late, 7);
    assert_int_equal(sum.room_waits, 20);
    assert_int_equal(sum.room_wait_ns, 2 * MS);
    assert_int_equal(sum.loops, 2);
    assert_int_equal(cs_histogram_count(sum.lag), 2);
    cs_histogram_free(sum.lag);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_what_found_no_free_thread_in_time),
        cmocka_unit_test(knows_a_second_without_a_moment_left),
        cmocka_unit_test(ends_a_second_in_the_pass_behind_it),
        cmocka_unit_test(speaks_of_the_worst_loop_and_adds_what_adds_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
