/* fan_out.h - how many replicas each request of a workload has to wait for. */
#ifndef CS_RUN_FAN_OUT_H
#define CS_RUN_FAN_OUT_H

#include "metrics/results.h"
#include "workload/workload.h"

/* Adds what the levels of all kinds mean, each once. */
void cs_fan_outs_add(const struct cs_workload *workload,
                     struct cs_driver *driver, struct cs_extra *extra);

/* Adds what the level of a statement means, unless it is there; statement NULL:
 * of any request with these options. */
void cs_fan_out_add(const struct cs_driver_ops *db, struct cs_driver *driver,
                    const struct cs_statement *statement,
                    const struct cs_statement_options *options,
                    struct cs_extra *extra);

/* Answers that a coordinator waits for at this level. */
unsigned cs_fan_out_waits(enum cs_consistency cl,
                          const struct cs_copies *copies);

#endif
