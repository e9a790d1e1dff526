/* value.c - the text behind a name to a value in the settings, by the type of
 * the option. */
#include "cli/parse_internal.h"

#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static void *place(struct cs_cli *cli, size_t at)
{
    return (char *)cli->settings + at;
}

/* What a suffix multiplies by; 0: it is none. */
static int64_t factor_of(char suffix)
{
    switch (tolower((unsigned char)suffix)) {
    case 'k':
        return 1000;
    case 'm':
        return 1000000;
    case 'b':
        return 1000000000;
    default:
        return 0;
    }
}

enum cs_code cs_value_number(struct cs_cli *cli, const char *text, bool loose,
                             int64_t *out, struct cs_err *err)
{
    char *end;
    int64_t factor = 1;
    long long value;

    if (!isdigit((unsigned char)text[0]))
        return cs_fail(err, CS_EUSAGE, "not a number");
    errno = 0;
    value = strtoll(text, &end, 10);
    if (*end && !(loose && cli->strict))
        factor = end[1] ? 0 : factor_of(*end);
    else if (*end)
        factor = 0;
    if (!factor)
        return cs_fail(err, CS_EUSAGE, "not a number");
    if (errno || value > INT64_MAX / factor)
        return cs_fail(err, CS_EUSAGE, "number beyond 64 bits");
    *out = value * factor;
    return CS_OK;
}

/* Digits only where a suffix would be misread. */
static enum cs_code plain_number(const char *text, int64_t *out,
                                 struct cs_err *err)
{
    if (!*text || text[strspn(text, "0123456789")])
        return cs_fail(err, CS_EUSAGE, "not a number, expected digits");
    errno = 0;
    *out = strtoll(text, NULL, 10);
    if (errno)
        return cs_fail(err, CS_EUSAGE, "number beyond 64 bits");
    return CS_OK;
}

static enum cs_code check_range(const struct cs_option *option, int64_t value,
                                struct cs_err *err)
{
    int64_t max = option->max                     ? option->max
                  : option->type == CS_OPTION_INT ? INT_MAX
                                                  : INT64_MAX;

    if (value < option->min || value > max)
        return cs_fail(err, CS_EUSAGE, "out of range, expected %lld to %lld",
                       (long long)option->min, (long long)max);
    return CS_OK;
}

static enum cs_code store_number(struct cs_cli *cli,
                                 const struct cs_option *option,
                                 const char *value, struct cs_err *err)
{
    bool loose = option->type == CS_OPTION_INT;
    int64_t number = 0;
    enum cs_code rc = option->plain
                          ? plain_number(value, &number, err)
                          : cs_value_number(cli, value, loose, &number, err);

    /* Numbers have no sign: what is wrong with one below 0 is its range, where
     * there is one. */
    if (rc && option->max && option->min >= 0 && value[0] == '-' &&
        isdigit((unsigned char)value[1]))
        rc = check_range(option, -1, err);
    if (!rc)
        rc = check_range(option, number, err);
    if (rc || !option->at)
        return rc;
    if (option->type == CS_OPTION_INT)
        *(int *)place(cli, option->at) = (int)number;
    else
        *(int64_t *)place(cli, option->at) = number;
    return CS_OK;
}

const char *cs_value_path(struct cs_cli *cli, const char *path)
{
    const char *home = getenv("HOME");
    struct cs_buf buf;
    const char *text;

    if (cli->strict || strncmp(path, "~/", 2) != 0 || !home)
        return cs_cli_text(cli, path, strlen(path));
    cs_buf_init(&buf, 1u << 20);
    cs_buf_puts(&buf, home);
    cs_buf_puts(&buf, path + 1);
    text = cs_cli_text(cli, cs_buf_text(&buf), buf.size);
    cs_buf_release(&buf);
    return text;
}

static enum cs_code store_text(struct cs_cli *cli,
                               const struct cs_option *option,
                               const char *value)
{
    const char *text = option->type == CS_OPTION_PATH
                           ? cs_value_path(cli, value)
                           : cs_cli_text(cli, value, strlen(value));

    if (option->at)
        *(const char **)place(cli, option->at) = text;
    return CS_OK;
}

static enum cs_code unknown_choice(const struct cs_option *option,
                                   const char *value, struct cs_err *err)
{
    struct cs_buf list;
    const char *names[32];
    size_t count = 0;
    const char *nearest;

    cs_buf_init(&list, 512);
    for (; count < 32 && option->choices[count].name; count++) {
        names[count] = option->choices[count].name;
        cs_buf_printf(&list, "%s%s", count ? ", " : "", names[count]);
    }
    nearest = cs_nearest(value, names, count);
    cs_fail(err, CS_EUSAGE, "unknown value, expected one of %s%s%s%s",
            cs_buf_text(&list), nearest ? " (try '" : "",
            nearest ? nearest : "", nearest ? "')" : "");
    cs_buf_release(&list);
    return CS_EUSAGE;
}

static enum cs_code store_choice(struct cs_cli *cli,
                                 const struct cs_option *option,
                                 const char *value, struct cs_err *err)
{
    for (const struct cs_choice *c = option->choices; c->name; c++) {
        if (!cs_same_word(c->name, value))
            continue;
        if (option->at)
            *(int *)place(cli, option->at) = c->value;
        if (option->text_at)
            *(const char **)place(cli, option->text_at) = c->name;
        return CS_OK;
    }
    return unknown_choice(option, value, err);
}

/* A plain number where a distribution is expected. */
static const char *as_dist(struct cs_cli *cli, const char *value, char *room,
                           size_t size)
{
    size_t digits = strspn(value, "0123456789");

    if (cli->strict || !digits || strlen(value) > 20 ||
        (value[digits] && value[digits + 1]))
        return value;
    snprintf(room, size, "FIXED(%s)", value);
    return room;
}

static void pass_notice(struct cs_cli *cli, struct cs_buf *notice)
{
    if (notice->size)
        cs_cli_notice(cli, "%s", cs_buf_text(notice));
    cs_buf_release(notice);
}

static enum cs_code store_dist(struct cs_cli *cli,
                               const struct cs_option *option,
                               const char *value, struct cs_err *err)
{
    char room[40];
    struct cs_dist_spec spec;
    struct cs_buf notice;
    enum cs_code rc;

    cs_buf_init(&notice, 4096);
    rc = cs_dist_parse(as_dist(cli, value, room, sizeof(room)), &spec, &notice,
                       err);
    if (!rc && option->at)
        *(struct cs_dist_spec *)place(cli, option->at) = spec;
    pass_notice(cli, &notice);
    return rc;
}

static enum cs_code store_ratio(struct cs_cli *cli,
                                const struct cs_option *option,
                                const char *value, struct cs_err *err)
{
    struct cs_ratio_spec spec;
    struct cs_buf notice;
    enum cs_code rc;

    cs_buf_init(&notice, 4096);
    rc = cs_ratio_parse(value, &spec, &notice, err);
    if (!rc && option->at)
        *(struct cs_ratio_spec *)place(cli, option->at) = spec;
    pass_notice(cli, &notice);
    return rc;
}

static enum cs_code store_flag(struct cs_cli *cli,
                               const struct cs_option *option)
{
    if (option->at)
        *(bool *)place(cli, option->at) = !option->negated;
    return CS_OK;
}

static enum cs_code store_by_type(struct cs_cli *cli,
                                  const struct cs_option *option,
                                  const char *value, struct cs_err *err)
{
    if (option->store)
        return option->store(cli, option, value, err);
    switch (option->type) {
    case CS_OPTION_FLAG:
        return store_flag(cli, option);
    case CS_OPTION_INT:
    case CS_OPTION_LONG:
        return store_number(cli, option, value, err);
    case CS_OPTION_TEXT:
    case CS_OPTION_PATH:
    case CS_OPTION_SECRET:
    case CS_OPTION_BARE:
        return store_text(cli, option, value);
    case CS_OPTION_CHOICE:
        return store_choice(cli, option, value, err);
    case CS_OPTION_DIST:
        return store_dist(cli, option, value, err);
    case CS_OPTION_RATIO:
        return store_ratio(cli, option, value, err);
    case CS_OPTION_GONE:
        return cs_fail(err, CS_EUSAGE, "%s", option->help);
    default:
        return CS_OK;
    }
}

enum cs_code cs_value_store(struct cs_cli *cli, const struct cs_option *option,
                            const char *value, struct cs_err *err)
{
    enum cs_code rc = store_by_type(cli, option, value, err);

    if (rc)
        return rc;
    if (option->has_at)
        *(bool *)place(cli, option->has_at) = true;
    if (option->text_at && option->type != CS_OPTION_CHOICE)
        *(const char **)place(cli, option->text_at) =
            cs_cli_text(cli, value, strlen(value));
    return CS_OK;
}
