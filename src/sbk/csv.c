/* csv.c - columns in order, each with the release it came with. */
#include "sbk/csv.h"
#include "base/text.h"

struct column {
    enum cs_sbk_format since;
    const char *name;
    enum cs_sbk_field field; /* CS_SBK_NOTHING: text */
    int width;               /* 0: the usual one */
};

static const struct column columns[] = {
    {CS_SBK_0_91, "Writers", CS_SBK_WRITERS, 0},
    {CS_SBK_0_91, "Readers", CS_SBK_READERS, 0},
    {CS_SBK_0_91, "MaxWriters", CS_SBK_MAX_WRITERS, 0},
    {CS_SBK_0_91, "MaxReaders", CS_SBK_MAX_READERS, 0},
    {CS_SBK_2_0, "WriteRequestMB", CS_SBK_WRITE_REQUEST_MB, 0},
    {CS_SBK_2_0, "WriteRequestRecords", CS_SBK_WRITE_REQUEST_RECORDS, 0},
    {CS_SBK_2_0, "WriteRequestRecords/Sec", CS_SBK_WRITE_REQUEST_RECORDS_PER_S,
     0},
    {CS_SBK_2_0, "WriteRequestMB/Sec", CS_SBK_WRITE_REQUEST_MB_PER_S, 0},
    {CS_SBK_2_0, "ReadRequestMB", CS_SBK_READ_REQUEST_MB, 0},
    {CS_SBK_2_0, "ReadRequestRecords", CS_SBK_READ_REQUEST_RECORDS, 0},
    {CS_SBK_2_0, "ReadRequestRecords/Sec", CS_SBK_READ_REQUEST_RECORDS_PER_S,
     0},
    {CS_SBK_2_0, "ReadRequestMB/Sec", CS_SBK_READ_REQUEST_MB_PER_S, 0},
    {CS_SBK_3_0, "WriteResponsePendingMB", CS_SBK_WRITE_PENDING_MB, 0},
    {CS_SBK_3_0, "WriteResponsePendingRecords", CS_SBK_WRITE_PENDING_RECORDS,
     0},
    {CS_SBK_3_0, "ReadResponsePendingMB", CS_SBK_READ_PENDING_MB, 0},
    {CS_SBK_3_0, "ReadResponsePendingRecords", CS_SBK_READ_PENDING_RECORDS, 0},
    {CS_SBK_3_0, "WriteReadRequestPendingMB", CS_SBK_WRITE_READ_PENDING_MB, 0},
    {CS_SBK_3_0, "WriteReadRequestPendingRecords",
     CS_SBK_WRITE_READ_PENDING_RECORDS, 0},
    {CS_SBK_4_0, "WriteTimeoutEvents", CS_SBK_WRITE_TIMEOUTS, 0},
    {CS_SBK_4_0, "WriteTimeoutEventsPerSec", CS_SBK_WRITE_TIMEOUTS_PER_S, 0},
    {CS_SBK_4_0, "ReadTimeoutEvents", CS_SBK_READ_TIMEOUTS, 0},
    {CS_SBK_4_0, "ReadTimeoutEventsPerSec", CS_SBK_READ_TIMEOUTS_PER_S, 0},
    {CS_SBK_0_91, "ReportSeconds", CS_SBK_SECONDS, 0},
    {CS_SBK_0_91, "MB", CS_SBK_MEGABYTES, 0},
    {CS_SBK_0_91, "Records", CS_SBK_RECORDS, 0},
    {CS_SBK_0_91, "Records/Sec", CS_SBK_RECORDS_PER_S, 0},
    {CS_SBK_0_91, "MB/Sec", CS_SBK_MB_PER_S, 0},
    {CS_SBK_0_91, "AvgLatency", CS_SBK_AVERAGE, 0},
    {CS_SBK_2_0, "MinLatency", CS_SBK_MIN, 0},
    {CS_SBK_0_91, "MaxLatency", CS_SBK_MAX, 0},
    {CS_SBK_0_91, "InvalidLatencies", CS_SBK_INVALID, 0},
    {CS_SBK_0_91, "LowerDiscard", CS_SBK_LOWER, 0},
    {CS_SBK_0_91, "HigherDiscard", CS_SBK_HIGHER, 0},
    {CS_SBK_0_91, "SLC1", CS_SBK_SLC1, 2},
    {CS_SBK_0_91, "SLC2", CS_SBK_SLC2, 2},
};

enum cs_sbk_format cs_sbk_csv_format(enum cs_sbk_format format)
{
    return format < CS_SBK_0_91 ? CS_SBK_10 : format;
}

static void put_percentile_names(const struct cs_sbk_percentiles *set,
                                 const char *prefix, struct cs_buf *out)
{
    for (size_t i = 0; i < set->count; i++) {
        char name[CS_SBK_PERCENTILE_NAME];

        cs_sbk_percentile_name(set->hundredths[i], name);
        cs_buf_printf(out, ",%s%s", prefix, name);
    }
}

void cs_sbk_put_csv_header(enum cs_sbk_format format, struct cs_buf *out)
{
    const struct cs_sbk_percentiles *set = cs_sbk_percentiles_of(format);

    cs_buf_printf(out,
                  "ID,%sHeader,Type,Connections,MaxConnections,Storage,"
                  "Action,LatencyTimeUnit",
                  format >= CS_SBK_10 ? "Date,Time," : "");
    for (size_t i = 0; i < CS_COUNT(columns); i++)
        if (format >= columns[i].since)
            cs_buf_printf(out, ",%s", columns[i].name);
    put_percentile_names(set, "Percentile_", out);
    if (format >= CS_SBK_9_0)
        put_percentile_names(set, "Percentile_Count_", out);
    cs_buf_puts(out, "\n");
}

static void put_words(enum cs_sbk_format format,
                      const struct cs_sbk_figures *figures, struct cs_buf *out)
{
    if (format >= CS_SBK_10) {
        cs_sbk_put_date(&figures->when, out);
        cs_buf_puts(out, ",");
        cs_sbk_put_time(&figures->when, out);
        cs_buf_puts(out, ",");
    }
    cs_buf_printf(out, "sbk,%s,0,0,Cassandra,%s,%s",
                  figures->total ? "Total" : "Regular", figures->action,
                  cs_sbk_unit_title(figures->unit));
}

void cs_sbk_put_csv_row(enum cs_sbk_format format, int64_t id,
                        const struct cs_sbk_figures *figures,
                        const struct cs_sbk_spread *spread, struct cs_buf *out)
{
    cs_put_int(out, id, false, 16);
    cs_buf_puts(out, ",");
    put_words(format, figures, out);
    for (size_t i = 0; i < CS_COUNT(columns); i++) {
        if (format < columns[i].since)
            continue;
        cs_buf_puts(out, ",");
        cs_sbk_put_field(columns[i].field, columns[i].width, figures, spread,
                         out);
    }
    for (size_t i = 0; i < spread->set->count; i++) {
        cs_buf_puts(out, ",");
        cs_put_int(out, spread->values[i], false, 7);
    }
    for (size_t i = 0; i < spread->set->count && format >= CS_SBK_9_0; i++) {
        cs_buf_puts(out, ",");
        cs_put_int(out, (int64_t)spread->counts[i], false, 7);
    }
    cs_buf_puts(out, "\n");
}
