/* worker_internal.h - a writer or reader: a hand of the crew with its share of
 * the run. */
#ifndef CS_SBK_WORKER_INTERNAL_H
#define CS_SBK_WORKER_INTERNAL_H

#include "crew/crew.h"
#include "sbk/run.h"
#include "sbk/tally.h"

#include <pthread.h>

/* What all workers of a run share. */
struct cs_sbk_shared {
    const struct cs_sbk_plan *plan;
    struct cs_sbk_recorder *recorders; /* one per loop */
    struct cs_crew *crew;
    int64_t unit_ns;
    int64_t per_worker_per_s; /* records; 0: no pace */
    pthread_mutex_t mutex;    /* of the failure */
    struct cs_sbk_failure failure;
};

/* The ids that a reader has fetched, and those it fetches ahead. */
struct cs_sbk_ids {
    struct cs_operation op;
    struct cs_buf sides[2]; /* 16 bytes each */
    unsigned current;
    size_t at; /* in the current side */
    bool fetching;
    bool fetched; /* the other side waits to be read */
    bool more;    /* pages follow */
    struct cs_buf paging;
    struct cs_buf cql;
};

/* The page that a scanning reader goes through. */
struct cs_sbk_scan {
    struct cs_buf cells;
    struct cs_reader left;
    uint32_t rows_left;
    uint32_t columns;
    uint32_t data_column;
    bool begun;
    bool more;
    int64_t edge_ns; /* when the page was asked for; 0: was not measured */
    struct cs_buf paging;
    struct cs_buf cql;
};

struct cs_sbk_worker {
    struct cs_hand hand;
    struct cs_sbk_shared *shared;
    unsigned index;
    bool reads;
    int64_t budget;      /* records, INT64_MAX: by time */
    int64_t begin_ns;    /* of its step of the ramp */
    int64_t deadline_ns; /* INT64_MAX: by count */
    int64_t count;       /* records so far */
    int64_t misses;      /* ids whose row is gone */
    int64_t errors;
    _Atomic bool eof;
    /* a writer's */
    uint64_t random[4];
    struct cs_buf cql;
    size_t id_at; /* where the id stands in values, or in cql */
    /* a reader's */
    int64_t row_bytes; /* of the row that has just come; -1: none */
    struct cs_sbk_ids ids;
    struct cs_sbk_scan scan;
};

/* ---- worker.c ---- */
extern const struct cs_crew_work cs_sbk_work;

static inline struct cs_sbk_worker *cs_sbk_worker_of(struct cs_hand *hand)
{
    return CS_CONTAINER(hand, struct cs_sbk_worker, hand);
}

static inline const struct cs_sbk_options *
cs_sbk_worker_options(const struct cs_sbk_worker *worker)
{
    return worker->shared->plan->options;
}

static inline struct cs_sbk_tally *
cs_sbk_worker_tally(struct cs_sbk_worker *worker)
{
    return cs_sbk_recorder_tally(&worker->shared->recorders[worker->hand.loop]);
}

/* A record was written or read. */
void cs_sbk_worker_record(struct cs_sbk_worker *worker, int64_t start_ns,
                          int64_t end_ns, uint64_t bytes);
/* Whether it may do a further record now; else wait or end is what its next
 * step is. */
bool cs_sbk_worker_may_go_on(struct cs_sbk_worker *worker, int64_t now_ns,
                             enum cs_hand_step *step);
/* The first failure ends the run. */
void cs_sbk_worker_fail(struct cs_sbk_worker *worker,
                        const struct cs_outcome *outcome);

/* ---- writer.c ---- */
enum cs_code cs_sbk_writer_init(struct cs_sbk_worker *worker,
                                struct cs_err *err) CS_MUST_USE;
enum cs_hand_step cs_sbk_writer_next(struct cs_sbk_worker *worker);

/* ---- reader.c: by key ---- */
enum cs_code cs_sbk_reader_init(struct cs_sbk_worker *worker,
                                struct cs_err *err) CS_MUST_USE;
enum cs_hand_step cs_sbk_reader_next(struct cs_sbk_worker *worker);
void cs_sbk_reader_done(struct cs_sbk_worker *worker,
                        const struct cs_outcome *outcome);
void cs_sbk_reader_release(struct cs_sbk_worker *worker);

/* The tokens of part `index` of `count` equal ones: those above *from and up
 * to *to. */
void cs_sbk_ring_part(unsigned index, unsigned count, int64_t *from,
                      int64_t *to);

/* ---- scanner.c: the whole table ---- */
enum cs_code cs_sbk_scanner_init(struct cs_sbk_worker *worker,
                                 struct cs_err *err) CS_MUST_USE;
enum cs_hand_step cs_sbk_scanner_next(struct cs_sbk_worker *worker,
                                      int64_t now_ns);
void cs_sbk_scanner_done(struct cs_sbk_worker *worker,
                         const struct cs_outcome *outcome);
void cs_sbk_scanner_release(struct cs_sbk_worker *worker);

#endif
