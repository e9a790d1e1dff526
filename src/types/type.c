/* type.c - what a type's kind says: its word, its sizes; types as CQL text. */
#include "types/type.h"

#include "types/word.h"

static const struct kind {
    const char *word;
    unsigned char size;        /* of every value, or 0 */
    unsigned char vector_size; /* of every element of a vector, or 0 */
} kinds[] = {
    [CS_TYPE_ASCII] = {"ascii", 0, 0},
    [CS_TYPE_BIGINT] = {"bigint", 8, 8},
    [CS_TYPE_BLOB] = {"blob", 0, 0},
    [CS_TYPE_BOOLEAN] = {"boolean", 1, 1},
    [CS_TYPE_COUNTER] = {"counter", 8, 0},
    [CS_TYPE_DATE] = {"date", 4, 0},
    [CS_TYPE_DECIMAL] = {"decimal", 0, 0},
    [CS_TYPE_DOUBLE] = {"double", 8, 8},
    [CS_TYPE_DURATION] = {"duration", 0, 0},
    [CS_TYPE_FLOAT] = {"float", 4, 4},
    [CS_TYPE_INET] = {"inet", 0, 0},
    [CS_TYPE_INT] = {"int", 4, 4},
    [CS_TYPE_SMALLINT] = {"smallint", 2, 0},
    [CS_TYPE_TEXT] = {"text", 0, 0},
    [CS_TYPE_TIME] = {"time", 8, 0},
    [CS_TYPE_TIMESTAMP] = {"timestamp", 8, 8},
    [CS_TYPE_TIMEUUID] = {"timeuuid", 16, 16},
    [CS_TYPE_TINYINT] = {"tinyint", 1, 0},
    [CS_TYPE_UUID] = {"uuid", 16, 16},
    [CS_TYPE_VARINT] = {"varint", 0, 0},
    [CS_TYPE_LIST] = {"list", 0, 0},
    [CS_TYPE_SET] = {"set", 0, 0},
    [CS_TYPE_MAP] = {"map", 0, 0},
    [CS_TYPE_TUPLE] = {"tuple", 0, 0},
    [CS_TYPE_UDT] = {"user type", 0, 0},
    [CS_TYPE_VECTOR] = {"vector", 0, 0},
    [CS_TYPE_CUSTOM] = {"custom", 0, 0},
};

static const struct cs_type simple[CS_TYPE_LIST] = {
    [CS_TYPE_ASCII] = {.kind = CS_TYPE_ASCII},
    [CS_TYPE_BIGINT] = {.kind = CS_TYPE_BIGINT},
    [CS_TYPE_BLOB] = {.kind = CS_TYPE_BLOB},
    [CS_TYPE_BOOLEAN] = {.kind = CS_TYPE_BOOLEAN},
    [CS_TYPE_COUNTER] = {.kind = CS_TYPE_COUNTER},
    [CS_TYPE_DATE] = {.kind = CS_TYPE_DATE},
    [CS_TYPE_DECIMAL] = {.kind = CS_TYPE_DECIMAL},
    [CS_TYPE_DOUBLE] = {.kind = CS_TYPE_DOUBLE},
    [CS_TYPE_DURATION] = {.kind = CS_TYPE_DURATION},
    [CS_TYPE_FLOAT] = {.kind = CS_TYPE_FLOAT},
    [CS_TYPE_INET] = {.kind = CS_TYPE_INET},
    [CS_TYPE_INT] = {.kind = CS_TYPE_INT},
    [CS_TYPE_SMALLINT] = {.kind = CS_TYPE_SMALLINT},
    [CS_TYPE_TEXT] = {.kind = CS_TYPE_TEXT},
    [CS_TYPE_TIME] = {.kind = CS_TYPE_TIME},
    [CS_TYPE_TIMESTAMP] = {.kind = CS_TYPE_TIMESTAMP},
    [CS_TYPE_TIMEUUID] = {.kind = CS_TYPE_TIMEUUID},
    [CS_TYPE_TINYINT] = {.kind = CS_TYPE_TINYINT},
    [CS_TYPE_UUID] = {.kind = CS_TYPE_UUID},
    [CS_TYPE_VARINT] = {.kind = CS_TYPE_VARINT},
};

const struct cs_type *cs_type_simple(enum cs_type_kind kind)
{
    return &simple[kind];
}

const char *cs_type_word(enum cs_type_kind kind)
{
    return kinds[kind].word;
}

size_t cs_type_fixed_size(const struct cs_type *type)
{
    if (type->kind == CS_TYPE_VECTOR)
        return type->dimension * cs_type_vector_item_size(type->parts[0]);
    return kinds[type->kind].size;
}

size_t cs_type_vector_item_size(const struct cs_type *type)
{
    if (type->kind == CS_TYPE_VECTOR)
        return cs_type_fixed_size(type);
    return kinds[type->kind].vector_size;
}

/* Tuples and vectors are frozen whether the text says so or not. */
static bool freezes(enum cs_type_kind kind)
{
    return kind == CS_TYPE_LIST || kind == CS_TYPE_SET || kind == CS_TYPE_MAP ||
           kind == CS_TYPE_UDT;
}

static bool same_name(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool cs_type_equal(const struct cs_type *a, const struct cs_type *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind || a->part_count != b->part_count ||
        (freezes(a->kind) && a->frozen != b->frozen) ||
        a->dimension != b->dimension || !same_name(a->name, b->name))
        return false;
    for (size_t i = 0; i < a->part_count; i++) {
        if (!cs_type_equal(a->parts[i], b->parts[i]))
            return false;
        if (a->kind == CS_TYPE_UDT &&
            !same_name(a->field_names[i], b->field_names[i]))
            return false;
    }
    return true;
}

static void put_parts(struct cs_buf *buf, const struct cs_type *type)
{
    cs_buf_puts(buf, cs_type_word(type->kind));
    cs_buf_put8(buf, '<');
    for (size_t i = 0; i < type->part_count; i++) {
        if (i)
            cs_buf_puts(buf, ", ");
        cs_type_put(buf, type->parts[i]);
    }
    if (type->kind == CS_TYPE_VECTOR)
        cs_buf_printf(buf, ", %u", type->dimension);
    cs_buf_put8(buf, '>');
}

static void put_class(struct cs_buf *buf, const char *name)
{
    cs_buf_put8(buf, '\'');
    for (; *name; name++) {
        if (*name == '\'')
            cs_buf_put8(buf, '\'');
        cs_buf_put8(buf, (uint8_t)*name);
    }
    cs_buf_put8(buf, '\'');
}

void cs_type_put(struct cs_buf *buf, const struct cs_type *type)
{
    if (type->frozen)
        cs_buf_puts(buf, "frozen<");
    if (type->kind == CS_TYPE_CUSTOM)
        put_class(buf, type->name);
    else if (type->kind == CS_TYPE_UDT)
        cs_word_put(buf, type->name);
    else if (type->kind >= CS_TYPE_LIST)
        put_parts(buf, type);
    else
        cs_buf_puts(buf, cs_type_word(type->kind));
    if (type->frozen)
        cs_buf_put8(buf, '>');
}
