/* maker.c - a loop's generators, and which kind of operation comes next. */
#include "base/clock.h"
#include "operation/old_internal.h"
#include "operation/validate_internal.h"

#include <stdlib.h>

static enum cs_code new_generators(struct cs_maker *maker, struct cs_err *err)
{
    const struct cs_workload *w = maker->workload;
    enum cs_code rc = CS_OK;

    maker->generators =
        calloc(CS_MAX(w->source_count, 1u), sizeof(*maker->generators));
    if (!maker->generators)
        return cs_fail(err, CS_ENOMEM, "generators: out of memory");
    for (unsigned i = 0; i < w->source_count && !rc; i++) {
        struct cs_generator_config config =
            cs_source_config(&w->sources[i], w->settings);

        rc = cs_generator_new(&config, &maker->generators[i], err);
    }
    return rc;
}

static unsigned most_binds(const struct cs_workload *w)
{
    unsigned most = 1;

    for (unsigned i = 0; i < w->kind_count; i++)
        most = CS_MAX(most, w->kinds[i].bind_count);
    return most;
}

static enum cs_code new_states(struct cs_maker *maker, struct cs_err *err)
{
    const struct cs_workload *w = maker->workload;
    unsigned binds = most_binds(w);
    double sum = 0;

    maker->states = calloc(w->kind_count, sizeof(*maker->states));
    maker->cumulated = calloc(w->kind_count, sizeof(*maker->cumulated));
    maker->offsets = calloc(binds + 1, sizeof(*maker->offsets));
    maker->pool = calloc((size_t)binds * (binds + 1), sizeof(*maker->pool));
    if (!maker->states || !maker->cumulated || !maker->offsets || !maker->pool)
        return cs_fail(err, CS_ENOMEM, "samplers: out of memory");
    for (unsigned i = 0; i < w->kind_count; i++) {
        sum += w->kinds[i].weight;
        maker->cumulated[i] = sum;
        cs_dist_init(&maker->states[i].partitions, &w->kinds[i].partitions);
        cs_dist_init(&maker->states[i].select, &w->kinds[i].select.dist);
    }
    return CS_OK;
}

static void init_samplers(struct cs_maker *maker)
{
    const struct cs_settings *s = maker->workload->settings;
    struct cs_dist unseeded;
    struct cs_dist_spec any = cs_dist_uniform(1, 2);

    cs_dist_init(&maker->clustering, &s->command.clustering);
    cs_dist_init(&maker->population, &s->insert.row_population.dist);
    maker->fixed_population = -1;
    if (s->insert.row_population.dist.kind == CS_DIST_FIXED)
        maker->fixed_population = cs_ratio_min(&s->insert.row_population);
    cs_dist_init(&maker->add, &s->command.add);
    cs_dist_init(&unseeded, &any);
    maker->random = unseeded.random;
    maker->wall_offset_ns = cs_wall_ns() - cs_now_ns();
    cs_buf_init(&maker->scratch, CS_REQUEST_MAX);
    cs_buf_init(&maker->key, CS_REQUEST_MAX);
}

enum cs_code cs_maker_new(const struct cs_workload *workload,
                          struct cs_seeds *seeds, struct cs_budget *budget,
                          int only_kind, struct cs_maker **out,
                          struct cs_err *err)
{
    struct cs_maker *maker = calloc(1, sizeof(*maker));
    enum cs_code rc;

    if (!maker)
        return cs_fail(err, CS_ENOMEM, "workload: out of memory");
    maker->workload = workload;
    maker->seeds = seeds;
    maker->budget = budget;
    maker->only_kind = only_kind;
    init_samplers(maker);
    rc = new_generators(maker, err);
    if (!rc)
        rc = new_states(maker, err);
    if (!rc)
        rc = cs_validator_new(maker, err);
    if (rc) {
        cs_maker_free(maker);
        return rc;
    }
    *out = maker;
    return CS_OK;
}

void cs_maker_free(struct cs_maker *maker)
{
    if (!maker)
        return;
    cs_validator_free(maker);
    for (unsigned i = 0; maker->generators && i < maker->workload->source_count;
         i++)
        cs_generator_free(maker->generators[i]);
    free(maker->generators);
    free(maker->states);
    free(maker->cumulated);
    free(maker->offsets);
    free(maker->pool);
    cs_buf_release(&maker->scratch);
    cs_buf_release(&maker->key);
    free(maker);
}

void cs_maker_on_difference(struct cs_maker *maker, cs_difference_fn fn,
                            void *ctx)
{
    maker->on_difference = fn;
    maker->difference_ctx = ctx;
}

/* By weight among the kinds that are not over; false: all are. */
static bool draw_of_the_rest(const struct cs_job *job, unsigned *out)
{
    struct cs_maker *maker = job->maker;
    const struct cs_workload *w = maker->workload;
    double at, sum = 0;

    for (unsigned i = 0; i < w->kind_count; i++)
        if (!cs_token_scan_over(job, i))
            sum += w->kinds[i].weight;
    at = cs_java_random_double(&maker->random) * sum;
    for (unsigned i = 0; i < w->kind_count; i++) {
        if (cs_token_scan_over(job, i) || !(w->kinds[i].weight > 0))
            continue;
        *out = i;
        at -= w->kinds[i].weight;
        if (at < 0)
            break;
    }
    return sum > 0;
}

/* A kind by its weight, then as often as the clustering distribution says.
 * False: nothing is left to do. */
static bool draw_kind(struct cs_job *job)
{
    struct cs_maker *maker = job->maker;
    const struct cs_workload *w = maker->workload;
    bool single = maker->only_kind >= 0 || w->kind_count == 1;
    double at;
    unsigned kind = 0;

    if (single) {
        kind = maker->only_kind >= 0 ? (unsigned)maker->only_kind : 0;
        job->repeat = INT64_MAX;
    } else {
        at = cs_java_random_double(&maker->random) *
             maker->cumulated[w->kind_count - 1];
        while (kind + 1 < w->kind_count && at >= maker->cumulated[kind])
            kind++;
        job->repeat = cs_dist_next(&maker->clustering);
    }
    if (CS_UNLIKELY(cs_token_scan_over(job, kind)) &&
        (single || !draw_of_the_rest(job, &kind)))
        return false;
    job->kind_index = kind;
    job->kind = &w->kinds[kind];
    if (job->kind->type == CS_KIND_VALIDATE)
        cs_validate_draw(job);
    return true;
}

static bool next_kind(struct cs_job *job)
{
    while (job->repeat <= 0 || !job->kind ||
           (CS_UNLIKELY(job->kind->type == CS_KIND_TOKEN_RANGE) &&
            cs_token_scan_over(job, job->kind_index)))
        if (!draw_kind(job))
            return false;
    job->repeat--;
    return true;
}

/* Microseconds since 1970, never the same twice in one loop. */
static int64_t next_timestamp(struct cs_maker *maker, int64_t now_ns)
{
    int64_t now_us =
        (int64_t)((uint64_t)(now_ns + maker->wall_offset_ns) / CS_NS_PER_US);

    maker->last_timestamp_us = CS_MAX(now_us, maker->last_timestamp_us + 1);
    return maker->last_timestamp_us;
}

void cs_job_init(struct cs_job *job, struct cs_maker *maker)
{
    *job = (struct cs_job){.maker = maker,
                           .held_cap = 1,
                           .gives_back = cs_seeds_are_held(maker->seeds)};
    job->held = &job->held_one;
    cs_buf_init(&job->op.values, CS_REQUEST_MAX);
    cs_buf_init(&job->rest, CS_REQUEST_MAX);
}

void cs_job_release(struct cs_job *job)
{
    if (job->held != &job->held_one)
        free(job->held);
    job->held = NULL;
    cs_buf_release(&job->op.values);
    cs_buf_release(&job->op.session.paging_state);
    cs_buf_release(&job->rest);
    cs_token_scans_release(job);
    cs_old_job_release(job);
}

static void start_afresh(struct cs_job *job)
{
    job->mismatch = false;
    job->step = CS_STEP_SINGLE;
    job->held_count = 0;
    job->partitions = 0;
    job->rows = 0;
    job->op.statement = job->kind->statement;
    job->op.cql = NULL;
    job->op.row_count = 0;
    job->op.attempt = 0;
    job->op.has_token = false;
    job->op.page = NULL;
    cs_buf_clear(&job->op.values);
}

static enum cs_make fill(struct cs_job *job)
{
    switch (job->kind->type) {
    case CS_KIND_WRITE:
    case CS_KIND_READ:
    case CS_KIND_COUNTER_WRITE:
    case CS_KIND_COUNTER_READ:
        return cs_fill_predefined(job);
    case CS_KIND_INSERT:
        return cs_fill_insert(job);
    case CS_KIND_QUERY:
        return cs_fill_query(job);
    case CS_KIND_TOKEN_RANGE:
        return cs_fill_token_range(job);
    case CS_KIND_VALIDATE:
        return cs_fill_validate(job);
    case CS_KIND_OLD:
        return cs_fill_old(job);
    }
    return CS_MAKE_END;
}

enum cs_make cs_job_make(struct cs_job *job, int64_t now_ns)
{
    enum cs_make made;

    do {
        if (!next_kind(job))
            return CS_MAKE_END;
        start_afresh(job);
        made = fill(job);
    } while (made == CS_MAKE_END && cs_token_scan_over(job, job->kind_index));
    if (made != CS_MAKE_READY)
        return made;
    job->op.timestamp_us = next_timestamp(job->maker, now_ns);
    if (job->kind->writes)
        job->op.on_rows = NULL;
    else
        cs_judge_expect(job);
    return job->op.values.fault ? CS_MAKE_FAULT : CS_MAKE_READY;
}

void cs_job_give_back(struct cs_job *job)
{
    if (!job->kind || !job->kind->writes)
        return;
    for (unsigned i = 0; i < job->held_count; i++)
        cs_seeds_finish(job->maker->seeds, &job->held[i].seed,
                        job->held[i].first, job->held[i].last);
}
