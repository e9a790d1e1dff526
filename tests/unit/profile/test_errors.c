/* test_errors.c - what is wrong is refused with its place and what would be
 * right; what is only odd is warned of. */
#include "profile_fixture.h"

/* A full profile with one line to spoil at its end. */
#define ROOT "keyspace: ks\ntable: t\n"

static void errors_say_where_and_what(void **state)
{
    static const struct {
        const char *text;
        const char *want; /* the beginning of the error */
    } rows[] = {
        /* unknown keys */
        {HEAD "colunmspec: []\n", "t.yaml:4:1: unknown key 'colunmspec', did "
                                  "you mean 'columnspec'?"},
        {HEAD "Insert: {}\n",
         "t.yaml:4:1: unknown key 'Insert', did you mean 'insert'?"},
        {HEAD "surprise: 1\n", "t.yaml:4:1: unknown key 'surprise', expected "
                               "one of specname, keyspace"},
        {HEAD "cql: select 1\n",
         "t.yaml:4:1: unknown key 'cql'; it belongs under 'queries'"},
        {HEAD "columnspec:\n- name: v\n  poulation: fixed(1)\n",
         "t.yaml:6:3: column 'v': unknown key 'poulation', did you mean "
         "'population'?"},
        {ROOT "queries:\n  q:\n    cql: select 1\n    field: samerow\n",
         "t.yaml:6:5: query 'q': unknown key 'field', did you mean 'fields'?"},
        {ROOT "queries:\n  q:\n    cql: select 1\n    Fields: samerow\n",
         "t.yaml:6:5: query 'q': unknown key 'Fields', did you mean"},
        {HEAD "insert:\n  partition: fixed(1)\n",
         "t.yaml:5:3: insert: unknown key 'partition', did you mean "
         "'partitions'?"},
        {HEAD "insert:\n  Visits: fixed(1)\n",
         "t.yaml:5:3: insert: 'Visits' belongs on the command line: -insert "
         "visits="},
        {HEAD "token_range_queries:\n  s: {columns: a, pagesize: 1}\n",
         "t.yaml:5:19: token range query 's': unknown key 'pagesize', did you "
         "mean 'page_size'?"},
        /* missing parts */
        {"table: t\nqueries: {}\n", "t.yaml: keyspace name is required"},
        {"keyspace: ' '\ntable: t\nqueries: {}\n",
         "t.yaml: keyspace name is required"},
        {"keyspace: ks\ntable:\nqueries: {}\n",
         "t.yaml: table name is required"},
        {ROOT "queries:\n", "t.yaml: queries map is required"},
        {HEAD "columnspec:\n- size: fixed(1)\n",
         "t.yaml:5:3: columnspec: an entry without 'name'"},
        {ROOT "queries:\n  q: {fields: samerow}\n",
         "t.yaml:4:3: query 'q': 'cql' is missing"},
        {HEAD "token_range_queries:\n  s: {page_size: 1}\n",
         "t.yaml:5:3: token range query 's': 'columns' is missing"},
        {HEAD "extra_definitions:\n- CREATE INDEX\n-\n",
         "t.yaml:6:2: extra_definitions: an entry without text"},
        /* wrong kinds of node */
        {"- keyspace\n",
         "t.yaml:1:1: profile: expected a mapping (lines 'key: value'), found "
         "a list"},
        {"just text\n", "t.yaml:1:1: profile: expected a mapping (lines 'key: "
                        "value'), found text"},
        {"keyspace: [a]\ntable: t\nqueries: {}\n",
         "t.yaml:1:11: keyspace: expected text, found a list"},
        {HEAD "columnspec: {name: a}\n",
         "t.yaml:4:13: columnspec: expected a list (lines that begin with '- "
         "'), found a mapping"},
        {HEAD "columnspec: [a]\n",
         "t.yaml:4:14: columnspec: expected a mapping (lines 'key: value'), "
         "found text"},
        {HEAD "extra_definitions: CREATE INDEX\n",
         "t.yaml:4:20: extra_definitions: expected a list"},
        {HEAD "extra_definitions: [{a: b}]\n",
         "t.yaml:4:21: extra_definitions: expected text, found a mapping"},
        {HEAD "insert: fixed(1)\n", "t.yaml:4:9: insert: expected a mapping"},
        {HEAD "insert: {partitions: [1]}\n",
         "t.yaml:4:22: insert: expected text, found a list"},
        {ROOT "queries: [a]\n", "t.yaml:3:10: queries: expected a mapping"},
        {ROOT "queries: {q: select 1}\n",
         "t.yaml:3:14: query 'q': expected a mapping (lines 'key: value'), "
         "found text"},
        {ROOT "queries: {q: }\n", "t.yaml:3:14: query 'q': expected a mapping "
                                  "(lines 'key: value'), found nothing"},
        {ROOT "queries: {[a]: {cql: b}}\n",
         "t.yaml:3:11: queries: expected text, found a list"},
        {HEAD "columnspec: [{<<: a, name: b}]\n",
         "t.yaml:4:19: columnspec: expected a mapping behind '<<'"},
        /* values */
        {HEAD "columnspec:\n- name: id\n  size: unifrom(1..2)\n",
         "t.yaml:6:9: column 'id': size: "},
        {HEAD "columnspec:\n- name: 'm[v]'\n  family: 5\n",
         "t.yaml:6:11: column 'm[v]': family: found '5', expected 4 or 6"},
        {HEAD "columnspec:\n- name: id\n  family: [6]\n",
         "t.yaml:6:11: columnspec: family: "},
        {HEAD "columnspec:\n- name: id\n  size: 5\n",
         "t.yaml:6:9: column 'id': size: "},
        {HEAD "columnspec:\n- name: id\n  size: fixed(-1)\n",
         "t.yaml:6:9: column 'id': size: values from -1, expected 0 or more"},
        {HEAD "columnspec:\n- {name: id, cluster: uniform(-3..5)}\n",
         "t.yaml:5:23: column 'id': cluster: values from -3, expected 0 or "
         "more"},
        {HEAD "insert: {select: fixed(1)}\n", "t.yaml:4:18: insert: select: "},
        {HEAD "insert: {batchtype: UNLOGED}\n",
         "t.yaml:4:21: insert: batchtype: unknown batch type 'UNLOGED', "
         "expected LOGGED, UNLOGGED or COUNTER (did you mean UNLOGGED?)"},
        {HEAD "insert: {consistencyLevel: ALLES}\n",
         "t.yaml:4:28: insert: consistencyLevel: unknown consistency level "
         "'ALLES'"},
        {ROOT "queries: {q: {cql: a, fields: row}}\n",
         "t.yaml:3:31: query 'q': fields: unknown word 'row', expected samerow "
         "or multirow"},
        {ROOT "queries: {q: {cql: a, consistencyLevel: QUORAM}}\n",
         "t.yaml:3:41: query 'q': consistencyLevel: unknown consistency level "
         "'QUORAM', did you mean 'QUORUM'?"},
        {ROOT "queries: {q: {cql: a, serialConsistencyLevel: QUORUM}}\n",
         "t.yaml:3:47: query 'q': serialConsistencyLevel: 'QUORUM' is no "
         "serial level, expected SERIAL or LOCAL_SERIAL"},
        {HEAD "token_range_queries: {s: {columns: a, page_size: 0}}\n",
         "t.yaml:4:50: token range query 's': page_size: '0' is no number of "
         "rows"},
        {HEAD "token_range_queries: {s: {columns: a, page_size: 5x}}\n",
         "t.yaml:4:50: token range query 's': page_size: '5x' is no number of "
         "rows"},
        {ROOT "queries: {q: {cql: a}}\ntoken_range_queries: {q: {columns: "
              "a}}\n",
         "t.yaml:4:23: found 'q' in both queries (line 3) and "
         "token_range_queries"},
        {ROOT "queries: {q: {cql: \"a\\0b\"}}\n",
         "t.yaml:3:20: query 'q': a NUL character in the text"},
        /* definitions */
        {HEAD "keyspace_definition: CREATE KEYSPACE other WITH x\n",
         "t.yaml:4:22: name in keyspace_definition does not match keyspace: "
         "'other' != 'ks'"},
        {HEAD "table_definition: CREATE TABLE t2 (a int PRIMARY KEY)\n",
         "t.yaml:4:19: name in table_definition does not match table: 't2' != "
         "'t'"},
        {HEAD "table_definition: CRATE TABLE t (a int PRIMARY KEY)\n",
         "t.yaml:4:19: table_definition: "},
        {HEAD "keyspace_definition: DROP KEYSPACE ks\n",
         "t.yaml:4:22: keyspace_definition: "},
        /* no YAML at all */
        {"", "t.yaml: the file is empty"},
        {"# nothing but a comment\n", "t.yaml: the file is empty"},
        {HEAD "---\nkeyspace: b\n",
         "t.yaml:5:1: a second document begins here"},
        {HEAD "...\n---\n[\n", "t.yaml:7:1: line 7 is not YAML"},
        {"keyspace: ks\n\ttable: t\n", "t.yaml:2:1: line 2 is indented by a "
                                       "tab"},
        {HEAD "insert:\n\tpartitions: fixed(1)\n",
         "t.yaml:5:1: line 5 is indented by a tab"},
        {HEAD "token_range_queries: {s: {columns: *}}\n",
         "t.yaml:4:37: line 4 is not YAML: did not find expected alphabetic or "
         "numeric character; put a bare * or & in quotes: '*'"},
        {"keyspace: ks\nkeyspace_definition: CREATE {'class': 'S'}\n",
         "t.yaml:2:37: line 2 is not YAML: mapping values are not allowed in "
         "this context; a text that contains ': ' must be quoted"},
        {"keyspace: ks\ncolumnspec:\n- name: a\n  size fixed(1)\n- name: b\n",
         "t.yaml:5:1: line 5 is not YAML: could not find expected ':' while "
         "scanning a simple key that begins in line 4; a key needs a colon"},
        {HEAD "insert:\n  select: 'fixed(1)/1\n  partitions: fixed(1)\n",
         "t.yaml:7:1: line 7 is not YAML: found unexpected end of stream while "
         "scanning a quoted scalar that begins in line 5"},
        {"keyspace_def: a\n",
         "t.yaml:1:1: unknown key 'keyspace_def', did you mean "
         "'keyspace_definition'?"},
        {"keyspace: [ks\ntable: t\n", "t.yaml:2:6: line 2 is not YAML"},
        {"a: *nowhere\n", "t.yaml:1:4: line 1 is not YAML"},
        {"keyspace: ks\ntable: \xff\n", "t.yaml:2: not a text in UTF-8"},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct parsed p = parse(rows[i].text);

        if (!p.rc)
            fail_msg("accepted:\n%s", rows[i].text);
        if (strncmp(p.err.text, rows[i].want, strlen(rows[i].want)) != 0)
            fail_msg("said '%s'\nnot  '%s'\nof:\n%s", p.err.text, rows[i].want,
                     rows[i].text);
        assert_null(strchr(p.err.text, '\n'));
        parsed_release(&p);
    }
}

static void odd_things_are_warned_of(void **state)
{
    static const struct {
        const char *text;
        const char *want; /* all warnings */
    } rows[] = {
        {HEAD "insert:\n  select: fixed(1)/4\n  select: fixed(1)/1\n",
         "t.yaml:6:3: 'select' is given twice (first in line 5); the last one "
         "counts\n"},
        {HEAD "insert: {size: fixed(1), SELECT: fixed(1)/1}\n", NULL},
        {HEAD "insert:\n  select: fixed(1)/4\n  Select: fixed(1)/1\n",
         "t.yaml:6:3: 'Select' is given twice (first in line 5); the last one "
         "counts\n"},
        {HEAD "table: t2\n", "t.yaml:4:1: 'table' is given twice (first in "
                             "line 2); the last one counts\n"},
        {HEAD "columnspec:\n- name: a\n- name: b\n- name: a\n",
         "t.yaml:7:3: column 'a' is specified twice (first in line 5); the "
         "last one counts\n"},
        {HEAD "insert:\n  row-population: fixed(1)/2\n",
         "t.yaml:5:3: insert: 'row-population' has no effect here; use -insert "
         "row-population-ratio= on the command line\n"},
        {ROOT "queries:\n  Insert:\n    cql: a\n",
         "t.yaml:4:3: query 'Insert' is never run: 'Insert' in ops() means the "
         "built-in operation; rename the query to use it\n"},
        {ROOT "queries:\n  validate:\n    cql: a\n",
         "t.yaml:4:3: query 'validate' is never run: 'validate' in ops() means "
         "the built-in operation; rename the query to use it\n"},
        {ROOT "queries:\n  q:\n    cql: select a where b = 'x #y'\n",
         "t.yaml:5:10: query 'q': cql ends inside a quoted text; a '#' behind "
         "a blank begins a YAML comment: quote the whole or use '|'\n"},
        {ROOT "queries:\n  q:\n    cql: select a # where b = 'it''s'\n", ""},
        {HEAD "table_definition: CREATE TABLE other.t (a int PRIMARY KEY)\n",
         "t.yaml:4:19: table_definition makes the table in keyspace 'other', "
         "but the profile uses 'ks'\n"},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct parsed p = parse(rows[i].text);

        assert_int_equal(!p.rc, rows[i].want != NULL);
        if (rows[i].want)
            assert_string_equal(cs_buf_text(&p.warnings), rows[i].want);
        parsed_release(&p);
    }
}

static void of_repeated_keys_the_last_counts(void **state)
{
    struct parsed p =
        parse_good("keyspace: ks\ntable: t1\ntable: t2\n"
                   "columnspec:\n- {name: a, size: fixed(1)}\n- {name: b}\n"
                   "- {name: a, cluster: fixed(3), cluster: fixed(4)}\n"
                   "queries:\n  q: {cql: first}\n  q: {cql: last}\n");
    const struct cs_profile *profile = p.profile;

    (void)state;
    assert_string_equal(profile->table, "t2");
    assert_int_equal(profile->column_count, 2);
    assert_false(profile->columns[0].has_size);
    assert_int_equal(profile->columns[0].cluster.min, 4);
    assert_int_equal(profile->query_count, 1);
    assert_string_equal(profile->queries[0].cql, "last");
    parsed_release(&p);
}

static void works_without_a_place_for_warnings(void **state)
{
    const char *text = HEAD "table: t\n";
    struct cs_profile *profile = NULL;
    struct cs_err err;

    (void)state;
    assert_int_equal(
        cs_profile_parse("x", text, strlen(text), &profile, NULL, &err), CS_OK);
    cs_profile_free(profile);
    cs_profile_free(NULL);
}

/* Merge keys that name each other, or fan out, end with an error. */
static void merge_keys_do_not_run_away(void **state)
{
    static const char *const rows[] = {
        HEAD "columnspec:\n- &a\n  name: x\n  <<: *a\n",
        HEAD "columnspec:\n"
             "- &a {name: x}\n"
             "- &b {<<: [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]}\n"
             "- &c {<<: [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]}\n"
             "- &d {<<: [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]}\n"
             "- &e {<<: [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]}\n",
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct parsed p = parse(rows[i]);

        assert_int_equal(p.rc, CS_EINVALID);
        assert_non_null(strstr(p.err.text, "merge"));
        parsed_release(&p);
    }
}

/* The library would need minutes for this text. */
static void deep_nesting_is_refused_soon(void **state)
{
    static char text[100001];
    struct parsed p;

    (void)state;
    memset(text, '[', sizeof(text) - 1);
    p = parse(text);
    assert_int_equal(p.rc, CS_EINVALID);
    assert_string_equal(p.err.text, "t.yaml:1:101: lists and mappings are "
                                    "nested deeper than 100");
    parsed_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_say_where_and_what),
        cmocka_unit_test(odd_things_are_warned_of),
        cmocka_unit_test(of_repeated_keys_the_last_counts),
        cmocka_unit_test(works_without_a_place_for_warnings),
        cmocka_unit_test(merge_keys_do_not_run_away),
        cmocka_unit_test(deep_nesting_is_refused_soon),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
