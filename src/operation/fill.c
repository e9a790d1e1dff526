/* fill.c - from seeds to the values of a request. */
#include "driver/partition_key.h"
#include "operation/maker_internal.h"
#include "types/literal.h"

#include <stdlib.h>

/* Partitions in a row that may offer nothing before the slot gives up. */
#define EMPTY_MAX 1000000

static CS_NOINLINE bool widen_held(struct cs_job *job)
{
    unsigned cap = job->held_cap * 2;
    struct cs_held_seed *more = calloc(cap, sizeof(*more));

    if (!more)
        return false;
    memcpy(more, job->held, job->held_count * sizeof(*more));
    if (job->held != &job->held_one)
        free(job->held);
    job->held = more;
    job->held_cap = cap;
    return true;
}

/* Where the next seed goes, which counts once held_count is raised; NULL: out
 * of memory. */
CS_INLINE struct cs_held_seed *next_held(struct cs_job *job)
{
    struct cs_held_seed *held;

    if (CS_UNLIKELY(job->held_count == job->held_cap) && !widen_held(job))
        return NULL;
    held = &job->held[job->held_count];
    held->first = true;
    held->last = true;
    return held;
}

static CS_NOINLINE void fill_composite_token(struct cs_job *job)
{
    const struct cs_kind *kind = job->kind;
    struct cs_maker *maker = job->maker;

    cs_buf_clear(&maker->key);
    for (unsigned i = 0; i < kind->key_bind_count; i++) {
        const uint8_t *cell =
            job->op.values.data + maker->offsets[kind->key_binds[i]];

        cs_partition_key_add(&maker->key, cell + 4, cs_load32(cell));
    }
    job->op.token = cs_token_of(maker->key.data, maker->key.size);
    job->op.has_token = true;
}

CS_INLINE void fill_token(struct cs_job *job)
{
    const struct cs_kind *kind = job->kind;
    const uint8_t *cell;

    if (!kind->key_bind_count || job->op.values.fault)
        return;
    if (CS_UNLIKELY(kind->key_bind_count > 1)) {
        fill_composite_token(job);
        return;
    }
    cell = job->op.values.data + job->maker->offsets[kind->key_binds[0]];
    job->op.token = cs_token_of(cell + 4, cs_load32(cell));
    job->op.has_token = true;
}

void cs_fill_token(struct cs_job *job)
{
    fill_token(job);
}

/* The row of an insert: all value columns, then the key. */
CS_INLINE void put_write_row(struct cs_job *job, struct cs_generator *gen)
{
    const struct cs_kind *kind = job->kind;
    struct cs_buf *values = &job->op.values;
    bool first = job->op.row_count++ == 0;

    cs_generator_put_values(gen, values);
    for (unsigned i = kind->key_start; i < kind->bind_count; i++) {
        job->maker->offsets[i] = (uint32_t)values->size;
        cs_generator_put(gen, kind->bind_columns[i], values);
    }
    if (first)
        fill_token(job);
}

/* The values of the generator's current row, in the order of the markers. */
static void put_row(struct cs_job *job)
{
    const struct cs_kind *kind = job->kind;
    struct cs_generator *gen = cs_job_generator(job);
    struct cs_buf *values = &job->op.values;
    bool first = job->op.row_count == 0;

    for (unsigned i = 0; i < kind->bind_count; i++) {
        if (first)
            job->maker->offsets[i] = (uint32_t)values->size;
        cs_generator_put(gen, kind->bind_columns[i], values);
    }
    if (first)
        cs_fill_token(job);
    job->op.row_count++;
}

CS_INLINE double draw_population(struct cs_maker *maker)
{
    if (CS_LIKELY(maker->fixed_population >= 0))
        return maker->fixed_population;
    return cs_ratio_next(
        &maker->population,
        maker->workload->settings->insert.row_population.divisor);
}

/* No write seed: for good, or until another operation has ended? */
static enum cs_make no_seed(const struct cs_job *job)
{
    return cs_seeds_exhausted(job->maker->seeds) ? CS_MAKE_END : CS_MAKE_WAIT;
}

/* Takes write seeds until a partition has something to write. */
CS_INLINE bool open_next_write(struct cs_job *job, struct cs_generator *gen,
                               double select)
{
    struct cs_maker *maker = job->maker;
    struct cs_held_seed *held = next_held(job);

    for (int i = 0; held && i < EMPTY_MAX; i++) {
        if (!cs_seeds_next_write(maker->seeds, &held->seed))
            return false;
        if (cs_generator_open_write(gen, &held->seed, select,
                                    draw_population(maker))) {
            job->held_count++;
            return true;
        }
        cs_seeds_finish(maker->seeds, &held->seed, true, true);
    }
    return false;
}

static bool open_next_read(struct cs_job *job, double target)
{
    struct cs_maker *maker = job->maker;
    struct cs_generator *gen = cs_job_generator(job);
    struct cs_held_seed *held = next_held(job);

    for (int i = 0; held && i < EMPTY_MAX; i++) {
        if (!cs_seeds_next_read(maker->seeds, &held->seed))
            return false;
        if (cs_generator_open_read(gen, &held->seed, target, false,
                                   draw_population(maker)) &&
            cs_generator_next(gen)) {
            job->held_count++;
            return true;
        }
    }
    return false;
}

/* Rows offered beyond the first are passed over, so that the slice that was
 * written is known. */
CS_INLINE void close_slice(struct cs_job *job, struct cs_generator *gen)
{
    struct cs_held_seed *held = &job->held[job->held_count - 1];

    cs_generator_slice(gen, &held->first, &held->last);
}

static enum cs_make fill_write(struct cs_job *job)
{
    struct cs_generator *gen = cs_job_generator(job);

    if (!open_next_write(job, gen, 1))
        return no_seed(job);
    if (cs_generator_next(gen))
        put_write_row(job, gen);
    cs_generator_skip(gen);
    close_slice(job, gen);
    return CS_MAKE_READY;
}

static enum cs_make fill_counter_write(struct cs_job *job)
{
    struct cs_maker *maker = job->maker;
    struct cs_generator *gen = cs_job_generator(job);
    struct cs_buf *values = &job->op.values;
    unsigned last = job->kind->bind_count - 1;

    if (!open_next_write(job, gen, 1))
        return no_seed(job);
    for (unsigned i = 0; i < last; i++) {
        cs_buf_put32(values, 8);
        cs_buf_put64(values, (uint64_t)cs_dist_next(&maker->add));
    }
    maker->offsets[last] = (uint32_t)values->size;
    cs_generator_put(gen, 0, values);
    job->op.row_count = 1;
    cs_fill_token(job);
    cs_generator_skip(gen);
    close_slice(job, gen);
    return CS_MAKE_READY;
}

static enum cs_make fill_key_read(struct cs_job *job)
{
    struct cs_generator *gen = cs_job_generator(job);

    if (!open_next_read(job, 1))
        return CS_MAKE_END;
    put_row(job);
    cs_generator_mark(gen, &job->mark);
    return CS_MAKE_READY;
}

enum cs_make cs_fill_predefined(struct cs_job *job)
{
    struct cs_budget *budget = job->maker->budget;
    enum cs_make made;

    if (cs_budget_take(budget, 1) < 1)
        return CS_MAKE_END;
    job->partitions = 1;
    job->rows = 1;
    if (job->kind->type == CS_KIND_WRITE)
        made = fill_write(job);
    else if (job->kind->type == CS_KIND_COUNTER_WRITE)
        made = fill_counter_write(job);
    else
        made = fill_key_read(job);
    if (CS_UNLIKELY(made == CS_MAKE_WAIT))
        cs_budget_return(budget, 1);
    else if (made == CS_MAKE_READY && !job->kind->statement)
        cs_fill_text(job);
    return made;
}

static bool fill_partition(struct cs_job *job)
{
    struct cs_maker *maker = job->maker;
    struct cs_generator *gen = cs_job_generator(job);
    double select = cs_ratio_next(&maker->states[job->kind_index].select,
                                  job->kind->select.divisor);

    if (!open_next_write(job, gen, select))
        return false;
    while (cs_generator_next(gen))
        put_write_row(job, gen);
    close_slice(job, gen);
    return true;
}

enum cs_make cs_fill_insert(struct cs_job *job)
{
    struct cs_maker *maker = job->maker;
    int64_t wanted = cs_dist_next(&maker->states[job->kind_index].partitions);
    int64_t granted;

    if (wanted <= 0)
        return CS_MAKE_END;
    granted = cs_budget_take(maker->budget, wanted);
    while (job->held_count < granted && fill_partition(job))
        ;
    if (CS_UNLIKELY(job->held_count < granted))
        cs_budget_return(maker->budget, granted - job->held_count);
    if (!job->held_count)
        return granted ? no_seed(job) : CS_MAKE_END;
    job->op.batch_type = job->kind->batch_type;
    job->partitions = job->held_count;
    job->rows = job->op.row_count;
    cs_batch_split(job);
    return job->rows ? CS_MAKE_READY : CS_MAKE_EMPTY;
}

/* Which of the kept rows a marker takes its value from: the partition key is
 * the same in all. */
static uint32_t pick_row(struct cs_maker *maker, uint32_t rows)
{
    double at = cs_java_random_double(&maker->random) * rows;

    return CS_MIN((uint32_t)at, rows - 1);
}

/* Multirow: keeps as many rows as there are markers and draws each argument
 * from one of them. */
static void put_from_many(struct cs_job *job)
{
    const struct cs_kind *kind = job->kind;
    struct cs_maker *maker = job->maker;
    struct cs_generator *gen = cs_job_generator(job);
    struct cs_buf *scratch = &maker->scratch;
    uint32_t rows = 0;

    cs_buf_clear(scratch);
    do {
        for (unsigned i = 0; i < kind->bind_count; i++) {
            maker->pool[rows * kind->bind_count + i] = (uint32_t)scratch->size;
            cs_generator_put(gen, kind->bind_columns[i], scratch);
        }
        rows++;
    } while (rows < kind->bind_count && cs_generator_next(gen));
    if (scratch->fault) {
        job->op.values.fault = true;
        return;
    }
    for (unsigned i = 0; i < kind->bind_count; i++) {
        uint32_t row = pick_row(maker, rows);
        const uint8_t *cell =
            scratch->data + maker->pool[row * kind->bind_count + i];
        int32_t size = (int32_t)cs_load32(cell);

        maker->offsets[i] = (uint32_t)job->op.values.size;
        cs_buf_put(&job->op.values, cell, 4 + (size_t)CS_MAX(size, 0));
    }
    job->op.row_count = 1;
    cs_fill_token(job);
}

enum cs_make cs_fill_query(struct cs_job *job)
{
    const struct cs_kind *kind = job->kind;
    bool many = !kind->same_row && kind->bind_count > 0;

    if (cs_budget_take(job->maker->budget, 1) < 1)
        return CS_MAKE_END;
    if (!open_next_read(job, many ? kind->bind_count : 1))
        return CS_MAKE_END;
    if (many)
        put_from_many(job);
    else
        put_row(job);
    if (kind->condition)
        cs_condition_read_first(job);
    return CS_MAKE_READY;
}

void cs_fill_text(struct cs_job *job)
{
    const struct cs_kind *kind = job->kind;
    const struct cs_table *table =
        job->maker->workload->sources[kind->source].table;
    struct cs_buf *text = &job->maker->scratch;
    struct cs_buf *values = &job->op.values;
    const uint8_t *cell = values->data;
    unsigned marker = 0;

    cs_buf_clear(text);
    for (const char *p = kind->cql; *p; p++) {
        int32_t size;

        if (*p != '?' || marker >= kind->bind_count) {
            cs_buf_put8(text, (uint8_t)*p);
            continue;
        }
        size = (int32_t)cs_load32(cell);
        cs_literal_put(text, table->columns[kind->bind_columns[marker]].type,
                       cell + 4, size);
        cell += 4 + CS_MAX(size, 0);
        marker++;
    }
    /* The text takes the place of the values, so that it lives as long as the
     * operation does. */
    if (text->fault)
        values->fault = true;
    cs_buf_clear(values);
    cs_buf_put(values, text->data, text->size);
    job->op.cql = (const char *)values->data;
    job->op.cql_size = values->size;
    job->op.cql_options = kind->options;
    job->op.row_count = 1;
}
