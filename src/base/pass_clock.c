/* pass_clock.c - where a stretch begins, and how long a tick is. */
#include "base/pass_clock.h"

#include <stdio.h>
#include <string.h>

/* The first measure of a tick; each further one is taken when twice the time
 * has gone by, so that it is ever more exact and costs nothing. */
#define FIRST_MEASURE_NS (10 * CS_NS_PER_MS)
/* Ticks between the two sides of a reading of the clock: more, and the thread
 * was away in between. */
#define READING_MOST  4000
#define READING_TRIES 3
/* So far behind the start a stretch begins anew. */
#define FAR_TICKS (UINT64_C(1) << 32)
/* A tick of a nanosecond or more: a product would not fit. */
#define SCALE_END 4294967296.0

/* "tsc": it runs at one rate, on all processors alike, also while they sleep.
 */
static bool kernel_goes_by_it(void)
{
    char name[32] = "";
    FILE *f = fopen("/sys/devices/system/clocksource/clocksource0/"
                    "current_clocksource",
                    "re");

    if (!f)
        return false;
    if (!fgets(name, sizeof(name), f))
        name[0] = 0;
    fclose(f);
    return !strcmp(name, "tsc\n");
}

void cs_pass_clock_init(struct cs_pass_clock *clock)
{
    *clock = (struct cs_pass_clock){.trusted = kernel_goes_by_it(),
                                    .measure_ns = FIRST_MEASURE_NS};
}

static void measure(struct cs_pass_clock *clock, int64_t now_ns, uint64_t ticks)
{
    int64_t behind_ns = now_ns - clock->first_ns;
    double scale;

    if (!clock->first_ticks) {
        clock->first_ns = now_ns;
        clock->first_ticks = ticks;
        return;
    }
    if (behind_ns < clock->measure_ns)
        return;
    clock->measure_ns = 2 * behind_ns;
    scale =
        SCALE_END * (double)behind_ns / (double)(ticks - clock->first_ticks);
    clock->trusted = scale >= 1 && scale < SCALE_END;
    clock->scale = clock->trusted ? (uint64_t)scale : 0;
}

int64_t cs_pass_clock_start(struct cs_pass_clock *clock)
{
    int64_t now_ns;
    uint64_t before;
    int tries = READING_TRIES;

    do {
        before = cs_ticks();
        now_ns = cs_now_ns();
        clock->start_ticks = cs_ticks();
    } while (clock->start_ticks - before > READING_MOST && --tries);
    if (!tries) /* the pair may be wrong: the next moment asks again */
        clock->start_ticks -= FAR_TICKS;
    else if (clock->trusted)
        measure(clock, now_ns, clock->start_ticks);
    clock->start_ns = CS_MAX(now_ns, clock->told_ns);
    clock->told_ns = clock->start_ns;
    return clock->start_ns;
}
