/* options_log.c - the groups -log, -graph and -reporting: where results go and
 * how often. */
#include "cli/options_internal.h"
#include "cli/parse_internal.h"

#include "base/text.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>

static void show_interval(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_printf(out, "%lld", (long long)s->log.interval_ms);
}

/* Digits and s, ms or nothing; suffixes would be misread. */
static enum cs_code store_interval(struct cs_cli *cli,
                                   const struct cs_option *option,
                                   const char *value, struct cs_err *err)
{
    size_t digits = strspn(value, "0123456789");
    const char *unit = value + digits;
    int64_t factor = cs_same_word(unit, "ms")            ? 1
                     : !*unit || cs_same_word(unit, "s") ? 1000
                                                         : 0;
    long long number;

    (void)option;
    if (!digits || digits > 10 || !factor)
        return cs_fail(err, CS_EUSAGE, "not an interval");
    number = strtoll(value, NULL, 10);
    if (number < 1 || number * factor > INT_MAX)
        return cs_fail(err, CS_EUSAGE, "interval out of range");
    cli->settings->log.interval_ms = number * factor;
    return CS_OK;
}

static const struct cs_choice log_levels[] = {{"minimal", CS_LOG_MINIMAL},
                                              {"normal", CS_LOG_NORMAL},
                                              {"verbose", CS_LOG_VERBOSE},
                                              {NULL, 0}};

static void show_level(const struct cs_settings *s, struct cs_buf *out)
{
    static const char *const names[] = {"MINIMAL", "NORMAL", "VERBOSE"};

    cs_buf_puts(out, names[s->log.level]);
}

static const struct cs_option log_rows[] = {
    {.key = "no-summary",
     .type = CS_OPTION_FLAG,
     .at = CS_AT(log.no_summary),
     .help = "no results block",
     .label = "No Summary"},
    {.key = "no-settings",
     .type = CS_OPTION_FLAG,
     .at = CS_AT(log.no_settings),
     .help = "do not print the settings",
     .label = "No Settings"},
    {.key = "file=",
     .type = CS_OPTION_PATH,
     .at = CS_AT(log.file),
     .free_text = true,
     .form = "a file name",
     .help = "write what is printed to this file too",
     .label = "File"},
    {.key = "hdrfile=",
     .type = CS_OPTION_PATH,
     .at = CS_AT(log.hdr_file),
     .free_text = true,
     .form = "a file name",
     .help = "write a HdrHistogram log of the latencies"},
    {.key = "interval=",
     .type = CS_OPTION_CUSTOM,
     .store = store_interval,
     .preset = "1s",
     .form = "digits with s, ms or nothing (seconds) behind, above 0",
     .help = "time between the rows",
     .label = "Interval Millis",
     .show = show_interval},
    {.key = "level=",
     .type = CS_OPTION_CHOICE,
     .at = CS_AT(log.level),
     .choices = log_levels,
     .preset = "normal",
     .help = "what a failed attempt prints on stderr",
     .label = "Level",
     .show = show_level},
    {.key = "print-statements-on-error",
     .type = CS_OPTION_FLAG,
     .at = CS_AT(log.print_statements),
     .help =
         "add the CQL text to the message of a failed operation (user only)"},
};

const struct cs_option_group cs_options_log = {
    .name = "-log",
    .help = "log file, interval of the rows, what is printed",
    .section = "Log:",
    .tables = {CS_TABLE(log_rows)}};

static const struct cs_option graph_rows[] = {
    {.key = "file=",
     .type = CS_OPTION_PATH,
     .needs = 1,
     .at = CS_AT(graph.file),
     .free_text = true,
     .form = "a file name",
     .help = "HTML page to make, or to add this run to",
     .label = "File"},
    {.key = "revision=",
     .type = CS_OPTION_TEXT,
     .at = CS_AT(graph.revision),
     .free_text = true,
     .preset = "unknown",
     .help = "name of this run on the page",
     .label = "Revision"},
    {.key = "title=",
     .type = CS_OPTION_TEXT,
     .at = CS_AT(graph.title),
     .free_text = true,
     .shown = "date and time",
     .help = "title of the page",
     .label = "Title"},
    {.key = "op=",
     .type = CS_OPTION_TEXT,
     .at = CS_AT(graph.operation),
     .free_text = true,
     .shown = "the command in capitals",
     .help = "name of the operation on the page",
     .label = "Operation"},
};

const struct cs_option_group cs_options_graph = {
    .name = "-graph",
    .help = "page with the graphs of one or several runs",
    .section = "Graph:",
    .tables = {CS_TABLE(graph_rows)}};

/* Whole seconds, minutes, hours or days. */
static enum cs_code store_frequency(struct cs_cli *cli, const char *value,
                                    int *out_s, const char **out_text,
                                    struct cs_err *err)
{
    size_t digits = strspn(value, "0123456789");
    char unit = (char)tolower((unsigned char)value[digits]);
    int64_t factor = unit == 's'   ? 1
                     : unit == 'm' ? 60
                     : unit == 'h' ? 3600
                     : unit == 'd' ? 86400
                                   : 0;
    long long number;
    char *text;

    if (!digits || digits > 10 || !factor || value[digits + 1] ||
        (cli->strict && value[digits] != unit))
        return cs_fail(err, CS_EUSAGE, "not a time in whole seconds");
    number = strtoll(value, NULL, 10);
    if (number > INT_MAX / factor)
        return cs_fail(err, CS_EUSAGE, "time out of range");
    text = cs_cli_text(cli, value, digits + 1);
    if (text)
        text[digits] = unit;
    *out_s = (int)(number * factor);
    *out_text = text;
    return CS_OK;
}

static enum cs_code store_output(struct cs_cli *cli,
                                 const struct cs_option *option,
                                 const char *value, struct cs_err *err)
{
    (void)option;
    return store_frequency(cli, value, &cli->settings->reporting.output_s,
                           &cli->settings->reporting.output_text, err);
}

static enum cs_code store_header(struct cs_cli *cli,
                                 const struct cs_option *option,
                                 const char *value, struct cs_err *err)
{
    (void)option;
    return store_frequency(cli, value, &cli->settings->reporting.header_s,
                           &cli->settings->reporting.header_text, err);
}

static void show_output(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_puts(out,
                s->reporting.output_text ? s->reporting.output_text : "1s");
}

static void show_header(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_puts(out, s->reporting.header_text ? s->reporting.header_text
                                              : "*not set*");
}

#define FREQUENCY_FORM "digits and one of s, m, h, d"

static const struct cs_option reporting_rows[] = {
    {.key = "output-frequency=",
     .type = CS_OPTION_CUSTOM,
     .store = store_output,
     .shown = "1s",
     .form = FREQUENCY_FORM,
     .help = "time between the rows that are printed",
     .label = "Output frequency",
     .show = show_output},
    {.key = "header-frequency=",
     .type = CS_OPTION_CUSTOM,
     .store = store_header,
     .shown = "once",
     .form = FREQUENCY_FORM,
     .help = "time after which the header is printed again",
     .label = "Header frequency",
     .show = show_header},
};

const struct cs_option_group cs_options_reporting = {
    .name = "-reporting",
    .help = "how often rows and headers are printed",
    .section = "Reporting:",
    .levels = CS_IN_5_0,
    .tables = {CS_TABLE(reporting_rows)}};
