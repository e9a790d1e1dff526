/* words.h - what SBK says around its result lines, in the words of 0.88 or of
 * 10.x. */
#ifndef CS_SBK_WORDS_H
#define CS_SBK_WORDS_H

#include "base/buf.h"
#include "sbk/options.h"
#include "sbk/run.h"

/* "2026-11-30 17:59:49 INFO text" and a newline. */
void cs_sbk_put_log(struct cs_buf *out, const char *level, const char *fmt, ...)
    CS_PRINTF(3, 4);

/* All up to the arguments, which follow when there is a driver. argv[0] is the
 * first option; secrets are masked. */
void cs_sbk_put_start(const struct cs_sbk_options *options, int argc,
                      char **argv, struct cs_buf *out);
void cs_sbk_put_arguments(const struct cs_sbk_options *options, int argc,
                          char **argv, struct cs_buf *out);
/* -version */
void cs_sbk_put_version(const struct cs_sbk_options *options,
                        struct cs_buf *out);

/* What is measured, and how. */
void cs_sbk_put_plan(const struct cs_sbk_options *options, struct cs_buf *out);
/* port 0: there is no page. */
void cs_sbk_put_loggers_started(const struct cs_sbk_options *options,
                                unsigned port, const char *path,
                                struct cs_buf *out);
void cs_sbk_put_workers_started(const struct cs_sbk_options *options,
                                struct cs_buf *out);
void cs_sbk_put_worker_began(const struct cs_sbk_options *options, bool reads,
                             unsigned index, int64_t amount,
                             struct cs_buf *out);
void cs_sbk_put_worker_ended(const struct cs_sbk_options *options, bool reads,
                             unsigned index, bool eof, struct cs_buf *out);

/* The last lines. */
void cs_sbk_put_end(const struct cs_sbk_options *options,
                    const struct cs_sbk_outcome *outcome, struct cs_buf *out);

#endif
