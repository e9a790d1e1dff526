/* job.h - one operation from "next" to "done": the maker of a loop fills it,
 * the loop sends it, the answer is checked here. Plain storage, one per slot,
 * used again for the next operation. */
#ifndef CS_OPERATION_JOB_H
#define CS_OPERATION_JOB_H

#include "operation/budget.h"
#include "operation/difference.h"
#include "operation/token_range.h"
#include "workload/workload.h"

struct cs_maker; /* generators and samplers of one loop */
struct cs_validation_part;
struct cs_check;

struct cs_held_seed {
    struct cs_seed seed;
    bool first; /* which slice of the partition was written */
    bool last;
};

/* How far a slot has come in a range that its token range query reads. */
struct cs_token_scan {
    struct cs_token_range range;
    bool open;          /* there is more to read */
    bool seen;          /* a row; then: */
    int64_t token;      /* of the last one */
    struct cs_buf page; /* where the next page begins */
};

/* Operations that take more than one request. */
enum cs_job_step {
    CS_STEP_SINGLE,  /* this one does not, or this is its last request */
    CS_STEP_READING, /* the row that an UPDATE's condition needs */
    CS_STEP_PARTS,   /* one of the batches that hold its rows */
    CS_STEP_FAN,     /* many requests at once: cs_job_fan_out sends them */
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
    bool gives_back;         /* seeds of a write, when it is over */
    struct cs_row_mark mark; /* the row a read is compared with */
    uint64_t partitions;     /* as the report counts them */
    uint64_t rows;
    bool mismatch; /* an answer that is not the expected row */
    enum cs_job_step step;
    bool found;         /* while reading: the row is there */
    uint32_t rows_left; /* of a batch in parts: not in a request so far */
    size_t rest_at;     /* where in rest they begin */
    struct cs_buf rest; /* values of the requests to come */
    struct cs_token_scan *scans; /* owned, by kind; NULL: none so far */
    /* of a validate */
    unsigned depth; /* of this one and those that repeat it */
    const struct cs_validation_part *part;
    struct cs_check *check; /* the maker's; NULL: no answer so far */
    struct cs_old_job *old; /* owned; of stress and stress.py */
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

/* Where reads that compare tell what they find; without it they only count. */
void cs_maker_on_difference(struct cs_maker *maker, cs_difference_fn fn,
                            void *ctx);

void cs_job_init(struct cs_job *job, struct cs_maker *maker);
void cs_job_release(struct cs_job *job);

/* The next operation of this slot. now_ns: monotonic, for its timestamp. */
enum cs_make cs_job_make(struct cs_job *job, int64_t now_ns);

/* A request of the operation was answered well. True: job->op is its next one,
 * to be sent, too. */
bool cs_job_go_on(struct cs_job *job);

/* Judges the last attempt's answer; fills partitions, rows, mismatch. */
void cs_job_judge(struct cs_job *job, const struct cs_outcome *outcome);

/* Instead of submitting job->op: its requests are sent, and op.on_done is
 * called when all were answered. */
void cs_job_fan_out(struct cs_job *job, const struct cs_driver_ops *db,
                    struct cs_session *session);

/* What stress and stress.py say of an operation that failed. */
void cs_old_put_failure(struct cs_job *job, unsigned attempts,
                        const struct cs_outcome *outcome, struct cs_buf *out);

/* After the last attempt, or when never sent: the seeds are given back. */
void cs_job_give_back(struct cs_job *job);

CS_INLINE void cs_job_finish(struct cs_job *job)
{
    if (CS_UNLIKELY(job->gives_back))
        cs_job_give_back(job);
    job->held_count = 0;
}

/* "[K]" of the messages: the keys of its partitions, as text. */
void cs_job_put_keys(struct cs_job *job, struct cs_buf *out);
/* One of them, index below held_count. */
void cs_job_put_key(struct cs_job *job, unsigned index, struct cs_buf *out);

#endif
