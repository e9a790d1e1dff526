/* class_name.c - types given as names of Java classes, as in
 * VectorType(FloatType , 3) or UserType(ks,6e616d65,66:Int32Type). */
#include "protocol/option_internal.h"

#define PACKAGE "org.apache.cassandra.db.marshal."

/* More parts than this no tuple or user type has. */
#define PARTS_MAX ((size_t)1024)

enum shape { SHAPE_SIMPLE, SHAPE_SAME, SHAPE_PARTS, SHAPE_UDT, SHAPE_VECTOR };

static const struct {
    const char *name;
    enum cs_type_kind kind;
    enum shape shape;
    size_t part_count; /* of SHAPE_PARTS; 0: any number */
} classes[] = {
    {"AsciiType", CS_TYPE_ASCII, SHAPE_SIMPLE, 0},
    {"LongType", CS_TYPE_BIGINT, SHAPE_SIMPLE, 0},
    {"BytesType", CS_TYPE_BLOB, SHAPE_SIMPLE, 0},
    {"BooleanType", CS_TYPE_BOOLEAN, SHAPE_SIMPLE, 0},
    {"CounterColumnType", CS_TYPE_COUNTER, SHAPE_SIMPLE, 0},
    {"SimpleDateType", CS_TYPE_DATE, SHAPE_SIMPLE, 0},
    {"DecimalType", CS_TYPE_DECIMAL, SHAPE_SIMPLE, 0},
    {"DoubleType", CS_TYPE_DOUBLE, SHAPE_SIMPLE, 0},
    {"DurationType", CS_TYPE_DURATION, SHAPE_SIMPLE, 0},
    {"FloatType", CS_TYPE_FLOAT, SHAPE_SIMPLE, 0},
    {"InetAddressType", CS_TYPE_INET, SHAPE_SIMPLE, 0},
    {"Int32Type", CS_TYPE_INT, SHAPE_SIMPLE, 0},
    {"ShortType", CS_TYPE_SMALLINT, SHAPE_SIMPLE, 0},
    {"UTF8Type", CS_TYPE_TEXT, SHAPE_SIMPLE, 0},
    {"TimeType", CS_TYPE_TIME, SHAPE_SIMPLE, 0},
    {"TimestampType", CS_TYPE_TIMESTAMP, SHAPE_SIMPLE, 0},
    {"DateType", CS_TYPE_TIMESTAMP, SHAPE_SIMPLE, 0}, /* its older name */
    {"TimeUUIDType", CS_TYPE_TIMEUUID, SHAPE_SIMPLE, 0},
    {"LegacyTimeUUIDType", CS_TYPE_TIMEUUID, SHAPE_SIMPLE, 0},
    {"ByteType", CS_TYPE_TINYINT, SHAPE_SIMPLE, 0},
    {"UUIDType", CS_TYPE_UUID, SHAPE_SIMPLE, 0},
    {"LexicalUUIDType", CS_TYPE_UUID, SHAPE_SIMPLE, 0},
    {"IntegerType", CS_TYPE_VARINT, SHAPE_SIMPLE, 0},
    {"ListType", CS_TYPE_LIST, SHAPE_PARTS, 1},
    {"SetType", CS_TYPE_SET, SHAPE_PARTS, 1},
    {"MapType", CS_TYPE_MAP, SHAPE_PARTS, 2},
    {"TupleType", CS_TYPE_TUPLE, SHAPE_PARTS, 0},
    {"UserType", CS_TYPE_UDT, SHAPE_UDT, 0}, /* and its two names */
    {"VectorType", CS_TYPE_VECTOR, SHAPE_VECTOR, 1},
    {"FrozenType", CS_TYPE_CUSTOM, SHAPE_SAME, 0}, /* what is inside */
    {"ReversedType", CS_TYPE_CUSTOM, SHAPE_SAME, 0},
};

struct parser {
    const char *p;
    const char *end;
    struct cs_arena *arena;
    uint32_t *nodes_left;
};

static enum cs_code parse_type(struct parser *in, int depth,
                               const struct cs_type **out, struct cs_err *err);

static enum cs_code broken(const struct parser *in, const char *want,
                           struct cs_err *err)
{
    if (in->p == in->end)
        return cs_fail(err, CS_EPROTOCOL,
                       "type class: ends where %s is expected", want);
    return cs_fail(err, CS_EPROTOCOL,
                   "type class: byte 0x%02x where %s is expected",
                   (unsigned char)*in->p, want);
}

static void skip_blanks(struct parser *in)
{
    while (in->p < in->end && *in->p == ' ')
        in->p++;
}

/* Whether the next character is c; takes it. */
static bool take(struct parser *in, char c)
{
    skip_blanks(in);
    if (in->p == in->end || *in->p != c)
        return false;
    in->p++;
    return true;
}

static enum cs_code expect(struct parser *in, char c, struct cs_err *err)
{
    char want[] = {'\'', c, '\'', 0};

    return take(in, c) ? CS_OK : broken(in, want, err);
}

/* A word up to punctuation; empty at the end. */
static struct cs_view take_word(struct parser *in)
{
    static const char stops[] = {'(', ')', ',', ':', ' ', '=', '>'};
    const char *start;

    skip_blanks(in);
    start = in->p;
    while (in->p < in->end && !memchr(stops, *in->p, sizeof(stops)))
        in->p++;
    return cs_view_of(start, (size_t)(in->p - start));
}

/* Index in classes, or their count. */
static size_t find_class(struct cs_view name)
{
    const size_t package = sizeof(PACKAGE) - 1;
    size_t i = 0;

    if (name.size > package && !memcmp(name.data, PACKAGE, package)) {
        name.data += package;
        name.size -= package;
    }
    while (i < CS_COUNT(classes) && !cs_view_is(name, classes[i].name))
        i++;
    return i;
}

/* The whole word as a number of 1 to INT32_MAX, else 0. */
static uint32_t number_of(struct cs_view word)
{
    uint64_t number = 0;

    for (size_t i = 0; i < word.size; i++) {
        if (word.data[i] < '0' || word.data[i] > '9')
            return 0;
        number = number * 10 + (word.data[i] - '0');
        if (number > INT32_MAX)
            return 0;
    }
    return (uint32_t)number;
}

static enum cs_code parse_vector(struct parser *in, int depth,
                                 const struct cs_type **out, struct cs_err *err)
{
    struct cs_type *type = cs_type_new(in->arena, CS_TYPE_VECTOR, 1, err);
    enum cs_code rc;

    if (!type)
        return CS_ENOMEM;
    rc = expect(in, '(', err);
    if (!rc)
        rc = parse_type(in, depth + 1, &type->parts[0], err);
    if (!rc)
        rc = expect(in, ',', err);
    if (rc)
        return rc;
    type->dimension = number_of(take_word(in));
    if (!type->dimension)
        return cs_fail(err, CS_EPROTOCOL,
                       "type class: vector without a dimension");
    *out = type;
    return expect(in, ')', err);
}

/* How many parts stand at this level, from behind the opening parenthesis. */
static size_t count_parts(const struct parser *in)
{
    size_t count = 1;
    int depth = 0;

    for (const char *p = in->p; p < in->end && depth >= 0; p++) {
        depth += (*p == '(') - (*p == ')');
        count += *p == ',' && depth == 0;
    }
    return count;
}

static enum cs_code check_part_count(size_t which, size_t count,
                                     struct cs_err *err)
{
    size_t want = classes[which].part_count;

    if ((want && count != want) || count > PARTS_MAX)
        return cs_fail(err, CS_EPROTOCOL,
                       "type class: %s of %zu parts, expected %zu",
                       classes[which].name, count, want ? want : PARTS_MAX);
    return CS_OK;
}

static enum cs_code parse_parts(struct parser *in, int depth, size_t which,
                                const struct cs_type **out, struct cs_err *err)
{
    struct cs_type *type;
    enum cs_code rc = expect(in, '(', err);
    size_t count = rc ? 0 : count_parts(in);

    if (!rc)
        rc = check_part_count(which, count, err);
    if (rc)
        return rc;
    type = cs_type_new(in->arena, classes[which].kind, count, err);
    if (!type)
        return CS_ENOMEM;
    for (size_t i = 0; !rc && i < count; i++) {
        if (i)
            rc = expect(in, ',', err);
        if (!rc)
            rc = parse_type(in, depth + 1, &type->parts[i], err);
    }
    *out = type;
    return rc ? rc : expect(in, ')', err);
}

static int hex_digit(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Names of user types and their fields are written in hex. */
static enum cs_code take_hex(struct parser *in, const char **out,
                             struct cs_err *err)
{
    struct cs_view hex = take_word(in);
    char *text = cs_arena_alloc(in->arena, hex.size / 2 + 1);

    if (!text)
        return cs_fail(err, CS_ENOMEM, "type class: no memory");
    for (size_t i = 0; i + 1 < hex.size; i += 2) {
        int high = hex_digit(hex.data[i]);
        int low = hex_digit(hex.data[i + 1]);

        if (high < 0 || low < 0)
            return cs_fail(err, CS_EPROTOCOL,
                           "type class: a name that is not hex");
        text[i / 2] = (char)(high * 16 + low);
    }
    if (hex.size % 2)
        return cs_fail(err, CS_EPROTOCOL, "type class: half a hex byte");
    *out = text;
    return CS_OK;
}

static enum cs_code parse_fields(struct parser *in, int depth,
                                 struct cs_type *type, struct cs_err *err)
{
    const char **names =
        cs_arena_array(in->arena, type->part_count, sizeof(*names));
    enum cs_code rc = CS_OK;

    if (!names)
        return cs_fail(err, CS_ENOMEM, "type class: no memory");
    type->field_names = names;
    for (size_t i = 0; !rc && i < type->part_count; i++) {
        rc = expect(in, ',', err);
        if (!rc)
            rc = take_hex(in, &names[i], err);
        if (!rc)
            rc = expect(in, ':', err);
        if (!rc)
            rc = parse_type(in, depth + 1, &type->parts[i], err);
    }
    return rc;
}

static enum cs_code parse_udt(struct parser *in, int depth, size_t which,
                              const struct cs_type **out, struct cs_err *err)
{
    struct cs_type *type;
    struct cs_view keyspace;
    enum cs_code rc = expect(in, '(', err);
    size_t count = rc ? 0 : count_parts(in);

    if (!rc && count < 2)
        rc = broken(in, "keyspace and name of a user type", err);
    if (!rc)
        rc = check_part_count(which, count, err);
    if (rc)
        return rc;
    type = cs_type_new(in->arena, CS_TYPE_UDT, count - 2, err);
    if (!type)
        return CS_ENOMEM;
    keyspace = take_word(in);
    type->keyspace = cs_arena_bytes(in->arena, keyspace.data, keyspace.size);
    if (!type->keyspace)
        return cs_fail(err, CS_ENOMEM, "type class: no memory");
    rc = expect(in, ',', err);
    if (!rc)
        rc = take_hex(in, &type->name, err);
    if (!rc)
        rc = parse_fields(in, depth, type, err);
    *out = type;
    return rc ? rc : expect(in, ')', err);
}

/* FrozenType(x) and ReversedType(x) are x. */
static enum cs_code parse_same(struct parser *in, int depth,
                               const struct cs_type **out, struct cs_err *err)
{
    enum cs_code rc = expect(in, '(', err);

    if (!rc)
        rc = parse_type(in, depth + 1, out, err);
    if (!rc)
        rc = expect(in, ')', err);
    return rc;
}

/* A class we do not know keeps its name, with what stands in parentheses. */
static enum cs_code parse_custom(struct parser *in, struct cs_view name,
                                 const struct cs_type **out, struct cs_err *err)
{
    const char *start = (const char *)name.data;
    struct cs_type *type = cs_type_new(in->arena, CS_TYPE_CUSTOM, 0, err);
    int depth = 0;

    if (!type)
        return CS_ENOMEM;
    while (in->p < in->end && (depth || *in->p == '(')) {
        depth += (*in->p == '(') - (*in->p == ')');
        in->p++;
        if (!depth)
            break;
    }
    if (depth)
        return broken(in, "')'", err);
    type->name = cs_arena_bytes(in->arena, start, (size_t)(in->p - start));
    if (!type->name)
        return cs_fail(err, CS_ENOMEM, "type class: no memory");
    *out = type;
    return CS_OK;
}

static enum cs_code parse_class(struct parser *in, int depth, size_t which,
                                const struct cs_type **out, struct cs_err *err)
{
    switch (classes[which].shape) {
    case SHAPE_SAME:
        return parse_same(in, depth, out, err);
    case SHAPE_PARTS:
        return parse_parts(in, depth, which, out, err);
    case SHAPE_UDT:
        return parse_udt(in, depth, which, out, err);
    case SHAPE_VECTOR:
        return parse_vector(in, depth, out, err);
    case SHAPE_SIMPLE:
    default:
        *out = cs_type_new(in->arena, classes[which].kind, 0, err);
        return *out ? CS_OK : CS_ENOMEM;
    }
}

static enum cs_code parse_type(struct parser *in, int depth,
                               const struct cs_type **out, struct cs_err *err)
{
    struct cs_view name = take_word(in);
    size_t which = find_class(name);
    enum cs_code rc = cs_type_nodes_take(in->nodes_left, 1, err);

    if (rc)
        return rc;
    if (depth >= CS_TYPE_DEPTH_MAX)
        return cs_fail(err, CS_EPROTOCOL, "type class: nested deeper than %d",
                       CS_TYPE_DEPTH_MAX);
    if (!name.size)
        return broken(in, "a class name", err);
    if (which == CS_COUNT(classes))
        return parse_custom(in, name, out, err);
    return parse_class(in, depth, which, out, err);
}

enum cs_code cs_class_name_read(struct cs_view text, struct cs_arena *arena,
                                uint32_t *nodes_left,
                                const struct cs_type **out, struct cs_err *err)
{
    const char *start = text.data ? (const char *)text.data : "";
    struct parser in = {
        .p = start,
        .end = start + text.size,
        .arena = arena,
        .nodes_left = nodes_left,
    };
    const struct cs_type *type = NULL;
    enum cs_code rc = parse_type(&in, 0, &type, err);

    if (rc)
        return rc;
    skip_blanks(&in);
    if (in.p != in.end)
        return broken(&in, "the end", err);
    *out = type;
    return CS_OK;
}
