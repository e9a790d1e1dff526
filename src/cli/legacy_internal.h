/* legacy_internal.h - the options of the old tools: `legacy` translates them to
 * the new commands, `stress` and `stress.py` are those tools. */
#ifndef CS_CLI_LEGACY_INTERNAL_H
#define CS_CLI_LEGACY_INTERNAL_H

#include "base/buf.h"
#include "settings/old.h"

/* What the old options said; a flag that was given holds its own word. */
struct cs_old {
    const char *operation, *keys, *different, *skip, *threads, *throttle;
    const char *columns, *size, *average, *names, *family, *nodes, *node_file;
    const char *stdev, *random, *level, *trying, *going, *interval, *file;
    const char *quiet, *factor, *strategy, *properties, *compression;
    const char *compaction, *prepared, *user, *password, *send_to, *help;
    const char *truststore, *truststore_password, *protocol, *algorithm;
    const char *store_type, *ciphers;
    const char *cardinality, *supers, *port, *per_call, *index;
    const char *layout, *averages, *true_rates;
};

/* No place in struct cs_old: the option is ignored by both. */
#define CS_OLD_NOWHERE SIZE_MAX

struct cs_old_option {
    const char *name;  /* without its dash; "": it has a long name only */
    const char *words; /* the long name, without its dashes */
    bool takes_value;
    size_t at;
    const char *help;    /* NULL: another name of the row before */
    const char *ignored; /* by legacy, or by both: why; NULL: it is not */
};

/* The option of a word; *value points behind it, or is NULL when the value is
 * the next word. */
const struct cs_old_option *cs_old_option_find(const char *word,
                                               const char **value);

/* Refuses a word that is none, with the nearest that is. tool: "legacy",
 * "stress" ... */
enum cs_code cs_old_option_unknown(const char *tool, const char *word,
                                   struct cs_err *err);

/* Reads all words into *out, values borrowed. own: the tool is the old one
 * itself; else what cannot be translated is ignored, with a notice. */
struct cs_cli;
enum cs_code cs_old_read(struct cs_cli *cli, const char *tool, bool own,
                         int argc, char *const *argv, struct cs_old *out,
                         struct cs_err *err) CS_MUST_USE;

/* The value of an option as a number; text NULL: it was not given, *out is the
 * usual value. */
enum cs_code cs_old_number(const char *tool, const char *option,
                           const char *text, int64_t usual, int64_t *out,
                           struct cs_err *err) CS_MUST_USE;
enum cs_code cs_old_fraction(const char *tool, const char *option,
                             const char *text, double usual, double *out,
                             struct cs_err *err) CS_MUST_USE;

/* The new command of -o (text NULL: insert); *out NULL: there is none. own:
 * only names that the old tools knew. */
enum cs_code cs_old_find_command(const char *tool, const char *text, bool own,
                                 const char **out,
                                 struct cs_err *err) CS_MUST_USE;
/* The operation itself. */
enum cs_code cs_old_find_operation(const char *tool, const char *text,
                                   enum cs_old_operation *out,
                                   struct cs_err *err) CS_MUST_USE;

#endif
