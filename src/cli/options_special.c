/* options_special.c - the commands that run nothing. */
#include "cli/options_internal.h"

static const char *const help_aliases[] = {"-?", NULL};

const struct cs_option_group cs_options_help = {
    .name = "help",
    .aliases = help_aliases,
    .command = CS_COMMAND_HELP,
    .special = true,
    .help = "help on a command or a group: help write, help -rate"};

static const struct cs_option print_rows[] = {
    {.key = "dist=",
     .type = CS_OPTION_DIST,
     .at = CS_AT(print),
     .needs = 1,
     .help = "the distribution to look at"},
};

const struct cs_option_group cs_options_print = {
    .name = "print",
    .command = CS_COMMAND_PRINT,
    .special = true,
    .help = "shows what a distribution will give",
    .tables = {CS_TABLE(print_rows)}};

const struct cs_option_group cs_options_version = {.name = "version",
                                                   .command =
                                                       CS_COMMAND_VERSION,
                                                   .special = true,
                                                   .help = "shows the version"};

const struct cs_option_group cs_options_legacy = {
    .name = "legacy",
    .special = true,
    .help = "takes the options of the tool of 2.0 and older and translates "
            "them",
};

static const char *const stress_aliases[] = {"stress.py", NULL};

const struct cs_option_group cs_options_stress = {
    .name = "stress",
    .aliases = stress_aliases,
    .special = true,
    .help = "is the tool of 0.7 to 2.0 itself: its options, keys, values and "
            "rows",
};

const struct cs_option_group cs_options_sbk = {
    .name = "sbk",
    .special = true,
    .help = "is SBK with its Cassandra driver: its options, lines and files",
};

const struct cs_option_group cs_options_check = {
    .name = "check",
    .behind = "<command> [options]",
    .special = true,
    .help = "reads the command line behind it and shows the settings, runs "
            "nothing"};

const struct cs_option_group cs_options_rows = {
    .name = "rows",
    .behind = "<command> [options] [-format json|cql]",
    .special = true,
    .help = "prints the rows that the command behind it would write, without "
            "a server (-format json or cql)"};

const struct cs_option_group cs_options_compaction = {
    .name = "compaction-stress",
    .special = true,
    .hidden = true,
    .help = "not available: it needs Cassandra's storage engine"};
