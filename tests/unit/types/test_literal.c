/* test_literal.c - values as CQL and as plain text. */
#include "types/literal.h"

#include "support/types.h"
#include "support/vectors.h"

struct row {
    const char *type;
    const char *hex; /* NULL: null */
    const char *cql;
    const char *plain; /* NULL: the same */
};

static const struct row numbers[] = {
    {"int", NULL, "null", NULL},
    {"int", "00000005", "5", NULL},
    {"int", "80000000", "-2147483648", NULL},
    {"int", "", "blobAsInt(0x)", ""},
    {"int", "0005", "0x0005", NULL}, /* no value of the type */
    {"bigint", "8000000000000000", "-9223372036854775808", NULL},
    {"counter", "0000000000000007", "7", NULL},
    {"smallint", "ff85", "-123", NULL},
    {"smallint", "", "0x", NULL}, /* this type is never empty */
    {"tinyint", "7f", "127", NULL},
    {"boolean", "00", "false", NULL},
    {"boolean", "01", "true", NULL},
    {"boolean", "02", "blobAsBoolean(0x02)", "true"},
    {"boolean", "0001", "0x0001", NULL},
    {"varint", "00", "0", NULL},
    {"varint", "ff", "-1", NULL},
    {"varint", "0080", "128", NULL},
    {"varint", "80", "-128", NULL},
    {"varint", "0005", "blobAsVarint(0x0005)", "5"}, /* not the shortest */
    {"varint", "ffff", "blobAsVarint(0xffff)", "-1"},
    {"varint", "", "blobAsVarint(0x)", ""},
    {"varint", "0de0b6b3a7640000", "1000000000000000000", NULL},
    {"varint", "00ffffffffffffffff", "18446744073709551615", NULL},
    {"varint", "ff0000000000000000", "-18446744073709551616", NULL},
    {"varint", "009f4f2726179a224501d762422c946590d91000000000000000",
     "1000000000000000000000000000000000000000000000000000000000000", NULL},
    {"decimal", "0000000000", "0", NULL},
    {"decimal", "0000000205", "0.05", NULL},
    {"decimal", "00000002fb", "-0.05", NULL},
    {"decimal", "000000023039", "123.45", NULL},
    {"decimal", "0000000200", "0.00", NULL}, /* the scale is kept */
    {"decimal", "fffffffd05", "5E3", NULL},
    {"decimal", "0000006405", "5E-100", NULL},
    {"decimal", "7fffffff05", "blobAsDecimal(0x7fffffff05)", "0x7fffffff05"},
    {"decimal", "000000020005", "blobAsDecimal(0x000000020005)", "0.05"},
    {"decimal", "00000002", "0x00000002", NULL},
    {"float", "3dcccccd", "0.1", NULL},
    {"float", "501502f9", "1.0E10", NULL},
    {"float", "80000000", "-0.0", NULL},
    {"float", "00000001", "1.0E-45", NULL},
    {"float", "7fc00000", "NaN", NULL},
    {"float", "7fc00001", "blobAsFloat(0x7fc00001)", "NaN"},
    {"float", "ff800000", "-Infinity", NULL},
    {"double", "3fb999999999999a", "0.1", NULL},
    {"double", "7ff0000000000000", "Infinity", NULL},
    {"double", "7ff8000000000000", "NaN", NULL},
    {"double", "fff8000000000000", "blobAsDouble(0xfff8000000000000)", "NaN"},
    {"double", "3fb99999", "0x3fb99999", NULL},
};

static const struct row times[] = {
    {"date", "80000000", "'1970-01-01'", "1970-01-01"},
    {"date", "80004d46", "'2024-02-29'", "2024-02-29"},
    {"date", "7ff506c6", "'0001-01-01'", "0001-01-01"},
    {"date", "7ff506c5", "blobAsDate(0x7ff506c5)", "0000-12-31"},
    {"date", "802cc0a0", "'9999-12-31'", "9999-12-31"},
    {"date", "802cc0a1", "blobAsDate(0x802cc0a1)", "10000-01-01"},
    {"date", "00000000", "blobAsDate(0x00000000)", "-5877641-06-23"},
    {"date", "", "0x", NULL},
    {"time", "0000000000000000", "'00:00:00.000000000'", "00:00:00.000000000"},
    {"time", "00004e94914effff", "'23:59:59.999999999'", "23:59:59.999999999"},
    {"time", "00004e94914f0000", "blobAsTime(0x00004e94914f0000)",
     "86400000000000"},
    {"time", "ffffffffffffffff", "blobAsTime(0xffffffffffffffff)", "-1"},
    {"timestamp", "0000000000000000", "0", "1970-01-01 00:00:00.000+0000"},
    {"timestamp", "ffffffffffffffff", "-1", "1969-12-31 23:59:59.999+0000"},
    {"timestamp", "0000018bcfe56800", "1700000000000",
     "2023-11-14 22:13:20.000+0000"},
    {"timestamp", "8000000000000000", "-9223372036854775808", NULL},
    {"timestamp", "", "blobAsTimestamp(0x)", ""},
    {"duration", "000000", "0ns", NULL},
    {"duration", "0e1efbfe4f98f200", "7mo15d2195396000000ns", NULL},
    {"duration", "010000", "-1mo", NULL},
    {"duration", "000001", "-1ns", NULL},
    {"duration", "000100", "-1d", NULL},
    {"duration", "0102", "0x0102", NULL},
    {"duration", "020100", "0x020100", NULL},     /* two signs */
    {"duration", "80000000", "0x80000000", NULL}, /* not the shortest */
    {"duration", "f1ffffffff0000",
     "0x"
     "f1ffffffff0000",
     NULL}, /* 33 bits */
    {"duration", "0000ffffffffffffffffff",
     "blobAsDuration(0x0000ffffffffffffffffff)", "0x0000ffffffffffffffffff"},
};

static const struct row texts[] = {
    {"text", "", "''", ""},
    {"text", "6162", "'ab'", "ab"},
    {"text", "612762", "'a''b'", "a'b"},
    {"text", "c3a4e282acf09f9880", "'\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80'",
     "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"},
    {"text", "610a62", "blobAsText(0x610a62)", "a\\nb"},
    {"text", "61001f7f09", "blobAsText(0x61001f7f09)", "a\\x00\\x1f\\x7f\\t"},
    {"text", "c3", "0xc3", NULL},         /* cut off */
    {"text", "c0af", "0xc0af", NULL},     /* overlong */
    {"text", "eda080", "0xeda080", NULL}, /* a surrogate */
    {"text", "edbfbf", "0xedbfbf", NULL}, /* the last surrogate */
    {"text", "ee8080", "'\xee\x80\x80'", "\xee\x80\x80"},
    {"text", "f4908080", "0xf4908080", NULL}, /* past U+10FFFF */
    {"text", "e28228", "0xe28228", NULL},     /* broken in the middle */
    {"text", "f8888080", "0xf8888080", NULL},
    {"text", "0d0a", "blobAsText(0x0d0a)", "\\r\\n"},
    {"text", "80", "0x80", NULL},
    {"ascii", "41", "'A'", "A"},
    {"ascii", "c3a4", "0xc3a4", NULL},
    {"blob", "", "0x", NULL},
    {"blob", "00ff", "0x00ff", NULL},
    {"uuid", "00112233445566778899aabbccddeeff",
     "00112233-4455-6677-8899-aabbccddeeff", NULL},
    {"uuid", "0011", "0x0011", NULL},
    {"timeuuid", "00112233445516778899aabbccddeeff",
     "00112233-4455-1677-8899-aabbccddeeff", NULL},
    {"timeuuid", "00112233445546778899aabbccddeeff",
     "0x00112233445546778899aabbccddeeff", NULL}, /* version 4 */
    {"timeuuid", "", "blobAsTimeuuid(0x)", ""},
    {"inet", "7f000001", "'127.0.0.1'", "127.0.0.1"},
    {"inet", "20010db8000000000000000000000001", "'2001:db8::1'",
     "2001:db8::1"},
    {"inet", "00000000000000000000ffff7f000001",
     "blobAsInet(0x00000000000000000000ffff7f000001)", "::ffff:127.0.0.1"},
    {"inet", "7f0000", "0x7f0000", NULL},
    {"'some.Class'", "0102", "0x0102", NULL},
};

static const struct row nested[] = {
    {"list<int>", "00000000", "[]", NULL},
    {"list<int>", "00000002000000040000000100000004ffffffff", "[1, -1]", NULL},
    {"list<int>", "0000000100000000", "[blobAsInt(0x)]", "[]"},
    {"list<int>", "00000001ffffffff", "0x00000001ffffffff", NULL}, /* null */
    {"list<int>", "0000000100000002", "0x0000000100000002", NULL},
    {"list<int>", "ffffffff", "0xffffffff", NULL},
    {"list<int>", "7fffffff", "0x7fffffff", NULL},
    {"list<int>", "", "0x", NULL},
    {"list<int>", "0000000000", "0x0000000000", NULL}, /* a byte too many */
    /* the first part is right, the second is not: taken back */
    {"list<int>", "00000002000000040000000100000001ff",
     "0x00000002000000040000000100000001ff", NULL},
    {"set<text>", "00000002000000016100000000", "{'a', ''}", "{a, }"},
    {"set<text>", "00000000", "{}", NULL},
    {"map<text, int>", "0000000100000001610000000400000001", "{'a': 1}",
     "{a: 1}"},
    {"map<text, int>", "000000010000000161", "0x000000010000000161", NULL},
    {"tuple<int, text>", "00000004000000010000000161", "(1, 'a')", "(1, a)"},
    {"tuple<int, text>", "ffffffff0000000161", "(null, 'a')", "(null, a)"},
    {"tuple<int, text>", "0000000400000001", "(1)", NULL}, /* one is missing */
    {"tuple<int, text>", "", "0x", NULL},
    {"tuple<int>", "ffffffffffffffff", "0xffffffffffffffff", NULL},
    {"tuple<int>", "0000000400", "0x0000000400", NULL},
    {"address", "00000001610000000400000007ffffffff",
     "{street: 'a', number: 7, \"Since\": null}",
     "{street: a, number: 7, \"Since\": null}"},
    {"address", "0000000161", "{street: 'a'}", "{street: a}"},
    {"frozen<\"Odd\">",
     "0000000500000001"
     "61",
     "{a: {street: 'a'}}", "{a: {street: a}}"},
    {"vector<float, 3>", "3f800000400000003fc00000", "[1.0, 2.0, 1.5]", NULL},
    {"vector<float, 3>", "3f80000040000000", "0x3f80000040000000", NULL},
    {"vector<float, 1>", "3f80000000", "0x3f80000000", NULL},
    {"vector<smallint, 2>", "02000102ffff", "[1, -1]", NULL},
    {"vector<text, 2>", "0261620163", "['ab', 'c']", "[ab, c]"},
    {"vector<text, 1>", "ffffffffffffffffff", "0xffffffffffffffffff", NULL},
    {"vector<vector<int, 1>, 2>", "0000000100000002", "[[1], [2]]", NULL},
    {"list<frozen<list<int>>>", "000000010000000c000000010000000400000001",
     "[[1]]", NULL},
};

static void check(const struct row *row, struct cs_arena *arena)
{
    const struct cs_type *type = NULL;
    const char *want = row->plain ? row->plain : row->cql;
    struct cs_err err;
    struct cs_buf buf;
    uint8_t *bytes;
    size_t size;
    int32_t wire;

    if (cs_type_parse(row->type, arena, find_test_udt, NULL, &type, &err))
        fail_msg("%s", err.text);
    bytes = vector_hex(row->hex ? row->hex : "", &size);
    wire = row->hex ? (int32_t)size : -1;
    cs_buf_init(&buf, 10000);
    cs_buf_puts(&buf, "x=");
    cs_literal_put(&buf, type, bytes, wire);
    if (strcmp(cs_buf_text(&buf) + 2, row->cql))
        fail_msg("%s %s: got %s, want %s", row->type, row->hex,
                 cs_buf_text(&buf), row->cql);
    cs_buf_clear(&buf);
    cs_literal_put_plain(&buf, type, bytes, wire);
    if (strcmp(cs_buf_text(&buf), want))
        fail_msg("%s %s plain: got %s, want %s", row->type, row->hex,
                 cs_buf_text(&buf), want);
    cs_buf_release(&buf);
    free(bytes);
}

static void check_rows(const struct row *rows, size_t count)
{
    struct cs_arena arena;

    cs_arena_init(&arena);
    for (size_t i = 0; i < count; i++)
        check(&rows[i], &arena);
    cs_arena_release(&arena);
}

static void writes_numbers(void **state)
{
    (void)state;
    check_rows(numbers, CS_COUNT(numbers));
}

static void writes_times(void **state)
{
    (void)state;
    check_rows(times, CS_COUNT(times));
}

static void writes_texts(void **state)
{
    (void)state;
    check_rows(texts, CS_COUNT(texts));
}

static void writes_values_with_parts(void **state)
{
    (void)state;
    check_rows(nested, CS_COUNT(nested));
}

static void writes_a_varint_of_any_length(void **state)
{
    const struct cs_type *type = cs_type_simple(CS_TYPE_VARINT);
    static uint8_t bytes[4000];
    struct cs_buf buf;

    (void)state;
    memset(bytes, 0x7f, sizeof(bytes));
    cs_buf_init(&buf, 100000);
    cs_literal_put(&buf, type, bytes, 1024);
    assert_int_equal(buf.size, 2466); /* digits of 0x7f7f... */
    cs_buf_clear(&buf);
    cs_literal_put(&buf, type, bytes, sizeof(bytes));
    assert_true(!strncmp(cs_buf_text(&buf), "blobAsVarint(0x7f7f", 19));
    cs_buf_release(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_numbers),
        cmocka_unit_test(writes_times),
        cmocka_unit_test(writes_texts),
        cmocka_unit_test(writes_values_with_parts),
        cmocka_unit_test(writes_a_varint_of_any_length),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
