/* match.c - the words of one group to its options: names, repetitions, lists,
 * and which alternative of the group they make. */
#include "cli/parse_internal.h"

#include "base/text.h"

#include <stdio.h>

static bool is_flag(const struct cs_option *option)
{
    size_t size = option->key ? strlen(option->key) : 0;

    return size && !strchr("=<>(", option->key[size - 1]);
}

/* Cuts "a=1,b=2" at the commas and offers each item. */
static enum cs_code read_items(struct cs_cli *cli, struct cs_opened *opened,
                               const struct cs_option *option, char *text,
                               struct cs_err *err);

static enum cs_code read_list(struct cs_cli *cli, struct cs_opened *opened,
                              const struct cs_option *option, const char *value,
                              struct cs_err *err)
{
    size_t size = strlen(value);
    char *copy;

    if (!size || value[size - 1] != ')')
        return cs_fail(err, CS_EUSAGE, "closing parenthesis missing");
    copy = cs_cli_text(cli, value, size - 1);
    if (!copy)
        return CS_ENOMEM;
    return read_items(cli, opened, option, copy, err);
}

static const struct cs_given *find_given(const struct cs_opened *opened,
                                         const struct cs_option *option)
{
    for (size_t i = 0; i < opened->given_count; i++)
        if (opened->given[i].option == option)
            return &opened->given[i];
    return NULL;
}

static void note_given(struct cs_cli *cli, struct cs_opened *opened,
                       const struct cs_option *option, const char *word,
                       const char *value)
{
    if (!opened->given) {
        cli->no_memory = true;
        return;
    }
    opened->given[opened->given_count++] =
        (struct cs_given){.option = option, .word = word, .value = value};
}

static const struct cs_option *match_item(const struct cs_option *list,
                                          const char *item)
{
    for (size_t i = 0; i < list->item_count; i++)
        if (cs_starts_with_word(item, list->items[i].key))
            return &list->items[i];
    return NULL;
}

static enum cs_code read_extra(struct cs_cli *cli, const struct cs_option *list,
                               char *item, struct cs_err *err)
{
    char *sign = strchr(item, '=');
    size_t size = strlen(item);

    if (!list->store_extra)
        return cs_hint_item(list, item, err);
    /* The original's own slip: a last '=' is not looked at. */
    if (sign && size > 1 && item[size - 1] == '=' && sign != item + size - 1)
        item[size - 1] = 0;
    if (!sign || sign == item || !sign[1] || strchr(sign + 1, '='))
        return cs_fail(err, CS_EUSAGE, "'%.40s' is not of the form name=value",
                       item);
    *sign = 0;
    return list->store_extra(cli, item, sign + 1, err);
}

static enum cs_code read_item(struct cs_cli *cli, struct cs_opened *opened,
                              const struct cs_option *list, char *item,
                              struct cs_err *err)
{
    const struct cs_option *option = match_item(list, item);
    const char *value;

    if (!option)
        return read_extra(cli, list, item, err);
    value = item + strlen(option->key);
    if (!*value)
        return cs_fail(err, CS_EUSAGE, "%s has no value", option->key);
    if (find_given(opened, option))
        return cs_fail(err, CS_EUSAGE, "%s is given twice", option->key);
    note_given(cli, opened, option, item, value);
    return cs_value_store(cli, option, value, err);
}

static enum cs_code read_items(struct cs_cli *cli, struct cs_opened *opened,
                               const struct cs_option *option, char *text,
                               struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    while (*text && !rc) {
        char *comma = strchr(text, ',');

        if (comma == text)
            return cs_fail(err, CS_EUSAGE, "a comma without an item in front");
        if (comma)
            *comma = 0;
        rc = read_item(cli, opened, option, text, err);
        if (!comma)
            break;
        text = comma + 1;
    }
    return rc;
}

static bool may_repeat(const struct cs_option *option)
{
    return option->type == CS_OPTION_DIST || option->type == CS_OPTION_RATIO ||
           option->type == CS_OPTION_LIST;
}

static enum cs_code check_repeated(struct cs_cli *cli,
                                   const struct cs_opened *opened,
                                   const struct cs_option *option,
                                   struct cs_err *err)
{
    if (!find_given(opened, option) || option->type == CS_OPTION_LIST)
        return CS_OK;
    if (may_repeat(option)) {
        cs_cli_warn(cli, "%s: %s is given twice, the last one counts",
                    opened->group->name, option->key);
        return CS_OK;
    }
    if (is_flag(option) && !cli->strict) {
        cs_cli_warn(cli, "%s: %s is given twice", opened->group->name,
                    option->key);
        return CS_OK;
    }
    if (option->type == CS_OPTION_BARE)
        return cs_fail(err, CS_EUSAGE,
                       "a second %s was given; separate several by commas",
                       option->form ? option->form : "value");
    return cs_fail(err, CS_EUSAGE, "%s is given twice", option->key);
}

static enum cs_code check_empty(struct cs_cli *cli,
                                const struct cs_opened *opened,
                                const struct cs_option *option,
                                const char *value, struct cs_err *err)
{
    if (is_flag(option)) {
        if (*value && option->type != CS_OPTION_GONE)
            return cs_fail(err, CS_EUSAGE, "%s takes no value", option->key);
        return CS_OK;
    }
    if (*value)
        return CS_OK;
    if (option->empty_ok) {
        cs_cli_warn(cli, "%s: %s has no value", opened->group->name,
                    option->key);
        return CS_OK;
    }
    return cs_fail(err, CS_EUSAGE, "%s has no value%s%s", option->key,
                   option->form ? ", expected " : "",
                   option->form ? option->form : "");
}

/* What a value looks like, unless the message says so already. */
static enum cs_code add_form(const struct cs_option *option, struct cs_err *err)
{
    bool number =
        option->type == CS_OPTION_INT || option->type == CS_OPTION_LONG;
    const char *form = option->form ? option->form : number ? "digits" : NULL;
    size_t used = strlen(err->text);

    if (form && !strstr(err->text, "expected"))
        snprintf(err->text + used, sizeof(err->text) - used, ", expected %s",
                 form);
    return err->code;
}

static enum cs_code read_option(struct cs_cli *cli, struct cs_opened *opened,
                                const struct cs_option *option,
                                const char *word, struct cs_err *err)
{
    const char *value = word + (option->key ? strlen(option->key) : 0);
    enum cs_code rc = CS_OK;

    if (option->key)
        rc = check_empty(cli, opened, option, value, err);
    if (!rc)
        rc = check_repeated(cli, opened, option, err);
    if (rc)
        return rc;
    note_given(cli, opened, option, word, value);
    if (option->type == CS_OPTION_LIST)
        rc = read_list(cli, opened, option, value, err);
    else if (cs_value_store(cli, option, value, err))
        rc = add_form(option, err);
    if (!rc && option->idle)
        cs_cli_notice(cli, "%s: %s", opened->group->name, option->idle);
    return rc;
}

/* name=value where a value without a name is left over: no host has a =. */
static bool is_misnamed(const struct cs_option_group *group,
                        const struct cs_option *option, const char *word)
{
    return option->type == CS_OPTION_BARE && strchr(word, '=') &&
           cs_group_row(group, 1) != NULL;
}

static enum cs_code read_word(struct cs_cli *cli, struct cs_opened *opened,
                              const char *word, struct cs_err *err)
{
    const struct cs_option *option = cs_group_match(opened->group, word, true);

    if (!option || is_misnamed(opened->group, option, word))
        return cs_hint_word(cli, opened, word, err);
    return read_option(cli, opened, option, word, err);
}

static unsigned all_sets(const struct cs_option_group *group)
{
    return group->alternatives > 1 ? (1u << group->alternatives) - 1 : 1;
}

static unsigned sets_of(const struct cs_opened *opened,
                        const struct cs_option *option)
{
    return option->sets ? option->sets : all_sets(opened->group);
}

/* Two words that no alternative takes together. */
static enum cs_code refuse_pair(struct cs_cli *cli,
                                const struct cs_opened *opened, size_t last,
                                struct cs_err *err)
{
    const struct cs_option *option = opened->given[last].option;
    const struct cs_option *other = option;

    for (size_t i = 0; i < last; i++)
        if (!(sets_of(opened, opened->given[i].option) &
              sets_of(opened, option)))
            other = opened->given[i].option;
    cs_fail(err, CS_EUSAGE, "%s and %s exclude each other", other->key,
            option->key);
    return cs_cli_blame(cli, opened->group->name, opened->given[last].word,
                        err);
}

static const struct cs_option *missing_in(const struct cs_opened *opened,
                                          int alternative)
{
    const struct cs_option *row;

    for (size_t i = 0; (row = cs_group_row(opened->group, i)) != NULL; i++)
        if (row->needs & 1u << alternative && !find_given(opened, row))
            return row;
    return NULL;
}

/* The first alternative that takes every word and has all it needs. */
static enum cs_code choose_alternative(struct cs_cli *cli,
                                       const struct cs_opened *opened,
                                       struct cs_err *err)
{
    unsigned possible = all_sets(opened->group);
    const struct cs_option *missing = NULL;

    for (size_t i = 0; i < opened->given_count; i++) {
        possible &= sets_of(opened, opened->given[i].option);
        if (!possible)
            return refuse_pair(cli, opened, i, err);
    }
    for (int a = 0; possible >> a; a++) {
        const struct cs_option *lacks;

        if (!(possible & 1u << a))
            continue;
        lacks = missing_in(opened, a);
        if (!lacks)
            return CS_OK;
        missing = missing ? missing : lacks;
    }
    cs_fail(err, CS_EUSAGE, "%s is missing",
            missing->key ? missing->key : missing->form);
    return cs_cli_blame(cli, opened->group->name, NULL, err);
}

static size_t items_of(const struct cs_option_group *group)
{
    const struct cs_option *row;
    size_t count = 0;

    for (size_t i = 0; (row = cs_group_row(group, i)) != NULL; i++)
        count += row->item_count;
    return count;
}

enum cs_code cs_group_read(struct cs_cli *cli, struct cs_opened *opened,
                           struct cs_err *err)
{
    opened->given = cs_arena_array(&cli->scratch,
                                   opened->count + items_of(opened->group) + 1,
                                   sizeof(*opened->given));
    for (size_t i = 0; i < opened->count; i++) {
        const char *word = cli->words[opened->first + i].text;
        enum cs_code rc = read_word(cli, opened, word, err);

        if (rc)
            return cs_cli_blame(cli, opened->group->name, word, err);
    }
    return choose_alternative(cli, opened, err);
}

enum cs_code cs_group_preset(struct cs_cli *cli,
                             const struct cs_option_group *group,
                             struct cs_err *err)
{
    const struct cs_option *row;

    for (size_t i = 0; (row = cs_group_row(group, i)) != NULL; i++) {
        enum cs_code rc = CS_OK;

        if (row->type == CS_OPTION_FLAG && row->at && row->negated)
            *(bool *)(void *)((char *)cli->settings + row->at) = true;
        if (row->preset && row->type != CS_OPTION_FLAG) {
            bool kept = row->has_at &&
                        *(bool *)(void *)((char *)cli->settings + row->has_at);

            rc = cs_value_store(cli, row, row->preset, err);
            if (row->has_at)
                *(bool *)(void *)((char *)cli->settings + row->has_at) = kept;
        }
        if (rc)
            return cs_while(err, "default of %s %s", group->name, row->key);
    }
    return CS_OK;
}
