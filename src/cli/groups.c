/* groups.c - all commands and groups, and finding rows in their tables. */
#include "cli/options_internal.h"

#include "base/text.h"

static const struct cs_option_group *const all_groups[] = {
    &cs_options_read,          &cs_options_write,        &cs_options_mixed,
    &cs_options_counter_write, &cs_options_counter_read, &cs_options_user,
    &cs_options_help,          &cs_options_print,        &cs_options_version,
    &cs_options_legacy,        &cs_options_check,        &cs_options_rows,
    &cs_options_rate,          &cs_options_pop,          &cs_options_insert,
    &cs_options_col,           &cs_options_errors,       &cs_options_log,
    &cs_options_mode,          &cs_options_node,         &cs_options_schema,
    &cs_options_transport,     &cs_options_port,         &cs_options_sendto,
    &cs_options_jmx,           &cs_options_graph,        &cs_options_tokenrange,
    &cs_options_credentials,   &cs_options_reporting,    &cs_options_key,
    &cs_options_sample,        &cs_options_cloudconf,    &cs_options_compat,
    &cs_options_loops,         &cs_options_format,       &cs_options_compaction,
    &cs_options_responder,     &cs_options_stress,       &cs_options_sbk,
};

const struct cs_option_groups cs_cli_groups = {
    .list = all_groups,
    .count = CS_COUNT(all_groups),
};

bool cs_group_is_command(const struct cs_option_group *group)
{
    return group->name[0] != '-';
}

const struct cs_option *cs_group_row(const struct cs_option_group *group,
                                     size_t i)
{
    for (size_t t = 0; t < CS_TABLE_MAX; t++) {
        if (i < group->tables[t].count)
            return &group->tables[t].rows[i];
        i -= group->tables[t].count;
    }
    return NULL;
}

static bool is_named(const struct cs_option_group *group, const char *name)
{
    if (cs_same_word(group->name, name))
        return true;
    for (const char *const *alias = group->aliases; alias && *alias; alias++)
        if (cs_same_word(*alias, name))
            return true;
    return false;
}

const struct cs_option_group *
cs_group_find(const struct cs_option_groups *groups, const char *name)
{
    for (size_t i = 0; i < groups->count; i++)
        if (is_named(groups->list[i], name))
            return groups->list[i];
    return NULL;
}

const struct cs_option *cs_group_match(const struct cs_option_group *group,
                                       const char *word, bool bare)
{
    const struct cs_option *row;

    for (size_t i = 0; (row = cs_group_row(group, i)) != NULL; i++) {
        if (row->type == CS_OPTION_BARE
                ? bare
                : row->key && cs_starts_with_word(word, row->key))
            return row;
    }
    return NULL;
}
