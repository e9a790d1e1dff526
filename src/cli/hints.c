/* hints.c - words that nothing takes: what was probably meant. */
#include "cli/parse_internal.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>

#define NAMES_MAX 96

/* What people write, in other tools' words; no spelling is near it. */
static const struct {
    const char *group; /* NULL: a command that runs */
    const char *word;
    const char *meant;
} synonyms[] = {
    {NULL, "consistency", "cl="},
    {NULL, "consistency-level", "cl="},
    {NULL, "count", "n="},
    {NULL, "num-keys", "n="},
    {NULL, "time", "duration="},
    {NULL, "warmup", "no-warmup"},
    {"-mode", "pass", "password="},
    {"-mode", "username", "user="},
    {"-mode", "timeout", "requestTimeout="},
    {"-errors", "retry", "retries="},
    {"-errors", "tries", "retries="},
    {"-col", "columns", "n="},
    {"-col", "count", "n="},
    {"-schema", "replication_factor", "replication(factor=...)"},
    {"-schema", "rf", "replication(factor=...)"},
    {"-schema", "ks", "keyspace="},
    {"-rate", "clients", "threads="},
    {"-rate", "rate", "throttle="},
    {"-log", "output", "file="},
    {"-node", "host", "-node a,b"},
    {"-node", "hosts", "-node a,b"},
    {"-node", "dc", "datacenter="},
    {"-node", "nodes", "-node a,b"},
};

/* What compares is an operation of the user command. */
#define VALIDATE "user profile=FILE ops(validate=1)"

static const char *const command_synonyms[][2] = {
    {"read-write", "mixed"}, {"read_write", "mixed"},
    {"readwrite", "mixed"},  {"counter", "counter_write"},
    {"update", "write"},     {"select", "read"},
    {"profile", "user"},     {"--help", "help"},
    {"usage", "help"},       {"load", "write"},
    {"query", "user"},       {"validate", VALIDATE},
    {"verify", VALIDATE},
};

/* ", try 'x'", or nothing. */
static const char *try_text(const char *meant, char *room, size_t size)
{
    snprintf(room, size, "%s%s%s", meant ? ", try '" : "", meant ? meant : "",
             meant ? "'" : "");
    return room;
}

/* The word up to its sign, and with its sign. */
static void split_word(const char *word, char *bare, char *marked, size_t size)
{
    size_t length = CS_MIN(strcspn(word, "=<>("), size - 2);

    snprintf(bare, size, "%.*s", (int)length, word);
    snprintf(marked, size, "%.*s%c", (int)length, word, word[length]);
}

/* ---- a word of a group ---- */

static const char *synonym_of(const struct cs_option_group *group,
                              const char *bare)
{
    for (size_t i = 0; i < CS_COUNT(synonyms); i++) {
        const char *of = synonyms[i].group;

        if ((of ? !strcmp(of, group->name) : cs_group_is_command(group)) &&
            cs_same_word(synonyms[i].word, bare))
            return synonyms[i].meant;
    }
    return NULL;
}

/* The row that has this name with another sign behind it. */
static const struct cs_option *
row_with_other_sign(const struct cs_option_group *group, const char *bare)
{
    const struct cs_option *row;
    size_t size = strlen(bare);

    for (size_t i = 0; size && (row = cs_group_row(group, i)) != NULL; i++)
        if (row->key && !row->hidden && cs_starts_with_word(row->key, bare) &&
            (!row->key[size] || strchr("=<>(", row->key[size])))
            return row;
    return NULL;
}

/* The list of this group that has an item of that name, or NULL. */
static const struct cs_option *list_of_item(const struct cs_option_group *group,
                                            const char *word)
{
    const struct cs_option *row;

    for (size_t i = 0; (row = cs_group_row(group, i)) != NULL; i++)
        for (size_t k = 0; k < row->item_count; k++)
            if (cs_starts_with_word(word, row->items[k].key))
                return row;
    return NULL;
}

/* Another group that takes the word, or NULL. */
static const struct cs_option_group *taker_of(const struct cs_cli *cli,
                                              const char *word)
{
    for (size_t i = 0; i < cli->groups->count; i++) {
        const struct cs_option_group *group = cli->groups->list[i];

        if (!group->hidden && !cs_group_is_command(group) &&
            cs_group_match(group, word, false))
            return group;
    }
    return NULL;
}

/* A value whose name was left out: "gaussian(1..10)", "a.yaml", "9042". */
static const char *name_of_value(const struct cs_option_group *group,
                                 const char *word)
{
    const struct cs_option *row;
    size_t size = strlen(word);

    if (size > 5 &&
        (cs_same_word(word + size - 5, ".yaml") ||
         cs_same_word(word + size - 4, ".yml")) &&
        cs_group_match(group, "profile=x", false))
        return "profile=";
    if (!strcmp(group->name, "-port") && word[strspn(word, "0123456789")] == 0)
        return "native=";
    if (!isalpha((unsigned char)word[0]) || !strstr(word, "..") ||
        word[size - 1] != ')')
        return NULL;
    for (size_t i = 0; (row = cs_group_row(group, i)) != NULL; i++)
        if (row->type == CS_OPTION_DIST && !row->hidden)
            return row->key;
    return NULL;
}

static enum cs_code refuse_other_sign(const struct cs_option *row,
                                      const char *word, struct cs_err *err)
{
    if (cs_same_word(word, "threads"))
        return cs_fail(err, CS_EUSAGE,
                       "a value is missing: write threads=4, or 'threads>=4' "
                       "in quotes, as the shell takes < and > for itself");
    if (row->type == CS_OPTION_LIST)
        return cs_fail(err, CS_EUSAGE,
                       "it takes a list in parentheses: %sname=value,...)",
                       row->key);
    return cs_fail(err, CS_EUSAGE, "unknown parameter, try '%s'", row->key);
}

static enum cs_code unknown_word(const struct cs_opened *opened,
                                 const char *word, const char *bare,
                                 const char *marked, struct cs_err *err)
{
    const struct cs_option *row = row_with_other_sign(opened->group, bare);
    const char *meant = synonym_of(opened->group, bare);
    const char *names[NAMES_MAX];
    char room[80];
    size_t count = 0;

    if (!meant && row)
        return refuse_other_sign(row, word, err);
    if (!meant)
        meant = name_of_value(opened->group, word);
    for (size_t i = 0; !meant && (row = cs_group_row(opened->group, i)) != NULL;
         i++)
        if (row->key && !row->hidden && count < NAMES_MAX)
            names[count++] = row->key;
    if (!meant)
        meant = cs_nearest(marked, names, count);
    return cs_fail(err, CS_EUSAGE, "unknown parameter%s",
                   try_text(meant, room, sizeof(room)));
}

/* Words that belong elsewhere get told where. */
enum cs_code cs_hint_word(struct cs_cli *cli, const struct cs_opened *opened,
                          const char *word, struct cs_err *err)
{
    const struct cs_option_group *command = cli->opened[0].group;
    const struct cs_option *list = list_of_item(opened->group, word);
    const struct cs_option_group *taker = taker_of(cli, word);
    char bare[64], marked[64];

    split_word(word, bare, marked, sizeof(bare));
    if (list)
        return cs_fail(err, CS_EUSAGE, "this word belongs inside %s)",
                       list->key);
    if (opened->group != command && cs_group_match(command, word, false))
        return cs_fail(err, CS_EUSAGE,
                       "this word belongs to the command %s, before the first "
                       "group",
                       command->name);
    if (taker && strchr(word, '=') && !synonym_of(opened->group, bare))
        return cs_fail(err, CS_EUSAGE, "unknown parameter; it belongs to %s",
                       taker->name);
    return unknown_word(opened, word, bare, marked, err);
}

enum cs_code cs_hint_item(const struct cs_option *list, const char *item,
                          struct cs_err *err)
{
    const char *names[NAMES_MAX];
    char bare[64], marked[64], room[80];
    size_t count = 0;

    for (; count < list->item_count && count < NAMES_MAX; count++)
        names[count] = list->items[count].key;
    split_word(item, bare, marked, sizeof(bare));
    return cs_fail(
        err, CS_EUSAGE, "unknown item '%.40s'%s", item,
        try_text(cs_nearest(marked, names, count), room, sizeof(room)));
}

/* ---- groups and commands ---- */

static const char *nearest_group(const struct cs_cli *cli, const char *word,
                                 bool commands)
{
    const char *names[NAMES_MAX];
    size_t count = 0;

    for (size_t i = 0; i < cli->groups->count && count < NAMES_MAX; i++)
        if (cs_group_is_command(cli->groups->list[i]) == commands)
            names[count++] = cli->groups->list[i]->name;
    return cs_nearest(word, names, count);
}

/* The parameter that has a group's dash in front of it: "-cl ONE". */
static enum cs_code refuse_dashed(struct cs_cli *cli,
                                  const struct cs_option_group *group,
                                  const struct cs_option *row, const char *word,
                                  struct cs_err *err)
{
    bool command = group == cli->opened[0].group;

    return cs_cli_refuse(
        cli, NULL, word, err, "unknown group; %s is a parameter of %s%s",
        row->key, group->name,
        command ? ", without a dash and before the first group" : "");
}

enum cs_code cs_hint_group(struct cs_cli *cli, const char *word,
                           struct cs_err *err)
{
    const struct cs_option_group *command = cli->opened[0].group;
    const struct cs_option *row;
    char bare[64], marked[64], room[80];
    const char *nearest;

    split_word(word, bare, marked, sizeof(bare));
    if (strcmp(bare, word) != 0 && cs_group_find(cli->groups, bare))
        return cs_cli_refuse(cli, bare, word, err,
                             "the name of a group stands alone, a blank and "
                             "its parameters follow");
    row = row_with_other_sign(command, bare + strspn(bare, "-"));
    if (row)
        return refuse_dashed(cli, command, row, word, err);
    nearest = nearest_group(cli, bare, false);
    for (size_t i = 0; !nearest && i < cli->groups->count; i++) {
        const struct cs_option_group *group = cli->groups->list[i];

        row = group->hidden || cs_group_is_command(group)
                  ? NULL
                  : row_with_other_sign(group, bare + strspn(bare, "-"));
        if (row)
            return refuse_dashed(cli, group, row, word, err);
    }
    return cs_cli_refuse(cli, NULL, word, err, "unknown group%s",
                         try_text(nearest, room, sizeof(room)));
}

enum cs_code cs_hint_command(struct cs_cli *cli, const char *word,
                             struct cs_err *err)
{
    const struct cs_option_group *write = cs_group_find(cli->groups, "write");
    const char *meant = NULL;
    char room[80];

    if (word[0] == '-' && cs_same_word(word, "-class"))
        return cs_cli_refuse(cli, NULL, word, err,
                             "no command; these are options of 'cstress sbk'");
    if (word[0] == '-')
        return cs_cli_refuse(cli, NULL, word, err,
                             "no command specified; it must come first");
    if (write && cs_group_match(write, word, false))
        return cs_cli_refuse(cli, NULL, word, err,
                             "the command is missing; it comes first, as in "
                             "'write %s'",
                             cs_word_shown(cli, word));
    for (size_t i = 0; i < CS_COUNT(command_synonyms); i++)
        if (cs_same_word(command_synonyms[i][0], word))
            meant = command_synonyms[i][1];
    if (!meant)
        meant = nearest_group(cli, word, true);
    return cs_cli_refuse(cli, NULL, word, err, "unknown command%s",
                         try_text(meant, room, sizeof(room)));
}
