/* output.c - the places that lines go to: stdout and -log file=, line by line
 * while the run goes on, since people follow them. */
#include "report/report_internal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

static enum cs_code open_log(struct cs_report *report, struct cs_err *err)
{
    const char *path = report->settings->log.file;

    if (!path)
        return CS_OK;
    report->log = fopen(path, "we");
    if (!report->log)
        return cs_fail_sys(err, "-log file=%s: cannot write", path);
    return CS_OK;
}

enum cs_code report_open_to(const struct cs_settings *settings, FILE *out,
                            struct cs_report **out_report, struct cs_err *err)
{
    struct cs_report *report = calloc(1, sizeof(*report));
    enum cs_code rc;

    if (!report)
        return cs_fail(err, CS_ENOMEM, "no memory for the report");
    report->settings = settings;
    report->out = out;
    cs_buf_init(&report->text, TEXT_MAX);
    cs_arena_init(&report->arena);
    rc = graph_open(settings, &report->graph, err); /* changes no file */
    if (!rc)
        rc = open_log(report, err);
    if (!rc)
        rc = hdr_open(settings->log.hdr_file, &report->hdr, err);
    if (rc) {
        cs_report_close(report);
        return rc;
    }
    *out_report = report;
    return CS_OK;
}

enum cs_code cs_report_open(const struct cs_settings *settings,
                            struct cs_report **out, struct cs_err *err)
{
    return report_open_to(settings, stdout, out, err);
}

enum cs_code cs_report_try(const struct cs_settings *settings,
                           struct cs_err *err)
{
    struct graph *graph = NULL;
    enum cs_code rc = graph_open(settings, &graph, err);

    graph_free(graph);
    return rc;
}

void cs_report_close(struct cs_report *report)
{
    if (!report)
        return;
    if (report->log)
        fclose(report->log);
    hdr_close(report->hdr);
    graph_free(report->graph);
    cs_interval_release(&report->run.since);
    free(report->run.order);
    cs_buf_release(&report->text);
    cs_arena_release(&report->arena);
    free(report);
}

static void write_to(struct cs_report *report, FILE *file, const char *name,
                     const char *text, size_t size)
{
    if (fwrite(text, 1, size, file) == size && fflush(file) == 0)
        return;
    if (!report->output_err.code)
        (void)cs_fail_sys(&report->output_err, "cannot write to %s", name);
}

void cs_report_text(struct cs_report *report, const char *text, size_t size)
{
    write_to(report, report->out, "standard output", text, size);
    if (report->log)
        write_to(report, report->log, report->settings->log.file, text, size);
}

void report_flush(struct cs_report *report)
{
    if (report->text.size)
        cs_report_text(report, (const char *)report->text.data,
                       report->text.size);
    cs_buf_clear(&report->text);
}

/* fmt and a newline into report->text. */
CS_PRINTF(2, 0)
static void put_line(struct cs_report *report, const char *fmt, va_list args)
{
    char *line = NULL;
    int size = vasprintf(&line, fmt, args);

    if (size < 0)
        return;
    cs_buf_put(&report->text, line, (size_t)size);
    cs_buf_put8(&report->text, '\n');
    free(line);
}

void cs_report_line(struct cs_report *report, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    put_line(report, fmt, args);
    va_end(args);
    report_flush(report);
}

void cs_report_aside(struct cs_report *report, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    put_line(report, fmt, args);
    va_end(args);
    if (!report->settings->compat.original_figures) {
        report_flush(report);
        return;
    }
    write_to(report, report->out, "standard output", cs_buf_text(&report->text),
             report->text.size);
    cs_buf_clear(&report->text);
}

enum cs_code cs_report_check(const struct cs_report *report, struct cs_err *err)
{
    if (report->output_err.code && err)
        *err = report->output_err;
    return report->output_err.code;
}
