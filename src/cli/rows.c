/* rows.c - the command line behind `rows`: what it may be, and what of it is
 * left out. */
#include "cli/cli.h"
#include "cli/options_internal.h"
#include "cli/parse_internal.h"

#include "base/text.h"

#include <string.h>

static bool is_mixed_write(const char *name)
{
    return !strcmp(name, "WRITE") || !strcmp(name, "COUNTER_WRITE");
}

bool cs_rows_wants(const struct cs_settings *settings, const char *op)
{
    const char *dot = strrchr(op, '.');

    if (settings->command.type == CS_COMMAND_MIXED)
        return is_mixed_write(op);
    return cs_same_word(dot ? dot + 1 : op, "insert");
}

enum cs_code cs_rows_store_format(struct cs_cli *cli,
                                  const struct cs_option *option,
                                  const char *value, struct cs_err *err)
{
    const struct cs_choice *c = option->choices;
    const char *names[4];
    const char *near;
    size_t count = 0;

    for (; c->name && !cs_same_word(c->name, value); c++)
        names[count++] = c->name;
    if (c->name) {
        cli->settings->rows.format = (enum cs_rows_format)c->value;
        return CS_OK;
    }
    near = cs_nearest(value, names, count);
    return cs_fail(err, CS_EUSAGE, "unknown format%s%s%s, expected json or cql",
                   near ? ", try '" : "", near ? near : "", near ? "'" : "");
}

/* "-format cql" in front of the command. */
static enum cs_code read_format(struct cs_cli *cli, size_t *at,
                                struct cs_err *err)
{
    const struct cs_option_group *group = cs_group_find(cli->groups, "-format");
    struct cs_opened opened = {.group = group, .first = *at + 1};
    enum cs_code rc;

    if (!group || *at == cli->word_count ||
        !cs_same_word(cli->words[*at].text, "-format"))
        return CS_OK;
    opened.count =
        *at + 1 < cli->word_count && !cli->words[*at + 1].opens ? 1 : 0;
    rc = cs_group_read(cli, &opened, err);
    cli->format_given = true;
    *at += 1 + opened.count;
    return rc;
}

enum cs_code cs_rows_begin(struct cs_cli *cli, size_t *at, struct cs_err *err)
{
    enum cs_code rc;

    cli->settings->rows.on = true;
    cli->settings->command.no_warmup = true;
    ++*at;
    rc = read_format(cli, at, err);
    if (!rc && *at == cli->word_count)
        rc = cs_fail(err, CS_EUSAGE,
                     "rows: no command, expected write, counter_write, mixed "
                     "or user with its parameters: cstress rows write n=10");
    return rc;
}

enum cs_code cs_rows_take_command(const struct cs_option_group *command,
                                  struct cs_err *err)
{
    switch (command->command) {
    case CS_COMMAND_WRITE:
    case CS_COMMAND_COUNTER_WRITE:
    case CS_COMMAND_MIXED:
    case CS_COMMAND_USER:
        return CS_OK;
    default:
        return cs_fail(err, CS_EUSAGE,
                       "rows: '%s' writes no rows, expected write, "
                       "counter_write, mixed or user",
                       command->name);
    }
}

/* Names of the operations that are left out. */
static void tell_left_out(struct cs_cli *cli)
{
    const struct cs_settings_command *c = &cli->settings->command;
    const char *list = c->type == CS_COMMAND_MIXED ? "ratio" : "ops";
    struct cs_buf names;

    cs_buf_init(&names, CS_ERR_TEXT / 2);
    for (size_t i = 0; i < c->op_count; i++) {
        if (cs_rows_wants(cli->settings, c->ops[i].name))
            continue;
        cs_buf_printf(&names, "%s%s", names.size ? ", " : "", c->ops[i].name);
    }
    if (names.size || names.fault)
        cs_cli_notice(cli, "rows: left out of %s(), as they insert nothing: %s",
                      list, names.fault ? "several" : cs_buf_text(&names));
    cs_buf_release(&names);
}

static enum cs_code check_operations(struct cs_cli *cli, struct cs_err *err)
{
    const struct cs_settings_command *c = &cli->settings->command;
    double weight = 0;

    if (c->type != CS_COMMAND_MIXED && c->type != CS_COMMAND_USER)
        return CS_OK;
    for (size_t i = 0; i < c->op_count; i++)
        if (cs_rows_wants(cli->settings, c->ops[i].name))
            weight += c->ops[i].weight;
    if (!(weight > 0))
        return cs_fail(err, CS_EUSAGE, "rows: %s",
                       c->type == CS_COMMAND_MIXED
                           ? "ratio() has no write and no counter_write, so "
                             "there are no rows"
                           : "ops() has no insert, so there are no rows");
    tell_left_out(cli);
    return CS_OK;
}

enum cs_code cs_rows_check(struct cs_cli *cli, struct cs_err *err)
{
    const struct cs_settings *s = cli->settings;

    if (!s->rows.on && cs_cli_opened(cli, "-format"))
        return cs_cli_refuse(cli, "-format", NULL, err,
                             "it belongs to the command rows: cstress rows %s "
                             "... -format cql",
                             cs_command_name(s->command.type));
    if (!s->rows.on)
        return CS_OK;
    if (cli->format_given && cs_cli_opened(cli, "-format"))
        return cs_fail(err, CS_EUSAGE, "-format: given twice");
    if (s->compat.data == CS_DATA_PROBE)
        return cs_fail(err, CS_EUSAGE,
                       "-compat: data=probe looks into a table, and rows has "
                       "no server; expected data=c4, data=c3 or data=c2");
    if (s->command.count < 0 && !s->command.duration)
        return cs_fail(err, CS_EUSAGE,
                       "rows: how many partitions? expected n=, as in n=10");
    return check_operations(cli, err);
}
