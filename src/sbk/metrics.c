/* metrics.c - text format 0.0.4 as SBK's own library writes it: families by
 * name, empty help, labels in alphabetical order, numbers as in Java. */
#include "sbk/metrics.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_SIZE    80
#define FAMILIES_MAX (40 + 2 * CS_SBK_PERCENTILES_MAX)

struct family {
    char name[NAME_SIZE]; /* without _total */
    bool counter;
    double value;
};

struct page {
    struct family families[FAMILIES_MAX];
    size_t count;
    enum cs_sbk_format format;
    const struct cs_sbk_figures *figures;
    const struct cs_sbk_spread *spread;
    const struct cs_sbk_counters *counters;
};

/* '@' stands for the action. */
static const struct {
    enum cs_sbk_format since;
    const char *name;
    bool counter;
    bool latency; /* in the unit, to be shown in ns */
    enum cs_sbk_field field;
} rows[] = {
    {CS_SBK_0_85, "@_Bytes", true, false, CS_SBK_BYTES},
    {CS_SBK_0_85, "@_Records", true, false, CS_SBK_RECORDS},
    {CS_SBK_0_85, "@_InvalidLatencyRecords", true, false, CS_SBK_INVALID},
    {CS_SBK_0_85, "@_LowerDiscardedLatencyRecords", true, false, CS_SBK_LOWER},
    {CS_SBK_0_85, "@_HigherDiscardLatencyRecords", true, false, CS_SBK_HIGHER},
    {CS_SBK_0_85, "@_MBPerSec", false, false, CS_SBK_MB_PER_S},
    {CS_SBK_0_85, "@_RecordsPerSec", false, false, CS_SBK_RECORDS_PER_S},
    {CS_SBK_0_85, "@_ns_AvgLatency", false, true, CS_SBK_AVERAGE},
    {CS_SBK_0_85, "@_ns_MaxLatency", false, true, CS_SBK_MAX},
    {CS_SBK_0_85, "Writers", false, false, CS_SBK_WRITERS},
    {CS_SBK_0_85, "Readers", false, false, CS_SBK_READERS},
    {CS_SBK_0_85, "Max_Writers", false, false, CS_SBK_MAX_WRITERS},
    {CS_SBK_0_85, "Max_Readers", false, false, CS_SBK_MAX_READERS},
    {CS_SBK_2_0, "@_ns_MinLatency", false, true, CS_SBK_MIN},
    {CS_SBK_2_0, "@_SLC_1", false, false, CS_SBK_SLC1},
    {CS_SBK_2_0, "@_SLC_2", false, false, CS_SBK_SLC2},
    {CS_SBK_2_0, "Write_Request_Bytes", true, false,
     CS_SBK_WRITE_REQUEST_BYTES},
    {CS_SBK_2_0, "Write_Request_Records", true, false,
     CS_SBK_WRITE_REQUEST_RECORDS},
    {CS_SBK_2_0, "Write_Request_Bytes_MBPerSec", false, false,
     CS_SBK_WRITE_REQUEST_MB_PER_S},
    {CS_SBK_2_0, "Write_Request_RecordsPerSec", false, false,
     CS_SBK_WRITE_REQUEST_RECORDS_PER_S},
    {CS_SBK_2_0, "Read_Request_Bytes", true, false, CS_SBK_READ_REQUEST_BYTES},
    {CS_SBK_2_0, "Read_Request_Records", true, false,
     CS_SBK_READ_REQUEST_RECORDS},
    {CS_SBK_2_0, "Read_Request_MBPerSec", false, false,
     CS_SBK_READ_REQUEST_MB_PER_S},
    {CS_SBK_2_0, "Read_Request_RecordsPerSec", false, false,
     CS_SBK_READ_REQUEST_RECORDS_PER_S},
    {CS_SBK_3_0, "Write_Response_Pending_Bytes", false, false,
     CS_SBK_WRITE_PENDING_BYTES},
    {CS_SBK_3_0, "Write_Response_Pending_Records", false, false,
     CS_SBK_WRITE_PENDING_RECORDS},
    {CS_SBK_3_0, "Read_Response_Pending_Bytes", false, false,
     CS_SBK_READ_PENDING_BYTES},
    {CS_SBK_3_0, "Read_Response_Pending_Records", false, false,
     CS_SBK_READ_PENDING_RECORDS},
    {CS_SBK_3_0, "Write_Read_Request_Pending_Bytes", false, false,
     CS_SBK_WRITE_READ_PENDING_BYTES},
    {CS_SBK_3_0, "Write_Read_Request_Pending_Records", false, false,
     CS_SBK_WRITE_READ_PENDING_RECORDS},
    {CS_SBK_4_0, "Write_Timeout_Events", true, false, CS_SBK_WRITE_TIMEOUTS},
    {CS_SBK_4_0, "Write_Timeout_Events_PerSec", false, false,
     CS_SBK_WRITE_TIMEOUTS_PER_S},
    {CS_SBK_4_0, "Read_Timeout_Events", true, false, CS_SBK_READ_TIMEOUTS},
    {CS_SBK_4_0, "Read_Timeout_Events_PerSec", false, false,
     CS_SBK_READ_TIMEOUTS_PER_S},
};

void cs_sbk_counters_add(struct cs_sbk_counters *counters,
                         const struct cs_sbk_figures *window)
{
    struct cs_sbk_figures *sums = &counters->sums;

    sums->bytes += window->bytes;
    sums->records += window->records;
    sums->invalid += window->invalid;
    sums->lower += window->lower;
    sums->higher += window->higher;
    sums->write_requests += window->write_requests;
    sums->write_request_bytes += window->write_request_bytes;
    sums->read_requests += window->read_requests;
    sums->read_request_bytes += window->read_request_bytes;
    sums->write_timeouts += window->write_timeouts;
    sums->read_timeouts += window->read_timeouts;
}

/* The old names have the driver in them, and no labels. */
static bool is_old(const struct page *page)
{
    return page->format < CS_SBK_2_0;
}

static void add(struct page *page, const char *name, bool counter, double value)
{
    struct family *family = &page->families[page->count++];
    const char *action = name[0] == '@' ? page->figures->action : "";

    snprintf(family->name, sizeof(family->name), "SBK_%s%s%s",
             is_old(page) ? "CASSANDRA_" : "", action, name + (name[0] == '@'));
    /* All names of 0.88 begin with the action. */
    if (is_old(page) && name[0] != '@')
        snprintf(family->name, sizeof(family->name), "SBK_CASSANDRA_%s_%s",
                 page->figures->action, name);
    family->counter = counter;
    family->value = value;
}

static void add_rows(struct page *page)
{
    double to_ns = (double)cs_sbk_unit_ns(page->figures->unit);

    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        const struct cs_sbk_figures *from =
            rows[i].counter ? &page->counters->sums : page->figures;
        double value = cs_sbk_field_value(rows[i].field, from, page->spread);

        if (page->format >= rows[i].since)
            add(page, rows[i].name, rows[i].counter,
                rows[i].latency ? value * to_ns : value);
    }
}

static void add_percentiles(struct page *page)
{
    const struct cs_sbk_spread *spread = page->spread;
    double to_ns = (double)cs_sbk_unit_ns(page->figures->unit);

    for (size_t i = 0; i < spread->set->count; i++) {
        char number[CS_SBK_PERCENTILE_NAME];
        char name[NAME_SIZE];
        char *dot;

        cs_sbk_percentile_name(spread->set->hundredths[i], number);
        dot = strchr(number, '.');
        if (dot)
            *dot = '_';
        snprintf(name, sizeof(name), "@_ns_%s", number);
        add(page, name, false, (double)spread->values[i] * to_ns);
        snprintf(name, sizeof(name), "@_Count_%s", number);
        if (page->format >= CS_SBK_9_0)
            add(page, name, false, (double)spread->counts[i]);
    }
}

static int by_name(const void *a, const void *b)
{
    const struct family *x = a;
    const struct family *y = b;

    return strcmp(x->name, y->name);
}

static void put_family(const struct page *page, const struct family *family,
                       struct cs_buf *out)
{
    const char *total = family->counter ? "_total" : "";

    cs_buf_printf(out, "# HELP %s%s  \n# TYPE %s%s %s\n%s%s", family->name,
                  total, family->name, total,
                  family->counter ? "counter" : "gauge", family->name, total);
    if (!is_old(page))
        cs_buf_printf(out,
                      "{action=\"%s\",class=\"Cassandra\","
                      "component=\"sbk\"}",
                      page->figures->action);
    cs_buf_puts(out, " ");
    cs_put_java_double(out, family->value);
    cs_buf_puts(out, "\n");
}

void cs_sbk_put_metrics(enum cs_sbk_format format,
                        const struct cs_sbk_figures *figures,
                        const struct cs_sbk_spread *spread,
                        const struct cs_sbk_counters *counters,
                        struct cs_buf *out)
{
    struct page page = {.format = format,
                        .figures = figures,
                        .spread = spread,
                        .counters = counters};

    add_rows(&page);
    add_percentiles(&page);
    qsort(page.families, page.count, sizeof(page.families[0]), by_name);
    for (size_t i = 0; i < page.count; i++)
        put_family(&page, &page.families[i], out);
}
