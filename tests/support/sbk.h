/* sbk.h - one window with a different number in every field, for tests of all
 * that SBK prints. */
#ifndef CS_TESTS_SUPPORT_SBK_H
#define CS_TESTS_SUPPORT_SBK_H

#include "sbk/fields.h"
#include "support/vectors.h"

static const struct {
    const char *name;
    enum cs_sbk_field field;
} sbk_fields[] = {
    {"writers", CS_SBK_WRITERS},
    {"readers", CS_SBK_READERS},
    {"max_writers", CS_SBK_MAX_WRITERS},
    {"max_readers", CS_SBK_MAX_READERS},
    {"write_request_mb", CS_SBK_WRITE_REQUEST_MB},
    {"write_request_bytes", CS_SBK_WRITE_REQUEST_BYTES},
    {"write_request_records", CS_SBK_WRITE_REQUEST_RECORDS},
    {"write_request_records_per_sec", CS_SBK_WRITE_REQUEST_RECORDS_PER_S},
    {"write_request_mb_per_sec", CS_SBK_WRITE_REQUEST_MB_PER_S},
    {"read_request_mb", CS_SBK_READ_REQUEST_MB},
    {"read_request_bytes", CS_SBK_READ_REQUEST_BYTES},
    {"read_request_records", CS_SBK_READ_REQUEST_RECORDS},
    {"read_request_records_per_sec", CS_SBK_READ_REQUEST_RECORDS_PER_S},
    {"read_request_mb_per_sec", CS_SBK_READ_REQUEST_MB_PER_S},
    {"write_response_pending_mb", CS_SBK_WRITE_PENDING_MB},
    {"write_response_pending_bytes", CS_SBK_WRITE_PENDING_BYTES},
    {"write_response_pending_records", CS_SBK_WRITE_PENDING_RECORDS},
    {"read_response_pending_mb", CS_SBK_READ_PENDING_MB},
    {"read_response_pending_bytes", CS_SBK_READ_PENDING_BYTES},
    {"read_response_pending_records", CS_SBK_READ_PENDING_RECORDS},
    {"write_read_request_pending_mb", CS_SBK_WRITE_READ_PENDING_MB},
    {"write_read_request_pending_bytes", CS_SBK_WRITE_READ_PENDING_BYTES},
    {"write_read_request_pending_records", CS_SBK_WRITE_READ_PENDING_RECORDS},
    {"write_timeout_events", CS_SBK_WRITE_TIMEOUTS},
    {"write_timeout_events_per_sec", CS_SBK_WRITE_TIMEOUTS_PER_S},
    {"read_timeout_events", CS_SBK_READ_TIMEOUTS},
    {"read_timeout_events_per_sec", CS_SBK_READ_TIMEOUTS_PER_S},
    {"seconds", CS_SBK_SECONDS},
    {"bytes", CS_SBK_BYTES},
    {"mb", CS_SBK_MEGABYTES},
    {"records", CS_SBK_RECORDS},
    {"records_per_sec", CS_SBK_RECORDS_PER_S},
    {"mb_per_sec", CS_SBK_MB_PER_S},
    {"avg_latency", CS_SBK_AVERAGE},
    {"min_latency", CS_SBK_MIN},
    {"max_latency", CS_SBK_MAX},
    {"invalid", CS_SBK_INVALID},
    {"lower", CS_SBK_LOWER},
    {"higher", CS_SBK_HIGHER},
    {"slc1", CS_SBK_SLC1},
    {"slc2", CS_SBK_SLC2},
};

/* Numbers without halves to be rounded, each different from the others. */
static inline struct cs_sbk_figures sbk_figures(void)
{
    return (struct cs_sbk_figures){
        .when = {.tm_year = 126,
                 .tm_mon = 10,
                 .tm_mday = 30,
                 .tm_hour = 17,
                 .tm_min = 49,
                 .tm_sec = 5},
        .action = "Writing",
        .unit = CS_SBK_MCS,
        .writers = 2,
        .readers = 3,
        .max_writers = 4,
        .max_readers = 6,
        .write_requests = 70001,
        .write_request_bytes = 7000100,
        .read_requests = 80003,
        .read_request_bytes = 8000300,
        .write_pending = 24,
        .write_pending_bytes = 12582912,
        .read_pending = 31,
        .read_pending_bytes = 26214400,
        .write_read_pending = 17,
        .write_read_pending_bytes = 38797312,
        .write_timeouts = 11,
        .read_timeouts = 13,
        .seconds = 5.125,
        .per_s_seconds = 5.125,
        .bytes = 5100200,
        .records = 51002,
        .average = 302.27,
        .min = 77,
        .max = 35304,
        .invalid = 1,
        .lower = 5,
        .higher = 9,
    };
}

/* Percentile i is 100 + 3 i, and came 7 + i times. */
static inline struct cs_sbk_spread sbk_spread(enum cs_sbk_format format)
{
    struct cs_sbk_spread spread = {
        .set = cs_sbk_percentiles_of(format), .slc1 = 21, .slc2 = 42};

    for (size_t i = 0; i < spread.set->count; i++) {
        spread.values[i] = 100 + 3 * (int64_t)i;
        spread.counts[i] = 7 + i;
    }
    return spread;
}

/* The number of a field of the vectors: also "p99.9", "count 99.9". */
static inline double sbk_value(const char *name,
                               const struct cs_sbk_figures *figures,
                               const struct cs_sbk_spread *spread)
{
    const char *number = name[0] == 'p' ? name + 1 : name + strlen("count ");

    for (size_t i = 0; i < CS_COUNT(sbk_fields); i++)
        if (!strcmp(sbk_fields[i].name, name))
            return cs_sbk_field_value(sbk_fields[i].field, figures, spread);
    for (size_t i = 0; i < spread->set->count; i++) {
        char text[CS_SBK_PERCENTILE_NAME];

        cs_sbk_percentile_name(spread->set->hundredths[i], text);
        if (!strcmp(text, number))
            return name[0] == 'p' ? (double)spread->values[i]
                                  : (double)spread->counts[i];
    }
    fail_msg("no field %s", name);
    return 0;
}

/* As printf has it: "%16d" and "%8.2f" of the vectors. */
static inline void sbk_put_number(const char *format, double value,
                                  struct cs_buf *out)
{
    int width = atoi(format + 1);
    const char *dot = strchr(format, '.');

    if (dot)
        cs_buf_printf(out, "%*.*f", width, atoi(dot + 1), value);
    else
        cs_buf_printf(out, "%*lld", width, (long long)value);
}

#endif
