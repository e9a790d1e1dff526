/* handshake.h - what a server answers while a connection is made: SUPPORTED,
 * AUTHENTICATE, AUTH_CHALLENGE, AUTH_SUCCESS. (READY has no body.) */
#ifndef CS_PROTOCOL_HANDSHAKE_H
#define CS_PROTOCOL_HANDSHAKE_H

#include "protocol/notation.h"

/* SUPPORTED, borrowed from the body. */
struct cs_supported {
    uint32_t versions; /* bit v: version v, without the beta ones; 0: the
                          server did not say (old ones, ScyllaDB) */
    bool lz4;
    bool snappy;
    struct cs_view cql_version; /* null: not said */
    uint32_t count;             /* entries of the map */
    struct cs_reader map;       /* count x ([string], [string list]), checked */
};

enum cs_code cs_supported_decode(struct cs_reader body,
                                 struct cs_supported *out,
                                 struct cs_err *err) CS_MUST_USE;

/* First value of a key ("SCYLLA_NR_SHARDS"); null when there is none. */
struct cs_view cs_supported_get(const struct cs_supported *supported,
                                const char *key);

/* Whether there is such a key, with or without values. */
bool cs_supported_has(const struct cs_supported *supported, const char *key);

/* AUTHENTICATE: the class of the authenticator. */
enum cs_code cs_authenticate_decode(struct cs_reader body,
                                    struct cs_view *out_class,
                                    struct cs_err *err) CS_MUST_USE;

/* AUTH_CHALLENGE, AUTH_SUCCESS: a token, often null. */
enum cs_code cs_auth_token_decode(struct cs_reader body,
                                  struct cs_view *out_token,
                                  struct cs_err *err) CS_MUST_USE;

#endif
