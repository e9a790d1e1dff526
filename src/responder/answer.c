/* answer.c - the messages of a server, but for those of system tables. */
#include "responder/answer_internal.h"

#include "protocol/result.h"

#include <stdio.h>

size_t cs_answer_begin(struct cs_buf *buf, const struct cs_reply *reply,
                       enum cs_opcode opcode)
{
    struct cs_frame_header header = {.version = 0x80 | reply->version,
                                     .opcode = (uint8_t)opcode,
                                     .stream = reply->stream};

    return cs_frame_begin(buf, &header);
}

static void put_text(struct cs_buf *buf, const char *text)
{
    cs_put_string(buf, cs_view_text(text));
}

void cs_answer_plain(struct cs_buf *buf, const struct cs_reply *reply,
                     enum cs_opcode opcode)
{
    size_t at = cs_answer_begin(buf, reply, opcode);

    if (opcode == CS_OP_AUTH_SUCCESS)
        cs_buf_put32(buf, UINT32_MAX);
    cs_frame_end(buf, at);
}

void cs_answer_supported(struct cs_buf *buf, const struct cs_reply *reply,
                         int version)
{
    static const char *const names[] = {"3/v3", "4/v4", "5/v5"};
    size_t at = cs_answer_begin(buf, reply, CS_OP_SUPPORTED);

    cs_buf_put16(buf, 3);
    put_text(buf, "PROTOCOL_VERSIONS");
    cs_buf_put16(buf, (uint16_t)(version - CS_PROTOCOL_OLDEST + 1));
    for (int v = CS_PROTOCOL_OLDEST; v <= version; v++)
        put_text(buf, names[v - CS_PROTOCOL_OLDEST]);
    put_text(buf, "COMPRESSION");
    cs_buf_put16(buf, 2);
    put_text(buf, "snappy");
    put_text(buf, "lz4");
    put_text(buf, "CQL_VERSION");
    cs_buf_put16(buf, 1);
    put_text(buf, "3.4.7");
    cs_frame_end(buf, at);
}

static size_t begin_result(struct cs_buf *buf, const struct cs_reply *reply,
                           enum cs_result_kind kind)
{
    size_t at = cs_answer_begin(buf, reply, CS_OP_RESULT);

    cs_buf_put32(buf, kind);
    return at;
}

void cs_answer_void(struct cs_buf *buf, const struct cs_reply *reply)
{
    cs_frame_end(buf, begin_result(buf, reply, CS_RESULT_KIND_VOID));
}

void cs_answer_keyspace(struct cs_buf *buf, const struct cs_reply *reply,
                        const char *keyspace)
{
    size_t at = begin_result(buf, reply, CS_RESULT_KIND_SET_KEYSPACE);

    put_text(buf, keyspace);
    cs_frame_end(buf, at);
}

void cs_answer_change(struct cs_buf *buf, const struct cs_reply *reply,
                      const struct cs_schema_step *change)
{
    size_t at = begin_result(buf, reply, CS_RESULT_KIND_SCHEMA_CHANGE);

    put_text(buf, change->what);
    put_text(buf, change->target);
    put_text(buf, change->keyspace);
    if (change->name)
        put_text(buf, change->name);
    cs_frame_end(buf, at);
}

/* ---- metadata ---- */

/* Ids of native protocol v4, section 6. */
static const uint16_t option_ids[] = {
    [CS_TYPE_ASCII] = 0x01,   [CS_TYPE_BIGINT] = 0x02,
    [CS_TYPE_BLOB] = 0x03,    [CS_TYPE_BOOLEAN] = 0x04,
    [CS_TYPE_COUNTER] = 0x05, [CS_TYPE_DECIMAL] = 0x06,
    [CS_TYPE_DOUBLE] = 0x07,  [CS_TYPE_FLOAT] = 0x08,
    [CS_TYPE_INT] = 0x09,     [CS_TYPE_TIMESTAMP] = 0x0B,
    [CS_TYPE_UUID] = 0x0C,    [CS_TYPE_TEXT] = 0x0D,
    [CS_TYPE_VARINT] = 0x0E,  [CS_TYPE_TIMEUUID] = 0x0F,
    [CS_TYPE_INET] = 0x10,    [CS_TYPE_DATE] = 0x11,
    [CS_TYPE_TIME] = 0x12,    [CS_TYPE_SMALLINT] = 0x13,
    [CS_TYPE_TINYINT] = 0x14, [CS_TYPE_DURATION] = 0x15,
    [CS_TYPE_LIST] = 0x20,    [CS_TYPE_MAP] = 0x21,
    [CS_TYPE_SET] = 0x22,     [CS_TYPE_UDT] = 0x30,
    [CS_TYPE_TUPLE] = 0x31,   [CS_TYPE_VECTOR] = 0,
    [CS_TYPE_CUSTOM] = 0,
};

/* Java classes of the types that a vector may have. */
static const char *class_of(const struct cs_type *type)
{
    switch (type->kind) {
    case CS_TYPE_INT:
        return "Int32Type";
    case CS_TYPE_BIGINT:
        return "LongType";
    case CS_TYPE_DOUBLE:
        return "DoubleType";
    case CS_TYPE_TEXT:
        return "UTF8Type";
    default:
        return "FloatType";
    }
}

static void put_custom(struct cs_buf *buf, const struct cs_type *type)
{
    char name[256];

    if (type->kind == CS_TYPE_VECTOR)
        snprintf(name, sizeof(name),
                 "org.apache.cassandra.db.marshal.VectorType("
                 "org.apache.cassandra.db.marshal.%s , %u)",
                 class_of(type->parts[0]), (unsigned)type->dimension);
    put_text(buf, type->kind == CS_TYPE_VECTOR ? name : type->name);
}

void cs_put_option(struct cs_buf *buf, const struct cs_type *type)
{
    cs_buf_put16(buf, option_ids[type->kind]);
    if (!option_ids[type->kind]) {
        put_custom(buf, type);
        return;
    }
    if (type->kind == CS_TYPE_UDT) {
        put_text(buf, type->keyspace ? type->keyspace : "keyspace1");
        put_text(buf, type->name);
    }
    if (type->kind == CS_TYPE_UDT || type->kind == CS_TYPE_TUPLE)
        cs_buf_put16(buf, (uint16_t)type->part_count);
    for (size_t i = 0; i < type->part_count; i++) {
        if (type->kind == CS_TYPE_UDT)
            put_text(buf, type->field_names[i]);
        cs_put_option(buf, type->parts[i]);
    }
}

static void put_columns(struct cs_buf *buf, const struct cs_table *table,
                        const struct cs_named_type *columns, unsigned count)
{
    if (!count)
        return;
    put_text(buf, table->keyspace);
    put_text(buf, table->name);
    for (unsigned i = 0; i < count; i++) {
        put_text(buf, columns[i].name);
        cs_put_option(buf, columns[i].type);
    }
}

void cs_put_row_metadata(struct cs_buf *buf, const struct cs_script *script,
                         bool metadata)
{
    unsigned count = script->column_count;

    if (!metadata || !count) {
        cs_buf_put32(buf, CS_METADATA_NONE);
        cs_buf_put32(buf, count);
        return;
    }
    cs_buf_put32(buf, CS_METADATA_GLOBAL);
    cs_buf_put32(buf, count);
    put_columns(buf, script->table, script->columns, count);
}

static void put_bind_metadata(struct cs_buf *buf, const struct cs_reply *reply,
                              const struct cs_script *script)
{
    cs_buf_put32(buf, script->marker_count ? CS_METADATA_GLOBAL : 0);
    cs_buf_put32(buf, script->marker_count);
    if (reply->version >= 4) {
        cs_buf_put32(buf, script->key_count);
        for (unsigned i = 0; i < script->key_count; i++)
            cs_buf_put16(buf, script->key_binds[i]);
    }
    put_columns(buf, script->table, script->markers, script->marker_count);
}

void cs_answer_prepared(struct cs_buf *buf, const struct cs_reply *reply,
                        const uint8_t *id, const struct cs_script *script)
{
    size_t at = begin_result(buf, reply, CS_RESULT_KIND_PREPARED);

    cs_put_string(buf, cs_view_of(id, 16));
    if (reply->version >= 5)
        cs_put_string(buf, cs_view_of(id, 16));
    put_bind_metadata(buf, reply, script);
    cs_put_row_metadata(buf, script, true);
    cs_frame_end(buf, at);
}

/* ---- rows ---- */

/* Zeros, where the size of a value does not matter; null of what has parts. */
static void put_value(struct cs_buf *buf, const struct cs_type *type)
{
    size_t size = cs_type_fixed_size(type);
    uint8_t *p;

    if (type->part_count || type->kind == CS_TYPE_CUSTOM ||
        type->kind == CS_TYPE_DECIMAL || type->kind == CS_TYPE_DURATION) {
        cs_buf_put32(buf, UINT32_MAX);
        return;
    }
    if (type->kind == CS_TYPE_INET)
        size = 4;
    if (!size)
        size = 1;
    cs_buf_put32(buf, (uint32_t)size);
    p = cs_buf_room(buf, size);
    if (!p)
        return;
    memset(p, 0, size);
    if (type->kind == CS_TYPE_BOOLEAN || type->kind == CS_TYPE_TEXT ||
        type->kind == CS_TYPE_ASCII)
        *p = type->kind == CS_TYPE_BOOLEAN ? 1 : 'x';
    buf->size += size;
}

void cs_answer_rows(struct cs_buf *buf, const struct cs_reply *reply,
                    const struct cs_script *script, bool metadata)
{
    size_t at = begin_result(buf, reply, CS_RESULT_KIND_ROWS);

    cs_put_row_metadata(buf, script, metadata);
    cs_buf_put32(buf, 1);
    for (unsigned i = 0; i < script->column_count; i++)
        put_value(buf, script->columns[i].type);
    cs_frame_end(buf, at);
}

/* ---- errors ---- */

static void put_error_fields(struct cs_buf *buf, uint8_t version, int32_t code)
{
    bool read =
        code == CS_SERVER_READ_TIMEOUT || code == CS_SERVER_READ_FAILURE;
    bool failure =
        code == CS_SERVER_READ_FAILURE || code == CS_SERVER_WRITE_FAILURE;

    cs_buf_put16(buf, 1); /* ONE */
    if (code == CS_SERVER_UNAVAILABLE) {
        cs_buf_put32(buf, 1);
        cs_buf_put32(buf, 0);
        return;
    }
    cs_buf_put32(buf, 0); /* received */
    cs_buf_put32(buf, 1); /* of so many */
    if (failure)
        cs_buf_put32(buf, version >= 5 ? 0 : 1);
    if (read)
        cs_buf_put8(buf, 0);
    else
        put_text(buf, "SIMPLE");
}

static bool has_fields(int32_t code)
{
    return code == CS_SERVER_UNAVAILABLE || code == CS_SERVER_WRITE_TIMEOUT ||
           code == CS_SERVER_READ_TIMEOUT || code == CS_SERVER_READ_FAILURE ||
           code == CS_SERVER_WRITE_FAILURE;
}

void cs_answer_error(struct cs_buf *buf, const struct cs_reply *reply,
                     int32_t code, const char *message, const uint8_t *id)
{
    size_t at = cs_answer_begin(buf, reply, CS_OP_ERROR);

    cs_buf_put32(buf, (uint32_t)code);
    put_text(buf, message);
    if (id)
        cs_put_string(buf, cs_view_of(id, 16));
    else if (has_fields(code))
        put_error_fields(buf, reply->version, code);
    cs_frame_end(buf, at);
}
