/* profile.c - the top level of a profile: its keys, what must be there, and
 * the life of struct cs_profile. */
#include "profile/profile.h"

#include <stdlib.h>

#include "profile/read_internal.h"

static const char *const root_keys[] = {
    "specname",         "keyspace",           "keyspace_definition", "table",
    "table_definition", "extra_definitions",  "columnspec",          "insert",
    "queries",          "token_range_queries"};

/* Keys of inner sections, found at the root when the indentation is wrong. */
static const struct {
    const char *key;
    const char *section;
} inner_keys[] = {
    {"cql", "queries"},        {"fields", "queries"},
    {"partitions", "insert"},  {"select", "insert"},
    {"batchtype", "insert"},   {"condition", "insert"},
    {"name", "columnspec"},    {"size", "columnspec"},
    {"cluster", "columnspec"}, {"population", "columnspec"},
    {"family", "columnspec"},  {"page_size", "token_range_queries"},
};

static enum cs_code refuse_inner_keys(struct cs_yaml *yaml,
                                      const struct cs_yaml_map *map)
{
    for (size_t i = 0; i < CS_COUNT(inner_keys); i++) {
        const struct cs_yaml_entry *entry =
            cs_yaml_find(map, inner_keys[i].key);

        if (entry)
            return cs_yaml_fail(yaml, entry->key_node,
                                "unknown key '%s'; it belongs under '%s', "
                                "indented",
                                entry->key, inner_keys[i].section);
    }
    return CS_OK;
}

static const yaml_node_t *value_of(const struct cs_yaml_map *map,
                                   const char *key)
{
    const struct cs_yaml_entry *entry = cs_yaml_find(map, key);

    return entry ? entry->value : NULL;
}

static enum cs_code read_text(struct cs_yaml *yaml,
                              const struct cs_yaml_map *map, const char *key,
                              const char **out)
{
    enum cs_code rc = cs_yaml_text(yaml, value_of(map, key), key, out);

    if (!rc && *out && !(*out)[strspn(*out, " \t\r\n")])
        *out = NULL; /* as if it were not there */
    return rc;
}

static enum cs_code read_names(struct cs_yaml *yaml,
                               const struct cs_yaml_map *map,
                               struct cs_profile *profile)
{
    struct {
        const char *key;
        const char **text;
    } names[] = {
        {"specname", &profile->spec_name},
        {"keyspace", &profile->keyspace},
        {"keyspace_definition", &profile->keyspace_definition},
        {"table", &profile->table},
        {"table_definition", &profile->table_definition},
    };
    enum cs_code rc = CS_OK;

    for (size_t i = 0; !rc && i < CS_COUNT(names); i++)
        rc = read_text(yaml, map, names[i].key, names[i].text);
    if (rc)
        return rc;
    if (profile->keyspace_definition)
        profile->keyspace_definition_place =
            cs_yaml_text_place(yaml, value_of(map, "keyspace_definition"));
    if (profile->table_definition)
        profile->table_definition_place =
            cs_yaml_text_place(yaml, value_of(map, "table_definition"));
    return CS_OK;
}

static enum cs_code require(struct cs_yaml *yaml, const struct cs_yaml_map *map,
                            const struct cs_profile *profile)
{
    if (!profile->keyspace)
        return cs_fail(yaml->err, CS_EINVALID,
                       "%s: keyspace name is required: 'keyspace: NAME'",
                       yaml->name);
    if (!profile->table)
        return cs_fail(yaml->err, CS_EINVALID,
                       "%s: table name is required: 'table: NAME'", yaml->name);
    if (cs_yaml_is_null(value_of(map, "queries")))
        return cs_fail(yaml->err, CS_EINVALID,
                       "%s: queries map is required ('queries: {}' for none)",
                       yaml->name);
    return CS_OK;
}

static enum cs_code read_extra(struct cs_yaml *yaml, const yaml_node_t *node,
                               struct cs_profile *profile)
{
    size_t count;
    enum cs_code rc = cs_yaml_list(yaml, node, "extra_definitions", &count);

    profile->has_extra = !cs_yaml_is_null(node);
    if (rc || !count)
        return rc;
    profile->extra_definitions =
        cs_arena_array(yaml->arena, count, sizeof(char *));
    profile->extra_places =
        cs_arena_array(yaml->arena, count, sizeof(struct cs_place));
    if (!profile->extra_definitions || !profile->extra_places)
        return cs_fail(yaml->err, CS_ENOMEM, "%s: out of memory", yaml->name);
    for (size_t i = 0; !rc && i < count; i++) {
        const yaml_node_t *item = cs_yaml_item(yaml, node, i);
        const char **text = &profile->extra_definitions[i];

        rc = cs_yaml_text(yaml, item, "extra_definitions", text);
        if (!rc && !*text)
            rc = cs_yaml_fail(yaml, item,
                              "extra_definitions: an entry without text");
        profile->extra_places[i] = cs_yaml_text_place(yaml, item);
        profile->extra_count += !rc;
    }
    return rc;
}

static enum cs_code default_spec_name(struct cs_yaml *yaml,
                                      struct cs_profile *profile)
{
    if (!profile->spec_name)
        profile->spec_name = cs_arena_printf(yaml->arena, "%s.%s",
                                             profile->keyspace, profile->table);
    if (!profile->spec_name)
        return cs_fail(yaml->err, CS_ENOMEM, "%s: out of memory", yaml->name);
    return CS_OK;
}

static enum cs_code read_sections(struct cs_yaml *yaml,
                                  const struct cs_yaml_map *map,
                                  struct cs_profile *profile)
{
    enum cs_code rc =
        read_extra(yaml, value_of(map, "extra_definitions"), profile);

    if (!rc)
        rc =
            cs_profile_read_columns(yaml, value_of(map, "columnspec"), profile);
    if (!rc)
        rc = cs_profile_read_insert(yaml, value_of(map, "insert"),
                                    &profile->insert);
    if (!rc)
        rc = cs_profile_read_queries(yaml, value_of(map, "queries"), profile);
    if (!rc)
        rc = cs_profile_read_token_ranges(
            yaml, value_of(map, "token_range_queries"), profile);
    return rc;
}

static enum cs_code read_root(struct cs_yaml *yaml, struct cs_profile *profile)
{
    struct cs_profile_nodes nodes;
    struct cs_yaml_map map;
    enum cs_code rc =
        cs_yaml_expect_mapping(yaml, cs_yaml_root(yaml), "profile");

    if (!rc)
        rc = cs_yaml_map(yaml, cs_yaml_root(yaml), "profile", false, &map);
    if (!rc)
        rc = refuse_inner_keys(yaml, &map);
    if (!rc)
        rc =
            cs_yaml_expect_keys(yaml, &map, root_keys, CS_COUNT(root_keys), "");
    if (!rc)
        rc = read_names(yaml, &map, profile);
    if (!rc)
        rc = require(yaml, &map, profile);
    if (!rc)
        rc = default_spec_name(yaml, profile);
    if (!rc)
        rc = read_sections(yaml, &map, profile);
    if (rc)
        return rc;
    nodes.keyspace_definition = value_of(&map, "keyspace_definition");
    nodes.table_definition = value_of(&map, "table_definition");
    return cs_profile_check_names(yaml, &nodes, profile);
}

enum cs_code cs_profile_parse(const char *name, const char *text, size_t size,
                              struct cs_profile **out, struct cs_buf *warnings,
                              struct cs_err *err)
{
    struct cs_profile *profile = calloc(1, sizeof(*profile));
    struct cs_yaml yaml = {.name = name, .warnings = warnings, .err = err};
    enum cs_code rc;

    if (!profile)
        return cs_fail(err, CS_ENOMEM, "%s: out of memory", name);
    cs_arena_init(&profile->arena);
    yaml.arena = &profile->arena;
    rc = cs_yaml_load(&yaml, text, size);
    if (!rc)
        rc = read_root(&yaml, profile);
    cs_yaml_release(&yaml);
    if (!rc) {
        profile->path = cs_arena_text(&profile->arena, name);
        if (!profile->path)
            rc = cs_fail(err, CS_ENOMEM, "%s: out of memory", name);
    }
    if (rc)
        cs_profile_free(profile);
    else
        *out = profile;
    return rc;
}

void cs_profile_free(struct cs_profile *profile)
{
    if (!profile)
        return;
    cs_arena_release(&profile->arena);
    free(profile);
}
