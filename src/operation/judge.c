/* judge.c - whether the answer is the expected one, and what it counts for. */
#include "base/text.h"
#include "operation/old_internal.h"
#include "operation/validate_internal.h"
#include "types/literal.h"

/* Answers of the predefined READ: exactly one row, every cell the generated
 * bytes. With -col slice the key comes along and is passed over. */
static void compare_row(struct cs_operation *op, const struct cs_rows *rows)
{
    struct cs_job *job = CS_CONTAINER(op, struct cs_job, op);
    struct cs_maker *maker = job->maker;
    const struct cs_table *table =
        maker->workload->sources[job->kind->source].table;
    unsigned wanted = table->column_count - 1;
    struct cs_generator *gen = cs_job_generator(job);
    struct cs_reader cells = rows->cells;

    if (rows->row_count != 1)
        return; /* its number is judged when the answer is complete */
    if (rows->column_count != wanted && rows->column_count != wanted + 1) {
        job->mismatch = true;
        cs_tell_read(job, rows);
        return;
    }
    if (rows->column_count == wanted + 1) {
        uint32_t key_size = cs_read32(&cells);

        cs_read_bytes(&cells, key_size);
    }
    cs_buf_clear(&maker->scratch);
    cs_generator_recall(gen, &job->mark);
    for (unsigned i = 1; i <= wanted; i++)
        cs_generator_put(gen, i, &maker->scratch);
    job->mismatch =
        cells.fault || cs_reader_left(&cells) < maker->scratch.size ||
        memcmp(cells.p, maker->scratch.data, maker->scratch.size) != 0;
    if (CS_UNLIKELY(job->mismatch))
        cs_tell_read(job, rows);
}

void cs_judge_expect(struct cs_job *job)
{
    bool compare = job->kind->type == CS_KIND_READ &&
                   !job->maker->workload->settings->errors.skip_read_validation;

    job->op.on_rows = compare ? compare_row : NULL;
    if (job->kind->type == CS_KIND_TOKEN_RANGE)
        job->op.on_rows = cs_token_rows;
    else if (job->kind->type == CS_KIND_VALIDATE)
        job->op.on_rows = cs_validate_rows;
    else if (job->step == CS_STEP_READING)
        job->op.on_rows = cs_condition_rows;
}

/* One row was expected. */
static void count_is_wrong(struct cs_job *job, const struct cs_outcome *outcome)
{
    job->mismatch = true;
    cs_tell_row_count(job, outcome->rows, outcome->node);
}

void cs_job_judge(struct cs_job *job, const struct cs_outcome *outcome)
{
    bool skip = job->maker->workload->settings->errors.skip_read_validation;
    bool failed = outcome->result != CS_RESULT_OK;
    uint32_t rows = failed ? 0 : outcome->rows;

    switch (job->kind->type) {
    case CS_KIND_READ:
        job->rows = rows;
        job->partitions = rows;
        if (!failed && rows != 1 && !skip)
            count_is_wrong(job, outcome);
        break;
    case CS_KIND_COUNTER_READ:
        job->rows = rows;
        job->partitions = rows;
        if (!failed && rows == 0)
            count_is_wrong(job, outcome);
        break;
    case CS_KIND_QUERY:
        job->rows = rows;
        job->partitions = rows ? 1 : 0;
        break;
    case CS_KIND_TOKEN_RANGE:
        cs_token_judge(job, outcome);
        break;
    case CS_KIND_VALIDATE:
        cs_validate_judge(job, outcome);
        break;
    case CS_KIND_OLD:
        cs_old_judge(job, outcome);
        break;
    case CS_KIND_WRITE:
    case CS_KIND_COUNTER_WRITE:
    case CS_KIND_INSERT:
        break;
    }
}

void cs_job_put_key(struct cs_job *job, unsigned index, struct cs_buf *out)
{
    struct cs_maker *maker = job->maker;
    const struct cs_source *source =
        &maker->workload->sources[job->kind->source];
    struct cs_generator *gen = cs_job_generator(job);

    cs_generator_open_key(gen, &job->held[index].seed);
    for (unsigned i = 0; i < source->table->partition_count; i++) {
        const uint8_t *cell;

        cs_buf_clear(&maker->scratch);
        cs_generator_put(gen, i, &maker->scratch);
        if (maker->scratch.fault)
            return;
        cell = maker->scratch.data;
        if (i)
            cs_buf_put8(out, '|');
        if (source->hex_key)
            cs_put_hex(out, cell + 4, cs_load32(cell));
        else
            cs_literal_put_plain(out, source->table->columns[i].type, cell + 4,
                                 (int32_t)cs_load32(cell));
    }
}

void cs_job_put_keys(struct cs_job *job, struct cs_buf *out)
{
    if (job->kind->type == CS_KIND_TOKEN_RANGE) {
        cs_token_put_key(job, out);
        return;
    }
    cs_buf_put8(out, '[');
    for (unsigned i = 0; i < job->held_count; i++) {
        if (i)
            cs_buf_puts(out, ", ");
        cs_job_put_key(job, i, out);
    }
    cs_buf_put8(out, ']');
}
