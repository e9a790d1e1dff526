/* test_ddl.c - CREATE statements: names, tables, user types. */
#include "schema/ddl.h"

#include "support/type_fixture.h"

/* ---- names ---- */

static void reads_the_name_of_a_keyspace(void **state)
{
    static const struct {
        const char *text;
        const char *want;
    } rows[] = {
        {"CREATE KEYSPACE Ks WITH replication = {'class': 'X'};", "ks"},
        {"create schema if not exists \"My \"\"Ks\"", "My \"Ks"},
        {"-- one\n// two\n/* three\n */ CREATE KEYSPACE/**/values", "values"},
        {"CREATE KEYSPACE ks @!?", "ks"}, /* the rest is not read */
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        const char *name = NULL;

        if (cs_ddl_keyspace_name(rows[i].text, &f->arena, &name, &f->err))
            fail_msg("%s", f->err.text);
        assert_string_equal(name, rows[i].want);
    }
}

static void reads_the_name_of_a_table(void **state)
{
    static const struct {
        const char *text;
        const char *keyspace;
        const char *name;
    } rows[] = {
        {"CREATE TABLE Users (", NULL, "users"},
        {"create columnfamily if not exists ks.\"T\" (", "ks", "T"},
        {"CREATE TABLE \"K\" . t", "K", "t"},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_ddl_name name;

        if (cs_ddl_table_name(rows[i].text, &f->arena, &name, &f->err))
            fail_msg("%s", f->err.text);
        assert_string_equal(name.name, rows[i].name);
        if (rows[i].keyspace)
            assert_string_equal(name.keyspace, rows[i].keyspace);
        else
            assert_null(name.keyspace);
    }
}

static void says_where_a_name_is_missing(void **state)
{
    static const struct {
        const char *text;
        const char *want;
    } rows[] = {
        {"", "1:1: ends early, expected CREATE"},
        {"ALTER TABLE t", "1:1: found 'alter', expected CREATE"},
        {"CREATE\n  INDEX i", "2:3: found 'index', expected TABLE"},
        {"CREATE TABLE", "1:13: ends early, expected the name of a table"},
        {"CREATE TABLE (", "1:14: found '(', expected the name of a table"},
        {"CREATE TABLE select (",
         "1:14: found the reserved word 'select', expected the name of a table "
         "(such a name must stand in double quotes)"},
        {"CREATE TABLE if not t", "1:21: found 't', expected EXISTS"},
        {"CREATE TABLE ks.", "1:17: ends early"},
        {"CREATE TABLE \"\" (", "1:14: an empty name"},
        {"CREATE TABLE \"t", "1:14: no closing \""},
        {"/* \xc3\xa4 */ CREATE /* open", "1:16: a comment without its end"},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_ddl_name name = {.name = "untouched"};

        assert_int_equal(
            cs_ddl_table_name(rows[i].text, &f->arena, &name, &f->err),
            CS_EINVALID);
        if (strncmp(f->err.text, rows[i].want, strlen(rows[i].want)))
            fail_msg("'%s': '%s', want '%s'", rows[i].text, f->err.text,
                     rows[i].want);
        assert_string_equal(name.name, "untouched");
    }
}

/* ---- tables ---- */

/* "ks.t: p0 a int, c1 b text desc, s x int, r y list<int>". */
static const char *show(struct fixture *f, const struct cs_table *table)
{
    cs_buf_clear(&f->buf);
    if (table->keyspace)
        cs_buf_printf(&f->buf, "%s.", table->keyspace);
    cs_buf_printf(&f->buf, "%s:", table->name);
    for (unsigned i = 0; i < table->column_count; i++) {
        const struct cs_column *column = &table->columns[i];

        cs_buf_printf(&f->buf, "%s %c", i ? "," : "", "pcrs"[column->kind]);
        if (i < cs_table_key_count(table))
            cs_buf_printf(&f->buf, "%u", column->position);
        cs_buf_printf(&f->buf, " %s ", column->name);
        cs_type_put(&f->buf, column->type);
        if (column->descending)
            cs_buf_puts(&f->buf, " desc");
    }
    return cs_buf_text(&f->buf);
}

static void reads_a_table(void **state)
{
    static const struct {
        const char *text;
        const char *want;
    } rows[] = {
        {"CREATE TABLE t (k int PRIMARY KEY)", "t: p0 k int"},
        {"CREATE TABLE ks.t (k int PRIMARY KEY, B text, a varchar);;",
         "ks.t: p0 k int, r a text, r b text"},
        {"CREATE TABLE t (v int, c int, k int, PRIMARY KEY (k, c))",
         "t: p0 k int, c0 c int, r v int"},
        {"CREATE TABLE t (PRIMARY KEY ((b, a), d, c), a int, b int, c int, "
         "d int)",
         "t: p0 b int, p1 a int, c0 d int, c1 c int"},
        {"CREATE TABLE t (a int, b int, PRIMARY KEY ((a), b))",
         "t: p0 a int, c0 b int"},
        {"CREATE COLUMNFAMILY IF NOT EXISTS t (k int, c int, s int STATIC, "
         "PRIMARY KEY (k, c)) WITH COMPACT STORAGE AND comment = 'and' AND "
         "CLUSTERING ORDER BY (c DESC) AND caching = {'keys': 'ALL', 'x': 1.5}",
         "t: p0 k int, c0 c int desc, s s int"},
        {"CREATE TABLE t (k int, c int, d int, PRIMARY KEY (k, c, d)) WITH "
         "clustering order by (c, d DESC);",
         "t: p0 k int, c0 c int, c1 d int desc"},
        {"CREATE TABLE t (k int, c int, PRIMARY KEY (k, c)) WITH CLUSTERING "
         "ORDER BY (c ASC) AND a = $$it's$$ AND b = -0.1",
         "t: p0 k int, c0 c int"},
        {"CREATE TABLE \"T\" (\"K\" int PRIMARY KEY, \"select\" int, key int)",
         "T: p0 K int, r key int, r select int"},
        {"CREATE TABLE t (k int PRIMARY KEY, m map<text , frozen<list<int>>>, "
         "t tuple<int,ks.address>, v vector<float, 3>, u frozen<\"Odd\">, "
         "x 'a.B')",
         "t: p0 k int, r m map<text, frozen<list<int>>>, r t tuple<int, "
         "address>, r u frozen<\"Odd\">, r v vector<float, 3>, r x 'a.B'"},
        {"CREATE TABLE t (k int MASKED WITH DEFAULT PRIMARY KEY, "
         "v text masked with mask_inner(1, null), "
         "w int CHECK (w > 1))",
         "t: p0 k int, r v text, r w int"},
        {"CREATE TABLE t (k int PRIMARY KEY,, v int, )",
         "t: p0 k int, r v int"},
        {"CREATE TABLE t -- a table\n(k int, // key\n/* , */ v int\n,"
         "PRIMARY KEY (k))",
         "t: p0 k int, r v int"},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_table table;

        if (cs_ddl_table(rows[i].text, &f->arena, find_test_udt, NULL, &table,
                         &f->err))
            fail_msg("%s: %s", rows[i].text, f->err.text);
        assert_string_equal(show(f, &table), rows[i].want);
    }
}

static void refuses_a_table_with_a_reason(void **state)
{
    static const struct {
        const char *text;
        const char *want;
    } rows[] = {
        {"CREATE TABLE t", "1:15: ends early, expected '('"},
        {"CREATE TABLE t ()", "1:17: found ')', expected the name of a column"},
        {"CREATE TABLE t (k)", "1:18: found ')', expected a type"},
        {"CREATE TABLE t (k int", "1:22: ends early, expected ')'"},
        {"CREATE TABLE t (k int)", "1:23: table 't' has no PRIMARY KEY"},
        {"CREATE TABLE t (,k int PRIMARY KEY)", "1:17: found ','"},
        {"CREATE TABLE t (\n  k itn PRIMARY KEY)",
         "2:5: type 'itn': unknown type 'itn', try 'int'"},
        {"CREATE TABLE t (k int PRIMARY KEY, v list<int)", "expected '>'"},
        {"CREATE TABLE t (k int PRIMARY KEY, v int PRIMARY KEY)",
         "1:42: a second PRIMARY KEY"},
        {"CREATE TABLE t (k int PRIMARY KEY, PRIMARY KEY (k))",
         "1:36: a second PRIMARY KEY"},
        {"CREATE TABLE t (k int, PRIMARY KEY (q))",
         "1:37: the table has no column 'q'"},
        {"CREATE TABLE t (user int, PRIMARY KEY (usr))",
         "1:40: the table has no column 'usr', try 'user'"},
        {"CREATE TABLE t (k int, PRIMARY KEY (k, k))",
         "1:17: column 'k' is in the primary key twice"},
        {"CREATE TABLE t (k int, s int static, PRIMARY KEY (k, s))",
         "1:24: column 's' is static and in the primary key"},
        {"CREATE TABLE t (k counter PRIMARY KEY)",
         "1:17: column 'k' is a counter and in the primary key"},
        {"CREATE TABLE t (k int, c set<int>, PRIMARY KEY (k, c))",
         "1:24: column 'c' is in the primary key, expected frozen<...>"},
        {"CREATE TABLE t (k int PRIMARY KEY, s int static)",
         "1:36: column 's' is static, but the table has no clustering column"},
        {"CREATE TABLE t (k int PRIMARY KEY, a counter, b int)",
         "1:47: column 'b' is no counter: beside counters"},
        {"CREATE TABLE t (k int, k text, PRIMARY KEY (k))",
         "1:24: column 'k' is there twice"},
        {"CREATE TABLE t (k int, PRIMARY KEY k)", "1:36: found 'k', expected "
                                                  "'('"},
        {"CREATE TABLE t (k int, PRIMARY KEY (k", "ends early"},
        {"CREATE TABLE t (k int PRIMARY KEY) WITH CLUSTERING ORDER BY (k DESC)",
         "1:62: column 'k' is no clustering column"},
        {"CREATE TABLE t (k int PRIMARY KEY); DROP TABLE t",
         "1:37: found 'drop', expected the end of the statement"},
        {"CREATE TABLE t (k int PRIMARY KEY) WITH a = 'x",
         "1:45: no closing '"},
        {"CREATE TABLE t (k int PRIMARY KEY) WITH a = $$x",
         "1:45: no closing $$"},
        {"CREATE TABLE t (k int \xe2\x82\xac)", "1:23: found '\xe2\x82\xac'"},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_table table = {.column_count = 77};

        assert_int_equal(
            cs_ddl_table(rows[i].text, &f->arena, NULL, NULL, &table, &f->err),
            CS_EINVALID);
        if (!strstr(f->err.text, rows[i].want))
            fail_msg("'%s': '%s' does not say '%s'", rows[i].text, f->err.text,
                     rows[i].want);
        assert_int_equal(table.column_count, 77);
    }
}

/* ---- types ---- */

static void reads_a_user_type(void **state)
{
    struct fixture *f = *state;
    const struct cs_type *type = NULL;

    assert_int_equal(
        cs_ddl_type("CREATE TYPE IF NOT EXISTS ks.Person (name text, \"Homes\" "
                    "list<frozen<address>>,,);",
                    &f->arena, find_test_udt, NULL, &type, &f->err),
        CS_OK);
    assert_int_equal(type->kind, CS_TYPE_UDT);
    assert_string_equal(type->keyspace, "ks");
    assert_string_equal(type->name, "person");
    assert_int_equal(type->part_count, 2);
    assert_string_equal(type->field_names[0], "name");
    assert_string_equal(type->field_names[1], "Homes"); /* commas behind it */
    assert_int_equal(type->parts[0]->kind, CS_TYPE_TEXT);
    assert_int_equal(type->parts[1]->kind, CS_TYPE_LIST);
}

static void refuses_a_user_type_with_a_reason(void **state)
{
    static const struct {
        const char *text;
        const char *want;
    } rows[] = {
        {"CREATE TABLE t (a int)", "1:8: found 'table', expected TYPE"},
        {"CREATE TYPE t", "1:14: ends early, expected '('"},
        {"CREATE TYPE t (a)", "1:17: found ')', expected a type"},
        {"CREATE TYPE t (,a int)", "1:16: found ',', expected the name of a"},
        {"CREATE TYPE t (a int) x", "1:23: found 'x', expected the end"},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        const struct cs_type *type = NULL;

        assert_int_equal(
            cs_ddl_type(rows[i].text, &f->arena, NULL, NULL, &type, &f->err),
            CS_EINVALID);
        if (!strstr(f->err.text, rows[i].want))
            fail_msg("'%s': '%s' does not say '%s'", rows[i].text, f->err.text,
                     rows[i].want);
        assert_null(type);
    }
}

static void tells_create_type_from_others(void **state)
{
    (void)state;
    assert_true(cs_ddl_is_type(" -- x\n create Type"));
    assert_false(cs_ddl_is_type("CREATE TABLE type (a int)"));
    assert_false(cs_ddl_is_type("type"));
    assert_false(cs_ddl_is_type(""));
    assert_false(cs_ddl_is_type("/*"));
}

#define WITH_FIXTURE(test)                                                     \
    cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(reads_the_name_of_a_keyspace),
        WITH_FIXTURE(reads_the_name_of_a_table),
        WITH_FIXTURE(says_where_a_name_is_missing),
        WITH_FIXTURE(reads_a_table),
        WITH_FIXTURE(refuses_a_table_with_a_reason),
        WITH_FIXTURE(reads_a_user_type),
        WITH_FIXTURE(refuses_a_user_type_with_a_reason),
        cmocka_unit_test(tells_create_type_from_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
