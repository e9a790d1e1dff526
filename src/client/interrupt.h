/* interrupt.h - ends a wait of the main thread when a descriptor that the
 * caller of the driver gave becomes readable: a signal has come. */
#ifndef CS_CLIENT_INTERRUPT_H
#define CS_CLIENT_INTERRUPT_H

#include "net/loop.h"

#include <stdbool.h>

/* One wait; lives as long as it. */
struct cs_interrupt {
    struct cs_watch watch; /* fd -1: nothing ends the wait early */
    struct cs_loop *loop;
    bool came;
};

/* From here on a pass of the loop ends when fd (borrowed, may be -1) is
 * readable. Each begin has its end, also when begin failed. */
enum cs_code cs_interrupt_begin(struct cs_interrupt *interrupt,
                                struct cs_loop *loop, int fd,
                                struct cs_err *err) CS_MUST_USE;
void cs_interrupt_end(struct cs_interrupt *interrupt);

/* CS_EINTERRUPTED when it came; err->sys_errno is the caller's to fill. */
enum cs_code cs_interrupt_check(const struct cs_interrupt *interrupt,
                                struct cs_err *err) CS_MUST_USE;

#endif
