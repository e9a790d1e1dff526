/* share.c - what of a run falls to each worker, and when it begins. */
#include "base/clock.h"
#include "crew/crew.h"
#include "sbk/run.h"

unsigned cs_sbk_workers(const struct cs_sbk_options *o)
{
    return (unsigned)(o->writers > 0 ? o->writers : o->readers);
}

int64_t cs_sbk_worker_rate(const struct cs_sbk_options *o)
{
    int64_t workers = cs_sbk_workers(o);

    if (o->throughput > 0)
        return (int64_t)(o->throughput * CS_SBK_MB / (double)o->size /
                         (double)workers);
    return o->throughput < 0 && o->seconds > 0 ? o->records / workers : 0;
}

int64_t cs_sbk_ramp_ns(const struct cs_sbk_options *o, unsigned index)
{
    int64_t step = o->writers > 0 ? o->wstep : o->rstep;
    int64_t pause_s = o->writers > 0 ? o->wsec : o->rsec;

    return index / step * pause_s * CS_NS_PER_S;
}

int64_t cs_sbk_worker_amount(const struct cs_sbk_options *o, unsigned index)
{
    if (o->forever)
        return INT64_MAX / 1000000; /* as SBK says it */
    if (o->seconds <= 0)
        return cs_crew_share(o->records, cs_sbk_workers(o), index);
    return o->seconds - cs_sbk_ramp_ns(o, index) / CS_NS_PER_S;
}

void cs_sbk_run_begin(const struct cs_sbk_plan *plan,
                      const struct cs_sbk_watch *watch)
{
    const struct cs_sbk_options *o = plan->options;

    for (unsigned i = 0; i < cs_sbk_workers(o); i++)
        if (!cs_sbk_ramp_ns(o, i))
            watch->began(watch->ctx, o->readers > 0, i,
                         cs_sbk_worker_amount(o, i));
}
