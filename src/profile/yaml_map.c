/* yaml_map.c - a mapping without its surprises: anchors followed, merge keys
 * laid under the own keys, of repeated keys the last. */
#include "profile/yaml_internal.h"

#include <stdio.h>

#include "base/text.h"

/* Most keys of one mapping, merged ones included; also bounds the work that
 * merge keys within merge keys can ask for. */
#define ENTRIES_MAX 4096
#define MERGE_DEPTH 8

static bool same_key(const struct cs_yaml_map *map, const char *a,
                     const char *b)
{
    return map->any_case ? cs_same_word(a, b) : strcmp(a, b) == 0;
}

static struct cs_yaml_entry *find_entry(const struct cs_yaml_map *map,
                                        const char *key)
{
    for (size_t i = 0; i < map->count; i++)
        if (same_key(map, map->entries[i].key, key))
            return &map->entries[i];
    return NULL;
}

const struct cs_yaml_entry *cs_yaml_find(const struct cs_yaml_map *map,
                                         const char *key)
{
    return find_entry(map, key);
}

static enum cs_code append(struct cs_yaml *yaml, struct cs_yaml_map *map,
                           struct cs_yaml_entry entry)
{
    if (map->count == map->cap) {
        size_t cap = map->cap ? 2 * map->cap : 16;
        struct cs_yaml_entry *grown =
            cs_arena_array(yaml->arena, cap, sizeof(*grown));

        if (!grown)
            return cs_fail(yaml->err, CS_ENOMEM, "%s: out of memory",
                           yaml->name);
        if (map->count)
            memcpy(grown, map->entries, map->count * sizeof(*grown));
        map->entries = grown;
        map->cap = cap;
    }
    map->entries[map->count++] = entry;
    return CS_OK;
}

static bool is_merge(const yaml_node_t *key)
{
    return key->type == YAML_SCALAR_NODE &&
           key->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           strcmp((const char *)key->data.scalar.value, "<<") == 0;
}

/* One own key. */
static enum cs_code put_own(struct cs_yaml *yaml, struct cs_yaml_map *map,
                            struct cs_yaml_entry entry)
{
    struct cs_yaml_entry *old = find_entry(map, entry.key);

    if (!old)
        return append(yaml, map, entry);
    cs_yaml_warn(yaml, entry.key_node,
                 "'%s' is given twice (first in line %d); the last one counts",
                 entry.key, cs_yaml_place(old->key_node).line);
    *old = entry;
    return CS_OK;
}

static enum cs_code key_text(struct cs_yaml *yaml, const yaml_node_t *key,
                             const char *what, const char **out)
{
    if (key->type == YAML_SCALAR_NODE && cs_yaml_is_null(key)) {
        *out = cs_arena_text(yaml->arena, (const char *)key->data.scalar.value);
        return *out ? CS_OK : cs_fail(yaml->err, CS_ENOMEM, "out of memory");
    }
    return cs_yaml_text(yaml, key, what, out);
}

/* Keys of this mapping alone, in a map of their own. */
static enum cs_code read_own(struct cs_yaml *yaml, const yaml_node_t *node,
                             const char *what, struct cs_yaml_map *map)
{
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    enum cs_code rc = CS_OK;

    for (; !rc && pair < node->data.mapping.pairs.top; pair++) {
        struct cs_yaml_entry entry = {
            .key_node = yaml_document_get_node(&yaml->document, pair->key),
            .value = yaml_document_get_node(&yaml->document, pair->value),
        };

        if (is_merge(entry.key_node))
            continue;
        rc = key_text(yaml, entry.key_node, what, &entry.key);
        if (!rc && map->count >= ENTRIES_MAX)
            rc = cs_yaml_fail(yaml, entry.key_node, "%s: more than %d keys",
                              what, ENTRIES_MAX);
        if (!rc)
            rc = put_own(yaml, map, entry);
    }
    return rc;
}

struct merge {
    struct cs_yaml_map *into;
    int budget; /* pairs that may still be looked at */
};

static enum cs_code merge_pairs(struct cs_yaml *yaml, const yaml_node_t *node,
                                const char *what, struct merge *merge,
                                int depth);

static enum cs_code merge_value(struct cs_yaml *yaml, const yaml_node_t *value,
                                const char *what, struct merge *merge,
                                int depth)
{
    enum cs_code rc = CS_OK;
    size_t count;

    if (value->type == YAML_MAPPING_NODE)
        return merge_pairs(yaml, value, what, merge, depth);
    if (value->type != YAML_SEQUENCE_NODE)
        return cs_yaml_fail(yaml, value, "%s: expected a mapping behind '<<'",
                            what);
    rc = cs_yaml_list(yaml, value, what, &count);
    for (size_t i = 0; !rc && i < count; i++) {
        const yaml_node_t *item = cs_yaml_item(yaml, value, i);

        if (item->type != YAML_MAPPING_NODE)
            return cs_yaml_fail(yaml, item,
                                "%s: expected a mapping behind '<<'", what);
        rc = merge_pairs(yaml, item, what, merge, depth);
    }
    return rc;
}

/* One key that comes from elsewhere: only where there is none yet. */
static enum cs_code put_merged(struct cs_yaml *yaml, const char *what,
                               struct merge *merge, struct cs_yaml_entry entry)
{
    enum cs_code rc = key_text(yaml, entry.key_node, what, &entry.key);

    if (rc || find_entry(merge->into, entry.key))
        return rc;
    return append(yaml, merge->into, entry);
}

/* Own keys of the merged mapping first: they hide what it merges itself. */
static enum cs_code merge_pairs(struct cs_yaml *yaml, const yaml_node_t *node,
                                const char *what, struct merge *merge,
                                int depth)
{
    const yaml_node_pair_t *top = node->data.mapping.pairs.top;
    enum cs_code rc = CS_OK;

    if (depth > MERGE_DEPTH)
        return cs_yaml_fail(yaml, node, "%s: merge keys nest too deeply", what);
    for (int merges = 0; merges < 2; merges++)
        for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
             !rc && pair < top; pair++) {
            struct cs_yaml_entry entry = {
                .key_node = yaml_document_get_node(&yaml->document, pair->key),
                .value = yaml_document_get_node(&yaml->document, pair->value),
            };

            if (merge->budget-- <= 0)
                return cs_yaml_fail(yaml, node, "%s: too many merged keys",
                                    what);
            if (is_merge(entry.key_node) != (merges == 1))
                continue;
            rc = merges ? merge_value(yaml, entry.value, what, merge, depth + 1)
                        : put_merged(yaml, what, merge, entry);
        }
    return rc;
}

enum cs_code cs_yaml_map(struct cs_yaml *yaml, const yaml_node_t *node,
                         const char *what, bool any_case,
                         struct cs_yaml_map *out)
{
    struct merge merge = {.into = out, .budget = 4 * ENTRIES_MAX};
    enum cs_code rc;

    *out = (struct cs_yaml_map){.any_case = any_case};
    if (cs_yaml_is_null(node))
        return CS_OK;
    rc = cs_yaml_expect_mapping(yaml, node, what);
    if (!rc)
        rc = read_own(yaml, node, what, out);
    if (!rc)
        rc = merge_pairs(yaml, node, what, &merge, 0);
    return rc;
}

static bool known(const struct cs_yaml_map *map, const char *key,
                  const char *const *keys, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (same_key(map, keys[i], key))
            return true;
    return false;
}

/* A few edits away, or the first one that begins like it. */
static const char *nearest_key(const char *key, const char *const *keys,
                               size_t count)
{
    const char *near = cs_nearest(key, keys, count);
    size_t size = strlen(key);

    for (size_t i = 0; !near && size > 3 && i < count; i++)
        if (cs_starts_with_word(keys[i], key))
            near = keys[i];
    return near;
}

static enum cs_code unknown_key(struct cs_yaml *yaml,
                                const struct cs_yaml_entry *entry,
                                const char *const *keys, size_t count,
                                const char *where)
{
    const char *near = nearest_key(entry->key, keys, count);
    const char *glue = *where ? ": " : "";
    char list[256] = "";

    if (near)
        return cs_yaml_fail(yaml, entry->key_node,
                            "%s%sunknown key '%s', did you mean '%s'?", where,
                            glue, entry->key, near);
    for (size_t i = 0; i < count; i++) {
        size_t used = strlen(list);

        snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "",
                 keys[i]);
    }
    return cs_yaml_fail(yaml, entry->key_node,
                        "%s%sunknown key '%s', expected one of %s", where, glue,
                        entry->key, list);
}

enum cs_code cs_yaml_expect_keys(struct cs_yaml *yaml,
                                 const struct cs_yaml_map *map,
                                 const char *const *keys, size_t count,
                                 const char *where)
{
    for (size_t i = 0; i < map->count; i++)
        if (!known(map, map->entries[i].key, keys, count))
            return unknown_key(yaml, &map->entries[i], keys, count, where);
    return CS_OK;
}
