/* yaml_internal.h - one YAML document as the readers of this room want it:
 * mappings without merge keys and repeats, text instead of scalars, and every
 * message with its place in the file. */
#ifndef CS_PROFILE_YAML_INTERNAL_H
#define CS_PROFILE_YAML_INTERNAL_H

#include "profile/profile.h"

#include <yaml.h>

struct cs_yaml {
    const char *name; /* of the file, for messages; borrowed */
    const char *text; /* of the file, while it is read; borrowed */
    size_t size;
    yaml_document_t document;
    bool loaded;             /* document holds something to give back */
    struct cs_arena *arena;  /* all texts go here; borrowed */
    struct cs_buf *warnings; /* or NULL; borrowed */
    struct cs_err *err;      /* or NULL; borrowed */
};

struct cs_yaml_entry {
    const char *key;
    const yaml_node_t *key_node;
    const yaml_node_t *value;
};

/* A mapping: own keys in file order, then what merge keys add. */
struct cs_yaml_map {
    struct cs_yaml_entry *entries; /* in the arena */
    size_t count;
    size_t cap;
    bool any_case; /* keys are compared without regard to case */
};

/* Reads the one document of the text. The caller has filled name, arena,
 * warnings and err; cs_yaml_release also after a failure. */
enum cs_code cs_yaml_load(struct cs_yaml *yaml, const char *text,
                          size_t size) CS_MUST_USE;
void cs_yaml_release(struct cs_yaml *yaml);

const yaml_node_t *cs_yaml_root(struct cs_yaml *yaml);

/* NULL, an empty plain value, or one of YAML's words for null. */
bool cs_yaml_is_null(const yaml_node_t *node);
struct cs_place cs_yaml_place(const yaml_node_t *node);
/* The same of a text that has lines of its own. */
struct cs_place cs_yaml_text_place(const struct cs_yaml *yaml,
                                   const yaml_node_t *node);

/* CS_EINVALID with "name:line:column: " in front. */
enum cs_code cs_yaml_fail(struct cs_yaml *yaml, const yaml_node_t *at,
                          const char *fmt, ...) CS_PRINTF(3, 4);

/* Puts "name:line:column: <words>: " before the error of another room. */
enum cs_code cs_yaml_while(struct cs_yaml *yaml, const yaml_node_t *at,
                           const char *fmt, ...) CS_PRINTF(3, 4);
void cs_yaml_warn(struct cs_yaml *yaml, const yaml_node_t *at, const char *fmt,
                  ...) CS_PRINTF(3, 4);

/* The text of a scalar, NULL for null; what names the value in errors. */
enum cs_code cs_yaml_text(struct cs_yaml *yaml, const yaml_node_t *node,
                          const char *what, const char **out) CS_MUST_USE;

enum cs_code cs_yaml_expect_mapping(struct cs_yaml *yaml,
                                    const yaml_node_t *node,
                                    const char *what) CS_MUST_USE;

/* The entries of a mapping; null: none. Of a repeated key the last value
 * stays, at the first one's place in the order, and a warning is written. */
enum cs_code cs_yaml_map(struct cs_yaml *yaml, const yaml_node_t *node,
                         const char *what, bool any_case,
                         struct cs_yaml_map *out) CS_MUST_USE;

/* The entry of this key, or NULL. */
const struct cs_yaml_entry *cs_yaml_find(const struct cs_yaml_map *map,
                                         const char *key);

/* An error that names the first key that is none of these, where says whose
 * key it is ("" at the root). */
enum cs_code cs_yaml_expect_keys(struct cs_yaml *yaml,
                                 const struct cs_yaml_map *map,
                                 const char *const *keys, size_t count,
                                 const char *where) CS_MUST_USE;

/* Elements of a list; null: none. */
enum cs_code cs_yaml_list(struct cs_yaml *yaml, const yaml_node_t *node,
                          const char *what, size_t *count) CS_MUST_USE;
const yaml_node_t *cs_yaml_item(struct cs_yaml *yaml, const yaml_node_t *list,
                                size_t index);

#endif
