/* cli_fixture.h - one parsed command line, from words between blanks or from
 * given arguments. */
#ifndef CS_TESTS_UNIT_CLI_FIXTURE_H
#define CS_TESTS_UNIT_CLI_FIXTURE_H

#include "cli/cli.h"
#include "cli/option.h"

#include "support/vectors.h"

#define ARGS_MAX 64

struct parsed {
    enum cs_code rc;
    struct cs_settings *settings; /* NULL when refused */
    struct cs_buf notices;
    struct cs_err err;
};

static inline void parse_args(struct parsed *p,
                              const struct cs_option_groups *groups, int count,
                              const char *const *args)
{
    char *argv[ARGS_MAX + 2] = {NULL};

    memset(p, 0, sizeof(*p));
    cs_buf_init(&p->notices, 1 << 16);
    argv[0] = strdup("cstress");
    for (int i = 0; i < count && i < ARGS_MAX; i++)
        argv[i + 1] = strdup(args[i]);
    p->rc = cs_cli_parse_with(groups, count + 1, argv, &p->settings,
                              &p->notices, &p->err);
    for (int i = 0; i <= count; i++)
        free(argv[i]);
}

/* Each `|` separates two arguments. */
static inline void parse_with(struct parsed *p,
                              const struct cs_option_groups *groups,
                              const char *line)
{
    char *copy = strdup(line);
    char *rest = copy;
    const char *args[ARGS_MAX];
    int count = 0;

    while (rest && count < ARGS_MAX)
        args[count++] = strsep(&rest, "|");
    parse_args(p, groups, *line ? count : 0, args);
    free(copy);
}

static inline void parse_line(struct parsed *p, const char *line)
{
    parse_with(p, &cs_cli_groups, line);
}

static inline void release(struct parsed *p)
{
    cs_settings_free(p->settings);
    cs_buf_release(&p->notices);
}

#endif
