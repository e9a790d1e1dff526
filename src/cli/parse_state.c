/* parse_state.c - what the files of a parse share: memory, messages, and what
 * was given. */
#include "cli/parse_internal.h"

#include <stdarg.h>
#include <stdio.h>

char *cs_cli_text(struct cs_cli *cli, const char *text, size_t size)
{
    char *copy = cs_arena_bytes(&cli->settings->arena, text ? text : "", size);

    cli->no_memory |= !copy;
    return copy;
}

void *cs_cli_array(struct cs_cli *cli, size_t count, size_t size)
{
    void *array = cs_arena_array(&cli->settings->arena, count, size);

    cli->no_memory |= !array;
    return array;
}

static void add_line(struct cs_cli *cli, const char *kind, const char *fmt,
                     va_list va) CS_PRINTF(3, 0);

static void add_line(struct cs_cli *cli, const char *kind, const char *fmt,
                     va_list va)
{
    char text[CS_ERR_TEXT];

    if (!cli->notices)
        return;
    vsnprintf(text, sizeof(text), fmt, va);
    cs_err_tame(text);
    cs_buf_printf(cli->notices, "%s: %s\n", kind, text);
}

void cs_cli_warn(struct cs_cli *cli, const char *fmt, ...)
{
    va_list va;

    va_start(va, fmt);
    add_line(cli, "warning", fmt, va);
    va_end(va);
}

void cs_cli_notice(struct cs_cli *cli, const char *fmt, ...)
{
    va_list va;

    va_start(va, fmt);
    add_line(cli, "notice", fmt, va);
    va_end(va);
}

enum cs_code cs_cli_blame(struct cs_cli *cli, const char *name,
                          const char *word, struct cs_err *err)
{
    const struct cs_option_group *group =
        name ? cs_group_find(cli->groups, name) : NULL;
    struct cs_buf text;
    size_t used = strlen(err->text);

    cs_buf_init(&text, 4096);
    if (word)
        cs_buf_printf(&text, ", near '%s'", cs_word_shown(cli, word));
    cs_buf_puts(&text, "\n");
    if (group)
        cs_cli_usage(group, &text);
    else
        cs_buf_puts(&text, "Usage: cstress <command> [options]; cstress help");
    if (name)
        used += strlen(name) + 2;
    snprintf(err->text + strlen(err->text),
             used < sizeof(err->text) ? sizeof(err->text) - used : 1, "%s",
             cs_buf_text(&text));
    cs_buf_release(&text);
    err->code = CS_EUSAGE;
    return name ? cs_while(err, "%s", name) : CS_EUSAGE;
}

enum cs_code cs_cli_refuse(struct cs_cli *cli, const char *group,
                           const char *word, struct cs_err *err,
                           const char *fmt, ...)
{
    char text[CS_ERR_TEXT / 2];
    va_list va;

    va_start(va, fmt);
    vsnprintf(text, sizeof(text), fmt, va);
    va_end(va);
    cs_fail(err, CS_EUSAGE, "%s", text);
    return cs_cli_blame(cli, group, word, err);
}

const struct cs_opened *cs_cli_opened(const struct cs_cli *cli,
                                      const char *group)
{
    for (size_t i = 0; i < cli->opened_count; i++)
        if (!strcmp(cli->opened[i].group->name, group))
            return &cli->opened[i];
    return NULL;
}

const struct cs_given *cs_cli_given(const struct cs_cli *cli, const char *group,
                                    const char *key)
{
    const struct cs_opened *opened = cs_cli_opened(cli, group);

    for (size_t i = 0; opened && i < opened->given_count; i++) {
        const struct cs_given *given = &opened->given[i];

        if (given->option->key && !strcmp(given->option->key, key))
            return given;
    }
    return NULL;
}
