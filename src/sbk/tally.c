/* tally.c - adding samples, and handing windows over. */
#include "sbk/tally.h"

enum cs_code cs_sbk_tally_init(struct cs_sbk_tally *tally, int64_t least,
                               int64_t most, struct cs_err *err)
{
    *tally =
        (struct cs_sbk_tally){.least = least, .most = most, .min = INT64_MAX};
    return cs_sbk_latencies_init(&tally->valid, least, most, err);
}

void cs_sbk_tally_release(struct cs_sbk_tally *tally)
{
    cs_sbk_latencies_release(&tally->valid);
}

void cs_sbk_tally_clear(struct cs_sbk_tally *tally)
{
    struct cs_sbk_latencies valid = tally->valid;

    cs_sbk_latencies_clear(&valid);
    *tally = (struct cs_sbk_tally){.valid = valid,
                                   .least = tally->least,
                                   .most = tally->most,
                                   .min = INT64_MAX};
}

void cs_sbk_tally_add(struct cs_sbk_tally *tally, int64_t latency,
                      uint64_t bytes)
{
    tally->records++;
    tally->bytes += bytes;
    if (CS_UNLIKELY(latency < 0)) {
        tally->invalid++;
        return;
    }
    tally->latency_sum += (uint64_t)latency;
    tally->min = CS_MIN(tally->min, latency);
    tally->max = CS_MAX(tally->max, latency);
    if (latency < tally->least)
        tally->lower++;
    else if (latency > tally->most ||
             !cs_sbk_latencies_add(&tally->valid, latency, 1))
        tally->higher++;
    else
        tally->valid_count++;
}

void cs_sbk_tally_merge(struct cs_sbk_tally *tally,
                        const struct cs_sbk_tally *from)
{
    uint64_t lost = cs_sbk_latencies_merge(&tally->valid, &from->valid);

    tally->valid_count += from->valid_count - lost;
    tally->higher += lost;
    tally->records += from->records;
    tally->bytes += from->bytes;
    tally->invalid += from->invalid;
    tally->lower += from->lower;
    tally->higher += from->higher;
    tally->latency_sum += from->latency_sum;
    tally->min = CS_MIN(tally->min, from->min);
    tally->max = CS_MAX(tally->max, from->max);
    tally->write_requests += from->write_requests;
    tally->write_request_bytes += from->write_request_bytes;
    tally->read_requests += from->read_requests;
    tally->read_request_bytes += from->read_request_bytes;
    tally->write_timeouts += from->write_timeouts;
    tally->read_timeouts += from->read_timeouts;
}

/* ---- handing over ---- */

enum cs_code cs_sbk_recorder_init(struct cs_sbk_recorder *recorder,
                                  int64_t least, int64_t most,
                                  struct cs_err *err)
{
    enum cs_code rc = cs_sbk_tally_init(&recorder->sides[0], least, most, err);

    if (!rc)
        rc = cs_sbk_tally_init(&recorder->sides[1], least, most, err);
    return rc;
}

void cs_sbk_recorder_release(struct cs_sbk_recorder *recorder)
{
    cs_sbk_tally_release(&recorder->sides[0]);
    cs_sbk_tally_release(&recorder->sides[1]);
}

void cs_sbk_recorder_bound(struct cs_sbk_recorder *recorder, size_t cells)
{
    cs_sbk_latencies_bound(&recorder->sides[0].valid, cells);
    cs_sbk_latencies_bound(&recorder->sides[1].valid, cells);
}

bool cs_sbk_recorder_pass(struct cs_sbk_recorder *recorder)
{
    unsigned asked =
        atomic_load_explicit(&recorder->asked, memory_order_acquire);
    bool crowded =
        cs_sbk_latencies_crowded(&cs_sbk_recorder_tally(recorder)->valid);

    if (asked != atomic_load_explicit(&recorder->given, memory_order_relaxed)) {
        atomic_store_explicit(&recorder->given, asked, memory_order_release);
        return false;
    }
    return CS_UNLIKELY(crowded) && !atomic_exchange(&recorder->crowded, true);
}

void cs_sbk_recorder_ask(struct cs_sbk_recorder *recorder)
{
    atomic_fetch_add_explicit(&recorder->asked, 1, memory_order_release);
}

bool cs_sbk_recorder_take(struct cs_sbk_recorder *recorder, bool ended,
                          struct cs_sbk_tally *out)
{
    unsigned asked =
        atomic_load_explicit(&recorder->asked, memory_order_relaxed);
    struct cs_sbk_tally *side;

    if (ended)
        cs_sbk_recorder_pass(recorder);
    if (atomic_load_explicit(&recorder->given, memory_order_acquire) != asked)
        return false;
    side = &recorder->sides[(asked - 1) & 1];
    atomic_store(&recorder->crowded, false);
    cs_sbk_tally_merge(out, side);
    cs_sbk_tally_clear(side);
    return true;
}
