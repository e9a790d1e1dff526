/* feed.h - runs of the vector file output/report.jsonl, fed through recorders
 * as event loops would do it. */
#ifndef CS_TESTS_SUPPORT_FEED_H
#define CS_TESTS_SUPPORT_FEED_H

#include "metrics/recorder_add.h"
#include "metrics/results.h"
#include "report/report.h"
#include "support/vectors.h"

#define FEED_KINDS 8

struct feed {
    const char *kinds[FEED_KINDS];
    unsigned kind_count;
    struct cs_recorder *recorders[2]; /* two loops take turns */
    struct cs_results *results;
};

static inline unsigned feed_kind(struct feed *feed, const char *name)
{
    for (unsigned i = 0; i < feed->kind_count; i++)
        if (!strcmp(feed->kinds[i], name))
            return i;
    assert_true(feed->kind_count < FEED_KINDS);
    feed->kinds[feed->kind_count] = name;
    return feed->kind_count++;
}

static inline int64_t feed_int(const json_t *array, size_t i)
{
    return (int64_t)json_number_value(json_array_get(array, i));
}

static inline int feed_by_end(const void *a, const void *b)
{
    const struct cs_sample *left = a;
    const struct cs_sample *right = b;

    return (left->end_ns > right->end_ns) - (left->end_ns < right->end_ns);
}

/* The interval's samples by their end, as loops see them. */
static inline void feed_samples(struct feed *feed, const json_t *samples)
{
    size_t count = json_array_size(samples);
    struct cs_sample *sorted = calloc(count + 1, sizeof(*sorted));

    for (size_t i = 0; i < count; i++) {
        const json_t *s = json_array_get(samples, i);

        sorted[i] = (struct cs_sample){
            .kind = feed_kind(feed, json_string_value(json_array_get(s, 0))),
            .intended_ns = feed_int(s, 1),
            .start_ns = feed_int(s, 2),
            .end_ns = feed_int(s, 3),
            .rows = (uint64_t)feed_int(s, 4),
            .partitions = (uint64_t)feed_int(s, 5),
            .failed = feed_int(s, 6) != 0,
        };
    }
    qsort(sorted, count, sizeof(*sorted), feed_by_end);
    for (size_t i = 0; i < count; i++)
        cs_recorder_add(feed->recorders[i % 2], &sorted[i]);
    free(sorted);
}

static inline void feed_pauses(struct feed *feed, const json_t *gc)
{
    struct cs_pauses pauses;

    if (!gc)
        return;
    pauses = (struct cs_pauses){
        .count = json_number_value(json_array_get(gc, 0)),
        .bytes = json_number_value(json_array_get(gc, 1)),
        .longest_ms = json_number_value(json_array_get(gc, 2)),
        .sum_ms = json_number_value(json_array_get(gc, 3)),
        .sum_of_squares = json_number_value(json_array_get(gc, 4)),
    };
    cs_results_set_pauses(feed->results, &pauses);
}

static inline void feed_interval(struct feed *feed, json_t *interval, int last)
{
    int64_t end = json_integer_value(json_object_get(interval, "end"));
    int64_t length = json_integer_value(json_object_get(interval, "length"));

    feed_samples(feed, json_object_get(interval, "samples"));
    cs_results_set_span(feed->results, end - length, end);
    feed_pauses(feed, json_object_get(interval, "gc"));
    for (size_t i = 0; i < 2; i++) {
        if (last)
            cs_recorder_finish(feed->recorders[i]);
        else
            cs_recorder_tick(feed->recorders[i], end + 1);
    }
    if (last)
        (void)cs_results_collect_last(feed->results, end);
    else
        assert_true(cs_results_collect(feed->results));
}

/* All kinds that the run will see, so that the report knows them at its start
 * (borrowed from run). */
static inline void feed_find_kinds(struct feed *feed, json_t *run)
{
    size_t i;
    size_t j;
    json_t *interval;
    json_t *sample;

    json_array_foreach(json_object_get(run, "intervals"), i, interval)
        json_array_foreach(json_object_get(interval, "samples"), j, sample)(
            void) feed_kind(feed, json_string_value(json_array_get(sample, 0)));
}

/* Starts a run: limiter is "none", "throttle" or "fixed". */
static inline void feed_start(struct feed *feed, json_t *run,
                              const char *limiter, bool original_figures)
{
    json_t *first = json_array_get(json_object_get(run, "intervals"), 0);
    int64_t end = json_integer_value(json_object_get(first, "end"));
    int64_t length = json_integer_value(json_object_get(first, "length"));
    struct cs_run_setup setup = {
        .limited = strcmp(limiter, "none") != 0,
        .fixed = !strcmp(limiter, "fixed"),
        .original_figures = original_figures,
        .start_ns = end - length,
        .wall_start_ns = end - length + INT64_C(1600000000000000000),
        .interval_ns = length,
        .threads = 4,
    };

    memset(feed, 0, sizeof(*feed));
    feed_find_kinds(feed, run);
    setup.kind_names = feed->kinds;
    setup.kind_count = feed->kind_count;
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(cs_recorder_new(feed->kind_count, setup.limited,
                                         &feed->recorders[i], NULL),
                         CS_OK);
    assert_int_equal(
        cs_results_new(&setup, feed->recorders, 2, &feed->results, NULL),
        CS_OK);
}

static inline void feed_release(struct feed *feed)
{
    cs_results_free(feed->results);
    for (size_t i = 0; i < 2; i++)
        cs_recorder_free(feed->recorders[i]);
}

/* The whole run, reported. */
static inline void feed_run(struct feed *feed, struct cs_report *report,
                            json_t *run, const char *limiter,
                            bool original_figures)
{
    json_t *intervals = json_object_get(run, "intervals");
    size_t count = json_array_size(intervals);

    feed_start(feed, run, limiter, original_figures);
    assert_int_equal(cs_report_run_start(report, vector_string(run, "name"),
                                         feed->results, NULL),
                     CS_OK);
    for (size_t i = 0; i < count; i++) {
        feed_interval(feed, json_array_get(intervals, i), i + 1 == count);
        cs_report_interval(report, feed->results);
    }
}

#endif
