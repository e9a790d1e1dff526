/* setup.h - makes what a command needs in the database: keyspaces, tables,
 * further definitions; empties tables. */
#ifndef CS_WORKLOAD_SETUP_H
#define CS_WORKLOAD_SETUP_H

#include "driver/driver.h"
#include "profile/profile.h"

/* Keyspace and both tables of the predefined commands, where missing.
 * waited_ns: how long schema agreement took. */
enum cs_code cs_setup_predefined(const struct cs_settings *settings,
                                 const struct cs_driver_ops *db,
                                 struct cs_driver *driver, int64_t *waited_ns,
                                 struct cs_err *err) CS_MUST_USE;

/* Keyspace, table and index of stress and stress.py. *existed: the keyspace was
 * there before. */
enum cs_code cs_setup_old(const struct cs_settings *settings,
                          const struct cs_driver_ops *db,
                          struct cs_driver *driver, bool *existed,
                          int64_t *waited_ns, struct cs_err *err) CS_MUST_USE;

/* A profile's keyspace and table (what exists already is left as it is). A
 * keyspace that is missing and not defined is an error that shows the
 * statement which would create it. */
enum cs_code cs_setup_profile(const struct cs_profile *profile,
                              const struct cs_driver_ops *db,
                              struct cs_driver *driver, int64_t *waited_ns,
                              struct cs_err *err) CS_MUST_USE;

/* Its extra_definitions, in order, but for types: they were made before the
 * table. */
enum cs_code cs_setup_extra(const struct cs_profile *profile,
                            const struct cs_driver_ops *db,
                            struct cs_driver *driver, int64_t *waited_ns,
                            struct cs_err *err) CS_MUST_USE;

enum cs_code cs_setup_truncate(const char *keyspace, const char *table,
                               const struct cs_driver_ops *db,
                               struct cs_driver *driver, int64_t *waited_ns,
                               struct cs_err *err) CS_MUST_USE;

#endif
