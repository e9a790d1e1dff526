/* test_query.c - the columns that statements name. */
#include "schema/query.h"

#include "support/vectors.h"

/* names: joined by blanks, markers as the server calls them. */
static const struct {
    const char *cql;
    const char *table;
    const char *names;
} rows[] = {
    {"SELECT * FROM t WHERE id = ?", "t", "id"},
    {"select a, \"B\" as x, count(*), ttl(c), m['k'] from ks.t where Id = 1",
     "ks.t", "a B m id"},
    {"SELECT DISTINCT id FROM t", "t", "id"},
    {"SELECT json FROM t", "t", "json"},
    {"SELECT JSON a, b FROM t", "t", "a b"},
    {"SELECT a FROM t WHERE k IN ? AND c >= ? AND d != 'x = y' LIMIT ?", "t",
     "a k in(k) c d [limit]"},
    {"SELECT a FROM t WHERE token(k) > ? AND v CONTAINS KEY ? ALLOW FILTERING",
     "t", "a v"},
    {"SELECT a FROM t WHERE (c, d) > (?, ?) ORDER BY c DESC", "t", "a"},
    {"INSERT INTO t (a, \"B\") VALUES (?, ?) USING TTL ? AND TIMESTAMP ?", "t",
     "a B [ttl] [timestamp]"},
    {"INSERT INTO t JSON ?", "t", ""},
    {"UPDATE t USING TTL 5 SET v = v + ?, m[?] = 'x', u.f = ? WHERE k = ? IF "
     "w < ?",
     "t", "v m k w"},
    {"DELETE a, m['x'] FROM t WHERE k = ? IF EXISTS", "t", "a m k"},
    {"DELETE FROM t WHERE k = ?", "t", "k"},
    {"SELECT a -- b = 1\n FROM /* c = 2 */ t WHERE k = $$ d = 3 $$", "t",
     "a k"},
    {"CREATE TABLE t (k int PRIMARY KEY) WITH comment = 'x'", "", ""},
    {"BEGIN BATCH UPDATE t SET v = 1 WHERE k = 2 APPLY BATCH", "", ""},
    {"SELECT a FROM", "", "a"},
    {"SELECT", "", ""},
    {"", "", ""},
};

static void finds_what_must_be_a_column(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_arena arena;
        struct cs_query query;
        struct cs_err err = {0};
        char names[256] = "", table[64] = "";

        cs_arena_init(&arena);
        if (cs_query_read(rows[i].cql, &arena, &query, &err))
            fail_msg("%s: %s", rows[i].cql, err.text);
        if (query.table.keyspace)
            snprintf(table, sizeof(table), "%s.", query.table.keyspace);
        if (query.table.name)
            strcat(table, query.table.name);
        for (size_t k = 0; k < query.count; k++) {
            strcat(names, k ? " " : "");
            strcat(names, query.names[k].name);
            assert_int_equal(query.names[k].is_marker,
                             strpbrk(query.names[k].name, "[(") != NULL);
        }
        if (strcmp(names, rows[i].names) || strcmp(table, rows[i].table))
            fail_msg("%s: table '%s', names '%s'", rows[i].cql, table, names);
        cs_arena_release(&arena);
    }
}

static void refuses_a_text_that_does_not_end(void **state)
{
    static const char *const texts[] = {"SELECT 'a FROM t", "SELECT a /* FROM",
                                        "SELECT \"a FROM t"};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(texts); i++) {
        struct cs_arena arena;
        struct cs_query query;
        struct cs_err err = {0};

        cs_arena_init(&arena);
        assert_int_equal(cs_query_read(texts[i], &arena, &query, &err),
                         CS_EINVALID);
        cs_arena_release(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_must_be_a_column),
        cmocka_unit_test(refuses_a_text_that_does_not_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
