/* figures.h - the numbers of one result line, as all outputs show them. */
#ifndef CS_SBK_FIGURES_H
#define CS_SBK_FIGURES_H

#include "sbk/format.h"
#include "sbk/options.h"
#include "sbk/tally.h"

#include <time.h>

#define CS_SBK_MB 1048576.0

struct cs_sbk_figures {
    bool total; /* of the whole run */
    struct tm when;
    const char *action;
    enum cs_sbk_unit unit;
    int writers, readers, max_writers, max_readers;
    uint64_t write_requests, write_request_bytes;
    uint64_t read_requests, read_request_bytes;
    int64_t write_pending, write_pending_bytes; /* over the whole run so far */
    int64_t read_pending, read_pending_bytes;
    int64_t write_read_pending, write_read_pending_bytes;
    uint64_t write_timeouts, read_timeouts;
    double seconds;
    uint64_t bytes, records;
    double per_s_seconds; /* what rates are divided by */
    double average;
    int64_t min, max;
    uint64_t invalid, lower, higher;
};

/* Percentiles of one set, with what is made of them. */
struct cs_sbk_spread {
    const struct cs_sbk_percentiles *set;
    int64_t values[CS_SBK_PERCENTILES_MAX];
    uint64_t counts[CS_SBK_PERCENTILES_MAX]; /* of exactly this latency */
    int slc1, slc2;
};

/* What is in the tally itself; the caller adds workers, time and what is
 * pending. Old layouts count a shorter window as a second. */
void cs_sbk_figures_of(const struct cs_sbk_tally *tally, double seconds,
                       enum cs_sbk_format format, struct cs_sbk_figures *out);

/* False: no memory; the spread is zero then. */
bool cs_sbk_spread_of(const struct cs_sbk_tally *tally,
                      enum cs_sbk_format format, struct cs_sbk_spread *out);

/* How far percentiles stray: SLC-1 below the median, SLC-2 above. */
void cs_sbk_slc(const struct cs_sbk_percentiles *set, const int64_t *values,
                int *slc1, int *slc2);

/* Per second, 0 when no time has passed. */
double cs_sbk_per_s(const struct cs_sbk_figures *figures, double count);

#endif
