/* test_profile.c - what a profile says arrives in the struct, whatever way of
 * writing YAML its author chose. */
#include "profile_fixture.h"

static void reads_every_key_of_the_root(void **state)
{
    struct parsed p = parse_good("specname: orders\n"
                                 "keyspace: shop\n"
                                 "keyspace_definition: |\n"
                                 "  CREATE KEYSPACE shop WITH replication = "
                                 "{'class': 'SimpleStrategy'};\n"
                                 "table: orders\n"
                                 "table_definition: CREATE TABLE orders (id "
                                 "int PRIMARY KEY)\n"
                                 "extra_definitions:\n"
                                 "- CREATE INDEX a ON orders (id);\n"
                                 "- |\n"
                                 "  CREATE INDEX b\n"
                                 "    ON orders (id)\n"
                                 "- \"CREATE INDEX c ON orders (id)\"\n"
                                 "queries: {}\n");
    const struct cs_profile *profile = p.profile;

    (void)state;
    assert_string_equal(profile->path, "t.yaml");
    assert_string_equal(profile->spec_name, "orders");
    assert_string_equal(profile->keyspace_definition,
                        "CREATE KEYSPACE shop WITH replication = {'class': "
                        "'SimpleStrategy'};\n");
    assert_int_equal(profile->keyspace_definition_place.line, 3);
    assert_int_equal(profile->table_definition_place.line, 6);
    assert_true(profile->has_extra);
    assert_int_equal(profile->extra_count, 3);
    assert_string_equal(profile->extra_definitions[0],
                        "CREATE INDEX a ON orders (id);");
    assert_string_equal(profile->extra_definitions[1],
                        "CREATE INDEX b\n  ON orders (id)\n");
    assert_string_equal(profile->extra_definitions[2],
                        "CREATE INDEX c ON orders (id)");
    assert_int_equal(profile->extra_places[2].line, 12);
    assert_int_equal(p.warnings.size, 0);
    parsed_release(&p);
}

static void leaves_out_what_is_not_given(void **state)
{
    struct parsed p = parse_good(HEAD "extra_definitions:\ncolumnspec:\n"
                                      "insert:\ntoken_range_queries:\n");
    const struct cs_profile *profile = p.profile;

    (void)state;
    assert_string_equal(profile->spec_name, "ks.t");
    assert_null(profile->keyspace_definition);
    assert_null(profile->table_definition);
    assert_false(profile->has_extra);
    assert_int_equal(profile->column_count, 0);
    assert_int_equal(profile->query_count, 0);
    assert_int_equal(profile->token_range_count, 0);
    assert_int_equal(profile->insert.batch_type, CS_BATCH_UNSET);
    assert_false(profile->insert.has_partitions);
    assert_false(profile->insert.has_select);
    assert_null(profile->insert.condition);
    parsed_release(&p);
}

static void names_are_those_of_the_server(void **state)
{
    static const struct {
        const char *text;
        const char *keyspace, *table;
    } rows[] = {
        /* no definition: as CQL reads a bare name */
        {"keyspace: Ks\ntable: T1\nqueries: {}\n", "ks", "t1"},
        {"keyspace: '\"Ks\"'\ntable: '\"a\"\"b\"'\nqueries: {}\n", "Ks",
         "a\"b"},
        /* the definition decides */
        {"keyspace: ks\nkeyspace_definition: CREATE KEYSPACE \"Ks\" WITH x\n"
         "table: t\ntable_definition: create table \"T\" (a int primary key)\n"
         "queries: {}\n",
         "Ks", "T"},
        {"keyspace: KS\nkeyspace_definition: create keyspace if not exists Ks "
         "with x\n"
         "table: T\ntable_definition: create columnfamily KS.T (a int primary "
         "key)\nqueries: {}\n",
         "ks", "t"},
        {"keyspace: '\"Ks\"'\nkeyspace_definition: CREATE KEYSPACE \"Ks\" WITH "
         "x\ntable: t\nqueries: {}\n",
         "Ks", "t"},
        /* words that YAML 1.1 takes for something else */
        {"keyspace: yes\ntable: no\nqueries: {}\n", "yes", "no"},
        {"keyspace: on\ntable: 0x10\nqueries: {}\n", "on", "0x10"},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct parsed p = parse_good(rows[i].text);

        assert_string_equal(p.profile->keyspace_name, rows[i].keyspace);
        assert_string_equal(p.profile->table_name, rows[i].table);
        parsed_release(&p);
    }
}

static void the_name_in_a_comment_is_not_the_table(void **state)
{
    struct parsed p =
        parse_good("keyspace: ks   # not: other\n"
                   "table: notes\n"
                   "table_definition: |\n"
                   "  // was: CREATE TABLE old_notes (id int)\n"
                   "  CREATE TABLE IF NOT EXISTS notes (  -- the table\n"
                   "    id int PRIMARY KEY /* key */\n"
                   "  ) WITH comment = 'see ticket #12';\n"
                   "queries: {}\n");

    (void)state;
    assert_string_equal(p.profile->table_name, "notes");
    assert_non_null(strstr(p.profile->table_definition, "'see ticket #12'"));
    assert_non_null(strstr(p.profile->table_definition, "-- the table\n"));
    parsed_release(&p);
}

static void reads_columns(void **state)
{
    struct parsed p = parse_good(HEAD "columnspec:\n"
                                      "  - name: id\n"
                                      "    population: uniform(1..1M)\n"
                                      "  - {Name: C0, SIZE: fixed(128)}\n"
                                      "  - name: ck\n"
                                      "    cluster: uniform(20...40)\n"
                                      "    size:\n"
                                      "  - name: 12\n"
                                      "    family: 6\n");
    const struct cs_column_spec *c = p.profile->columns;

    (void)state;
    assert_int_equal(p.profile->column_count, 4);
    assert_string_equal(c[0].name, "id");
    assert_true(c[0].has_population && !c[0].has_size && !c[0].has_cluster);
    assert_int_equal(c[0].population.kind, CS_DIST_UNIFORM);
    assert_int_equal(c[0].population.max, 1000000);
    assert_string_equal(c[1].name, "C0");
    assert_true(c[1].has_size);
    assert_int_equal(c[1].size.min, 128);
    assert_int_equal(c[1].place.line, 7);
    assert_true(c[2].has_cluster && !c[2].has_size);
    assert_int_equal(c[2].cluster.max, 40);
    assert_string_equal(c[3].name, "12");
    assert_int_equal(c[0].family, 0);
    assert_int_equal(c[3].family, 6);
    parsed_release(&p);
}

static void reads_the_insert_section(void **state)
{
    struct parsed p = parse_good(HEAD "insert:\n"
                                      "  Partitions: fixed(10)\n"
                                      "  select: fixed(1)/4\n"
                                      "  batchType: unlogged\n"
                                      "  condition: IF body = NULL\n"
                                      "  consistencylevel: quorum\n"
                                      "  serialConsistencyLevel: serial\n");
    const struct cs_insert_spec *insert = &p.profile->insert;

    (void)state;
    assert_true(insert->has_partitions && insert->has_select);
    assert_int_equal(insert->partitions.min, 10);
    assert_true(insert->select.divisor == 4);
    assert_int_equal(insert->batch_type, CS_BATCH_UNLOGGED);
    assert_string_equal(insert->condition, "IF body = NULL");
    assert_true(insert->has_cl && insert->has_serial_cl);
    assert_int_equal(insert->cl, CS_CL_QUORUM);
    assert_int_equal(insert->serial_cl, CS_CL_SERIAL);
    assert_int_equal(insert->typed_count, 6);
    assert_string_equal(insert->as_typed[0].key, "Partitions");
    assert_string_equal(insert->as_typed[2].value, "unlogged");
    parsed_release(&p);
}

static void blank_insert_values_are_defaults(void **state)
{
    struct parsed p = parse_good(HEAD "insert: {partitions: , select: ' ', "
                                      "batchtype: '', condition: '  '}\n");
    const struct cs_insert_spec *insert = &p.profile->insert;

    (void)state;
    assert_false(insert->has_partitions);
    assert_false(insert->has_select);
    assert_int_equal(insert->batch_type, CS_BATCH_UNSET);
    assert_null(insert->condition);
    parsed_release(&p);
}

static void reads_queries(void **state)
{
    struct parsed p =
        parse_good("keyspace: ks\ntable: t\n"
                   "queries:\n"
                   "  get: {cql: 'select * from t where a = ?', fields: "
                   "samerow}\n"
                   "  is-there:\n"
                   "    cql: select a\n"
                   "      from t\n"
                   "    fields: MultiRow\n"
                   "    consistencyLevel: Serial\n"
                   "    serialConsistencyLevel: local_serial\n"
                   "  yes:\n"
                   "    cql: \"select 1 # not a comment\"\n");
    const struct cs_query_spec *q = p.profile->queries;

    (void)state;
    assert_int_equal(p.profile->query_count, 3);
    assert_string_equal(q[0].name, "get");
    assert_true(q[0].same_row);
    assert_string_equal(q[0].cql, "select * from t where a = ?");
    assert_string_equal(q[1].name, "is-there");
    assert_false(q[1].same_row);
    assert_string_equal(q[1].cql, "select a from t");
    assert_string_equal(q[1].fields_text, "MultiRow");
    assert_true(q[1].has_cl && q[1].cl == CS_CL_SERIAL);
    assert_true(q[1].has_serial_cl && q[1].serial_cl == CS_CL_LOCAL_SERIAL);
    assert_int_equal(q[1].place.line, 5);
    assert_string_equal(q[2].name, "yes");
    assert_false(q[2].same_row || q[2].has_cl || q[2].has_serial_cl);
    assert_null(q[2].fields_text);
    assert_string_equal(q[2].cql, "select 1 # not a comment");
    parsed_release(&p);
}

static void reads_token_range_queries(void **state)
{
    struct parsed p = parse_good(HEAD "token_range_queries:\n"
                                      "  scan: {columns: '*', page_size: 50}\n"
                                      "  some: {columns: 'a, b'}\n");
    const struct cs_token_range_spec *t = p.profile->token_ranges;

    (void)state;
    assert_int_equal(p.profile->token_range_count, 2);
    assert_string_equal(t[0].name, "scan");
    assert_string_equal(t[0].columns, "*");
    assert_int_equal(t[0].page_size, 50);
    assert_string_equal(t[1].columns, "a, b");
    assert_int_equal(t[1].page_size, 5000);
    parsed_release(&p);
}

static void anchors_and_merge_keys_are_followed(void **state)
{
    struct parsed p = parse_good(HEAD "columnspec:\n"
                                      "  - &base\n"
                                      "    name: a\n"
                                      "    size: &small fixed(7)\n"
                                      "    population: uniform(1..1M)\n"
                                      "  - <<: *base\n"
                                      "    name: b\n"
                                      "  - name: c\n"
                                      "    size: fixed(21)\n"
                                      "    <<: [*base, {cluster: fixed(2)}]\n"
                                      "  - {name: d, size: *small}\n");
    const struct cs_column_spec *c = p.profile->columns;

    (void)state;
    assert_int_equal(p.profile->column_count, 4);
    assert_string_equal(c[1].name, "b");
    assert_int_equal(c[1].size.min, 7);
    assert_int_equal(c[1].population.max, 1000000);
    assert_string_equal(c[2].name, "c");
    assert_int_equal(c[2].size.min, 21);
    assert_int_equal(c[2].cluster.min, 2);
    assert_int_equal(c[3].size.min, 7);
    assert_int_equal(p.warnings.size, 0);
    parsed_release(&p);
}

static void an_editor_of_windows_changes_nothing(void **state)
{
    struct parsed p = parse_good("\xEF\xBB\xBFkeyspace: ks  \r\n"
                                 "table: t\r\n"
                                 "table_definition: |\r\n"
                                 "  CREATE TABLE t (\r\n"
                                 "  \tid\tint PRIMARY KEY\r\n"
                                 "  );\r\n"
                                 "queries:\r\n"
                                 "  get:\r\n"
                                 "    cql: SELECT v FROM t  \r\n"
                                 "    fields: samerow\r\n");

    (void)state;
    assert_string_equal(p.profile->keyspace, "ks");
    assert_string_equal(p.profile->table_definition,
                        "CREATE TABLE t (\n\tid\tint PRIMARY KEY\n);\n");
    assert_string_equal(p.profile->queries[0].cql, "SELECT v FROM t");
    assert_string_equal(p.profile->queries[0].fields_text, "samerow");
    parsed_release(&p);
}

static void an_indented_document_with_plain_definitions_loads(void **state)
{
    struct parsed p =
        parse_good("    # written by a script\n"
                   "    keyspace: ks\n"
                   "    keyspace_definition: CREATE KEYSPACE ks\n"
                   "        WITH replication = {'class':'SimpleStrategy'};\n"
                   "    table: t\n"
                   "    table_definition:\n"
                   "        CREATE TABLE t (\n"
                   "            a int PRIMARY KEY\n"
                   "        );\n"
                   "    columnspec:\n"
                   "    - name: a\n"
                   "      size: fixed(10)\n"
                   "    - {name: b, size: fixed(5)}\n"
                   "    queries: {}\n");

    (void)state;
    assert_string_equal(p.profile->keyspace_definition,
                        "CREATE KEYSPACE ks WITH replication = "
                        "{'class':'SimpleStrategy'};");
    assert_string_equal(p.profile->table_definition,
                        "CREATE TABLE t ( a int PRIMARY KEY );");
    assert_int_equal(p.profile->column_count, 2);
    parsed_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_key_of_the_root),
        cmocka_unit_test(leaves_out_what_is_not_given),
        cmocka_unit_test(names_are_those_of_the_server),
        cmocka_unit_test(the_name_in_a_comment_is_not_the_table),
        cmocka_unit_test(reads_columns),
        cmocka_unit_test(reads_the_insert_section),
        cmocka_unit_test(blank_insert_values_are_defaults),
        cmocka_unit_test(reads_queries),
        cmocka_unit_test(reads_token_range_queries),
        cmocka_unit_test(anchors_and_merge_keys_are_followed),
        cmocka_unit_test(an_editor_of_windows_changes_nothing),
        cmocka_unit_test(an_indented_document_with_plain_definitions_loads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
