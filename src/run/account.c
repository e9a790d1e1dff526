/* account.c - the operations that the server did not acknowledge, by name: one
 * JSON object a line. */
#include "base/clock.h"
#include "base/text.h"
#include "run/worker_internal.h"

static void put_text(struct cs_buf *line, const char *name, const char *text,
                     size_t size)
{
    cs_buf_printf(line, ",\"%s\":", name);
    cs_put_json(line, text, size);
}

static void put_key(struct cs_worker *worker)
{
    cs_put_json(&worker->line, cs_buf_text(&worker->text), worker->text.size);
}

/* Of token ranges there is no partition to be named, only the range. */
static void put_keys(struct slot *slot)
{
    struct cs_worker *worker = slot->worker;
    struct cs_job *job = &slot->job;

    cs_buf_puts(&worker->line, ",\"keys\":[");
    if (job->kind->type == CS_KIND_TOKEN_RANGE) {
        cs_buf_clear(&worker->text);
        cs_job_put_keys(job, &worker->text);
        put_key(worker);
    }
    for (unsigned i = 0; i < job->held_count; i++) {
        if (i)
            cs_buf_put8(&worker->line, ',');
        cs_buf_clear(&worker->text);
        cs_job_put_key(job, i, &worker->text);
        put_key(worker);
    }
    cs_buf_put8(&worker->line, ']');
}

/* One operation; unknown: the server may have done it all the same. */
static void name(struct slot *slot, bool unknown, const char *kind,
                 const char *message, size_t message_size)
{
    struct cs_buf *line = &slot->worker->line;
    const char *operation = slot->job.kind->name;
    const char *became = unknown ? "unknown" : "failed";

    cs_buf_clear(line);
    cs_buf_puts(line, "{\"time\":\"");
    cs_put_utc(line, cs_wall_ns());
    cs_buf_put8(line, '"');
    put_text(line, "operation", operation, strlen(operation));
    put_keys(slot);
    put_text(line, "outcome", became, strlen(became));
    put_text(line, "class", kind, strlen(kind));
    cs_buf_printf(line, ",\"attempts\":%u", slot->attempts);
    put_text(line, "message", message, message_size);
    cs_buf_puts(line, "}\n");
    cs_line_file_add(slot->worker->shared->failures, line);
}

void cs_slot_name_failure(struct slot *slot, const struct cs_outcome *outcome)
{
    if (!slot->worker->shared->failures)
        return;
    if (slot->job.mismatch)
        name(slot, false, "not validated", "", 0);
    else
        name(slot, slot->in_doubt, cs_result_class_name(outcome->result),
             outcome->message, outcome->message_size);
}

void cs_worker_name_unfinished(struct cs_worker *worker)
{
    static const char message[] = "the run ended before it was answered";

    if (!worker->shared->failures)
        return;
    for (unsigned i = 0; i < worker->slot_count; i++) {
        struct slot *slot = &worker->slots[i];

        if (!slot->ended && !slot->starved)
            name(slot, true, "no answer", message, sizeof(message) - 1);
    }
}
