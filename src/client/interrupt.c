/* interrupt.c - a watch beside those of the connections. A flag alone would
 * not do: a signal just before the wait would be seen only after it. */
#include "client/interrupt.h"

static void on_readable(struct cs_watch *watch, uint32_t events)
{
    (void)events;
    CS_CONTAINER(watch, struct cs_interrupt, watch)->came = true;
}

enum cs_code cs_interrupt_begin(struct cs_interrupt *interrupt,
                                struct cs_loop *loop, int fd,
                                struct cs_err *err)
{
    enum cs_code rc;

    *interrupt = (struct cs_interrupt){
        .watch = {.fd = fd, .events = EPOLLIN, .on_ready = on_readable},
        .loop = loop};
    if (fd < 0)
        return CS_OK;
    rc = cs_loop_add(loop, &interrupt->watch, err);
    if (rc)
        interrupt->watch.fd = -1;
    return rc;
}

void cs_interrupt_end(struct cs_interrupt *interrupt)
{
    if (interrupt->watch.fd >= 0)
        cs_loop_remove(interrupt->loop, &interrupt->watch);
}

enum cs_code cs_interrupt_check(const struct cs_interrupt *interrupt,
                                struct cs_err *err)
{
    return interrupt->came ? cs_fail(err, CS_EINTERRUPTED, "interrupted")
                           : CS_OK;
}
