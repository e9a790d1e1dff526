/* stranger.h - a peer that does not speak CQL: told by its first bytes. */
#ifndef CS_CLIENT_STRANGER_H
#define CS_CLIENT_STRANGER_H

#include "client/connection.h"

/* Whether no server of CQL begins its first message so. Few bytes may not be
 * enough to tell. */
bool cs_stranger_is(const uint8_t *bytes, size_t size);

/* What it seems to be, and what to do about it. */
enum cs_code cs_stranger_fail(const struct cs_connection_config *config,
                              const uint8_t *bytes, size_t size,
                              struct cs_err *err);

/* What asks for TLS on this command line. */
const char *cs_stranger_tls_hint(const struct cs_connection_config *config);

#endif
