/* commands.h - what the program does, one function per family of commands. */
#ifndef CS_COMMANDS_COMMANDS_H
#define CS_COMMANDS_COMMANDS_H

#include "settings/settings.h"

/* read, write, mixed, counter_read, counter_write, user: from the settings
 * dump to END or FAILURE. CS_EFAILED: the run failed and the report has said
 * why; CS_EINTERRUPTED: by a signal, results so far are out. */
enum cs_code cs_command_stress(const struct cs_settings *settings,
                               struct cs_err *err) CS_MUST_USE;

/* stress and stress.py: from the connection to END or FAILURE; likewise. */
enum cs_code cs_command_old(const struct cs_settings *settings,
                            struct cs_err *err) CS_MUST_USE;

/* check <command line>: dump and warnings, connects to nothing. */
enum cs_code cs_command_check(const struct cs_settings *settings,
                              struct cs_err *err) CS_MUST_USE;

/* rows <command line>: what the command's inserts would send, on standard
 * output. CS_EINTERRUPTED: by a signal; the rows so far are out. */
enum cs_code cs_command_rows(const struct cs_settings *settings,
                             struct cs_err *err) CS_MUST_USE;

/* responder: serves until SIGINT or SIGTERM, then tells what it has done. */
enum cs_code cs_command_responder(const struct cs_settings *settings,
                                  struct cs_err *err) CS_MUST_USE;

/* Whether the program is called as `sbk`, by its name or by its first word;
 * *first is where SBK's own options begin. */
bool cs_command_is_sbk(int argc, char **argv, int *first);

/* sbk: argv[0] is its first option. CS_EFAILED: a statement ended the run;
 * err->text is the whole line for stderr, in the words of SBK. */
enum cs_code cs_command_sbk(int argc, char **argv,
                            struct cs_err *err) CS_MUST_USE;

/* help, print, version. */
enum cs_code cs_command_info(const struct cs_settings *settings,
                             struct cs_err *err) CS_MUST_USE;

#endif
