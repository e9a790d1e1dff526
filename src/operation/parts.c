/* parts.c - operations that take more than one request: an UPDATE whose
 * condition needs the row as it is, and rows beyond what one BATCH holds. */
#include "operation/maker_internal.h"

/* Rows of one BATCH: native protocol, section BATCH, [short] n. */
#define BATCH_ROWS_MAX 65535

/* The cell at `at`: its int32 size and its bytes. */
static size_t cell_size(const uint8_t *cell)
{
    int32_t size = (int32_t)cs_load32(cell);

    return 4 + (size_t)CS_MAX(size, 0);
}

/* op.values waits in rest; op.values is empty. */
static void set_aside(struct cs_job *job)
{
    struct cs_buf values = job->op.values;

    job->op.values = job->rest;
    job->rest = values;
    cs_buf_clear(&job->op.values);
}

/* ---- conditions ---- */

void cs_condition_read_first(struct cs_job *job)
{
    const struct cs_statement *select = job->kind->condition->select;
    struct cs_generator *gen = cs_job_generator(job);

    if (job->op.values.fault)
        return;
    set_aside(job);
    for (unsigned i = 0; i < select->bind_count; i++)
        cs_generator_put(gen, i, &job->op.values);
    job->op.statement = select;
    job->step = CS_STEP_READING;
    job->found = false;
}

/* The request was answered, its values are needed no more: the row read takes
 * their place. */
void cs_condition_rows(struct cs_operation *op, const struct cs_rows *rows)
{
    struct cs_job *job = CS_CONTAINER(op, struct cs_job, op);

    if (!rows->row_count ||
        rows->column_count != job->kind->condition->column_count)
        return;
    cs_buf_clear(&op->values);
    cs_buf_put(&op->values, rows->cells.p, cs_reader_left(&rows->cells));
    job->found = true;
}

static void bind_what_was_read(struct cs_job *job)
{
    const struct cs_kind *kind = job->kind;
    const struct cs_condition *condition = kind->condition;
    struct cs_buf *out = &job->maker->scratch;
    uint32_t *offsets = job->maker->offsets;
    const uint8_t *generated = job->rest.data;
    const uint8_t *cells = job->op.values.data;
    size_t at = 0;

    for (unsigned i = 0; job->found && i < condition->column_count; i++) {
        offsets[i] = (uint32_t)at;
        at += cell_size(cells + at);
    }
    cs_buf_clear(out);
    for (unsigned i = 0; i < kind->bind_count; i++) {
        uint16_t from = condition->from[i];

        if (from == CS_NOT_READ)
            cs_buf_put(out, generated, cell_size(generated));
        else if (job->found)
            cs_buf_put(out, cells + offsets[from],
                       cell_size(cells + offsets[from]));
        else
            cs_buf_put32(out, UINT32_MAX); /* no such row: null */
        generated += cell_size(generated);
    }
    job->op.statement = kind->statement;
    job->op.on_rows = NULL;
    cs_buf_clear(&job->op.values);
    cs_buf_put(&job->op.values, out->data, out->size);
    job->op.values.fault = job->op.values.fault || out->fault;
    job->step = CS_STEP_SINGLE;
}

/* ---- batches ---- */

static void next_part(struct cs_job *job)
{
    struct cs_operation *op = &job->op;
    const uint8_t *from = job->rest.data + job->rest_at;
    const uint8_t *p = from;

    op->row_count = CS_MIN(job->rows_left, (uint32_t)BATCH_ROWS_MAX);
    for (uint64_t i = (uint64_t)op->row_count * job->kind->bind_count; i; i--)
        p += cell_size(p);
    cs_buf_clear(&op->values);
    cs_buf_put(&op->values, from, (size_t)(p - from));
    job->rest_at += (size_t)(p - from);
    job->rows_left -= op->row_count;
    job->step = job->rows_left ? CS_STEP_PARTS : CS_STEP_SINGLE;
}

void cs_batch_split(struct cs_job *job)
{
    if (CS_LIKELY(job->op.row_count <= BATCH_ROWS_MAX) || job->op.values.fault)
        return;
    job->rows_left = job->op.row_count;
    job->rest_at = 0;
    set_aside(job);
    next_part(job);
}

bool cs_job_go_on(struct cs_job *job)
{
    if (CS_LIKELY(job->step == CS_STEP_SINGLE) || job->step == CS_STEP_FAN)
        return false;
    job->op.attempt = 0;
    if (job->step == CS_STEP_READING)
        bind_what_was_read(job);
    else
        next_part(job);
    return true;
}
