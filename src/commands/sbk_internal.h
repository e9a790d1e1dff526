/* sbk_internal.h - what `sbk` has in its hands while it goes from the command
 * line to its last line. */
#ifndef CS_COMMANDS_SBK_INTERNAL_H
#define CS_COMMANDS_SBK_INTERNAL_H

#include "commands/commands.h"
#include "run/notices.h"
#include "run/signals.h"
#include "sbk/endpoint.h"
#include "sbk/metrics.h"
#include "sbk/words.h"

#include <stdio.h>

#define CS_SBK_TEXT_MAX ((size_t)1 << 22)

struct sbk {
    struct cs_sbk_options options;
    int argc;
    char **argv;
    struct cs_buf text; /* what is put together before it is printed */
    struct cs_buf last; /* for standard error, behind everything else */
    const struct cs_driver_ops *db;
    struct cs_settings *settings;
    struct cs_driver *driver;
    struct cs_signals signals;
    struct cs_notices notices;
    struct cs_sbk_statements statements;
    struct cs_sbk_endpoint *endpoint;
    char path[CS_SBK_PATH_SIZE];
    FILE *csv;
    int64_t csv_rows;
    struct cs_sbk_counters counters;
    struct cs_sbk_outcome outcome;
    bool output_failed;
};

/* ---- sbk_output.c ---- */

/* Prints and empties sbk->text. */
void cs_sbk_print(struct sbk *sbk);
void cs_sbk_tell_note(void *ctx, enum cs_message_kind kind, const char *text);
/* What the driver has to say, on stderr. */
void cs_sbk_tell_news(struct sbk *sbk);
/* ctx: the sbk. */
void cs_sbk_tell_signal(void *ctx);

/* The heading first; figures NULL: only that. */
void cs_sbk_write_csv(struct sbk *sbk, const struct cs_sbk_tally *tally,
                      const struct cs_sbk_figures *figures);
/* tally NULL: before the first window. */
void cs_sbk_show_page(struct sbk *sbk, const struct cs_sbk_tally *tally,
                      const struct cs_sbk_figures *figures);

/* Prints what a run tells; ctx is still to be set to the sbk. */
extern const struct cs_sbk_watch cs_sbk_output;

#endif
