/* legacy_read.c - the words of the old tools: each option with its value. */
#include "cli/legacy_internal.h"
#include "cli/parse_internal.h"

/* The words that no option takes, as the old tool listed them. */
static enum cs_code refuse_free(bool own, int i, char *const *argv,
                                struct cs_err *err)
{
    if (own)
        return cs_fail(err, CS_EUSAGE,
                       "Application does not allow arbitrary arguments: "
                       "%.200s",
                       argv[i]);
    return cs_fail(err, CS_EUSAGE,
                   "legacy: word %d stands alone, expected options", i + 1);
}

static const char *name_of(const struct cs_old_option *o)
{
    return o->name[0] ? o->name : o->words;
}

/* legacy has no use for some that stress has. */
static bool is_ignored(const struct cs_old_option *o, bool own)
{
    return o->at == CS_OLD_NOWHERE || (!own && o->ignored);
}

enum cs_code cs_old_read(struct cs_cli *cli, const char *tool, bool own,
                         int argc, char *const *argv, struct cs_old *out,
                         struct cs_err *err)
{
    for (int i = 0; i < argc; i++) {
        const char *value;
        const struct cs_old_option *o = cs_old_option_find(argv[i], &value);

        if (!o && argv[i][0] != '-')
            return refuse_free(own, i, argv, err);
        if (!o)
            return cs_old_option_unknown(tool, argv[i], err);
        if (!o->takes_value)
            value = o->words;
        else if (!value && ++i < argc)
            value = argv[i];
        if (!value)
            return cs_fail(err, CS_EUSAGE, "%s: -%s has no value", tool,
                           name_of(o));
        if (is_ignored(o, own))
            cs_cli_notice(cli, "%s: -%s%s is %s", tool, o->name[0] ? "" : "-",
                          name_of(o), o->ignored);
        else
            *(const char **)(void *)((char *)out + o->at) = value;
    }
    return CS_OK;
}
