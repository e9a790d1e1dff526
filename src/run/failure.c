/* failure.c - what is told of operations that fail; scripts look for these
 * words. */
#include "run/worker_internal.h"

#include <stdio.h>

void cs_slot_tell_attempt(struct slot *slot, const struct cs_outcome *outcome)
{
    struct cs_worker *worker = slot->worker;
    struct cs_buf *text = &worker->text;

    if (worker->shared->settings->log.level == CS_LOG_MINIMAL)
        return;
    cs_buf_clear(text);
    cs_buf_printf(text, "%s: %.*s", cs_result_class_name(outcome->result),
                  (int)outcome->message_size, outcome->message);
    cs_messages_add(worker->shared->messages, CS_MESSAGE_ATTEMPT,
                    cs_buf_text(text), cs_buf_text(text));
}

void cs_slot_tell_failure(struct slot *slot, const struct cs_outcome *outcome)
{
    struct cs_worker *worker = slot->worker;
    bool ignore = worker->shared->settings->errors.ignore;
    struct cs_buf *text = &worker->text;
    char same[256];

    if (ignore && worker->shared->settings->log.level == CS_LOG_MINIMAL)
        return;
    if (slot->job.mismatch)
        snprintf(same, sizeof(same), "Data returned was not validated");
    else
        snprintf(same, sizeof(same), "Error executing: (%s): %.*s",
                 cs_result_class_name(outcome->result),
                 (int)outcome->message_size, outcome->message);
    cs_buf_clear(text);
    if (!ignore)
        cs_buf_puts(text, "java.io.IOException: ");
    cs_buf_printf(text, "Operation x%u on key(s) ", slot->attempts);
    cs_job_put_keys(&slot->job, text);
    if (slot->job.mismatch)
        cs_buf_printf(text, ": %s\n", same);
    else
        cs_buf_printf(text, ": Error executing: (%s): %.*s\n",
                      cs_result_class_name(outcome->result),
                      (int)outcome->message_size, outcome->message);
    cs_messages_add(worker->shared->messages,
                    ignore ? CS_MESSAGE_IGNORED : CS_MESSAGE_FAILURE, same,
                    cs_buf_text(text));
}
