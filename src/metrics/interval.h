/* interval.h - what happened in some span of time, by kind of operation: the
 * plain numbers that reports read. Adding is exact. */
#ifndef CS_METRICS_INTERVAL_H
#define CS_METRICS_INTERVAL_H

#include "metrics/histogram.h"

#include <stdbool.h>

/* One kind of operation. */
struct cs_tally {
    bool seen; /* a sample has come by now in this run */
    /* Where its rates count from: in an interval the interval's start; in the
     * run the start of the interval of its first sample. */
    int64_t first_start_ns;
    uint64_t operations;
    uint64_t partitions;
    uint64_t rows;
    uint64_t errors;               /* failed operations */
    struct cs_histogram *service;  /* owned; ns, failed ones included */
    struct cs_histogram *failed;   /* owned; service time of the failed ones */
    struct cs_histogram *response; /* owned; empty without a rate limit */
    struct cs_histogram *wait;     /* owned; empty without a rate limit */
};

/* Pauses of the servers; always zero where nobody can ask for them. */
struct cs_pauses {
    double count;
    double bytes; /* reclaimed */
    double longest_ms;
    double sum_ms;
    double sum_of_squares; /* ms squared */
};

struct cs_interval {
    int64_t start_ns; /* monotonic */
    int64_t end_ns;
    unsigned kind_count;
    struct cs_tally *kinds; /* owned */
    struct cs_tally total;
    struct cs_pauses pauses;
};

/* release takes zeroed and half-built ones. */
enum cs_code cs_interval_init(struct cs_interval *interval, unsigned kind_count,
                              struct cs_err *err) CS_MUST_USE;
void cs_interval_release(struct cs_interval *interval);

/* Empty again; keeps seen and first_start_ns. */
void cs_interval_clear(struct cs_interval *interval);

/* The sum of both spans: counts, histograms, pauses, the later end. seen and
 * first_start_ns of `to` stay. */
void cs_interval_add(struct cs_interval *to, const struct cs_interval *from);

enum cs_code cs_tally_init(struct cs_tally *tally,
                           struct cs_err *err) CS_MUST_USE;
void cs_tally_release(struct cs_tally *tally);
void cs_tally_clear(struct cs_tally *tally);
void cs_tally_add(struct cs_tally *to, const struct cs_tally *from);

#endif
