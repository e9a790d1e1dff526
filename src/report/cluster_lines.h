/* cluster_lines.h - how a run met its cluster: what became of the requests,
 * which nodes had them, what the consistency level cost, and whether the client
 * kept up. The same lines in the reports of all personalities. */
#ifndef CS_REPORT_CLUSTER_LINES_H
#define CS_REPORT_CLUSTER_LINES_H

#include "base/buf.h"
#include "metrics/results.h"

/* All borrowed. */
struct cs_cluster_facts {
    int64_t start_ns; /* monotonic: of the run */
    const struct cs_node_share *shares;
    size_t share_count;
    const struct cs_extra *extra; /* fan-outs and client */
    const struct cs_histogram *service;
};

/* Each line begins with "# ". What says nothing is left out: shares of a single
 * node, roles without replicas to choose from, one copy of each row. */
void cs_put_cluster_lines(struct cs_buf *out,
                          const struct cs_cluster_facts *facts);

/* started = the sum of the others, unless we are wrong. */
struct cs_book {
    uint64_t started;
    uint64_t acknowledged;
    uint64_t failed;
    uint64_t unknown; /* nobody knows whether they had their effect */
};

void cs_put_book(struct cs_buf *out, const struct cs_book *book);

#endif
