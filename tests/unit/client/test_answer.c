/* test_answer.c - every code of an ERROR in the class that it is counted in,
 * and what may stand in front of an answer. */
#include "session_fixture.h"

#define COUNTS "00010000000100000002" /* ONE, received 1, required 2 */

static const struct {
    int32_t code;
    const char *fields; /* version 4, behind the message */
    enum cs_result_class want;
    int executes;
} rows[] = {
    {0x0000, "", CS_RESULT_SERVER_ERROR, 1},
    {0x000A, "", CS_RESULT_PROTOCOL, 1},
    {0x0100, "", CS_RESULT_UNAUTHORIZED, 1},
    {0x1000, COUNTS, CS_RESULT_UNAVAILABLE, 1},
    {0x1001, "", CS_RESULT_OVERLOADED, 1},
    {0x1002, "", CS_RESULT_BOOTSTRAPPING, 1},
    {0x1003, "", CS_RESULT_SERVER_ERROR, 1},
    {0x1100, COUNTS "000653494d504c45", CS_RESULT_WRITE_TIMEOUT, 1},
    {0x1200, COUNTS "01", CS_RESULT_READ_TIMEOUT, 1},
    {0x1300, COUNTS "0000000100", CS_RESULT_READ_FAILURE, 1},
    {0x1400, "00026b7300016600010003696e74", CS_RESULT_FUNCTION_FAILURE, 1},
    {0x1500, COUNTS "00000001000653494d504c45", CS_RESULT_WRITE_FAILURE, 1},
    {0x1600, "", CS_RESULT_WRITE_FAILURE, 1},
    {0x1700, COUNTS, CS_RESULT_WRITE_TIMEOUT, 1},
    {0x2000, "", CS_RESULT_SYNTAX, 1},
    {0x2100, "", CS_RESULT_UNAUTHORIZED, 1},
    {0x2200, "", CS_RESULT_INVALID, 1},
    {0x2300, "", CS_RESULT_INVALID, 1},
    {0x2400, "00026b73000174", CS_RESULT_INVALID, 1},
    /* It is prepared again, and sent again once. */
    {0x2500, "00026964", CS_RESULT_UNPREPARED, 2},
    {0x7777, "0102", CS_RESULT_SERVER_ERROR, 1},
};

static void ask(struct bed *bed, struct test_op *test, int flags)
{
    bed->server.prefixes = flags;
    bed->server.executes = 0;
    submit(bed, test, 0);
    finish(bed, test, 1);
}

static void counts_each_code_as_what_it_is(void **state)
{
    struct bed bed = {.driver = NULL};

    (void)state;
    connect_bed(&bed, LIMIT_NS, 1);
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct test_op test = {.done = 0};
        size_t size;
        uint8_t *bytes = vector_hex(rows[i].fields, &size);
        const struct cs_view fields = cs_view_of(bytes, size);

        bed.server.error_fields = &fields;
        bed.server.error_code = rows[i].code;
        bed.server.mode = FAKE_PREFIXED_ERROR;
        ask(&bed, &test, 0);
        if (test.outcome.result != rows[i].want ||
            test.outcome.server_code != rows[i].code ||
            strcmp(test.message, "as told") != 0 ||
            bed.server.executes != rows[i].executes)
            fail_msg("0x%04X: got %s '%s' with 0x%04X after %d",
                     (unsigned)rows[i].code,
                     cs_result_class_name(test.outcome.result), test.message,
                     (unsigned)test.outcome.server_code, bed.server.executes);
        free(bytes);
    }
    close_bed(&bed);
}

/* A code with fields that are cut off costs the connection, and only that. */
static void breaks_off_when_fields_are_missing(void **state)
{
    const struct cs_view none = cs_view_of("", 0);
    struct bed bed = {.driver = NULL};

    (void)state;
    connect_bed(&bed, LIMIT_NS, 1);
    bed.server.error_fields = &none;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct test_op test = {.done = 0};

        if (!rows[i].fields[0] || rows[i].code == 0x7777)
            continue;
        bed.server.error_code = rows[i].code;
        bed.server.mode = FAKE_PREFIXED_ERROR;
        ask(&bed, &test, 0);
        if (test.outcome.result != CS_RESULT_PROTOCOL)
            fail_msg("0x%04X: got %s", (unsigned)rows[i].code,
                     cs_result_class_name(test.outcome.result));
        bed.server.mode = FAKE_VOID;
        ask(&bed, &test, 0);
        assert_int_equal(test.outcome.result, CS_RESULT_OK);
    }
    close_bed(&bed);
}

static uint64_t count_warnings(struct bed *bed)
{
    struct cs_server_warning warning = {.count = 0};
    uint64_t others = 0;

    if (ops->warnings(bed->session, &warning, 1, &others))
        assert_string_equal(warning.text, "take care");
    assert_int_equal(others, 0);
    return warning.count;
}

static void looks_behind_all_that_stands_in_front(void **state)
{
    const struct cs_view none = cs_view_of("", 0);
    struct bed bed = {.driver = NULL};
    uint64_t warnings = 0;

    (void)state;
    connect_bed(&bed, LIMIT_NS, 1);
    bed.server.error_fields = &none;
    bed.server.error_code = CS_SERVER_OVERLOADED;
    for (int flags = 0; flags < 16; flags += CS_FRAME_TRACING) {
        struct test_op test = {.done = 0};

        bed.server.mode = FAKE_PREFIXED;
        ask(&bed, &test, flags);
        assert_int_equal(test.outcome.result, CS_RESULT_OK);
        bed.server.mode = FAKE_PREFIXED_ERROR;
        ask(&bed, &test, flags);
        assert_int_equal(test.outcome.result, CS_RESULT_OVERLOADED);
        assert_string_equal(test.message, "as told");
        warnings += flags & CS_FRAME_WARNING ? 2 : 0;
        assert_int_equal(count_warnings(&bed), warnings);
    }
    close_bed(&bed);
}

/* The number is the server's choice: without its word it means nothing. */
static void knows_the_rate_limit_by_the_code_that_was_told(void **state)
{
    const struct cs_view fields = cs_view_of("\0\1", 2);
    const struct cs_view cut = cs_view_of("\1", 1);
    struct bed bed = {.driver = NULL};
    struct test_op test = {.done = 0};

    (void)state;
    connect_bed(&bed, LIMIT_NS, 1);
    bed.server.error_code = 0xF000;
    bed.server.error_fields = &fields;
    bed.server.mode = FAKE_PREFIXED_ERROR;
    ask(&bed, &test, 0);
    assert_int_equal(test.outcome.result, CS_RESULT_SERVER_ERROR);
    bed.driver->config.rate_limit_code = 0xF000;
    ask(&bed, &test, 0);
    assert_int_equal(test.outcome.result, CS_RESULT_RATE_LIMIT);
    assert_string_equal(cs_result_class_name(test.outcome.result),
                        "RateLimitReachedException");
    assert_string_equal(test.message,
                        "as told (a read, refused by the coordinator)");
    bed.server.error_fields = &cut;
    ask(&bed, &test, 0);
    assert_int_equal(test.outcome.result, CS_RESULT_RATE_LIMIT);
    assert_string_equal(test.message, "as told");
    close_bed(&bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_each_code_as_what_it_is),
        cmocka_unit_test(breaks_off_when_fields_are_missing),
        cmocka_unit_test(looks_behind_all_that_stands_in_front),
        cmocka_unit_test(knows_the_rate_limit_by_the_code_that_was_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
