/* meaning.h - a decoded server message as the JSON that the recording script
 * wrote, so that both can be compared as a whole. */
#ifndef CS_TESTS_PROTOCOL_MEANING_H
#define CS_TESTS_PROTOCOL_MEANING_H

#include "base/text.h"
#include "protocol/error.h"
#include "protocol/event.h"
#include "protocol/frame.h"
#include "protocol/handshake.h"
#include "protocol/result.h"
#include "support/vectors.h"

#include <arpa/inet.h>

static inline json_t *meaning_text(struct cs_view view)
{
    return json_stringn((const char *)view.data, view.size);
}

static inline json_t *meaning_hex(struct cs_view view)
{
    struct cs_buf buf;
    json_t *json;

    if (!view.data)
        return json_null();
    cs_buf_init(&buf, SIZE_MAX);
    cs_put_hex(&buf, view.data, view.size);
    json = json_string(cs_buf_text(&buf));
    cs_buf_release(&buf);
    return json;
}

static inline json_t *meaning_strings(struct cs_reader r, uint32_t count)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, meaning_text(cs_read_string(&r)));
    return list;
}

/* ---- types ---- */

static const char *const meaning_ids[] = {
    [CS_TYPE_ASCII] = "0x1",     [CS_TYPE_BIGINT] = "0x2",
    [CS_TYPE_BLOB] = "0x3",      [CS_TYPE_BOOLEAN] = "0x4",
    [CS_TYPE_COUNTER] = "0x5",   [CS_TYPE_DECIMAL] = "0x6",
    [CS_TYPE_DOUBLE] = "0x7",    [CS_TYPE_FLOAT] = "0x8",
    [CS_TYPE_INT] = "0x9",       [CS_TYPE_TIMESTAMP] = "0xb",
    [CS_TYPE_UUID] = "0xc",      [CS_TYPE_TEXT] = "0xd",
    [CS_TYPE_VARINT] = "0xe",    [CS_TYPE_TIMEUUID] = "0xf",
    [CS_TYPE_INET] = "0x10",     [CS_TYPE_DATE] = "0x11",
    [CS_TYPE_TIME] = "0x12",     [CS_TYPE_SMALLINT] = "0x13",
    [CS_TYPE_TINYINT] = "0x14",  [CS_TYPE_DURATION] = "0x15",
    [CS_TYPE_LIST] = "list",     [CS_TYPE_MAP] = "map",
    [CS_TYPE_SET] = "set",       [CS_TYPE_UDT] = "udt",
    [CS_TYPE_TUPLE] = "tuple",   [CS_TYPE_VECTOR] = "vector",
    [CS_TYPE_CUSTOM] = "custom",
};

static inline json_t *meaning_type(const struct cs_type *type)
{
    json_t *word = json_string(meaning_ids[type->kind]);
    json_t *list;
    json_t *parts;

    if (!type->part_count)
        return word;
    list = json_array();
    json_array_append_new(list, word);
    if (type->kind == CS_TYPE_UDT) {
        json_array_append_new(list, json_string(type->keyspace));
        json_array_append_new(list, json_string(type->name));
    }
    parts = type->kind == CS_TYPE_UDT || type->kind == CS_TYPE_TUPLE
                ? json_array()
                : json_incref(list);
    for (size_t i = 0; i < type->part_count; i++) {
        json_t *part = meaning_type(type->parts[i]);

        if (type->kind == CS_TYPE_UDT)
            part = json_pack("[so]", type->field_names[i], part);
        json_array_append_new(parts, part);
    }
    if (parts == list)
        json_decref(list);
    else
        json_array_append_new(list, parts);
    if (type->kind == CS_TYPE_VECTOR)
        json_array_append_new(list, json_integer(type->dimension));
    return list;
}

/* ---- results ---- */

static inline void meaning_columns(json_t *json, const struct cs_metadata *m)
{
    json_t *list = json_array();
    bool global = m->flags & CS_METADATA_GLOBAL;

    if (global && m->column_count) {
        json_object_set_new(json, "ks", json_string(m->columns[0].keyspace));
        json_object_set_new(json, "tb", json_string(m->columns[0].table));
    }
    for (uint32_t i = 0; i < m->column_count; i++)
        json_array_append_new(list,
                              json_pack("[so]", m->columns[i].name,
                                        meaning_type(m->columns[i].type)));
    json_object_set_new(json, "cols", list);
}

static inline json_t *meaning_metadata(const struct cs_metadata *m)
{
    json_t *json =
        json_pack("{sisi}", "flags", (int)m->flags, "n", (int)m->column_count);

    if (m->paging_state.data)
        json_object_set_new(json, "paging", meaning_hex(m->paging_state));
    if (m->new_id.data)
        json_object_set_new(json, "newid", meaning_hex(m->new_id));
    if (m->columns)
        meaning_columns(json, m);
    return json;
}

static inline void meaning_rows(json_t *json, const struct cs_result *result)
{
    struct cs_reader r = result->cells;
    json_t *rows = json_array();

    for (uint32_t i = 0; i < result->row_count; i++) {
        json_t *row = json_array();

        for (uint32_t c = 0; c < result->metadata.column_count; c++)
            json_array_append_new(row, meaning_hex(cs_read_blob(&r)));
        json_array_append_new(rows, row);
    }
    json_object_set_new(json, "kind", json_string("Rows"));
    json_object_set_new(json, "meta", meaning_metadata(&result->metadata));
    json_object_set_new(json, "n", json_integer(result->row_count));
    json_object_set_new(json, "rows", rows);
    assert_ptr_equal(r.p, r.end);
}

static inline void meaning_prepared(json_t *json, uint8_t version,
                                    const struct cs_result *result)
{
    json_t *binds = meaning_metadata(&result->binds);
    json_t *key = json_array();

    for (uint32_t i = 0; i < result->key_count; i++)
        json_array_append_new(key, json_integer(result->key_binds[i]));
    if (version >= 4)
        json_object_set(binds, "pk", key);
    json_decref(key);
    json_object_set_new(json, "kind", json_string("Prepared"));
    json_object_set_new(json, "id", meaning_hex(result->id));
    if (version >= 5)
        json_object_set_new(json, "mid", meaning_hex(result->metadata_id));
    json_object_set_new(json, "bind", binds);
    json_object_set_new(json, "res", meaning_metadata(&result->metadata));
}

static const char *const meaning_changes[] = {
    "OTHER", "NEW_NODE", "REMOVED_NODE", "MOVED_NODE", "UP",
    "DOWN",  "CREATED",  "UPDATED",      "DROPPED",
};

static inline void meaning_schema(json_t *json,
                                  const struct cs_schema_change *change)
{
    json_object_set_new(json, "change",
                        json_string(meaning_changes[change->change]));
    json_object_set_new(json, "target", meaning_text(change->target));
    json_object_set_new(json, "ks", meaning_text(change->keyspace));
    if (change->name.data)
        json_object_set_new(json, "name", meaning_text(change->name));
    if (change->arg_count)
        json_object_set_new(json, "args",
                            meaning_strings(change->args, change->arg_count));
}

static inline void meaning_result(json_t *json, uint8_t version,
                                  const struct cs_result *result)
{
    switch (result->kind) {
    case CS_RESULT_KIND_VOID:
        json_object_set_new(json, "kind", json_string("Void"));
        break;
    case CS_RESULT_KIND_ROWS:
        meaning_rows(json, result);
        break;
    case CS_RESULT_KIND_SET_KEYSPACE:
        json_object_set_new(json, "kind", json_string("Set_keyspace"));
        json_object_set_new(json, "ks", meaning_text(result->keyspace));
        break;
    case CS_RESULT_KIND_PREPARED:
        meaning_prepared(json, version, result);
        break;
    case CS_RESULT_KIND_SCHEMA_CHANGE:
        json_object_set_new(json, "kind", json_string("Schema_change"));
        meaning_schema(json, &result->change);
        break;
    }
}

/* ---- the rest ---- */

static inline void meaning_int(json_t *json, const char *key, int value)
{
    json_object_set_new(json, key, json_integer(value));
}

static inline void meaning_view(json_t *json, const char *key,
                                struct cs_view view)
{
    if (view.data)
        json_object_set_new(json, key, meaning_text(view));
}

/* Which replicas failed is not kept: failures is their number. */
static inline void meaning_error(json_t *json,
                                 const struct cs_server_error *error)
{
    int code = error->code;
    bool counts =
        code == CS_SERVER_WRITE_TIMEOUT || code == CS_SERVER_READ_TIMEOUT ||
        code == CS_SERVER_READ_FAILURE || code == CS_SERVER_WRITE_FAILURE;

    meaning_int(json, "code", code);
    meaning_view(json, "msg", error->message);
    if (counts || code == CS_SERVER_UNAVAILABLE) {
        meaning_int(json, "cl", error->consistency);
        meaning_int(json, counts ? "received" : "alive", error->received);
        meaning_int(json, counts ? "blockfor" : "required", error->required);
    }
    if (code == CS_SERVER_READ_TIMEOUT || code == CS_SERVER_READ_FAILURE)
        meaning_int(json, "data", error->data_present);
    if (code == CS_SERVER_READ_FAILURE || code == CS_SERVER_WRITE_FAILURE)
        meaning_int(json, "failures", error->failure_count);
    meaning_view(json, "wt", error->write_type);
    meaning_view(json, "ks", error->keyspace);
    meaning_view(json, "tb", error->table);
    meaning_view(json, "fn", error->function);
    if (error->unprepared_id.data)
        json_object_set_new(json, "id", meaning_hex(error->unprepared_id));
}

static inline void meaning_event(json_t *json, const struct cs_event *event)
{
    char address[INET6_ADDRSTRLEN];

    meaning_view(json, "type", event->type);
    if (event->kind == CS_EVENT_SCHEMA) {
        meaning_schema(json, &event->schema);
        return;
    }
    inet_ntop(event->node.size == 4 ? AF_INET : AF_INET6, event->node.bytes,
              address, sizeof(address));
    json_object_set_new(json, "change",
                        json_string(meaning_changes[event->change]));
    json_object_set_new(json, "addr", json_string(address));
    meaning_int(json, "port", event->node.port);
}

static inline void meaning_supported(json_t *json,
                                     const struct cs_supported *supported)
{
    struct cs_reader r = supported->map;
    json_t *map = json_object();

    for (uint32_t i = 0; i < supported->count; i++) {
        struct cs_view key = cs_read_string(&r);
        uint16_t count = cs_read16(&r);
        json_t *values = json_array();

        for (uint16_t v = 0; v < count; v++)
            json_array_append_new(values, meaning_text(cs_read_string(&r)));
        json_object_setn_new(map, (const char *)key.data, key.size, values);
    }
    json_object_set_new(json, "map", map);
}

/* Decodes the body; the fields go into json (NULL: not wanted). */
static inline enum cs_code meaning_body(struct cs_reader body,
                                        const struct cs_frame_header *h,
                                        struct cs_arena *arena, json_t *json,
                                        struct cs_err *err)
{
    union {
        struct cs_result result;
        struct cs_server_error error;
        struct cs_event event;
        struct cs_supported supported;
        struct cs_view view;
    } u;
    enum cs_code rc = CS_OK;

    switch (h->opcode) {
    case CS_OP_RESULT:
        rc = cs_result_decode(body, h->version, arena, &u.result, err);
        if (!rc && u.result.kind == CS_RESULT_KIND_ROWS)
            rc = cs_result_check_cells(&u.result, err);
        if (!rc && json)
            meaning_result(json, h->version, &u.result);
        break;
    case CS_OP_ERROR:
        rc = cs_server_error_decode(body, h->version, &u.error, err);
        if (!rc && json)
            meaning_error(json, &u.error);
        break;
    case CS_OP_EVENT:
        rc = cs_event_decode(body, &u.event, err);
        if (!rc && json)
            meaning_event(json, &u.event);
        break;
    case CS_OP_SUPPORTED:
        rc = cs_supported_decode(body, &u.supported, err);
        if (!rc && json)
            meaning_supported(json, &u.supported);
        break;
    case CS_OP_AUTHENTICATE:
        rc = cs_authenticate_decode(body, &u.view, err);
        if (!rc && json)
            meaning_view(json, "cls", u.view);
        break;
    case CS_OP_AUTH_SUCCESS:
    case CS_OP_AUTH_CHALLENGE:
        rc = cs_auth_token_decode(body, &u.view, err);
        if (!rc && json)
            json_object_set_new(json, "token", meaning_hex(u.view));
        break;
    default:
        break;
    }
    return rc;
}

#endif
