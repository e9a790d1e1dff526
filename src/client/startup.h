/* startup.h - what STARTUP asks for. */
#ifndef CS_CLIENT_STARTUP_H
#define CS_CLIENT_STARTUP_H

#include "client/connection.h"

#define CS_STARTUP_OPTIONS_MAX 7

/* Of all that follows the handshake. */
enum cs_framing cs_startup_framing(const struct cs_connection_config *config);

/* Writes up to CS_STARTUP_OPTIONS_MAX options, returns how many there are. */
size_t cs_startup_options(const struct cs_connection *connection,
                          struct cs_startup_option *out);

#endif
