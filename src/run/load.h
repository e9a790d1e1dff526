/* load.h - what a loop used of the machine, and how long requests waited in
 * it: the figures behind the verdict on the client. */
#ifndef CS_RUN_LOAD_H
#define CS_RUN_LOAD_H

#include "base/clock.h"
#include "base/compiler.h"
#include "metrics/client_load.h"
#include "observe/cpu.h"

/* Of one loop. begin, pass and end are called by its thread. */
struct cs_loop_load {
    int64_t began_ns;
    struct cs_thread_use began;
    int64_t pass_ns;          /* the pass's first send; 0: none so far */
    struct cs_histogram *lag; /* owned; NULL: a warm-up */
    uint64_t late; /* operations that found no free thread when they were due */
    int64_t second_ns; /* start of the second under way */
    struct cs_thread_use second;
    int64_t full_ns; /* seconds in which it had no moment left */
    double busy;     /* after the end: shares of its life, 0..1 */
    double full;
    double queued;       /* negative: not known */
    double turn_wait_ns; /* mean wait for a processor, 0: not known */
};

/* What all of the process had been through when its run began. */
struct cs_load_start {
    int64_t throttled_ns;
    struct cs_machine_use machine;
};

void cs_load_start_read(struct cs_load_start *out);

enum cs_code cs_loop_load_init(struct cs_loop_load *load, bool measured,
                               struct cs_err *err) CS_MUST_USE;
void cs_loop_load_release(struct cs_loop_load *load);

void cs_loop_load_begin(struct cs_loop_load *load);
void cs_loop_load_end(struct cs_loop_load *load);

/* An operation was due so long before its slot was free for it. */
static inline void cs_loop_load_late(struct cs_loop_load *load, int64_t late_ns)
{
    load->late += late_ns > CS_IN_TIME_NS;
}

/* The second under way has ended. */
void cs_loop_load_second(struct cs_loop_load *load, int64_t now_ns);

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
    if (CS_UNLIKELY(now_ns - load->second_ns >= CS_NS_PER_S))
        cs_loop_load_second(load, now_ns);
}

/* Adds the figures of a loop that has ended to those of its run, which begin as
 * zeros. The first loop's lag histogram goes over to the sum; its owner frees
 * it. */
void cs_client_load_add(struct cs_client_load *sum, struct cs_loop_load *loop);

/* Requests of a session that found no room on a connection. */
static inline void cs_client_load_rooms(struct cs_client_load *sum,
                                        uint64_t waits, int64_t wait_ns)
{
    sum->room_waits += waits;
    sum->room_wait_ns += wait_ns;
}

/* What a user can change, as cassandra-stress has it. */
void cs_client_load_name_options(struct cs_client_load *sum);

/* What belongs to the process, after the last loop. */
void cs_client_load_finish(struct cs_client_load *sum, int64_t run_ns,
                           const struct cs_load_start *start);

#endif
