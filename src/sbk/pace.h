/* pace.h - how SBK keeps to a rate: no schedule, a worker that is ahead of its
 * average waits, one that is late goes on at once. */
#ifndef CS_SBK_PACE_H
#define CS_SBK_PACE_H

#include "base/clock.h"

/* Shorter waits are not worth it. */
#define CS_SBK_PACE_STEP_NS (2 * CS_NS_PER_MS)

/* When a worker that began at begin_ns and has done count records may do the
 * next one; now_ns: at once. per_s 0: no pace. */
static inline int64_t cs_sbk_pace(int64_t per_s, int64_t count,
                                  int64_t begin_ns, int64_t now_ns)
{
    int64_t due_ns;

    if (per_s <= 0)
        return now_ns;
    due_ns = begin_ns + count / per_s * CS_NS_PER_S +
             count % per_s * CS_NS_PER_S / per_s;
    return due_ns - now_ns >= CS_SBK_PACE_STEP_NS ? due_ns : now_ns;
}

#endif
