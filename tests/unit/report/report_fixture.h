/* report_fixture.h - one run with everything in it, and what is printed of
 * it. */
#ifndef CS_TESTS_REPORT_FIXTURE_H
#define CS_TESTS_REPORT_FIXTURE_H

#include "report/block_internal.h"
#include "report/report.h"
#include "report/report_internal.h"
#include "support/feed.h"
#include "support/output.h"

#define RUN_START_NS INT64_C(50400000000) /* monotonic */

static const char *const kinds[] = {"read1", "insert"};

/* What the loops told beside samples. */
static inline void fill_extra(struct cs_extra *extra)
{
    extra->errors_by_class[2] = 44;
    extra->class_names[2] = "WriteTimeoutException";
    extra->errors_by_class[9] = 1;
    extra->validation_errors = 2;
    extra->differences[0] = 1;
    extra->difference_names[0] = "missing row";
    extra->differences[5] = 1234;
    extra->difference_names[5] = "other value";
    extra->retries = 33;
    extra->counter_retries = 3;
    extra->applied = 5;
    extra->not_applied = 6;
    extra->abandoned = 4;
    extra->late_answers = 7;
    extra->warnings = 1820;
    extra->fan_outs[0] = (struct cs_fan_out){"QUORUM", true, 2, 3};
    extra->fan_outs[1] = (struct cs_fan_out){"ONE", false, 1, 3};
    extra->fan_outs[2] = (struct cs_fan_out){"ONE", true, 1, 1};
    extra->fan_out_count = 3;
    extra->client = (struct cs_client_load){
        .busy = 0.34, .queued = 0.01, .throttled = -1, .loops = 1};
}

/* 1820 operations, one every 5 ms; at a fixed rate ever later than intended.
 * The end of the last one. */
static inline int64_t record_all(struct cs_report *report,
                                 struct cs_recorder *rec,
                                 struct cs_results *results)
{
    int64_t late_ns = report->settings->rate.fixed_per_s > 0 ? 1000000 : 0;
    int64_t end = RUN_START_NS;

    for (int i = 0; i < 1820; i++) {
        struct cs_sample sample = {.kind = i % 4 != 0,
                                   .failed = i % 40 == 1,
                                   .rows = i % 4 ? 10 : 1,
                                   .partitions = i % 4 ? 10 : 1};

        end += 5000000;
        sample.end_ns = end;
        sample.start_ns = end - 1000000 - i % 7 * 400000;
        sample.intended_ns = sample.start_ns - i % 3 * 100000 - i * late_ns;
        while (cs_results_next_end(results) < end) {
            cs_recorder_tick(rec, end);
            assert_true(cs_results_collect(results));
            cs_report_interval(report, results);
        }
        cs_recorder_add(rec, &sample);
    }
    return end;
}

/* Ten intervals of a second, starting 0.4 s after a second; the last is cut
 * after 0.5 s. Every tenth insert fails. */
static inline void report_run(struct cs_report *report, const char *name,
                              const char *incomplete)
{
    struct cs_run_setup setup = {
        .kind_names = kinds,
        .kind_count = 2,
        .limited = true,
        .fixed = false,
        .original_figures = report->settings->compat.original_figures,
        .start_ns = RUN_START_NS,
        .wall_start_ns = INT64_C(1730903661400000000),
        .interval_ns = 1000000000,
        .threads = 4,
    };
    struct cs_node_share shares[] = {
        {.name = "127.0.0.1:9042",
         .requests = 1234,
         .roles = {[CS_ROLE_FIRST] = 700,
                   [CS_ROLE_SECOND] = 500,
                   [CS_ROLE_NONE] = 20,
                   [CS_ROLE_UNKNOWN] = 14}},
        {.name = "127.0.0.2:9042",
         .requests = 1200,
         .roles = {[CS_ROLE_FIRST] = 600, [CS_ROLE_SECOND] = 600}},
        {.name = "127.0.0.3:9042",
         .joined_ns = setup.start_ns + 2500000000,
         .first_request_ns = setup.start_ns + 3700000000,
         .left_ns = setup.start_ns + 8000000000},
        {.name = "127.0.0.4:9042", .joined_ns = setup.start_ns + 9000000000},
        /* Before this run: no news. */
        {.name = "127.0.0.5:9042", .joined_ns = 1, .left_ns = 2},
    };
    struct cs_recorder *rec;
    struct cs_results *results;
    int64_t end;

    assert_int_equal(cs_recorder_new(2, true, &rec, NULL), CS_OK);
    assert_int_equal(cs_results_new(&setup, &rec, 1, &results, NULL), CS_OK);
    assert_int_equal(cs_report_run_start(report, name, results, NULL), CS_OK);
    end = record_all(report, rec, results);
    cs_recorder_finish(rec);
    assert_true(cs_results_collect_last(results, end));
    cs_report_interval(report, results);
    fill_extra(cs_results_extra(results));
    cs_report_run_end(report, results, shares, CS_COUNT(shares), incomplete);
    cs_results_free(results);
    cs_recorder_free(rec);
}

static inline char *report_one(struct cs_settings *settings,
                               const char *incomplete)
{
    struct output output;

    output_open(&output, settings);
    report_run(output.report, NULL, incomplete);
    return output_close(&output);
}

static inline struct cs_settings settings_of(enum cs_level level, bool original)
{
    struct cs_settings settings = {0};

    settings.compat.level = level;
    settings.compat.original_figures = original;
    settings.rate.throttle_per_s = 5000;
    return settings;
}

#endif
