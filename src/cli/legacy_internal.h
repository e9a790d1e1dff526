/* legacy_internal.h - the options of the old tool. */
#ifndef CS_CLI_LEGACY_INTERNAL_H
#define CS_CLI_LEGACY_INTERNAL_H

#include "base/buf.h"

/* What the old options said; a flag that was given holds its own word. */
struct cs_old {
    const char *operation, *keys, *different, *skip, *threads, *throttle;
    const char *columns, *size, *average, *names, *family, *nodes, *node_file;
    const char *stdev, *random, *level, *trying, *going, *interval, *file;
    const char *quiet, *factor, *strategy, *properties, *compression;
    const char *compaction, *prepared, *user, *password, *send_to, *help;
    const char *truststore, *truststore_password, *protocol, *algorithm;
    const char *store_type, *ciphers;
};

/* No place in struct cs_old: the option is ignored. */
#define CS_OLD_NOWHERE SIZE_MAX

struct cs_old_option {
    const char *name;  /* without its dash */
    const char *words; /* the long name, without its dashes */
    bool takes_value;
    size_t at;
    const char *help; /* of an ignored one: why */
};

/* The option of a word; *value points behind it, or is NULL when the value is
 * the next word. */
const struct cs_old_option *cs_old_option_find(const char *word,
                                               const char **value);

#endif
