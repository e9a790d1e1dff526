/* dump.c - the settings dump, from the labels in the option tables. */
#include "cli/cli.h"
#include "cli/option.h"

#include "base/text.h"

#include <stddef.h>

static const void *place(const struct cs_settings *s, size_t at)
{
    return (const char *)s + at;
}

static void show_text(const struct cs_settings *s, size_t at,
                      struct cs_buf *out)
{
    const char *text = *(const char *const *)place(s, at);

    cs_buf_puts(out, text ? text : "null");
}

static void show_bool(const struct cs_settings *s, size_t at,
                      struct cs_buf *out)
{
    cs_buf_puts(out, *(const bool *)place(s, at) ? "true" : "false");
}

static void show_secret(const struct cs_settings *s, size_t at,
                        struct cs_buf *out)
{
    cs_buf_puts(out,
                *(const char *const *)place(s, at) ? "*suppressed*" : "null");
}

static void show_value(const struct cs_settings *s,
                       const struct cs_option *option, struct cs_buf *out)
{
    switch (option->type) {
    case CS_OPTION_FLAG:
        show_bool(s, option->at, out);
        break;
    case CS_OPTION_INT:
        cs_buf_printf(out, "%d", *(const int *)place(s, option->at));
        break;
    case CS_OPTION_LONG:
        cs_put_int(out, *(const int64_t *)place(s, option->at), true, 0);
        break;
    case CS_OPTION_TEXT:
    case CS_OPTION_PATH:
        show_text(s, option->at, out);
        break;
    case CS_OPTION_SECRET:
        show_secret(s, option->at, out);
        break;
    case CS_OPTION_DIST:
        cs_dist_describe(out, place(s, option->at));
        break;
    case CS_OPTION_RATIO:
        cs_ratio_describe(out, place(s, option->at));
        break;
    case CS_OPTION_ECHO:
        if (option->has_at)
            show_bool(s, option->has_at, out);
        else
            show_text(s, option->text_at, out);
        break;
    default:
        show_text(s, option->text_at, out);
        break;
    }
}

static bool in_layout(const struct cs_settings *s, unsigned levels)
{
    return !levels || levels & 1u << s->compat.level;
}

static void show_entry(const struct cs_settings *s,
                       const struct cs_option *option,
                       const char *profile_keyspace, struct cs_buf *out)
{
    if (!option->label || !in_layout(s, option->levels) ||
        (option->when && !option->when(s)))
        return;
    cs_buf_printf(out, "  %s: ", option->label);
    if (option->at == CS_AT(schema.keyspace) && !s->schema.keyspace &&
        profile_keyspace && s->compat.level == CS_LEVEL_3_11)
        cs_buf_puts(out, profile_keyspace);
    else if (option->show)
        option->show(s, out);
    else
        show_value(s, option, out);
    cs_buf_puts(out, "\n");
}

static void show_section(const struct cs_settings *s,
                         const struct cs_option_group *group,
                         const char *profile_keyspace, struct cs_buf *out)
{
    const struct cs_option *option;

    if (group->line && group->line_levels & 1u << s->compat.level) {
        cs_buf_puts(out, "  ");
        group->line(s, out);
        cs_buf_puts(out, "\n");
        return;
    }
    for (size_t i = 0; (option = cs_group_row(group, i)) != NULL; i++)
        show_entry(s, option, profile_keyspace, out);
}

static bool is_own(const struct cs_option_group *group)
{
    return group->section && !strcmp(group->section, "cstress:");
}

/* The command that runs and the groups that the layout has. */
static bool is_shown(const struct cs_settings *s,
                     const struct cs_option_group *group)
{
    if (!group->section || is_own(group) || !in_layout(s, group->levels))
        return false;
    if (cs_group_is_command(group))
        return group->command == s->command.type;
    return !group->when || group->when(s);
}

void cs_cli_dump_with(const struct cs_option_groups *groups,
                      const struct cs_settings *settings,
                      const char *profile_keyspace, struct cs_buf *out)
{
    cs_buf_puts(out, "******************** Stress Settings "
                     "********************\n");
    for (size_t i = 0; i < groups->count; i++) {
        const struct cs_option_group *group = groups->list[i];

        if (!is_shown(settings, group))
            continue;
        cs_buf_printf(out, "%s\n", group->section);
        show_section(settings, group, profile_keyspace, out);
    }
}

void cs_cli_dump(const struct cs_settings *settings, struct cs_buf *out)
{
    cs_cli_dump_with(&cs_cli_groups, settings, NULL, out);
}

void cs_cli_dump_user(const struct cs_settings *settings,
                      const char *profile_keyspace, struct cs_buf *out)
{
    cs_cli_dump_with(&cs_cli_groups, settings, profile_keyspace, out);
}

void cs_cli_dump_own(const struct cs_settings *settings, struct cs_buf *out)
{
    cs_buf_puts(out, "cstress:\n");
    for (size_t i = 0; i < cs_cli_groups.count; i++)
        if (is_own(cs_cli_groups.list[i]))
            show_section(settings, cs_cli_groups.list[i], NULL, out);
    if (settings->command.count >= 0)
        cs_buf_puts(out, "  Count Unit: partitions\n");
    cs_buf_printf(out, "  Latency Basis: %s\n",
                  settings->rate.fixed_per_s > 0 ? "response time"
                                                 : "service time");
    if (settings->rate.poisson)
        cs_buf_puts(out, "  Arrivals: poisson\n");
}
