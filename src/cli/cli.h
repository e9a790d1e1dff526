/* cli.h - the command line: arguments to settings, the dump of the settings,
 * help, completion and the table of a distribution. */
#ifndef CS_CLI_CLI_H
#define CS_CLI_CLI_H

#include "base/buf.h"
#include "settings/settings.h"

/* argv as main has it; the name of the program (argv[0]) may stand for a
 * command. notices gets one line per warning and notice, each ended by a
 * newline and beginning with "warning: " or "notice: ". The error text is
 * "<group>: <what>, near '<word>'", and in a second line the usage of that
 * group. Reads the files that the command line names (profiles: only whether
 * they are there); writes none. On success the caller owns *out. */
enum cs_code cs_cli_parse(int argc, char **argv, struct cs_settings **out,
                          struct cs_buf *notices,
                          struct cs_err *err) CS_MUST_USE;

/* What `strict` puts on stdout for a refused line: the reason, then the
 * general help. False, and nothing: strict is not asked for. */
bool cs_cli_put_refusal(int argc, char *const *argv, const struct cs_err *err,
                        struct cs_buf *out);
void cs_settings_free(struct cs_settings *settings);

/* Whether `rows` prints this operation of ops() or ratio(). */
bool cs_rows_wants(const struct cs_settings *settings, const char *op);

/* The settings dump in the layout of the compat level, from its first line of
 * stars to the last section that the original has, without the empty line that
 * ends it. Order of the whole: this, then for `user` an empty line and the
 * profile's part, then cs_cli_dump_own(), then the empty line. */
void cs_cli_dump(const struct cs_settings *settings, struct cs_buf *out);
/* The same for `user`: layout 3.11 shows the keyspace of the profile. */
void cs_cli_dump_user(const struct cs_settings *settings,
                      const char *profile_keyspace, struct cs_buf *out);
/* The section `cstress:`: settings that only cstress has. */
void cs_cli_dump_own(const struct cs_settings *settings, struct cs_buf *out);

/* What `help ...`, `print dist=...` and `version` put on stdout. */
enum cs_code cs_cli_help(const struct cs_settings *settings, struct cs_buf *out,
                         struct cs_err *err) CS_MUST_USE;
enum cs_code cs_cli_print(const struct cs_settings *settings,
                          struct cs_buf *out, struct cs_err *err) CS_MUST_USE;
void cs_cli_version(const struct cs_settings *settings, struct cs_buf *out);

#endif
