/* tell.c - findings on their way out: completed with where they were made. */
#include "operation/validate_internal.h"

static const struct cs_table *table_of(const struct cs_job *job)
{
    return job->maker->workload->sources[job->kind->source].table;
}

static enum cs_consistency level_of(const struct cs_job *job)
{
    const struct cs_statement *statement = job->op.statement;

    return statement ? statement->options.cl : job->kind->options.cl;
}

/* The cells of the job's partition key. */
static const uint8_t *partition_of(struct cs_job *job)
{
    struct cs_generator *gen = cs_job_generator(job);
    struct cs_buf *key = &job->maker->key;

    cs_buf_clear(key);
    cs_generator_open_key(gen, &job->mark.seed);
    for (unsigned i = 0; i < table_of(job)->partition_count; i++)
        cs_generator_put(gen, i, key);
    return key->fault ? NULL : key->data;
}

void cs_tell_difference(struct cs_job *job, struct cs_difference *found)
{
    const struct cs_maker *maker = job->maker;

    if (!maker->on_difference)
        return;
    found->table = table_of(job);
    found->operation = job->kind->name;
    found->partition = partition_of(job);
    found->cl = level_of(job);
    found->has_token = job->op.has_token;
    found->token = job->op.token;
    if (found->partition)
        maker->on_difference(maker->difference_ctx, found);
}

void cs_tell_row_count(struct cs_job *job, uint32_t rows, unsigned node)
{
    struct cs_difference d = {.kind = rows ? CS_DIFFERENCE_ROW_TOO_MANY
                                           : CS_DIFFERENCE_ROW_MISSING,
                              .column = -1,
                              .node = node};

    cs_tell_difference(job, &d);
}

static void tell_cell(struct cs_job *job, unsigned column,
                      const uint8_t *expected, const uint8_t *found,
                      unsigned node)
{
    int32_t expected_size = (int32_t)cs_load32(expected);
    int32_t found_size = (int32_t)cs_load32(found);
    struct cs_difference d = {.kind = CS_DIFFERENCE_BYTES,
                              .column = (int)column,
                              .expected = expected,
                              .found = found,
                              .node = node};

    if (found_size == expected_size &&
        (found_size <= 0 || !memcmp(expected + 4, found + 4, found_size)))
        return;
    if (found_size < 0)
        d.kind = CS_DIFFERENCE_NULL;
    else if (expected_size < 0)
        d.kind = CS_DIFFERENCE_VALUE;
    cs_tell_difference(job, &d);
}

/* Expected cells are in maker->scratch, all but the key. */
static void tell_cells(struct cs_job *job, const struct cs_rows *rows)
{
    const struct cs_table *table = table_of(job);
    const uint8_t *expected = job->maker->scratch.data;
    struct cs_reader cells = rows->cells;

    if (rows->column_count == table->column_count)
        cs_read_cell(&cells); /* the key */
    for (unsigned i = 1; i < table->column_count; i++) {
        const uint8_t *found = cs_read_cell(&cells);

        if (cells.fault)
            return;
        tell_cell(job, i, expected, found, rows->node);
        expected += cs_cells_span(expected, 1);
    }
}

void cs_tell_read(struct cs_job *job, const struct cs_rows *rows)
{
    unsigned wanted = table_of(job)->column_count - 1;
    struct cs_difference d = {.kind = CS_DIFFERENCE_COLUMN_COUNT,
                              .column = -1,
                              .expected_count = wanted,
                              .found_count = rows->column_count,
                              .node = rows->node};

    if (rows->column_count == wanted || rows->column_count == wanted + 1)
        tell_cells(job, rows);
    else
        cs_tell_difference(job, &d);
}
