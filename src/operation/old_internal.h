/* old_internal.h - an operation of the old tools, seen by the files that make
 * its requests and its words. */
#ifndef CS_OPERATION_OLD_INTERNAL_H
#define CS_OPERATION_OLD_INTERNAL_H

#include "operation/maker_internal.h"
#include "workload/old.h"

struct cs_fan; /* the single reads of a multiget */

/* How far a slot has come. */
struct cs_old_job {
    int64_t number; /* of the operation, for messages */
    int64_t key;    /* that it is about; a slice: where it begins */
    unsigned super; /* super column that is read next */
    int64_t left;   /* keys of its slice that are still to be read */
    bool scanning;  /* more pages of an indexed slice follow */
    int64_t seen;   /* rows of its pages so far */
    struct cs_buf page;
    struct cs_fan *fan; /* owned; of a multiget */
};

/* ---- old_fill.c ---- */
enum cs_make cs_fill_old(struct cs_job *job);
void cs_old_judge(struct cs_job *job, const struct cs_outcome *outcome);
void cs_old_job_release(struct cs_job *job);
/* The cell of a key, and its token. */
void cs_old_put_key_cell(const struct cs_old_work *work, struct cs_buf *out,
                         int64_t key, int64_t *token);

/* ---- old_fan.c ---- */
enum cs_code cs_fan_new(struct cs_job *job, struct cs_fan **out,
                        struct cs_err *err) CS_MUST_USE;
void cs_fan_free(struct cs_fan *fan);
/* Draws the keys of the next multiget. */
void cs_fan_draw(struct cs_fan *fan);
void cs_fan_put_keys(struct cs_fan *fan, struct cs_buf *out);

#endif
