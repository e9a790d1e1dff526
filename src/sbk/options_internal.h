/* options_internal.h - the table of options, seen by parser and help. */
#ifndef CS_SBK_OPTIONS_INTERNAL_H
#define CS_SBK_OPTIONS_INTERNAL_H

#include "sbk/options.h"

enum cs_sbk_type {
    CS_SBK_TEXT,
    CS_SBK_INT,  /* 32 bits, kept in an int64_t */
    CS_SBK_LONG, /* 64 bits */
    CS_SBK_DOUBLE,
    CS_SBK_BOOL, /* "true" is true, all else is not */
    CS_SBK_UNIT,
    CS_SBK_FLAG, /* takes no value */
    CS_SBK_ASK_HELP,
    CS_SBK_ASK_VERSION,
};

/* When an option is there. */
enum cs_sbk_place {
    CS_SBK_ALWAYS,
    CS_SBK_HIDDEN,   /* always, but not in the help of SBK */
    CS_SBK_NO_CLASS, /* listed only without -class */
    CS_SBK_OF_DRIVER,
    CS_SBK_OF_CSV,
    CS_SBK_OF_PROMETHEUS,
    CS_SBK_OURS, /* of the driver, and not known to SBK */
};

struct cs_sbk_option {
    const char *name;
    enum cs_sbk_type type;
    enum cs_sbk_place place;
    size_t at;
    const char *preset; /* as a value, or NULL */
    const char *help;
    const char *shown; /* of the preset in the help; NULL: the preset */
};

/* In alphabetical order, as the help has them; ends with name NULL. */
extern const struct cs_sbk_option cs_sbk_option_table[];

/* Whether the option is there, for the class and logger of these options. */
bool cs_sbk_option_is_there(const struct cs_sbk_option *option,
                            const struct cs_sbk_options *options);

#endif
