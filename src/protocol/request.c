/* request.c - bodies of the client's messages. */
#include "protocol/request.h"

/* Kind of a statement in a batch. (1, prepared, is written in the header.) */
#define BATCH_TEXT 0

/* Flag of PREPARE in v5. */
#define PREPARE_KEYSPACE 0x01

static size_t begin(struct cs_buf *buf, const struct cs_request *request,
                    uint8_t opcode)
{
    return cs_frame_begin(buf, &(struct cs_frame_header){
                                   .version = request->version,
                                   .flags = request->flags,
                                   .opcode = opcode,
                                   .stream = request->stream,
                               });
}

static void put_count(struct cs_buf *buf, size_t count)
{
    if (count > UINT16_MAX)
        buf->fault = true;
    else
        cs_buf_put16(buf, (uint16_t)count);
}

void cs_request_options(struct cs_buf *buf, const struct cs_request *request)
{
    cs_frame_end(buf, begin(buf, request, CS_OP_OPTIONS));
}

void cs_request_startup(struct cs_buf *buf, const struct cs_request *request,
                        const struct cs_startup_option *options, size_t count)
{
    size_t at = begin(buf, request, CS_OP_STARTUP);

    put_count(buf, count);
    for (size_t i = 0; i < count; i++) {
        cs_put_string(buf, cs_view_text(options[i].key));
        cs_put_string(buf, cs_view_text(options[i].value));
    }
    cs_frame_end(buf, at);
}

void cs_request_auth_plain(struct cs_buf *buf, const struct cs_request *request,
                           const char *user, const char *password)
{
    size_t user_size = strlen(user);
    size_t password_size = strlen(password);
    size_t at = begin(buf, request, CS_OP_AUTH_RESPONSE);

    cs_buf_put32(buf, (uint32_t)(1 + user_size + 1 + password_size));
    cs_buf_put8(buf, 0);
    cs_buf_put(buf, user, user_size);
    cs_buf_put8(buf, 0);
    cs_buf_put(buf, password, password_size);
    cs_frame_end(buf, at);
}

void cs_request_auth_token(struct cs_buf *buf, const struct cs_request *request,
                           struct cs_view token)
{
    size_t at = begin(buf, request, CS_OP_AUTH_RESPONSE);

    cs_put_long_string(buf, token);
    cs_frame_end(buf, at);
}

void cs_request_register(struct cs_buf *buf, const struct cs_request *request,
                         const char *const *types, size_t count)
{
    size_t at = begin(buf, request, CS_OP_REGISTER);

    put_count(buf, count);
    for (size_t i = 0; i < count; i++)
        cs_put_string(buf, cs_view_text(types[i]));
    cs_frame_end(buf, at);
}

static uint32_t flags_of(uint8_t version, const struct cs_query_params *params)
{
    uint32_t flags = 0;

    if (params->value_count)
        flags |= CS_QUERY_VALUES;
    if (params->skip_metadata)
        flags |= CS_QUERY_SKIP_METADATA;
    if (params->page_size)
        flags |= CS_QUERY_PAGE_SIZE;
    if (params->paging_state.data)
        flags |= CS_QUERY_PAGING_STATE;
    if (params->has_serial)
        flags |= CS_QUERY_SERIAL;
    if (params->timestamp_us != CS_TIMESTAMP_NONE)
        flags |= CS_QUERY_TIMESTAMP;
    if (version >= 5 && params->keyspace.data)
        flags |= CS_QUERY_KEYSPACE;
    if (version >= 5 && params->has_now)
        flags |= CS_QUERY_NOW;
    return flags;
}

static void put_flags(struct cs_buf *buf, uint8_t version, uint32_t flags)
{
    if (version >= 5)
        cs_buf_put32(buf, flags);
    else
        cs_buf_put8(buf, (uint8_t)flags);
}

/* The fields from serial consistency on, the same in BATCH. */
static void put_tail(struct cs_buf *buf, uint32_t flags,
                     const struct cs_query_params *params)
{
    if (flags & CS_QUERY_SERIAL)
        cs_buf_put16(buf, params->serial_consistency);
    if (flags & CS_QUERY_TIMESTAMP)
        cs_buf_put64(buf, (uint64_t)params->timestamp_us);
    if (flags & CS_QUERY_KEYSPACE)
        cs_put_string(buf, params->keyspace);
    if (flags & CS_QUERY_NOW)
        cs_buf_put32(buf, (uint32_t)params->now_s);
}

static void put_params(struct cs_buf *buf, uint8_t version,
                       const struct cs_query_params *params)
{
    uint32_t flags = flags_of(version, params);

    cs_buf_put16(buf, params->consistency);
    put_flags(buf, version, flags);
    if (flags & CS_QUERY_VALUES) {
        cs_buf_put16(buf, params->value_count);
        cs_buf_put(buf, params->values.data, params->values.size);
    }
    if (flags & CS_QUERY_PAGE_SIZE)
        cs_buf_put32(buf, (uint32_t)params->page_size);
    if (flags & CS_QUERY_PAGING_STATE)
        cs_put_long_string(buf, params->paging_state);
    put_tail(buf, flags, params);
}

void cs_request_query(struct cs_buf *buf, const struct cs_request *request,
                      struct cs_view cql, const struct cs_query_params *params)
{
    size_t at = begin(buf, request, CS_OP_QUERY);

    cs_put_long_string(buf, cql);
    put_params(buf, request->version, params);
    cs_frame_end(buf, at);
}

void cs_request_prepare(struct cs_buf *buf, const struct cs_request *request,
                        struct cs_view cql, struct cs_view keyspace)
{
    size_t at = begin(buf, request, CS_OP_PREPARE);

    cs_put_long_string(buf, cql);
    if (request->version >= 5) {
        cs_buf_put32(buf, keyspace.data ? PREPARE_KEYSPACE : 0);
        if (keyspace.data)
            cs_put_string(buf, keyspace);
    }
    cs_frame_end(buf, at);
}

void cs_request_execute(struct cs_buf *buf, const struct cs_request *request,
                        struct cs_view id, struct cs_view result_metadata_id,
                        const struct cs_query_params *params)
{
    size_t at = begin(buf, request, CS_OP_EXECUTE);

    cs_put_string(buf, id);
    if (request->version >= 5)
        cs_put_string(buf, result_metadata_id);
    put_params(buf, request->version, params);
    cs_frame_end(buf, at);
}

size_t cs_batch_begin(struct cs_buf *buf, const struct cs_request *request,
                      uint8_t type)
{
    size_t at = begin(buf, request, CS_OP_BATCH);

    cs_buf_put8(buf, type);
    cs_buf_put16(buf, 0); /* the count, patched at the end */
    return at;
}

void cs_batch_add_text(struct cs_buf *buf, struct cs_view cql,
                       uint16_t value_count, struct cs_view values)
{
    cs_buf_put8(buf, BATCH_TEXT);
    cs_put_long_string(buf, cql);
    cs_buf_put16(buf, value_count);
    cs_buf_put(buf, values.data, values.size);
}

void cs_batch_end(struct cs_buf *buf, const struct cs_request *request,
                  size_t at, size_t statement_count,
                  const struct cs_query_params *params)
{
    uint32_t flags = flags_of(request->version, params) &
                     (CS_QUERY_SERIAL | CS_QUERY_TIMESTAMP | CS_QUERY_KEYSPACE |
                      CS_QUERY_NOW);

    if (statement_count > UINT16_MAX)
        buf->fault = true;
    cs_buf_put16(buf, params->consistency);
    put_flags(buf, request->version, flags);
    put_tail(buf, flags, params);
    if (buf->fault)
        return;
    cs_store16(buf->data + at + CS_FRAME_HEADER_SIZE + 1,
               (uint16_t)statement_count);
    cs_frame_end(buf, at);
}
