/* run.h - a run of SBK: its workers, its windows, its end. */
#ifndef CS_SBK_RUN_H
#define CS_SBK_RUN_H

#include "crew/crew.h"
#include "sbk/figures.h"
#include "sbk/statements.h"

struct cs_sbk_plan {
    const struct cs_sbk_options *options;
    const struct cs_driver_ops *db;
    struct cs_driver *driver;
    const struct cs_sbk_statements *statements;
    int signal_fd;     /* readable: the run ends; -1: none */
    int64_t window_ns; /* 5 s */
    size_t cells_max;  /* of the table of all latencies; 0: the usual bound */
};

/* The statement that ended the run, as SBK words it. */
struct cs_sbk_failure {
    bool failed;
    const char *java;       /* full name of its exception */
    char text[CS_ERR_TEXT]; /* what the server, or the driver, said */
};

/* "com.datastax...InvalidQueryException" of a failed outcome; never NULL. */
const char *cs_sbk_failure_class(enum cs_result_class result);
/* Of the ERROR codes of the protocol that a definition or a statement to be
 * prepared is answered with. */
const char *cs_sbk_server_class(int server_code);
/* The last part of such a name. */
const char *cs_sbk_short_class(const char *java);

/* What the run tells while it goes on; all by the main thread. */
struct cs_sbk_watch {
    void *ctx;
    /* A worker begins; amount: seconds left, or records. */
    void (*began)(void *ctx, bool reads, unsigned index, int64_t amount);
    void (*ended)(void *ctx, bool reads, unsigned index, bool eof);
    /* A signal has come. */
    void (*signalled)(void *ctx);
    /* The driver may have news. */
    void (*news)(void *ctx);
    /* A reader missed rows, before the total. */
    void (*missed)(void *ctx, unsigned index, int64_t misses, int64_t errors);
    /* Behind the total: how the run met its cluster. May be NULL. */
    void (*summed)(void *ctx, const struct cs_crew_sum *sum);
    /* A window, or the total: figures->total. */
    void (*window)(void *ctx, const struct cs_sbk_tally *tally,
                   const struct cs_sbk_figures *figures);
};

struct cs_sbk_outcome {
    bool signalled;
    struct cs_sbk_failure failure;
};

/* Returns when all workers have ended and the total is out. A failed statement
 * is no error: see *out. */
enum cs_code cs_sbk_run(const struct cs_sbk_plan *plan,
                        const struct cs_sbk_watch *watch,
                        struct cs_sbk_outcome *out,
                        struct cs_err *err) CS_MUST_USE;

/* ---- share.c ---- */

/* Of the one kind there is. */
unsigned cs_sbk_workers(const struct cs_sbk_options *options);

/* Records per second of one worker; 0: no pace. */
int64_t cs_sbk_worker_rate(const struct cs_sbk_options *options);

/* How long after the first worker `index` begins. */
int64_t cs_sbk_ramp_ns(const struct cs_sbk_options *options, unsigned index);

/* Seconds that worker `index` has left when it begins, or its records. */
int64_t cs_sbk_worker_amount(const struct cs_sbk_options *options,
                             unsigned index);

/* Tells of the workers that begin at once, of a run that fails with its first
 * statement. */
void cs_sbk_run_begin(const struct cs_sbk_plan *plan,
                      const struct cs_sbk_watch *watch);

/* A total without a record, of a run that could not begin. */
enum cs_code cs_sbk_run_nothing(const struct cs_sbk_plan *plan,
                                const struct cs_sbk_watch *watch,
                                struct cs_err *err) CS_MUST_USE;

#endif
