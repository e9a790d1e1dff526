/* read_queries.c - the sections queries and token_range_queries. */
#include "profile/read_internal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"

/* Rows of a page where page_size is not given. */
#define PAGE_SIZE 5000

static const char *const query_keys[] = {"cql", "fields", "consistencyLevel",
                                         "serialConsistencyLevel"};
static const char *const range_keys[] = {"columns", "page_size"};

static const yaml_node_t *value_of(const struct cs_yaml_map *map,
                                   const char *key)
{
    const struct cs_yaml_entry *entry = cs_yaml_find(map, key);

    return entry ? entry->value : NULL;
}

/* An op of this name never reaches the query. */
static void warn_of_shadow(struct cs_yaml *yaml,
                           const struct cs_yaml_entry *entry)
{
    static const char *const taken[] = {"insert", "validate"};

    for (size_t i = 0; i < CS_COUNT(taken); i++)
        if (cs_same_word(entry->key, taken[i]))
            cs_yaml_warn(yaml, entry->key_node,
                         "query '%s' is never run: '%s' in ops() means the "
                         "built-in operation; rename the query to use it",
                         entry->key, entry->key);
}

static enum cs_code read_fields(struct cs_yaml *yaml, const yaml_node_t *node,
                                const char *where, struct cs_query_spec *query)
{
    static const char *const words[] = {"samerow", "multirow"};
    const char *near;
    enum cs_code rc = cs_yaml_text(yaml, node, where, &query->fields_text);

    if (rc || !query->fields_text)
        return rc;
    for (size_t i = 0; i < CS_COUNT(words); i++)
        if (cs_same_word(query->fields_text, words[i])) {
            query->same_row = i == 0;
            return CS_OK;
        }
    near = cs_nearest(query->fields_text, words, CS_COUNT(words));
    return cs_yaml_fail(yaml, node,
                        "%s: fields: unknown word '%s', expected samerow or "
                        "multirow%s%s%s",
                        where, query->fields_text,
                        near ? " (did you mean " : "", near ? near : "",
                        near ? "?)" : "");
}

/* An odd number of single quotes in a plain text: most likely YAML took a '#'
 * and what follows for a comment. */
static void warn_of_cut(struct cs_yaml *yaml, const yaml_node_t *node,
                        const char *where, const char *cql)
{
    size_t quotes = 0;

    if (node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
        return;
    for (; *cql; cql++)
        quotes += *cql == '\'';
    if (quotes % 2)
        cs_yaml_warn(yaml, node,
                     "%s: cql ends inside a quoted text; a '#' behind a blank "
                     "begins a YAML comment: quote the whole or use '|'",
                     where);
}

static enum cs_code read_cql(struct cs_yaml *yaml,
                             const struct cs_yaml_entry *entry,
                             const yaml_node_t *node, const char *where,
                             struct cs_query_spec *query)
{
    enum cs_code rc = cs_yaml_text(yaml, node, where, &query->cql);

    if (rc)
        return rc;
    if (!query->cql || !query->cql[strspn(query->cql, " \t\r\n")])
        return cs_yaml_fail(yaml, entry->key_node, "%s: 'cql' is missing",
                            where);
    warn_of_cut(yaml, node, where, query->cql);
    return CS_OK;
}

static enum cs_code read_levels(struct cs_yaml *yaml,
                                const struct cs_yaml_map *map,
                                struct cs_query_spec *query)
{
    char what[256];
    enum cs_code rc;

    snprintf(what, sizeof(what), "query '%s': consistencyLevel", query->name);
    rc = cs_profile_read_level(yaml, value_of(map, query_keys[2]), what, false,
                               &query->has_cl, &query->cl);
    if (rc)
        return rc;
    snprintf(what, sizeof(what), "query '%s': serialConsistencyLevel",
             query->name);
    return cs_profile_read_level(yaml, value_of(map, query_keys[3]), what, true,
                                 &query->has_serial_cl, &query->serial_cl);
}

static enum cs_code read_query(struct cs_yaml *yaml,
                               const struct cs_yaml_entry *entry,
                               struct cs_query_spec *query)
{
    struct cs_yaml_map map;
    char where[256];
    enum cs_code rc;

    query->name = entry->key;
    query->place = cs_yaml_place(entry->key_node);
    snprintf(where, sizeof(where), "query '%s'", entry->key);
    rc = cs_yaml_expect_mapping(yaml, entry->value, where);
    if (!rc)
        rc = cs_yaml_map(yaml, entry->value, where, false, &map);
    if (!rc)
        rc = cs_yaml_expect_keys(yaml, &map, query_keys, CS_COUNT(query_keys),
                                 where);
    if (!rc)
        rc = read_cql(yaml, entry, value_of(&map, "cql"), where, query);
    if (!rc)
        rc = read_fields(yaml, value_of(&map, "fields"), where, query);
    if (!rc)
        rc = read_levels(yaml, &map, query);
    if (!rc)
        warn_of_shadow(yaml, entry);
    return rc;
}

enum cs_code cs_profile_read_queries(struct cs_yaml *yaml,
                                     const yaml_node_t *node,
                                     struct cs_profile *profile)
{
    struct cs_yaml_map map;
    enum cs_code rc = cs_yaml_map(yaml, node, "queries", false, &map);

    if (rc || !map.count)
        return rc;
    profile->queries =
        cs_arena_array(yaml->arena, map.count, sizeof(*profile->queries));
    if (!profile->queries)
        return cs_fail(yaml->err, CS_ENOMEM, "%s: out of memory", yaml->name);
    for (size_t i = 0; !rc && i < map.count; i++) {
        rc = read_query(yaml, &map.entries[i], &profile->queries[i]);
        profile->query_count++;
    }
    return rc;
}

static enum cs_code read_page_size(struct cs_yaml *yaml,
                                   const yaml_node_t *node, const char *where,
                                   int *out)
{
    const char *text;
    char *end;
    long rows;
    enum cs_code rc = cs_yaml_text(yaml, node, where, &text);

    *out = PAGE_SIZE;
    if (rc || !text)
        return rc;
    rows = strtol(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || rows < 1 || rows > INT_MAX)
        return cs_yaml_fail(yaml, node,
                            "%s: page_size: '%s' is no number of rows, "
                            "expected a whole number from 1",
                            where, text);
    *out = (int)rows;
    return CS_OK;
}

static enum cs_code refuse_shared_name(struct cs_yaml *yaml,
                                       const struct cs_yaml_entry *entry,
                                       const struct cs_profile *profile)
{
    for (size_t i = 0; i < profile->query_count; i++)
        if (strcmp(profile->queries[i].name, entry->key) == 0)
            return cs_yaml_fail(yaml, entry->key_node,
                                "found '%s' in both queries (line %d) and "
                                "token_range_queries, use different names",
                                entry->key, profile->queries[i].place.line);
    return CS_OK;
}

static enum cs_code read_range(struct cs_yaml *yaml,
                               const struct cs_yaml_entry *entry,
                               struct cs_token_range_spec *range)
{
    struct cs_yaml_map map;
    char where[256];
    enum cs_code rc;

    range->name = entry->key;
    range->place = cs_yaml_place(entry->key_node);
    snprintf(where, sizeof(where), "token range query '%s'", entry->key);
    rc = cs_yaml_expect_mapping(yaml, entry->value, where);
    if (!rc)
        rc = cs_yaml_map(yaml, entry->value, where, false, &map);
    if (!rc)
        rc = cs_yaml_expect_keys(yaml, &map, range_keys, CS_COUNT(range_keys),
                                 where);
    if (!rc)
        rc = cs_yaml_text(yaml, value_of(&map, "columns"), where,
                          &range->columns);
    if (!rc && !range->columns)
        rc = cs_yaml_fail(yaml, entry->key_node,
                          "%s: 'columns' is missing ('*' for all)", where);
    if (!rc)
        rc = read_page_size(yaml, value_of(&map, "page_size"), where,
                            &range->page_size);
    return rc;
}

enum cs_code cs_profile_read_token_ranges(struct cs_yaml *yaml,
                                          const yaml_node_t *node,
                                          struct cs_profile *profile)
{
    struct cs_yaml_map map;
    enum cs_code rc =
        cs_yaml_map(yaml, node, "token_range_queries", false, &map);

    if (rc || !map.count)
        return rc;
    profile->token_ranges =
        cs_arena_array(yaml->arena, map.count, sizeof(*profile->token_ranges));
    if (!profile->token_ranges)
        return cs_fail(yaml->err, CS_ENOMEM, "%s: out of memory", yaml->name);
    for (size_t i = 0; !rc && i < map.count; i++) {
        rc = refuse_shared_name(yaml, &map.entries[i], profile);
        if (!rc)
            rc = read_range(yaml, &map.entries[i], &profile->token_ranges[i]);
        profile->token_range_count++;
    }
    return rc;
}
