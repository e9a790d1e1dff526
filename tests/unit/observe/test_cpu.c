/* test_cpu.c - the kernel's small files, as they look on several machines. */
#include "observe/cpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const struct {
    const char *what;
    const char *cgroups;
    const char *want; /* NULL: no path */
} paths[] = {
    {"version 2", "0::/user.slice/a\n", "/r/user.slice/a"},
    {"version 1", "4:memory:/m\n3:cpu,cpuacct:/docker/7\n", "/r/cpu/docker/7"},
    {"both: version 1 has the processors", "0::/x\n1:cpu:/\n", "/r/cpu"},
    {"a controller that only begins so", "2:cpuset:/s\n", NULL},
    {"a path with a colon", "0::/a:b\n", "/r/a:b"},
    {"a last line without an end", "0::/z", "/r/z"},
    {"the root of all groups", "0::/\n", "/r"},
    {"nothing", "", NULL},
    {"no line of that form", "what\n:\n", NULL},
};

static void put_stat(const char *folder, const char *text)
{
    char path[300];
    FILE *file;

    snprintf(path, sizeof(path), "%s/cpu.stat", folder);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

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

/* A group without a figure between two that have one. */
static void adds_the_quotas_of_all_groups_around(void **state)
{
    static const char *const made[] = {"", "/a", "/a/b", "/a/b/c"};
    static const char *const stats[] = {"throttled_usec 1000000\n",
                                        "throttled_usec 20\n", "usage_usec 5\n",
                                        "throttled_usec 3\n"};
    char root[] = "/tmp/cstress-groups-XXXXXX";
    char path[256];

    (void)state;
    assert_non_null(mkdtemp(root));
    for (size_t i = 0; i < 4; i++) {
        snprintf(path, sizeof(path), "%s%s", root, made[i]);
        if (i)
            assert_int_equal(mkdir(path, 0700), 0);
        put_stat(path, stats[i]);
    }
    snprintf(path, sizeof(path), "%s/a/b/c", root);
    assert_int_equal(cs_cgroup_sum_ns(path, root), 1000023000);
    snprintf(path, sizeof(path), "%s/of/the/host", root);
    assert_int_equal(cs_cgroup_sum_ns(path, root), 1000000000);
    snprintf(path, sizeof(path), "%s/a/b", root);
    assert_int_equal(
        cs_cgroup_sum_ns(path, "/longer/than/any/of/these/folders"), -1);
    for (size_t i = 4; i-- > 0;) {
        snprintf(path, sizeof(path), "%s%s/cpu.stat", root, made[i]);
        assert_int_equal(unlink(path), 0);
        *strrchr(path, '/') = '\0';
        assert_int_equal(rmdir(path), 0);
    }
}

static void knows_what_a_host_took(void **state)
{
    static const struct {
        const char *before;
        const char *after;
        double want;
    } hosts[] = {
        {"cpu  10 10 10 99 9 10 10 50 0 0\ncpu0 1 2 3\n",
         "cpu  20 10 20 999 9 20 10 60 0 0\n", 0.25},
        {"cpu  10 0 10 99 9 0 0 50 0 0\n", "cpu  20 0 10 99 9 0 0 50 0 0\n", 0},
        /* Seen on real hosts. */
        {"cpu  10 0 10 99 9 0 0 50 0 0\n", "cpu  20 0 10 99 9 0 0 40 0 0\n", 0},
        {"cpu  10 0 10 99\n", "cpu  20 0 10 99 9 0 0 40 0 0\n", 0},
        {"", "", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(hosts) / sizeof(*hosts); i++) {
        struct cs_machine_use from;
        struct cs_machine_use to;

        cs_machine_use_parse(hosts[i].before, &from);
        cs_machine_use_parse(hosts[i].after, &to);
        assert_float_equal(cs_machine_stolen(&from, &to), hosts[i].want, 1e-9);
    }
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
        cmocka_unit_test(adds_the_quotas_of_all_groups_around),
        cmocka_unit_test(knows_what_a_host_took),
        cmocka_unit_test(counts_the_time_of_this_thread),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
