/* report.c - one run from its header to its results block, and what several
 * runs leave behind: improvement and comparison table. */
#include "report/report.h"
#include "base/clock.h"
#include "base/text.h"
#include "report/block_internal.h"
#include "report/extra.h"
#include "report/report_internal.h"

#include <stdlib.h>

static bool original(const struct cs_report *report)
{
    return report->settings->compat.original_figures;
}

/* ---- start ---- */

/* Byte order of the names: capitals first. Few kinds, so the plain way. */
static void sort_kinds(const struct cs_run_setup *setup, unsigned *order)
{
    for (unsigned i = 0; i < setup->kind_count; i++) {
        unsigned at = i;

        for (; at > 0 && strcmp(setup->kind_names[order[at - 1]],
                                setup->kind_names[i]) > 0;
             at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static struct block_source source_of(const struct cs_report *report,
                                     const struct cs_results *results)
{
    return (struct block_source){results, report->run.order,
                                 report->settings->compat.level};
}

static int64_t output_ns(const struct cs_report *report)
{
    return report->settings->reporting.output_s * CS_NS_PER_S;
}

static void print_header(struct cs_report *report)
{
    put_header(&report->text, report->settings->compat.level);
    report_flush(report);
}

enum cs_code cs_report_run_start(struct cs_report *report, const char *name,
                                 struct cs_results *results, struct cs_err *err)
{
    const struct cs_run_setup *setup = cs_results_setup(results);
    struct current_run *run = &report->run;
    enum cs_code rc;

    cs_interval_release(&run->since);
    free(run->order);
    *run = (struct current_run){0};
    run->second_ns = setup->start_ns - setup->wall_start_ns % CS_NS_PER_S;
    run->name = name ? cs_arena_text(&report->arena, name) : NULL;
    run->order = calloc(setup->kind_count + 1, sizeof(*run->order));
    if (!run->order || (name && !run->name))
        return cs_fail(err, CS_ENOMEM, "no memory for the report of a run");
    sort_kinds(setup, run->order);
    run->thinned = !original(report) && output_ns(report) > setup->interval_ns;
    if (run->thinned) {
        rc = cs_interval_init(&run->since, setup->kind_count, err);
        if (rc)
            return rc;
    }
    rc = hdr_run_start(report->hdr, setup, err);
    if (!rc)
        rc = graph_run_start(report->graph, name, err);
    if (!rc)
        print_header(report);
    return rc;
}

/* ---- intervals ---- */

static void add_row(struct cs_report *report, const struct cs_results *results,
                    const struct cs_interval *span, unsigned kind)
{
    struct row row;

    row_fill(&row, results, span, kind, report->settings->compat.level);
    put_row(&report->text, &row, report->settings->compat.level);
}

/* One row per kind, once there are two of them. */
static void add_kind_rows(struct cs_report *report,
                          const struct cs_results *results,
                          const struct cs_interval *span)
{
    const struct cs_interval *run = cs_results_run(results);
    unsigned seen = 0;

    for (unsigned k = 0; k < run->kind_count; k++)
        seen += run->kinds[k].seen;
    for (unsigned i = 0; seen > 1 && i < run->kind_count; i++)
        if (run->kinds[report->run.order[i]].seen)
            add_row(report, results, span, report->run.order[i]);
}

static bool has_rows(const struct cs_results *results,
                     const struct cs_interval *span)
{
    return cs_histogram_count(
               cs_tally_shown(cs_results_setup(results), &span->total)) > 0;
}

/* -reporting counts rows: total rows are thinned and lost, the header follows
 * every k-th. */
static void print_original_rows(struct cs_report *report,
                                const struct cs_results *results)
{
    const struct cs_interval *span = cs_results_interval(results);
    uint64_t every = (uint64_t)report->settings->reporting.output_s;
    uint64_t header = (uint64_t)report->settings->reporting.header_s;
    uint64_t count;

    if (!has_rows(results, span))
        return;
    count = ++report->run.row_count;
    add_kind_rows(report, results, span);
    if (!every || count % every == 0)
        add_row(report, results, span, span->kind_count);
    if (header && count % header == 0) {
        cs_buf_put8(&report->text, '\n');
        put_header(&report->text, report->settings->compat.level);
    }
    report_flush(report);
}

/* The header again, in front of the first row that starts header_s or more
 * after the last one. */
static void repeat_header(struct cs_report *report,
                          const struct cs_interval *span)
{
    int64_t every_ns = report->settings->reporting.header_s * CS_NS_PER_S;
    int64_t since_ns = span->start_ns - report->run.second_ns;

    if (!every_ns || since_ns / every_ns == report->run.header_ns / every_ns)
        return;
    report->run.header_ns = since_ns;
    cs_buf_put8(&report->text, '\n');
    put_header(&report->text, report->settings->compat.level);
}

static void print_rows(struct cs_report *report,
                       const struct cs_results *results,
                       const struct cs_interval *span)
{
    if (!has_rows(results, span))
        return;
    repeat_header(report, span);
    add_kind_rows(report, results, span);
    add_row(report, results, span, span->kind_count);
    report_flush(report);
}

/* Adds the interval to what is to be shown. The rates of the sum count from
 * its own start. */
static void gather(struct cs_interval *since, const struct cs_interval *last)
{
    if (since->end_ns == 0) {
        since->start_ns = last->start_ns;
        since->total.first_start_ns = last->start_ns;
        for (unsigned k = 0; k < since->kind_count; k++)
            since->kinds[k].first_start_ns = last->start_ns;
    }
    cs_interval_add(since, last);
}

static void print_gathered(struct cs_report *report,
                           const struct cs_results *results)
{
    print_rows(report, results, &report->run.since);
    cs_interval_clear(&report->run.since);
    report->run.since.end_ns = 0;
}

/* Whether the interval reaches the next multiple of the output frequency. */
static bool output_due(const struct cs_report *report)
{
    const struct current_run *run = &report->run;
    int64_t every_ns = output_ns(report);

    return (run->since.end_ns - run->second_ns) / every_ns >
           (run->since.start_ns - run->second_ns) / every_ns;
}

/* What goes to the files beside the text; full disks stop no run. */
static void log_interval(struct cs_report *report,
                         const struct cs_results *results)
{
    struct block_source source = source_of(report, results);
    struct cs_err err = {0};

    graph_interval(report->graph, &source);
    if (hdr_interval(report->hdr, results, report->run.order, &err) &&
        !report->output_err.code)
        report->output_err = err;
}

void cs_report_interval(struct cs_report *report, struct cs_results *results)
{
    const struct cs_interval *last = cs_results_interval(results);

    log_interval(report, results);
    if (original(report)) {
        print_original_rows(report, results);
    } else if (!report->run.thinned) {
        print_rows(report, results, last);
    } else {
        gather(&report->run.since, last);
        if (output_due(report))
            print_gathered(report, results);
    }
}

/* ---- end ---- */

/* For the comparison: a row per kind, also for a single one, and the total. */
static void keep_run(struct cs_report *report, const struct cs_results *results)
{
    const struct cs_interval *run = cs_results_run(results);
    struct kept_run *kept =
        cs_arena_alloc(&report->arena, sizeof(*kept) + (run->kind_count + 1) *
                                                           sizeof(struct row));

    if (!kept)
        return;
    for (unsigned i = 0; i <= run->kind_count; i++) {
        unsigned kind =
            i < run->kind_count ? report->run.order[i] : run->kind_count;
        struct row *row = &kept->rows[kept->row_count];

        if (i < run->kind_count && !run->kinds[kind].seen)
            continue;
        row_fill(row, results, run, kind, report->settings->compat.level);
        row->type = cs_arena_text(&report->arena, row->type);
        kept->row_count += row->type != NULL;
    }
    kept->name = report->run.name ? report->run.name : "";
    kept->op_rate = cs_tally_rate(results, &run->total,
                                  cs_histogram_count(cs_tally_shown(
                                      cs_results_setup(results), &run->total)));
    if (report->last_kept)
        report->last_kept->next = kept;
    else
        report->first_kept = kept;
    report->last_kept = kept;
}

/* In a ramp, from the second step on: one measurement each, so what the steps
 * differ by may be chance. */
static void put_best_step(struct cs_report *report,
                          const struct cs_results *results)
{
    const struct kept_run *best = report->first_kept;
    double uncertainty = cs_results_stderr(results);

    if (!report->run.name || !best)
        return;
    for (const struct kept_run *k = best->next; k; k = k->next)
        if (k->op_rate > best->op_rate)
            best = k;
    cs_buf_printf(&report->text, "# best of the steps before: %s, ",
                  best->name);
    cs_put_fixed(&report->text, best->op_rate, 0, true, 0);
    cs_buf_puts(&report->text, " op/s");
    if (uncertainty > 0) {
        cs_buf_puts(&report->text, "; the rate of this one is certain to ");
        cs_put_fixed(&report->text, 100 * uncertainty, 1, false, 0);
        cs_buf_puts(&report->text, "%");
    }
    cs_buf_put8(&report->text, '\n');
}

/* The block is left out on request and where nothing was measured before the
 * run broke off; figures=original knows neither. */
static bool block_wanted(const struct cs_report *report,
                         const struct cs_results *results,
                         const char *incomplete)
{
    if (original(report))
        return incomplete == NULL;
    return !report->settings->log.no_summary &&
           (!incomplete || cs_results_run(results)->total.operations);
}

void cs_report_run_end(struct cs_report *report, struct cs_results *results,
                       const struct cs_node_share *shares, size_t share_count,
                       const char *incomplete)
{
    struct block_source source = source_of(report, results);

    if (report->run.thinned)
        print_gathered(report, results);
    if (block_wanted(report, results, incomplete)) {
        if (!original(report)) {
            cs_put_extra_lines(&report->text, report->settings, results, shares,
                               share_count);
            put_best_step(report, results);
        }
        cs_buf_puts(&report->text, "\n\nResults:\n");
        put_block(&report->text, &source);
        report_flush(report);
    }
    graph_run_end(report->graph, &source);
    if (!incomplete)
        keep_run(report, results);
    else
        cs_report_incomplete(report, incomplete);
}

void cs_report_incomplete(struct cs_report *report, const char *reason)
{
    if (!original(report))
        cs_report_line(report, "Incomplete: %s\n", reason);
}

/* ---- several runs ---- */

double cs_report_improvement(struct cs_report *report)
{
    const struct kept_run *before = report->first_kept;
    const struct kept_run *last = report->last_kept;
    struct cs_buf percent;
    double change;

    if (!before || before == last)
        return 0;
    while (before->next != last)
        before = before->next;
    change = (last->op_rate - before->op_rate) / before->op_rate;
    cs_buf_init(&percent, 512);
    cs_put_fixed(&percent, 100 * change, 0, false, 0);
    cs_report_aside(report, "Improvement over %s: %s%%", before->name,
                    cs_buf_text(&percent));
    cs_buf_release(&percent);
    return change;
}

void cs_report_comparison(struct cs_report *report)
{
    enum cs_level level = report->settings->compat.level;
    int width = 0;

    if (!report->first_kept)
        return;
    for (const struct kept_run *k = report->first_kept; k; k = k->next)
        width = CS_MAX(width, (int)strlen(k->name));
    cs_buf_printf(&report->text, "%*s, ", width, "id");
    put_header(&report->text, level);
    for (const struct kept_run *k = report->first_kept; k; k = k->next)
        for (size_t i = 0; i < k->row_count; i++) {
            cs_buf_printf(&report->text, "%*s, ", width, k->name);
            put_row(&report->text, &k->rows[i], level);
        }
    report_flush(report);
}

enum cs_code cs_report_graph(struct cs_report *report, struct cs_err *err)
{
    return graph_write(report->graph, err);
}
