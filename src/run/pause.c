/* pause.c - whether and when a failed attempt is repeated: the tries and the
 * delay policies of -errors, and the slots that wait by them. */
#include "run/pause.h"
#include "base/clock.h"
#include "run/worker_internal.h"

/* Doubling any delay of a millisecond so often is more than max-delay-ms=
 * can be. */
#define DOUBLINGS_MAX 31
#define JITTER_STEPS  1024

/* What the least delay is multiplied by. */
static int64_t factor_of(enum cs_delay delay, unsigned attempts)
{
    switch (delay) {
    case CS_DELAY_LINEAR:
        return attempts;
    case CS_DELAY_EXPONENTIAL:
        return INT64_C(1) << CS_MIN(attempts - 1, (unsigned)DOUBLINGS_MAX);
    default:
        return 1;
    }
}

/* xorshift64: only there to keep many retries from coming at one moment. */
static int64_t next_jitter(uint64_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return (int64_t)(*random % JITTER_STEPS);
}

int64_t cs_retry_pause_ns(const struct cs_settings_errors *errors,
                          unsigned attempts, uint64_t *random)
{
    int64_t least_ns = errors->min_delay_ms * CS_NS_PER_MS;
    int64_t most_ns = errors->max_delay_ms * CS_NS_PER_MS;
    int64_t factor = factor_of(errors->delay, attempts);
    int64_t ns;

    if (!least_ns)
        return 0;
    ns = factor > most_ns / least_ns ? most_ns : least_ns * factor;
    ns = ns * 3 / 4 + ns / 2 * next_jitter(random) / JITTER_STEPS;
    return CS_MAX(least_ns, CS_MIN(ns, most_ns));
}

static void repeat_now(struct slot *slot)
{
    cs_slot_submit(slot);
}

void cs_worker_repeat_due(struct cs_worker *worker, int64_t now_ns,
                          bool stopping)
{
    struct slot **at = &worker->pausing;

    while (*at) {
        struct slot *slot = *at;

        if (!stopping && slot->repeat_ns > now_ns) {
            at = &slot->next_waiting;
            continue;
        }
        *at = slot->next_waiting;
        repeat_now(slot);
    }
}

static void repeat(struct slot *slot, int64_t now_ns)
{
    struct cs_worker *worker = slot->worker;
    int64_t pause_ns = cs_retry_pause_ns(&worker->shared->settings->errors,
                                         slot->attempts, &worker->random);

    if (!pause_ns) {
        repeat_now(slot);
        return;
    }
    slot->repeat_ns = now_ns + pause_ns;
    slot->next_waiting = worker->pausing;
    worker->pausing = slot;
}

/* Whether no attempt is worth it any more: after a signal, and a moment after
 * the end of the run, which must not wait for as many time-outs as there are
 * tries. */
static bool is_over(const struct cs_worker *worker, int64_t now_ns)
{
    return cs_worker_stop(worker) == CS_STOP_SIGNAL ||
           (worker->stopped_ns && now_ns - worker->stopped_ns > DRAIN_NS);
}

/* An attempt failed: true when the same request is sent again. */
bool cs_slot_try_again(struct slot *slot, const struct cs_outcome *outcome)
{
    struct cs_worker *worker = slot->worker;
    const struct cs_settings *settings = worker->shared->settings;

    slot->in_doubt =
        cs_outcome_in_doubt(outcome) || (slot->attempts && slot->in_doubt);
    slot->attempts++;
    cs_slot_tell_attempt(slot, outcome);
    if (slot->attempts >= (unsigned)settings->errors.tries ||
        is_over(worker, outcome->end_ns))
        return false;
    worker->summary.extra.retries++;
    if (slot->job.kind->type == CS_KIND_COUNTER_WRITE && outcome->sent &&
        outcome->result != CS_RESULT_UNAVAILABLE)
        worker->summary.extra.counter_retries++;
    slot->job.op.attempt = slot->attempts;
    repeat(slot, outcome->end_ns);
    return true;
}

bool cs_slot_look_again(struct slot *slot, const struct cs_outcome *outcome)
{
    return slot->job.kind->type == CS_KIND_OLD &&
           cs_slot_try_again(slot, outcome);
}
