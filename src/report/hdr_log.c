/* hdr_log.c - the histogram log: head lines, one line per histogram, a file per
 * step of a ramp. */
#include "base/clock.h"
#include "report/hdr_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Lines of one interval: at most some hundred kB per histogram. */
#define LINES_MAX (256u << 20)

struct hdr_log {
    const char *path; /* borrowed */
    FILE *file;       /* owned */
    int threads;      /* of the run in the file, 0: none yet */
    int64_t base_ns;  /* wall-clock second in which it started */
    struct cs_buf text;
};

enum cs_code hdr_open(const char *path, struct hdr_log **out,
                      struct cs_err *err)
{
    struct hdr_log *log;

    *out = NULL;
    if (!path)
        return CS_OK;
    log = calloc(1, sizeof(*log));
    if (!log)
        return cs_fail(err, CS_ENOMEM, "no memory for the histogram log");
    cs_buf_init(&log->text, LINES_MAX);
    log->path = path;
    log->file = fopen(path, "we");
    if (!log->file) {
        hdr_close(log);
        return cs_fail_sys(err, "-log hdrfile=%s: cannot write", path);
    }
    *out = log;
    return CS_OK;
}

void hdr_close(struct hdr_log *log)
{
    if (!log)
        return;
    if (log->file)
        fclose(log->file);
    cs_buf_release(&log->text);
    free(log);
}

char *hdr_step_path(const char *path, int threads)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    int stem = dot && dot > name ? (int)(dot - path) : (int)strlen(path);
    char *out;

    if (asprintf(&out, "%.*s.%dt%s", stem, path, threads, path + stem) < 0)
        return NULL;
    return out;
}

/* The last step keeps the name that was asked for. */
static enum cs_code set_aside(struct hdr_log *log, struct cs_err *err)
{
    char *aside = hdr_step_path(log->path, log->threads);
    enum cs_code rc = CS_OK;

    fclose(log->file);
    log->file = NULL;
    if (!aside)
        return cs_fail(err, CS_ENOMEM, "no memory for the histogram log");
    if (rename(log->path, aside) != 0)
        rc = cs_fail_sys(err, "-log hdrfile=%s: cannot rename to %s", log->path,
                         aside);
    free(aside);
    if (rc)
        return rc;
    log->file = fopen(log->path, "we");
    if (!log->file)
        rc = cs_fail_sys(err, "-log hdrfile=%s: cannot write", log->path);
    return rc;
}

static enum cs_code write_out(struct hdr_log *log, struct cs_err *err)
{
    const struct cs_buf *text = &log->text;

    if (cs_buf_check(text, "histogram log", err))
        return CS_ENOMEM;
    if (fwrite(text->data, 1, text->size, log->file) != text->size ||
        fflush(log->file) != 0)
        return cs_fail_sys(err, "-log hdrfile=%s: cannot write", log->path);
    return CS_OK;
}

static void put_head(struct hdr_log *log)
{
    time_t second = log->base_ns / CS_NS_PER_S;
    char date[64] = "";
    struct tm tm;

    if (localtime_r(&second, &tm))
        strftime(date, sizeof(date), "%a %b %d %H:%M:%S %Z %Y", &tm);
    cs_buf_printf(&log->text,
                  "#Logging op latencies for Cassandra Stress\n"
                  "#[Histogram log format version 1.3]\n"
                  "#[BaseTime: %lld.000 (seconds since epoch)]\n"
                  "#[StartTime: %lld.000 (seconds since epoch), %s]\n",
                  (long long)second, (long long)second, date);
    cs_buf_puts(&log->text, "\"StartTimestamp\",\"Interval_Length\","
                            "\"Interval_Max\",\"Interval_Compressed_"
                            "Histogram\"\n");
}

enum cs_code hdr_run_start(struct hdr_log *log,
                           const struct cs_run_setup *setup, struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    if (!log)
        return CS_OK;
    if (log->threads)
        rc = set_aside(log, err);
    if (rc)
        return rc;
    log->threads = setup->threads;
    log->base_ns = setup->wall_start_ns - setup->wall_start_ns % CS_NS_PER_S;
    cs_buf_clear(&log->text);
    put_head(log);
    return write_out(log, err);
}

/* Seconds cut to ms, as the original does. */
static void put_seconds(struct cs_buf *out, int64_t ns)
{
    long long ms = ns / CS_NS_PER_MS;

    cs_buf_printf(out, "%lld.%03lld", ms / 1000, ms % 1000);
}

/* A comma or blank would break the line's fields. */
static void put_tag(struct cs_buf *out, const char *name, const char *time)
{
    cs_buf_puts(out, "Tag=");
    for (; *name; name++)
        cs_buf_put8(out, *name == ',' || (unsigned char)*name <= ' '
                             ? '_'
                             : (uint8_t)*name);
    cs_buf_printf(out, "-%s,", time);
}

static void put_histogram(struct hdr_log *log, const struct cs_results *results,
                          const char *name, const char *time,
                          const struct cs_histogram *h)
{
    const struct cs_run_setup *setup = cs_results_setup(results);
    const struct cs_interval *last = cs_results_interval(results);
    int64_t wall_ns = setup->wall_start_ns + (last->start_ns - setup->start_ns);
    int64_t max_us;

    if (!cs_histogram_count(h))
        return;
    max_us = (cs_histogram_max(h) + 500) / 1000;
    put_tag(&log->text, name, time);
    put_seconds(&log->text, wall_ns - log->base_ns);
    cs_buf_put8(&log->text, ',');
    put_seconds(&log->text, last->end_ns - last->start_ns);
    cs_buf_printf(&log->text, ",%lld.%03lld,", (long long)(max_us / 1000),
                  (long long)(max_us % 1000));
    hdr_encode_text(&log->text, h);
    cs_buf_put8(&log->text, '\n');
}

enum cs_code hdr_interval(struct hdr_log *log, const struct cs_results *results,
                          const unsigned *order, struct cs_err *err)
{
    const struct cs_interval *last = cs_results_interval(results);

    if (!log || !log->file)
        return CS_OK;
    cs_buf_clear(&log->text);
    for (unsigned i = 0; i < last->kind_count; i++) {
        const struct cs_tally *tally = &last->kinds[order[i]];
        const char *name = cs_results_setup(results)->kind_names[order[i]];

        put_histogram(log, results, name, "st", tally->service);
        put_histogram(log, results, name, "rt", tally->response);
        put_histogram(log, results, name, "wt", tally->wait);
    }
    return write_out(log, err);
}
