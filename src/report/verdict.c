/* verdict.c - drawn from measured figures only: how much of its time a loop had
 * nothing to do, who took the rest, and how long requests waited in it. */
#include "report/verdict.h"
#include "base/compiler.h"

/* A loop that works for more than this is near the point where requests begin
 * to wait for each other in it. */
#define NEAR_SHARE 0.8
/* So much of the run in seconds that were full from end to end: a burst shows
 * in the slow percentiles long before it shows in the mean. */
#define FULL_NEAR   0.05
#define FULL_BEHIND 0.5
/* So much of the time without the processor it asked for shows in latencies. */
#define QUEUED_NEAR      0.2
#define QUEUED_BEHIND    0.5
#define THROTTLED_NEAR   0.01
#define THROTTLED_BEHIND 0.05
/* Waits in the client for this share of what an operation takes, and long
 * enough to be told from the work that every request costs. */
#define WAIT_NEAR      0.25
#define WAIT_BEHIND    0.5
#define WAIT_NEAR_NS   (100 * 1000)
#define WAIT_BEHIND_NS (1000 * 1000)

struct evidence {
    const struct cs_client_load *load;
    const struct cs_histogram *service;
    double lost; /* of the busiest loop's time, to others on the host */
};

static double known(double share)
{
    return share > 0 ? share : 0;
}

static enum cs_verdict level(double value, double near, double behind)
{
    if (value >= behind)
        return CS_VERDICT_BEHIND;
    return value >= near ? CS_VERDICT_NEAR : CS_VERDICT_KEPT_UP;
}

/* Of waits that are a part of what operations take, means of both. */
static enum cs_verdict level_of_wait(double wait_ns, double operation_ns)
{
    enum cs_verdict verdict =
        level(wait_ns, WAIT_NEAR * operation_ns, WAIT_BEHIND * operation_ns);

    if (wait_ns < WAIT_NEAR_NS)
        return CS_VERDICT_KEPT_UP;
    return wait_ns < WAIT_BEHIND_NS ? CS_MIN(verdict, CS_VERDICT_NEAR)
                                    : verdict;
}

/* ---- one figure, or a few that speak of the same ---- */

static double wanted(const struct evidence *e)
{
    return e->load->busy + known(e->load->queued) + e->lost;
}

static enum cs_verdict of_quota(const struct evidence *e)
{
    return level(e->load->throttled, THROTTLED_NEAR, THROTTLED_BEHIND);
}

static enum cs_verdict of_host(const struct evidence *e)
{
    return level(e->lost, QUEUED_NEAR, QUEUED_BEHIND);
}

/* Many short waits add up to a large share of a loop's time and still are
 * nothing in a latency: what counts is a wait beside what an operation takes. A
 * loop that wanted all the time, and did not get it, wants more processor and
 * not more loops. */
static enum cs_verdict of_queue(const struct evidence *e)
{
    const struct cs_client_load *load = e->load;
    enum cs_verdict verdict;

    if (load->turn_wait_ns > 0)
        verdict =
            level_of_wait(load->turn_wait_ns, cs_histogram_mean(e->service));
    else
        verdict = level(load->queued, QUEUED_NEAR, QUEUED_BEHIND);
    if (load->queued >= QUEUED_NEAR)
        verdict = CS_MAX(verdict, level(wanted(e), NEAR_SHARE, CS_FULL_SHARE));
    return verdict;
}

static enum cs_verdict of_room(const struct evidence *e)
{
    double operations = (double)cs_histogram_count(e->service);

    if (!e->load->room_waits || operations <= 0)
        return CS_VERDICT_KEPT_UP;
    return level_of_wait((double)e->load->room_wait_ns / operations,
                         cs_histogram_mean(e->service));
}

static enum cs_verdict of_work(const struct evidence *e)
{
    return CS_MAX(level(wanted(e), NEAR_SHARE, CS_FULL_SHARE),
                  level(e->load->full, FULL_NEAR, FULL_BEHIND));
}

/* What the waits in a loop alone say. */
static enum cs_verdict of_lag(const struct evidence *e)
{
    const struct cs_histogram *lag = e->load->lag;
    int64_t operation_ns;
    int64_t median_ns;
    int64_t slow_ns;

    if (!lag || !cs_histogram_count(lag) || !cs_histogram_count(e->service))
        return CS_VERDICT_KEPT_UP;
    operation_ns = cs_histogram_percentile(e->service, 50, CS_RANK_NEW);
    median_ns = cs_histogram_percentile(lag, 50, CS_RANK_NEW);
    slow_ns = cs_histogram_percentile(lag, 99, CS_RANK_NEW);
    if (median_ns >= WAIT_BEHIND_NS && median_ns >= operation_ns)
        return CS_VERDICT_BEHIND;
    if (median_ns >= WAIT_NEAR_NS &&
        (double)median_ns >= WAIT_NEAR * (double)operation_ns)
        return CS_VERDICT_NEAR;
    /* The slow ones beside the slow ones: what stalls is the server. */
    if (slow_ns >= WAIT_BEHIND_NS &&
        (double)slow_ns >= WAIT_BEHIND * (double)cs_histogram_percentile(
                                             e->service, 99, CS_RANK_NEW))
        return CS_VERDICT_NEAR;
    return CS_VERDICT_KEPT_UP;
}

/* ---- together ---- */

/* Those that leave the client no choice come first: of two that weigh the same
 * the first is the cause, but a loop that worked nearly all the time did not
 * lack a processor. */
static enum cs_verdict (*const signs[CS_CAUSE_COUNT])(
    const struct evidence *) = {
    [CS_CAUSE_QUOTA] = of_quota, [CS_CAUSE_HOST] = of_host,
    [CS_CAUSE_QUEUE] = of_queue, [CS_CAUSE_ROOM] = of_room,
    [CS_CAUSE_WORK] = of_work,   [CS_CAUSE_LAG] = of_lag,
};

enum cs_verdict cs_verdict_of(const struct cs_client_load *load,
                              const struct cs_histogram *service,
                              enum cs_cause *out)
{
    double stolen = CS_MIN(known(load->stolen), 0.99);
    struct evidence e = {load, service, load->busy * stolen / (1 - stolen)};
    enum cs_verdict worst = CS_VERDICT_KEPT_UP;

    *out = CS_CAUSE_COUNT;
    for (int cause = 0; cause < CS_CAUSE_COUNT; cause++) {
        enum cs_verdict verdict = signs[cause](&e);
        bool worked = cause == CS_CAUSE_WORK && *out == CS_CAUSE_QUEUE &&
                      load->queued < QUEUED_NEAR;

        if (verdict > worst || (worked && verdict == worst)) {
            worst = verdict;
            *out = (enum cs_cause)cause;
        }
    }
    return worst;
}
