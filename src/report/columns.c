/* columns.c - the interval table, column by column. */
#include "base/clock.h"
#include "base/text.h"
#include "report/columns_internal.h"

#include <math.h>

#define NS_TO_MS 0.000001

const char *const column_names[1 + COLUMN_COUNT] = {
    "type",  "total ops", "op/s",   "pk/s",   "row/s", "mean",   "med",
    ".95",   ".99",       ".999",   "max",    "time",  "stderr", "errors",
    "gc: #", "max ms",    "sum ms", "sdv ms", "mb",
};

/* Those of the original. */
static const struct {
    int width;
    int decimals;
} formats[COLUMN_COUNT] = {
    [COLUMN_OPERATIONS] = {10, 0},
    [COLUMN_OP_RATE] = {8, 0},
    [COLUMN_PARTITION_RATE] = {8, 0},
    [COLUMN_ROW_RATE] = {8, 0},
    [COLUMN_MEAN] = {8, 1},
    [COLUMN_MEDIAN] = {8, 1},
    [COLUMN_P95] = {8, 1},
    [COLUMN_P99] = {8, 1},
    [COLUMN_P999] = {8, 1},
    [COLUMN_MAX] = {8, 1},
    [COLUMN_TIME] = {7, 1},
    [COLUMN_STDERR] = {9, 5},
    [COLUMN_ERRORS] = {7, 0},
    [COLUMN_PAUSES] = {7, 0},
    [COLUMN_PAUSE_MAX] = {8, 0},
    [COLUMN_PAUSE_SUM] = {8, 0},
    [COLUMN_PAUSE_SPREAD] = {8, 0},
    [COLUMN_RECLAIMED] = {8, 0},
};

enum cs_rank_rule rank_rule(enum cs_level level)
{
    return level >= CS_LEVEL_5_0 ? CS_RANK_NEW : CS_RANK_OLD;
}

double pause_spread_ms(const struct cs_pauses *pauses)
{
    double mean = pauses->sum_ms / pauses->count;
    double spread = sqrt(pauses->sum_of_squares / pauses->count - mean * mean);

    return isnan(spread) ? 0 : spread;
}

static void fill_latencies(double *values, const struct cs_histogram *shown,
                           enum cs_rank_rule rule)
{
    static const struct {
        enum column at;
        double percent;
    } percentiles[] = {
        {COLUMN_MEDIAN, 50},
        {COLUMN_P95, 95},
        {COLUMN_P99, 99},
        {COLUMN_P999, 99.9},
    };

    values[COLUMN_MEAN] = cs_histogram_mean(shown) * NS_TO_MS;
    values[COLUMN_MAX] = (double)cs_histogram_max(shown) * NS_TO_MS;
    for (size_t i = 0; i < CS_COUNT(percentiles); i++)
        values[percentiles[i].at] = (double)cs_histogram_percentile(
                                        shown, percentiles[i].percent, rule) *
                                    NS_TO_MS;
}

static void fill_pauses(double *values, const struct cs_pauses *pauses)
{
    values[COLUMN_PAUSES] = pauses->count;
    values[COLUMN_PAUSE_MAX] = pauses->longest_ms;
    values[COLUMN_PAUSE_SUM] = pauses->sum_ms;
    values[COLUMN_PAUSE_SPREAD] = pause_spread_ms(pauses);
    values[COLUMN_RECLAIMED] = pauses->bytes / (1024 * 1024);
}

/* Whole ms divided in single precision, as the original does: 2,050 ms are
 * 2.0499999 and print as 2.0. */
static double seconds_as_float(int64_t ns)
{
    float ms = (float)(ns / CS_NS_PER_MS);

    return (double)(ms / 1000.0F);
}

void row_fill(struct row *row, const struct cs_results *results,
              const struct cs_interval *span, unsigned kind,
              enum cs_level level)
{
    const struct cs_run_setup *setup = cs_results_setup(results);
    const struct cs_interval *run = cs_results_run(results);
    bool total = kind == setup->kind_count;
    const struct cs_tally *tally = total ? &span->total : &span->kinds[kind];
    const struct cs_tally *so_far = total ? &run->total : &run->kinds[kind];
    const struct cs_histogram *shown = cs_tally_shown(setup, tally);
    double *values = row->values;

    row->type = total ? "total" : setup->kind_names[kind];
    values[COLUMN_OPERATIONS] =
        (double)cs_histogram_count(cs_tally_shown(setup, so_far));
    values[COLUMN_OP_RATE] =
        cs_tally_rate(results, tally, cs_histogram_count(shown));
    values[COLUMN_PARTITION_RATE] =
        cs_tally_rate(results, tally, tally->partitions);
    values[COLUMN_ROW_RATE] = cs_tally_rate(results, tally, tally->rows);
    fill_latencies(values, shown, rank_rule(level));
    values[COLUMN_TIME] =
        seconds_as_float(run->end_ns - so_far->first_start_ns);
    values[COLUMN_STDERR] = cs_results_stderr(results);
    values[COLUMN_ERRORS] = (double)tally->errors;
    fill_pauses(values, &span->pauses);
}

/* A field padded on its right. */
static void put_left(struct cs_buf *out, const char *text, const char *more,
                     enum cs_level level)
{
    int width = level == CS_LEVEL_3_11 ? 10 : 50;
    int size = (int)(strlen(text) + strlen(more));

    cs_buf_puts(out, text);
    cs_buf_puts(out, more);
    for (; size < width; size++)
        cs_buf_put8(out, ' ');
}

void put_header(struct cs_buf *out, enum cs_level level)
{
    put_left(out, column_names[0], "", level);
    for (int i = 0; i < COLUMN_COUNT; i++)
        cs_buf_printf(out, "%s%*s", i ? "," : "", formats[i].width,
                      column_names[1 + i]);
    cs_buf_put8(out, '\n');
}

void put_row(struct cs_buf *out, const struct row *row, enum cs_level level)
{
    put_left(out, row->type, ",", level);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (i)
            cs_buf_put8(out, ',');
        cs_put_fixed(out, row->values[i], formats[i].decimals, false,
                     formats[i].width);
    }
    cs_buf_put8(out, '\n');
}
