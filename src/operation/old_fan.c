/* old_fan.c - a multiget: its keys are read one by one, so many at a time, and
 * the operation ends with the last answer. */
#include "driver/partition_key.h"
#include "operation/old_internal.h"

#include <stdio.h>
#include <stdlib.h>

/* Keys that a message names, at most. */
#define KEYS_SHOWN 10

struct fan_part {
    struct cs_operation op;
    struct cs_fan *fan;
};

struct cs_fan {
    struct cs_job *job;
    const struct cs_driver_ops *db;
    struct cs_session *session;
    struct cs_java_random start; /* draws the keys of this multiget */
    struct cs_java_random random;
    struct fan_part *parts; /* owned */
    unsigned part_count;
    uint32_t sent;
    uint32_t open; /* in flight */
    uint32_t found;
    bool failed;
    struct cs_outcome outcome; /* of the first that failed, or of the last */
    char message[512];
};

enum cs_code cs_fan_new(struct cs_job *job, struct cs_fan **out,
                        struct cs_err *err)
{
    struct cs_fan *fan = calloc(1, sizeof(*fan));
    const struct cs_settings_old *s = job->maker->workload->old->settings;

    if (fan) {
        fan->part_count = cs_old_in_flight(s);
        fan->parts = calloc(fan->part_count, sizeof(*fan->parts));
    }
    if (!fan || !fan->parts) {
        free(fan);
        return cs_fail(err, CS_ENOMEM, "multiget: out of memory");
    }
    fan->job = job;
    for (unsigned i = 0; i < fan->part_count; i++) {
        fan->parts[i].fan = fan;
        cs_buf_init(&fan->parts[i].op.values, CS_REQUEST_MAX);
    }
    *out = fan;
    return CS_OK;
}

void cs_fan_free(struct cs_fan *fan)
{
    if (!fan)
        return;
    for (unsigned i = 0; i < fan->part_count; i++) {
        cs_buf_release(&fan->parts[i].op.values);
        cs_buf_release(&fan->parts[i].op.session.paging_state);
    }
    free(fan->parts);
    free(fan);
}

/* The keys are not kept but drawn again, so that every attempt has the same. */
void cs_fan_draw(struct cs_fan *fan)
{
    struct cs_java_random *random = &fan->job->maker->random;

    cs_java_random_seed(&fan->start, cs_java_random_long(random));
}

void cs_fan_put_keys(struct cs_fan *fan, struct cs_buf *out)
{
    const struct cs_old_work *work = fan->job->maker->workload->old;
    struct cs_java_random random = fan->start;
    unsigned keys = work->settings->per_call;

    cs_buf_put8(out, '[');
    for (unsigned i = 0; i < CS_MIN(keys, (unsigned)KEYS_SHOWN); i++) {
        cs_buf_puts(out, i ? ", " : "");
        cs_old_put_key(out, cs_old_draw_key(work->settings, &random),
                       work->digits);
    }
    cs_buf_puts(out, keys > KEYS_SHOWN ? ", ...]" : "]");
}

static void part_done(struct cs_operation *op,
                      const struct cs_outcome *outcome);

static void send_part(struct fan_part *part)
{
    struct cs_fan *fan = part->fan;
    const struct cs_job *job = fan->job;
    const struct cs_old_work *work = job->maker->workload->old;
    struct cs_operation *op = &part->op;

    cs_buf_clear(&op->values);
    cs_old_put_key_cell(work, &op->values,
                        cs_old_draw_key(work->settings, &fan->random),
                        &op->token);
    op->has_token = true;
    op->statement = job->kind->statement;
    op->row_count = 1;
    op->timestamp_us = job->op.timestamp_us;
    op->attempt = job->op.attempt;
    op->on_done = part_done;
    fan->sent++;
    fan->open++;
    fan->db->submit(fan->session, op);
}

static void keep_failure(struct cs_fan *fan, const struct cs_outcome *outcome)
{
    if (fan->failed)
        return;
    fan->failed = true;
    fan->outcome = *outcome;
    snprintf(fan->message, sizeof(fan->message), "%.*s",
             (int)outcome->message_size, outcome->message);
    fan->outcome.message = fan->message;
    fan->outcome.message_size = strlen(fan->message);
}

static void part_done(struct cs_operation *op, const struct cs_outcome *outcome)
{
    struct fan_part *part = CS_CONTAINER(op, struct fan_part, op);
    struct cs_fan *fan = part->fan;
    struct cs_operation *whole = &fan->job->op;

    fan->open--;
    if (outcome->result != CS_RESULT_OK)
        keep_failure(fan, outcome);
    else if (!fan->failed)
        fan->outcome = *outcome;
    if (outcome->result == CS_RESULT_OK && outcome->rows)
        fan->found++;
    if (!fan->failed &&
        fan->sent < fan->job->maker->workload->old->settings->per_call) {
        send_part(part);
        return;
    }
    if (fan->open)
        return;
    fan->outcome.rows = fan->found;
    fan->outcome.end_ns = outcome->end_ns;
    whole->on_done(whole, &fan->outcome);
}

void cs_job_fan_out(struct cs_job *job, const struct cs_driver_ops *db,
                    struct cs_session *session)
{
    struct cs_fan *fan = job->old->fan;

    fan->db = db;
    fan->session = session;
    fan->random = fan->start;
    fan->sent = 0;
    fan->found = 0;
    fan->failed = false;
    for (unsigned i = 0; i < fan->part_count; i++)
        send_part(&fan->parts[i]);
}
