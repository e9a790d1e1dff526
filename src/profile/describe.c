/* describe.c - the profile's part of the settings dump, as the original
 * prints it (its hash order replaced by the order of the file). */
#include "profile/profile.h"

static const char *or_null(const char *text)
{
    return text ? text : "null";
}

static void put_extra(struct cs_buf *buf, const struct cs_profile *profile)
{
    cs_buf_puts(buf, "  Extra Schema Definitions: ");
    if (!profile->has_extra) {
        cs_buf_puts(buf, "null\n");
        return;
    }
    cs_buf_puts(buf, "[");
    for (size_t i = 0; i < profile->extra_count; i++)
        cs_buf_printf(buf, "%s%s", i ? ", " : "",
                      profile->extra_definitions[i]);
    cs_buf_puts(buf, "]\n");
}

static void put_part(struct cs_buf *buf, const char *label, bool has,
                     const struct cs_dist_spec *dist)
{
    if (!has)
        return;
    cs_buf_printf(buf, "%s: ", label);
    cs_dist_describe(buf, dist);
    cs_buf_puts(buf, ";");
}

static void put_columns(struct cs_buf *buf, const struct cs_profile *profile)
{
    cs_buf_puts(buf, "  Generator Configs:\n");
    for (size_t i = 0; i < profile->column_count; i++) {
        const struct cs_column_spec *spec = &profile->columns[i];

        cs_buf_printf(buf, "    %s: ", spec->name);
        put_part(buf, "Clustering", spec->has_cluster, &spec->cluster);
        put_part(buf, "Size", spec->has_size, &spec->size);
        put_part(buf, "Identity", spec->has_population, &spec->population);
        if (spec->family)
            cs_buf_printf(buf, "Family: %u;", spec->family);
        cs_buf_puts(buf, "\n");
    }
}

static void put_queries(struct cs_buf *buf, const struct cs_profile *profile)
{
    cs_buf_puts(buf, "  Query Definitions:\n");
    for (size_t i = 0; i < profile->query_count; i++) {
        const struct cs_query_spec *query = &profile->queries[i];

        cs_buf_printf(buf, "    %s: CQL:%s;Fields:%s;", query->name, query->cql,
                      or_null(query->fields_text));
        if (query->has_cl)
            cs_buf_printf(buf, "consistencyLevel:%s;",
                          cs_consistency_name(query->cl));
        if (query->has_serial_cl)
            cs_buf_printf(buf, "serialConsistencyLevel:%s;",
                          cs_consistency_name(query->serial_cl));
        cs_buf_puts(buf, "\n");
    }
}

void cs_profile_describe(struct cs_buf *buf, const struct cs_profile *profile)
{
    cs_buf_printf(buf, "  Keyspace Name: %s\n", profile->keyspace);
    cs_buf_printf(buf, "  Keyspace CQL: \n***\n%s***\n\n",
                  or_null(profile->keyspace_definition));
    cs_buf_printf(buf, "  Table Name: %s\n", profile->table);
    cs_buf_printf(buf, "  Table CQL: \n***\n%s***\n\n",
                  or_null(profile->table_definition));
    put_extra(buf, profile);
    put_columns(buf, profile);
    put_queries(buf, profile);
    cs_buf_puts(buf, "  Token Range Queries:\n");
    for (size_t i = 0; i < profile->token_range_count; i++)
        cs_buf_printf(buf, "    %s: Columns:%s;\n",
                      profile->token_ranges[i].name,
                      profile->token_ranges[i].columns);
    cs_buf_puts(buf, "  Insert Settings:\n");
    for (size_t i = 0; i < profile->insert.typed_count; i++)
        cs_buf_printf(buf, "    %s: %s\n", profile->insert.as_typed[i].key,
                      profile->insert.as_typed[i].value);
}
