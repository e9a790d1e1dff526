/* client_load.h - what the client itself was like during a run: the measured
 * figures that say whether latencies are the servers' or its own. */
#ifndef CS_METRICS_CLIENT_LOAD_H
#define CS_METRICS_CLIENT_LOAD_H

#include "metrics/histogram.h"

/* Work that begins before this is in time: no clock and no loop is more exact
 * on a machine that has other things to do. */
#define CS_IN_TIME_NS INT64_C(1000000)

/* A loop that works, or wants to, for so much of a time has hardly a moment
 * left in it to wait for servers. */
#define CS_FULL_SHARE 0.95

/* Shares are 0..1 of the run's time, of the worst loop; negative: this machine
 * does not tell. */
struct cs_client_load {
    double busy;      /* on a processor */
    double idlest;    /* the same of the loop that had least to do */
    double full;      /* in seconds in which it had no moment left */
    double queued;    /* runnable, but other programs had the processors */
    double throttled; /* held back by the quota of its control group */
    double stolen; /* of the processor time that this machine wanted: what its
                      host gave to others */
    /* How long a loop waited for a processor each time it wanted one: the mean
     * of the worst loop, in ns. */
    double turn_wait_ns;
    /* How long requests waited in a loop, in ns: for each pass from its first
     * send until all of it had been written; under a rate limit also from the
     * due time of a request until the loop came to it. NULL: nothing was
     * measured. Owned by whoever holds the record. */
    struct cs_histogram *lag;
    uint64_t room_waits;  /* requests that found no room on a connection */
    int64_t room_wait_ns; /* sum of their waits */
    uint64_t late; /* operations that were late because all threads waited for
                      answers */
    unsigned loops;
    unsigned processors; /* that this process may use */
    /* How the user asks for more loops: "-loops count="; NULL: not at all. */
    const char *loops_option;
    /* Likewise for more room on connections, and more requests in flight. */
    const char *room_options;
    const char *threads_option;
};

#endif
