/* extra.c - lines of our own between the last row and "Results:": what the
 * table hides. Each begins with "# ", none ends in a colon or begins with a
 * label of the block, because programs read those. */
#include "report/extra.h"
#include "base/text.h"
#include "report/cluster_lines.h"
#include "report/report_internal.h"

#include <math.h>

/* So much of the run's time may requests be late at its end. */
#define LATE_SHARE 0.03
/* From this share of failed operations on there is a warning. */
#define FAILED_SHARE 0.01

struct lines {
    struct cs_buf *out;
    const struct cs_settings *settings;
    struct cs_results *results;
};

static void put_count(struct cs_buf *out, uint64_t count)
{
    cs_put_int(out, (int64_t)count, true, 0);
}

static double seconds_of(const struct cs_interval *run)
{
    return (double)(run->end_ns - run->start_ns) * 1e-9;
}

/* " med 1.2 ms, .95 3.4 ms, ..." */
static void put_percentiles(const struct lines *lines,
                            const struct cs_histogram *h)
{
    static const struct {
        const char *name;
        double percent;
    } shown[] = {
        {"med", 50},
        {".95", 95},
        {".99", 99},
        {".999", 99.9},
    };
    enum cs_rank_rule rule = rank_rule(lines->settings->compat.level);

    for (size_t i = 0; i < CS_COUNT(shown); i++) {
        cs_buf_printf(lines->out, " %s ", shown[i].name);
        cs_put_fixed(
            lines->out,
            (double)cs_histogram_percentile(h, shown[i].percent, rule) * 1e-6,
            3, false, 0);
        cs_buf_puts(lines->out, " ms,");
    }
    cs_buf_puts(lines->out, " max ");
    cs_put_fixed(lines->out, (double)cs_histogram_max(h) * 1e-6, 3, false, 0);
    cs_buf_puts(lines->out, " ms\n");
}

static void put_duration(const struct lines *lines)
{
    const struct cs_interval *run = cs_results_run(lines->results);

    cs_buf_puts(lines->out, "# measured for ");
    cs_put_fixed(lines->out, seconds_of(run), 3, true, 0);
    cs_buf_puts(lines->out, " s\n");
}

/* The columns show one of these three, so all three are given together. */
static void put_limited(const struct lines *lines)
{
    const struct cs_tally *total = &cs_results_run(lines->results)->total;

    if (!cs_histogram_count(total->response))
        return;
    cs_buf_puts(lines->out, "# service time (from the sending on):");
    put_percentiles(lines, total->service);
    cs_buf_puts(lines->out, "# response time (from the intended start on):");
    put_percentiles(lines, total->response);
    cs_buf_puts(lines->out, "# wait time (until the sending):");
    put_percentiles(lines, total->wait);
}

/* The schedule never slips, so a client or server that is too slow for it shows
 * in requests that go out later and later. */
static void put_rate(const struct lines *lines)
{
    const struct cs_interval *run = cs_results_run(lines->results);
    const struct cs_tally *last = &cs_results_interval(lines->results)->total;
    double asked = CS_MAX(lines->settings->rate.throttle_per_s,
                          lines->settings->rate.fixed_per_s);
    double late_s =
        (double)cs_histogram_percentile(last->wait, 50, CS_RANK_NEW) * 1e-9;

    if (asked <= 0 || late_s < LATE_SHARE * seconds_of(run))
        return;
    cs_buf_puts(lines->out, "# the rate asked for, ");
    cs_put_fixed(lines->out, asked, 0, true, 0);
    cs_buf_puts(lines->out, "/s, was not reached, at the end requests went "
                            "out ");
    cs_put_fixed(lines->out, late_s, 1, true, 0);
    cs_buf_puts(lines->out, " s late\n");
}

/* Work that could not begin when it was due: all threads were waiting for an
 * answer, or the client was busy. None of it is left out. */
static void put_late(const struct lines *lines)
{
    const struct cs_histogram *wait =
        cs_results_run(lines->results)->total.wait;
    uint64_t late = cs_histogram_count_above(wait, CS_IN_TIME_NS);

    if (!late)
        return;
    cs_buf_puts(lines->out, "# ");
    put_count(lines->out, late);
    cs_buf_puts(lines->out, " of ");
    put_count(lines->out, cs_histogram_count(wait));
    cs_buf_puts(lines->out, " operations began more than 1 ms late, at most ");
    cs_put_fixed(lines->out, (double)cs_histogram_max(wait) * 1e-6, 1, true, 0);
    cs_buf_puts(lines->out, " ms\n");
}

/* An error storm looks like a fast run. */
static void put_failed_share(const struct lines *lines,
                             const struct cs_tally *total)
{
    double share = (double)total->errors / (double)total->operations;

    if (share < FAILED_SHARE)
        return;
    cs_buf_puts(lines->out, "# warning, ");
    cs_put_fixed(lines->out, 100 * share, 1, false, 0);
    cs_buf_puts(lines->out, "% of the operations failed, and are part of the "
                            "rates and latencies below\n");
}

/* Rows and block count failed operations in, as the original does. */
static void put_without_failed(const struct lines *lines)
{
    const struct cs_tally *total = &cs_results_run(lines->results)->total;
    struct cs_histogram *good;

    if (!total->errors || cs_histogram_new(&good, NULL))
        return;
    cs_histogram_add(good, total->service);
    cs_histogram_subtract(good, total->failed);
    put_failed_share(lines, total);
    cs_buf_puts(lines->out, "# without the ");
    put_count(lines->out, total->errors);
    cs_buf_puts(lines->out, " failed operations: ");
    put_count(lines->out, cs_histogram_count(good));
    cs_buf_puts(lines->out, " operations, ");
    cs_put_fixed(lines->out,
                 cs_tally_rate(lines->results, total, cs_histogram_count(good)),
                 0, true, 0);
    cs_buf_puts(lines->out, "/s, service time");
    put_percentiles(lines, good);
    cs_histogram_free(good);
}

static void put_error_classes(const struct lines *lines)
{
    const struct cs_extra *extra = cs_results_extra(lines->results);
    const char *between = "# failed operations by class: ";

    for (size_t i = 0; i < CS_EXTRA_CLASSES; i++) {
        if (!extra->errors_by_class[i])
            continue;
        cs_buf_puts(lines->out, between);
        if (extra->class_names[i])
            cs_buf_printf(lines->out, "%s ", extra->class_names[i]);
        else
            cs_buf_printf(lines->out, "class %zu ", i);
        put_count(lines->out, extra->errors_by_class[i]);
        between = ", ";
    }
    if (extra->validation_errors) {
        cs_buf_printf(lines->out, "%snot validated ", between);
        put_count(lines->out, extra->validation_errors);
        between = ", ";
    }
    if (*between == ',')
        cs_buf_put8(lines->out, '\n');
}

/* Every operation is accounted for. The count of those that began is kept on
 * its own, so that both sides can differ only when we are wrong. */
static void put_book(const struct lines *lines)
{
    const struct cs_extra *extra = cs_results_extra(lines->results);
    const struct cs_tally *total = &cs_results_run(lines->results)->total;

    if (!extra->started || !(total->errors + extra->unfinished))
        return;
    cs_put_book(lines->out,
                &(struct cs_book){
                    .started = extra->started,
                    .acknowledged = total->operations - total->errors,
                    .failed = total->errors - extra->in_doubt,
                    .unknown = extra->in_doubt + extra->unfinished,
                });
}

/* Counted once more apart: an operation may find several. */
static void put_differences(const struct lines *lines)
{
    const struct cs_extra *extra = cs_results_extra(lines->results);
    const char *between = "# differences found: ";

    for (size_t i = 0; i < CS_EXTRA_DIFFERENCES; i++) {
        if (!extra->differences[i])
            continue;
        cs_buf_printf(lines->out, "%s%s ", between, extra->difference_names[i]);
        put_count(lines->out, extra->differences[i]);
        between = ", ";
    }
    if (*between == ',')
        cs_buf_put8(lines->out, '\n');
}

/* "# <count> <words>", nothing for 0. */
static void put_counter(const struct lines *lines, uint64_t count,
                        const char *words)
{
    if (!count)
        return;
    cs_buf_puts(lines->out, "# ");
    put_count(lines->out, count);
    cs_buf_printf(lines->out, " %s\n", words);
}

static void put_counters(const struct lines *lines)
{
    const struct cs_extra *extra = cs_results_extra(lines->results);
    const struct cs_tally *total = &cs_results_run(lines->results)->total;

    put_counter(lines, extra->retries, "attempts were retries");
    put_counter(lines, extra->counter_retries,
                "counter updates were sent again after a time-out and may "
                "have counted twice");
    if (extra->applied + extra->not_applied) {
        cs_buf_puts(lines->out, "# of the conditional statements ");
        put_count(lines->out, extra->applied);
        cs_buf_puts(lines->out, " applied and ");
        put_count(lines->out, extra->not_applied);
        cs_buf_puts(lines->out, " did not\n");
    }
    put_counter(lines, extra->abandoned,
                "requests were without an answer when the run ended, and are "
                "not counted");
    put_counter(lines, extra->not_begun,
                "partitions were due when the run ended, and their operations "
                "had not begun: they are in none of the figures");
    put_counter(lines, extra->late_answers,
                "answers came after their time-out");
    put_counter(lines, extra->tablets,
                "answers said where a tablet is, for it was not known or had "
                "moved");
    if (lines->settings->mode.max_pending_typed)
        put_counter(lines, extra->queued,
                    "requests waited for room on a connection, as maxPending= "
                    "and connectionsPerHost= want it");
    put_counter(lines, extra->warnings, "warnings came from the servers");
    put_counter(lines, cs_histogram_clipped(total->service),
                "operations took longer than the 2.4 hours that histograms "
                "hold, and are shown as 2.4 hours");
}

void cs_put_extra_lines(struct cs_buf *out, const struct cs_settings *settings,
                        struct cs_results *results,
                        const struct cs_node_share *shares, size_t share_count)
{
    struct lines lines = {out, settings, results};

    if (!cs_results_run(results)->total.operations) {
        put_book(&lines);
        return;
    }
    put_duration(&lines);
    put_limited(&lines);
    put_late(&lines);
    put_rate(&lines);
    put_without_failed(&lines);
    put_error_classes(&lines);
    put_book(&lines);
    put_differences(&lines);
    put_counters(&lines);
    cs_put_cluster_lines(out,
                         &(struct cs_cluster_facts){
                             .start_ns = cs_results_run(results)->start_ns,
                             .shares = shares,
                             .share_count = share_count,
                             .extra = cs_results_extra(results),
                             .service = cs_results_run(results)->total.service,
                         });
}
