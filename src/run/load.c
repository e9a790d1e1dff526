/* load.c - a thread's processor time and its waits for one, as shares of the
 * time that it lived. */
#include "run/load.h"

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
    load->began_ns = load->second_ns = cs_now_ns();
    cs_thread_use_read(&load->began);
    load->second = load->began;
}

/* Time on a processor, and time without one that was wanted. */
static int64_t wanted_ns(const struct cs_thread_use *from,
                         const struct cs_thread_use *to)
{
    int64_t ns = to->cpu_ns - from->cpu_ns;

    if (from->queued_ns >= 0 && to->queued_ns >= 0)
        ns += to->queued_ns - from->queued_ns;
    return ns;
}

void cs_loop_load_second(struct cs_loop_load *load, int64_t now_ns)
{
    int64_t took_ns = now_ns - load->second_ns;
    struct cs_thread_use now;

    cs_thread_use_read(&now);
    if ((double)wanted_ns(&load->second, &now) >=
        CS_FULL_SHARE * (double)took_ns)
        load->full_ns += took_ns;
    load->second = now;
    load->second_ns = now_ns;
}

void cs_loop_load_end(struct cs_loop_load *load)
{
    double life_ns = (double)(cs_now_ns() - load->began_ns);
    struct cs_thread_use now;
    int64_t queued_ns;
    int64_t turns;

    if (life_ns <= 0)
        return;
    cs_thread_use_read(&now);
    load->busy = (double)(now.cpu_ns - load->began.cpu_ns) / life_ns;
    load->full = (double)load->full_ns / life_ns;
    if (now.queued_ns < 0 || load->began.queued_ns < 0)
        return;
    queued_ns = now.queued_ns - load->began.queued_ns;
    turns = now.turns - load->began.turns;
    load->queued = (double)queued_ns / life_ns;
    load->turn_wait_ns = turns > 0 ? (double)queued_ns / (double)turns : 0;
}

void cs_load_start_read(struct cs_load_start *out)
{
    out->throttled_ns = cs_cgroup_throttled_ns();
    cs_machine_use_read(&out->machine);
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
    sum->idlest = sum->loops ? CS_MIN(sum->idlest, loop->busy) : loop->busy;
    sum->full = CS_MAX(sum->full, loop->full);
    sum->queued = sum->loops ? CS_MAX(sum->queued, loop->queued) : loop->queued;
    sum->turn_wait_ns = CS_MAX(sum->turn_wait_ns, loop->turn_wait_ns);
    sum->late += loop->late;
    sum->loops++;
    if (sum->lag) {
        cs_histogram_add(sum->lag, loop->lag);
        return;
    }
    sum->lag = loop->lag;
    loop->lag = NULL;
}

void cs_client_load_name_options(struct cs_client_load *sum)
{
    sum->loops_option = "-loops count=";
    sum->room_options = "maxPending= or connectionsPerHost=";
    sum->threads_option = "-rate threads=";
}

void cs_client_load_finish(struct cs_client_load *sum, int64_t run_ns,
                           const struct cs_load_start *start)
{
    struct cs_machine_use machine;

    cs_machine_use_read(&machine);
    sum->processors = processors();
    sum->stolen = cs_machine_stolen(&start->machine, &machine);
    sum->throttled =
        throttled_share(start->throttled_ns, run_ns, CS_MAX(sum->loops, 1));
}
