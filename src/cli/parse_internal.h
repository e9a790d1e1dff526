/* parse_internal.h - the state of a parse, shared by the files of the room. */
#ifndef CS_CLI_PARSE_INTERNAL_H
#define CS_CLI_PARSE_INTERNAL_H

#include "cli/option.h"

#include <stdarg.h>
#include <stddef.h>

/* A word of the command line after the blanks were dealt with. */
struct cs_word {
    const char *text;
    size_t raw_at; /* where it began in the joined arguments */
    size_t raw_end;
    bool opens; /* the command, or a group */
};

struct cs_given {
    const struct cs_option *option;
    const char *word;
    const char *value; /* inside word, behind the key */
};

/* The command or a group with the words that belong to it. */
struct cs_opened {
    const struct cs_option_group *group;
    size_t first; /* of cs_cli.words */
    size_t count;
    struct cs_given *given;
    size_t given_count;
};

struct cs_cli {
    const struct cs_option_groups *groups;
    struct cs_settings *settings;
    struct cs_arena scratch;
    struct cs_buf *notices;
    bool strict;     /* leniencies are errors */
    bool no_memory;  /* sticky: an allocation failed */
    const char *raw; /* the arguments joined by blanks */
    struct cs_word *words;
    size_t word_count;
    struct cs_opened *opened; /* [0] is the command */
    size_t opened_count;
    const char *node_file;    /* -node file=, or NULL */
    const struct cs_old *old; /* of stress and stress.py; else NULL */
    const char *old_tool;     /* its name */
    bool data_given;          /* the environment names a data dialect */
    bool format_given;        /* -format stood in front of the command */
};

/* words.c: cuts the arguments (without the program's name) by the rules at
 * its head. */
enum cs_code cs_words_cut(struct cs_cli *cli, int argc, char *const *argv,
                          struct cs_err *err) CS_MUST_USE;
/* The joined arguments with the values of secrets replaced. */
const char *cs_words_masked(struct cs_cli *cli);
/* A word as a message may show it: secrets masked, long words cut. */
const char *cs_word_shown(struct cs_cli *cli, const char *word);
/* Whether the option takes text with blanks in it. */
bool cs_option_free_text(const struct cs_option *option);

/* match.c: gives the words of a group to its options and stores the values. */
enum cs_code cs_group_read(struct cs_cli *cli, struct cs_opened *opened,
                           struct cs_err *err) CS_MUST_USE;
/* Stores the defaults of a group's table. */
enum cs_code cs_group_preset(struct cs_cli *cli,
                             const struct cs_option_group *group,
                             struct cs_err *err) CS_MUST_USE;

/* hints.c: refuses what is not known, with the nearest thing that is: a word
 * of an opened group, an item of a list, a group, a command. */
enum cs_code cs_hint_word(struct cs_cli *cli, const struct cs_opened *opened,
                          const char *word, struct cs_err *err);
enum cs_code cs_hint_item(const struct cs_option *list, const char *item,
                          struct cs_err *err);
enum cs_code cs_hint_group(struct cs_cli *cli, const char *word,
                           struct cs_err *err);
enum cs_code cs_hint_command(struct cs_cli *cli, const char *word,
                             struct cs_err *err);

/* value.c */
enum cs_code cs_value_store(struct cs_cli *cli, const struct cs_option *option,
                            const char *value, struct cs_err *err) CS_MUST_USE;
/* A path for the settings: a leading ~/ is the home folder. */
const char *cs_value_path(struct cs_cli *cli, const char *path);
/* Digits with k, m or b behind; loose: the suffix is a leniency. */
enum cs_code cs_value_number(struct cs_cli *cli, const char *text, bool loose,
                             int64_t *out, struct cs_err *err) CS_MUST_USE;

/* parse.c: what was given, and messages. */
const struct cs_opened *cs_cli_opened(const struct cs_cli *cli,
                                      const char *group);
const struct cs_given *cs_cli_given(const struct cs_cli *cli, const char *group,
                                    const char *key);
char *cs_cli_text(struct cs_cli *cli, const char *text, size_t size);
void *cs_cli_array(struct cs_cli *cli, size_t count, size_t size);
void cs_cli_warn(struct cs_cli *cli, const char *fmt, ...) CS_PRINTF(2, 3);
void cs_cli_notice(struct cs_cli *cli, const char *fmt, ...) CS_PRINTF(2, 3);
/* "<group>: <what>, near '<word>'" and the usage line; group and word may be
 * NULL. */
enum cs_code cs_cli_refuse(struct cs_cli *cli, const char *group,
                           const char *word, struct cs_err *err,
                           const char *fmt, ...) CS_PRINTF(5, 6);
/* The same around an error that is written already. */
enum cs_code cs_cli_blame(struct cs_cli *cli, const char *group,
                          const char *word, struct cs_err *err);

/* defaults.c: what depends on several options. */
enum cs_code cs_defaults_fill(struct cs_cli *cli,
                              struct cs_err *err) CS_MUST_USE;
/* mysql.c: the port, and what does not go with another database; the table
 * kv. */
void cs_mysql_fill(struct cs_cli *cli);
enum cs_code cs_mysql_check(struct cs_cli *cli, struct cs_err *err) CS_MUST_USE;
enum cs_code cs_kv_fill(struct cs_cli *cli, struct cs_err *err) CS_MUST_USE;
enum cs_code cs_kv_check(struct cs_cli *cli, struct cs_err *err) CS_MUST_USE;
/* checks.c: across options and groups. */
enum cs_code cs_checks_run(struct cs_cli *cli, struct cs_err *err) CS_MUST_USE;

/* rows.c: words[*at] is `rows`; *at moves to the command behind it. */
enum cs_code cs_rows_begin(struct cs_cli *cli, size_t *at,
                           struct cs_err *err) CS_MUST_USE;
/* Whether there can be rows of that command. */
enum cs_code cs_rows_take_command(const struct cs_option_group *command,
                                  struct cs_err *err) CS_MUST_USE;
/* What rows cannot do; of any command. Tells what is left out. */
enum cs_code cs_rows_check(struct cs_cli *cli, struct cs_err *err) CS_MUST_USE;

/* advice.c: what a user should know before an accepted line runs. */
void cs_advice_give(struct cs_cli *cli);

/* credentials.c, files.c */
enum cs_code cs_credentials_load(struct cs_cli *cli,
                                 struct cs_err *err) CS_MUST_USE;
enum cs_code cs_node_file_load(struct cs_cli *cli, const char *path,
                               struct cs_err *err) CS_MUST_USE;
/* Whether the file could be written; makes and changes nothing. */
enum cs_code cs_file_writable(const char *path, struct cs_err *err) CS_MUST_USE;
enum cs_code cs_file_readable(const char *path, struct cs_err *err) CS_MUST_USE;

/* legacy.c: whether the words are those of the old tool's options. */
bool cs_legacy_wanted(int argc, char *const *argv);
/* Turns them into words of the new grammar, in the scratch arena. */
enum cs_code cs_legacy_translate(struct cs_cli *cli, int argc,
                                 char *const *argv, int *out_argc,
                                 char ***out_argv,
                                 struct cs_err *err) CS_MUST_USE;

/* The same for stress and stress.py, which keep what only they had: cli->old is
 * settled when the new words have been read. */
enum cs_code cs_stress_translate(struct cs_cli *cli, const char *tool, int argc,
                                 char *const *argv, int *out_argc,
                                 char ***out_argv,
                                 struct cs_err *err) CS_MUST_USE;
/* old_stress.c: whether they are meant, by the program's name or the first
 * word; *first is where their options begin. */
bool cs_stress_wanted(int argc, char *const *argv, const char **tool,
                      int *first);
enum cs_code cs_stress_settle(struct cs_cli *cli,
                              struct cs_err *err) CS_MUST_USE;

/* compaction.c: the words behind compaction-stress, which is known but cannot
 * be run: refused in any case, with the exit status that the original has for
 * what is wrong, or 2. */
enum cs_code cs_compaction_refuse(int argc, char *const *argv,
                                  struct cs_err *err);

/* ---- strict.c ---- */

/* Whether the words of -compat, or CSTRESS_COMPAT, ask for strictness: it must
 * be known before the words are cut. */
bool cs_strict_wanted(int argc, char *const *argv);

#endif
