/* batch.c - the rows of an operation as one BATCH. */
#include "client/session_internal.h"

void cs_operation_put_batch(struct cs_buf *buf,
                            const struct cs_request *request,
                            const struct cs_operation *op)
{
    const struct cs_statement *statement = op->statement;
    const struct cs_statement_options *options = &statement->options;
    const struct cs_prepared *prepared = cs_prepared_of(statement);
    struct cs_view left = cs_view_of(op->values.data, op->values.size);
    struct cs_query_params params = {
        .consistency = (uint16_t)options->cl,
        .has_serial = options->has_serial_cl,
        .serial_consistency = (uint16_t)options->serial_cl,
        .timestamp_us = op->timestamp_us,
    };
    int type = CS_MAX((int)op->batch_type, (int)CS_BATCH_LOGGED);
    size_t at = cs_batch_begin(buf, request, (uint8_t)type);

    for (uint32_t i = 0; i < op->row_count; i++) {
        size_t size = cs_values_span(left, statement->bind_count);

        if (size == SIZE_MAX) {
            buf->fault = true;
            return;
        }
        cs_batch_add_prepared(buf, prepared->id,
                              (uint16_t)statement->bind_count,
                              cs_view_of(left.data, size));
        left = cs_view_of(left.data + size, left.size - size);
    }
    cs_batch_end(buf, request, at, op->row_count, &params);
}
