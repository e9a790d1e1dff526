/* old_fill.c - operations of the old tools: their requests, and whether the
 * answers are what they count as one. */
#include "driver/partition_key.h"
#include "operation/old_internal.h"

#include <stdlib.h>

static const struct cs_old_work *work_of(const struct cs_job *job)
{
    return job->maker->workload->old;
}

/* Takes the next operation of the run, or `wanted` positions of a slice: the
 * first one's number. False: none is left. */
static bool take(struct cs_job *job, int64_t wanted, int64_t *number,
                 int64_t *granted)
{
    int64_t before = cs_budget_claim(job->maker->budget, wanted);
    const struct cs_settings *s = job->maker->workload->settings;

    *number = s->command.count - before;
    *granted = CS_MIN(before, wanted);
    return before > 0;
}

void cs_old_put_key_cell(const struct cs_old_work *work, struct cs_buf *out,
                         int64_t key, int64_t *token)
{
    size_t at = out->size + 4;

    cs_buf_put32(out, work->digits);
    cs_old_put_key(out, key, work->digits);
    if (!out->fault)
        *token = cs_token_of(out->data + at, out->size - at);
}

static void put_key(struct cs_job *job)
{
    cs_old_put_key_cell(work_of(job), &job->op.values, job->old->key,
                        &job->op.token);
    job->op.has_token = true;
}

/* S0, S1 ... */
static void put_super(struct cs_buf *out, unsigned super)
{
    unsigned digits = 1;

    for (unsigned rest = super; rest >= 10; rest /= 10)
        digits++;
    cs_buf_put32(out, digits + 1);
    cs_buf_put8(out, 'S');
    cs_old_put_key(out, super, digits);
}

/* ---- writes: all columns of a key, all its super columns ---- */

static void put_columns(struct cs_job *job)
{
    const struct cs_old_work *work = work_of(job);
    const struct cs_settings_old *s = work->settings;
    struct cs_buf *out = &job->op.values;

    for (unsigned i = 0; i < s->columns; i++) {
        if (s->operation == CS_OLD_COUNTER_ADD) {
            cs_buf_put32(out, 8);
            cs_buf_put64(out, 1);
        } else {
            cs_old_values_put(work->values,
                              cs_old_value_number(s, job->old->key, i), out);
        }
    }
}

static enum cs_make fill_write(struct cs_job *job)
{
    const struct cs_settings_old *s = work_of(job)->settings;
    int64_t granted;

    if (!take(job, 1, &job->old->number, &granted))
        return CS_MAKE_END;
    job->old->key = (s->first + job->old->number) % s->different;
    for (unsigned i = 0; i < s->supers; i++) {
        put_columns(job);
        put_key(job);
        if (s->super)
            put_super(&job->op.values, i);
    }
    job->op.row_count = s->supers;
    job->op.batch_type = s->operation == CS_OLD_COUNTER_ADD ? CS_BATCH_COUNTER
                                                            : CS_BATCH_UNLOGGED;
    return CS_MAKE_READY;
}

/* ---- reads ---- */

/* Super columns are read one by one, each an operation. */
static enum cs_make fill_read(struct cs_job *job)
{
    const struct cs_settings_old *s = work_of(job)->settings;
    struct cs_old_job *old = job->old;
    int64_t granted;

    if (!old->super) {
        if (!take(job, 1, &old->number, &granted))
            return CS_MAKE_END;
        old->key = cs_old_draw_key(s, &job->maker->random);
    }
    put_key(job);
    if (s->super)
        put_super(&job->op.values, old->super);
    old->super = (old->super + 1) % s->supers;
    job->op.row_count = 1;
    return CS_MAKE_READY;
}

/* g keys from the slot's own position on, which moves by the rows that
 * come. */
static enum cs_make fill_slice(struct cs_job *job)
{
    const struct cs_settings_old *s = work_of(job)->settings;
    struct cs_old_job *old = job->old;

    if (old->left <= 0) {
        if (!take(job, s->per_call, &old->number, &old->left))
            return CS_MAKE_END;
        old->key = old->number % s->different;
    }
    put_key(job);
    cs_buf_put32(&job->op.values, 4);
    cs_buf_put32(&job->op.values, s->per_call * s->supers);
    job->op.row_count = 1;
    return CS_MAKE_READY;
}

/* The value that column C1 of all rows has, or of every C-th one. */
static enum cs_make fill_indexed(struct cs_job *job)
{
    const struct cs_old_work *work = work_of(job);
    struct cs_old_job *old = job->old;
    int64_t granted;

    if (!old->scanning) {
        if (!take(job, 1, &old->number, &granted))
            return CS_MAKE_END;
        old->seen = 0;
        cs_buf_clear(&old->page);
    }
    old->scanning = true;
    cs_old_values_put(work->values, 1 % work->settings->cardinality,
                      &job->op.values);
    job->op.page = &old->page;
    job->op.row_count = 1;
    return CS_MAKE_READY;
}

static enum cs_make fill_multiget(struct cs_job *job)
{
    int64_t granted;

    if (!take(job, 1, &job->old->number, &granted))
        return CS_MAKE_END;
    cs_fan_draw(job->old->fan);
    job->step = CS_STEP_FAN;
    job->op.row_count = 1;
    return CS_MAKE_READY;
}

/* Once per slot, before its first operation. */
static CS_NOINLINE bool make_room(struct cs_job *job)
{
    job->old = calloc(1, sizeof(*job->old));
    if (!job->old)
        return false;
    cs_buf_init(&job->old->page, CS_REQUEST_MAX);
    return work_of(job)->settings->operation != CS_OLD_MULTI_GET ||
           !cs_fan_new(job, &job->old->fan, NULL);
}

void cs_old_job_release(struct cs_job *job)
{
    if (!job->old)
        return;
    cs_buf_release(&job->old->page);
    cs_fan_free(job->old->fan);
    free(job->old);
    job->old = NULL;
}

enum cs_make cs_fill_old(struct cs_job *job)
{
    if (CS_UNLIKELY(!job->old) && !make_room(job))
        return CS_MAKE_FAULT;
    job->partitions = 1; /* a throttle counts operations */
    job->rows = 1;
    switch (work_of(job)->settings->operation) {
    case CS_OLD_INSERT:
    case CS_OLD_COUNTER_ADD:
        return fill_write(job);
    case CS_OLD_READ:
    case CS_OLD_COUNTER_GET:
        return fill_read(job);
    case CS_OLD_RANGE_SLICE:
        return fill_slice(job);
    case CS_OLD_INDEXED_RANGE_SLICE:
        return fill_indexed(job);
    case CS_OLD_MULTI_GET:
        return fill_multiget(job);
    }
    return CS_MAKE_END;
}

/* ---- answers ---- */

/* What a failed slice would have read is passed over. */
static void judge_slice(struct cs_job *job, uint32_t rows)
{
    const struct cs_settings_old *s = work_of(job)->settings;
    int64_t keys = (int64_t)((rows + s->supers - 1) / s->supers);
    struct cs_old_job *old = job->old;

    job->partitions = (uint64_t)keys;
    old->left = keys ? old->left - keys : 0;
    old->key = (old->key + keys) % s->different;
}

/* A scan is over when it has seen its share of the keys, or failed. */
static void judge_indexed(struct cs_job *job, uint32_t rows, bool failed)
{
    const struct cs_settings_old *s = work_of(job)->settings;
    struct cs_old_job *old = job->old;

    job->partitions = rows;
    old->seen += rows;
    old->scanning =
        !failed && old->page.size && old->seen < s->different / s->cardinality;
    /* A page may be empty; the whole must not be. */
    job->mismatch = job->mismatch && !old->seen && !old->page.size;
}

/* Nothing found is a failure, as it was. */
void cs_old_judge(struct cs_job *job, const struct cs_outcome *outcome)
{
    const struct cs_settings_old *s = work_of(job)->settings;
    bool failed = outcome->result != CS_RESULT_OK;
    uint32_t rows = failed ? 0 : outcome->rows;

    job->mismatch = !failed && !rows;
    job->rows = rows;
    if (s->operation == CS_OLD_RANGE_SLICE)
        judge_slice(job, rows);
    else if (s->operation == CS_OLD_INDEXED_RANGE_SLICE)
        judge_indexed(job, rows, failed);
    else if (s->operation == CS_OLD_MULTI_GET)
        job->partitions = s->per_call;
}

static const char *words_of(enum cs_old_operation operation)
{
    static const char *const words[] = {
        [CS_OLD_INSERT] = "error inserting key",
        [CS_OLD_READ] = "error reading key",
        [CS_OLD_RANGE_SLICE] =
            "error on calling get_range_slices for range offset",
        [CS_OLD_INDEXED_RANGE_SLICE] =
            "error on calling get_indexed_slices for offset",
        [CS_OLD_MULTI_GET] = "error on calling multiget_slice for keys",
        [CS_OLD_COUNTER_ADD] = "error incrementing key",
        [CS_OLD_COUNTER_GET] = "error reading counter key",
    };

    return words[operation];
}

void cs_old_put_failure(struct cs_job *job, unsigned attempts,
                        const struct cs_outcome *outcome, struct cs_buf *out)
{
    const struct cs_old_work *work = work_of(job);
    struct cs_old_job *old = job->old;
    enum cs_old_operation operation = work->settings->operation;

    cs_buf_printf(out, "Operation [%lld] retried %u times - %s ",
                  (long long)old->number, attempts, words_of(operation));
    if (operation == CS_OLD_MULTI_GET)
        cs_fan_put_keys(old->fan, out);
    else if (operation == CS_OLD_INDEXED_RANGE_SLICE)
        cs_buf_printf(out, "%lld", (long long)old->seen);
    else
        cs_old_put_key(out, old->key, work->digits);
    if (outcome->result == CS_RESULT_OK)
        cs_buf_puts(out, operation == CS_OLD_RANGE_SLICE ||
                                 operation == CS_OLD_INDEXED_RANGE_SLICE
                             ? " (no rows)"
                             : " (key not found)");
    else
        cs_buf_printf(out, " (%s: %.*s)", cs_result_class_name(outcome->result),
                      (int)outcome->message_size, outcome->message);
}
