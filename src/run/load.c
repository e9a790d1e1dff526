/* load.c - a thread's processor time and its waits for one, as shares of the
 * time that it lived. */
#include "run/load.h"
#include "base/clock.h"
#include "base/compiler.h"

#include <sched.h>

enum cs_code cs_loop_load_init(struct cs_loop_load *load, bool measured,
                               struct cs_err *err)
{
    *load = (struct cs_loop_load){.queued = -1};
    return measured ? cs_histogram_new(&load->lag, err) : CS_OK;
}

void cs_loop_load_release(struct cs_loop_load *load)
{
    cs_histogram_free(load->lag);
    load->lag = NULL;
}

void cs_loop_load_begin(struct cs_loop_load *load)
{
    load->began_ns = cs_now_ns();
    cs_thread_use_read(&load->began);
}

void cs_loop_load_end(struct cs_loop_load *load)
{
    double life_ns = (double)(cs_now_ns() - load->began_ns);
    struct cs_thread_use now;

    if (life_ns <= 0)
        return;
    cs_thread_use_read(&now);
    load->busy = (double)(now.cpu_ns - load->began.cpu_ns) / life_ns;
    if (now.queued_ns >= 0 && load->began.queued_ns >= 0)
        load->queued =
            (double)(now.queued_ns - load->began.queued_ns) / life_ns;
}

static unsigned processors(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof(set), &set))
        return 1;
    return (unsigned)CPU_COUNT(&set);
}

/* The quota counts the waits of all threads together, so that the share is at
 * most a share of all of them. */
static double throttled_share(int64_t before_ns, int64_t run_ns,
                              unsigned threads)
{
    int64_t now_ns = cs_cgroup_throttled_ns();

    if (before_ns < 0 || now_ns < 0 || run_ns <= 0)
        return -1;
    return (double)(now_ns - before_ns) / (double)run_ns / threads;
}

void cs_client_load_add(struct cs_client_load *sum, struct cs_loop_load *loop)
{
    sum->busy = CS_MAX(sum->busy, loop->busy);
    sum->queued = sum->loops ? CS_MAX(sum->queued, loop->queued) : loop->queued;
    sum->loops++;
    if (sum->lag) {
        cs_histogram_add(sum->lag, loop->lag);
        return;
    }
    sum->lag = loop->lag;
    loop->lag = NULL;
}

void cs_client_load_finish(struct cs_client_load *sum, int64_t run_ns,
                           int64_t throttled_ns)
{
    sum->processors = processors();
    sum->throttled =
        throttled_share(throttled_ns, run_ns, CS_MAX(sum->loops, 1));
}
