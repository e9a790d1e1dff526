/* test_error.c - ERROR bodies that no recording has, names, words. */
#include "protocol/error.h"

#include "support/vectors.h"

static const struct {
    const char *why;
    const char *fields; /* behind code and message */
    int32_t code;
    uint8_t version;
    enum cs_code want;
    struct cs_server_error error;
} rows[] = {
    {"CAS contention in v5",
     "0008000000010000000200034341530007",
     0x1100,
     5,
     CS_OK,
     {.consistency = 8, .received = 1, .required = 2, .contentions = 7}},
    {"no contention in v4",
     "000800000001000000020003434153",
     0x1100,
     4,
     CS_OK,
     {.consistency = 8, .received = 1, .required = 2}},
    {"contention is missing",
     "000800000001000000020003434153",
     0x1100,
     5,
     CS_EPROTOCOL,
     {0}},
    {"CAS_WRITE_UNKNOWN",
     "00080000000100000002",
     0x1700,
     5,
     CS_OK,
     {.consistency = 8, .received = 1, .required = 2}},
    {"reasons of two replicas",
     "0006000000010000000200000002"
     "047f0000010005"
     "10000000000000000000000000000000010000"
     "01",
     0x1300,
     5,
     CS_OK,
     {.consistency = 6,
      .received = 1,
      .required = 2,
      .failure_count = 2,
      .failure_reason = 5,
      .data_present = true}},
    {"more reasons than bytes",
     "00060000000100000002"
     "7fffffff",
     0x1300,
     5,
     CS_EPROTOCOL,
     {0}},
    {"negative count of reasons",
     "00060000000100000002"
     "ffffffff00",
     0x1300,
     5,
     CS_EPROTOCOL,
     {0}},
    {"address of 5 bytes",
     "0006000000010000000200000001"
     "057f00000100000500",
     0x1300,
     5,
     CS_EPROTOCOL,
     {0}},
    {"failures are a number in v4",
     "000600000001000000020000000300",
     0x1300,
     4,
     CS_OK,
     {.consistency = 6, .received = 1, .required = 2, .failure_count = 3}},
    /* Those without fields that no recording has. */
    {"IS_BOOTSTRAPPING", "", 0x1002, 4, CS_OK, {0}},
    {"TRUNCATE_ERROR", "", 0x1003, 4, CS_OK, {0}},
    {"CDC_WRITE_FAILURE", "", 0x1600, 5, CS_OK, {0}},
    {"CONFIG_ERROR", "", 0x2300, 4, CS_OK, {0}},
    {"unknown code", "", 0x7777, 5, CS_OK, {0}},
    {"unknown code with fields", "0102", 0xF000, 4, CS_OK, {0}},
    {"UNAVAILABLE without fields", "", 0x1000, 4, CS_EPROTOCOL, {0}},
};

static void put_error(struct cs_buf *buf, int32_t code, const char *fields)
{
    size_t size;
    uint8_t *bytes = vector_hex(fields, &size);

    cs_buf_put32(buf, (uint32_t)code);
    cs_put_string(buf, cs_view_text("words"));
    cs_buf_put(buf, bytes, size);
    free(bytes);
}

static void reads_the_fields_of_each_code(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        const struct cs_server_error *want = &rows[i].error;
        struct cs_server_error got;
        struct cs_buf buf;
        enum cs_code rc;

        cs_buf_init(&buf, 1000);
        put_error(&buf, rows[i].code, rows[i].fields);
        rc = cs_server_error_decode(cs_reader_of(buf.data, buf.size),
                                    rows[i].version, &got, NULL);
        if (rc != rows[i].want)
            fail_msg("%s: %d", rows[i].why, rc);
        if (!rc &&
            (got.code != rows[i].code || !cs_view_is(got.message, "words") ||
             got.consistency != want->consistency ||
             got.received != want->received || got.required != want->required ||
             got.contentions != want->contentions ||
             got.failure_count != want->failure_count ||
             got.failure_reason != want->failure_reason ||
             got.data_present != want->data_present))
            fail_msg("%s: other fields", rows[i].why);
        cs_buf_release(&buf);
    }
}

static void names_codes_and_reasons(void **state)
{
    (void)state;
    assert_string_equal(cs_server_code_name(0), "SERVER_ERROR");
    assert_string_equal(cs_server_code_name(0x2500), "UNPREPARED");
    assert_null(cs_server_code_name(0x2501));
    assert_string_equal(cs_failure_reason_name(2), "TIMEOUT");
    assert_null(cs_failure_reason_name(7)); /* differs between servers */
}

static void says_what_the_server_said(void **state)
{
    struct cs_server_error error = {
        .code = CS_SERVER_INVALID,
        .message = cs_view_text("table \x1B[1m nope\ndoes not exist"),
    };
    struct cs_err err = {0};

    (void)state;
    assert_int_equal(cs_server_error_fail(&error, &err), CS_ESERVER);
    assert_int_equal(err.server_code, 0x2200);
    assert_string_equal(err.text,
                        "INVALID: table \\x1b[1m nope\\ndoes not exist");
    error.code = CS_SERVER_AUTH_ERROR;
    assert_int_equal(cs_server_error_fail(&error, &err), CS_EAUTH);
    error.code = 0xF000;
    error.message = cs_view_text("slow down");
    assert_int_equal(cs_server_error_fail(&error, &err), CS_ESERVER);
    assert_string_equal(err.text, "server error 0xF000: slow down");
    assert_int_equal(cs_server_error_fail(&error, NULL), CS_ESERVER);
}

static const struct {
    int32_t code;
    const char *message;
    bool refusal;
} refusals[] = {
    {0x0A,
     "Invalid or unsupported protocol version (7); supported versions are "
     "(3/v3, 4/v4, 5/v5, 6/v6-beta)",
     true},
    {0x0A,
     "Beta version of the protocol used (6/v6-beta), but USE_BETA flag is "
     "unset",
     true},
    {0x0A, "Rejecting Protocol Version 3 < 4", true},
    {0x0A, "Unknown compression algorithm: foo", false},
    {0x00, "Invalid or unsupported protocol version (7)", false},
    {0x0A, "", false},
};

static void knows_a_refused_version(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(refusals); i++) {
        const struct cs_server_error error = {
            .code = refusals[i].code,
            .message = cs_view_text(refusals[i].message),
        };

        assert_int_equal(cs_server_error_is_version_refusal(&error),
                         refusals[i].refusal);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_fields_of_each_code),
        cmocka_unit_test(names_codes_and_reasons),
        cmocka_unit_test(says_what_the_server_said),
        cmocka_unit_test(knows_a_refused_version),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
