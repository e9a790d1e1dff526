/* profile.h - a user profile: what its YAML says, checked, with the place of
 * each part for later messages. */
#ifndef CS_PROFILE_PROFILE_H
#define CS_PROFILE_PROFILE_H

#include "base/arena.h"
#include "random/dist.h"
#include "settings/settings.h"

/* Where something stands in the file; line 0: it does not. */
struct cs_place {
    int line;
    int column;
    /* Of a literal block ('|'), which begins in the line below: blanks before
     * each of its lines. 0: something else. */
    int indent;
};

struct cs_column_spec {
    const char *name; /* as spelled in the profile */
    struct cs_place place;
    bool has_population, has_size, has_cluster;
    struct cs_dist_spec population;
    struct cs_dist_spec size;
    struct cs_dist_spec cluster;
    unsigned family; /* of addresses: 4 or 6; 0: not given */
};

struct cs_query_spec {
    const char *name; /* as spelled in the profile */
    struct cs_place place;
    const char *cql;
    bool same_row;           /* fields: samerow; else multirow */
    const char *fields_text; /* as spelled, or NULL */
    bool has_cl, has_serial_cl;
    enum cs_consistency cl, serial_cl;
};

struct cs_token_range_spec {
    const char *name;
    struct cs_place place;
    const char *columns;
    int page_size; /* rows */
};

struct cs_insert_spec {
    bool has_partitions, has_select;
    struct cs_dist_spec partitions;
    struct cs_ratio_spec select;
    enum cs_batch_type batch_type; /* CS_BATCH_UNSET: not given */
    const char *condition;         /* or NULL */
    bool has_cl, has_serial_cl;    /* else those of the command */
    enum cs_consistency cl, serial_cl;
    struct cs_key_value *as_typed; /* for the dump, in file order */
    size_t typed_count;
};

struct cs_profile {
    struct cs_arena arena;     /* all texts */
    const char *path;          /* as typed */
    const char *spec_name;     /* specname, or keyspace.table */
    const char *keyspace;      /* as spelled in the profile */
    const char *keyspace_name; /* as the server spells it: the definition's
                                  quoting decides; without one: lower case
                                  unless quoted in the profile */
    const char *table;
    const char *table_name;
    const char *keyspace_definition; /* or NULL */
    const char *table_definition;    /* or NULL */
    struct cs_place keyspace_definition_place;
    struct cs_place table_definition_place;
    const char **extra_definitions;
    struct cs_place *extra_places; /* one per extra definition */
    size_t extra_count;
    bool has_extra; /* the key was given */
    struct cs_column_spec *columns;
    size_t column_count;
    struct cs_insert_spec insert;
    struct cs_query_spec *queries;
    size_t query_count;
    struct cs_token_range_spec *token_ranges;
    size_t token_range_count;
};

/* Reads one file (path, or file: URL). Errors: "users.yaml:12:17: column
 * 'id': unknown distribution 'GAUS', try 'GAUSSIAN'". warnings (may be NULL)
 * gets one line each, ended by a newline. On success the caller owns *out. */
enum cs_code cs_profile_load(const char *path, struct cs_profile **out,
                             struct cs_buf *warnings,
                             struct cs_err *err) CS_MUST_USE;
void cs_profile_free(struct cs_profile *profile);

/* The same from text, for tests and fuzzing; name stands for the path. */
enum cs_code cs_profile_parse(const char *name, const char *text, size_t size,
                              struct cs_profile **out, struct cs_buf *warnings,
                              struct cs_err *err) CS_MUST_USE;

/* The profile's part of the settings dump, from
 * "  Keyspace Name:" to the insert settings. */
void cs_profile_describe(struct cs_buf *buf, const struct cs_profile *profile);

#endif
