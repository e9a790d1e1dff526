/* names.c - keyspace and table: the definitions' names against the keys, and
 * both as the server spells them. */
#include "profile/read_internal.h"

#include "base/text.h"
#include "schema/ddl.h"

/* A name typed without a definition: as CQL reads it, lower case unless in
 * double quotes. NULL when memory ran out. */
static const char *server_name(struct cs_arena *arena, const char *typed)
{
    size_t size = strlen(typed);
    char *name;
    size_t n = 0;

    if (size < 2 || typed[0] != '"' || typed[size - 1] != '"') {
        name = cs_arena_text(arena, typed);
        for (char *p = name; p && *p; p++)
            if (*p >= 'A' && *p <= 'Z')
                *p = (char)(*p + 32);
        return name;
    }
    name = cs_arena_bytes(arena, typed + 1, size - 2);
    for (size_t i = 0; name && name[i]; i++) {
        name[n++] = name[i];
        if (name[i] == '"' && name[i + 1] == '"')
            i++;
    }
    if (name)
        name[n] = 0;
    return name;
}

static enum cs_code expect_same(struct cs_yaml *yaml, const yaml_node_t *node,
                                const char *key, const char *defined,
                                const char *typed, const char *unquoted)
{
    if (cs_same_word(defined, typed) || cs_same_word(defined, unquoted))
        return CS_OK;
    return cs_yaml_fail(yaml, node,
                        "name in %s_definition does not match %s: '%s' != "
                        "'%s'",
                        key, key, defined, typed);
}

static enum cs_code check_keyspace(struct cs_yaml *yaml,
                                   const yaml_node_t *node,
                                   struct cs_profile *profile)
{
    const char *defined;
    enum cs_code rc = cs_ddl_keyspace_name(profile->keyspace_definition,
                                           yaml->arena, &defined, yaml->err);

    if (rc)
        return cs_yaml_while(yaml, node, "keyspace_definition");
    rc = expect_same(yaml, node, "keyspace", defined, profile->keyspace,
                     profile->keyspace_name);
    if (!rc)
        profile->keyspace_name = defined;
    return rc;
}

static enum cs_code check_table(struct cs_yaml *yaml, const yaml_node_t *node,
                                struct cs_profile *profile)
{
    struct cs_ddl_name defined;
    enum cs_code rc = cs_ddl_table_name(profile->table_definition, yaml->arena,
                                        &defined, yaml->err);

    if (rc)
        return cs_yaml_while(yaml, node, "table_definition");
    rc = expect_same(yaml, node, "table", defined.name, profile->table,
                     profile->table_name);
    if (rc)
        return rc;
    profile->table_name = defined.name;
    if (defined.keyspace &&
        strcmp(defined.keyspace, profile->keyspace_name) != 0)
        cs_yaml_warn(yaml, node,
                     "table_definition makes the table in keyspace '%s', but "
                     "the profile uses '%s'",
                     defined.keyspace, profile->keyspace_name);
    return CS_OK;
}

enum cs_code cs_profile_check_names(struct cs_yaml *yaml,
                                    const struct cs_profile_nodes *nodes,
                                    struct cs_profile *profile)
{
    enum cs_code rc = CS_OK;

    profile->keyspace_name = server_name(yaml->arena, profile->keyspace);
    profile->table_name = server_name(yaml->arena, profile->table);
    if (!profile->keyspace_name || !profile->table_name)
        return cs_fail(yaml->err, CS_ENOMEM, "%s: out of memory", yaml->name);
    if (profile->keyspace_definition)
        rc = check_keyspace(yaml, nodes->keyspace_definition, profile);
    if (!rc && profile->table_definition)
        rc = check_table(yaml, nodes->table_definition, profile);
    return rc;
}
