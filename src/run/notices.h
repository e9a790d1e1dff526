/* notices.h - what the driver has to tell while a run goes on: the server's
 * warnings and news of the cluster, each text once. */
#ifndef CS_RUN_NOTICES_H
#define CS_RUN_NOTICES_H

#include "driver/driver.h"
#include "run/messages.h"

/* Texts that are remembered as told. */
#define CS_TOLD_MAX 64

struct cs_notices {
    size_t told_notices;     /* of the driver's list */
    char *told[CS_TOLD_MAX]; /* owned: warnings that were told */
    size_t told_count;
};

/* Told texts are kept over all runs of the process. */
void cs_notices_init(struct cs_notices *notices);
void cs_notices_release(struct cs_notices *notices);

/* Tells the driver's news. */
void cs_notices_tell_news(struct cs_notices *notices,
                          const struct cs_driver_ops *db,
                          struct cs_driver *driver, cs_message_fn print,
                          void *ctx);

/* Tells the session's warnings that are new; returns how many it has had. */
uint64_t cs_notices_tell_warnings(struct cs_notices *notices,
                                  const struct cs_driver_ops *db,
                                  struct cs_session *session,
                                  cs_message_fn print, void *ctx);

#endif
