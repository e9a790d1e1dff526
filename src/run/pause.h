/* pause.h - how long an operation waits before an attempt is repeated. */
#ifndef CS_RUN_PAUSE_H
#define CS_RUN_PAUSE_H

#include "settings/settings.h"

/* attempts: those that failed so far, 1 or more. constant: the least delay;
 * linear: that times the attempts; exponential: doubled with each. A quarter
 * more or less by random (changed by the call), within the two limits; 0: no
 * pause. */
int64_t cs_retry_pause_ns(const struct cs_settings_errors *errors,
                          unsigned attempts, uint64_t *random);

#endif
