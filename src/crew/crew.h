/* crew.h - workers of the old tools as slots on event loops: each has one
 * request in flight at a time, what they called a thread. Knows when to ask a
 * hand for its next request, not what it asks for. */
#ifndef CS_CREW_CREW_H
#define CS_CREW_CREW_H

#include "driver/driver.h"
#include "metrics/client_load.h"
#include "run/shares.h"

#include <stdatomic.h>

struct cs_crew;
struct cs_crew_loop;

enum cs_hand_step {
    CS_HAND_SEND, /* hand->op is ready */
    CS_HAND_WAIT, /* until hand->wake_ns; INT64_MAX: until cs_hand_resume */
    CS_HAND_END,
};

/* A worker; embedded in the caller's struct, borrowed by the crew until it is
 * freed. The fields are its loop's while the crew works; ended may be read by
 * any thread. */
struct cs_hand {
    struct cs_operation op; /* the caller's but for on_done */
    unsigned loop;          /* which one it is on */
    int64_t start_ns;       /* when op was sent last */
    int64_t wake_ns;        /* of CS_HAND_WAIT */
    _Atomic bool ended;
    /* the crew's */
    struct cs_crew_loop *home;
    bool waiting;
};

/* What the hands of a crew do; called by their loop's thread. */
struct cs_crew_work {
    /* The hand is free: fills hand->op, or says that it waits or has ended.
     * Not called any more once the crew is stopped. */
    enum cs_hand_step (*next)(struct cs_hand *hand, int64_t now_ns);
    /* hand->op has its answer; next follows. */
    void (*done)(struct cs_hand *hand, const struct cs_outcome *outcome);
    /* Once per pass of a loop; may be NULL. ctx: of cs_crew_new. */
    void (*pass)(void *ctx, unsigned loop, int64_t now_ns);
};

/* The hands are spread evenly over the loops, with connections for in_flight
 * requests per hand. The driver and ctx are borrowed. On success the caller
 * owns *out. By the main thread, as are all below but cs_hand_*. */
enum cs_code cs_crew_new(const struct cs_driver_ops *db,
                         struct cs_driver *driver,
                         const struct cs_crew_work *work, void *ctx,
                         struct cs_hand **hands, unsigned count, unsigned loops,
                         unsigned in_flight, struct cs_crew **out,
                         struct cs_err *err) CS_MUST_USE;
/* Also joins. */
void cs_crew_free(struct cs_crew *crew);

enum cs_code cs_crew_start(struct cs_crew *crew,
                           struct cs_err *err) CS_MUST_USE;

/* No hand is asked for a request any more; what is in flight may end within
 * drain_ns. Again: the shorter time counts. */
void cs_crew_stop(struct cs_crew *crew, int64_t drain_ns);
/* From any thread: the same, and cs_crew_fd becomes readable. */
void cs_crew_halt(struct cs_crew *crew, int64_t drain_ns);

/* Whether either was called. From any thread. */
bool cs_crew_stopped(const struct cs_crew *crew);

/* Ends the waits of all loops, so that each makes a pass. */
void cs_crew_wake(struct cs_crew *crew);

/* Loops that still work. */
unsigned cs_crew_alive(const struct cs_crew *crew);
/* Whether its hands are at rest: all they did can be read. */
bool cs_crew_loop_ended(const struct cs_crew *crew, unsigned loop);
unsigned cs_crew_loops(const struct cs_crew *crew);
struct cs_session *cs_crew_session(const struct cs_crew *crew, unsigned loop);

/* Readable when a hand or a loop has ended; cs_crew_heard empties it. */
int cs_crew_fd(const struct cs_crew *crew);
void cs_crew_heard(struct cs_crew *crew);
/* From any thread: makes it readable. */
void cs_crew_tell(struct cs_crew *crew);

/* Waits for the loops; the error of the first whose poll failed. */
enum cs_code cs_crew_join(struct cs_crew *crew, struct cs_err *err);

/* What the loops saw; of hand->op only but for shares. Borrowed from the crew.
 */
struct cs_crew_sum {
    int64_t start_ns; /* monotonic */
    uint64_t started;
    uint64_t good;
    uint64_t failed; /* surely */
    uint64_t in_doubt;
    struct cs_histogram *service; /* ns, of answered ones */
    struct cs_client_load client;
    struct cs_shares shares; /* of all requests by node */
};

/* After the join. */
const struct cs_crew_sum *cs_crew_sum(struct cs_crew *crew);

/* ---- by the loop's thread, inside next, done or a callback of op ---- */

/* A further request beside hand->op, with its own on_done. */
void cs_hand_submit(struct cs_hand *hand, struct cs_operation *op);

/* A hand that waits is asked again in this pass. */
void cs_hand_resume(struct cs_hand *hand);

/* The part of worker `index` of `workers` in a total: even, and the first ones
 * take what is left over. */
static inline int64_t cs_crew_share(int64_t total, unsigned workers,
                                    unsigned index)
{
    return total / workers + ((int64_t)index < total % workers);
}

#endif
