/* compaction.c - compaction-stress of Cassandra 3.10 and later: its command
 * line is read, but writing and compacting SSTables needs Cassandra's storage
 * engine. */
#include "cli/help_internal.h"
#include "cli/parse_internal.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Exit status of the original. */
enum { NO_FOLDER = 1, NOT_A_FOLDER = 2, NOT_WRITABLE = 3, BAD_PROFILE = 4 };
#define BAD_ARGUMENTS 6
/* Of a line with which nothing is wrong. */
#define NO_ENGINE 2

enum { WRITE = 1, COMPACT = 2 };

enum value { NONE, NUMBER, PROFILE, FOLDER };

static const struct compaction_option {
    const char *name;
    const char *words;
    unsigned of;   /* sub-commands that take it */
    unsigned need; /* those that must have it */
    enum value value;
    const char *help;
} options[] = {
    {"p", "profile", WRITE | COMPACT, WRITE | COMPACT, PROFILE,
     "YAML profile with a table_definition"},
    {"d", "datadir", WRITE | COMPACT, WRITE | COMPACT, FOLDER,
     "folder for the data, may be repeated"},
    {"v", "vnodes", WRITE | COMPACT, 0, NUMBER, "number of tokens (256)"},
    {"g", "gbsize", WRITE, WRITE, NUMBER, "gigabytes to write"},
    {"t", "threads", WRITE | COMPACT, 0, NUMBER, "writers (2), compactors (4)"},
    {"c", "partition-count", WRITE, 0, NUMBER, "partitions (1000000)"},
    {"b", "buffer-size-mb", WRITE, 0, NUMBER,
     "megabytes buffered per file (128)"},
    {"r", "range-aware", WRITE, 0, NONE, "one file per range (always so)"},
    {"m", "maximal", COMPACT, 0, NONE, "one compaction of everything"},
};

#define USAGE                                                                  \
    "Usage: compaction-stress write -p ? -d ? -g ? [-v ?] [-t ?] [-c ?] "      \
    "[-b ?] [-r]\n OR \n"                                                      \
    "Usage: compaction-stress compact -p ? -d ? [-v ?] [-t ?] [-m]\n"

void cs_compaction_help(struct cs_buf *out)
{
    cs_buf_puts(out, "\n" USAGE "\n"
                     "  not available in this version: it needs Cassandra's "
                     "storage engine\n");
    for (size_t i = 0; i < CS_COUNT(options); i++)
        cs_buf_printf(out, "  -%s --%-19s %s\n", options[i].name,
                      options[i].words, options[i].help);
}

static enum cs_code fail_with(struct cs_err *err, int status, const char *what,
                              const char *word)
{
    cs_fail(err, CS_ESTATUS, "compaction-stress: %s%s%.80s%s", what,
            word ? ", near '" : "", word ? word : "", word ? "'" : "");
    err->sys_errno = status;
    return CS_ESTATUS;
}

/* "-p", "--profile", "--profile=x"; *value is what stands behind the =. */
static const struct compaction_option *find(const char *word,
                                            const char **value)
{
    *value = NULL;
    for (size_t i = 0; i < CS_COUNT(options); i++) {
        const struct compaction_option *o = &options[i];
        size_t size = strlen(o->words);

        if (word[0] == '-' && !strcmp(word + 1, o->name))
            return o;
        if (strncmp(word, "--", 2) != 0 ||
            strncmp(word + 2, o->words, size) != 0)
            continue;
        if (word[2 + size] == '=')
            *value = word + 3 + size;
        if (!word[2 + size] || *value)
            return o;
    }
    return NULL;
}

static enum cs_code check_folder(const char *path, struct cs_err *err)
{
    struct stat st;

    if (stat(path, &st))
        return fail_with(err, NO_FOLDER, "no such folder", path);
    if (!S_ISDIR(st.st_mode))
        return fail_with(err, NOT_A_FOLDER, "not a folder", path);
    if (access(path, W_OK))
        return fail_with(err, NOT_WRITABLE, "not writable", path);
    return CS_OK;
}

static enum cs_code check_value(const struct compaction_option *o,
                                const char *value, struct cs_err *err)
{
    if (o->value == NUMBER &&
        (!isdigit((unsigned char)*value) || value[strspn(value, "0123456789")]))
        return fail_with(err, BAD_ARGUMENTS, "not a number", value);
    if (o->value == PROFILE && access(value, R_OK))
        return fail_with(err, BAD_PROFILE, "cannot read the profile", value);
    return o->value == FOLDER ? check_folder(value, err) : CS_OK;
}

/* Reads the options; *given gets a bit for each. */
static enum cs_code read_options(unsigned command, int argc, char *const *argv,
                                 unsigned *given, struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    for (int i = 0; i < argc && !rc; i++) {
        const char *value;
        const struct compaction_option *o = find(argv[i], &value);

        if (!o || !(o->of & command))
            return fail_with(err, BAD_ARGUMENTS, "unknown option", argv[i]);
        *given |= 1u << (o - options);
        if (o->value == NONE)
            continue;
        if (!value && ++i < argc)
            value = argv[i];
        if (!value)
            return fail_with(err, BAD_ARGUMENTS, "a value is missing",
                             o->words);
        rc = check_value(o, value, err);
    }
    return rc;
}

enum cs_code cs_compaction_refuse(int argc, char *const *argv,
                                  struct cs_err *err)
{
    unsigned command = cs_same_word(argv[0], "write")     ? WRITE
                       : cs_same_word(argv[0], "compact") ? COMPACT
                                                          : 0;
    unsigned given = 0;
    enum cs_code rc;

    if (!command)
        return fail_with(err, BAD_ARGUMENTS,
                         "unknown command, expected write or compact", argv[0]);
    rc = read_options(command, argc - 1, argv + 1, &given, err);
    for (size_t i = 0; i < CS_COUNT(options) && !rc; i++)
        if (options[i].need & command && !(given & 1u << i))
            rc = fail_with(err, BAD_ARGUMENTS, "an option is missing",
                           options[i].words);
    return rc ? rc
              : fail_with(err, NO_ENGINE,
                          "not available: it needs Cassandra's storage engine",
                          NULL);
}
