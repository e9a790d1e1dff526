/* read_internal.h - the parts of a profile, one reader for each. All texts
 * land in the profile's arena, errors begin with file, line and column. */
#ifndef CS_PROFILE_READ_INTERNAL_H
#define CS_PROFILE_READ_INTERNAL_H

#include "profile/yaml_internal.h"

/* Most bytes of one file. */
#define CS_PROFILE_MAX (16U << 20)

/* All bytes of fd, appended; name is for errors. */
enum cs_code cs_profile_read_all(int fd, const char *name, struct cs_buf *buf,
                                 struct cs_err *err) CS_MUST_USE;

/* Whether a name of a profile is a URL that leads elsewhere; and what stands
 * there. CS_ESYSTEM: there is no curl. */
bool cs_profile_is_remote(const char *name);
enum cs_code cs_profile_fetch(const char *url, struct cs_buf *buf,
                              struct cs_err *err) CS_MUST_USE;

enum cs_code cs_profile_read_columns(struct cs_yaml *yaml,
                                     const yaml_node_t *node,
                                     struct cs_profile *profile) CS_MUST_USE;
enum cs_code cs_profile_read_insert(struct cs_yaml *yaml,
                                    const yaml_node_t *node,
                                    struct cs_insert_spec *insert) CS_MUST_USE;
enum cs_code cs_profile_read_queries(struct cs_yaml *yaml,
                                     const yaml_node_t *node,
                                     struct cs_profile *profile) CS_MUST_USE;
enum cs_code
cs_profile_read_token_ranges(struct cs_yaml *yaml, const yaml_node_t *node,
                             struct cs_profile *profile) CS_MUST_USE;

/* Names against definitions, names as the server spells them; nodes of the
 * two definitions may be NULL. */
struct cs_profile_nodes {
    const yaml_node_t *keyspace_definition;
    const yaml_node_t *table_definition;
};

enum cs_code cs_profile_check_names(struct cs_yaml *yaml,
                                    const struct cs_profile_nodes *nodes,
                                    struct cs_profile *profile) CS_MUST_USE;

/* Values that several parts have; null: *has stays false. what names the
 * value in errors ("column 'id': size"). */
enum cs_code cs_profile_read_dist(struct cs_yaml *yaml, const yaml_node_t *node,
                                  const char *what, bool *has,
                                  struct cs_dist_spec *out) CS_MUST_USE;
enum cs_code cs_profile_read_ratio(struct cs_yaml *yaml,
                                   const yaml_node_t *node, const char *what,
                                   bool *has,
                                   struct cs_ratio_spec *out) CS_MUST_USE;
enum cs_code cs_profile_read_level(struct cs_yaml *yaml,
                                   const yaml_node_t *node, const char *what,
                                   bool serial, bool *has,
                                   enum cs_consistency *out) CS_MUST_USE;

#endif
