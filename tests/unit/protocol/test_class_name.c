/* test_class_name.c - types given as names of Java classes. */
#include "meaning.h"
#include "protocol/option.h"

#define P "org.apache.cassandra.db.marshal."

static const struct {
    const char *text;
    const char *want; /* as JSON, NULL: refused */
} rows[] = {
    {P "SimpleDateType", "\"0x11\""},
    {P "TimeType", "\"0x12\""},
    {P "ShortType", "\"0x13\""},
    {P "ByteType", "\"0x14\""},
    {P "DurationType", "\"0x15\""},
    {"Int32Type", "\"0x9\""},
    {" Int32Type ", "\"0x9\""},
    {P "VectorType(" P "FloatType , 3)", "[\"vector\",\"0x8\",3]"},
    {P "VectorType(" P "FloatType,3)", "[\"vector\",\"0x8\",3]"},
    {P "VectorType(" P "FrozenType(" P "ListType(" P "Int32Type)) , 2)",
     "[\"vector\",[\"list\",\"0x9\"],2]"},
    {P "FrozenType(" P "MapType(" P "UTF8Type," P "LongType))",
     "[\"map\",\"0xd\",\"0x2\"]"},
    {P "ReversedType(" P "TimeUUIDType)", "\"0xf\""},
    {P "SetType(" P "DateType)", "[\"set\",\"0xb\"]"},
    {P "TupleType(Int32Type,UTF8Type)", "[\"tuple\",[\"0x9\",\"0xd\"]]"},
    {P "UserType(ks,75,61:Int32Type,C3B3:ListType(UTF8Type))",
     "[\"udt\",\"ks\",\"u\",[[\"a\",\"0x9\"],[\"\xC3\xB3\","
     "[\"list\",\"0xd\"]]]]"},
    {P "EmptyType", "\"custom\""},
    {P "DynamicCompositeType(a=>" P "BytesType,b=>" P "AsciiType)",
     "\"custom\""},
    {"com.example.Odd(x(y),z)", "\"custom\""},
    {P "LegacyTimeUUIDType", "\"0xf\""},
    {"", NULL},
    {"(", NULL},
    {"ListType", NULL},
    {"ListType(", NULL},
    {"ListType()", NULL},
    {"ListType(Int32Type", NULL},
    {"ListType(Int32Type))", NULL},
    {"ListType(Int32Type,Int32Type)", NULL},
    {"MapType(Int32Type)", NULL},
    {"Int32Type,Int32Type", NULL},
    {"VectorType(FloatType)", NULL},
    {"VectorType(FloatType,)", NULL},
    {"VectorType(FloatType,0)", NULL},
    {"VectorType(FloatType,x)", NULL},
    {"VectorType(FloatType,99999999999)", NULL},
    {"VectorType(FloatType,3x)", NULL},
    {"UserType(ks)", NULL},
    {"UserType(ks,7)", NULL},
    {"UserType(ks,zz)", NULL},
    {"UserType(ks,75,61)", NULL},
    {"UserType(ks,75,61Int32Type)", NULL},
    {"com.example.Odd(x(y)", NULL},
};

static enum cs_code read_text(const char *text, uint32_t nodes, json_t **out)
{
    const struct cs_type *type;
    struct cs_arena arena;
    enum cs_code rc;

    cs_arena_init(&arena);
    rc = cs_class_name_read(cs_view_text(text), &arena, &nodes, &type, NULL);
    *out = rc ? NULL : meaning_type(type);
    cs_arena_release(&arena);
    return rc;
}

static void reads_class_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        json_t *want = NULL;
        json_t *got;
        enum cs_code rc = read_text(rows[i].text, 100, &got);

        if (rc && rows[i].want)
            fail_msg("%s: refused", rows[i].text);
        if (!rc && !rows[i].want)
            fail_msg("%s: taken", rows[i].text);
        if (!rc) {
            want = json_loads(rows[i].want, JSON_DECODE_ANY, NULL);
            assert_non_null(want);
            if (!json_equal(got, want))
                fail_msg("%s: %s", rows[i].text,
                         json_dumps(got, JSON_ENCODE_ANY));
        }
        json_decref(got);
        json_decref(want);
    }
}

static void keeps_the_whole_name_of_an_unknown_class(void **state)
{
    const struct cs_type *type;
    struct cs_arena arena;
    uint32_t nodes = 1;

    (void)state;
    cs_arena_init(&arena);
    assert_int_equal(cs_class_name_read(cs_view_text("a.B(c(d),e)"), &arena,
                                        &nodes, &type, NULL),
                     CS_OK);
    assert_int_equal(type->kind, CS_TYPE_CUSTOM);
    assert_string_equal(type->name, "a.B(c(d),e)");
    assert_int_equal(nodes, 0);
    cs_arena_release(&arena);
}

static void refuses_depth_and_number(void **state)
{
    char text[16 * CS_TYPE_DEPTH_MAX] = "";
    json_t *json;

    (void)state;
    for (int i = 0; i < CS_TYPE_DEPTH_MAX; i++)
        strcat(text, "SetType(");
    strcat(text, "Int32Type");
    for (int i = 0; i < CS_TYPE_DEPTH_MAX; i++)
        strcat(text, ")");
    assert_int_equal(read_text(text, 1000, &json), CS_EPROTOCOL);
    assert_int_equal(read_text("TupleType(Int32Type,Int32Type)", 2, &json),
                     CS_EPROTOCOL);
    assert_int_equal(read_text("TupleType(Int32Type,Int32Type)", 3, &json),
                     CS_OK);
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_class_names),
        cmocka_unit_test(keeps_the_whole_name_of_an_unknown_class),
        cmocka_unit_test(refuses_depth_and_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
