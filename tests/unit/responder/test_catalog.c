/* test_catalog.c - what a change of the schema leaves behind. */
#include "responder/catalog_internal.h"
#include "support/vectors.h"

static void change(struct cs_catalog *catalog, const char *cql, bool well)
{
    struct cs_schema_step step;
    struct cs_err err;
    enum cs_code rc = cs_catalog_change(
        catalog, "k", cs_view_of((const uint8_t *)cql, strlen(cql)), &step,
        &err);

    if (well != !rc)
        fail_msg("%s: %s", cql, rc ? err.text : "no error");
}

/* Clients ask for the same tables at each start, for years. */
static void what_changes_nothing_costs_nothing(void **state)
{
    static const struct {
        const char *cql;
        bool well;
    } rows[] = {
        {"CREATE KEYSPACE IF NOT EXISTS k WITH replication = {'class': "
         "'SimpleStrategy', 'replication_factor': 1}",
         true},
        {"CREATE TABLE IF NOT EXISTS k.t (a int PRIMARY KEY, b text)", true},
        {"CREATE TYPE IF NOT EXISTS k.u (a int)", true},
        {"CREATE INDEX IF NOT EXISTS ON k.t (b)", true},
        {"CREATE TABLE k.t (a int", false},
        {"ALTER TABLE k.t ADD b int", false},
        {"ALTER TABLE k.nothing ADD b int", false},
        {"DROP TABLE IF EXISTS k.nothing", true},
        {"DROP TABLE k.nothing", false},
    };
    struct cs_catalog catalog;
    struct cs_arena_mark before;
    struct cs_arena_mark after;
    struct cs_err err;

    (void)state;
    assert_int_equal(cs_catalog_init(&catalog, &err), CS_OK);
    for (size_t i = 0; i < CS_COUNT(rows); i++)
        change(&catalog, rows[i].cql, rows[i].well);
    before = cs_arena_mark(&catalog.arena);
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        change(&catalog, rows[i].cql, rows[i].well);
        after = cs_arena_mark(&catalog.arena);
        if (after.first != before.first || after.used != before.used)
            fail_msg("%s: takes memory", rows[i].cql);
    }
    assert_non_null(cs_catalog_table(&catalog, "k", "t"));
    cs_catalog_release(&catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_changes_nothing_costs_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
