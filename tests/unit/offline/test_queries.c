/* test_queries.c - names in queries that are no columns. */
#include "offline/queries.h"

#include "offline/database.h"
#include "support/vectors.h"

#define HEAD                                                                    \
    "keyspace: ks\ntable: t\ntable_definition: CREATE TABLE t (id int PRIMARY " \
    "KEY, name text)\n"

static const struct {
    const char *more; /* behind the head, without queries */
    const char *cql;
    const char *want; /* behind "p.yaml:LINE:3: query 'q': "; or "" */
} rows[] = {
    {"", "SELECT name FROM t WHERE id = ?", ""},
    {"", "SELECT nam FROM t WHERE ID = ?",
     "'nam' is no column of ks.t, try 'name'\n"},
    {"", "SELECT * FROM ks.t WHERE xyz = 1 AND xyz > 0",
     "'xyz' is no column of ks.t\n"},
    {"", "SELECT * FROM t WHERE id = ? LIMIT ?",
     "a marker is called '[limit]', which is no column of ks.t; values come "
     "from the table's columns\n"},
    {"", "SELECT 'name FROM t", "1:8: no closing '\n"},
    {"", "SELECT x FROM other WHERE y = ?", ""},
    {"", "SELECT x FROM ks2.t WHERE y = ?", ""},
    {"extra_definitions: [ALTER TABLE t ADD x int]\n",
     "SELECT x FROM t WHERE id = ?", ""},
};

static void tells_what_the_table_does_not_have(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_settings settings = {0};
        struct cs_profile *profile = NULL;
        struct cs_driver *driver = NULL;
        struct cs_err err = {0};
        struct cs_buf text, got;
        const char *tail;

        cs_buf_init(&text, 4096);
        cs_buf_init(&got, 4096);
        cs_buf_printf(&text, HEAD "%squeries:\n  q:\n    cql: |\n      %s\n",
                      rows[i].more, rows[i].cql);
        if (cs_profile_parse("p.yaml", cs_buf_text(&text), text.size, &profile,
                             NULL, &err) ||
            cs_offline_new(&settings, &profile, 1, &driver, &err) ||
            cs_offline_check_queries(driver, profile, &got, &err))
            fail_msg("%s: %s", rows[i].cql, err.text);
        tail = strstr(cs_buf_text(&got), "query 'q': ");
        tail = tail ? tail + strlen("query 'q': ") : cs_buf_text(&got);
        assert_string_equal(tail, rows[i].want);
        cs_offline_driver.close(driver);
        cs_profile_free(profile);
        cs_buf_release(&text);
        cs_buf_release(&got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_what_the_table_does_not_have),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
