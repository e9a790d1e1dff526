/* test_database.c - tables out of the definitions in profiles, or a reason why
 * there are none. */
#include "support/vectors.h"

#include "offline/database.h"

#define HEAD "keyspace: ks\ntable: t\nqueries: {}\n"

struct fixture {
    struct cs_settings settings;
    struct cs_profile *profiles[2];
    size_t count;
    struct cs_driver *driver;
    struct cs_arena arena;
    struct cs_err err;
};

static void add_profile(struct fixture *f, const char *text)
{
    struct cs_profile **out = &f->profiles[f->count++];

    if (cs_profile_parse("p.yaml", text, strlen(text), out, NULL, &f->err))
        fail_msg("%s: %s", text, f->err.text);
}

static void release(struct fixture *f)
{
    if (f->driver)
        cs_offline_driver.close(f->driver);
    for (size_t i = 0; i < f->count; i++)
        cs_profile_free(f->profiles[i]);
    cs_arena_release(&f->arena);
}

static enum cs_code open_database(struct fixture *f)
{
    return cs_offline_new(&f->settings, f->profiles, f->count, &f->driver,
                          &f->err);
}

static struct cs_table *table_of(struct fixture *f, const char *keyspace,
                                 const char *name)
{
    struct cs_table *table = NULL;

    if (cs_offline_driver.table(f->driver, keyspace, name, &f->arena, &table,
                                &f->err))
        fail_msg("%s", f->err.text);
    return table;
}

/* Each profile sees its own types, in the order of the list; of two of one
 * name the first counts. */
static void reads_the_types_before_the_table(void **state)
{
    struct fixture f = {0};
    const struct cs_table *table;

    (void)state;
    cs_arena_init(&f.arena);
    add_profile(&f, HEAD
                "table_definition: CREATE TABLE KS.T (k int PRIMARY KEY, a "
                "frozen<\"A\">)\n"
                "extra_definitions:\n"
                "- CREATE TYPE b (x int)\n"
                "- CREATE INDEX ON t (a)\n"
                "- CREATE TYPE \"A\" (b frozen<b>, n text)\n"
                "- CREATE TYPE \"A\" (n int)\n");
    add_profile(&f,
                "keyspace: ks2\ntable: t\nqueries: {}\n"
                "table_definition: CREATE TABLE t (k frozen<b> PRIMARY KEY)\n"
                "extra_definitions: [CREATE TYPE b (y text)]\n");
    assert_int_equal(open_database(&f), CS_OK);
    table = table_of(&f, "ks", "t");
    assert_string_equal(table->keyspace, "ks");
    assert_int_equal(table->column_count, 2);
    assert_int_equal(table->columns[1].type->part_count, 2);
    assert_int_equal(table->columns[1].type->parts[0]->kind, CS_TYPE_UDT);
    table = table_of(&f, "ks2", "t");
    assert_string_equal(table->columns[0].type->field_names[0], "y");
    release(&f);
}

static void knows_the_predefined_tables(void **state)
{
    const char *names[] = {"C0", "C1"};
    struct fixture f = {.settings = {.columns = {.names = names, .count = 2}}};
    const struct cs_table *table;

    (void)state;
    cs_arena_init(&f.arena);
    assert_int_equal(open_database(&f), CS_OK);
    table = table_of(&f, "keyspace1", "standard1");
    assert_int_equal(table->column_count, 3);
    assert_int_equal(table->partition_count, 1);
    assert_int_equal(cs_table_column(table, "C1"), 2);
    release(&f);
}

static void says_where_a_definition_is_wrong(void **state)
{
    static const struct {
        const char *text;
        const char *want;
    } rows[] = {
        {HEAD, "rows needs table_definition in p.yaml"},
        {HEAD "table_definition: CREATE TABLE t (k int)\n",
         "p.yaml:4:19: table_definition: 1:23: table 't' has no PRIMARY KEY"},
        {HEAD "table_definition: |\n  CREATE TABLE t (\n    k itn PRIMARY "
              "KEY)\n",
         "p.yaml:6:7: table_definition: type 'itn': unknown type 'itn', try "
         "'int'"},
        {HEAD "table_definition: |\n\n  CREATE TABLE t (\n   k, int PRIMARY "
              "KEY)\n",
         "p.yaml:7:5: table_definition: found ',', expected a type"},
        {HEAD "table_definition: >\n  CREATE TABLE t (\n  k, int PRIMARY "
              "KEY)\n",
         "p.yaml:4:19: table_definition: 1:19: found ',', expected a type"},
        {HEAD "table_definition: CREATE TABLE t (k plase PRIMARY KEY)\n",
         "p.yaml:4:19: table_definition: 1:19: type 'plase': unknown type "
         "'plase': no type of CQL, and no user type of that name is known; its "
         "CREATE TYPE belongs in extra_definitions"},
        {HEAD "table_definition: CREATE TABLE t (k plase PRIMARY KEY)\n"
              "extra_definitions:\n- CREATE TYPE place (a int)\n",
         "p.yaml:4:19: table_definition: 1:19: type 'plase': unknown type "
         "'plase': no type of CQL, and no user type of that name is known; its "
         "CREATE TYPE belongs in extra_definitions; try 'place'"},
        {HEAD "table_definition: CREATE TABLE t (k int PRIMARY KEY)\n"
              "extra_definitions:\n- |\n    CREATE TYPE a (\n    b c)\n"
              "- CREATE TYPE c (d int)\n",
         "p.yaml:8:7: extra_definitions, item 1: type 'c': unknown type 'c': no "
         "type of CQL, and no user type of that name is known; its CREATE TYPE "
         "belongs in extra_definitions"},
        {HEAD "table_definition: CREATE TABLE t (k int PRIMARY KEY)\n"
              "extra_definitions:\n- CREATE TYPE a (b c)\n"
              "- CREATE TYPE c (d int)\n",
         "p.yaml:6:3: extra_definitions, item 1: 1:18: type 'c': unknown type "
         "'c': no type of CQL, and no user type of that name is known; its "
         "CREATE TYPE belongs in extra_definitions"},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct fixture f = {0};

        cs_arena_init(&f.arena);
        add_profile(&f, rows[i].text);
        assert_int_equal(open_database(&f), strstr(rows[i].want, "CREATE TYPE")
                                                ? CS_EUNSUPPORTED
                                                : CS_EINVALID);
        assert_string_equal(f.err.text, rows[i].want);
        release(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_types_before_the_table),
        cmocka_unit_test(knows_the_predefined_tables),
        cmocka_unit_test(says_where_a_definition_is_wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
