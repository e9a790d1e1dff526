/* test_type.c - types as text, their sizes, and equality. */
#include "types/type.h"

#include "support/type_fixture.h"

static const struct cs_type *parse(struct fixture *f, const char *text)
{
    const struct cs_type *type = NULL;

    if (cs_type_parse(text, &f->arena, find_test_udt, NULL, &type, &f->err))
        fail_msg("%s", f->err.text);
    return type;
}

static const char *put(struct fixture *f, const struct cs_type *type)
{
    cs_buf_clear(&f->buf);
    cs_type_put(&f->buf, type);
    return cs_buf_text(&f->buf);
}

static void reads_and_writes_every_type(void **state)
{
    static const struct {
        const char *text;
        const char *want;
    } rows[] = {
        {"int", "int"},
        {" BigInt ", "bigint"},
        {"varchar", "text"},
        {"list<int>", "list<int>"},
        {"set < varchar >", "set<text>"},
        {"MAP<text,frozen<list<int>>>", "map<text, frozen<list<int>>>"},
        {"frozen<tuple<int,text,boolean>>",
         "frozen<tuple<int, text, boolean>>"},
        {"tuple<int, tuple<int, map<int,int>>, 'a,b>'>",
         "tuple<int, tuple<int, map<int, int>>, 'a,b>'>"},
        {"vector<float, 3>", "vector<float, 3>"},
        {"vector<vector<text,2>\n, 10>", "vector<vector<text, 2>, 10>"},
        {"frozen<address>", "frozen<address>"},
        {"Address", "address"},
        {"ks.address", "address"},
        {"\"My ks\" . \"Odd\"", "\"Odd\""},
        {"list<frozen<\"Odd\">>", "list<frozen<\"Odd\">>"},
        {"'org.apache.cassandra.db.marshal.LexicalUUIDType'",
         "'org.apache.cassandra.db.marshal.LexicalUUIDType'"},
        {"'it''s'", "'it''s'"},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < CS_COUNT(rows); i++)
        assert_string_equal(put(f, parse(f, rows[i].text)), rows[i].want);
}

static void reads_every_simple_word(void **state)
{
    struct fixture *f = *state;

    for (int kind = 0; kind < CS_TYPE_LIST; kind++) {
        const char *word = cs_type_word((enum cs_type_kind)kind);

        assert_ptr_equal(parse(f, word),
                         cs_type_simple((enum cs_type_kind)kind));
        assert_string_equal(put(f, parse(f, word)), word);
    }
}

static void refuses_with_a_reason(void **state)
{
    static const struct {
        const char *text;
        const char *want;
    } rows[] = {
        {"", "type '': ends early, expected a type"},
        {"txt", "type 'txt': unknown type 'txt', try 'text'"},
        {"somewhere", "no user type of that name is known"},
        {"\"int\"", "unknown type 'int'"}, /* quoted: a user type */
        {"list", "ends early, expected '<'"},
        {"list<>", "found '>', expected a type"},
        {"list<int", "ends early, expected '>'"},
        {"list<int, text>", "found ', text>', expected '>'"},
        {"map<int>", "found '>', expected ','"},
        {"int text", "found 'text' behind the type"},
        {"int>", "found '>' behind the type"},
        {"tuple<>", "found '>', expected a type"},
        {"tuple<int,>", "found '>', expected a type"},
        {"vector<float>", "found '>', expected ','"},
        {"vector<float, x>", "found 'x>', expected the vector's dimension"},
        {"vector<float, 0>", "expected 1 to 2147483647"},
        {"vector<float, 99999999999999999999>", "expected 1 to 2147483647"},
        {"vector<vector<float, 100000>, 100000>", "at most 2147483647 in all"},
        {"frozen<int>", "frozen<int>, expected a collection, tuple or"},
        {"\"a", "no closing \""},
        {"''", "a name of 0 characters"},
        {"ks.", "ends early"},
        {"9x", "found '9x', expected a type"},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        const struct cs_type *type = NULL;

        assert_int_equal(cs_type_parse(rows[i].text, &f->arena, find_test_udt,
                                       NULL, &type, &f->err),
                         CS_EINVALID);
        if (!strstr(f->err.text, rows[i].want))
            fail_msg("'%s': '%s' does not say '%s'", rows[i].text, f->err.text,
                     rows[i].want);
        assert_null(type);
    }
}

static void knows_no_user_types_without_find(void **state)
{
    struct fixture *f = *state;
    const struct cs_type *type;

    assert_int_equal(
        cs_type_parse("address", &f->arena, NULL, NULL, &type, &f->err),
        CS_EINVALID);
}

/* "list<list<...int...>>" of so many types. */
static const char *nested(struct fixture *f, unsigned depth)
{
    cs_buf_clear(&f->buf);
    for (unsigned i = 1; i < depth; i++)
        cs_buf_puts(&f->buf, "list<");
    cs_buf_puts(&f->buf, "int");
    for (unsigned i = 1; i < depth; i++)
        cs_buf_puts(&f->buf, ">");
    return cs_buf_text(&f->buf);
}

static void stops_at_the_depth_limit(void **state)
{
    struct fixture *f = *state;
    const struct cs_type *type;

    parse(f, nested(f, CS_TYPE_DEPTH_MAX));
    assert_int_equal(cs_type_parse(nested(f, CS_TYPE_DEPTH_MAX + 1), &f->arena,
                                   NULL, NULL, &type, &f->err),
                     CS_EINVALID);
    assert_non_null(strstr(f->err.text, "nested deeper than 32 types"));
}

/* Each user type holds the one before twice: 2^24 nodes when unfolded. */
static struct cs_type doubling[25];
static const struct cs_type *doubling_parts[25][2];

static const struct cs_type *find_doubling(void *ctx, const char *name)
{
    (void)ctx;
    (void)name;
    for (size_t i = 1; i < CS_COUNT(doubling); i++) {
        doubling_parts[i][0] = doubling_parts[i][1] = &doubling[i - 1];
        doubling[i] = (struct cs_type){
            .kind = CS_TYPE_TUPLE, .part_count = 2, .parts = doubling_parts[i]};
    }
    return &doubling[CS_COUNT(doubling) - 1];
}

static void stops_at_the_size_limit(void **state)
{
    struct fixture *f = *state;
    const struct cs_type *type;

    assert_int_equal(
        cs_type_parse("big", &f->arena, find_doubling, NULL, &type, &f->err),
        CS_EINVALID);
    assert_non_null(strstr(f->err.text, "more than 4096 parts"));
}

static void knows_sizes(void **state)
{
    static const struct {
        const char *text;
        size_t fixed, item;
    } rows[] = {
        {"bigint", 8, 8},
        {"boolean", 1, 1},
        {"float", 4, 4},
        {"uuid", 16, 16},
        {"timestamp", 8, 8},
        {"smallint", 2, 0}, /* bare nowhere */
        {"tinyint", 1, 0},
        {"date", 4, 0},
        {"time", 8, 0},
        {"text", 0, 0},
        {"inet", 0, 0},
        {"list<int>", 0, 0},
        {"tuple<int>", 0, 0},
        {"vector<float, 3>", 12, 12},
        {"vector<vector<float, 3>, 2>", 24, 24},
        {"vector<smallint, 2>", 0, 0},
        {"vector<text, 2>", 0, 0},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        const struct cs_type *type = parse(f, rows[i].text);

        assert_int_equal(cs_type_fixed_size(type), rows[i].fixed);
        assert_int_equal(cs_type_vector_item_size(type), rows[i].item);
    }
}

static void tells_types_apart(void **state)
{
    static const struct {
        const char *a, *b;
        bool equal;
    } rows[] = {
        {"varchar", "text", true},
        {"list<int>", "list<int>", true},
        {"list<int>", "frozen<list<int>>", false},
        {"tuple<int>", "frozen<tuple<int>>", true}, /* always frozen */
        {"list<int>", "set<int>", false},
        {"list<int>", "list<bigint>", false},
        {"tuple<int>", "tuple<int, int>", false},
        {"vector<int, 2>", "vector<int, 3>", false},
        {"address", "address", true},
        {"address", "\"Odd\"", false},
        {"'a'", "'b'", false},
        {"'a'", "'a'", true},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < CS_COUNT(rows); i++)
        assert_int_equal(
            cs_type_equal(parse(f, rows[i].a), parse(f, rows[i].b)),
            rows[i].equal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reads_and_writes_every_type, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(reads_every_simple_word, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(refuses_with_a_reason, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(knows_no_user_types_without_find,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(stops_at_the_depth_limit, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(stops_at_the_size_limit, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(knows_sizes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tells_types_apart, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
