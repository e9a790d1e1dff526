/* test_prepared.c - prepared statements while their table changes, batches,
 * every error, and what stands in front of answers. */
#include "support/responder_client.h"

#define TABLE "keyspace1.standard1"

struct prepared {
    uint8_t id[16];
    uint8_t shape[16];
};

static void prepare(struct client *c, const char *cql, struct prepared *out)
{
    struct cs_request request = request_of(c);
    struct cs_result result;

    cs_request_prepare(begin(c), &request, cs_view_text(cql),
                       cs_view_of(NULL, 0));
    assert_true(finish(c));
    result = result_of(c);
    assert_int_equal(result.kind, CS_RESULT_KIND_PREPARED);
    memcpy(out->id, result.id.data, 16);
    if (c->version >= 5)
        memcpy(out->shape, result.metadata_id.data, 16);
}

static void execute(struct client *c, const struct prepared *p)
{
    const struct cs_query_params params = {.consistency = 1,
                                           .skip_metadata = true,
                                           .timestamp_us = CS_TIMESTAMP_NONE,
                                           .value_count = 1,
                                           .values =
                                               cs_view_of("\0\0\0\1x", 5)};
    struct cs_request request = request_of(c);

    cs_request_execute(begin(c), &request, cs_view_of(p->id, 16),
                       cs_view_of(p->shape, 16), &params);
    assert_true(finish(c));
}

/* As a server does it: unknown after ALTER; once another client has prepared
 * the text, version 5 tells the new columns and older ones just send them. */
static void an_altered_table_is_prepared_again(void **state)
{
    static const char cql[] = "SELECT * FROM " TABLE " WHERE key = ?";

    (void)state;
    for (uint8_t version = 3; version <= 5; version++) {
        struct prepared old;
        struct prepared anew;
        struct server server;
        struct client c;
        struct cs_result result;

        start(&server, &good_responder);
        join(&c, &server, version);
        hello(&c, NULL);
        prepare(&c, cql, &old);
        execute(&c, &old);
        result = result_of(&c);
        assert_int_equal(result.metadata.flags, CS_METADATA_NONE);
        assert_int_equal(result.metadata.column_count, 6);
        assert_true(ask(&c, "ALTER TABLE " TABLE " ADD d int"));
        assert_int_equal(result_of(&c).kind, CS_RESULT_KIND_SCHEMA_CHANGE);
        execute(&c, &old);
        assert_int_equal(error_of(&c).code, CS_SERVER_UNPREPARED);
        assert_memory_equal(error_of(&c).unprepared_id.data, old.id, 16);
        prepare(&c, cql, &anew);
        assert_memory_equal(anew.id, old.id, 16);
        execute(&c, &old);
        result = result_of(&c);
        assert_int_equal(result.metadata.column_count, 7);
        if (version < 5) {
            assert_int_equal(result.metadata.flags, CS_METADATA_NONE);
        } else {
            assert_int_equal(result.metadata.flags,
                             CS_METADATA_GLOBAL | CS_METADATA_CHANGED);
            assert_memory_equal(result.metadata.new_id.data, anew.shape, 16);
            assert_memory_not_equal(anew.shape, old.shape, 16);
            execute(&c, &anew);
            assert_int_equal(result_of(&c).metadata.flags, CS_METADATA_NONE);
        }
        assert_true(ask(&c, "DROP TABLE " TABLE));
        execute(&c, &anew);
        assert_int_equal(error_of(&c).code, CS_SERVER_UNPREPARED);
        leave(&c);
        stop(&server);
    }
}

/* Memory is bounded: the oldest makes room, and is prepared again when used. */
static void of_many_statements_the_oldest_is_forgotten(void **state)
{
    struct prepared first, last;
    struct server server;
    struct client c;
    char cql[100];

    (void)state;
    start(&server, &good_responder);
    join(&c, &server, 4);
    hello(&c, NULL);
    for (int i = 1; i <= 1001; i++) {
        snprintf(cql, sizeof(cql),
                 "SELECT * FROM " TABLE " WHERE key = ? LIMIT %d", i);
        prepare(&c, cql, i == 1 ? &first : &last);
    }
    execute(&c, &first);
    assert_int_equal(error_of(&c).code, CS_SERVER_UNPREPARED);
    execute(&c, &last);
    assert_int_equal(result_of(&c).kind, CS_RESULT_KIND_ROWS);
    prepare(&c, "SELECT * FROM " TABLE " WHERE key = ? LIMIT 1", &first);
    execute(&c, &first);
    assert_int_equal(result_of(&c).kind, CS_RESULT_KIND_ROWS);
    leave(&c);
    stop(&server);
}

/* A condition announces no columns, and its rows always bring theirs. */
static void a_condition_tells_its_columns_each_time(void **state)
{
    static const char cql[] =
        "INSERT INTO " TABLE " (key) VALUES (?) IF NOT EXISTS";
    struct cs_request request;
    struct server server;
    struct client c;
    struct prepared p;

    (void)state;
    start(&server, &good_responder);
    join(&c, &server, 5);
    hello(&c, NULL);
    request = request_of(&c);
    cs_request_prepare(begin(&c), &request, cs_view_text(cql),
                       cs_view_of(NULL, 0));
    assert_true(finish(&c));
    assert_int_equal(result_of(&c).metadata.column_count, 0);
    prepare(&c, cql, &p);
    execute(&c, &p);
    assert_true(result_of(&c).metadata.conditional);
    assert_int_equal(result_of(&c).row_count, 1);
    leave(&c);
    stop(&server);
}

/* ---- batches ---- */

static void send_batch(struct client *c, const struct prepared *p,
                       const char *text)
{
    const struct cs_query_params params = {.consistency = 1,
                                           .timestamp_us = CS_TIMESTAMP_NONE};
    struct cs_request request = request_of(c);
    struct cs_buf *out = begin(c);
    size_t at = cs_batch_begin(out, &request, 0);

    cs_batch_add_prepared(out, cs_view_of(p->id, 16), 1,
                          cs_view_of("\0\0\0\1x", 5));
    cs_batch_add_text(out, cs_view_text(text), 0, cs_view_of(NULL, 0));
    cs_batch_end(out, &request, at, 2, &params);
    assert_true(finish(c));
}

static int64_t count_rows(struct client *c)
{
    struct cs_result result;

    assert_true(ask(c, "SELECT count(*) FROM " TABLE));
    result = result_of(c);
    return (int64_t)cs_load64(cs_read_blob(&result.cells).data);
}

static void a_batch_is_all_or_nothing(void **state)
{
    static const char second[] = "INSERT INTO " TABLE " (key) VALUES (0x02)";
    static const char once[] =
        "INSERT INTO " TABLE " (key) VALUES (0x03) IF NOT EXISTS";
    struct cs_responder_options options = good_responder;
    struct server server;

    (void)state;
    options.stored = 1 << 20;
    start(&server, &options);
    for (uint8_t version = 3; version <= 5; version++) {
        struct prepared p;
        struct client c;

        join(&c, &server, version);
        hello(&c, NULL);
        assert_true(ask(&c, "TRUNCATE " TABLE));
        prepare(&c, "INSERT INTO " TABLE " (key) VALUES (?)", &p);
        send_batch(&c, &p, "INSERT INTO nowhere.t (key) VALUES (0x02)");
        assert_int_equal(error_of(&c).code, CS_SERVER_INVALID);
        p.id[9] ^= 1;
        send_batch(&c, &p, second);
        assert_int_equal(error_of(&c).code, CS_SERVER_UNPREPARED);
        assert_memory_equal(error_of(&c).unprepared_id.data, p.id, 16);
        p.id[9] ^= 1;
        assert_int_equal(count_rows(&c), 0);
        send_batch(&c, &p, second);
        assert_int_equal(result_of(&c).kind, CS_RESULT_KIND_VOID);
        assert_int_equal(count_rows(&c), 2);
        for (int i = 0; i < 2; i++) {
            struct cs_result result;

            assert_true(ask(&c, "DELETE FROM " TABLE " WHERE key = 0x78"));
            send_batch(&c, &p, once);
            result = result_of(&c);
            assert_int_equal(result.kind, CS_RESULT_KIND_ROWS);
            assert_int_equal(cs_result_applied(&result), i == 0);
            assert_int_equal(count_rows(&c), i == 0 ? 3 : 2);
        }
        leave(&c);
    }
    stop(&server);
}

/* ---- errors ---- */

static void every_error_has_its_fields(void **state)
{
    static const struct {
        const char *name;
        int32_t code;
        int32_t code_v4;
        int32_t code_v3;
    } rows[] = {
        {"SERVER_ERROR", 0x0000, 0x0000, 0x0000},
        {"PROTOCOL_ERROR", 0x000A, 0x000A, 0x000A},
        {"AUTH_ERROR", 0x0100, 0x0100, 0x0100},
        {"UNAVAILABLE", 0x1000, 0x1000, 0x1000},
        {"OVERLOADED", 0x1001, 0x1001, 0x1001},
        {"IS_BOOTSTRAPPING", 0x1002, 0x1002, 0x1002},
        {"TRUNCATE_ERROR", 0x1003, 0x1003, 0x1003},
        {"WRITE_TIMEOUT", 0x1100, 0x1100, 0x1100},
        {"READ_TIMEOUT", 0x1200, 0x1200, 0x1200},
        {"READ_FAILURE", 0x1300, 0x1300, 0x1200},
        {"FUNCTION_FAILURE", 0x1400, 0x1400, 0x2200},
        {"WRITE_FAILURE", 0x1500, 0x1500, 0x1100},
        {"CDC_WRITE_FAILURE", 0x1600, 0x1600, 0x2200},
        {"CAS_WRITE_UNKNOWN", 0x1700, 0x1100, 0x1100},
        {"SYNTAX_ERROR", 0x2000, 0x2000, 0x2000},
        {"UNAUTHORIZED", 0x2100, 0x2100, 0x2100},
        {"INVALID", 0x2200, 0x2200, 0x2200},
        {"CONFIG_ERROR", 0x2300, 0x2300, 0x2300},
        {"ALREADY_EXISTS", 0x2400, 0x2400, 0x2400},
        {"0x7777", 0x7777, 0x7777, 0x7777},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_responder_options options = good_responder;
        char errors[64];
        struct server server;

        snprintf(errors, sizeof(errors), "%s:1", rows[i].name);
        options.errors = errors;
        start(&server, &options);
        for (uint8_t version = 3; version <= 5; version++) {
            int32_t want = version == 3   ? rows[i].code_v3
                           : version == 4 ? rows[i].code_v4
                                          : rows[i].code;
            struct client c;

            join(&c, &server, version);
            hello(&c, NULL);
            assert_true(write_row(&c));
            assert_int_equal(error_of(&c).code, want);
            leave(&c);
        }
        stop(&server);
    }
}

/* ---- what stands in front ---- */

static void answers_can_have_more_in_front(void **state)
{
    struct cs_responder_options options = good_responder;
    struct server server;

    (void)state;
    options.warnings = 1;
    options.payloads = 1;
    start(&server, &options);
    for (uint8_t version = 3; version <= 5; version++) {
        const struct cs_query_params params = {
            .consistency = 1, .timestamp_us = CS_TIMESTAMP_NONE};
        struct cs_request request;
        struct cs_prefix prefix;
        struct client c;

        join(&c, &server, version);
        hello(&c, NULL);
        request = request_of(&c);
        request.flags = CS_FRAME_TRACING;
        cs_request_query(begin(&c), &request,
                         cs_view_text("SELECT * FROM " TABLE), &params);
        assert_true(finish(&c));
        assert_int_equal(result_of(&c).row_count, 1);
        open_frame(&c, &prefix);
        assert_int_equal(prefix.tracing_id.size, 16);
        assert_int_equal(prefix.warning_count, version > 3);
        assert_int_equal(prefix.payload_count, version > 3);
        leave(&c);
    }
    stop(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_altered_table_is_prepared_again),
        cmocka_unit_test(of_many_statements_the_oldest_is_forgotten),
        cmocka_unit_test(a_condition_tells_its_columns_each_time),
        cmocka_unit_test(a_batch_is_all_or_nothing),
        cmocka_unit_test(every_error_has_its_fields),
        cmocka_unit_test(answers_can_have_more_in_front),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
