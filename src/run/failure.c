/* failure.c - what is told of operations that fail; scripts look for these
 * words. */
#include "base/clock.h"
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

void cs_failures_name(struct cs_extra *extra)
{
    for (int i = 0; i < CS_RESULT_CLASS_COUNT; i++)
        extra->class_names[i] = cs_result_class_name((enum cs_result_class)i);
    for (int i = 0; i < CS_DIFFERENCE_KINDS; i++)
        extra->difference_names[i] =
            cs_difference_kind_name((enum cs_difference_kind)i);
}

void cs_slot_tell_too_large(struct slot *slot)
{
    cs_messages_add(slot->worker->shared->messages, CS_MESSAGE_FAILURE,
                    "request too large",
                    "java.io.IOException: the rows of one operation take more "
                    "than the 256 MB that a request can hold; lower "
                    "'partitions', 'select' or the sizes of the columns\n");
}

/* -log print-statements-on-error: the text behind the reason. */
static void put_statement(struct slot *slot, struct cs_buf *text)
{
    const char *cql = slot->job.kind->shown_cql;

    if (slot->worker->shared->settings->log.print_statements && cql)
        cs_buf_printf(text, ", statement: %s", cql);
}

/* "Batch too large" says neither how large it was nor what the limit is. */
static void explain_batch(struct slot *slot, const struct cs_outcome *outcome)
{
    static const char words[] = "Batch too large";
    const struct cs_job *job = &slot->job;
    struct cs_buf *text = &slot->worker->text;

    if (job->op.row_count < 2 || outcome->message_size < sizeof(words) - 1 ||
        memcmp(outcome->message, words, sizeof(words) - 1) != 0)
        return;
    cs_buf_clear(text);
    cs_buf_printf(text,
                  "notice: the batch had %u rows of %u partitions, %zu bytes "
                  "of values; the server's limit for batches of more than one "
                  "partition is batch_size_fail_threshold: raise it, or lower "
                  "'partitions' of the insert",
                  (unsigned)job->op.row_count, job->held_count,
                  job->op.values.size);
    cs_messages_add(slot->worker->shared->messages, CS_MESSAGE_NOTE, words,
                    cs_buf_text(text));
}

/* In the words of stress and stress.py, which report every failure. */
static void tell_as_old(struct slot *slot, const struct cs_outcome *outcome)
{
    struct cs_worker *worker = slot->worker;
    bool ignore = worker->shared->settings->errors.ignore;
    char same[256];

    if (outcome->result == CS_RESULT_OK)
        snprintf(same, sizeof(same), "nothing found");
    else
        snprintf(same, sizeof(same), "%s: %.*s",
                 cs_result_class_name(outcome->result),
                 (int)outcome->message_size, outcome->message);
    cs_buf_clear(&worker->text);
    cs_old_put_failure(&slot->job, slot->attempts, outcome, &worker->text);
    cs_messages_add(worker->shared->messages,
                    ignore ? CS_MESSAGE_IGNORED : CS_MESSAGE_FAILURE, same,
                    cs_buf_text(&worker->text));
}

void cs_slot_tell_failure(struct slot *slot, const struct cs_outcome *outcome)
{
    struct cs_worker *worker = slot->worker;
    bool ignore = worker->shared->settings->errors.ignore;
    struct cs_buf *text = &worker->text;
    char same[256];

    if (slot->job.kind->type == CS_KIND_OLD) {
        tell_as_old(slot, outcome);
        return;
    }
    if (ignore && worker->shared->settings->log.level == CS_LOG_MINIMAL)
        return;
    explain_batch(slot, outcome);
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
        cs_buf_printf(text, ": %s", same);
    else
        cs_buf_printf(text, ": Error executing: (%s): %.*s",
                      cs_result_class_name(outcome->result),
                      (int)outcome->message_size, outcome->message);
    put_statement(slot, text);
    cs_buf_put8(text, '\n');
    cs_messages_add(worker->shared->messages,
                    ignore ? CS_MESSAGE_IGNORED : CS_MESSAGE_FAILURE, same,
                    cs_buf_text(text));
}

_Static_assert((int)CS_DIFFERENCE_KINDS == CS_EXTRA_DIFFERENCES,
               "every kind has its counter");

static void find_nodes(struct cs_worker *worker, const struct cs_difference *d,
                       struct cs_difference_nodes *nodes)
{
    const struct cs_driver_ops *db = worker->shared->db;

    db->node_name(worker->session, d->node, &nodes->coordinator);
    nodes->replica_count =
        d->has_token
            ? db->replicas(worker->session, d->table->keyspace, d->token,
                           nodes->replicas, CS_COUNT(nodes->replicas))
            : 0;
}

void cs_worker_tell_difference(void *ctx, const struct cs_difference *d)
{
    struct cs_worker *worker = ctx;
    const struct cs_settings *s = worker->shared->settings;
    struct cs_difference_nodes nodes;
    struct cs_buf *text = &worker->text;

    worker->summary.extra.differences[d->kind]++;
    find_nodes(worker, d, &nodes);
    if (worker->shared->differences) {
        cs_buf_clear(&worker->line);
        cs_difference_put_json(&worker->line, d, &nodes, cs_wall_ns());
        cs_line_file_add(worker->shared->differences, &worker->line);
    }
    if (s->errors.ignore && s->log.level == CS_LOG_MINIMAL)
        return;
    cs_buf_clear(text);
    cs_difference_put_text(text, d, &nodes);
    cs_messages_add(worker->shared->messages, CS_MESSAGE_NOTE,
                    "differences between what was expected and what was found",
                    cs_buf_text(text));
}
