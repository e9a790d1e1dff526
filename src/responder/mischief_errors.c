/* mischief_errors.c - which errors come in the place of answers, by their
 * shares. */
#include "base/text.h"
#include "responder/peer_internal.h"

#include <stdio.h>
#include <stdlib.h>

/* Every code of the protocol that a statement can end with. */
static const int32_t codes[] = {
    CS_SERVER_ERROR,
    CS_SERVER_PROTOCOL_ERROR,
    CS_SERVER_AUTH_ERROR,
    CS_SERVER_UNAVAILABLE,
    CS_SERVER_OVERLOADED,
    CS_SERVER_IS_BOOTSTRAPPING,
    CS_SERVER_TRUNCATE_ERROR,
    CS_SERVER_WRITE_TIMEOUT,
    CS_SERVER_READ_TIMEOUT,
    CS_SERVER_READ_FAILURE,
    CS_SERVER_WRITE_FAILURE,
    CS_SERVER_FUNCTION_FAILURE,
    CS_SERVER_CDC_WRITE_FAILURE,
    CS_SERVER_CAS_WRITE_UNKNOWN,
    CS_SERVER_SYNTAX_ERROR,
    CS_SERVER_UNAUTHORIZED,
    CS_SERVER_INVALID,
    CS_SERVER_CONFIG_ERROR,
    CS_SERVER_ALREADY_EXISTS,
    CS_SERVER_UNPREPARED,
    CS_SERVER_RATE_LIMIT,
};

/* "0x7777": a code of a later release. */
static bool parse_code(const char *name, int32_t *out)
{
    char *end;
    long code;

    if (name[0] != '0' || (name[1] | 32) != 'x')
        return false;
    code = strtol(name, &end, 16);
    *out = (int32_t)code;
    return !*end && end > name + 2 && code >= 0 && code <= INT32_MAX;
}

static enum cs_code parse_name(const char *name, int32_t *out,
                               struct cs_err *err)
{
    const char *names[CS_COUNT(codes)];
    const char *near;

    if (parse_code(name, out))
        return CS_OK;
    for (size_t i = 0; i < CS_COUNT(codes); i++) {
        names[i] = codes[i] == CS_SERVER_RATE_LIMIT
                       ? "RATE_LIMIT"
                       : cs_server_code_name(codes[i]);
        if (cs_same_word(names[i], name)) {
            *out = codes[i];
            return CS_OK;
        }
    }
    near = cs_nearest(name, names, CS_COUNT(codes));
    return cs_fail(err, CS_EUSAGE, "errors=: unknown error '%s'%s%s%s", name,
                   near ? ", try '" : ", expected such as 'OVERLOADED'",
                   near ? near : "", near ? "'" : "");
}

/* "overloaded:0.01" */
static enum cs_code parse_share(const char *text, size_t size,
                                struct cs_error_share *out, struct cs_err *err)
{
    char item[64];
    char *colon;
    char *end;

    snprintf(item, sizeof(item), "%.*s", (int)CS_MIN(size, sizeof(item)), text);
    colon = strchr(item, ':');
    if (!colon)
        return cs_fail(err, CS_EUSAGE,
                       "errors=: '%s' has no share, expected name:share", item);
    *colon = 0;
    out->share = strtod(colon + 1, &end);
    if (end == colon + 1 || *end || !(out->share >= 0 && out->share <= 1))
        return cs_fail(err, CS_EUSAGE, "errors=: '%s' is no share from 0 to 1",
                       colon + 1);
    return parse_name(item, &out->code, err);
}

/* Decimal shares do not always add up to the 1 that is meant. */
#define SHARE_ERROR 1e-9

enum cs_code cs_mischief_read_errors(const char *text,
                                     struct cs_error_shares *out,
                                     struct cs_err *err)
{
    double sum = 0;
    enum cs_code rc = CS_OK;

    out->count = 0;
    while (*text && !rc) {
        size_t size = strcspn(text, ",");

        if (out->count == CS_ERROR_SHARES_MAX)
            return cs_fail(err, CS_EUSAGE, "errors=: more than %d errors",
                           CS_ERROR_SHARES_MAX);
        rc = parse_share(text, size, &out->list[out->count], err);
        if (!rc)
            sum += out->list[out->count++].share;
        text += size;
        text += *text == ',';
    }
    if (!rc && sum > 1 + SHARE_ERROR)
        return cs_fail(err, CS_EUSAGE,
                       "errors=: the shares add up to %g, expected at most 1",
                       sum);
    return rc;
}
