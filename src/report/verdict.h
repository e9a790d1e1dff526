/* verdict.h - whether the client kept up with its servers. */
#ifndef CS_REPORT_VERDICT_H
#define CS_REPORT_VERDICT_H

#include "base/buf.h"
#include "metrics/client_load.h"

enum cs_verdict {
    CS_VERDICT_KEPT_UP,
    CS_VERDICT_NEAR,   /* latencies may hold some of the client's own time */
    CS_VERDICT_BEHIND, /* they surely do, and rates are the client's */
};

/* What keeps a client from keeping up. */
enum cs_cause {
    CS_CAUSE_QUOTA, /* of its control group */
    CS_CAUSE_HOST,  /* other machines on the same host */
    CS_CAUSE_QUEUE, /* other programs on this machine */
    CS_CAUSE_ROOM,  /* its connections are as full as they may be */
    CS_CAUSE_WORK,  /* a loop has as much to do as it can */
    CS_CAUSE_LAG,   /* requests wait in a loop that has time left */
    CS_CAUSE_COUNT, /* nothing does */
};

/* service: of all operations of the run, in ns. *out: what weighs most. */
enum cs_verdict cs_verdict_of(const struct cs_client_load *load,
                              const struct cs_histogram *service,
                              enum cs_cause *out);

/* One line: the verdict, what it is drawn from, and what to change. Begins with
 * "# ". */
void cs_verdict_put(struct cs_buf *out, const struct cs_client_load *load,
                    const struct cs_histogram *service);

#endif
