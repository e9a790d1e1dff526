/* help_internal.h - the pieces of help that stand in files of their own. */
#ifndef CS_CLI_HELP_INTERNAL_H
#define CS_CLI_HELP_INTERNAL_H

#include "cli/option.h"

/* The group of a topic (a command may be named with a dash and a group without
 * one), or NULL. */
const struct cs_option_group *
cs_help_find(const struct cs_option_groups *groups, const char *topic);
/* Says which topics there are near to it. */
enum cs_code cs_help_unknown(const struct cs_option_groups *groups,
                             const char *topic, struct cs_err *err);

/* completion.c: the script for bash, zsh or fish. */
enum cs_code cs_completion_put(const struct cs_option_groups *groups,
                               const char *shell, struct cs_buf *out,
                               struct cs_err *err) CS_MUST_USE;

/* compaction.c: the options of compaction-stress. */
void cs_compaction_help(struct cs_buf *out);

/* legacy_options.c: the old options, as `legacy` translates them and as the old
 * tools listed them. */
void cs_legacy_help(struct cs_buf *out);
void cs_stress_help(struct cs_buf *out);

#endif
