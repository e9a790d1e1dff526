/* load.h - what a loop used of the machine, and how long requests waited in
 * it: the figures behind the verdict on the client. */
#ifndef CS_RUN_LOAD_H
#define CS_RUN_LOAD_H

#include "metrics/client_load.h"
#include "observe/cpu.h"

/* Of one loop. begin, pass and end are called by its thread. */
struct cs_loop_load {
    int64_t began_ns;
    struct cs_thread_use began;
    int64_t pass_ns;          /* the pass's first send; 0: none so far */
    struct cs_histogram *lag; /* owned; NULL: a warm-up */
    double busy;              /* after the end: shares of its life, 0..1 */
    double queued;            /* negative: not known */
};

enum cs_code cs_loop_load_init(struct cs_loop_load *load, bool measured,
                               struct cs_err *err) CS_MUST_USE;
void cs_loop_load_release(struct cs_loop_load *load);

void cs_loop_load_begin(struct cs_loop_load *load);
void cs_loop_load_end(struct cs_loop_load *load);

/* A request was due so long before the loop came to it. */
static inline void cs_loop_load_wait(struct cs_loop_load *load, int64_t late_ns)
{
    if (load->lag)
        cs_histogram_record(load->lag, late_ns);
}

/* All that was sent in this pass has been written. */
static inline void cs_loop_load_pass(struct cs_loop_load *load, int64_t now_ns)
{
    if (load->pass_ns && load->lag)
        cs_histogram_record(load->lag, now_ns - load->pass_ns);
    load->pass_ns = 0;
}

/* Adds the figures of a loop that has ended to those of its run, which begin as
 * zeros. The first loop's lag histogram goes over to the sum; its owner frees
 * it. */
void cs_client_load_add(struct cs_client_load *sum, struct cs_loop_load *loop);

/* What belongs to the process, after the last loop. throttled_ns: what
 * cs_cgroup_throttled_ns said when the run began. */
void cs_client_load_finish(struct cs_client_load *sum, int64_t run_ns,
                           int64_t throttled_ns);

#endif
