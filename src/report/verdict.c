/* verdict.c - drawn from measured figures only: how much of its time a loop had
 * nothing to do, who took the rest, and how long requests waited in it. */
#include "report/verdict.h"
#include "base/compiler.h"
#include "base/text.h"

/* A loop that was busy, or wanted to be, for so much of its time had hardly a
 * moment left to wait for servers. */
#define BEHIND_SHARE 0.95
#define NEAR_SHARE   0.8
/* So much of the time without the processor it asked for shows in latencies. */
#define QUEUED_NEAR      0.2
#define QUEUED_BEHIND    0.5
#define THROTTLED_NEAR   0.01
#define THROTTLED_BEHIND 0.05
/* Requests that wait in the client for this share of what an operation takes,
 * and long enough to be told from the work that every request costs. */
#define LAG_NEAR      0.25
#define LAG_NEAR_NS   (100 * 1000)
#define LAG_BEHIND_NS (1000 * 1000)

static double known(double share)
{
    return share > 0 ? share : 0;
}

/* What the waits in the client alone say. */
static enum cs_verdict verdict_of_lag(const struct cs_client_load *load,
                                      const struct cs_histogram *service)
{
    int64_t operation_ns;
    int64_t median_ns;
    int64_t slow_ns;

    if (!load->lag || !cs_histogram_count(load->lag) ||
        !cs_histogram_count(service))
        return CS_VERDICT_KEPT_UP;
    operation_ns = cs_histogram_percentile(service, 50, CS_RANK_NEW);
    median_ns = cs_histogram_percentile(load->lag, 50, CS_RANK_NEW);
    slow_ns = cs_histogram_percentile(load->lag, 99, CS_RANK_NEW);
    if (median_ns >= LAG_BEHIND_NS && median_ns >= operation_ns)
        return CS_VERDICT_BEHIND;
    if (median_ns >= LAG_NEAR_NS &&
        (double)median_ns >= LAG_NEAR * (double)operation_ns)
        return CS_VERDICT_NEAR;
    if (slow_ns >= LAG_BEHIND_NS && slow_ns >= operation_ns)
        return CS_VERDICT_NEAR;
    return CS_VERDICT_KEPT_UP;
}

enum cs_verdict cs_verdict_of(const struct cs_client_load *load,
                              const struct cs_histogram *service)
{
    double wanted = load->busy + known(load->queued);

    if (wanted >= BEHIND_SHARE || load->queued >= QUEUED_BEHIND ||
        load->throttled >= THROTTLED_BEHIND)
        return CS_VERDICT_BEHIND;
    if (wanted >= NEAR_SHARE || load->queued >= QUEUED_NEAR ||
        load->throttled >= THROTTLED_NEAR)
        return CS_MAX(verdict_of_lag(load, service), CS_VERDICT_NEAR);
    return verdict_of_lag(load, service);
}

static void put_share(struct cs_buf *out, double share)
{
    cs_put_fixed(out, 100 * CS_MIN(share, 1.0), 0, false, 0);
    cs_buf_put8(out, '%');
}

static void put_figures(struct cs_buf *out, const struct cs_client_load *load)
{
    cs_buf_puts(out, "the busiest event loop used ");
    put_share(out, load->busy);
    cs_buf_puts(out, " of its time");
    if (load->queued >= 0) {
        cs_buf_puts(out, " and waited ");
        put_share(out, load->queued);
        cs_buf_puts(out, " for a processor");
    }
    if (load->throttled > 0) {
        cs_buf_puts(out, ", a quota held it back for ");
        put_share(out, load->throttled);
    }
    if (load->lag && cs_histogram_count(load->lag)) {
        cs_buf_puts(out, ", requests waited in it for at most ");
        cs_put_fixed(
            out,
            (double)cs_histogram_percentile(load->lag, 50, CS_RANK_NEW) * 1e-6,
            3, false, 0);
        cs_buf_puts(out, " ms (median), ");
        cs_put_fixed(
            out,
            (double)cs_histogram_percentile(load->lag, 99, CS_RANK_NEW) * 1e-6,
            3, false, 0);
        cs_buf_puts(out, " ms (.99)");
    }
}

/* The remedy for what weighs most. */
static void put_advice(struct cs_buf *out, const struct cs_client_load *load)
{
    if (load->throttled >= THROTTLED_NEAR)
        cs_buf_puts(out, "; raise the processor quota of its container");
    else if (load->queued >= QUEUED_NEAR)
        cs_buf_puts(out, "; give it a machine, or processors, of its own");
    else if (load->busy < NEAR_SHARE)
        cs_buf_puts(
            out, "; give it processors of its own, or ask for fewer requests "
                 "in flight");
    else if (load->loops < load->processors && load->loops_option)
        cs_buf_printf(out, "; %s%u would use more processors",
                      load->loops_option,
                      CS_MIN(2 * load->loops, load->processors));
    else if (load->loops < load->processors)
        cs_buf_puts(out, "; several of them at once would use more processors");
    else
        cs_buf_puts(out, "; use a larger machine, or several");
}

void cs_verdict_put(struct cs_buf *out, const struct cs_client_load *load,
                    const struct cs_histogram *service)
{
    static const char *const words[] = {
        [CS_VERDICT_KEPT_UP] = "the client kept up",
        [CS_VERDICT_NEAR] = "the client was near its limit and latencies may "
                            "hold some of its own time",
        [CS_VERDICT_BEHIND] = "the client did not keep up, rates and latencies "
                              "are its own",
    };
    enum cs_verdict verdict = cs_verdict_of(load, service);

    cs_buf_printf(out, "# %s: ", words[verdict]);
    put_figures(out, load);
    if (verdict != CS_VERDICT_KEPT_UP)
        put_advice(out, load);
    cs_buf_put8(out, '\n');
}
