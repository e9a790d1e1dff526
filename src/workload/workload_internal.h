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

/* A profile's table as the server has it, with the profile's rules.
 * CS_EINVALID: there is no such table. */
enum cs_code cs_workload_profile_source(struct cs_workload *w,
                                        struct cs_driver *driver,
                                        const struct cs_profile *profile,
                                        struct cs_source *source,
                                        struct cs_buf *warnings,
                                        struct cs_err *err) CS_MUST_USE;

/* The predefined table for writes and reads, or that of counters. */
enum cs_code cs_workload_predefined_source(struct cs_workload *w, bool counters,
                                           struct cs_source *source,
                                           struct cs_err *err) CS_MUST_USE;

/* Adds a profile's table to w->sources, with its insert prepared. */
enum cs_code cs_workload_add_source(struct cs_workload *w,
                                    struct cs_driver *driver,
                                    const struct cs_profile *profile,
                                    struct cs_buf *warnings,
                                    struct cs_err *err) CS_MUST_USE;

/* level.c: a serial level asked for by cl= is the level of a read, but of a
 * conditional write its serial level, which then goes out at LOCAL_ONE. A write
 * without a condition has none: refused, options as they were. */
enum cs_code cs_workload_settle_level(const char *cql,
                                      struct cs_statement_options *options,
                                      struct cs_err *err) CS_MUST_USE;

/* Tables, inserts and kinds of the user command. */
enum cs_code cs_workload_add_profiles(struct cs_workload *w,
                                      struct cs_driver *driver,
                                      struct cs_profile *const *profiles,
                                      size_t profile_count,
                                      struct cs_buf *warnings,
                                      struct cs_err *err) CS_MUST_USE;

/* old_setup.c: the one kind of stress and stress.py, and w->old, which the
 * workload frees. */
enum cs_code cs_workload_add_old(struct cs_workload *w,
                                 struct cs_driver *driver,
                                 struct cs_err *err) CS_MUST_USE;
void cs_old_work_free(struct cs_old_work *work);

/* validation.c: makes the kind the validation of its source's table. */
enum cs_code cs_workload_validate_kind(struct cs_workload *w,
                                       struct cs_driver *driver,
                                       struct cs_kind *kind,
                                       struct cs_err *err) CS_MUST_USE;

/* table_advice.c: what surprises about the tables of profiles and their
 * inserts, one line each; out may be NULL. */
void cs_workload_advise_tables(const struct cs_workload *w, struct cs_buf *out);

/* paths.c: warns of entries in columnspec that are about nothing. */
void cs_workload_check_specs(const struct cs_profile *profile,
                             const struct cs_table *table,
                             struct cs_buf *warnings);

/* token_statement.c: makes the kind a token range query of its source's
 * profile. */
enum cs_code cs_workload_token_kind(struct cs_workload *w, struct cs_kind *kind,
                                    const struct cs_token_range_spec *spec,
                                    struct cs_err *err) CS_MUST_USE;

/* condition.c: what a query's condition needs to be read first; nothing without
 * a marker behind IF, and in data of releases before 4.0. */
enum cs_code cs_workload_condition(struct cs_workload *w,
                                   struct cs_driver *driver,
                                   struct cs_kind *kind,
                                   const struct cs_query_spec *query,
                                   struct cs_err *err) CS_MUST_USE;

#endif
