/* read_columns.c - the section columnspec. */
#include "profile/read_internal.h"

#include <stdio.h>

static const char *const keys[] = {"name", "population", "size", "cluster",
                                   "family"};

/* The spec of that name, else the next free one. Of two the last counts, as
 * with repeated keys. */
static struct cs_column_spec *place_for(struct cs_yaml *yaml,
                                        const yaml_node_t *node,
                                        struct cs_profile *profile,
                                        const char *name)
{
    for (size_t i = 0; i < profile->column_count; i++) {
        struct cs_column_spec *spec = &profile->columns[i];

        if (strcmp(spec->name, name) != 0)
            continue;
        cs_yaml_warn(yaml, node,
                     "column '%s' is specified twice (first in line %d); the "
                     "last one counts",
                     name, spec->place.line);
        return spec;
    }
    return &profile->columns[profile->column_count++];
}

/* How many characters, elements or rows: never fewer than none. A seq() counts
 * below its range where it is seeded so; its range is what was meant. */
static enum cs_code expect_counts(struct cs_yaml *yaml, const yaml_node_t *node,
                                  const char *what,
                                  const struct cs_dist_spec *dist)
{
    int64_t least = dist->kind == CS_DIST_SEQ
                        ? CS_MIN(cs_dist_min(dist), cs_dist_max(dist))
                        : cs_dist_least(dist);

    if (least >= 0)
        return CS_OK;
    return cs_yaml_fail(yaml, node, "%s: values from %lld, expected 0 or more",
                        what, (long long)least);
}

static enum cs_code read_dists(struct cs_yaml *yaml,
                               const struct cs_yaml_map *map,
                               struct cs_column_spec *spec)
{
    struct {
        const char *key;
        bool *has;
        struct cs_dist_spec *dist;
    } parts[] = {
        {"population", &spec->has_population, &spec->population},
        {"size", &spec->has_size, &spec->size},
        {"cluster", &spec->has_cluster, &spec->cluster},
    };
    enum cs_code rc = CS_OK;

    for (size_t i = 0; !rc && i < CS_COUNT(parts); i++) {
        const struct cs_yaml_entry *entry = cs_yaml_find(map, parts[i].key);
        char what[256];

        if (!entry)
            continue;
        snprintf(what, sizeof(what), "column '%s': %s", spec->name,
                 parts[i].key);
        rc = cs_profile_read_dist(yaml, entry->value, what, parts[i].has,
                                  parts[i].dist);
        if (!rc && *parts[i].has && parts[i].dist != &spec->population)
            rc = expect_counts(yaml, entry->value, what, parts[i].dist);
    }
    return rc;
}

/* Of the addresses in an inet column: 4 or 6. */
static enum cs_code read_family(struct cs_yaml *yaml,
                                const struct cs_yaml_map *map,
                                struct cs_column_spec *spec)
{
    const struct cs_yaml_entry *entry = cs_yaml_find(map, "family");
    const char *text = NULL;
    enum cs_code rc = CS_OK;

    if (entry)
        rc = cs_yaml_text(yaml, entry->value, "columnspec: family", &text);
    if (rc || !text || !*text)
        return rc;
    if ((*text != '4' && *text != '6') || text[1])
        return cs_yaml_fail(yaml, entry->value,
                            "column '%s': family: found '%s', expected 4 or 6 "
                            "(of the addresses of an inet column)",
                            spec->name, text);
    spec->family = (unsigned)(*text - '0');
    return CS_OK;
}

static enum cs_code read_spec(struct cs_yaml *yaml, const yaml_node_t *node,
                              struct cs_profile *profile)
{
    const struct cs_yaml_entry *name;
    struct cs_column_spec spec = {0};
    struct cs_yaml_map map;
    char where[256] = "columnspec";
    enum cs_code rc = cs_yaml_expect_mapping(yaml, node, where);

    if (!rc)
        rc = cs_yaml_map(yaml, node, where, true, &map);
    if (rc)
        return rc;
    name = cs_yaml_find(&map, "name");
    if (name)
        rc = cs_yaml_text(yaml, name->value, "columnspec: name", &spec.name);
    if (!rc && spec.name)
        snprintf(where, sizeof(where), "column '%s'", spec.name);
    if (!rc)
        rc = cs_yaml_expect_keys(yaml, &map, keys, CS_COUNT(keys), where);
    if (!rc && !spec.name)
        rc = cs_yaml_fail(yaml, node, "columnspec: an entry without 'name'");
    if (rc)
        return rc;
    spec.place = cs_yaml_place(node);
    rc = read_dists(yaml, &map, &spec);
    if (!rc)
        rc = read_family(yaml, &map, &spec);
    if (!rc)
        *place_for(yaml, node, profile, spec.name) = spec;
    return rc;
}

enum cs_code cs_profile_read_columns(struct cs_yaml *yaml,
                                     const yaml_node_t *node,
                                     struct cs_profile *profile)
{
    size_t count;
    enum cs_code rc = cs_yaml_list(yaml, node, "columnspec", &count);

    if (rc || !count)
        return rc;
    profile->columns =
        cs_arena_array(yaml->arena, count, sizeof(*profile->columns));
    if (!profile->columns)
        return cs_fail(yaml->err, CS_ENOMEM, "%s: out of memory", yaml->name);
    for (size_t i = 0; !rc && i < count; i++)
        rc = read_spec(yaml, cs_yaml_item(yaml, node, i), profile);
    return rc;
}
