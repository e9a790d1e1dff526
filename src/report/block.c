/* block.c - the lines between "Results:" and the empty line. */
#include "base/clock.h"
#include "base/text.h"
#include "report/block_internal.h"
#include "report/columns_internal.h"

#include <math.h>

/* Beside percents: other figures of a latency histogram. */
#define MEAN (-1)
#define MAX  101

/* What a line with a total and a list of kinds shows. */
enum measure { OP_RATE, PARTITION_RATE, ROW_RATE, LATENCY, PARTITIONS, ERRORS };

static const struct {
    const char *label;
    enum measure measure;
    double percent; /* of LATENCY */
} lists[] = {
    {"Op rate", OP_RATE, 0},
    {"Partition rate", PARTITION_RATE, 0},
    {"Row rate", ROW_RATE, 0},
    {"Latency mean", LATENCY, MEAN},
    {"Latency median", LATENCY, 50},
    {"Latency 95th percentile", LATENCY, 95},
    {"Latency 99th percentile", LATENCY, 99},
    {"Latency 99.9th percentile", LATENCY, 99.9},
    {"Latency max", LATENCY, MAX},
    {"Total partitions", PARTITIONS, 0},
    {"Total errors", ERRORS, 0},
};

/* How a measure is written: only the items of a latency list are grouped. */
static const struct {
    const char *unit;       /* of a list's item */
    const char *total_unit; /* with the blanks before the list */
    int width;
    int decimals;
    bool grouped;
} forms[] = {
    [OP_RATE] = {" op/s", " op/s  ", 8, 0, true},
    [PARTITION_RATE] = {" pk/s", " pk/s  ", 8, 0, true},
    [ROW_RATE] = {" row/s", " row/s ", 8, 0, true},
    [LATENCY] = {" ms", " ms ", 6, 1, false},
    [PARTITIONS] = {"", " ", 10, 0, true},
    [ERRORS] = {"", " ", 10, 0, true},
};

/* The lines after the lists. */
static const char *const others[] = {
    "Total GC count", "Total GC memory", "Total GC time",
    "Avg GC time",    "StdDev GC time",  "Total operation time",
};

_Static_assert(CS_COUNT(lists) + CS_COUNT(others) == BLOCK_LINES,
               "the block has 17 lines");

const char *block_label(int line)
{
    int list_count = CS_COUNT(lists);

    return line < list_count ? lists[line].label : others[line - list_count];
}

static double latency_ms(const struct cs_histogram *h, double percent,
                         enum cs_level level)
{
    if (percent == MEAN)
        return cs_histogram_mean(h) * 0.000001;
    if (percent == MAX)
        return (double)cs_histogram_max(h) * 0.000001;
    return (double)cs_histogram_percentile(h, percent, rank_rule(level)) *
           0.000001;
}

static double measure(const struct block_source *source,
                      const struct cs_tally *tally, int line)
{
    const struct cs_results *results = source->results;
    const struct cs_histogram *shown =
        cs_tally_shown(cs_results_setup(results), tally);

    switch (lists[line].measure) {
    case OP_RATE:
        return cs_tally_rate(results, tally, cs_histogram_count(shown));
    case PARTITION_RATE:
        return cs_tally_rate(results, tally, tally->partitions);
    case ROW_RATE:
        return cs_tally_rate(results, tally, tally->rows);
    case LATENCY:
        return latency_ms(shown, lists[line].percent, source->level);
    case PARTITIONS:
        return (double)tally->partitions;
    case ERRORS:
        return (double)tally->errors;
    }
    return 0;
}

static void put_list_line(struct cs_buf *out, const struct block_source *source,
                          int line)
{
    const struct cs_run_setup *setup = cs_results_setup(source->results);
    const struct cs_interval *run = cs_results_run(source->results);
    int form = (int)lists[line].measure;
    const char *between = "";

    cs_put_fixed(out, measure(source, &run->total, line), forms[form].decimals,
                 forms[form].grouped, forms[form].width);
    cs_buf_printf(out, "%s[", forms[form].total_unit);
    for (unsigned i = 0; i < setup->kind_count; i++) {
        unsigned kind = source->order[i];

        if (!run->kinds[kind].seen)
            continue;
        cs_buf_printf(out, "%s%s: ", between, setup->kind_names[kind]);
        cs_put_fixed(out, measure(source, &run->kinds[kind], line),
                     forms[form].decimals, true, 0);
        cs_buf_puts(out, forms[form].unit);
        between = ", ";
    }
    cs_buf_put8(out, ']');
}

/* From 5.0 on bytes and larger units, before only KiB to GiB. */
static void put_memory(struct cs_buf *out, double bytes, enum cs_level level)
{
    static const char units[] = "KMGTPE";
    bool wide = level >= CS_LEVEL_5_0;
    size_t last = wide ? 5 : 2;
    size_t unit = 0;
    double value = bytes / 1024;

    if (wide && bytes < 1024) {
        cs_put_fixed(out, trunc(bytes), 0, false, 0);
        cs_buf_puts(out, " B");
        return;
    }
    for (; value >= 1024 && unit < last; unit++)
        value /= 1024;
    cs_put_fixed(out, value, 3, false, 0);
    cs_buf_printf(out, " %ciB", units[unit]);
}

static void put_operation_time(struct cs_buf *out,
                               const struct cs_interval *run)
{
    long long s = (run->end_ns - run->start_ns) / CS_NS_PER_S;

    cs_buf_printf(out, "%02lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
}

static void put_other_line(struct cs_buf *out,
                           const struct block_source *source, size_t line)
{
    const struct cs_interval *run = cs_results_run(source->results);
    const struct cs_pauses *pauses = &run->pauses;

    switch (line) {
    case 0:
        cs_put_fixed(out, pauses->count, 0, true, 1);
        break;
    case 1:
        put_memory(out, pauses->bytes, source->level);
        break;
    case 2:
        cs_put_fixed(out, pauses->sum_ms / 1000, 1, true, 6);
        cs_buf_puts(out, " seconds");
        break;
    case 3:
        cs_put_fixed(out, pauses->sum_ms / pauses->count, 1, true, 6);
        cs_buf_puts(out, " ms");
        break;
    case 4:
        cs_put_fixed(out, pause_spread_ms(pauses), 1, true, 6);
        cs_buf_puts(out, " ms");
        break;
    default:
        put_operation_time(out, run);
        break;
    }
}

void put_block_value(struct cs_buf *out, const struct block_source *source,
                     int line)
{
    size_t at = (size_t)line;

    if (at < CS_COUNT(lists))
        put_list_line(out, source, line);
    else
        put_other_line(out, source, at - CS_COUNT(lists));
}

void put_block(struct cs_buf *out, const struct block_source *source)
{
    for (int line = 0; line < BLOCK_LINES; line++) {
        cs_buf_printf(out, "%-26s: ", block_label(line));
        put_block_value(out, source, line);
        cs_buf_put8(out, '\n');
    }
    cs_buf_put8(out, '\n');
}
