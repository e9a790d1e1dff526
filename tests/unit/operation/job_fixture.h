/* job_fixture.h - a workload made by hand, and a job of it: for tests of
 * operations without a database. */
#ifndef CS_TESTS_JOB_FIXTURE_H
#define CS_TESTS_JOB_FIXTURE_H

#include "operation/maker_internal.h"
#include "support/workload.h"

struct job_fixture {
    struct workload_fixture w;
    struct cs_budget budget;
    struct cs_seeds *seeds;
    struct cs_maker *maker;
    struct cs_job job;
};

/* Rows per partition: so many values of c. */
static inline void fixture_init(struct job_fixture *f, int64_t rows)
{
    memset(f, 0, sizeof(*f));
    workload_fixture_init(&f->w, rows);
}

/* A kind whose markers take these columns, ended by -1. */
static inline struct cs_kind *
fixture_add(struct job_fixture *f, enum cs_kind_type type, const int *columns)
{
    return workload_fixture_add(&f->w, type, columns);
}

/* permits: how many the run has, or -1. */
static inline void fixture_start(struct job_fixture *f, int64_t permits)
{
    struct cs_err err = {0};

    cs_budget_init(&f->budget, permits);
    if (cs_seeds_new(&f->w.settings, &f->seeds, &err) ||
        cs_maker_new(&f->w.workload, f->seeds, &f->budget, -1, &f->maker, &err))
        fail_msg("%s", err.text);
    cs_job_init(&f->job, f->maker);
}

static inline void fixture_release(struct job_fixture *f)
{
    cs_job_release(&f->job);
    cs_maker_free(f->maker);
    cs_seeds_free(f->seeds);
}

#endif
