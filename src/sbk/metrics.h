/* metrics.h - the Prometheus page, under the names of each release. */
#ifndef CS_SBK_METRICS_H
#define CS_SBK_METRICS_H

#include "sbk/fields.h"

/* What the counters have come to; the gauges show one window. */
struct cs_sbk_counters {
    struct cs_sbk_figures sums;
};

void cs_sbk_counters_add(struct cs_sbk_counters *counters,
                         const struct cs_sbk_figures *window);

/* figures, spread: of the last window, zero before the first (but for action
 * and unit). Latencies are in nanoseconds, whatever the unit. */
void cs_sbk_put_metrics(enum cs_sbk_format format,
                        const struct cs_sbk_figures *figures,
                        const struct cs_sbk_spread *spread,
                        const struct cs_sbk_counters *counters,
                        struct cs_buf *out);

#endif
