/* test_stored_write.c - which of two writes holds. */
#include "stored_steps.h"

/* In whatever order they come; at the same time a null wins, then the greater
 * value. */
static void the_later_timestamp_holds(void **state)
{
    static const struct step steps[] = {
        {"CREATE TABLE k.t (a int PRIMARY KEY, b int, c int)", "change"},
        {"INSERT INTO k.t (a, b) VALUES (1, 20) USING TIMESTAMP 20", "void"},
        {"INSERT INTO k.t (a, b, c) VALUES (1, 10, 1) USING TIMESTAMP 10",
         "void"},
        {"SELECT * FROM k.t", "1 20 1"},
        {"UPDATE k.t USING TTL 9 AND TIMESTAMP 20 SET b = 19 WHERE a = 1",
         "void"},
        {"SELECT * FROM k.t", "1 20 1"},
        {"UPDATE k.t USING TIMESTAMP 20 SET b = 21 WHERE a = 1", "void"},
        {"SELECT * FROM k.t", "1 21 1"},
        {"UPDATE k.t USING TIMESTAMP 20 SET b = null WHERE a = 1", "void"},
        {"UPDATE k.t USING TIMESTAMP 20 SET b = 99 WHERE a = 1", "void"},
        {"SELECT * FROM k.t", "1 null 1"},
        {"DELETE c FROM k.t USING TIMESTAMP 9 WHERE a = 1", "void"},
        {"SELECT * FROM k.t", "1 null 1"},
        {"UPDATE k.t USING TIMESTAMP 30 SET b = 30 WHERE a = 1", "void"},
        {"DELETE FROM k.t USING TIMESTAMP 25 WHERE a = 1", "void"},
        {"SELECT * FROM k.t", "1 30 null"},
        {"UPDATE k.t SET b = 40 WHERE a = 1", "void"},
        {"UPDATE k.t SET b = 39 WHERE a = 1", "void"},
        {"SELECT * FROM k.t", "1 39 null"},
        {"DELETE FROM k.t WHERE a = 1", "void"},
        {"SELECT * FROM k.t", ""},
        {"UPDATE k.t USING TIME 1 SET b = 1 WHERE a = 1", "stored=: found..."},
    };

    (void)state;
    check_all(steps, CS_COUNT(steps));
}

static void write_at(struct client *c, const char *cql, int64_t timestamp_us)
{
    const struct cs_query_params params = {.consistency = 1,
                                           .serial_consistency = 8,
                                           .timestamp_us = timestamp_us};
    struct cs_request request = request_of(c);

    cs_request_query(begin(c), &request, cs_view_text(cql), &params);
    assert_true(finish(c));
    assert_int_equal(result_of(c).kind, CS_RESULT_KIND_VOID);
}

static void write_batch_at(struct client *c, const char *cql,
                           int64_t timestamp_us)
{
    const struct cs_query_params params = {.consistency = 1,
                                           .serial_consistency = 8,
                                           .timestamp_us = timestamp_us};
    struct cs_request request = request_of(c);
    struct cs_buf *out = begin(c);
    size_t at = cs_batch_begin(out, &request, 0);

    cs_batch_add_text(out, cs_view_text(cql), 0, cs_view_of(NULL, 0));
    cs_batch_end(out, &request, at, 1, &params);
    assert_true(finish(c));
    assert_int_equal(result_of(c).kind, CS_RESULT_KIND_VOID);
}

/* That of the text comes before that of the request. */
static void requests_bring_timestamps(void **state)
{
    static const struct step first = {"SELECT b FROM k.t", "1"};
    static const struct step second = {"SELECT b FROM k.t", "3"};
    struct server server;
    struct client c;

    (void)state;
    start(&server, &keeps);
    for (uint8_t version = 3; version <= 5; version++) {
        join(&c, &server, version);
        hello(&c, NULL);
        check(&c, &(struct step){"CREATE KEYSPACE k WITH replication = {'class'"
                                 ": 'SimpleStrategy', 'replication_factor': 1}",
                                 "change"});
        check(&c, &(struct step){"CREATE TABLE k.t (a int PRIMARY KEY, b int)",
                                 "change"});
        write_at(&c, "INSERT INTO k.t (a, b) VALUES (0, 1)", 20);
        write_at(&c, "INSERT INTO k.t (a, b) VALUES (0, 2)", 10);
        write_batch_at(&c, "INSERT INTO k.t (a, b) VALUES (0, 2)", 11);
        write_at(&c, "UPDATE k.t USING TIMESTAMP 12 SET b = 2 WHERE a = 0", 30);
        check(&c, &first);
        write_batch_at(&c, "INSERT INTO k.t (a, b) VALUES (0, 3)", 21);
        check(&c, &second);
        check(&c, &(struct step){"DROP KEYSPACE k", "change"});
        leave(&c);
    }
    stop(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_later_timestamp_holds),
        cmocka_unit_test(requests_bring_timestamps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
