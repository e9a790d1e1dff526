/* client_load.h - what the client itself was like during a run: the measured
 * figures that say whether latencies are the servers' or its own. */
#ifndef CS_METRICS_CLIENT_LOAD_H
#define CS_METRICS_CLIENT_LOAD_H

#include "metrics/histogram.h"

/* Shares are 0..1 of the run's time, of the worst loop; negative: this machine
 * does not tell. */
struct cs_client_load {
    double busy;      /* on a processor */
    double queued;    /* runnable, but other programs had the processors */
    double throttled; /* held back by the quota of its control group */
    /* How long requests waited in a loop, in ns: for each pass from its first
     * send until all of it had been written; under a rate limit also from the
     * due time of a request until the loop came to it. NULL: nothing was
     * measured. Owned by whoever holds the record. */
    struct cs_histogram *lag;
    unsigned loops;
    unsigned processors; /* that this process may use */
    /* How the user asks for more loops: "-loops count="; NULL: not at all. */
    const char *loops_option;
};

#endif
