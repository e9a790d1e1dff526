/* option.c - types on the wire. */
#include "protocol/option.h"

#include "protocol/option_internal.h"

enum option_id {
    OPTION_CUSTOM = 0x00,
    OPTION_LIST = 0x20,
    OPTION_MAP = 0x21,
    OPTION_SET = 0x22,
    OPTION_UDT = 0x30,
    OPTION_TUPLE = 0x31,
};

/* Types without parts, by their id. There is nothing in them that could
 * differ, so all messages share these. */
static const struct cs_type simple[] = {
    [0x01] = {.kind = CS_TYPE_ASCII},     [0x02] = {.kind = CS_TYPE_BIGINT},
    [0x03] = {.kind = CS_TYPE_BLOB},      [0x04] = {.kind = CS_TYPE_BOOLEAN},
    [0x05] = {.kind = CS_TYPE_COUNTER},   [0x06] = {.kind = CS_TYPE_DECIMAL},
    [0x07] = {.kind = CS_TYPE_DOUBLE},    [0x08] = {.kind = CS_TYPE_FLOAT},
    [0x09] = {.kind = CS_TYPE_INT},       [0x0A] = {.kind = CS_TYPE_TEXT},
    [0x0B] = {.kind = CS_TYPE_TIMESTAMP}, [0x0C] = {.kind = CS_TYPE_UUID},
    [0x0D] = {.kind = CS_TYPE_TEXT},      [0x0E] = {.kind = CS_TYPE_VARINT},
    [0x0F] = {.kind = CS_TYPE_TIMEUUID},  [0x10] = {.kind = CS_TYPE_INET},
    [0x11] = {.kind = CS_TYPE_DATE},      [0x12] = {.kind = CS_TYPE_TIME},
    [0x13] = {.kind = CS_TYPE_SMALLINT},  [0x14] = {.kind = CS_TYPE_TINYINT},
    [0x15] = {.kind = CS_TYPE_DURATION},
};

static bool is_simple(uint16_t id)
{
    return id > 0 && id < CS_COUNT(simple);
}

enum cs_code cs_type_nodes_take(uint32_t *left, size_t count,
                                struct cs_err *err)
{
    if (count > *left)
        return cs_fail(err, CS_EPROTOCOL,
                       "type: the message describes more than %d types",
                       CS_OPTION_NODES_MAX);
    *left -= (uint32_t)count;
    return CS_OK;
}

struct cs_type *cs_type_new(struct cs_arena *arena, enum cs_type_kind kind,
                            size_t part_count, struct cs_err *err)
{
    const size_t part_size = sizeof(const struct cs_type *);
    struct cs_type *type = cs_arena_alloc(arena, sizeof(*type));

    if (type && part_count)
        type->parts = cs_arena_array(arena, part_count, part_size);
    if (!type || (part_count && !type->parts)) {
        cs_fail(err, CS_ENOMEM, "type: no memory");
        return NULL;
    }
    type->kind = kind;
    type->part_count = part_count;
    return type;
}

static enum cs_code read_at(struct cs_option_reader *r, int depth,
                            const struct cs_type **out, struct cs_err *err);

/* The parts of a list, set, map or tuple. */
static enum cs_code read_parts(struct cs_option_reader *r, int depth,
                               enum cs_type_kind kind, size_t count,
                               const struct cs_type **out, struct cs_err *err)
{
    struct cs_type *type;
    enum cs_code rc = cs_type_nodes_take(&r->nodes_left, count, err);

    if (rc)
        return rc;
    type = cs_type_new(r->arena, kind, count, err);
    if (!type)
        return CS_ENOMEM;
    for (size_t i = 0; !rc && i < count; i++)
        rc = read_at(r, depth + 1, &type->parts[i], err);
    if (!rc)
        *out = type;
    return rc;
}

static enum cs_code read_fields(struct cs_option_reader *r, int depth,
                                struct cs_type *type, struct cs_err *err)
{
    const char **names =
        cs_arena_array(r->arena, type->part_count, sizeof(*names));
    enum cs_code rc = CS_OK;

    if (!names)
        return cs_fail(err, CS_ENOMEM, "type: no memory");
    type->field_names = names;
    for (size_t i = 0; !rc && i < type->part_count; i++) {
        struct cs_view name = cs_read_string(r->in);

        names[i] = cs_arena_bytes(r->arena, name.data, name.size);
        if (!names[i])
            return cs_fail(err, CS_ENOMEM, "type: no memory");
        rc = read_at(r, depth + 1, &type->parts[i], err);
    }
    return rc;
}

static enum cs_code read_udt(struct cs_option_reader *r, int depth,
                             const struct cs_type **out, struct cs_err *err)
{
    struct cs_view keyspace = cs_read_string(r->in);
    struct cs_view name = cs_read_string(r->in);
    uint32_t count = cs_read_count(r->in, cs_read16(r->in), 2 + 2);
    struct cs_type *type;
    enum cs_code rc = cs_type_nodes_take(&r->nodes_left, count, err);

    if (rc)
        return rc;
    type = cs_type_new(r->arena, CS_TYPE_UDT, count, err);
    if (!type)
        return CS_ENOMEM;
    type->keyspace = cs_arena_bytes(r->arena, keyspace.data, keyspace.size);
    type->name = cs_arena_bytes(r->arena, name.data, name.size);
    if (!type->keyspace || !type->name)
        return cs_fail(err, CS_ENOMEM, "type: no memory");
    rc = read_fields(r, depth, type, err);
    if (!rc)
        *out = type;
    return rc;
}

static enum cs_code read_compound(struct cs_option_reader *r, int depth,
                                  uint16_t id, const struct cs_type **out,
                                  struct cs_err *err)
{
    uint32_t count;

    switch (id) {
    case OPTION_CUSTOM:
        return cs_class_name_read(cs_read_string(r->in), r->arena,
                                  &r->nodes_left, out, err);
    case OPTION_LIST:
        return read_parts(r, depth, CS_TYPE_LIST, 1, out, err);
    case OPTION_SET:
        return read_parts(r, depth, CS_TYPE_SET, 1, out, err);
    case OPTION_MAP:
        return read_parts(r, depth, CS_TYPE_MAP, 2, out, err);
    case OPTION_TUPLE:
        count = cs_read_count(r->in, cs_read16(r->in), 2);
        return read_parts(r, depth, CS_TYPE_TUPLE, count, out, err);
    case OPTION_UDT:
        return read_udt(r, depth, out, err);
    default:
        return cs_fail(err, CS_EPROTOCOL, "type: unknown id 0x%04x", id);
    }
}

static enum cs_code read_at(struct cs_option_reader *r, int depth,
                            const struct cs_type **out, struct cs_err *err)
{
    uint16_t id = cs_read16(r->in);

    if (r->in->fault)
        return cs_reader_check(r->in, "type", err);
    if (depth >= CS_TYPE_DEPTH_MAX)
        return cs_fail(err, CS_EPROTOCOL, "type: nested deeper than %d",
                       CS_TYPE_DEPTH_MAX);
    if (is_simple(id)) {
        *out = &simple[id];
        return CS_OK;
    }
    return read_compound(r, depth, id, out, err);
}

enum cs_code cs_option_read(struct cs_option_reader *r,
                            const struct cs_type **out, struct cs_err *err)
{
    const struct cs_type *type = NULL;
    enum cs_code rc = cs_type_nodes_take(&r->nodes_left, 1, err);

    if (!rc)
        rc = read_at(r, 0, &type, err);
    if (!rc)
        rc = cs_reader_check(r->in, "type", err);
    if (!rc)
        *out = type;
    return rc;
}

static uint16_t skip_at(struct cs_reader *r, int depth)
{
    uint16_t id = cs_read16(r);
    uint32_t parts = 0;
    bool named = id == OPTION_UDT;

    if (r->fault || is_simple(id))
        return id;
    if (depth >= CS_TYPE_DEPTH_MAX)
        r->fault = true;
    if (id == OPTION_CUSTOM) {
        cs_read_string(r);
    } else if (id == OPTION_LIST || id == OPTION_SET) {
        parts = 1;
    } else if (id == OPTION_MAP) {
        parts = 2;
    } else if (id == OPTION_TUPLE) {
        parts = cs_read_count(r, cs_read16(r), 2);
    } else if (id == OPTION_UDT) {
        cs_read_string(r);
        cs_read_string(r);
        parts = cs_read_count(r, cs_read16(r), 2 + 2);
    } else {
        r->fault = true;
    }
    for (uint32_t i = 0; i < parts && !r->fault; i++) {
        if (named)
            cs_read_string(r);
        skip_at(r, depth + 1);
    }
    return id;
}

uint16_t cs_option_skip(struct cs_reader *r)
{
    return skip_at(r, 0);
}
