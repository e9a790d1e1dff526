/* The timeline: where intervals begin and end, which of them a sample belongs
 * to, the standard error, and the hand-over between two threads. */
#include "base/clock.h"
#include "metrics/recorder_add.h"
#include "metrics/results.h"
#include "support/vectors.h"

#include <math.h>
#include <pthread.h>

#define S CS_NS_PER_S

static const char *const kinds[] = {"read1", "insert"};

struct run {
    struct cs_recorder *recorders[2];
    struct cs_results *results;
};

static void start(struct run *run, const struct cs_run_setup *setup)
{
    struct cs_run_setup full = *setup;

    full.kind_names = kinds;
    full.kind_count = CS_COUNT(kinds);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(cs_recorder_new(CS_COUNT(kinds), full.limited,
                                         &run->recorders[i], NULL),
                         CS_OK);
    assert_int_equal(
        cs_results_new(&full, run->recorders, 2, &run->results, NULL), CS_OK);
}

static void release(struct run *run)
{
    cs_results_free(run->results);
    cs_recorder_free(run->recorders[0]);
    cs_recorder_free(run->recorders[1]);
}

static void add(struct run *run, unsigned loop, unsigned kind, int64_t end_ns,
                uint64_t rows)
{
    struct cs_sample sample = {.kind = kind,
                               .start_ns = end_ns - 1000000,
                               .end_ns = end_ns,
                               .rows = rows,
                               .partitions = 1};

    cs_recorder_add(run->recorders[loop], &sample);
}

static void tick(struct run *run, int64_t now_ns)
{
    cs_recorder_tick(run->recorders[0], now_ns);
    cs_recorder_tick(run->recorders[1], now_ns);
}

static void places_intervals_on_the_wall_clock(void **state)
{
    static const struct {
        const char *what;
        int64_t start_ms; /* monotonic */
        int64_t wall_ms;
        int64_t interval_ms;
        bool original;
        int64_t first_start_ms;
        int64_t first_end_ms;
    } rows[] = {
        {"true start", 5300, 1700, 1000, false, 5300, 5600},
        {"original second", 5300, 1700, 1000, true, 4600, 5600},
        {"quarters", 5300, 1700, 250, false, 5300, 5350},
        {"quarters of old", 5300, 1700, 250, true, 4600, 4850},
        {"on the second", 5000, 2000, 1000, false, 5000, 6000},
        {"three seconds", 5300, 1700, 3000, false, 5300, 7600},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_run_setup setup = {
            .start_ns = rows[i].start_ms * CS_NS_PER_MS,
            .wall_start_ns = rows[i].wall_ms * CS_NS_PER_MS,
            .interval_ns = rows[i].interval_ms * CS_NS_PER_MS,
            .original_figures = rows[i].original,
        };
        struct run run;

        start(&run, &setup);
        if (cs_results_next_end(run.results) !=
                rows[i].first_end_ms * CS_NS_PER_MS ||
            cs_results_run(run.results)->start_ns !=
                rows[i].first_start_ms * CS_NS_PER_MS)
            fail_msg("%s", rows[i].what);
        release(&run);
    }
}

static void gives_a_sample_to_the_interval_of_its_end(void **state)
{
    struct cs_run_setup setup = {.start_ns = 10 * S, .interval_ns = S};
    struct run run;

    (void)state;
    start(&run, &setup);
    add(&run, 0, 0, 11 * S, 1);     /* with the interval: belongs to it */
    add(&run, 0, 0, 11 * S + 1, 1); /* to the next one */
    assert_false(cs_results_collect(run.results)); /* loop 1 is not so far */
    tick(&run, 11 * S + 1);
    assert_true(cs_results_collect(run.results));
    assert_int_equal(cs_results_interval(run.results)->total.operations, 1);
    assert_int_equal(cs_results_interval(run.results)->end_ns, 11 * S);
    assert_false(cs_results_collect(run.results));
    tick(&run, 12 * S + 1);
    assert_true(cs_results_collect(run.results));
    assert_int_equal(cs_results_interval(run.results)->total.operations, 1);
    assert_int_equal(cs_results_run(run.results)->total.operations, 2);
    release(&run);
}

static void loses_nothing_when_the_collector_is_late(void **state)
{
    struct cs_run_setup setup = {.start_ns = 10 * S, .interval_ns = S};
    uint64_t operations[6] = {0};
    struct run run;

    (void)state;
    start(&run, &setup);
    for (int i = 0; i < 4; i++) /* four intervals, none collected */
        add(&run, 0, 1, 10 * S + i * S + S / 2, 1);
    cs_recorder_tick(run.recorders[1], 14 * S + 1);
    assert_true(cs_results_collect(run.results));
    operations[0] = cs_results_interval(run.results)->total.operations;
    tick(&run, 14 * S + 1);
    for (int i = 1; i < 4; i++) {
        assert_true(cs_results_collect(run.results));
        operations[i] = cs_results_interval(run.results)->total.operations;
    }
    assert_int_equal(operations[0], 1); /* was offered in time */
    assert_int_equal(operations[1], 3); /* the next one takes the rest */
    assert_int_equal(operations[2] + operations[3], 0);
    assert_int_equal(cs_results_run(run.results)->total.operations, 4);
    release(&run);
}

static void does_not_mix_a_later_interval_into_an_empty_one(void **state)
{
    struct cs_run_setup setup = {.start_ns = 10 * S, .interval_ns = S};
    struct run run;

    (void)state;
    start(&run, &setup);
    tick(&run, 11 * S + 1); /* nothing in the first interval */
    add(&run, 0, 0, 11 * S + 5, 1);
    tick(&run, 12 * S + 1); /* the second one is offered */
    assert_true(cs_results_collect(run.results));
    assert_int_equal(cs_results_interval(run.results)->total.operations, 0);
    assert_true(cs_results_collect(run.results));
    assert_int_equal(cs_results_interval(run.results)->total.operations, 1);
    release(&run);
}

static void takes_everything_at_the_end(void **state)
{
    struct cs_run_setup setup = {.start_ns = 10 * S, .interval_ns = S};
    struct run run;

    (void)state;
    start(&run, &setup);
    add(&run, 0, 0, 10 * S + 1, 1);
    add(&run, 0, 0, 11 * S + 1, 1);
    add(&run, 1, 1, 11 * S + 2, 1);
    cs_recorder_finish(run.recorders[0]);
    cs_recorder_finish(run.recorders[1]);
    assert_true(cs_results_collect(run.results));
    assert_int_equal(cs_results_interval(run.results)->total.operations, 1);
    assert_true(cs_results_collect_last(run.results, 11 * S + S / 2));
    assert_int_equal(cs_results_interval(run.results)->total.operations, 2);
    assert_int_equal(cs_results_run(run.results)->end_ns, 11 * S + S / 2);
    release(&run);
}

static void counts_a_kind_from_its_first_interval(void **state)
{
    struct cs_run_setup setup = {.start_ns = 10 * S, .interval_ns = S};
    const struct cs_interval *all;
    struct run run;

    (void)state;
    start(&run, &setup);
    add(&run, 0, 0, 10 * S + 1, 1);
    tick(&run, 11 * S + 1);
    assert_true(cs_results_collect(run.results));
    add(&run, 0, 1, 11 * S + 2, 1);
    tick(&run, 12 * S + 1);
    assert_true(cs_results_collect(run.results));
    all = cs_results_run(run.results);
    assert_true(cs_tally_rate(run.results, &all->kinds[0], 2) == 1);
    assert_true(cs_tally_rate(run.results, &all->kinds[1], 2) == 2);
    assert_true(cs_tally_rate(run.results, &all->total, 2) == 1);
    release(&run);
}

/* Checked against a public run: rows, length and highest latency of its first
 * rows, and the column it printed (which came from unrounded figures). */
static void measures_the_spread_of_row_rates(void **state)
{
    static const struct {
        double rows;
        double length_s;
        double max_ms;
        double want;
    } rows[] = {
        {1303, 1.0, 21.7, 0.0},
        {3021, 1.0, 14.9, 0.27888},
        {3495, 1.0, 16.7, 0.20770},
        {2181, 0.810, 13.5, 0.15468},
    };
    struct cs_run_setup setup = {.start_ns = 10 * S, .interval_ns = S};
    struct run run;
    int64_t end = 10 * S;

    (void)state;
    start(&run, &setup);
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_sample sample = {.rows = (uint64_t)rows[i].rows};

        sample.start_ns = end;
        sample.end_ns = end + (int64_t)(rows[i].max_ms * 1e6);
        end += (int64_t)(rows[i].length_s * 1e9);
        cs_recorder_add(run.recorders[0], &sample);
        if (i + 1 == CS_COUNT(rows)) {
            cs_recorder_finish(run.recorders[0]);
            cs_recorder_finish(run.recorders[1]);
            assert_true(cs_results_collect_last(run.results, end));
        } else {
            tick(&run, end + 1);
            assert_true(cs_results_collect(run.results));
        }
        if (fabs(cs_results_stderr(run.results) - rows[i].want) > 0.00003)
            fail_msg("row %zu: %f", i, cs_results_stderr(run.results));
    }
    assert_int_equal(cs_results_measurements(run.results), CS_COUNT(rows));
    release(&run);
}

static void keeps_the_spread_finite_when_a_run_ends_with_an_interval(void **s)
{
    struct cs_run_setup setup = {.start_ns = 10 * S, .interval_ns = S};
    struct run run;

    (void)s;
    start(&run, &setup);
    add(&run, 0, 0, 10 * S + S / 2, 5);
    tick(&run, 11 * S + 1);
    assert_true(cs_results_collect(run.results));
    cs_recorder_finish(run.recorders[0]);
    cs_recorder_finish(run.recorders[1]);
    assert_false(cs_results_collect_last(run.results, 11 * S));
    assert_true(cs_results_stderr(run.results) == 0);
    assert_int_equal(cs_results_measurements(run.results), 1);
    release(&run);
}

static void records_the_three_times_of_a_limited_run(void **state)
{
    struct cs_run_setup setup = {
        .start_ns = 10 * S, .interval_ns = S, .limited = true, .fixed = true};
    struct cs_sample sample = {.kind = 1,
                               .failed = true,
                               .intended_ns = 10 * S,
                               .start_ns = 10 * S + 300,
                               .end_ns = 10 * S + 1000};
    const struct cs_tally *total;
    struct run run;

    (void)state;
    start(&run, &setup);
    cs_recorder_add(run.recorders[0], &sample);
    tick(&run, 11 * S + 1);
    assert_true(cs_results_collect(run.results));
    total = &cs_results_interval(run.results)->total;
    assert_int_equal(cs_histogram_max(total->service), 700);
    assert_int_equal(cs_histogram_max(total->failed), 700);
    assert_int_equal(cs_histogram_max(total->response), 1000);
    assert_int_equal(cs_histogram_max(total->wait), 300);
    assert_int_equal(total->errors, 1);
    assert_ptr_equal(cs_tally_shown(cs_results_setup(run.results), total),
                     total->response);
    release(&run);
}

/* A loop on a clock turned by hand: a sample each 100 us for 50 intervals of
 * 10 ms. */
#define LOOP_SAMPLES 5000

static void *loop(void *arg)
{
    struct cs_recorder *rec = arg;

    for (int i = 1; i <= LOOP_SAMPLES; i++) {
        int64_t end = 10 * S + i * 100000;
        struct cs_sample sample = {.kind = (unsigned)i % 2,
                                   .start_ns = end - 50000,
                                   .end_ns = end,
                                   .rows = 1};

        cs_recorder_add(rec, &sample);
        cs_recorder_tick(rec, end);
    }
    cs_recorder_finish(rec);
    return NULL;
}

static void hands_over_between_threads_without_loss(void **state)
{
    struct cs_run_setup setup = {.start_ns = 10 * S,
                                 .interval_ns = 10 * CS_NS_PER_MS};
    pthread_t threads[2];
    uint64_t sum = 0;
    struct run run;

    (void)state;
    start(&run, &setup);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(
            pthread_create(&threads[i], NULL, loop, run.recorders[i]), 0);
    for (int i = 0; i < 50; i++) {
        while (!cs_results_collect(run.results))
            ;
        sum += cs_results_interval(run.results)->total.operations;
    }
    for (size_t i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    (void)cs_results_collect_last(run.results,
                                  cs_results_next_end(run.results));
    sum += cs_results_interval(run.results)->total.operations;
    assert_int_equal(sum, 2 * LOOP_SAMPLES);
    assert_int_equal(cs_results_run(run.results)->total.rows, 2 * LOOP_SAMPLES);
    release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_intervals_on_the_wall_clock),
        cmocka_unit_test(gives_a_sample_to_the_interval_of_its_end),
        cmocka_unit_test(loses_nothing_when_the_collector_is_late),
        cmocka_unit_test(does_not_mix_a_later_interval_into_an_empty_one),
        cmocka_unit_test(takes_everything_at_the_end),
        cmocka_unit_test(counts_a_kind_from_its_first_interval),
        cmocka_unit_test(measures_the_spread_of_row_rates),
        cmocka_unit_test(
            keeps_the_spread_finite_when_a_run_ends_with_an_interval),
        cmocka_unit_test(records_the_three_times_of_a_limited_run),
        cmocka_unit_test(hands_over_between_threads_without_loss),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
