/* parse.c - the way of a command line: words, groups, values, defaults,
 * checks. */
#include "cli/cli.h"
#include "cli/help_internal.h"
#include "cli/parse_internal.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

/* What this version does not have yet, or never will. */
static const struct {
    const char *word;
    const char *why;
} absent_commands[] = {
    {"sbk", "has a command line of its own, which must begin with it"},
    {"cassandra-stressd", "does not exist here: no daemon is used or needed"},
};

static enum cs_code refuse_absent(struct cs_cli *cli, const char *word,
                                  struct cs_err *err)
{
    (void)cli;
    for (size_t i = 0; i < CS_COUNT(absent_commands); i++)
        if (cs_same_word(absent_commands[i].word, word))
            return cs_fail(err, CS_EUNSUPPORTED, "the command '%s' %s",
                           absent_commands[i].word, absent_commands[i].why);
    return CS_OK;
}

/* Opens the group of words[i]; the words after it follow. */
static enum cs_code open_group(struct cs_cli *cli, size_t i, struct cs_err *err)
{
    const char *word = cli->words[i].text;
    const struct cs_option_group *group = cs_group_find(cli->groups, word);

    if (!group && word[0] != '-') {
        char marked[128];

        snprintf(marked, sizeof(marked), "-%s", word);
        group = cs_group_find(cli->groups, marked);
    }
    if (!strcmp(word, "-?"))
        return cs_cli_refuse(cli, NULL, word, err,
                             "help takes no parameters, write: help %s",
                             cli->opened[0].group->name);
    if (!group || cs_group_is_command(group))
        return cs_hint_group(cli, word, err);
    if (cs_cli_opened(cli, group->name))
        return cs_cli_refuse(cli, group->name, NULL, err,
                             "given twice; each group may be given once");
    if (group->gone)
        return cs_cli_refuse(cli, group->name, NULL, err, "%s", group->gone);
    if (group->idle)
        cs_cli_notice(cli, "%s: %s", group->name, group->idle);
    cli->opened[cli->opened_count++] =
        (struct cs_opened){.group = group, .first = i + 1};
    return CS_OK;
}

/* Sorts the words behind the command into groups. */
static enum cs_code open_groups(struct cs_cli *cli,
                                const struct cs_option_group *command,
                                size_t first, struct cs_err *err)
{
    cli->opened = cs_arena_array(&cli->scratch, cli->word_count + 1,
                                 sizeof(*cli->opened));
    if (!cli->opened)
        return cs_fail(err, CS_ENOMEM, "command line: out of memory");
    cli->opened[cli->opened_count++] =
        (struct cs_opened){.group = command, .first = first};
    for (size_t i = first; i < cli->word_count; i++) {
        enum cs_code rc = CS_OK;

        if (cli->words[i].opens)
            rc = open_group(cli, i, err);
        else
            cli->opened[cli->opened_count - 1].count++;
        if (rc)
            return rc;
    }
    return CS_OK;
}

/* The words of CSTRESS_COMPAT, as if they stood on the command line; what
 * stands there too wins word by word. */
static enum cs_code read_environment(struct cs_cli *cli, struct cs_err *err)
{
    const char *env = getenv("CSTRESS_COMPAT");
    const struct cs_option_group *group = cs_group_find(cli->groups, "-compat");
    struct cs_opened opened = {.group = group};
    struct cs_word words[16];
    struct cs_cli inner = *cli;
    char *copy, *save = NULL;
    enum cs_code rc;

    if (!env || !group)
        return CS_OK;
    copy = cs_arena_text(&cli->scratch, env);
    for (char *word = copy ? strtok_r(copy, " \t", &save) : NULL;
         word && opened.count < CS_COUNT(words);
         word = strtok_r(NULL, " \t", &save))
        words[opened.count++] = (struct cs_word){.text = word};
    inner.words = words;
    inner.word_count = opened.count;
    inner.opened = &opened;
    inner.opened_count = 1;
    rc = cs_group_read(&inner, &opened, err);
    for (size_t i = 0; i < opened.given_count; i++)
        if (opened.given[i].option->key &&
            !strcmp(opened.given[i].option->key, "data="))
            cli->data_given = true;
    return rc ? cs_while(err, "CSTRESS_COMPAT") : CS_OK;
}

static enum cs_code preset_all(struct cs_cli *cli,
                               const struct cs_option_group *command,
                               struct cs_err *err)
{
    enum cs_code rc = cs_group_preset(cli, command, err);

    for (size_t i = 0; i < cli->groups->count && !rc; i++)
        if (!cs_group_is_command(cli->groups->list[i]))
            rc = cs_group_preset(cli, cli->groups->list[i], err);
    return rc;
}

static enum cs_code read_groups(struct cs_cli *cli, struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    for (size_t i = 0; i < cli->opened_count && !rc; i++)
        rc = cs_group_read(cli, &cli->opened[i], err);
    return rc;
}

/* A command without parameters of its own: only the level matters. */
static enum cs_code read_special(struct cs_cli *cli, enum cs_command type,
                                 struct cs_err *err)
{
    enum cs_code rc =
        preset_all(cli, cs_group_find(cli->groups, "version"), err);

    cli->settings->command.type = type;
    return rc ? rc : read_environment(cli, err);
}

/* help, help TOPIC, help completion SHELL, help -list. */
static enum cs_code read_help(struct cs_cli *cli, size_t first,
                              struct cs_err *err)
{
    size_t count = cli->word_count - first;
    const char *topic = count ? cli->words[first].text : NULL;
    bool completion = topic && cs_same_word(topic, "completion");

    enum cs_code rc = read_special(cli, CS_COMMAND_HELP, err);

    if (rc)
        return rc;
    if (topic && cs_same_word(topic, "-list")) {
        cli->settings->help.list = true;
        return CS_OK;
    }
    if (completion && count == 2) {
        cli->settings->help.shell = cli->words[first + 1].text;
        return CS_OK;
    }
    if (completion)
        return cs_cli_refuse(cli, NULL, NULL, err,
                             "help: name a shell, bash, zsh or fish");
    if (count > 1)
        return cs_cli_refuse(cli, NULL, cli->words[first + 1].text, err,
                             "help: one command or group only");
    if (topic && !(cli->strict ? cs_group_find(cli->groups, topic)
                               : cs_help_find(cli->groups, topic)))
        return cs_help_unknown(cli->groups, topic, err);
    cli->settings->help.topic = topic;
    return CS_OK;
}

/* `<command> -?` is help for it; with parameters it is a mistake. */
static bool asks_for_help(const struct cs_cli *cli, size_t first)
{
    return cli->word_count == first + 1 &&
           !strcmp(cli->words[first].text, "-?");
}

static enum cs_code read_run(struct cs_cli *cli,
                             const struct cs_option_group *command,
                             size_t first, struct cs_err *err)
{
    enum cs_code rc = preset_all(cli, command, err);

    cli->settings->command.type = command->command;
    cli->settings->command.count = -1;
    cli->settings->command.target_uncertainty = -1;
    cli->settings->insert.batch_type = CS_BATCH_UNSET;
    if (!rc)
        rc = open_groups(cli, command, first, err);
    if (!rc)
        rc = read_environment(cli, err);
    if (!rc)
        rc = read_groups(cli, err);
    if (!rc && !command->special)
        rc = cs_defaults_fill(cli, err);
    if (!rc && !command->special)
        rc = cs_checks_run(cli, err);
    if (!rc && cli->old)
        rc = cs_stress_settle(cli, err);
    else if (!rc && !command->special)
        cs_advice_give(cli);
    cli->settings->command_line = cs_words_masked(cli);
    return rc;
}

/* The first word is profile=..., the command is left out. */
static enum cs_code read_unnamed(struct cs_cli *cli, size_t at,
                                 struct cs_err *err)
{
    const struct cs_option_group *user = cs_group_find(cli->groups, "user");

    cs_cli_warn(cli, "the command is missing, taken as 'user'");
    return read_run(cli, user, at, err);
}

static enum cs_code read_command(struct cs_cli *cli, size_t at,
                                 struct cs_err *err)
{
    const char *word = at < cli->word_count ? cli->words[at].text : NULL;
    const struct cs_option_group *command;
    enum cs_code rc;

    if (!word)
        return cs_cli_refuse(cli, NULL, NULL, err, "no command");
    if (!cli->words[at].opens)
        return read_unnamed(cli, at, err);
    rc = refuse_absent(cli, word, err);
    if (rc)
        return rc;
    command = cs_group_find(cli->groups, word);
    if (!command || !cs_group_is_command(command))
        return cs_hint_command(cli, word, err);
    if (!strcmp(command->name, "stress"))
        return cs_cli_refuse(cli, NULL, word, err, "stress comes first");
    if (command->command == CS_COMMAND_HELP)
        return read_help(cli, at + 1, err);
    if (asks_for_help(cli, at + 1)) {
        cli->settings->help.topic = command->name;
        return read_special(cli, CS_COMMAND_HELP, err);
    }
    if (cli->settings->rows.on)
        rc = cs_rows_take_command(command, err);
    if (rc)
        return rc;
    if (command->command == CS_COMMAND_VERSION)
        return read_special(cli, CS_COMMAND_VERSION, err);
    return read_run(cli, command, at + 1, err);
}

static enum cs_code read_words(struct cs_cli *cli, struct cs_err *err)
{
    enum cs_code rc = CS_OK;
    size_t at = 0;

    while (at < cli->word_count && cs_same_word(cli->words[at].text, "check")) {
        cli->settings->check_only = true;
        at++;
    }
    if (at < cli->word_count && cs_same_word(cli->words[at].text, "rows") &&
        !asks_for_help(cli, at + 1))
        rc = cs_rows_begin(cli, &at, err);
    return rc ? rc : read_command(cli, at, err);
}

/* A message of rows is one line, without the usage behind it. */
static void keep_first_line(struct cs_err *err)
{
    char *end = strchr(err->text, '\n');

    if (end)
        *end = 0;
}

/* The name of the program may stand for a command. */
static const char *personality(int argc, char **argv)
{
    const char *slash = argc ? strrchr(argv[0], '/') : NULL;
    const char *name = slash ? slash + 1 : argc ? argv[0] : "cstress";

    return name;
}

/* What people type first at any program; the original takes it for a group
 * without a command, and so does `strict`. */
static char *usual_word(const char *word)
{
    static char help[] = "help";
    static char version[] = "version";

    if (cs_same_word(word, "--help"))
        return help;
    return cs_same_word(word, "--version") ? version : NULL;
}

/* compaction-stress as the name of the program, or as the first word; without
 * a word of its own it helps. False: something else is meant. */
static bool is_compaction(int argc, char **argv, int *first)
{
    static const char name[] = "compaction-stress";

    *first = cs_same_word(personality(argc, argv), name) ? 1 : 2;
    return *first == 1 || (argc > 1 && cs_same_word(argv[1], name));
}

static enum cs_code read_compaction(struct cs_cli *cli, int argc, char **argv,
                                    struct cs_err *err)
{
    if (argc && !cs_same_word(argv[0], "help") && strcmp(argv[0], "-?") != 0)
        return cs_compaction_refuse(argc, argv, err);
    cli->settings->help.topic = "compaction-stress";
    return read_special(cli, CS_COMMAND_HELP, err);
}

static enum cs_code parse(struct cs_cli *cli, int argc, char **argv,
                          struct cs_err *err)
{
    enum cs_code rc = refuse_absent(cli, personality(argc, argv), err);
    int count = argc > 1 ? argc - 1 : 0;
    char **args = argv + 1;
    char *usual = count == 1 ? usual_word(args[0]) : NULL;
    const char *old_tool;
    int first;

    if (is_compaction(argc, argv, &first))
        return read_compaction(cli, argc - first, argv + first, err);
    cli->strict = cs_strict_wanted(count, args);
    if (usual && !cli->strict)
        args = &usual;
    if (!rc && cs_stress_wanted(argc, argv, &old_tool, &first))
        rc = cs_stress_translate(cli, old_tool, argc - first, argv + first,
                                 &count, &args, err);
    else if (!rc && cs_legacy_wanted(count, args))
        rc = cs_legacy_translate(cli, count, args, &count, &args, err);
    if (!rc)
        rc = cs_words_cut(cli, count, args, err);
    if (!rc)
        rc = read_words(cli, err);
    if (cli->no_memory)
        rc = cs_fail(err, CS_ENOMEM, "command line: out of memory");
    return rc;
}

enum cs_code cs_cli_parse_with(const struct cs_option_groups *groups, int argc,
                               char **argv, struct cs_settings **out,
                               struct cs_buf *notices, struct cs_err *err)
{
    struct cs_err spare;
    struct cs_cli cli = {.groups = groups, .notices = notices};
    enum cs_code rc;

    cli.settings = calloc(1, sizeof(*cli.settings));
    if (!cli.settings)
        return cs_fail(err, CS_ENOMEM, "command line: out of memory");
    cs_arena_init(&cli.settings->arena);
    cs_arena_init(&cli.scratch);
    rc = parse(&cli, argc, argv, err ? err : &spare);
    if (rc && cli.settings->rows.on)
        keep_first_line(err ? err : &spare);
    cs_arena_release(&cli.scratch);
    if (rc)
        cs_settings_free(cli.settings);
    else
        *out = cli.settings;
    return rc;
}

enum cs_code cs_cli_parse(int argc, char **argv, struct cs_settings **out,
                          struct cs_buf *notices, struct cs_err *err)
{
    return cs_cli_parse_with(&cs_cli_groups, argc, argv, out, notices, err);
}

void cs_settings_free(struct cs_settings *settings)
{
    if (!settings)
        return;
    cs_arena_release(&settings->arena);
    free(settings);
}
