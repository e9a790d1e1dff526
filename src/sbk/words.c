/* words.c - log lines. Of SBK's Java and its queues nothing is said; what is
 * said of its recorder and threads is there for scripts that look for it. */
#include "sbk/words.h"
#include "sbk/fields.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* (maximum - minimum) x 8 bytes below this is an array in SBK. */
#define ARRAY_MAX_BYTES (64.0 * 1024 * 1024)
#define HOST_SIZE       256

static bool is_new(const struct cs_sbk_options *options)
{
    return options->format >= CS_SBK_10;
}

void cs_sbk_put_log(struct cs_buf *out, const char *level, const char *fmt, ...)
{
    time_t now = time(NULL);
    char text[CS_ERR_TEXT + 256];
    struct tm when;
    va_list va;

    va_start(va, fmt);
    vsnprintf(text, sizeof(text), fmt, va);
    va_end(va);
    localtime_r(&now, &when);
    cs_sbk_put_date(&when, out);
    cs_buf_puts(out, " ");
    cs_sbk_put_time(&when, out);
    cs_buf_printf(out, " %s %s\n", level, text);
}

/* ---- the command line ---- */

static bool is_secret(const char *word)
{
    return !strcmp(word, "-password") || !strcmp(word, "-sslpassword");
}

/* Without -class and -out, which SBK reads by itself, and -format, which it
 * does not know. */
static bool is_taken_out(const char *word)
{
    return !strcmp(word, "-class") || !strcmp(word, "-out") ||
           !strcmp(word, "-format");
}

static void put_list(int argc, char **argv, bool all, struct cs_buf *out)
{
    bool first = true;

    cs_buf_puts(out, "[");
    for (int i = 0; i < argc; i++) {
        if (!all && is_taken_out(argv[i])) {
            i++;
            continue;
        }
        cs_buf_printf(out, "%s%s", first ? "" : ", ",
                      i && is_secret(argv[i - 1]) ? "*suppressed*" : argv[i]);
        first = false;
    }
    cs_buf_puts(out, "]");
}

/* A line whose text may be of any length. */
static void put_list_line(const char *words, int argc, char **argv, bool all,
                          struct cs_buf *out)
{
    struct cs_buf line;

    cs_buf_init(&line, (size_t)1 << 20);
    cs_sbk_put_log(&line, "INFO", "%s", words);
    line.size -= line.size > 0; /* the newline comes behind the list */
    put_list(argc, argv, all, &line);
    cs_buf_puts(&line, "\n");
    cs_buf_put(out, line.data, line.size);
    cs_buf_release(&line);
}

static const char *logger_name(const struct cs_sbk_options *options)
{
    return options->out ? options->out : "SystemLogger";
}

static void put_new_start(const struct cs_sbk_options *options, int argc,
                          char **argv, struct cs_buf *out)
{
    cs_sbk_put_log(out, "INFO", "Storage Benchmark Kit");
    cs_sbk_put_log(out, "INFO", "SBK Version: %s",
                   cs_sbk_format_release(options->format));
    put_list_line("Arguments List: ", argc, argv, true, out);
    cs_sbk_put_log(out, "INFO", "sbk.applicationName: sbk");
    cs_sbk_put_log(out, "INFO", "sbk.className: ");
    cs_sbk_put_log(out, "INFO", "'-class': %s",
                   options->class_name ? options->class_name : "");
    cs_sbk_put_log(out, "INFO", "'-out': %s", logger_name(options));
    cs_sbk_put_log(out, "INFO",
                   "Storage Classes in package 'io.sbk.driver': 1 "
                   "[Cassandra]");
    cs_sbk_put_log(out, "INFO",
                   "Logger Classes in package 'io.sbk.logger': 4 "
                   "[CSVLogger,\n PrometheusLogger, Sl4jLogger, "
                   "SystemLogger]");
    if (!options->out)
        cs_sbk_put_log(out, "WARN",
                       "The option '-out' is not supplied; default logger: "
                       "SystemLogger");
}

void cs_sbk_put_start(const struct cs_sbk_options *options, int argc,
                      char **argv, struct cs_buf *out)
{
    if (is_new(options)) {
        put_new_start(options, argc, argv, out);
        return;
    }
    cs_sbk_put_log(out, "INFO", "SBK Version: %s",
                   cs_sbk_format_release(options->format));
    put_list_line("Arguments List: ", argc, argv, true, out);
    cs_sbk_put_log(out, "INFO", "sbk.applicationName: sbk");
    cs_sbk_put_log(out, "INFO", "sbk.className: sbk");
    cs_sbk_put_log(out, "INFO", "Available Drivers : 1");
}

void cs_sbk_put_arguments(const struct cs_sbk_options *options, int argc,
                          char **argv, struct cs_buf *out)
{
    (void)options;
    put_list_line("Arguments to Driver 'Cassandra' : ", argc, argv, false, out);
}

void cs_sbk_put_version(const struct cs_sbk_options *options,
                        struct cs_buf *out)
{
    cs_buf_printf(out, "SBK Version: %s\n",
                  cs_sbk_format_release(options->format));
}

/* ---- the plan ---- */

static bool has_array(const struct cs_sbk_options *o)
{
    return ((double)o->max_latency - (double)o->min_latency) * 8 <
           ARRAY_MAX_BYTES;
}

static void put_stores(const struct cs_sbk_options *o, struct cs_buf *out)
{
    if (!is_new(o)) {
        cs_sbk_put_log(out, "INFO", "Window Latency Store: %s",
                       has_array(o) ? "Array" : "HashMap");
        cs_sbk_put_log(out, "INFO", "Total Window Latency Store: HashMap");
        return;
    }
    if (has_array(o))
        cs_sbk_put_log(
            out, "INFO", "Window Latency Store: Array, Size: %lld MB",
            (long long)((o->max_latency - o->min_latency) * 8 / (1 << 20)));
    else
        cs_sbk_put_log(out, "INFO",
                       "Window Latency Store: PrimitiveLongMap, Size: 192 MB");
    cs_sbk_put_log(out, "INFO",
                   "Total Window Latency Store: "
                   "PrimitiveLongMap, Size: 256 MB");
    cs_sbk_put_log(out, "INFO", "Total Window Extension: None, Size: 0 MB");
}

static const char *thread_type(const struct cs_sbk_options *o)
{
    if (o->thread[0] == 'p')
        return "Platform";
    return o->thread[0] == 'f' ? "ForkJoin" : "Virtual";
}

void cs_sbk_put_plan(const struct cs_sbk_options *o, struct cs_buf *out)
{
    const char *unit = cs_sbk_unit_name(o->unit);

    if (is_new(o)) {
        cs_sbk_put_log(out, "INFO", "Action : %s", cs_sbk_action(o));
        cs_sbk_put_log(out, "INFO", "Threads Type: %s", thread_type(o));
    }
    cs_sbk_put_log(out, "INFO", "Time Unit: %s", cs_sbk_unit_title(o->unit));
    cs_sbk_put_log(out, "INFO", "Minimum Latency: %lld %s",
                   (long long)o->min_latency, unit);
    cs_sbk_put_log(out, "INFO", "Maximum Latency: %lld %s",
                   (long long)o->max_latency, unit);
    put_stores(o, out);
}

/* ---- the beginning ---- */

static bool has_csv(const struct cs_sbk_options *o)
{
    return o->logger >= CS_SBK_CSV_LOGGER && strcmp(o->csv_file, "no") != 0;
}

static void put_page(unsigned port, const char *path, struct cs_buf *out)
{
    char host[HOST_SIZE] = "localhost";
    const char *const names[][2] = {{"Localhost", "localhost"},
                                    {"IPv4 Loopback", "127.0.0.1"},
                                    {"Hostname", host},
                                    {"Public IP", host}};

    if (gethostname(host, sizeof(host) - 1))
        snprintf(host, sizeof(host), "localhost");
    for (size_t i = 0; i < CS_COUNT(names); i++)
        cs_sbk_put_log(out, "INFO",
                       "SBK Prometheus Metrics (%s): http://%s:%u%s",
                       names[i][0], names[i][1], port, path);
}

void cs_sbk_put_loggers_started(const struct cs_sbk_options *o, unsigned port,
                                const char *path, struct cs_buf *out)
{
    if (is_new(o))
        cs_sbk_put_log(out, "INFO", "SBK Benchmark Started");
    if (has_csv(o))
        cs_sbk_put_log(out, "INFO", "SBK CSV Logger Started; CSV file: %s",
                       o->csv_file);
    if (port && is_new(o))
        put_page(port, path, out);
    if (o->logger == CS_SBK_PROMETHEUS_LOGGER)
        cs_sbk_put_log(out, "INFO", "SBK PrometheusLogger Started");
    if (is_new(o))
        return;
    cs_sbk_put_log(out, "INFO", "Performance Logger Started");
    cs_sbk_put_log(out, "INFO", "SBK Benchmark Started");
}

void cs_sbk_put_workers_started(const struct cs_sbk_options *o,
                                struct cs_buf *out)
{
    if (!is_new(o))
        return;
    cs_sbk_put_log(out, "INFO",
                   "PerformanceRecorderElasticWait Started : 1000000 "
                   "nanoseconds adaptive idle park");
    cs_sbk_put_log(out, "INFO", "SBK Benchmark initiated %s",
                   o->writers > 0 ? "Writers" : "Readers");
}

static const char *kind(bool reads)
{
    return reads ? "Reader" : "Writer";
}

void cs_sbk_put_worker_began(const struct cs_sbk_options *o, bool reads,
                             unsigned index, int64_t amount, struct cs_buf *out)
{
    bool timed = o->seconds > 0 || o->forever;

    if (is_new(o))
        cs_sbk_put_log(out, "INFO", "%s %u started , %s: %lld", kind(reads),
                       index, timed ? "run seconds" : "records",
                       (long long)amount);
}

void cs_sbk_put_worker_ended(const struct cs_sbk_options *o, bool reads,
                             unsigned index, bool eof, struct cs_buf *out)
{
    if (eof)
        cs_sbk_put_log(out, "INFO", "%s %u exited with EOF", kind(reads),
                       index);
    else if (is_new(o) || reads)
        cs_sbk_put_log(out, "INFO", "%s %u exited", kind(reads), index);
}

/* ---- the end ---- */

static void put_mode(const struct cs_sbk_options *o, char *out, size_t size)
{
    bool timed = o->seconds > 0 || o->forever;

    snprintf(out, size, "completed successfully in %s %lld mode",
             timed ? "-seconds" : "-records",
             (long long)(o->forever ? INT64_MAX / 1000000
                         : timed    ? o->seconds
                                    : o->records));
}

static void put_loggers_ended(const struct cs_sbk_options *o,
                              struct cs_buf *out)
{
    if (has_csv(o))
        cs_sbk_put_log(out, "INFO",
                       "SBK CSV Logger Shutdown; Results flushed to file: %s",
                       o->csv_file);
    if (o->logger == CS_SBK_PROMETHEUS_LOGGER)
        cs_sbk_put_log(out, "INFO", "SBK PrometheusLogger Shutdown");
}

static void put_failure(const struct cs_sbk_outcome *outcome,
                        struct cs_buf *out)
{
    cs_sbk_put_log(out, "WARN",
                   "SBK Benchmark Shutdown: exited due to internal "
                   "exception: %s: %s",
                   cs_sbk_short_class(outcome->failure.java),
                   outcome->failure.text);
}

static void put_recorder_ended(const char *how, struct cs_buf *out)
{
    cs_sbk_put_log(out, "INFO", "PerformanceRecorderElasticWait Exited");
    cs_sbk_put_log(out, "INFO", "PerL Shutdown: %s", how);
}

void cs_sbk_put_end(const struct cs_sbk_options *o,
                    const struct cs_sbk_outcome *outcome, struct cs_buf *out)
{
    bool stopped = outcome->failure.failed || outcome->signalled;
    char how[120] = "stopped by a lifecycle request";

    if (!stopped)
        put_mode(o, how, sizeof(how));
    if (is_new(o))
        put_recorder_ended(how, out);
    else
        cs_sbk_put_log(out, "INFO", "Performance Logger Shutdown");
    put_loggers_ended(o, out);
    if (outcome->failure.failed)
        put_failure(outcome, out);
    else if (is_new(o))
        cs_sbk_put_log(out, "INFO", "SBK Benchmark Shutdown: %s", how);
    else
        cs_sbk_put_log(out, "INFO", "SBK Benchmark Shutdown");
}
