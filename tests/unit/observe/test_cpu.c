/* test_cpu.c - the kernel's small files, as they look on several machines. */
#include "observe/cpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *what;
    const char *cgroups;
    const char *want; /* NULL: no path */
} paths[] = {
    {"version 2", "0::/user.slice/a\n", "/r/user.slice/a/cpu.stat"},
    {"version 1", "4:memory:/m\n3:cpu,cpuacct:/docker/7\n",
     "/r/cpu/docker/7/cpu.stat"},
    {"both: version 1 has the processors", "0::/x\n1:cpu:/\n",
     "/r/cpu//cpu.stat"},
    {"a controller that only begins so", "2:cpuset:/s\n", NULL},
    {"a path with a colon", "0::/a:b\n", "/r/a:b/cpu.stat"},
    {"a last line without an end", "0::/z", "/r/z/cpu.stat"},
    {"nothing", "", NULL},
    {"no line of that form", "what\n:\n", NULL},
};

static void finds_the_group(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
        char path[256];
        bool found = cs_cgroup_path(paths[i].cgroups, "/r", path, sizeof(path));

        print_message("%s\n", paths[i].what);
        assert_int_equal(found, paths[i].want != NULL);
        if (found)
            assert_string_equal(path, paths[i].want);
    }
}

static void reads_both_units(void **state)
{
    (void)state;
    assert_int_equal(cs_cgroup_parse("nr_periods 4\nthrottled_usec 25\n"),
                     25000);
    assert_int_equal(cs_cgroup_parse("nr_throttled 1\nthrottled_time 25\n"),
                     25);
    assert_int_equal(cs_cgroup_parse("usage_usec 3\n"), -1);
    assert_int_equal(cs_cgroup_parse(""), -1);
}

static void counts_the_time_of_this_thread(void **state)
{
    struct cs_thread_use before;
    struct cs_thread_use after;

    (void)state;
    cs_thread_use_read(&before);
    do
        cs_thread_use_read(&after);
    while (after.cpu_ns < before.cpu_ns + 1000000);
    if (before.queued_ns >= 0)
        assert_true(after.queued_ns >= before.queued_ns);
    else
        assert_int_equal(after.queued_ns, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_group),
        cmocka_unit_test(reads_both_units),
        cmocka_unit_test(counts_the_time_of_this_thread),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
