/* test_asked.c - values of requests: null, unset, and what is neither. */
#include "support/responder_client.h"

#define TABLE "keyspace1.standard1"

/* The key 'x' and one value more of this size, without bytes if it is below 0.
 */
static void execute(struct client *c, const uint8_t id[16], int32_t size)
{
    uint8_t values[10] = {0, 0, 0, 1, 'x', 0, 0, 0, 0, 'v'};
    const struct cs_query_params params = {
        .consistency = 1,
        .timestamp_us = CS_TIMESTAMP_NONE,
        .value_count = 2,
        .values = cs_view_of(values, size < 0 ? 9 : 10)};
    struct cs_request request = request_of(c);

    cs_store32(values + 5, (uint32_t)size);
    cs_request_execute(begin(c), &request, cs_view_of(id, 16),
                       cs_view_of(id, 16), &params);
    assert_true(finish(c));
}

/* Size of the cell, or -1: null. */
static int32_t stored_size(struct client *c)
{
    struct cs_result result;

    assert_true(ask(c, "SELECT \"C0\" FROM " TABLE " WHERE key = 0x78"));
    result = result_of(c);
    assert_int_equal(result.row_count, 1);
    return (int32_t)cs_read32(&result.cells);
}

/* A null deletes, an unset value leaves what is there; version 3 knows only
 * the first. */
static void tells_null_from_unset(void **state)
{
    static const struct {
        uint8_t version;
        int32_t size;
        int32_t stored; /* INT32_MIN: refused */
    } rows[] = {
        {3, -1, -1}, {3, -2, -1}, {3, -3, -1},
        {4, -1, -1}, {4, -2, 1},  {4, -3, INT32_MIN},
        {5, -1, -1}, {5, -2, 1},  {5, -3, INT32_MIN},
    };
    struct cs_responder_options options = good_responder;
    struct server server;

    (void)state;
    options.stored = 1 << 20;
    start(&server, &options);
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        uint8_t id[16];
        struct client c;

        join(&c, &server, rows[i].version);
        hello(&c, NULL);
        prepare_statement(
            &c, "INSERT INTO " TABLE " (key, \"C0\") VALUES (?, ?)", id);
        execute(&c, id, 1);
        assert_int_equal(stored_size(&c), 1);
        execute(&c, id, rows[i].size);
        if (rows[i].stored == INT32_MIN) {
            assert_int_equal(error_of(&c).code, CS_SERVER_PROTOCOL_ERROR);
        } else {
            assert_int_equal(result_of(&c).kind, CS_RESULT_KIND_VOID);
            assert_int_equal(stored_size(&c), rows[i].stored);
        }
        leave(&c);
    }
    stop(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_null_from_unset),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
