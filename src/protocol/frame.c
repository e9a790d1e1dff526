/* frame.c - envelope headers, checked, and what stands before a message. */
#include "protocol/frame.h"

#define TRACING_ID_SIZE 16

static const struct {
    const char *name;
    bool from_client;
} opcodes[] = {
    [CS_OP_ERROR] = {"ERROR", false},
    [CS_OP_STARTUP] = {"STARTUP", true},
    [CS_OP_READY] = {"READY", false},
    [CS_OP_AUTHENTICATE] = {"AUTHENTICATE", false},
    [CS_OP_OPTIONS] = {"OPTIONS", true},
    [CS_OP_SUPPORTED] = {"SUPPORTED", false},
    [CS_OP_QUERY] = {"QUERY", true},
    [CS_OP_RESULT] = {"RESULT", false},
    [CS_OP_PREPARE] = {"PREPARE", true},
    [CS_OP_EXECUTE] = {"EXECUTE", true},
    [CS_OP_REGISTER] = {"REGISTER", true},
    [CS_OP_EVENT] = {"EVENT", false},
    [CS_OP_BATCH] = {"BATCH", true},
    [CS_OP_AUTH_CHALLENGE] = {"AUTH_CHALLENGE", false},
    [CS_OP_AUTH_RESPONSE] = {"AUTH_RESPONSE", true},
    [CS_OP_AUTH_SUCCESS] = {"AUTH_SUCCESS", false},
};

const char *cs_opcode_name(uint8_t opcode)
{
    return opcode < CS_COUNT(opcodes) ? opcodes[opcode].name : NULL;
}

static enum cs_code check_version(const struct cs_frame_rules *rules,
                                  uint8_t first, struct cs_err *err)
{
    uint8_t version = first & 0x7F;

    if ((first < 0x80) != rules->from_client)
        return cs_fail(err, CS_EPROTOCOL,
                       "frame header: version byte 0x%02x has the wrong "
                       "direction",
                       first);
    if (rules->version && version != rules->version)
        return cs_fail(err, CS_EPROTOCOL,
                       "frame header: version %d on a connection of "
                       "version %d",
                       version, rules->version);
    return CS_OK;
}

static enum cs_code check_fields(const struct cs_frame_rules *rules,
                                 const struct cs_frame_header *h,
                                 struct cs_err *err)
{
    const char *name = cs_opcode_name(h->opcode);

    if (!name || opcodes[h->opcode].from_client != rules->from_client)
        return cs_fail(err, CS_EPROTOCOL,
                       "frame header: opcode 0x%02x (%s) is none of the "
                       "peer's messages",
                       h->opcode, name ? name : "unknown");
    if (h->length > rules->max_body)
        return cs_fail(err, CS_EPROTOCOL,
                       "frame header: %s of %d bytes, at most %u are accepted",
                       name, (int)h->length, (unsigned)rules->max_body);
    if (rules->from_client)
        return CS_OK;
    if (h->opcode == CS_OP_EVENT ? h->stream != CS_STREAM_EVENT : h->stream < 0)
        return cs_fail(err, CS_EPROTOCOL, "frame header: %s with stream id %d",
                       name, h->stream);
    return CS_OK;
}

enum cs_code cs_frame_header_parse(const struct cs_frame_rules *rules,
                                   const uint8_t *bytes,
                                   struct cs_frame_header *out,
                                   struct cs_err *err)
{
    bool old = cs_frame_header_size(bytes[0]) == CS_FRAME_HEADER_SIZE_OLD;
    struct cs_frame_header h = {
        .version = bytes[0] & 0x7F,
        .flags = bytes[1],
        .opcode = bytes[old ? 3 : 4],
        .length = cs_load32(bytes + (old ? 4 : 5)),
    };
    enum cs_code rc = check_version(rules, bytes[0], err);

    h.stream = (int16_t)cs_load16(bytes + 2);
    if (old)
        h.stream = bytes[2]; /* ours are small; it is a refusal, no EVENT */
    if (!rc)
        rc = check_fields(rules, &h, err);
    if (!rc)
        *out = h;
    return rc;
}

enum cs_code cs_frame_next(const struct cs_frame_rules *rules,
                           struct cs_reader *in, struct cs_frame *out,
                           size_t *out_need, struct cs_err *err)
{
    size_t left = cs_reader_left(in);
    size_t size = left ? cs_frame_header_size(in->p[0]) : 0;
    struct cs_frame_header h;
    enum cs_code rc;

    *out_need = left ? size : CS_FRAME_HEADER_SIZE;
    if (left < *out_need)
        return CS_OK;
    rc = cs_frame_header_parse(rules, in->p, &h, err);
    if (rc)
        return rc;
    *out_need = size + h.length;
    if (left < *out_need)
        return CS_OK;
    out->header = h;
    out->body = cs_view_of(in->p + size, h.length);
    in->p += *out_need;
    *out_need = 0;
    return CS_OK;
}

enum cs_code cs_frame_open(const struct cs_frame *frame, struct cs_prefix *out,
                           struct cs_reader *out_body, struct cs_err *err)
{
    struct cs_reader r = cs_reader_of(frame->body.data, frame->body.size);
    struct cs_prefix prefix = {0};
    uint8_t flags = frame->header.flags;
    enum cs_code rc;

    if (frame->header.version < 4)
        flags &= CS_FRAME_TRACING;
    if (flags & CS_FRAME_TRACING)
        prefix.tracing_id = cs_read_view(&r, TRACING_ID_SIZE);
    if (flags & CS_FRAME_WARNING) {
        prefix.warnings = r;
        prefix.warning_count = cs_skip_string_list(&r);
        cs_read16(&prefix.warnings); /* the count itself */
        prefix.warnings.end = r.p;
    }
    if (flags & CS_FRAME_PAYLOAD)
        prefix.payload_count = cs_skip_bytes_map(&r);
    rc = cs_reader_check(&r, "tracing id, warnings or payload", err);
    if (rc)
        return rc;
    *out = prefix;
    *out_body = r;
    return CS_OK;
}

struct cs_view cs_frame_payload(const struct cs_frame *frame, const char *key)
{
    struct cs_reader r = cs_reader_of(frame->body.data, frame->body.size);
    uint8_t flags = frame->header.flags;
    uint32_t count;

    if (frame->header.version < 4 || !(flags & CS_FRAME_PAYLOAD))
        return cs_view_of(NULL, 0);
    if (flags & CS_FRAME_TRACING)
        cs_read_view(&r, TRACING_ID_SIZE);
    if (flags & CS_FRAME_WARNING)
        cs_skip_string_list(&r);
    count = cs_read16(&r);
    for (uint32_t i = 0; i < count && !r.fault; i++) {
        bool found = cs_view_is(cs_read_string(&r), key);
        struct cs_view value = cs_read_blob(&r);

        if (found)
            return value;
    }
    return cs_view_of(NULL, 0);
}
