/* answer.c - the messages of a server, but for those of system tables. */
#include "responder/answer_internal.h"

#include "protocol/result.h"
#include "protocol/tablets.h"

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

static void put_number(struct cs_buf *buf, const char *key, unsigned number)
{
    char text[16];

    snprintf(text, sizeof(text), "%u", number);
    put_text(buf, key);
    cs_buf_put16(buf, 1);
    put_text(buf, text);
}

static void put_named(struct cs_buf *buf, const char *key, const char *value)
{
    put_text(buf, key);
    cs_buf_put16(buf, 1);
    put_text(buf, value);
}

#define SHARDING_ENTRIES 5

static unsigned sharding_entries(const struct cs_sharding *sharding)
{
    unsigned entries = (unsigned)sharding->rate_limit + sharding->tablets +
                       (sharding->lwt_mask != 0);

    if (sharding->count)
        entries += SHARDING_ENTRIES + (sharding->port != 0) +
                   (sharding->tls_port != 0);
    return entries;
}

static void put_extensions(struct cs_buf *buf,
                           const struct cs_sharding *sharding)
{
    char text[64];

    if (sharding->rate_limit) {
        snprintf(text, sizeof(text), "ERROR_CODE=%d",
                 (int)sharding->rate_limit_code);
        put_named(buf, CS_EXTENSION_RATE_LIMIT, text);
    }
    if (sharding->lwt_mask) {
        snprintf(text, sizeof(text), "LWT_OPTIMIZATION_META_BIT_MASK=%u",
                 (unsigned)sharding->lwt_mask);
        put_named(buf, CS_EXTENSION_LWT_MARK, text);
    }
    if (sharding->tablets)
        put_named(buf, CS_EXTENSION_TABLETS, "");
}

static void put_sharding(struct cs_buf *buf, const struct cs_sharding *sharding)
{
    if (!sharding->count)
        return;
    put_number(buf, "SCYLLA_SHARD", sharding->shard);
    put_number(buf, "SCYLLA_NR_SHARDS", sharding->count);
    put_named(buf, "SCYLLA_PARTITIONER",
              "org.apache.cassandra.dht.Murmur3Partitioner");
    put_named(buf, "SCYLLA_SHARDING_ALGORITHM", "biased-token-round-robin");
    put_number(buf, "SCYLLA_SHARDING_IGNORE_MSB", sharding->ignore_msb);
    if (sharding->port)
        put_number(buf, "SCYLLA_SHARD_AWARE_PORT", (unsigned)sharding->port);
    if (sharding->tls_port)
        put_number(buf, "SCYLLA_SHARD_AWARE_PORT_SSL",
                   (unsigned)sharding->tls_port);
}

void cs_answer_supported(struct cs_buf *buf, const struct cs_reply *reply,
                         int version, const struct cs_sharding *sharding)
{
    static const char *const names[] = {"3/v3", "4/v4", "5/v5"};
    size_t at = cs_answer_begin(buf, reply, CS_OP_SUPPORTED);

    cs_buf_put16(buf, (uint16_t)(3 + sharding_entries(sharding)));
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
    put_sharding(buf, sharding);
    put_extensions(buf, sharding);
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

/* The paging state first, then the new id. */
void cs_put_row_metadata(struct cs_buf *buf, const struct cs_script *script,
                         const struct cs_page *page)
{
    unsigned count = script->column_count;
    bool metadata = page->metadata && count;
    uint32_t flags = metadata ? CS_METADATA_GLOBAL : CS_METADATA_NONE;

    if (page->state.data)
        flags |= CS_METADATA_MORE_PAGES;
    if (page->new_id)
        flags |= CS_METADATA_CHANGED;
    cs_buf_put32(buf, flags);
    cs_buf_put32(buf, count);
    if (page->state.data)
        cs_put_long_string(buf, page->state);
    if (page->new_id)
        cs_put_string(buf, cs_view_of(page->new_id, 16));
    if (metadata)
        put_columns(buf, script->table, script->columns, count);
}

static void put_bind_metadata(struct cs_buf *buf, const struct cs_reply *reply,
                              const struct cs_script *script)
{
    bool marked = script->applied && (reply->speaks & CS_SPEAKS_LWT_MARK);

    cs_buf_put32(buf, (script->marker_count ? CS_METADATA_GLOBAL : 0) |
                          (marked ? CS_LWT_MARK : 0));
    cs_buf_put32(buf, script->marker_count);
    if (reply->version >= 4) {
        cs_buf_put32(buf, script->key_count);
        for (unsigned i = 0; i < script->key_count; i++)
            cs_buf_put16(buf, script->key_binds[i]);
    }
    put_columns(buf, script->table, script->markers, script->marker_count);
}

/* Of a condition no columns are announced. */
void cs_answer_prepared(struct cs_buf *buf, const struct cs_reply *reply,
                        const uint8_t *id, const uint8_t *shape,
                        const struct cs_script *script)
{
    static const struct cs_script nothing = {.kind = CS_SCRIPT_VOID};
    const struct cs_page page = {.metadata = true};
    size_t at = begin_result(buf, reply, CS_RESULT_KIND_PREPARED);

    cs_put_string(buf, cs_view_of(id, 16));
    if (reply->version >= 5)
        cs_put_string(buf, cs_view_of(shape, 16));
    put_bind_metadata(buf, reply, script);
    cs_put_row_metadata(buf, script->applied ? &nothing : script, &page);
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

size_t cs_answer_begin_rows(struct cs_buf *buf, const struct cs_reply *reply,
                            const struct cs_script *script,
                            const struct cs_page *page)
{
    size_t at = begin_result(buf, reply, CS_RESULT_KIND_ROWS);

    cs_put_row_metadata(buf, script, page);
    cs_buf_put32(buf, page->rows);
    return at;
}

void cs_answer_rows(struct cs_buf *buf, const struct cs_reply *reply,
                    const struct cs_script *script, const struct cs_page *page)
{
    size_t at = cs_answer_begin_rows(buf, reply, script, page);

    for (uint32_t row = 0; row < page->rows && !buf->fault; row++)
        for (unsigned i = 0; i < script->column_count; i++)
            put_value(buf, script->columns[i].type);
    cs_frame_end(buf, at);
}

void cs_answer_applied(struct cs_buf *buf, const struct cs_reply *reply,
                       const struct cs_table *table, bool applied)
{
    struct cs_named_type column = {"[applied]",
                                   cs_type_simple(CS_TYPE_BOOLEAN)};
    const struct cs_script script = {
        .table = table, .columns = &column, .column_count = 1};
    const struct cs_page page = {.metadata = true, .rows = 1};
    size_t at = cs_answer_begin_rows(buf, reply, &script, &page);

    cs_buf_put32(buf, 1);
    cs_buf_put8(buf, applied);
    cs_frame_end(buf, at);
}
