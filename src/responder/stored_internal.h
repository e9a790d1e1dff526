/* stored_internal.h - statements carried out on stored rows. Of two writes the
 * one with the later timestamp holds; what is deleted leaves no trace, so that
 * an older write which comes after it holds, too. Time to live is not looked
 * at. */
#ifndef CS_RESPONDER_STORED_INTERNAL_H
#define CS_RESPONDER_STORED_INTERNAL_H

#include "responder/peer_internal.h"
#include "responder/plan_internal.h"
#include "responder/store_internal.h"

/* Carries a statement out and answers it. An error: nothing was answered, and
 * nothing done. */
enum cs_code
cs_stored_answer(struct cs_responder *responder, const struct cs_reply *reply,
                 const struct cs_script *script, const struct cs_asked *asked,
                 struct cs_page *page, struct cs_err *err) CS_MUST_USE;

/* Whether its condition holds; true without one. */
enum cs_code cs_stored_holds(struct cs_responder *responder,
                             const struct cs_script *script,
                             const struct cs_bounds *bounds, bool *out,
                             struct cs_err *err) CS_MUST_USE;
/* A change, whatever its condition. timestamp_us: of the request. */
enum cs_code cs_stored_apply(struct cs_responder *responder,
                             const struct cs_script *script,
                             const struct cs_bounds *bounds,
                             int64_t timestamp_us,
                             struct cs_err *err) CS_MUST_USE;

/* The schema has changed: rows take the new shape, or go with their table. */
void cs_stored_change(struct cs_responder *responder,
                      const struct cs_schema_step *change);

/* ---- shared by the files of this part ---- */

/* A statement with its values. */
struct cs_job {
    struct cs_responder *responder;
    struct cs_store *store;
    const struct cs_script *script;
    const struct cs_plan *plan;
    const struct cs_table *table;
    const struct cs_bounds *bounds;
    int64_t written_us; /* of what it changes */
    struct cs_err *err;
};

struct cs_job cs_job_of(struct cs_responder *responder,
                        const struct cs_script *script,
                        const struct cs_bounds *bounds, struct cs_err *err);
/* With the time of its changes: that of its text, of the request
 * (CS_TIMESTAMP_NONE: it has none), or now. */
void cs_job_set_time(struct cs_job *job, int64_t timestamp_us);
struct cs_bound cs_job_value(const struct cs_job *job,
                             const struct cs_term *term);
/* The value that WHERE asks to be equal to the column; NULL: it does not. */
const struct cs_term *cs_job_equal(const struct cs_job *job, unsigned column);
/* The partition key into responder->key; *out false: not all parts are given.
 */
enum cs_code cs_job_key(const struct cs_job *job, bool *out) CS_MUST_USE;
/* Whether all parts of the clustering are given by value. */
bool cs_job_has_clustering(const struct cs_job *job);

/* The cell as a reader sees it: static ones are those of the partition. */
struct cs_cell cs_job_cell(const struct cs_job *job,
                           const struct cs_partition *partition,
                           const struct cs_stored_row *row, unsigned column);
bool cs_job_passes(const struct cs_job *job, const struct cs_test *tests,
                   unsigned count, const struct cs_partition *partition,
                   const struct cs_stored_row *row);

/* The partitions that WHERE can mean: one, or all. */
struct cs_candidates {
    struct cs_partition *one;
    struct cs_partition **list;
    size_t count;
};
enum cs_code cs_job_candidates(const struct cs_job *job,
                               struct cs_candidates *out) CS_MUST_USE;

enum cs_code cs_job_select(const struct cs_job *job,
                           const struct cs_reply *reply,
                           const struct cs_asked *asked,
                           struct cs_page *page) CS_MUST_USE;
enum cs_code cs_job_apply(const struct cs_job *job) CS_MUST_USE;

/* The one row that a condition is about, NULL: there is none. */
enum cs_code cs_job_row(const struct cs_job *job,
                        struct cs_partition **out_partition,
                        const struct cs_stored_row **out_row) CS_MUST_USE;

#endif
