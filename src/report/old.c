/* old.c - the rows of stress and stress.py. */
#include "report/old.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

#define NS_PER_S INT64_C(1000000000)
/* Rows that count in the averages: from 10 to 90 % of the operations. */
#define MIDDLE_FROM 0.1
#define MIDDLE_TO   0.9

/* A row in numbers. */
struct row {
    uint64_t total;
    int64_t op_rate;
    int64_t key_rate;
    double average_s; /* NaN without operations */
    double median_ms;
    double p95_ms;
    double high_ms;
    int64_t elapsed_s;
};

/* Sums of the rows in the middle. */
struct middle {
    int64_t rows;
    int64_t op_rate;
    int64_t key_rate;
    double median_ms;
    double p95_ms;
    double high_ms;
};

struct cs_old_report {
    const struct cs_settings *settings;
    const struct cs_old_layout *layout;
    FILE *out; /* owned unless it is stdout */
    struct cs_buf text;
    struct middle middle;
    int64_t shown_start_ns; /* of the interval of the last row; -1: none */
    int64_t shown_end_ns;
    struct cs_err output_err;
};

enum cs_code cs_old_report_open(const struct cs_settings *settings,
                                struct cs_old_report **out, struct cs_err *err)
{
    struct cs_old_report *report = calloc(1, sizeof(*report));
    const char *path = settings->old.file;

    if (!report)
        return cs_fail(err, CS_ENOMEM, "no memory for the report");
    report->settings = settings;
    report->layout = &cs_old_layouts[settings->old.layout];
    report->shown_start_ns = -1;
    report->out = path ? fopen(path, "we") : stdout;
    cs_buf_init(&report->text, (size_t)1 << 20);
    if (!report->out) {
        enum cs_code rc = cs_fail_sys(err, "-f %s: cannot write", path);

        cs_old_report_close(report);
        return rc;
    }
    *out = report;
    return CS_OK;
}

void cs_old_report_close(struct cs_old_report *report)
{
    if (!report)
        return;
    if (report->out && report->out != stdout)
        fclose(report->out);
    cs_buf_release(&report->text);
    free(report);
}

static void flush(struct cs_old_report *report)
{
    const char *path = report->settings->old.file;
    struct cs_buf *text = &report->text;

    if ((fwrite(text->data, 1, text->size, report->out) != text->size ||
         fflush(report->out) != 0) &&
        !report->output_err.code)
        (void)cs_fail_sys(&report->output_err, "cannot write to %s",
                          path ? path : "standard output");
    cs_buf_clear(text);
}

void cs_old_report_line(struct cs_old_report *report, const char *text)
{
    cs_buf_printf(&report->text, "%s\n", text);
    flush(report);
}

void cs_old_report_start(struct cs_old_report *report)
{
    cs_old_report_line(report, report->layout->columns);
}

enum cs_code cs_old_report_check(const struct cs_old_report *report,
                                 struct cs_err *err)
{
    if (report->output_err.code)
        *err = report->output_err;
    return report->output_err.code;
}

/* Divides by the option's value, as ever, in whole numbers, or by the true
 * length of the interval. */
static int64_t rate_of(const struct cs_old_report *report, uint64_t count,
                       const struct cs_interval *interval)
{
    double seconds = (double)(interval->end_ns - interval->start_ns) / NS_PER_S;

    if (!report->settings->old.true_rates)
        return (int64_t)count / report->settings->old.interval_s;
    return seconds > 0 ? (int64_t)((double)count / seconds) : 0;
}

static double ms_of(const struct cs_histogram *h, double percent)
{
    return (double)cs_histogram_percentile(h, percent, CS_RANK_NEW) / 1e6;
}

/* Percentiles are of the run so far, as the old reservoir nearly was. */
static struct row row_of(const struct cs_old_report *report,
                         const struct cs_results *results)
{
    const struct cs_interval *last = cs_results_interval(results);
    const struct cs_interval *run = cs_results_run(results);
    const struct cs_histogram *whole = run->total.service;
    double high = report->layout->high > 0 ? report->layout->high : 99.9;
    int64_t start_ns = cs_results_setup(results)->start_ns;
    uint64_t operations = last->total.operations;

    return (struct row){
        .total = run->total.operations,
        .op_rate = rate_of(report, operations, last),
        .key_rate = rate_of(report, last->total.partitions, last),
        .average_s =
            operations ? cs_histogram_mean(last->total.service) / NS_PER_S : 0,
        .median_ms = ms_of(whole, 50),
        .p95_ms = ms_of(whole, 95),
        .high_ms = ms_of(whole, high),
        .elapsed_s = CS_MAX(last->end_ns - start_ns, 0) / NS_PER_S,
    };
}

/* str() of Python 2: twelve digits, and a point in any case. */
static void put_python_double(struct cs_buf *out, double value)
{
    char text[40];

    snprintf(text, sizeof(text), "%.12g", value);
    cs_buf_puts(out, text);
    if (!strpbrk(text, ".en"))
        cs_buf_puts(out, ".0");
}

static void put_average(const struct cs_old_report *report,
                        const struct row *row, bool any, struct cs_buf *out)
{
    cs_buf_put8(out, ',');
    if (!any)
        cs_buf_puts(out, "NaN");
    else if (report->settings->old.python)
        put_python_double(out, row->average_s);
    else
        cs_put_java_double(out, row->average_s);
}

static void put_tenths(struct cs_buf *out, double value)
{
    cs_buf_put8(out, ',');
    cs_put_fixed(out, value, 1, false, 0);
}

static void put_row(struct cs_old_report *report, const struct row *row,
                    bool any)
{
    const struct cs_old_layout *layout = report->layout;
    struct cs_buf *out = &report->text;

    cs_buf_printf(out, "%llu,%lld", (unsigned long long)row->total,
                  (long long)row->op_rate);
    if (layout->key_rate)
        cs_buf_printf(out, ",%lld", (long long)row->key_rate);
    if (layout->average)
        put_average(report, row, any, out);
    if (layout->high > 0) {
        put_tenths(out, row->median_ms);
        put_tenths(out, row->p95_ms);
        put_tenths(out, row->high_ms);
    }
    cs_buf_printf(out, ",%lld\n", (long long)row->elapsed_s);
    flush(report);
}

static void add_to_middle(struct cs_old_report *report, const struct row *row)
{
    double share = (double)row->total / (double)report->settings->command.count;
    struct middle *m = &report->middle;

    if (!(share > MIDDLE_FROM && share < MIDDLE_TO))
        return;
    m->rows++;
    m->op_rate += row->op_rate;
    m->key_rate += row->key_rate;
    m->median_ms += row->median_ms;
    m->p95_ms += row->p95_ms;
    m->high_ms += row->high_ms;
}

void cs_old_report_row(struct cs_old_report *report,
                       const struct cs_results *results)
{
    const struct cs_interval *last = cs_results_interval(results);
    struct row row = row_of(report, results);

    put_row(report, &row, last->total.operations > 0);
    add_to_middle(report, &row);
    report->shown_start_ns = last->start_ns;
    report->shown_end_ns = last->end_ns;
}

static void put_middle(struct cs_old_report *report)
{
    const struct middle *m = &report->middle;
    struct cs_buf *out = &report->text;
    const struct {
        const char *name;
        double sum;
    } latencies[] = {
        {"latency median            : ", m->median_ms},
        {"latency 95th percentile   : ", m->p95_ms},
        {report->layout->high < 99.9 && report->layout->high > 0
             ? "latency 99th percentile   : "
             : "latency 99.9th percentile : ",
         m->high_ms},
    };

    cs_buf_printf(out,
                  "Averages from the middle 80%% of values:\n"
                  "interval_op_rate          : %lld\n"
                  "interval_key_rate         : %lld\n",
                  (long long)(m->op_rate / m->rows),
                  (long long)(m->key_rate / m->rows));
    for (size_t i = 0; i < CS_COUNT(latencies); i++) {
        cs_buf_puts(out, latencies[i].name);
        cs_put_fixed(out, latencies[i].sum / (double)m->rows, 1, false, 0);
        cs_buf_put8(out, '\n');
    }
}

static void put_averages(struct cs_old_report *report,
                         const struct cs_results *results)
{
    int64_t seconds = (cs_results_interval(results)->end_ns -
                       cs_results_setup(results)->start_ns) /
                      NS_PER_S;

    cs_buf_puts(&report->text, "\n\n");
    if (report->middle.rows)
        put_middle(report);
    cs_buf_printf(&report->text,
                  "Total operation time      : %02lld:%02lld:%02lld\n",
                  (long long)(seconds / 3600), (long long)(seconds / 60 % 60),
                  (long long)(seconds % 60));
    flush(report);
}

void cs_old_report_end(struct cs_old_report *report,
                       const struct cs_results *results, bool failed)
{
    const struct cs_interval *last = cs_results_interval(results);

    if (report->shown_start_ns != last->start_ns ||
        report->shown_end_ns != last->end_ns)
        cs_old_report_row(report, results);
    if (report->settings->old.averages)
        put_averages(report, results);
    cs_old_report_line(report, failed ? "FAILURE" : "END");
}
