/* options_internal.h - the groups, each in a file options_<group>.c. */
#ifndef CS_CLI_OPTIONS_INTERNAL_H
#define CS_CLI_OPTIONS_INTERNAL_H

#include "cli/option.h"

#include <stddef.h>

extern const struct cs_option_group cs_options_read, cs_options_write,
    cs_options_mixed, cs_options_counter_write, cs_options_counter_read,
    cs_options_user;
extern const struct cs_option_group cs_options_help, cs_options_print,
    cs_options_version, cs_options_legacy, cs_options_stress, cs_options_check,
    cs_options_rows, cs_options_compaction, cs_options_responder,
    cs_options_sbk;
extern const struct cs_option_group cs_options_rate, cs_options_pop,
    cs_options_insert, cs_options_col, cs_options_errors, cs_options_log,
    cs_options_mode, cs_options_node, cs_options_schema, cs_options_transport,
    cs_options_port, cs_options_sendto, cs_options_jmx, cs_options_graph,
    cs_options_tokenrange, cs_options_credentials, cs_options_reporting,
    cs_options_key, cs_options_sample, cs_options_cloudconf;
extern const struct cs_option_group cs_options_compat, cs_options_loops,
    cs_options_format;

/* store() of a range a..b (seq=, populate=): the population. */
enum cs_code cs_store_sequence(struct cs_cli *cli,
                               const struct cs_option *option,
                               const char *value, struct cs_err *err);

/* rows.c: store() of -format. */
enum cs_code cs_rows_store_format(struct cs_cli *cli,
                                  const struct cs_option *option,
                                  const char *value, struct cs_err *err);

/* operations.c: store() of an item of ratio(), of ops() and of profile=. */
enum cs_code cs_store_share(struct cs_cli *cli, const struct cs_option *option,
                            const char *value, struct cs_err *err);
enum cs_code cs_store_operation(struct cs_cli *cli, const char *key,
                                const char *value, struct cs_err *err);
enum cs_code cs_store_profiles(struct cs_cli *cli,
                               const struct cs_option *option,
                               const char *value, struct cs_err *err);

#endif
