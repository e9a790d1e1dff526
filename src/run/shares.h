/* shares.h - which node got how many requests of a run. */
#ifndef CS_RUN_SHARES_H
#define CS_RUN_SHARES_H

#include "driver/driver.h"
#include "metrics/results.h"

struct cs_shares {
    struct cs_node_share *list; /* owned; NULL: none */
    size_t count;
};

/* Adds the traffic of a session, node by node. Without memory for it nothing is
 * added: it is a comfort only. By the main thread. */
void cs_shares_add(struct cs_shares *shares, const struct cs_driver_ops *db,
                   struct cs_session *session);
void cs_shares_release(struct cs_shares *shares);

#endif
