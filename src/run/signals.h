/* signals.h - SIGINT and SIGTERM end a run cleanly: the first is taken here,
 * a second one kills the process as usual. */
#ifndef CS_RUN_SIGNALS_H
#define CS_RUN_SIGNALS_H

#include "base/err.h"

#include <signal.h>
#include <stdint.h>

struct cs_signals {
    int fd;                      /* readable from the first signal on; -1: not
                                    open, signals have their usual effect */
    int taken;                   /* the signal that came, 0: none yet */
    struct sigaction before_int; /* to go back to */
    struct sigaction before_term;
};

/* One at a time is open in a process. */
enum cs_code cs_signals_open(struct cs_signals *signals,
                             struct cs_err *err) CS_MUST_USE;
void cs_signals_close(struct cs_signals *signals);

/* Takes a signal that has come; returns signals->taken. */
int cs_signals_take(struct cs_signals *signals);

/* Sleeps unless a signal comes; returns signals->taken. Also before open. */
int cs_signals_sleep(struct cs_signals *signals, int64_t duration_ns);

#endif
