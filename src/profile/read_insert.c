/* read_insert.c - the section insert. */
#include "profile/read_internal.h"

#include "base/text.h"

static const char *const keys[] = {
    "partitions", "select",           "row-population",        "batchtype",
    "condition",  "consistencyLevel", "serialConsistencyLevel"};

/* Settings of inserts that only the command line has. */
static const char *const command_line_keys[] = {
    "visits", "revisit", "row-population-ratio", "select-ratio"};

static enum cs_code hint_at_command_line(struct cs_yaml *yaml,
                                         const struct cs_yaml_map *map)
{
    for (size_t i = 0; i < CS_COUNT(command_line_keys); i++) {
        const struct cs_yaml_entry *entry =
            cs_yaml_find(map, command_line_keys[i]);

        if (entry)
            return cs_yaml_fail(yaml, entry->key_node,
                                "insert: '%s' belongs on the command line: "
                                "-insert %s=",
                                entry->key, command_line_keys[i]);
    }
    return CS_OK;
}

static enum cs_code read_batch_type(struct cs_yaml *yaml,
                                    const yaml_node_t *node,
                                    enum cs_batch_type *out)
{
    static const char *const names[] = {"LOGGED", "UNLOGGED", "COUNTER"};
    const char *text;
    const char *near;
    enum cs_code rc = cs_yaml_text(yaml, node, "insert: batchtype", &text);

    if (rc || !text || !*text)
        return rc;
    for (size_t i = 0; i < CS_COUNT(names); i++)
        if (cs_same_word(text, names[i])) {
            *out = (enum cs_batch_type)i;
            return CS_OK;
        }
    near = cs_nearest(text, names, CS_COUNT(names));
    return cs_yaml_fail(yaml, node,
                        "insert: batchtype: unknown batch type '%s', expected "
                        "LOGGED, UNLOGGED or COUNTER%s%s%s",
                        text, near ? " (did you mean " : "", near ? near : "",
                        near ? "?)" : "");
}

static enum cs_code read_condition(struct cs_yaml *yaml,
                                   const yaml_node_t *node, const char **out)
{
    const char *text;
    enum cs_code rc = cs_yaml_text(yaml, node, "insert: condition", &text);

    if (!rc && text && text[strspn(text, " \t\r\n")])
        *out = text;
    return rc;
}

/* The key is looked at only by its name here: an index into keys. */
static enum cs_code read_entry(struct cs_yaml *yaml, size_t key,
                               const struct cs_yaml_entry *entry,
                               struct cs_insert_spec *insert)
{
    const yaml_node_t *node = entry->value;

    switch (key) {
    case 0:
        return cs_profile_read_dist(yaml, node, "insert: partitions",
                                    &insert->has_partitions,
                                    &insert->partitions);
    case 1:
        return cs_profile_read_ratio(yaml, node, "insert: select",
                                     &insert->has_select, &insert->select);
    case 2:
        cs_yaml_warn(yaml, entry->key_node,
                     "insert: '%s' has no effect here; use -insert "
                     "row-population-ratio= on the command line",
                     entry->key);
        return CS_OK;
    case 3:
        return read_batch_type(yaml, node, &insert->batch_type);
    case 4:
        return read_condition(yaml, node, &insert->condition);
    case 5:
        return cs_profile_read_level(yaml, node, "insert: consistencyLevel",
                                     false, &insert->has_cl, &insert->cl);
    default:
        return cs_profile_read_level(
            yaml, node, "insert: serialConsistencyLevel", true,
            &insert->has_serial_cl, &insert->serial_cl);
    }
}

static size_t key_index(const char *key)
{
    size_t i = 0;

    while (i < CS_COUNT(keys) && !cs_same_word(keys[i], key))
        i++;
    return i;
}

/* Everything as typed, for the settings dump. */
static enum cs_code keep_typed(struct cs_yaml *yaml,
                               const struct cs_yaml_entry *entry,
                               struct cs_insert_spec *insert)
{
    struct cs_key_value *typed = &insert->as_typed[insert->typed_count];
    enum cs_code rc = cs_yaml_text(yaml, entry->value, "insert", &typed->value);

    if (rc)
        return rc;
    typed->key = entry->key;
    if (!typed->value)
        typed->value = "null"; /* as the original prints it */
    insert->typed_count++;
    return CS_OK;
}

enum cs_code cs_profile_read_insert(struct cs_yaml *yaml,
                                    const yaml_node_t *node,
                                    struct cs_insert_spec *insert)
{
    struct cs_yaml_map map;
    enum cs_code rc = cs_yaml_map(yaml, node, "insert", true, &map);

    insert->batch_type = CS_BATCH_UNSET;
    if (!rc)
        rc = hint_at_command_line(yaml, &map);
    if (!rc)
        rc = cs_yaml_expect_keys(yaml, &map, keys, CS_COUNT(keys), "insert");
    if (rc || !map.count)
        return rc;
    insert->as_typed =
        cs_arena_array(yaml->arena, map.count, sizeof(*insert->as_typed));
    if (!insert->as_typed)
        return cs_fail(yaml->err, CS_ENOMEM, "%s: out of memory", yaml->name);
    for (size_t i = 0; !rc && i < map.count; i++) {
        const struct cs_yaml_entry *entry = &map.entries[i];

        rc = keep_typed(yaml, entry, insert);
        if (!rc)
            rc = read_entry(yaml, key_index(entry->key), entry, insert);
    }
    return rc;
}
