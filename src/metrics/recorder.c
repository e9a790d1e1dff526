/* recorder.c - recording samples and handing over intervals without locks. */
#include "metrics/recorder.h"
#include "metrics/recorder_internal.h"

#include <stdlib.h>

enum cs_code cs_recorder_new(unsigned kind_count, bool limited,
                             struct cs_recorder **out, struct cs_err *err)
{
    struct cs_recorder *rec = calloc(1, sizeof(*rec));
    enum cs_code rc = CS_OK;

    if (!rec)
        return cs_fail(err, CS_ENOMEM, "no memory for a recorder");
    rec->kind_count = kind_count;
    rec->limited = limited;
    for (unsigned b = 0; !rc && b < 2; b++) {
        struct cs_tally *kinds = calloc(kind_count + 1, sizeof(*kinds));

        if (!kinds)
            rc = cs_fail(err, CS_ENOMEM, "no memory for a recorder");
        rec->buffers[b].kinds = kinds;
        for (unsigned k = 0; !rc && k < kind_count; k++)
            rc = cs_tally_init(&kinds[k], err);
    }
    if (rc) {
        cs_recorder_free(rec);
        return rc;
    }
    cs_recorder_start(rec, INT64_MAX, INT64_MAX);
    *out = rec;
    return CS_OK;
}

void cs_recorder_free(struct cs_recorder *rec)
{
    if (!rec)
        return;
    for (unsigned b = 0; b < 2; b++) {
        struct cs_tally *kinds = rec->buffers[b].kinds;

        for (unsigned k = 0; kinds && k < rec->kind_count; k++)
            cs_tally_release(&kinds[k]);
        free(kinds);
    }
    free(rec);
}

void cs_recorder_start(struct cs_recorder *rec, int64_t first_end_ns,
                       int64_t length_ns)
{
    for (unsigned b = 0; b < 2; b++) {
        for (unsigned k = 0; rec->buffers[b].used && k < rec->kind_count; k++)
            cs_tally_clear(&rec->buffers[b].kinds[k]);
        rec->buffers[b].used = false;
    }
    rec->active = 0;
    rec->first_end_ns = first_end_ns;
    rec->length_ns = length_ns;
    rec->end_ns = first_end_ns;
    rec->check_ns = first_end_ns;
    atomic_store(&rec->offered, 0);
    atomic_store(&rec->finished, false);
    atomic_store(&rec->closed_ns, first_end_ns - length_ns);
}

void cs_recorder_advance(struct cs_recorder *rec, int64_t now_ns)
{
    struct recorder_buffer *buffer = &rec->buffers[rec->active];
    int64_t past = (now_ns - 1 - rec->first_end_ns) / rec->length_ns;

    if (now_ns > rec->end_ns)
        rec->end_ns = rec->first_end_ns + (past + 1) * rec->length_ns;
    rec->check_ns = rec->end_ns;
    if (buffer->used) {
        if (atomic_load_explicit(&rec->offered, memory_order_acquire)) {
            rec->check_ns = INT64_MIN; /* not collected yet: try again */
            return;
        }
        atomic_store_explicit(&rec->offered, rec->active + 1,
                              memory_order_release);
        rec->active ^= 1;
    }
    atomic_store_explicit(&rec->closed_ns, rec->end_ns - rec->length_ns,
                          memory_order_release);
}

void cs_recorder_tick(struct cs_recorder *rec, int64_t now_ns)
{
    if (CS_UNLIKELY(now_ns > rec->check_ns))
        cs_recorder_advance(rec, now_ns);
}

void cs_recorder_finish(struct cs_recorder *rec)
{
    atomic_store_explicit(&rec->finished, true, memory_order_release);
}

static void take(struct cs_recorder *rec, struct recorder_buffer *buffer,
                 int64_t end_ns, struct cs_interval *to)
{
    if (!buffer->used || buffer->end_ns > end_ns)
        return;
    for (unsigned k = 0; k < rec->kind_count; k++) {
        cs_tally_add(&to->kinds[k], &buffer->kinds[k]);
        cs_tally_clear(&buffer->kinds[k]);
    }
    buffer->used = false;
}

bool recorder_collect(struct cs_recorder *rec, int64_t end_ns,
                      struct cs_interval *to)
{
    bool finished = atomic_load_explicit(&rec->finished, memory_order_acquire);
    int64_t closed =
        atomic_load_explicit(&rec->closed_ns, memory_order_acquire);
    unsigned offered;

    if (finished) {
        take(rec, &rec->buffers[0], end_ns, to);
        take(rec, &rec->buffers[1], end_ns, to);
        return true;
    }
    if (closed < end_ns)
        return false;
    offered = atomic_load_explicit(&rec->offered, memory_order_acquire);
    if (offered) {
        take(rec, &rec->buffers[offered - 1], end_ns, to);
        if (!rec->buffers[offered - 1].used)
            atomic_store_explicit(&rec->offered, 0, memory_order_release);
    }
    return true;
}
