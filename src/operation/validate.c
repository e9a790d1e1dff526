/* validate.c - the next `validate` of a slot: a partition of the population,
 * and for a slice two of its rows as bounds. */
#include "operation/validate_internal.h"
#include "types/order.h"

#include <stdlib.h>

/* Partitions in a row that may have no row before the slot gives up. */
#define EMPTY_MAX 1000000

/* ---- what a loop keeps for it ---- */

static enum cs_code new_sorted(struct cs_maker *maker, unsigned index,
                               struct cs_err *err)
{
    const struct cs_workload *w = maker->workload;
    const struct cs_source *source = &w->sources[index];
    struct cs_generator_config config = cs_source_config(source, w->settings);

    config.order = CS_ORDER_SORTED;
    if (!source->table->clustering_count ||
        w->settings->population.order == CS_ORDER_SORTED)
        return CS_OK;
    return cs_generator_new(&config, &maker->validator->sorted[index], err);
}

static bool any_validates(const struct cs_workload *w)
{
    for (unsigned i = 0; i < w->kind_count; i++)
        if (w->kinds[i].validation)
            return true;
    return false;
}

static void init_buffers(struct cs_validator *v)
{
    for (size_t i = 0; i < CS_COUNT(v->bounds); i++)
        cs_buf_init(&v->bounds[i], CS_REQUEST_MAX);
    cs_buf_init(&v->partition, CS_REQUEST_MAX);
    cs_buf_init(&v->row_key, CS_REQUEST_MAX);
}

enum cs_code cs_validator_new(struct cs_maker *maker, struct cs_err *err)
{
    const struct cs_workload *w = maker->workload;
    struct cs_validator *v;
    unsigned most = 0;
    enum cs_code rc = CS_OK;

    if (!any_validates(w))
        return CS_OK;
    v = calloc(1, sizeof(*v));
    maker->validator = v;
    for (unsigned i = 0; i < w->source_count; i++)
        most = CS_MAX(most, w->sources[i].table->column_count);
    if (v) {
        init_buffers(v);
        v->sorted = calloc(w->source_count, sizeof(struct cs_generator *));
        v->ways = calloc(w->source_count, sizeof(*v->ways));
        v->found = calloc(most, sizeof(*v->found));
    }
    if (!v || !v->sorted || !v->ways || !v->found)
        return cs_fail(err, CS_ENOMEM, "validate: out of memory");
    for (unsigned i = 0; i < w->source_count && !rc; i++)
        rc = new_sorted(maker, i, err);
    return rc;
}

static void free_checks(struct cs_validator *v)
{
    while (v->checks) {
        struct cs_check *check = v->checks;

        v->checks = check->next;
        cs_expected_release(&check->expected);
        cs_expected_release(&check->other);
        free(check);
    }
}

void cs_validator_free(struct cs_maker *maker)
{
    struct cs_validator *v = maker->validator;

    if (!v)
        return;
    for (unsigned i = 0; v->sorted && i < maker->workload->source_count; i++)
        cs_generator_free(v->sorted[i]);
    free_checks(v);
    for (size_t i = 0; i < CS_COUNT(v->bounds); i++)
        cs_buf_release(&v->bounds[i]);
    cs_buf_release(&v->partition);
    cs_buf_release(&v->row_key);
    free(v->sorted);
    free(v->ways);
    free(v->found);
    free(v);
}

/* ---- the operation ---- */

void cs_validate_draw(struct cs_job *job)
{
    const struct cs_validation *v = job->kind->validation;
    struct cs_maker *maker = job->maker;
    double at = cs_java_random_double(&maker->random) * (v->depths + 1);

    job->depth = CS_MIN((unsigned)at, v->depths);
    job->repeat = cs_dist_next(&maker->clustering);
}

static const struct cs_validation_part *pick_part(struct cs_job *job)
{
    const struct cs_validation *v = job->kind->validation;
    unsigned variants = v->part_count - v->depths;
    double at;

    if (!v->depths || job->depth < v->depths)
        return &v->parts[job->depth];
    at = cs_java_random_double(&job->maker->random) * variants;
    return &v->parts[v->depths + CS_MIN((unsigned)at, variants - 1)];
}

static bool is_way(const struct cs_job *job, unsigned way)
{
    const struct cs_workload *w = job->maker->workload;
    const struct cs_settings *s = w->settings;
    const struct cs_table *table = w->sources[job->kind->source].table;

    if (way & CS_EXPECT_UNSORTED &&
        (!table->clustering_count || s->population.order != CS_ORDER_ARBITRARY))
        return false;
    return !(way & CS_EXPECT_VISIT) ||
           (table->clustering_count > 2 && cs_dist_max(&s->insert.visits) == 1);
}

bool cs_validate_open(struct cs_job *job, unsigned way)
{
    struct cs_generator *sorted =
        job->maker->validator->sorted[job->kind->source];
    struct cs_generator *gen = cs_job_generator(job);
    struct cs_seed seed = job->mark.seed;

    job->maker->validator->open = NULL;
    if (!is_way(job, way))
        return false;
    if (sorted && !(way & CS_EXPECT_UNSORTED))
        gen = sorted;
    job->maker->validator->open = gen;
    if (way & CS_EXPECT_VISIT) {
        seed.entry = NULL;
        return cs_generator_open_write(gen, &seed, 1, job->mark.population);
    }
    return cs_generator_open_read(gen, &seed, 0, true, job->mark.population);
}

/* The next partition that has rows. */
static bool open_next(struct cs_job *job)
{
    struct cs_maker *maker = job->maker;
    unsigned way = maker->validator->ways[job->kind->source];

    for (int i = 0; i < EMPTY_MAX; i++) {
        if (!cs_seeds_next_read(maker->seeds, &job->mark.seed))
            return false;
        job->mark.population = cs_ratio_next(
            &maker->population,
            maker->workload->settings->insert.row_population.divisor);
        if (cs_validate_open(job, way) &&
            cs_generator_next(maker->validator->open))
            return true;
    }
    return false;
}

/* The row's first clustering columns, as the server keeps them. */
static void take_bound(struct cs_job *job, unsigned depth, struct cs_buf *out)
{
    const struct cs_table *table =
        job->maker->workload->sources[job->kind->source].table;
    struct cs_buf *raw = &job->maker->scratch;

    cs_buf_clear(out);
    for (unsigned i = 0; i < depth; i++) {
        unsigned column = table->partition_count + i;

        cs_buf_clear(raw);
        cs_generator_put(job->maker->validator->open, column, raw);
        if (raw->fault) {
            out->fault = true;
            return;
        }
        cs_cell_settle(table->columns[column].type, raw->data, out);
    }
}

/* Two rows at random, each as likely as any other, in the server's order. */
static void put_bounds(struct cs_job *job, unsigned depth)
{
    struct cs_validator *v = job->maker->validator;
    const struct cs_table *table =
        job->maker->workload->sources[job->kind->source].table;
    struct cs_buf *values = &job->op.values;
    uint64_t rows = 1;
    int from = 0;

    do {
        for (size_t i = 0; i < CS_COUNT(v->bounds); i++)
            if (cs_java_random_double(&job->maker->random) * (double)rows < 1)
                take_bound(job, depth, &v->bounds[i]);
        rows++;
    } while (cs_generator_next(v->open));
    if (v->bounds[0].fault || v->bounds[1].fault) {
        values->fault = true;
        return;
    }
    if (cs_prefix_compare(table, depth, v->bounds[0].data, v->bounds[1].data) >
        0)
        from = 1;
    cs_buf_put(values, v->bounds[from].data, v->bounds[from].size);
    cs_buf_put(values, v->bounds[!from].data, v->bounds[!from].size);
}

enum cs_make cs_fill_validate(struct cs_job *job)
{
    const struct cs_kind *kind = job->kind;
    struct cs_maker *maker = job->maker;
    struct cs_buf *values = &job->op.values;

    if (cs_budget_take(maker->budget, 1) < 1 || !open_next(job))
        return CS_MAKE_END;
    job->held[0] = (struct cs_held_seed){.seed = job->mark.seed};
    job->held_count = 1;
    job->check = NULL;
    job->part = pick_part(job);
    job->op.statement = job->part->statement;
    for (unsigned i = 0; i < kind->bind_count; i++) {
        maker->offsets[i] = (uint32_t)values->size;
        cs_generator_put(maker->validator->open, i, values);
    }
    job->op.row_count = 1;
    cs_fill_token(job);
    if (job->part->depth)
        put_bounds(job, job->part->depth);
    return CS_MAKE_READY;
}
