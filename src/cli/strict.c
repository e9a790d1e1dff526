/* strict.c - whether the original's manners are asked for, and how it refuses
 * a command line. */
#include "cli/cli.h"
#include "cli/help_internal.h"
#include "cli/parse_internal.h"

#include "base/text.h"

#include <stdlib.h>
#include <strings.h>

bool cs_strict_wanted(int argc, char *const *argv)
{
    const char *env = getenv("CSTRESS_COMPAT");
    bool inside = false;

    if (env && strcasestr(env, "strict"))
        return true;
    for (int i = 0; i < argc; i++) {
        const char *group = strcasestr(argv[i], "-compat");

        if (group ? strcasestr(group, "strict") != NULL
                  : inside && cs_same_word(argv[i], "strict"))
            return true;
        inside = group || (inside && argv[i][0] != '-');
    }
    return false;
}

/* Whose list of groups the help shows; a level that cannot be read is the
 * usual one. */
static enum cs_level level_of(int argc, char *const *argv)
{
    static const char *const levels[] = {"level=3.11", "level=4.0",
                                         "level=4.1"};
    const char *env = getenv("CSTRESS_COMPAT");

    for (size_t i = 0; i < CS_COUNT(levels); i++) {
        if (env && strcasestr(env, levels[i]))
            return (enum cs_level)i;
        for (int k = 0; k < argc; k++)
            if (strcasestr(argv[k], levels[i]))
                return (enum cs_level)i;
    }
    return CS_LEVEL_5_0;
}

bool cs_cli_put_refusal(int argc, char *const *argv, const struct cs_err *err,
                        struct cs_buf *out)
{
    struct cs_settings settings = {.compat.level = level_of(argc, argv)};
    struct cs_err unused;
    size_t reason = strcspn(err->text, "\n");

    if (!cs_strict_wanted(argc, argv))
        return false;
    cs_buf_put(out, err->text, reason);
    cs_buf_put8(out, '\n');
    return cs_cli_help(&settings, out, &unused) == CS_OK;
}
