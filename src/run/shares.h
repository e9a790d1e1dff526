/* shares.h - which node got how many requests of a run. */
#ifndef CS_RUN_SHARES_H
#define CS_RUN_SHARES_H

#include "driver/driver.h"
#include "run/run.h"

/* Adds the traffic of a session to the outcome's shares, node by node. Without
 * memory for them nothing is added: they are a comfort only. */
void cs_shares_add(struct cs_run_outcome *out, const struct cs_driver_ops *db,
                   struct cs_session *session);

#endif
