/* handshake.c - bodies of the answers while a connection is made. */
#include "protocol/handshake.h"

/* "5/v5" is version 5; "6/v6-beta" does not count. 0: no version. */
static uint32_t version_bit(struct cs_view text)
{
    static const char beta[] = "beta";
    const size_t beta_size = sizeof(beta) - 1;
    unsigned version = 0;

    if (text.size >= beta_size &&
        !memcmp(text.data + text.size - beta_size, beta, beta_size))
        return 0;
    for (size_t i = 0; i < text.size && version < 32; i++) {
        if (text.data[i] < '0' || text.data[i] > '9')
            break;
        version = version * 10 + (text.data[i] - '0');
    }
    return version && version < 32 ? UINT32_C(1) << version : 0;
}

static void note_value(struct cs_supported *out, struct cs_view key,
                       struct cs_view value)
{
    if (cs_view_is(key, "PROTOCOL_VERSIONS")) {
        out->versions |= version_bit(value);
    } else if (cs_view_is(key, "COMPRESSION")) {
        out->lz4 |= cs_view_is(value, "lz4");
        out->snappy |= cs_view_is(value, "snappy");
    } else if (cs_view_is(key, "CQL_VERSION") && !out->cql_version.data) {
        out->cql_version = value;
    }
}

enum cs_code cs_supported_decode(struct cs_reader body,
                                 struct cs_supported *out, struct cs_err *err)
{
    struct cs_supported found = {0};
    struct cs_reader *r = &body;
    enum cs_code rc;

    found.count = cs_read_count(r, cs_read16(r), 2 + 2);
    found.map = *r;
    for (uint32_t i = 0; i < found.count; i++) {
        struct cs_view key = cs_read_string(r);
        uint32_t values = cs_read_count(r, cs_read16(r), 2);

        for (uint32_t v = 0; v < values; v++)
            note_value(&found, key, cs_read_string(r));
    }
    rc = cs_reader_check(r, "SUPPORTED", err);
    if (!rc)
        *out = found;
    return rc;
}

struct cs_view cs_supported_get(const struct cs_supported *supported,
                                const char *key)
{
    struct cs_reader r = supported->map;

    for (uint32_t i = 0; i < supported->count; i++) {
        bool found = cs_view_is(cs_read_string(&r), key);
        struct cs_reader values = r;

        if (cs_skip_string_list(&r) && found) {
            cs_read16(&values); /* the count */
            return cs_read_string(&values);
        }
    }
    return cs_view_of(NULL, 0);
}

bool cs_supported_has(const struct cs_supported *supported, const char *key)
{
    struct cs_reader r = supported->map;

    for (uint32_t i = 0; i < supported->count; i++) {
        if (cs_view_is(cs_read_string(&r), key))
            return true;
        cs_skip_string_list(&r);
    }
    return false;
}

enum cs_code cs_authenticate_decode(struct cs_reader body,
                                    struct cs_view *out_class,
                                    struct cs_err *err)
{
    struct cs_view name = cs_read_string(&body);
    enum cs_code rc = cs_reader_check(&body, "AUTHENTICATE", err);

    if (!rc)
        *out_class = name;
    return rc;
}

enum cs_code cs_auth_token_decode(struct cs_reader body,
                                  struct cs_view *out_token, struct cs_err *err)
{
    struct cs_view token = cs_read_blob(&body);
    enum cs_code rc = cs_reader_check(&body, "authentication token", err);

    if (!rc)
        *out_token = token;
    return rc;
}
