/* answer_error.c - ERROR messages with the fields that each code has, as each
 * version knows it. */
#include "responder/answer_internal.h"

static void put_text(struct cs_buf *buf, const char *text)
{
    cs_put_string(buf, cs_view_text(text));
}

/* What a server says to a version that does not have the code. */
static int32_t code_for(uint8_t version, int32_t code)
{
    if (version < 5 && code == CS_SERVER_CAS_WRITE_UNKNOWN)
        return CS_SERVER_WRITE_TIMEOUT;
    if (version >= 4)
        return code;
    if (code == CS_SERVER_READ_FAILURE)
        return CS_SERVER_READ_TIMEOUT;
    if (code == CS_SERVER_WRITE_FAILURE)
        return CS_SERVER_WRITE_TIMEOUT;
    if (code == CS_SERVER_FUNCTION_FAILURE ||
        code == CS_SERVER_CDC_WRITE_FAILURE)
        return CS_SERVER_INVALID;
    return code;
}

/* One replica failed, and did not say why. */
static void put_failures(struct cs_buf *buf, uint8_t version)
{
    static const uint8_t replica[] = {4, 127, 0, 0, 1};

    cs_buf_put32(buf, 1);
    if (version < 5)
        return;
    cs_buf_put(buf, replica, sizeof(replica));
    cs_buf_put16(buf, 0);
}

/* Level ONE, none of one replica. */
static void put_counts(struct cs_buf *buf)
{
    cs_buf_put16(buf, 1);
    cs_buf_put32(buf, 0);
    cs_buf_put32(buf, 1);
}

static void put_fields(struct cs_buf *buf, uint8_t version, int32_t code,
                       bool conditional)
{
    switch (code) {
    case CS_SERVER_UNAVAILABLE:
        cs_buf_put16(buf, 1);
        cs_buf_put32(buf, 1); /* required */
        cs_buf_put32(buf, 0); /* alive */
        break;
    case CS_SERVER_WRITE_TIMEOUT:
        put_counts(buf);
        put_text(buf, conditional ? "CAS" : "SIMPLE");
        if (conditional && version >= 5)
            cs_buf_put16(buf, 0); /* contentions */
        break;
    case CS_SERVER_READ_TIMEOUT:
        put_counts(buf);
        cs_buf_put8(buf, 0);
        break;
    case CS_SERVER_READ_FAILURE:
        put_counts(buf);
        put_failures(buf, version);
        cs_buf_put8(buf, 0);
        break;
    case CS_SERVER_WRITE_FAILURE:
        put_counts(buf);
        put_failures(buf, version);
        put_text(buf, "SIMPLE");
        break;
    case CS_SERVER_CAS_WRITE_UNKNOWN:
        put_counts(buf);
        break;
    case CS_SERVER_FUNCTION_FAILURE:
        put_text(buf, "keyspace1");
        put_text(buf, "f");
        cs_buf_put16(buf, 0); /* types of arguments */
        break;
    case CS_SERVER_ALREADY_EXISTS:
        put_text(buf, "keyspace1");
        put_text(buf, "standard1");
        break;
    default:
        break;
    }
}

void cs_answer_error(struct cs_buf *buf, const struct cs_reply *reply,
                     int32_t code, const char *message, const uint8_t *id)
{
    size_t at = cs_answer_begin(buf, reply, CS_OP_ERROR);
    int32_t said = code_for(reply->version, code);

    cs_buf_put32(buf, (uint32_t)said);
    put_text(buf, message);
    if (id)
        cs_put_string(buf, cs_view_of(id, 16));
    else
        put_fields(buf, reply->version, said,
                   code == CS_SERVER_CAS_WRITE_UNKNOWN);
    cs_frame_end(buf, at);
}

void cs_answer_rate_limit(struct cs_buf *buf, const struct cs_reply *reply,
                          const char *message, bool reads)
{
    bool spoken = reply->speaks & CS_SPEAKS_RATE_LIMIT;
    size_t at = cs_answer_begin(buf, reply, CS_OP_ERROR);

    cs_buf_put32(buf, spoken ? CS_SERVER_RATE_LIMIT : CS_SERVER_CONFIG_ERROR);
    put_text(buf, message);
    if (spoken) {
        cs_buf_put8(buf, reads ? 0 : 1);
        cs_buf_put8(buf, 1); /* by the coordinator */
    }
    cs_frame_end(buf, at);
}

void cs_answer_exists(struct cs_buf *buf, const struct cs_reply *reply,
                      const struct cs_schema_step *what)
{
    size_t at = cs_answer_begin(buf, reply, CS_OP_ERROR);

    cs_buf_put32(buf, CS_SERVER_ALREADY_EXISTS);
    put_text(buf, what->name ? "Cannot add already existing table"
                             : "Cannot add existing keyspace");
    put_text(buf, what->keyspace);
    put_text(buf, what->name ? what->name : "");
    cs_frame_end(buf, at);
}
