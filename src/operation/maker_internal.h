/* maker_internal.h - the maker of a loop, seen by the files that fill jobs. */
#ifndef CS_OPERATION_MAKER_INTERNAL_H
#define CS_OPERATION_MAKER_INTERNAL_H

#include "operation/job.h"

/* Largest request: what a server takes at most, with room to spare. */
#define CS_REQUEST_MAX ((size_t)256 << 20)

/* Unseeded samplers of one kind. */
struct cs_kind_state {
    struct cs_dist partitions;
    struct cs_dist select;
};

struct cs_maker {
    const struct cs_workload *workload;
    struct cs_seeds *seeds;
    struct cs_budget *budget;
    struct cs_generator **generators; /* by source */
    struct cs_kind_state *states;     /* by kind */
    struct cs_dist clustering;        /* how often a kind repeats */
    struct cs_dist population;        /* row population ratio */
    double fixed_population;          /* if it is always the same, else -1 */
    struct cs_dist add;               /* counter increments */
    struct cs_java_random random;     /* choices: kinds, rows of a query */
    double *cumulated;                /* weights summed up, by kind */
    int only_kind;                    /* -1: by weight */
    int64_t last_timestamp_us;
    int64_t wall_offset_ns;         /* wall clock - monotonic clock */
    struct cs_buf scratch;          /* expected values, texts */
    struct cs_buf key;              /* composite partition key */
    uint32_t *offsets;              /* of the values of one row, by marker */
    uint32_t *pool;                 /* of the rows that a query chooses from */
    struct cs_validator *validator; /* NULL: no kind validates */
    cs_difference_fn on_difference; /* or NULL */
    void *difference_ctx;
};

/* Fill job->op; the seeds are in job->held. */
enum cs_make cs_fill_predefined(struct cs_job *job);
enum cs_make cs_fill_insert(struct cs_job *job);
enum cs_make cs_fill_query(struct cs_job *job);
enum cs_make cs_fill_validate(struct cs_job *job);

/* ---- token_query.c ---- */
enum cs_make cs_fill_token_range(struct cs_job *job);
/* Nothing is left to read for this slot: the kind is drawn no more. */
bool cs_token_scan_over(const struct cs_job *job, unsigned kind_index);
void cs_token_scans_release(struct cs_job *job);
void cs_token_rows(struct cs_operation *op, const struct cs_rows *rows);
void cs_token_judge(struct cs_job *job, const struct cs_outcome *outcome);
void cs_token_put_key(const struct cs_job *job, struct cs_buf *out);

/* ---- parts.c: operations of several requests ---- */

/* op.values has the UPDATE of the generator's row: it waits while the row is
 * read that its condition needs. */
void cs_condition_read_first(struct cs_job *job);
void cs_condition_rows(struct cs_operation *op, const struct cs_rows *rows);

/* op.values has more rows than one BATCH can: it becomes the first of
 * several. */
void cs_batch_split(struct cs_job *job);

/* Sets op.on_rows where the answer's rows are compared. */
void cs_judge_expect(struct cs_job *job);

/* The partition token of the row whose values start at offsets[] of
 * job->op.values. */
void cs_fill_token(struct cs_job *job);

/* Replaces op's statement by text with literals (unprepared). */
void cs_fill_text(struct cs_job *job);

static inline struct cs_generator *cs_job_generator(const struct cs_job *job)
{
    return job->maker->generators[job->kind->source];
}

#endif
