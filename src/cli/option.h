/* option.h - options as data: one table per group feeds the parser, the help,
 * the settings dump, completion and the check of the man page. */
#ifndef CS_CLI_OPTION_H
#define CS_CLI_OPTION_H

#include "base/buf.h"
#include "settings/settings.h"

struct cs_cli; /* a parse under way, parse_internal.h */

enum cs_option_type {
    CS_OPTION_ECHO,   /* no word of its own: only an entry of the dump, by
                         show, of the bool at has_at or the text at text_at */
    CS_OPTION_FLAG,   /* bool; negated: the word makes it false */
    CS_OPTION_INT,    /* 32 bits; suffixes k, m, b are a leniency */
    CS_OPTION_LONG,   /* 64 bits with suffixes */
    CS_OPTION_TEXT,   /* const char * */
    CS_OPTION_PATH,   /* likewise; a leading ~/ is the home folder */
    CS_OPTION_SECRET, /* likewise; never shown */
    CS_OPTION_CHOICE, /* enum: one of choices, in any case */
    CS_OPTION_DIST,   /* struct cs_dist_spec; may be given again */
    CS_OPTION_RATIO,  /* struct cs_ratio_spec; may be given again */
    CS_OPTION_CUSTOM, /* store() reads the value */
    CS_OPTION_LIST,   /* name(item,item): items, then extras by store_extra */
    CS_OPTION_BARE,   /* a value without name: whatever no other row takes */
    CS_OPTION_GONE,   /* refused; help says what to write instead */
};

struct cs_choice {
    const char *name; /* NULL ends the list */
    int value;
};

struct cs_option;

typedef enum cs_code (*cs_option_store_fn)(struct cs_cli *cli,
                                           const struct cs_option *option,
                                           const char *value,
                                           struct cs_err *err);
typedef enum cs_code (*cs_option_extra_fn)(struct cs_cli *cli, const char *key,
                                           const char *value,
                                           struct cs_err *err);
typedef bool (*cs_option_when_fn)(const struct cs_settings *settings);
typedef void (*cs_option_show_fn)(const struct cs_settings *settings,
                                  struct cs_buf *out);

/* Layouts in which an entry or a section of the dump stands. */
enum {
    CS_IN_3_11 = 1 << CS_LEVEL_3_11,
    CS_IN_4_0 = 1 << CS_LEVEL_4_0,
    CS_IN_4_1 = 1 << CS_LEVEL_4_1,
    CS_IN_5_0 = 1 << CS_LEVEL_5_0,
};

struct cs_option {
    const char *key; /* with its operator: "threads>=", "ops(", "auto" */
    enum cs_option_type type;
    unsigned sets;  /* bit i: taken by alternative i of its group; 0: by all */
    unsigned needs; /* bit i: mandatory in alternative i */
    size_t at;      /* in struct cs_settings; 0: nowhere */
    size_t text_at; /* the text as typed, likewise */
    size_t has_at;  /* bool: was given, likewise */
    int64_t min, max;   /* of numbers; both 0: what the type holds */
    bool negated;       /* of a flag */
    bool free_text;     /* blanks inside one argument belong to the value */
    bool hidden;        /* old spelling: not in the help */
    bool plain;         /* of a number: suffixes are never taken */
    bool empty_ok;      /* an empty value is only warned of */
    const char *preset; /* the default as one would type it */
    const char *shown;  /* the default as help words it, where not preset */
    const char *form;   /* what a value looks like, for messages */
    const struct cs_choice *choices;
    const struct cs_option *items; /* of a list */
    size_t item_count;
    cs_option_extra_fn store_extra; /* of a list; NULL: takes no others */
    cs_option_store_fn store;
    const char *idle; /* accepted without effect: the notice to give */
    const char *help;
    /* The entry of the dump; NULL: none. */
    const char *label;
    unsigned levels; /* 0: all */
    cs_option_when_fn when;
    cs_option_show_fn show; /* NULL: by type */
};

struct cs_option_table {
    const struct cs_option *rows;
    size_t count;
};

#define CS_TABLE_MAX 6

struct cs_option_group {
    const char *name;           /* "write", "-rate" */
    const char *const *aliases; /* ends with NULL, or NULL */
    const char *help;
    const char *behind;      /* in the usage of its help, when it has no rows */
    const char *gone;        /* refused as a whole: the reason */
    const char *idle;        /* accepted without effect: the notice to give */
    bool special;            /* command that runs nothing */
    bool hidden;             /* old spelling: not in the help */
    unsigned levels;         /* layouts with its section and help; 0: all */
    enum cs_command command; /* of a command */
    int alternatives;        /* 0 and 1 are the same */
    const char *section;     /* title in the dump; NULL: no section */
    cs_option_when_fn when;  /* of the section */
    cs_option_show_fn line;  /* shows a section in its own way: one line */
    unsigned line_levels;    /* layouts in which it does */
    struct cs_option_table tables[CS_TABLE_MAX];
};

/* All groups, in the order of the dump. Handed around so that a test can leave
 * something out. */
struct cs_option_groups {
    const struct cs_option_group *const *list;
    size_t count;
};

extern const struct cs_option_groups cs_cli_groups;

/* Row i of a group counted through its tables, or NULL behind the last. */
const struct cs_option *cs_group_row(const struct cs_option_group *group,
                                     size_t i);
/* By name or alias in any case, a group with its dash; or NULL. */
const struct cs_option_group *
cs_group_find(const struct cs_option_groups *groups, const char *name);
bool cs_group_is_command(const struct cs_option_group *group);
/* The row that a word would belong to: the first whose key it begins with;
 * else, with bare, a bare row; else NULL. */
const struct cs_option *cs_group_match(const struct cs_option_group *group,
                                       const char *word, bool bare);

/* The same as in cli.h with given tables. */
enum cs_code cs_cli_parse_with(const struct cs_option_groups *groups, int argc,
                               char **argv, struct cs_settings **out,
                               struct cs_buf *notices,
                               struct cs_err *err) CS_MUST_USE;
void cs_cli_dump_with(const struct cs_option_groups *groups,
                      const struct cs_settings *settings,
                      const char *profile_keyspace, struct cs_buf *out);
enum cs_code cs_cli_help_with(const struct cs_option_groups *groups,
                              const struct cs_settings *settings,
                              struct cs_buf *out,
                              struct cs_err *err) CS_MUST_USE;
/* "Usage: -rate threads=? [throttle=?] OR ...", without newline. */
void cs_cli_usage(const struct cs_option_group *group, struct cs_buf *out);

#define CS_TABLE(array)                                                        \
    {                                                                          \
        .rows = (array), .count = CS_COUNT(array)                              \
    }
#define CS_AT(member) offsetof(struct cs_settings, member)

#endif
