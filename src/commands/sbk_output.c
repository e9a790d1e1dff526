/* sbk_output.c - where a run of `sbk` tells what it has measured: lines, the
 * CSV file, the Prometheus page. */
#include "commands/sbk_internal.h"
#include "report/cluster_lines.h"
#include "run/fan_out.h"
#include "sbk/csv.h"
#include "sbk/line.h"

#include <errno.h>

void cs_sbk_print(struct sbk *sbk)
{
    size_t size = sbk->text.size;

    /* A reader such as `head` has gone: it has all it wanted. */
    if ((size && fwrite(sbk->text.data, 1, size, stdout) != size) ||
        fflush(stdout))
        sbk->output_failed = sbk->output_failed || errno != EPIPE;
    cs_buf_clear(&sbk->text);
}

void cs_sbk_tell_note(void *ctx, enum cs_message_kind kind, const char *text)
{
    (void)ctx;
    (void)kind;
    fprintf(stderr, "%s\n", text);
}

void cs_sbk_tell_news(struct sbk *sbk)
{
    cs_notices_tell_news(&sbk->notices, sbk->db, sbk->driver, cs_sbk_tell_note,
                         sbk);
}

static void on_news(void *ctx)
{
    cs_sbk_tell_news(ctx);
}

static void on_began(void *ctx, bool reads, unsigned index, int64_t amount)
{
    struct sbk *sbk = ctx;

    cs_sbk_put_worker_began(&sbk->options, reads, index, amount, &sbk->text);
    cs_sbk_print(sbk);
}

static void on_ended(void *ctx, bool reads, unsigned index, bool eof)
{
    struct sbk *sbk = ctx;

    cs_sbk_put_worker_ended(&sbk->options, reads, index, eof, &sbk->text);
    cs_sbk_print(sbk);
}

void cs_sbk_tell_signal(void *ctx)
{
    struct sbk *sbk = ctx;

    cs_signals_take(&sbk->signals);
    cs_buf_puts(&sbk->text, "\n");
    cs_sbk_put_log(&sbk->text, "INFO", "SBK: Shutdown signal received");
    cs_sbk_print(sbk);
}

static void on_missed(void *ctx, unsigned index, int64_t misses, int64_t errors)
{
    struct sbk *sbk = ctx;

    cs_buf_printf(&sbk->text, "Reader %u misses %lld, errors %lld\n", index,
                  (long long)misses, (long long)errors);
    cs_sbk_print(sbk);
}

/* What each request of the workers meant for the cluster. */
static void add_fan_outs(const struct sbk *sbk, struct cs_extra *extra)
{
    const struct cs_sbk_statements *all = &sbk->statements;
    const struct cs_statement *used[] = {all->insert, all->read, all->scan};

    for (size_t i = 0; i < CS_COUNT(used); i++)
        if (used[i])
            cs_fan_out_add(sbk->db, sbk->driver, used[i], &used[i]->options,
                           extra);
    if (sbk->options.text)
        cs_fan_out_add(sbk->db, sbk->driver, NULL,
                       sbk->options.writers > 0 ? &all->write_options
                                                : &all->read_options,
                       extra);
}

/* What reads standard output is not to stumble over lines that SBK has not. */
static void on_summed(void *ctx, const struct cs_crew_sum *sum)
{
    struct sbk *sbk = ctx;
    struct cs_extra extra = {.client = sum->client};
    const struct cs_cluster_facts facts = {.start_ns = sum->start_ns,
                                           .shares = sum->shares.list,
                                           .share_count = sum->shares.count,
                                           .extra = &extra,
                                           .service = sum->service};

    if (!sum->good)
        return;
    extra.client.loops_option = "-loops ";
    if (sum->good != sum->started)
        cs_put_book(&sbk->last, &(struct cs_book){.started = sum->started,
                                                  .acknowledged = sum->good,
                                                  .failed = sum->failed,
                                                  .unknown = sum->in_doubt});
    add_fan_outs(sbk, &extra);
    cs_put_cluster_lines(&sbk->last, &facts);
}

void cs_sbk_write_csv(struct sbk *sbk, const struct cs_sbk_tally *tally,
                      const struct cs_sbk_figures *figures)
{
    enum cs_sbk_format format = cs_sbk_csv_format(sbk->options.extras);
    struct cs_sbk_spread spread;

    if (!sbk->csv)
        return;
    if (!sbk->csv_rows++)
        cs_sbk_put_csv_header(format, &sbk->text);
    if (figures) {
        cs_sbk_spread_of(tally, format, &spread);
        cs_sbk_put_csv_row(format, sbk->csv_rows - 1, figures, &spread,
                           &sbk->text);
    }
    fwrite(sbk->text.data, 1, sbk->text.size, sbk->csv);
    fflush(sbk->csv);
    cs_buf_clear(&sbk->text);
}

void cs_sbk_show_page(struct sbk *sbk, const struct cs_sbk_tally *tally,
                      const struct cs_sbk_figures *figures)
{
    enum cs_sbk_format format = sbk->options.extras;
    struct cs_sbk_spread spread = {.set = cs_sbk_percentiles_of(format)};

    if (!sbk->endpoint)
        return;
    if (tally)
        cs_sbk_spread_of(tally, format, &spread);
    cs_sbk_counters_add(&sbk->counters, figures);
    cs_sbk_put_metrics(format, figures, &spread, &sbk->counters, &sbk->text);
    cs_sbk_endpoint_show(sbk->endpoint, &sbk->text);
    cs_buf_clear(&sbk->text);
}

static void on_window(void *ctx, const struct cs_sbk_tally *tally,
                      const struct cs_sbk_figures *figures)
{
    struct sbk *sbk = ctx;
    const struct cs_sbk_options *o = &sbk->options;
    struct cs_sbk_spread spread;

    cs_sbk_spread_of(tally, o->format, &spread);
    if (o->logger == CS_SBK_SL4J_LOGGER) {
        struct cs_buf line;

        cs_buf_init(&line, CS_SBK_TEXT_MAX);
        cs_sbk_put_line(o->format, figures, &spread, &line);
        cs_sbk_put_log(&sbk->text, "INFO", "%s", cs_buf_text(&line));
        cs_buf_release(&line);
    } else {
        cs_sbk_put_line(o->format, figures, &spread, &sbk->text);
    }
    cs_sbk_print(sbk);
    cs_sbk_write_csv(sbk, tally, figures);
    if (!figures->total)
        cs_sbk_show_page(sbk, tally, figures);
}

const struct cs_sbk_watch cs_sbk_output = {
    .began = on_began,
    .ended = on_ended,
    .signalled = cs_sbk_tell_signal,
    .news = on_news,
    .missed = on_missed,
    .summed = on_summed,
    .window = on_window,
};
