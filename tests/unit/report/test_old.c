/* test_old.c - the rows of stress and stress.py in every layout, from given
 * samples. */
#include "report/old.h"

#include "metrics/recorder_add.h"
#include "support/vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define S INT64_C(1000000000)

struct old_run {
    struct cs_settings settings;
    char path[64];
    struct cs_recorder *recorder;
    struct cs_results *results;
    struct cs_old_report *report;
};

static const char *const names[] = {"READ"};

static void begin(struct old_run *run, unsigned layout)
{
    struct cs_run_setup setup = {.kind_names = names,
                                 .kind_count = 1,
                                 .start_ns = 100 * S,
                                 .wall_start_ns = 5000 * S,
                                 .interval_ns = 10100 * (S / 1000),
                                 .threads = 1};
    struct cs_err err = {0};
    int fd;

    memset(run, 0, sizeof(*run));
    snprintf(run->path, sizeof(run->path), "/tmp/cstress-old-XXXXXX");
    fd = mkstemp(run->path);
    assert_true(fd >= 0);
    close(fd);
    run->settings.command.count = 400;
    run->settings.old.on = true;
    run->settings.old.file = run->path;
    run->settings.old.interval_s = 10;
    run->settings.old.layout = layout;
    assert_int_equal(cs_recorder_new(1, false, &run->recorder, &err), CS_OK);
    assert_int_equal(
        cs_results_new(&setup, &run->recorder, 1, &run->results, &err), CS_OK);
    assert_int_equal(cs_old_report_open(&run->settings, &run->report, &err),
                     CS_OK);
    cs_old_report_start(run->report);
}

/* count operations of that latency and so many keys each, ended at that
 * second of the run. */
static void add(struct old_run *run, int count, int64_t end_ns, int64_t ns,
                uint64_t keys)
{
    struct cs_sample sample = {.start_ns = 100 * S + end_ns - ns,
                               .end_ns = 100 * S + end_ns,
                               .rows = keys,
                               .partitions = keys};

    for (int i = 0; i < count; i++)
        cs_recorder_add(run->recorder, &sample);
}

static void row(struct old_run *run)
{
    cs_recorder_tick(run->recorder, cs_results_next_end(run->results) + 1);
    assert_true(cs_results_collect(run->results));
    cs_old_report_row(run->report, run->results);
}

static void finish(struct old_run *run, int64_t end_ns, bool failed,
                   const char *want)
{
    char text[2000] = "";
    FILE *file;

    cs_recorder_finish(run->recorder);
    if (cs_results_collect_last(run->results, 100 * S + end_ns))
        cs_old_report_row(run->report, run->results);
    cs_old_report_end(run->report, run->results, failed);
    cs_old_report_close(run->report);
    file = fopen(run->path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
    fclose(file);
    assert_string_equal(text, want);
    unlink(run->path);
    cs_results_free(run->results);
    cs_recorder_free(run->recorder);
}

/* 300 operations in the first interval, 100 in three seconds of the second:
 * rates are divided by ten all the same. */
static void fill(struct old_run *run)
{
    add(run, 300, 5 * S, 4000000, 1);
    row(run);
    add(run, 100, 13 * S, 8000000, 5);
}

static void divides_by_the_option_in_whole_numbers(void **state)
{
    struct old_run run;

    (void)state;
    begin(&run, CS_OLD_LAYOUT_USUAL);
    fill(&run);
    finish(&run, 13 * S, false,
           "total,interval_op_rate,interval_key_rate,avg_latency,elapsed_time\n"
           "300,30,30,0.004000768,10\n"
           "400,10,50,0.008001536,13\n"
           "END\n");
}

static void divides_by_the_true_time_when_asked(void **state)
{
    struct old_run run;

    (void)state;
    begin(&run, CS_OLD_LAYOUT_USUAL);
    run.settings.old.true_rates = true;
    run.settings.old.python = true;
    fill(&run);
    finish(&run, 13 * S, true,
           "total,interval_op_rate,interval_key_rate,avg_latency,elapsed_time\n"
           "300,29,29,0.004000768,10\n"
           "400,34,172,0.008001536,13\n"
           "FAILURE\n");
}

static void prints_a_last_row_without_operations(void **state)
{
    struct old_run run;

    (void)state;
    begin(&run, CS_OLD_LAYOUT_USUAL);
    add(&run, 10, 5 * S, 4000000, 1);
    row(&run);
    finish(&run, 11 * S, false,
           "total,interval_op_rate,interval_key_rate,avg_latency,elapsed_time\n"
           "10,1,1,0.004000768,10\n"
           "10,0,0,NaN,11\n"
           "END\n");
}

static const struct {
    unsigned layout;
    const char *want;
} layouts[] = {
    {0, "total,interval_op_rate,elapsed_time\n300,30,10\n400,10,13\nEND\n"},
    {1, "total,interval_op_rate,avg_latency,elapsed_time\n"
        "300,30,0.004000768,10\n400,10,0.008001536,13\nEND\n"},
    {3, "total,interval_op_rate,interval_key_rate,latency/95th/99th,"
        "elapsed_time\n300,30,30,4.0,4.0,4.0,10\n400,10,50,4.0,8.0,8.0,13\n"
        "END\n"},
    {4, "total,interval_op_rate,interval_key_rate,latency,95th,99th,"
        "elapsed_time\n300,30,30,4.0,4.0,4.0,10\n400,10,50,4.0,8.0,8.0,13\n"
        "END\n"},
    {5, "total,interval_op_rate,interval_key_rate,latency/95th/99.9th,"
        "elapsed_time\n300,30,30,4.0,4.0,4.0,10\n400,10,50,4.0,8.0,8.0,13\n"
        "END\n"},
    {6, "total,interval_op_rate,interval_key_rate,latency,95th,99.9th,"
        "elapsed_time\n300,30,30,4.0,4.0,4.0,10\n400,10,50,4.0,8.0,8.0,13\n"
        "END\n"},
};

static void has_the_layout_of_each_release(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(layouts); i++) {
        struct old_run run;

        begin(&run, layouts[i].layout);
        fill(&run);
        finish(&run, 13 * S, false, layouts[i].want);
    }
}

static void averages_the_rows_in_the_middle(void **state)
{
    struct old_run run;

    (void)state;
    begin(&run, 6);
    run.settings.old.averages = true;
    fill(&run);
    finish(&run, 13 * S, false,
           "total,interval_op_rate,interval_key_rate,latency,95th,99.9th,"
           "elapsed_time\n"
           "300,30,30,4.0,4.0,4.0,10\n"
           "400,10,50,4.0,8.0,8.0,13\n"
           "\n\n"
           "Averages from the middle 80% of values:\n"
           "interval_op_rate          : 30\n"
           "interval_key_rate         : 30\n"
           "latency median            : 4.0\n"
           "latency 95th percentile   : 4.0\n"
           "latency 99.9th percentile : 4.0\n"
           "Total operation time      : 00:00:13\n"
           "END\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(divides_by_the_option_in_whole_numbers),
        cmocka_unit_test(divides_by_the_true_time_when_asked),
        cmocka_unit_test(prints_a_last_row_without_operations),
        cmocka_unit_test(has_the_layout_of_each_release),
        cmocka_unit_test(averages_the_rows_in_the_middle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
