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

/* service: of all operations of the run, in ns. */
enum cs_verdict cs_verdict_of(const struct cs_client_load *load,
                              const struct cs_histogram *service);

/* One line: the verdict, what it is drawn from, and what to change. Begins with
 * "# ". */
void cs_verdict_put(struct cs_buf *out, const struct cs_client_load *load,
                    const struct cs_histogram *service);

#endif
