/* test_describe.c - the profile's part of the settings dump, byte for byte. */
#include "profile_fixture.h"

static void expect(const char *yaml, const char *want)
{
    struct parsed p = parse_good(yaml);
    struct cs_buf buf;

    cs_buf_init(&buf, 1 << 16);
    cs_profile_describe(&buf, p.profile);
    assert_string_equal(cs_buf_text(&buf), want);
    cs_buf_release(&buf);
    parsed_release(&p);
}

static void prints_what_is_there(void **state)
{
    (void)state;
    expect("keyspace: ks\n"
           "keyspace_definition: |\n"
           "  CREATE KEYSPACE ks\n"
           "    WITH x;\n"
           "table: t\n"
           "table_definition: CREATE TABLE t (a int PRIMARY KEY);\n"
           "extra_definitions: [CREATE INDEX a, CREATE INDEX b]\n"
           "columnspec:\n"
           "- {name: a, population: fixed(3), size: 'uniform(1..9)', cluster: "
           "fixed(2)}\n"
           "- {name: b}\n"
           "insert: {partitions: fixed(10), batchtype: }\n"
           "queries:\n"
           "  q: {cql: select 1, fields: SameRow, consistencyLevel: one}\n"
           "  r: {cql: select 2, serialConsistencyLevel: serial}\n"
           "token_range_queries: {s: {columns: '*'}}\n",
           "  Keyspace Name: ks\n"
           "  Keyspace CQL: \n"
           "***\n"
           "CREATE KEYSPACE ks\n"
           "  WITH x;\n"
           "***\n"
           "\n"
           "  Table Name: t\n"
           "  Table CQL: \n"
           "***\n"
           "CREATE TABLE t (a int PRIMARY KEY);***\n"
           "\n"
           "  Extra Schema Definitions: [CREATE INDEX a, CREATE INDEX b]\n"
           "  Generator Configs:\n"
           "    a: Clustering: Fixed:  key=2;Size: Uniform:  "
           "min=1,max=9;Identity: Fixed:  key=3;\n"
           "    b: \n"
           "  Query Definitions:\n"
           "    q: CQL:select 1;Fields:SameRow;consistencyLevel:ONE;\n"
           "    r: CQL:select 2;Fields:null;serialConsistencyLevel:SERIAL;\n"
           "  Token Range Queries:\n"
           "    s: Columns:*;\n"
           "  Insert Settings:\n"
           "    partitions: fixed(10)\n"
           "    batchtype: null\n");
}

static void prints_null_for_what_is_not_there(void **state)
{
    (void)state;
    expect(HEAD, "  Keyspace Name: ks\n"
                 "  Keyspace CQL: \n"
                 "***\n"
                 "null***\n"
                 "\n"
                 "  Table Name: t\n"
                 "  Table CQL: \n"
                 "***\n"
                 "null***\n"
                 "\n"
                 "  Extra Schema Definitions: null\n"
                 "  Generator Configs:\n"
                 "  Query Definitions:\n"
                 "  Token Range Queries:\n"
                 "  Insert Settings:\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_what_is_there),
        cmocka_unit_test(prints_null_for_what_is_not_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
