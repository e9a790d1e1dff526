/* replicas.h - the part of the driver's table that says who holds a token. */
#ifndef CS_CLIENT_REPLICAS_H
#define CS_CLIENT_REPLICAS_H

#include "driver/driver.h"

enum cs_code cs_keyspace_follow(struct cs_driver *driver, const char *keyspace,
                                struct cs_err *err) CS_MUST_USE;
void cs_session_node_name(struct cs_session *session, unsigned node,
                          struct cs_node_name *out);
size_t cs_session_replicas(struct cs_session *session, const char *keyspace,
                           int64_t token, struct cs_node_name *out,
                           size_t count);

#endif
