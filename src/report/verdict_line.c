/* verdict_line.c - the verdict in words: what it is drawn from, and what to
 * change. */
#include "base/compiler.h"
#include "base/text.h"
#include "report/verdict.h"

/* So many operations that found no free thread are worth a word. */
#define LATE_SHARE 0.01

static void put_share(struct cs_buf *out, double share)
{
    cs_put_fixed(out, 100 * CS_MIN(share, 1.0), 0, false, 0);
    cs_buf_put8(out, '%');
}

static void put_ms(struct cs_buf *out, double ns)
{
    cs_put_fixed(out, ns * 1e-6, 3, false, 0);
    cs_buf_puts(out, " ms");
}

static void put_percentile(struct cs_buf *out, const struct cs_histogram *h,
                           double percent)
{
    put_ms(out, (double)cs_histogram_percentile(h, percent, CS_RANK_NEW));
}

/* What the processors gave the loops. */
static void put_loops(struct cs_buf *out, const struct cs_client_load *load)
{
    cs_buf_puts(out, "the busiest event loop used ");
    put_share(out, load->busy);
    cs_buf_puts(out, " of its time");
    if (load->loops > 1) {
        cs_buf_puts(out, " (the idlest ");
        put_share(out, load->idlest);
        cs_buf_put8(out, ')');
    }
    if (load->queued >= 0) {
        cs_buf_puts(out, " and waited ");
        put_share(out, load->queued);
        cs_buf_puts(out, " for a processor");
    }
    if (load->queued >= 0 && load->turn_wait_ns > 0) {
        cs_buf_puts(out, ", ");
        put_ms(out, load->turn_wait_ns);
        cs_buf_puts(out, " each time");
    }
}

static void put_figures(struct cs_buf *out, const struct cs_client_load *load,
                        enum cs_cause cause)
{
    put_loops(out, load);
    if (cause == CS_CAUSE_WORK && load->full > 0) {
        cs_buf_puts(out, ", it had no moment left for ");
        put_share(out, load->full);
        cs_buf_puts(out, " of the run");
    }
    if (load->throttled > 0) {
        cs_buf_puts(out, ", a quota held it back for ");
        put_share(out, load->throttled);
    }
    if (cause == CS_CAUSE_HOST) {
        cs_buf_puts(out, ", the host of this machine gave others ");
        put_share(out, load->stolen);
        cs_buf_puts(out, " of what it asked for");
    }
    if (load->lag && cs_histogram_count(load->lag)) {
        cs_buf_puts(out, ", requests waited in it for at most ");
        put_percentile(out, load->lag, 50);
        cs_buf_puts(out, " (median), ");
        put_percentile(out, load->lag, 99);
        cs_buf_puts(out, " (.99)");
    }
    if (cause == CS_CAUSE_ROOM) {
        cs_buf_puts(out, ", ");
        cs_put_int(out, (int64_t)load->room_waits, true, 0);
        cs_buf_puts(out, " waited ");
        put_ms(out, (double)load->room_wait_ns / (double)load->room_waits);
        cs_buf_puts(out, " each for room on a connection");
    }
}

static void advise_more_work(struct cs_buf *out,
                             const struct cs_client_load *load)
{
    if (load->loops >= load->processors)
        cs_buf_puts(out, "; use a larger machine, or several");
    else if (load->loops_option)
        cs_buf_printf(out, "; %s%u would use more processors",
                      load->loops_option,
                      CS_MIN(2 * load->loops, load->processors));
    else
        cs_buf_puts(out, "; several of them at once would use more processors");
}

static void advise_more_turns(struct cs_buf *out,
                              const struct cs_client_load *load)
{
    if (load->loops > load->processors && load->loops_option)
        cs_buf_printf(out,
                      "; its event loops wait for each other, %s%u is one "
                      "for each of its processors",
                      load->loops_option, load->processors);
    else
        cs_buf_puts(out, "; give it a machine, or processors, of its own");
}

static void advise_more_room(struct cs_buf *out,
                             const struct cs_client_load *load)
{
    if (load->room_options)
        cs_buf_printf(out, "; raise %s, or ask for fewer requests in flight",
                      load->room_options);
    else
        cs_buf_puts(out, "; ask for fewer requests in flight");
}

/* The remedy for what weighs most. */
static void put_advice(struct cs_buf *out, const struct cs_client_load *load,
                       enum cs_cause cause)
{
    switch (cause) {
    case CS_CAUSE_QUOTA:
        cs_buf_puts(out, "; raise the processor quota of its container");
        break;
    case CS_CAUSE_HOST:
        cs_buf_puts(out, "; use a machine whose processors are its own");
        break;
    case CS_CAUSE_QUEUE:
        advise_more_turns(out, load);
        break;
    case CS_CAUSE_ROOM:
        advise_more_room(out, load);
        break;
    case CS_CAUSE_WORK:
        advise_more_work(out, load);
        break;
    case CS_CAUSE_LAG:
        cs_buf_puts(out, "; give it processors of its own, or ask for fewer "
                         "requests in flight");
        break;
    case CS_CAUSE_COUNT:
        break;
    }
}

/* The servers' time it is, but a schedule that waits for them is not the one
 * that was asked for. */
static void put_late(struct cs_buf *out, const struct cs_client_load *load,
                     const struct cs_histogram *service)
{
    double all = (double)cs_histogram_count(service);

    if (!load->late || (double)load->late < LATE_SHARE * all)
        return;
    cs_buf_puts(out, "; all threads waited for answers when ");
    cs_put_int(out, (int64_t)load->late, true, 0);
    cs_buf_puts(out, " operations were due");
    if (load->threads_option)
        cs_buf_printf(out, ", a larger %s would begin more of them in time",
                      load->threads_option);
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
    enum cs_cause cause;
    enum cs_verdict verdict = cs_verdict_of(load, service, &cause);

    cs_buf_printf(out, "# %s: ", words[verdict]);
    put_figures(out, load, cause);
    if (verdict == CS_VERDICT_KEPT_UP)
        put_late(out, load, service);
    else
        put_advice(out, load, cause);
    cs_buf_put8(out, '\n');
}
