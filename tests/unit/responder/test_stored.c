/* test_stored.c - statements on stored rows, and what comes back. */
#include "stored_steps.h"

static void reads_find_what_was_written(void **state)
{
    static const struct step steps[] = {
        {"CREATE TABLE k.t (a int, b text, c double, s text static, PRIMARY "
         "KEY (a, b)) WITH CLUSTERING ORDER BY (b DESC)",
         "change"},
        {"SELECT * FROM k.t", ""},
        {"INSERT INTO k.t (a, b, c) VALUES (1, 'x', 2.5)", "void"},
        {"INSERT INTO k.t (a, b, c, s) VALUES (1, 'y', -1, 'all')", "void"},
        {"UPDATE k.t USING TTL 5 SET c = 7 WHERE a = 1 AND b = 'z'", "void"},
        {"SELECT * FROM k.t WHERE a = 1",
         "1 'z' 7.0 'all'; 1 'y' -1.0 'all'; 1 'x' 2.5 'all'"},
        {"SELECT b FROM k.t WHERE a = 1 ORDER BY b ASC", "'x'; 'y'; 'z'"},
        {"SELECT b FROM k.t WHERE a = 1 ORDER BY b DESC LIMIT 2", "'z'; 'y'"},
        {"SELECT b FROM k.t WHERE a = 1 AND b > 'x' AND b <= 'z'", "'z'; 'y'"},
        {"SELECT b FROM k.t WHERE a = 1 AND b IN ('x', 'z', 'q')", "'z'; 'x'"},
        {"SELECT b FROM k.t WHERE a IN (1, 2) AND b = 'x'", "'x'"},
        {"SELECT count(*) FROM k.t", "3"},
        {"SELECT DISTINCT a, s FROM k.t", "1 'all'"},
        {"SELECT a FROM k.t WHERE token(a) > token(0) AND a = 9", "stored=..."},
        {"SELECT b, c AS d FROM k.t WHERE a = 1 AND b = 'x'", "'x' 2.5"},
        {"UPDATE k.t SET c = null WHERE a = 1 AND b = 'x'", "void"},
        {"SELECT c FROM k.t WHERE a = 1 AND b = 'x'", "null"},
        {"DELETE c FROM k.t WHERE a = 1 AND b = 'y'", "void"},
        {"SELECT b, c FROM k.t WHERE a = 1", "'z' 7.0; 'y' null; 'x' null"},
        {"DELETE FROM k.t WHERE a = 1 AND b >= 'y'", "void"},
        {"SELECT b FROM k.t", "'x'"},
        {"DELETE FROM k.t WHERE a = 1", "void"},
        {"SELECT count(*) FROM k.t", "0"},
        {"UPDATE k.t SET s = 'alone' WHERE a = 5", "void"},
        {"SELECT * FROM k.t", "5 null null 'alone'"},
        {"TRUNCATE TABLE k.t", "void"},
        {"SELECT * FROM k.t", ""},
    };

    (void)state;
    check_all(steps, CS_COUNT(steps));
}

static void conditions_are_looked_at(void **state)
{
    static const struct step steps[] = {
        {"CREATE TABLE k.t (a int PRIMARY KEY, b text, c int)", "change"},
        {"UPDATE k.t SET b = 'x' WHERE a = 1 IF EXISTS", "false"},
        {"UPDATE k.t SET b = 'x' WHERE a = 1 IF b = 'y'", "false"},
        {"INSERT INTO k.t (a, b, c) VALUES (1, 'x', 3) IF NOT EXISTS", "true"},
        {"INSERT INTO k.t (a, b) VALUES (1, 'z') IF NOT EXISTS",
         "false 1 'x' 3"},
        {"UPDATE k.t SET c = 4 WHERE a = 1 IF b = 'z'", "false 'x'"},
        {"UPDATE k.t SET c = 4 WHERE a = 1 IF b != 'z' AND c < 4", "true"},
        {"SELECT c FROM k.t WHERE a = 1", "4"},
        {"DELETE FROM k.t WHERE a = 1 IF c IN (5, 6)", "false 4"},
        {"DELETE FROM k.t WHERE a = 1 IF EXISTS", "true"},
        {"SELECT * FROM k.t", ""},
    };

    (void)state;
    check_all(steps, CS_COUNT(steps));
}

static void counters_add_up(void **state)
{
    static const struct step steps[] = {
        {"UPDATE keyspace1.counter1 SET \"C0\" = \"C0\" + 5 WHERE key = 0x01",
         "void"},
        {"UPDATE keyspace1.counter1 SET \"C0\" = \"C0\" - 7 WHERE key = 0x01",
         "void"},
        {"SELECT key, \"C0\", \"C1\" FROM keyspace1.counter1", "0x01 -2 null"},
    };

    (void)state;
    check_all(steps, CS_COUNT(steps));
}

static void rows_go_with_their_table(void **state)
{
    static const struct step steps[] = {
        {"CREATE TABLE k.t (a int PRIMARY KEY, b text, c int)", "change"},
        {"INSERT INTO k.t (a, b, c) VALUES (1, 'x', 2)", "void"},
        {"ALTER TABLE k.t DROP b", "change"},
        {"ALTER TABLE k.t ADD (a2 int, d map<text, frozen<list<int>>>)",
         "change"},
        {"SELECT * FROM k.t", "1 null 2 null"},
        {"INSERT INTO k.t (a, b) VALUES (1, 'x')",
         "Undefined column name b..."},
        {"ALTER TABLE k.t RENAME a TO z", "change"},
        {"SELECT z, c FROM k.t WHERE z = 1", "1 2"},
        {"CREATE TABLE IF NOT EXISTS k.t (a int PRIMARY KEY)", "void"},
        {"CREATE TABLE k.t (a int PRIMARY KEY)",
         "Cannot add already existing table"},
        {"SELECT count(*) FROM k.t", "1"},
        {"DROP TABLE k.t", "change"},
        {"DROP TABLE k.t", "TABLE 'k.t' doesn't exist"},
        {"DROP TABLE IF EXISTS k.t", "void"},
        {"CREATE TABLE k.t (z int PRIMARY KEY, c int)", "change"},
        {"SELECT * FROM k.t", ""},
        {"DROP KEYSPACE k", "change"},
        {"SELECT * FROM k.t", "keyspace k does not exist"},
    };

    (void)state;
    check_all(steps, CS_COUNT(steps));
}

static void says_what_it_does_not_take(void **state)
{
    static const struct step steps[] = {
        {"CREATE TABLE k.t (a int, b int, l list<int>, s text static, PRIMARY "
         "KEY (a, b))",
         "change"},
        {"INSERT INTO k.t (a) VALUES (1)",
         "Some clustering keys are missing: b"},
        {"INSERT INTO k.t (b) VALUES (1)", "Some partition key parts..."},
        {"INSERT INTO k.t (a, b) VALUES (null, 1)",
         "Invalid null value in condition for column a"},
        {"INSERT INTO k.t (a, b) VALUES ('x', 1)",
         "stored=: 'x' is no constant of type int..."},
        {"INSERT INTO k.t JSON '{}'", "stored=: found 'json'..."},
        {"UPDATE k.t SET l = l + [1] WHERE a = 1 AND b = 1", "stored=: '['..."},
        {"SELECT * FROM k.t LIMIT 0", "LIMIT must be strictly positive"},
        {"SELECT q FROM k.t", "Undefined column name q in table k.t"},
        {"DELETE FROM k.t WHERE b = 1", "Some partition key parts..."},
    };

    (void)state;
    check_all(steps, CS_COUNT(steps));
}

/* ---- pages, prepared statements, the size ---- */

static bool select_page(struct client *c, struct cs_view id,
                        struct cs_view state)
{
    const struct cs_query_params params = {.consistency = 1,
                                           .page_size = 4,
                                           .paging_state = state,
                                           .timestamp_us = CS_TIMESTAMP_NONE};
    struct cs_request request = request_of(c);

    cs_request_execute(begin(c), &request, id, id, &params);
    return finish(c);
}

static void fill(struct client *c, int count)
{
    assert_true(ask(c, "CREATE KEYSPACE IF NOT EXISTS k WITH replication = "
                       "{'class': 'SimpleStrategy', 'replication_factor': 1}"));
    assert_true(ask(c, "CREATE TABLE IF NOT EXISTS k.t (a int, b int, PRIMARY "
                       "KEY (a, b))"));
    for (int i = 0; i < count; i++) {
        char cql[96];

        snprintf(cql, sizeof(cql), "INSERT INTO k.t (a, b) VALUES (%d, %d)",
                 i % 7, i / 7);
        assert_true(ask(c, cql));
        assert_int_equal(result_of(c).kind, CS_RESULT_KIND_VOID);
    }
}

/* All rows in pages of four, each once. */
static void walk_pages(struct client *c, const char *cql, uint32_t want)
{
    uint8_t id[16];
    uint8_t kept[64];
    struct cs_view state = cs_view_of(NULL, 0);
    bool seen[100] = {false};
    uint32_t count = 0;

    prepare_statement(c, cql, id);
    do {
        struct cs_result result;

        assert_true(select_page(c, cs_view_of(id, 16), state));
        result = result_of(c);
        assert_true(result.row_count <= 4);
        for (uint32_t i = 0; i < result.row_count; i++, count++) {
            uint32_t a = cs_load32(cs_read_blob(&result.cells).data);
            uint32_t b = cs_load32(cs_read_blob(&result.cells).data);

            assert_false(seen[a + 7 * b]);
            seen[a + 7 * b] = true;
        }
        state = result.metadata.paging_state;
        if (state.data) {
            assert_true(state.size <= sizeof(kept));
            memcpy(kept, state.data, state.size);
            state.data = kept;
        }
    } while (state.data);
    assert_int_equal(count, want);
}

static void pages_hold_every_row_once(void **state)
{
    struct server server;
    struct client c;

    (void)state;
    start(&server, &keeps);
    for (uint8_t version = 3; version <= 5; version++) {
        join(&c, &server, version);
        hello(&c, NULL);
        fill(&c, 90);
        walk_pages(&c, "SELECT a, b FROM k.t", 90);
        walk_pages(&c, "SELECT a, b FROM k.t LIMIT 11", 11);
        walk_pages(&c, "SELECT a, b FROM k.t WHERE a = 3", 13);
        walk_pages(&c, "SELECT a, b FROM k.t WHERE a IN (3, 4) AND b < 4", 8);
        leave(&c);
    }
    stop(&server);
}

static void made_up_rows_come_in_pages(void **state)
{
    struct cs_responder_options options = keeps;
    struct server server;
    struct client c;
    struct cs_view at = cs_view_of(NULL, 0);
    uint8_t id[16];
    uint8_t kept[16];
    uint32_t count = 0;

    (void)state;
    options.stored = 0;
    options.rows = 10;
    start(&server, &options);
    join(&c, &server, 4);
    hello(&c, NULL);
    prepare_statement(&c, "SELECT * FROM keyspace1.standard1", id);
    for (int page = 0; page < 3; page++) {
        struct cs_result result;

        assert_true(select_page(&c, cs_view_of(id, 16), at));
        result = result_of(&c);
        count += result.row_count;
        at = result.metadata.paging_state;
        assert_int_equal(at.data != NULL, page < 2);
        if (at.data)
            at.data = memcpy(kept, at.data, at.size);
    }
    assert_int_equal(count, 10);
    leave(&c);
    stop(&server);
}

static void refuses_what_does_not_fit(void **state)
{
    struct cs_responder_options options = keeps;
    struct server server;
    struct client c;
    int taken = 0;

    (void)state;
    options.stored = 1000;
    start(&server, &options);
    join(&c, &server, 5);
    hello(&c, NULL);
    for (int i = 0; i < 50; i++) {
        char cql[128];

        snprintf(cql, sizeof(cql),
                 "INSERT INTO keyspace1.standard1 (key, \"C0\") VALUES "
                 "(0x%02x, 0xffff)",
                 i);
        assert_true(ask(&c, cql));
        taken += c.frame.header.opcode == CS_OP_RESULT;
    }
    assert_true(taken > 1 && taken < 20);
    check(&c, &(struct step){"INSERT INTO keyspace1.standard1 (key) VALUES "
                             "(0xaa)",
                             "stored=: more than 1000 bytes of rows are not "
                             "kept"});
    check(&c, &(struct step){"DELETE FROM keyspace1.standard1 WHERE key = 0x00",
                             "void"});
    check(&c, &(struct step){"INSERT INTO keyspace1.standard1 (key, \"C0\") "
                             "VALUES (0xaa, 0xffff)",
                             "void"});
    leave(&c);
    stop(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_find_what_was_written),
        cmocka_unit_test(conditions_are_looked_at),
        cmocka_unit_test(counters_add_up),
        cmocka_unit_test(rows_go_with_their_table),
        cmocka_unit_test(says_what_it_does_not_take),
        cmocka_unit_test(pages_hold_every_row_once),
        cmocka_unit_test(made_up_rows_come_in_pages),
        cmocka_unit_test(refuses_what_does_not_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
