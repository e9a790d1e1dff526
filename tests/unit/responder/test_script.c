/* test_script.c - which markers and columns a statement has. */
#include "responder/script_internal.h"

#include "support/vectors.h"

static const struct {
    const char *cql;
    enum cs_script_kind kind;
    const char *markers; /* "name type, name type" */
    const char *columns;
    const char *error; /* or NULL */
    unsigned keys;
} rows[] = {
    {"INSERT INTO keyspace1.standard1 (key,\"C0\",\"C1\") VALUES (?,?,?)",
     CS_SCRIPT_VOID, "key blob, C0 blob, C1 blob", "", NULL, 1},
    {"INSERT INTO ks.t (a, b, c) VALUES (?, 5, ?) USING TTL ? AND TIMESTAMP ?",
     CS_SCRIPT_VOID, "a int, c map<text, int>, [ttl] int, [timestamp] bigint",
     "", NULL, 0},
    {"INSERT INTO t (a, b) VALUES (:x, now()) IF NOT EXISTS", CS_SCRIPT_ROWS,
     "x int", "[applied] boolean", NULL, 0},
    {"UPDATE \"keyspace1\".counter1 SET \"C0\"=\"C0\"+?,\"C1\"=\"C1\"+? WHERE "
     "KEY=?",
     CS_SCRIPT_VOID, "C0 counter, C1 counter, key blob", "", NULL, 1},
    {"UPDATE ks.t USING TTL ? SET c = ? WHERE a = ? AND b = ?", CS_SCRIPT_VOID,
     "[ttl] int, c map<text, int>, a int, b text", "", NULL, 2},
    {"SELECT * FROM ks.t WHERE a = ? AND b IN ? LIMIT ?", CS_SCRIPT_ROWS,
     "a int, in(b) list<text>, [limit] int", "a int, b text, c map<text, int>",
     NULL, 0},
    {"SELECT b AS \"B\", count(*), ttl(c) FROM ks.t WHERE token(a, b) > ?",
     CS_SCRIPT_ROWS, "partition key token bigint",
     "B text, count bigint, ttl "
     "int",
     NULL, 0},
    {"DELETE FROM ks.t WHERE a = ? -- b = ?\n AND b = 'why?'", CS_SCRIPT_VOID,
     "a int", "", NULL, 0},
    {"SELECT key FROM system.local WHERE key='local'", CS_SCRIPT_SYSTEM, "",
     "key text", NULL, 0},
    {"CREATE TABLE x (a int PRIMARY KEY)", CS_SCRIPT_SCHEMA, "", "", NULL, 0},
    {"USE ks", CS_SCRIPT_USE, "", "", NULL, 0},
    {"TRUNCATE ks.t", CS_SCRIPT_VOID, "", "", NULL, 0},
    {"TRUNCATE TABLE ks.none", CS_SCRIPT_VOID, "", "",
     "table none does not exist", 0},
    {"SELECT a FROM ks.none", CS_SCRIPT_VOID, "", "",
     "table none does not exist", 0},
    {"SELECT a FROM nowhere.t", CS_SCRIPT_VOID, "", "",
     "keyspace nowhere does not exist", 0},
    {"SELECT", CS_SCRIPT_VOID, "", "", "no viable alternative", 0},
};

static void compare(const char *cql, const struct cs_named_type *list,
                    unsigned count, const char *want)
{
    struct cs_buf text;

    cs_buf_init(&text, 65536);
    for (unsigned i = 0; i < count; i++) {
        cs_buf_printf(&text, "%s%s ", i ? ", " : "", list[i].name);
        cs_type_put(&text, list[i].type);
    }
    if (strcmp(cs_buf_text(&text), want) != 0)
        fail_msg("%s: '%s', expected '%s'", cql, cs_buf_text(&text), want);
    cs_buf_release(&text);
}

static void learn(struct cs_catalog *catalog, const char *keyspace,
                  const char *cql)
{
    struct cs_schema_step step;
    struct cs_err err;

    if (cs_catalog_change(catalog, keyspace, cs_view_text(cql), &step, &err))
        fail_msg("%s: %s", cql, err.text);
    assert_non_null(step.what);
}

static void start(struct cs_catalog *catalog)
{
    struct cs_err err;

    if (cs_catalog_init(catalog, &err))
        fail_msg("%s", err.text);
    learn(catalog, NULL,
          "CREATE KEYSPACE ks WITH replication = {'class': "
          "'SimpleStrategy', 'replication_factor': 1}");
    learn(catalog, "ks",
          "CREATE TABLE IF NOT EXISTS t (a int, b text, "
          "c map<text, int>, PRIMARY KEY ((a, b)))");
}

static void knows_markers_and_columns(void **state)
{
    struct cs_catalog catalog;

    (void)state;
    start(&catalog);
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        const char *cql = rows[i].cql;
        struct cs_script script;
        struct cs_arena arena;
        struct cs_err err = {.text = ""};
        enum cs_code rc;

        cs_arena_init(&arena);
        rc = cs_script_read(&catalog, "ks", cs_view_text(cql), &arena, &script,
                            &err);
        if (!rc != !rows[i].error || (rc && !strstr(err.text, rows[i].error)))
            fail_msg("%s: %s", cql, err.text);
        if (!rc) {
            if (script.kind != rows[i].kind)
                fail_msg("%s: kind %d", cql, (int)script.kind);
            compare(cql, script.markers, script.marker_count, rows[i].markers);
            compare(cql, script.columns, script.column_count, rows[i].columns);
            if (script.key_count != rows[i].keys)
                fail_msg("%s: %u keys", cql, script.key_count);
        }
        cs_arena_release(&arena);
    }
    cs_catalog_release(&catalog);
}

static void forgets_what_is_dropped(void **state)
{
    struct cs_catalog catalog;

    (void)state;
    start(&catalog);
    learn(&catalog, NULL, "CREATE TYPE ks.pair (x int, y text)");
    learn(&catalog, "ks", "CREATE TABLE u (k int PRIMARY KEY, v frozen<pair>)");
    assert_non_null(cs_catalog_table(&catalog, "ks", "u"));
    learn(&catalog, NULL, "DROP TABLE IF EXISTS ks.u");
    assert_null(cs_catalog_table(&catalog, "ks", "u"));
    learn(&catalog, NULL, "DROP KEYSPACE ks");
    assert_null(cs_catalog_table(&catalog, "ks", "t"));
    assert_null(cs_catalog_space(&catalog, "ks"));
    cs_catalog_release(&catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_markers_and_columns),
        cmocka_unit_test(forgets_what_is_dropped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
