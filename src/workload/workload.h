/* workload.h - what a command does to the database: its kinds of operations
 * with their statements and tables. Made once before the runs, then read by
 * all loops. */
#ifndef CS_WORKLOAD_WORKLOAD_H
#define CS_WORKLOAD_WORKLOAD_H

#include "driver/driver.h"
#include "generate/generator.h"
#include "profile/profile.h"
#include "settings/settings.h"

enum cs_kind_type {
    CS_KIND_WRITE, /* the predefined tables */
    CS_KIND_READ,
    CS_KIND_COUNTER_WRITE,
    CS_KIND_COUNTER_READ,
    CS_KIND_INSERT,      /* user: the generated insert */
    CS_KIND_QUERY,       /* user: a query of the profile */
    CS_KIND_TOKEN_RANGE, /* user: a token range query of the profile */
    CS_KIND_VALIDATE,    /* user: partitions read back and compared */
    CS_KIND_OLD,         /* the operation of stress or stress.py */
};

/* An UPDATE with markers behind IF: what is read before it is sent. */
struct cs_condition {
    const struct cs_statement *select; /* binds the primary key in order */
    unsigned column_count;             /* that it reads */
    uint16_t *from; /* by marker of the UPDATE: the column read that it takes,
                       or CS_NOT_READ: the generated value */
};
#define CS_NOT_READ UINT16_MAX

/* A table and how its rows are generated. */
struct cs_source {
    const struct cs_table *table;
    struct cs_column_rule *rules;
    size_t rule_count;
    const char *salt_prefix;
    bool hex_key;
    bool number_key;
    const struct cs_profile *profile;  /* NULL: a predefined table */
    const struct cs_statement *insert; /* of a profile */
    const char *insert_cql;            /* as shown to the user */
};

/* What a generator of the source's rows is made of; borrows from both. */
struct cs_generator_config cs_source_config(const struct cs_source *source,
                                            const struct cs_settings *settings);

struct cs_kind {
    const char *name; /* in reports: as typed in ops(), or READ, WRITE ... */
    enum cs_kind_type type;
    double weight;
    unsigned source;                      /* index of its table */
    const struct cs_statement *statement; /* NULL: unprepared, see cql */
    const char *cql;                      /* text with ? marks */
    const char *shown_cql; /* of the user command, for messages */
    struct cs_statement_options options;
    unsigned bind_count;
    uint16_t *bind_columns;         /* marker -> column of the table */
    unsigned key_start;             /* of a write: its first key marker */
    uint16_t key_binds[64];         /* markers of the partition key */
    unsigned key_bind_count;        /* 0: no routing by token */
    bool writes;                    /* takes write seeds */
    bool same_row;                  /* of a query */
    struct cs_dist_spec partitions; /* of an insert */
    struct cs_ratio_spec select;
    enum cs_batch_type batch_type;
    const struct cs_condition *condition;   /* of a query, or NULL */
    const struct cs_validation *validation; /* of a validate, or NULL */
};

struct cs_old_work;

struct cs_workload {
    const struct cs_settings *settings;
    const struct cs_driver_ops *db;
    struct cs_arena arena;
    struct cs_source *sources;
    unsigned source_count;
    struct cs_kind *kinds; /* sorted by name, bytewise: the order of reports */
    unsigned kind_count;
    const char **kind_names; /* in the same order */
    unsigned *typed_order;   /* kinds in the order typed: warm-up, "Running" */
    struct cs_old_work *old; /* owned; of stress and stress.py, else NULL */
};

/* Prepares all statements and sorts the kinds. profiles: of the user command,
 * in the order of the command line. On success the caller owns *out. */
enum cs_code cs_workload_new(const struct cs_settings *settings,
                             const struct cs_driver_ops *db,
                             struct cs_driver *driver,
                             struct cs_profile *const *profiles,
                             size_t profile_count, struct cs_workload **out,
                             struct cs_buf *warnings,
                             struct cs_err *err) CS_MUST_USE;
void cs_workload_free(struct cs_workload *workload);

/* Checks the names in ops() against the profiles, before connecting. */
enum cs_code cs_workload_check_ops(const struct cs_settings *settings,
                                   struct cs_profile *const *profiles,
                                   size_t profile_count,
                                   struct cs_err *err) CS_MUST_USE;

/* "WRITE" or "[insert, read1]", as the line "Running ..." names the work. */
void cs_workload_describe(struct cs_buf *buf, const struct cs_workload *w);

/* "Generating batches with [a..b] partitions and [c..d] rows (of [e..f] total
 * rows in the partitions)" of a profile's table. An error when a LOGGED batch
 * could not hold the rows; warnings get a line for huge ones. */
enum cs_code cs_workload_describe_batches(const struct cs_workload *workload,
                                          unsigned source, struct cs_buf *buf,
                                          struct cs_buf *warnings,
                                          struct cs_err *err) CS_MUST_USE;

#endif
