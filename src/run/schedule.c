/* schedule.c - start + i / rate in fractions of a nanosecond: the original's
 * whole nanoseconds turn 300,000/s into 300,030/s. */
#include "run/schedule.h"
#include "base/clock.h"
#include "base/compiler.h"

#include <math.h>

/* Parts of a nanosecond in which gaps are added up: rounding is far below what
 * a clock can tell, and 64 bits last for two years. */
#define GAP_PARTS 256

void cs_schedule_init(struct cs_schedule *schedule, double fixed_per_s,
                      double throttle_per_s, int64_t start_ns,
                      int64_t credit_ns)
{
    schedule->cap = throttle_per_s > 0;
    schedule->per_s = schedule->cap ? throttle_per_s : fixed_per_s;
    schedule->start_ns = start_ns;
    schedule->credit_ns = credit_ns;
    atomic_init(&schedule->next, 0);
    atomic_init(&schedule->shift_ns, 0);
    schedule->poisson = false;
    schedule->seed = 0;
    atomic_init(&schedule->sum, 0);
}

void cs_schedule_draw_gaps(struct cs_schedule *schedule, uint64_t seed)
{
    schedule->poisson = schedule->per_s > 0 && !schedule->cap;
    schedule->seed = seed;
}

/* In (0, 1], from the seed and an index: splitmix64, so that any loop can draw
 * any number without a state that all of them would have to share. */
static double draw(uint64_t seed, uint64_t index)
{
    uint64_t x = seed + (index + 1) * UINT64_C(0x9E3779B97F4A7C15);

    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    x ^= x >> 31;
    return (double)((x >> 11) + 1) * 0x1p-53;
}

/* The time of an arrival is the sum of all gaps up to it. Each loop adds the
 * gap of the index it has taken and gets the sum behind it, in one atomic
 * step: whatever the order of the loops, no gap is lost or counted twice, and
 * the due times that a loop gets never go back. */
static int64_t take_arrival(struct cs_schedule *schedule, uint64_t index,
                            int64_t partitions)
{
    double mean_ns = 1e9 * (double)partitions / schedule->per_s;
    double gap_ns = -log(draw(schedule->seed, index)) * mean_ns;
    uint64_t gap = (uint64_t)(gap_ns * GAP_PARTS + 0.5);
    uint64_t before =
        atomic_fetch_add_explicit(&schedule->sum, gap, memory_order_relaxed);

    return schedule->start_ns + (int64_t)((before + gap) / GAP_PARTS);
}

int64_t cs_schedule_take(struct cs_schedule *schedule, uint64_t partitions,
                         int64_t now_ns)
{
    int64_t count = (int64_t)CS_MAX(partitions, 1);
    int64_t index =
        atomic_fetch_add_explicit(&schedule->next, count, memory_order_relaxed);
    int64_t shift, whole, due, late;
    double seconds;

    if (schedule->poisson)
        return take_arrival(schedule, (uint64_t)index, count);
    shift = atomic_load_explicit(&schedule->shift_ns, memory_order_relaxed);
    /* Whole seconds apart: a double holds the rest exactly enough. */
    seconds = (double)index / schedule->per_s;
    whole = (int64_t)seconds;
    due = schedule->start_ns + whole * CS_NS_PER_S +
          (int64_t)((seconds - (double)whole) * 1e9);
    if (!schedule->cap)
        return due;
    due += shift;
    late = now_ns - due - schedule->credit_ns;
    /* Another loop may move the schedule at the same moment: then its shift
     * stands. */
    if (late > 0 && atomic_compare_exchange_strong(&schedule->shift_ns, &shift,
                                                   shift + late))
        due += late;
    return due;
}

uint64_t cs_schedule_backlog(const struct cs_schedule *schedule, int64_t now_ns)
{
    double ns = (double)(now_ns - schedule->start_ns);
    double taken = (double)atomic_load(&schedule->next);
    double due = ns * 1e-9 * schedule->per_s;

    if (schedule->per_s <= 0 || schedule->cap || ns <= 0)
        return 0;
    if (schedule->poisson) { /* those since the last one, at the mean rate */
        double last_ns = (double)(atomic_load(&schedule->sum) / GAP_PARTS);

        due = taken + (ns - last_ns) * 1e-9 * schedule->per_s;
    }
    return due > taken ? (uint64_t)(due - taken) : 0;
}
