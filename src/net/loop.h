/* loop.h - one thread's event loop: an epoll set with an absolute timer and a
 * wake-up call in it. Level triggered; knows nothing of what the bytes mean. */
#ifndef CS_NET_LOOP_H
#define CS_NET_LOOP_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>

struct cs_loop; /* opaque; used by one thread, cs_loop_wake by any */
struct cs_watch;

typedef void (*cs_watch_fn)(struct cs_watch *watch, uint32_t events);

/* A descriptor in a loop; embedded in what owns it, borrowed by the loop from
 * add to remove. */
struct cs_watch {
    int fd;
    uint32_t events; /* EPOLLIN, EPOLLOUT: what is asked for */
    cs_watch_fn on_ready;
};

enum cs_code cs_loop_new(struct cs_loop **out, struct cs_err *err) CS_MUST_USE;
void cs_loop_free(struct cs_loop *loop);

enum cs_code cs_loop_add(struct cs_loop *loop, struct cs_watch *watch,
                         struct cs_err *err) CS_MUST_USE;
enum cs_code cs_loop_change(struct cs_loop *loop, struct cs_watch *watch,
                            uint32_t events, struct cs_err *err) CS_MUST_USE;
/* Also takes back events of it that wait in the current pass, so the watch may
 * be freed inside any callback. */
void cs_loop_remove(struct cs_loop *loop, struct cs_watch *watch);

/* One pass: waits until something is ready, the loop is woken or deadline_ns
 * (monotonic; INT64_MAX: for ever) has come, then calls what is ready. A
 * deadline in the past only looks. */
enum cs_code cs_loop_wait(struct cs_loop *loop, int64_t deadline_ns,
                          struct cs_err *err) CS_MUST_USE;

/* Sets the timer without waiting, so that cs_loop_fd becomes readable then;
 * INT64_MAX: never. */
void cs_loop_arm(struct cs_loop *loop, int64_t deadline_ns);

/* Ends the wait of a pass; from any thread. */
void cs_loop_wake(struct cs_loop *loop);

/* Becomes readable when a pass would find something; for an outer loop. */
int cs_loop_fd(const struct cs_loop *loop);

/* Memory shared by all that read in this loop: filled and used up within one
 * callback. */
#define CS_LOOP_INPUT_SIZE ((size_t)160 << 10)
uint8_t *cs_loop_input(struct cs_loop *loop);

#endif
