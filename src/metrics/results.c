/* results.c - the timeline of a run: collecting intervals, adding them up, and
 * the standard error of the row rate. */
#include "metrics/results.h"
#include "base/clock.h"
#include "metrics/recorder_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Running mean and spread of the row rates of all intervals. */
struct spread {
    uint64_t count;
    double sum;
    double sum_of_squares;
};

struct cs_results {
    struct cs_run_setup setup;
    struct cs_recorder **recorders; /* owned array of borrowed recorders */
    size_t recorder_count;
    struct cs_interval pending; /* being collected */
    struct cs_interval last;    /* collected */
    struct cs_interval run;
    struct spread rows;
    struct cs_extra extra;
};

static int64_t second_before(int64_t wall_ns)
{
    return wall_ns - wall_ns % CS_NS_PER_S;
}

/* Where the first interval starts and ends. */
static void place_first(struct cs_results *results)
{
    const struct cs_run_setup *s = &results->setup;
    int64_t second_ns =
        s->start_ns - (s->wall_start_ns - second_before(s->wall_start_ns));
    int64_t past = (s->start_ns - second_ns) / s->interval_ns;

    results->pending.start_ns = s->original_figures ? second_ns : s->start_ns;
    results->pending.end_ns = s->original_figures
                                  ? second_ns + s->interval_ns
                                  : second_ns + (past + 1) * s->interval_ns;
    results->run.start_ns = results->pending.start_ns;
    results->run.end_ns = results->pending.start_ns;
    results->run.total.first_start_ns = results->pending.start_ns;
}

/* With original_figures some intervals may end before the run starts, when
 * they are shorter than a second; the recorders need not know. */
static void start_recorders(struct cs_results *results)
{
    int64_t length_ns = results->setup.interval_ns;
    int64_t end_ns = results->pending.end_ns;

    while (end_ns <= results->setup.start_ns)
        end_ns += length_ns;
    for (size_t i = 0; i < results->recorder_count; i++)
        cs_recorder_start(results->recorders[i], end_ns, length_ns);
}

static enum cs_code fill(struct cs_results *results,
                         struct cs_recorder *const *recorders,
                         struct cs_err *err)
{
    unsigned kinds = results->setup.kind_count;
    size_t count = results->recorder_count;
    enum cs_code rc;

    results->recorders = calloc(count + 1, sizeof(struct cs_recorder *));
    if (!results->recorders)
        return cs_fail(err, CS_ENOMEM, "no memory for results");
    for (size_t i = 0; i < count; i++)
        results->recorders[i] = recorders[i];
    rc = cs_interval_init(&results->pending, kinds, err);
    if (!rc)
        rc = cs_interval_init(&results->last, kinds, err);
    if (!rc)
        rc = cs_interval_init(&results->run, kinds, err);
    return rc;
}

enum cs_code cs_results_new(const struct cs_run_setup *setup,
                            struct cs_recorder *const *recorders,
                            size_t recorder_count, struct cs_results **out,
                            struct cs_err *err)
{
    struct cs_results *results = calloc(1, sizeof(*results));
    enum cs_code rc;

    if (!results)
        return cs_fail(err, CS_ENOMEM, "no memory for results");
    results->setup = *setup;
    results->recorder_count = recorder_count;
    rc = fill(results, recorders, err);
    if (rc) {
        cs_results_free(results);
        return rc;
    }
    place_first(results);
    start_recorders(results);
    *out = results;
    return CS_OK;
}

void cs_results_free(struct cs_results *results)
{
    if (!results)
        return;
    cs_interval_release(&results->pending);
    cs_interval_release(&results->last);
    cs_interval_release(&results->run);
    cs_histogram_free(results->extra.client.lag);
    free(results->recorders);
    free(results);
}

int64_t cs_results_next_end(const struct cs_results *results)
{
    return results->pending.end_ns;
}

const struct cs_histogram *cs_tally_shown(const struct cs_run_setup *setup,
                                          const struct cs_tally *tally)
{
    if (setup->fixed && cs_histogram_count(tally->response))
        return tally->response;
    return tally->service;
}

/* Rows per second of the interval without the time of its longest operation
 * (the original's measure). Where that operation took the whole interval the
 * original's rate turns negative or infinite; ours is the plain rate then. */
static double adjusted_row_rate(const struct cs_results *results)
{
    const struct cs_interval *last = &results->last;
    int64_t longest_ns =
        cs_histogram_max(cs_tally_shown(&results->setup, &last->total));
    int64_t length_ns = last->end_ns - last->start_ns;

    if (longest_ns < length_ns || results->setup.original_figures)
        length_ns -= longest_ns;
    return (double)last->total.rows / ((double)length_ns * 0.000000001);
}

/* An interval without length (a run that stops with an interval) says nothing
 * about the rate. */
static void add_to_spread(struct spread *spread, double value)
{
    if (!isfinite(value))
        return;
    spread->count++;
    spread->sum += value;
    spread->sum_of_squares += value * value;
}

double cs_results_stderr(const struct cs_results *results)
{
    const struct spread *s = &results->rows;
    double count = (double)s->count;
    double mean = s->sum / count;
    double variance = s->sum_of_squares / count - mean * mean;

    /* A comparison with NaN is false, which keeps it. */
    if (variance < 0)
        variance = 0;
    return sqrt(variance) / sqrt(count) / mean;
}

uint64_t cs_results_measurements(const struct cs_results *results)
{
    return results->rows.count;
}

static void sum_kinds(struct cs_interval *interval)
{
    for (unsigned k = 0; k < interval->kind_count; k++)
        cs_tally_add(&interval->total, &interval->kinds[k]);
}

/* A kind exists from the interval of its first sample on. */
static void note_seen(struct cs_results *results)
{
    struct cs_interval *last = &results->last;

    for (unsigned k = 0; k < last->kind_count; k++) {
        struct cs_tally *run = &results->run.kinds[k];

        if (!run->seen && last->kinds[k].operations) {
            run->seen = true;
            run->first_start_ns = last->start_ns;
        }
        last->kinds[k].seen = run->seen;
        last->kinds[k].first_start_ns = last->start_ns;
    }
    last->total.first_start_ns = last->start_ns;
    last->total.seen |= last->total.operations > 0;
    results->run.total.seen |= last->total.seen;
}

/* The pending interval is complete: it becomes the last one, and the next one
 * begins at its end. */
static void close_interval(struct cs_results *results)
{
    struct cs_interval spare = results->last;

    results->last = results->pending;
    results->pending = spare;
    sum_kinds(&results->last);
    note_seen(results);
    cs_interval_add(&results->run, &results->last);
    add_to_spread(&results->rows, adjusted_row_rate(results));
    cs_interval_clear(&results->pending);
    results->pending.start_ns = results->last.end_ns;
    results->pending.end_ns = results->last.end_ns + results->setup.interval_ns;
}

bool cs_results_collect(struct cs_results *results)
{
    int64_t end_ns = results->pending.end_ns;
    bool complete = true;

    /* Asking a recorder again is harmless: it gives every sample once. */
    for (size_t i = 0; i < results->recorder_count; i++)
        if (!recorder_collect(results->recorders[i], end_ns, &results->pending))
            complete = false;
    if (complete)
        close_interval(results);
    return complete;
}

bool cs_results_collect_last(struct cs_results *results, int64_t end_ns)
{
    for (size_t i = 0; i < results->recorder_count; i++)
        (void)recorder_collect(results->recorders[i], INT64_MAX,
                               &results->pending);
    results->pending.end_ns = CS_MAX(end_ns, results->pending.start_ns);
    close_interval(results);
    return results->last.total.operations > 0;
}

void cs_results_set_span(struct cs_results *results, int64_t start_ns,
                         int64_t end_ns)
{
    results->pending.start_ns = start_ns;
    results->pending.end_ns = end_ns;
}

void cs_results_set_pauses(struct cs_results *results,
                           const struct cs_pauses *pauses)
{
    results->pending.pauses = *pauses;
}

const struct cs_run_setup *cs_results_setup(const struct cs_results *results)
{
    return &results->setup;
}

const struct cs_interval *cs_results_interval(const struct cs_results *results)
{
    return &results->last;
}

const struct cs_interval *cs_results_run(const struct cs_results *results)
{
    return &results->run;
}

struct cs_extra *cs_results_extra(struct cs_results *results)
{
    return &results->extra;
}

double cs_tally_rate(const struct cs_results *results,
                     const struct cs_tally *tally, uint64_t count)
{
    int64_t length_ns = results->last.end_ns - tally->first_start_ns;

    return length_ns > 0 ? (double)count / ((double)length_ns * 0.000000001)
                         : 0;
}

void cs_extra_add(struct cs_extra *to, const struct cs_extra *from)
{
    for (size_t i = 0; i < CS_COUNT(to->errors_by_class); i++)
        to->errors_by_class[i] += from->errors_by_class[i];
    for (size_t i = 0; i < CS_COUNT(to->differences); i++)
        to->differences[i] += from->differences[i];
    to->validation_errors += from->validation_errors;
    to->retries += from->retries;
    to->counter_retries += from->counter_retries;
    to->not_applied += from->not_applied;
    to->applied += from->applied;
    to->in_doubt += from->in_doubt;
}
