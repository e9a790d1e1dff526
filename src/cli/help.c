/* help.c - help and usage lines from the option tables. */
#include "cli/cli.h"
#include "cli/help_internal.h"

#include "base/text.h"

#include <stdio.h>

/* Widths of the original: readers of the help rely on its shape. */
#define NAME_WIDTH  20
#define PARAM_WIDTH 40
#define FORM_WIDTH  36

static bool has_value(const struct cs_option *option)
{
    return option->key && strchr("=<>", option->key[strlen(option->key) - 1]);
}

/* "threads=?", "dist=DIST(?)", "ops(?)", "auto". */
static void put_param(struct cs_buf *out, const struct cs_option *option)
{
    if (option->key)
        cs_buf_puts(out, option->key);
    else
        cs_buf_printf(out, "<%s>", option->form);
    if (option->type == CS_OPTION_LIST)
        cs_buf_puts(out, "?)");
    else if (option->type == CS_OPTION_DIST)
        cs_buf_puts(out, "DIST(?)");
    else if (option->type == CS_OPTION_RATIO)
        cs_buf_puts(out, "DIST(?)/?");
    else if (has_value(option))
        cs_buf_puts(out, "?");
}

static bool is_listed(const struct cs_option *option)
{
    return option->type != CS_OPTION_ECHO && !option->hidden &&
           option->type != CS_OPTION_GONE;
}

static bool in_alternative(const struct cs_option *option, int alternative)
{
    return !option->sets || option->sets & 1u << alternative;
}

static bool needed(const struct cs_option *option)
{
    return option->needs != 0;
}

static void put_usage_param(struct cs_buf *out, const struct cs_option *row,
                            bool must)
{
    cs_buf_puts(out, must ? " " : " [");
    put_param(out, row);
    cs_buf_puts(out, must ? "" : "]");
}

static void put_alternative(struct cs_buf *out,
                            const struct cs_option_group *group,
                            int alternative)
{
    const struct cs_option *row;

    cs_buf_puts(out, group->name);
    for (size_t i = 0; (row = cs_group_row(group, i)) != NULL; i++)
        if (is_listed(row) && in_alternative(row, alternative))
            put_usage_param(out, row, row->needs & 1u << alternative);
}

static int alternatives_of(const struct cs_option_group *group)
{
    return group->alternatives > 1 ? group->alternatives : 1;
}

/* What only some alternatives take stands between braces, once. */
static void put_choices(struct cs_buf *out, const struct cs_option_group *group)
{
    const struct cs_option *row;

    cs_buf_puts(out, " {");
    for (int a = 0; a < group->alternatives; a++) {
        cs_buf_puts(out, a ? " |" : "");
        for (size_t i = 0; (row = cs_group_row(group, i)) != NULL; i++)
            if (is_listed(row) && row->sets & 1u << a)
                put_usage_param(out, row, row->needs & 1u << a);
    }
    cs_buf_puts(out, " }");
}

void cs_cli_usage(const struct cs_option_group *group, struct cs_buf *out)
{
    const struct cs_option *row;

    cs_buf_printf(out, "Usage: %s", group->name);
    if (group->alternatives > 1)
        put_choices(out, group);
    for (size_t i = 0; (row = cs_group_row(group, i)) != NULL; i++)
        if (is_listed(row) && !row->sets)
            put_usage_param(out, row, row->needs != 0);
}

static const char *default_of(const struct cs_option *option)
{
    return option->shown ? option->shown : option->preset;
}

static void put_dist_forms(struct cs_buf *out)
{
    static const char *const forms[][2] = {
        {"EXP(min..max)", "exponential, most at min"},
        {"EXTREME(min..max,shape)", "Weibull with this shape"},
        {"QEXTREME(min..max,shape,quantas)", "EXTREME cut into quantas, even "
                                             "inside each"},
        {"GAUSSIAN(min..max,stdvrng)", "normal; (max-min)/2 is stdvrng "
                                       "deviations (3)"},
        {"GAUSSIAN(min..max,mean,stdev)", "normal with this mean and "
                                          "deviation"},
        {"UNIFORM(min..max)", "all alike"},
        {"FIXED(val)", "always val"},
        {"SEQ(min..max)", "one after the other, from the start again at the "
                          "end"},
    };

    for (size_t i = 0; i < CS_COUNT(forms); i++)
        cs_buf_printf(out, "      %-*s%s\n", FORM_WIDTH, forms[i][0],
                      forms[i][1]);
    cs_buf_puts(out, "      a ~ in front turns it round: ~EXP(1..10) has most "
                     "at 10\n");
    cs_buf_puts(out, "      other names: extr, weibull, qextr, gauss, normal, "
                     "norm\n");
}

static void put_list(struct cs_buf *out, const struct cs_option *option)
{
    cs_buf_printf(out, "  %s", option->key);
    for (size_t i = 0; i < option->item_count; i++)
        cs_buf_printf(out, "[%s?]", option->items[i].key);
    if (option->store_extra)
        cs_buf_puts(out, "[<option 1..N>=?]");
    cs_buf_printf(out, "): %s%s%s%s\n", option->help,
                  default_of(option) ? " (default=" : "",
                  default_of(option) ? default_of(option) : "",
                  default_of(option) ? ")" : "");
    for (size_t i = 0; i < option->item_count; i++)
        cs_buf_printf(out, "      %s?: %s\n", option->items[i].key,
                      option->items[i].help);
}

static void put_choices_of(struct cs_buf *out, const struct cs_option *option)
{
    const struct cs_choice *c = option->choices;

    for (size_t i = 0; c && c[i].name; i++)
        cs_buf_printf(out, "%s%s", i ? ", " : ": ", c[i].name);
}

/* The parameter with its default in a column, then what it is. */
static void put_row(struct cs_buf *out, const struct cs_option *option)
{
    struct cs_buf left;
    const char *usual = default_of(option);

    cs_buf_init(&left, 4096);
    put_param(&left, option);
    if (usual)
        cs_buf_printf(&left, " (default=%s)", usual);
    cs_buf_printf(out, "  %-*s %s", PARAM_WIDTH, cs_buf_text(&left),
                  option->help);
    put_choices_of(out, option);
    cs_buf_puts(out, "\n");
    cs_buf_release(&left);
}

static void put_dist(struct cs_buf *out, const struct cs_option *option)
{
    const char *usual = default_of(option);

    cs_buf_puts(out, needed(option) ? "  " : "  [");
    put_param(out, option);
    cs_buf_printf(out, "%s: %s%s%s%s\n", needed(option) ? "" : "]",
                  option->help, usual ? " (default=" : "", usual ? usual : "",
                  usual ? ")" : "");
    put_dist_forms(out);
}

static void put_details(struct cs_buf *out, const struct cs_option_group *group)
{
    const struct cs_option *row;

    for (size_t i = 0; (row = cs_group_row(group, i)) != NULL; i++) {
        if (!is_listed(row))
            continue;
        if (row->type == CS_OPTION_LIST)
            put_list(out, row);
        else if (row->type == CS_OPTION_DIST)
            put_dist(out, row);
        else
            put_row(out, row);
    }
}

static void put_group(struct cs_buf *out, const struct cs_option_group *group)
{
    cs_buf_puts(out, "\n");
    for (int a = 0; a < alternatives_of(group); a++) {
        cs_buf_puts(out, a ? " OR \nUsage: " : "Usage: ");
        put_alternative(out, group, a);
        if (group->behind)
            cs_buf_printf(out, " %s", group->behind);
        cs_buf_puts(out, "\n");
    }
    cs_buf_puts(out, "\n");
    if (!cs_group_row(group, 0))
        cs_buf_printf(out, "  %s\n", group->help);
    put_details(out, group);
}

/* The original's order of the groups; others follow. */
static const char *const group_order[] = {
    "-pop",      "-insert",    "-col",        "-rate",
    "-mode",     "-errors",    "-schema",     "-node",
    "-log",      "-transport", "-port",       "-sendto",
    "-jmx",      "-graph",     "-tokenrange", "-credentials-file",
    "-reporting"};

static bool is_ordered(const char *name)
{
    for (size_t i = 0; i < CS_COUNT(group_order); i++)
        if (!strcmp(group_order[i], name))
            return true;
    return false;
}

static void put_line(const struct cs_settings *s,
                     const struct cs_option_group *group, struct cs_buf *out)
{
    if (group->hidden ||
        (group->levels && !(group->levels & 1u << s->compat.level)))
        return;
    cs_buf_printf(out, "%-*s : %s\n", NAME_WIDTH, group->name, group->help);
}

/* Every command and group with its row of help. */
static void put_overview(const struct cs_option_groups *groups,
                         const struct cs_settings *s, struct cs_buf *out)
{
    const struct cs_option_group *group;

    cs_buf_puts(out, "Usage:      cstress <command> [options]\n"
                     "Help usage: cstress help <command|-group>\n\n"
                     "---Commands---\n");
    for (size_t i = 0; i < groups->count; i++)
        if (cs_group_is_command(groups->list[i]))
            put_line(s, groups->list[i], out);
    cs_buf_puts(out, "\n---Options---\n");
    for (size_t i = 0; i < CS_COUNT(group_order); i++) {
        group = cs_group_find(groups, group_order[i]);
        if (group)
            put_line(s, group, out);
    }
    for (size_t i = 0; i < groups->count; i++) {
        group = groups->list[i];
        if (!cs_group_is_command(group) && !is_ordered(group->name))
            put_line(s, group, out);
    }
}

const struct cs_option_group *
cs_help_find(const struct cs_option_groups *groups, const char *topic)
{
    const struct cs_option_group *group = cs_group_find(groups, topic);
    char marked[128];

    if (group)
        return group;
    if (topic[0] == '-')
        return cs_group_find(groups, topic + 1);
    snprintf(marked, sizeof(marked), "-%s", topic);
    return cs_group_find(groups, marked);
}

enum cs_code cs_help_unknown(const struct cs_option_groups *groups,
                             const char *topic, struct cs_err *err)
{
    const char *names[64];
    size_t count = 0;
    const char *nearest;

    for (size_t i = 0; i < groups->count && count < 64; i++)
        names[count++] = groups->list[i]->name;
    nearest = cs_nearest(topic, names, count);
    return cs_fail(err, CS_EUSAGE,
                   "help: no such command or group%s%s%s, near '%.80s'",
                   nearest ? ", try '" : "", nearest ? nearest : "",
                   nearest ? "'" : "", topic);
}

static enum cs_code put_topic(const struct cs_option_groups *groups,
                              const char *topic, struct cs_buf *out,
                              struct cs_err *err)
{
    const struct cs_option_group *group = cs_help_find(groups, topic);

    if (!group)
        return cs_help_unknown(groups, topic, err);
    if (!strcmp(group->name, "compaction-stress"))
        cs_compaction_help(out);
    else if (!strcmp(group->name, "legacy"))
        cs_legacy_help(out);
    else if (!strcmp(group->name, "stress"))
        cs_stress_help(out);
    else
        put_group(out, group);
    return CS_OK;
}

/* For tools: group, a tab, option or item of a list; a group alone has no
 * second field. */
static void put_names(const struct cs_option_groups *groups, struct cs_buf *out)
{
    for (size_t i = 0; i < groups->count; i++) {
        const struct cs_option_group *group = groups->list[i];
        const struct cs_option *row;

        if (group->hidden)
            continue;
        cs_buf_printf(out, "%s\n", group->name);
        for (size_t r = 0; (row = cs_group_row(group, r)) != NULL; r++) {
            if (!is_listed(row) || !row->key)
                continue;
            cs_buf_printf(out, "%s\t%s\n", group->name, row->key);
            for (size_t k = 0; k < row->item_count; k++)
                cs_buf_printf(out, "%s\t%s\n", group->name, row->items[k].key);
        }
    }
}

enum cs_code cs_cli_help_with(const struct cs_option_groups *groups,
                              const struct cs_settings *settings,
                              struct cs_buf *out, struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    if (settings->help.list)
        put_names(groups, out);
    else if (settings->help.shell)
        rc = cs_completion_put(groups, settings->help.shell, out, err);
    else if (settings->help.topic)
        rc = put_topic(groups, settings->help.topic, out, err);
    else
        put_overview(groups, settings, out);
    return rc ? rc : cs_buf_check(out, "help", err);
}

enum cs_code cs_cli_help(const struct cs_settings *settings, struct cs_buf *out,
                         struct cs_err *err)
{
    return cs_cli_help_with(&cs_cli_groups, settings, out, err);
}

void cs_cli_version(const struct cs_settings *settings, struct cs_buf *out)
{
    static const char *const levels[] = {"3.11", "4.0", "4.1", "5.0"};

    cs_buf_printf(out, "Version: %s\ncstress %s\n",
                  levels[settings->compat.level], CSTRESS_VERSION);
}
