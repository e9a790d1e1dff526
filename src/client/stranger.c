/* stranger.c - names those who are met at a wrong port. */
#include "client/stranger.h"

/* So many of its bytes are shown. */
#define SHOWN 24

/* An alert of TLS (RFC 8446, section 5.1) has seven bytes. */
#define TOLD_BY 5

static const struct {
    const char *begins;
    const char *name;
} others[] = {{"HTTP/", "HTTP"}, {"SSH-", "SSH"}};

static bool starts(const uint8_t *bytes, size_t size, const char *with)
{
    return size >= strlen(with) && !memcmp(bytes, with, strlen(with));
}

static bool is_tls(const uint8_t *bytes, size_t size)
{
    return size > 1 && bytes[0] == 0x15 && bytes[1] == 3;
}

/* A server's messages have the top bit set. */
bool cs_stranger_is(const uint8_t *bytes, size_t size)
{
    return is_tls(bytes, size) || (size >= TOLD_BY && bytes[0] < 0x80);
}

const char *cs_stranger_tls_hint(const struct cs_connection_config *config)
{
    return config->tls_hint ? config->tls_hint : "-transport truststore=";
}

enum cs_code cs_stranger_fail(const struct cs_connection_config *config,
                              const uint8_t *bytes, size_t size,
                              struct cs_err *err)
{
    char shown[4 * SHOWN + 1];

    if (is_tls(bytes, size) && !config->tls)
        return cs_fail(err, CS_ETLS,
                       "the server speaks only TLS on this port: give %s",
                       cs_stranger_tls_hint(config));
    for (size_t i = 0; i < CS_COUNT(others); i++)
        if (starts(bytes, size, others[i].begins))
            return cs_fail(err, CS_EPROTOCOL,
                           "the peer does not speak CQL but %s: is this the "
                           "port that native_transport_port names?",
                           others[i].name);
    cs_escape(shown, sizeof(shown), cs_view_of(bytes, CS_MIN(size, SHOWN)));
    return cs_fail(err, CS_EPROTOCOL,
                   "the peer does not speak CQL: its first bytes are '%s'",
                   shown);
}
