/* commands.h - what the program does, one function per family of commands. */
#ifndef CS_COMMANDS_COMMANDS_H
#define CS_COMMANDS_COMMANDS_H

#include "settings/settings.h"

/* read, write, mixed, counter_read, counter_write, user: from the settings
 * dump to END or FAILURE. CS_EFAILED: the run failed and the report has said
 * why; CS_EINTERRUPTED: by a signal, results so far are out. */
enum cs_code cs_command_stress(const struct cs_settings *settings,
                               struct cs_err *err) CS_MUST_USE;

/* check <command line>: dump and warnings, connects to nothing. */
enum cs_code cs_command_check(const struct cs_settings *settings,
                              struct cs_err *err) CS_MUST_USE;

/* help, print, version. */
enum cs_code cs_command_info(const struct cs_settings *settings,
                             struct cs_err *err) CS_MUST_USE;

#endif
