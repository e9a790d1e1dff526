/* schedule.c - start + i / rate in fractions of a nanosecond: the original's
 * whole nanoseconds turn 300,000/s into 300,030/s. */
#include "run/schedule.h"
#include "base/clock.h"
#include "base/compiler.h"

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
}

int64_t cs_schedule_take(struct cs_schedule *schedule, uint64_t partitions,
                         int64_t now_ns)
{
    int64_t count = (int64_t)CS_MAX(partitions, 1);
    int64_t index =
        atomic_fetch_add_explicit(&schedule->next, count, memory_order_relaxed);
    int64_t shift =
        atomic_load_explicit(&schedule->shift_ns, memory_order_relaxed);
    /* Whole seconds apart: a double holds the rest exactly enough. */
    double seconds = (double)index / schedule->per_s;
    int64_t whole = (int64_t)seconds;
    int64_t due = schedule->start_ns + whole * CS_NS_PER_S +
                  (int64_t)((seconds - (double)whole) * 1e9);
    int64_t late;

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
