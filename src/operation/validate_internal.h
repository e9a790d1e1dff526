/* validate_internal.h - the user command's `validate`: what a loop needs to
 * compare the answers of its statements. */
#ifndef CS_OPERATION_VALIDATE_INTERNAL_H
#define CS_OPERATION_VALIDATE_INTERNAL_H

#include "operation/expected.h"
#include "operation/maker_internal.h"
#include "workload/validation.h"

/* What partitions may look like: the original expects them sorted and whole. A
 * table as the insert leaves it without -pop contents=sorted is as good, and
 * so is one with three clustering columns or more, of which a single visit
 * leaves most rows out. */
enum {
    CS_EXPECT_UNSORTED = 1,
    CS_EXPECT_VISIT = 2,
    CS_EXPECT_WAYS = 4,
};

/* An answer that is being compared. */
struct cs_check {
    struct cs_check *next_free;
    struct cs_check *next; /* of all */
    struct cs_expected expected;
    struct cs_expected other; /* another way to expect it */
    unsigned way;             /* that expected was filled by */
    unsigned attempt;
    uint64_t row;         /* of the answer so far */
    uint64_t told;        /* rows whose differences are out: a retry reads the
                             same rows again */
    uint64_t differences; /* of this attempt */
    uint64_t good_rows;   /* in front of the first that differs */
    bool static_told;     /* a static column is the same in all rows */
    bool broken;          /* no row could be compared */
};

/* The part of a maker that only `validate` needs. */
struct cs_validator {
    struct cs_generator **sorted; /* by source; NULL: the maker's is right */
    unsigned *ways;               /* by source: the one that was right last */
    struct cs_generator *open;    /* has the partition of the last open; NULL:
                                     that was none */
    struct cs_buf bounds[2];
    struct cs_buf partition; /* cells of the partition key */
    struct cs_buf row_key;
    const uint8_t **found; /* cells of a row, by column of the table */
    struct cs_check *checks;
    struct cs_check *free;
};

/* Nothing when no kind validates. */
enum cs_code cs_validator_new(struct cs_maker *maker,
                              struct cs_err *err) CS_MUST_USE;
void cs_validator_free(struct cs_maker *maker);

/* How deep the next ones of a slot go, and how many there are. */
void cs_validate_draw(struct cs_job *job);

/* Opens the job's partition with its rows to be expected this way. False: it
 * has none, or the way is none for this table. */
bool cs_validate_open(struct cs_job *job, unsigned way);

/* ---- compare.c ---- */

/* The answer's rows, page by page, and its end. */
void cs_validate_rows(struct cs_operation *op, const struct cs_rows *rows);
void cs_validate_judge(struct cs_job *job, const struct cs_outcome *outcome);

/* ---- tell.c ---- */

/* Completes a finding about the job and passes it on. */
void cs_tell_difference(struct cs_job *job, struct cs_difference *found);

/* READ and COUNTER_READ: the row did not come, or more than one did. */
void cs_tell_row_count(struct cs_job *job, uint32_t rows, unsigned node);

/* READ: the row that came is not the generated one. */
void cs_tell_read(struct cs_job *job, const struct cs_rows *rows);

#endif
