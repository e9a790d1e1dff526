/* error.c - bodies of ERROR. */
#include "protocol/error.h"

static const struct {
    int32_t code;
    const char *name;
} codes[] = {
    {CS_SERVER_ERROR, "SERVER_ERROR"},
    {CS_SERVER_PROTOCOL_ERROR, "PROTOCOL_ERROR"},
    {CS_SERVER_AUTH_ERROR, "AUTH_ERROR"},
    {CS_SERVER_UNAVAILABLE, "UNAVAILABLE"},
    {CS_SERVER_OVERLOADED, "OVERLOADED"},
    {CS_SERVER_IS_BOOTSTRAPPING, "IS_BOOTSTRAPPING"},
    {CS_SERVER_TRUNCATE_ERROR, "TRUNCATE_ERROR"},
    {CS_SERVER_WRITE_TIMEOUT, "WRITE_TIMEOUT"},
    {CS_SERVER_READ_TIMEOUT, "READ_TIMEOUT"},
    {CS_SERVER_READ_FAILURE, "READ_FAILURE"},
    {CS_SERVER_FUNCTION_FAILURE, "FUNCTION_FAILURE"},
    {CS_SERVER_WRITE_FAILURE, "WRITE_FAILURE"},
    {CS_SERVER_CDC_WRITE_FAILURE, "CDC_WRITE_FAILURE"},
    {CS_SERVER_CAS_WRITE_UNKNOWN, "CAS_WRITE_UNKNOWN"},
    {CS_SERVER_SYNTAX_ERROR, "SYNTAX_ERROR"},
    {CS_SERVER_UNAUTHORIZED, "UNAUTHORIZED"},
    {CS_SERVER_INVALID, "INVALID"},
    {CS_SERVER_CONFIG_ERROR, "CONFIG_ERROR"},
    {CS_SERVER_ALREADY_EXISTS, "ALREADY_EXISTS"},
    {CS_SERVER_UNPREPARED, "UNPREPARED"},
};

/* 7 and above mean different things in 5.0 and 6.0. */
static const char *const reasons[] = {
    "UNKNOWN",
    "READ_TOO_MANY_TOMBSTONES",
    "TIMEOUT",
    "INCOMPATIBLE_SCHEMA",
    "READ_SIZE",
    "NODE_DOWN",
    "INDEX_NOT_AVAILABLE",
};

const char *cs_server_code_name(int32_t code)
{
    for (size_t i = 0; i < CS_COUNT(codes); i++) {
        if (codes[i].code == code)
            return codes[i].name;
    }
    return NULL;
}

const char *cs_failure_reason_name(uint16_t reason)
{
    return reason < CS_COUNT(reasons) ? reasons[reason] : NULL;
}

/* v4: how many; v5: a map of replica to reason. */
static void read_failures(struct cs_reader *r, uint8_t version,
                          struct cs_server_error *out)
{
    out->failure_count = (int32_t)cs_read32(r);
    if (version < 5)
        return;
    if (out->failure_count < 0)
        r->fault = true;
    cs_read_count(r, (uint32_t)out->failure_count, 1 + 4 + 2);
    for (int32_t i = 0; i < out->failure_count && !r->fault; i++) {
        uint8_t size = cs_read8(r);
        uint16_t reason;

        if (size != 4 && size != 16)
            r->fault = true;
        cs_read_bytes(r, size);
        reason = cs_read16(r);
        if (i == 0)
            out->failure_reason = reason;
    }
}

static void read_counts(struct cs_reader *r, struct cs_server_error *out)
{
    out->consistency = cs_read16(r);
    out->received = (int32_t)cs_read32(r);
    out->required = (int32_t)cs_read32(r);
}

static void read_write_timeout(struct cs_reader *r, uint8_t version,
                               struct cs_server_error *out)
{
    read_counts(r, out);
    out->write_type = cs_read_string(r);
    if (version >= 5 && cs_view_is(out->write_type, "CAS"))
        out->contentions = cs_read16(r);
}

static void read_function_failure(struct cs_reader *r,
                                  struct cs_server_error *out)
{
    out->keyspace = cs_read_string(r);
    out->function = cs_read_string(r);
    cs_skip_string_list(r); /* types of the arguments */
}

static void read_fields(struct cs_reader *r, uint8_t version,
                        struct cs_server_error *out)
{
    switch (out->code) {
    case CS_SERVER_UNAVAILABLE:
        out->consistency = cs_read16(r);
        out->required = (int32_t)cs_read32(r);
        out->received = (int32_t)cs_read32(r);
        break;
    case CS_SERVER_WRITE_TIMEOUT:
        read_write_timeout(r, version, out);
        break;
    case CS_SERVER_READ_TIMEOUT:
        read_counts(r, out);
        out->data_present = cs_read8(r) != 0;
        break;
    case CS_SERVER_READ_FAILURE:
        read_counts(r, out);
        read_failures(r, version, out);
        out->data_present = cs_read8(r) != 0;
        break;
    case CS_SERVER_WRITE_FAILURE:
        read_counts(r, out);
        read_failures(r, version, out);
        out->write_type = cs_read_string(r);
        break;
    case CS_SERVER_CAS_WRITE_UNKNOWN:
        read_counts(r, out);
        break;
    case CS_SERVER_FUNCTION_FAILURE:
        read_function_failure(r, out);
        break;
    case CS_SERVER_ALREADY_EXISTS:
        out->keyspace = cs_read_string(r);
        out->table = cs_read_string(r);
        break;
    case CS_SERVER_UNPREPARED:
        out->unprepared_id = cs_read_string(r);
        break;
    default: /* no fields, or a code we do not know */
        out->rest = cs_read_view(r, cs_reader_left(r));
        break;
    }
}

enum cs_code cs_server_error_decode(struct cs_reader body, uint8_t version,
                                    struct cs_server_error *out,
                                    struct cs_err *err)
{
    struct cs_server_error error = {.code = (int32_t)cs_read32(&body)};
    enum cs_code rc;

    error.message = cs_read_string(&body);
    read_fields(&body, version, &error);
    rc = cs_reader_check(&body, "ERROR", err);
    if (!rc)
        *out = error;
    return rc;
}

bool cs_rate_limit_read(const struct cs_server_error *error,
                        struct cs_rate_limit *out)
{
    const uint8_t *bytes = error->rest.data;

    if (error->rest.size < 2 || bytes[0] > 1 || bytes[1] > 1)
        return false;
    out->write = bytes[0] == 1;
    out->by_coordinator = bytes[1] == 1;
    return true;
}

static bool contains(struct cs_view text, const char *word)
{
    return text.size && memmem(text.data, text.size, word, strlen(word));
}

bool cs_server_error_is_version_refusal(const struct cs_server_error *error)
{
    return error->code == CS_SERVER_PROTOCOL_ERROR &&
           (contains(error->message,
                     "Invalid or unsupported protocol version") ||
            contains(error->message, "Beta version of the protocol used") ||
            contains(error->message, "Rejecting Protocol Version"));
}

enum cs_code cs_server_error_fail(const struct cs_server_error *error,
                                  struct cs_err *err)
{
    const char *name = cs_server_code_name(error->code);
    enum cs_code code = error->code == CS_SERVER_AUTH_ERROR ||
                                error->code == CS_SERVER_UNAUTHORIZED
                            ? CS_EAUTH
                            : CS_ESERVER;
    char text[CS_ERR_TEXT];

    cs_escape(text, sizeof(text), error->message);
    if (name)
        cs_fail(err, code, "%s: %s", name, text);
    else
        cs_fail(err, code, "server error 0x%04X: %s", (unsigned)error->code,
                text);
    if (err)
        err->server_code = error->code;
    return code;
}
