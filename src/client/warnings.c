/* warnings.c - folding by shape: a run of digits equals any other. */
#include "client/warnings.h"

#include <ctype.h>

static const uint8_t *skip_digits(const uint8_t *p, const uint8_t *end)
{
    while (p < end && isdigit(*p))
        p++;
    return p;
}

/* A server may warn with every answer: this neither allocates nor formats. */
static bool same_shape(struct cs_view a, struct cs_view b)
{
    const uint8_t *p = a.data;
    const uint8_t *q = b.data;
    const uint8_t *p_end = p + a.size;
    const uint8_t *q_end = q + b.size;

    while (p < p_end && q < q_end) {
        if (isdigit(*p) && isdigit(*q)) {
            p = skip_digits(p, p_end);
            q = skip_digits(q, q_end);
        } else if (*p++ != *q++) {
            return false;
        }
    }
    return p == p_end && q == q_end;
}

static void keep(struct cs_warnings *warnings, unsigned at, struct cs_view text)
{
    cs_escape(warnings->items[at].text, CS_WARNING_TEXT, text);
    memcpy(warnings->items[at].raw, text.data, text.size);
    warnings->items[at].raw_size = text.size;
    atomic_store_explicit(&warnings->items[at].count, 1, memory_order_relaxed);
    atomic_store_explicit(&warnings->kept, at + 1, memory_order_release);
}

void cs_warnings_add(struct cs_warnings *warnings, struct cs_view text)
{
    unsigned kept = atomic_load_explicit(&warnings->kept, memory_order_relaxed);

    text.size = CS_MIN(text.size, CS_WARNING_TEXT);
    if (!text.size)
        return;
    for (unsigned i = 0; i < kept; i++) {
        struct cs_view known =
            cs_view_of(warnings->items[i].raw, warnings->items[i].raw_size);

        if (same_shape(known, text)) {
            atomic_fetch_add_explicit(&warnings->items[i].count, 1,
                                      memory_order_relaxed);
            return;
        }
    }
    if (kept < CS_WARNINGS_KEPT)
        keep(warnings, kept, text);
    else
        atomic_fetch_add_explicit(&warnings->others, 1, memory_order_relaxed);
}
