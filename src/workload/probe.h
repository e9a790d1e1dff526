/* probe.h - which data dialect an existing table was written in. */
#ifndef CS_WORKLOAD_PROBE_H
#define CS_WORKLOAD_PROBE_H

#include "driver/driver.h"
#include "profile/profile.h"

struct cs_probe {
    enum cs_dialect dialect; /* found, or that of the level */
    bool decided;            /* false: the tables did not tell */
    char words[512];         /* why; for the user, without a full stop */
};

/* Reads at most ten partitions of the population, as each dialect would have
 * written them, from every table of the command. Before anything is written.
 */
enum cs_code cs_workload_probe(const struct cs_settings *settings,
                               const struct cs_driver_ops *db,
                               struct cs_driver *driver,
                               struct cs_profile *const *profiles,
                               size_t profile_count, struct cs_probe *out,
                               struct cs_err *err) CS_MUST_USE;

#endif
