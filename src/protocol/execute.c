/* execute.c - lays out the head of an EXECUTE. */
#include "protocol/execute.h"

static uint8_t *store_id(uint8_t *p, struct cs_view id)
{
    cs_store16(p, (uint16_t)id.size);
    if (id.size)
        memcpy(p + 2, id.data, id.size);
    return p + 2 + id.size;
}

static uint8_t fixed_flags(const struct cs_query_params *params)
{
    unsigned flags = 0;

    if (params->value_count)
        flags |= CS_QUERY_VALUES;
    if (params->skip_metadata)
        flags |= CS_QUERY_SKIP_METADATA;
    if (params->page_size)
        flags |= CS_QUERY_PAGE_SIZE;
    if (params->has_serial)
        flags |= CS_QUERY_SERIAL;
    return (uint8_t)flags;
}

enum cs_code cs_execute_template_init(struct cs_execute_template *t,
                                      const struct cs_request *request,
                                      struct cs_view id,
                                      struct cs_view result_metadata_id,
                                      const struct cs_query_params *params,
                                      struct cs_err *err)
{
    uint8_t *p = t->head + CS_FRAME_HEADER_SIZE;
    bool v5 = request->version >= 5;

    if (id.size > CS_PREPARED_ID_MAX ||
        result_metadata_id.size > CS_PREPARED_ID_MAX)
        return cs_fail(err, CS_EUNSUPPORTED,
                       "prepared statement: id of %zu bytes, at most %d are "
                       "supported",
                       CS_MAX(id.size, result_metadata_id.size),
                       CS_PREPARED_ID_MAX);
    *t = (struct cs_execute_template){
        .value_count = params->value_count,
        .has_serial = params->has_serial,
        .serial_consistency = params->serial_consistency,
        .page_size = params->page_size,
    };
    cs_frame_store_header(t->head, &(struct cs_frame_header){
                                       .version = request->version,
                                       .flags = request->flags,
                                       .opcode = CS_OP_EXECUTE,
                                   });
    p = store_id(p, id);
    if (v5)
        p = store_id(p, result_metadata_id);
    cs_store16(p, params->consistency);
    p += v5 ? 5 : 2; /* an int's lowest byte is its last */
    t->flags_at = (uint16_t)(p - t->head);
    *p++ = fixed_flags(params);
    if (params->value_count) {
        cs_store16(p, params->value_count);
        p += 2;
    }
    t->head_size = (uint16_t)(p - t->head);
    return CS_OK;
}
