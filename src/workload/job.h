/* job.h - one operation from "next" to "done": the maker of a loop fills it,
 * the loop sends it, the answer is checked here. Plain storage, one per slot,
 * used again for the next operation. */
#ifndef CS_WORKLOAD_JOB_H
#define CS_WORKLOAD_JOB_H

#include "workload/budget.h"
#include "workload/workload.h"

struct cs_maker; /* generators and samplers of one loop */

struct cs_held_seed {
    struct cs_seed seed;
    bool first; /* which slice of the partition was written */
    bool last;
};

struct cs_job {
    struct cs_operation op; /* embedded: the driver gives it back */
    struct cs_maker *maker;
    const struct cs_kind *kind;
    unsigned kind_index;
    int64_t repeat; /* this kind comes so many times more */
    struct cs_held_seed held_one;
    struct cs_held_seed *held; /* &held_one, or owned when there are more */
    unsigned held_count;
    unsigned held_cap;
    struct cs_row_mark mark; /* the row a read is compared with */
    uint64_t partitions;     /* as the report counts them */
    uint64_t rows;
    bool mismatch; /* an answer that is not the expected row */
};

/* picks: bit per kind that may be drawn, or -1 for all by their weights. */
enum cs_code cs_maker_new(const struct cs_workload *workload,
                          struct cs_seeds *seeds, struct cs_budget *budget,
                          int only_kind, struct cs_maker **out,
                          struct cs_err *err) CS_MUST_USE;
void cs_maker_free(struct cs_maker *maker);

enum cs_make {
    CS_MAKE_READY, /* job->op is to be sent */
    CS_MAKE_EMPTY, /* nothing to send, yet an operation: counted at once */
    CS_MAKE_WAIT,  /* all partitions are being written: ask again later */
    CS_MAKE_END,   /* no partition left for this slot */
    CS_MAKE_FAULT, /* out of memory: a request longer than the maximum */
};

void cs_job_init(struct cs_job *job, struct cs_maker *maker);
void cs_job_release(struct cs_job *job);

/* The next operation of this slot. now_ns: monotonic, for its timestamp. */
enum cs_make cs_job_make(struct cs_job *job, int64_t now_ns);

/* Judges the last attempt's answer; fills partitions, rows, mismatch. */
void cs_job_judge(struct cs_job *job, const struct cs_outcome *outcome);

/* Gives the seeds back; after the last attempt or when never sent. */
void cs_job_finish(struct cs_job *job);

/* "[K]" of the messages: the keys of its partitions, as text. */
void cs_job_put_keys(struct cs_job *job, struct cs_buf *out);

#endif
