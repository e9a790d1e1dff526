/* messages.h - what loops have to tell while they run: kept until the main
 * thread prints it, and folded, so that an error storm is neither hidden nor a
 * flood. */
#ifndef CS_RUN_MESSAGES_H
#define CS_RUN_MESSAGES_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cs_message_kind {
    CS_MESSAGE_ATTEMPT, /* stderr: an attempt failed */
    CS_MESSAGE_IGNORED, /* stderr: an operation failed, errors are ignored */
    CS_MESSAGE_FAILURE, /* stdout: an operation failed and ends the run */
    CS_MESSAGE_NOTE,    /* stderr: anything else */
};

struct cs_messages; /* opaque; all functions may be called by any thread */

typedef void (*cs_message_fn)(void *ctx, enum cs_message_kind kind,
                              const char *text);

/* all: nothing is folded, as in the original. */
enum cs_code cs_messages_new(bool all, struct cs_messages **out,
                             struct cs_err *err) CS_MUST_USE;
void cs_messages_free(struct cs_messages *messages);

/* same: what makes two messages alike (texts differ by key, say); text is
 * kept for the first ten of a second, later ones are only counted. */
void cs_messages_add(struct cs_messages *messages, enum cs_message_kind kind,
                     const char *same, const char *text);

/* Readable while there is something to print. */
int cs_messages_fd(const struct cs_messages *messages);

/* Hands out what has come, in order, and "... and <n> more" for what was
 * folded once its second is over (or last is true). */
void cs_messages_drain(struct cs_messages *messages, int64_t now_ns, bool last,
                       cs_message_fn print, void *ctx);

#endif
