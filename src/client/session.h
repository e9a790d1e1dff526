/* session.h - the session's part of the driver's table. */
#ifndef CS_CLIENT_SESSION_H
#define CS_CLIENT_SESSION_H

#include "driver/driver.h"

enum cs_code cs_session_new(struct cs_driver *driver, int in_flight,
                            struct cs_session **out,
                            struct cs_err *err) CS_MUST_USE;
void cs_session_free(struct cs_session *session);
void cs_session_submit(struct cs_session *session, struct cs_operation *op);
enum cs_code cs_session_poll(struct cs_session *session, int64_t deadline_ns,
                             struct cs_err *err) CS_MUST_USE;
void cs_session_wake(struct cs_session *session);
size_t cs_session_traffic(struct cs_session *session,
                          struct cs_node_traffic *out, size_t count);

#endif
