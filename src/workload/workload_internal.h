/* workload_internal.h - the parts of making a workload. */
#ifndef CS_WORKLOAD_WORKLOAD_INTERNAL_H
#define CS_WORKLOAD_WORKLOAD_INTERNAL_H

#include "workload/statements.h"
#include "workload/workload.h"

struct cs_statement_options cs_workload_options(const struct cs_settings *s,
                                                bool is_read);

/* Partitions, select and batch type of a profile's insert: the command line
 * wins, then the profile, then the defaults: LOGGED, but COUNTER for a table
 * of counters. */
void cs_workload_insert_rules(const struct cs_workload *w,
                              struct cs_kind *kind);

/* Adds a profile's table to w->sources, with its insert prepared. */
enum cs_code cs_workload_add_source(struct cs_workload *w,
                                    struct cs_driver *driver,
                                    const struct cs_profile *profile,
                                    struct cs_buf *warnings,
                                    struct cs_err *err) CS_MUST_USE;

/* Tables, inserts and kinds of the user command. */
enum cs_code cs_workload_add_profiles(struct cs_workload *w,
                                      struct cs_driver *driver,
                                      struct cs_profile *const *profiles,
                                      size_t profile_count,
                                      struct cs_buf *warnings,
                                      struct cs_err *err) CS_MUST_USE;

#endif
