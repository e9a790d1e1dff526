/* test_errors.c - which class an error of the server or of libmariadb belongs
 * to, and what it says to the user. */
#include "mysql/mysql_internal.h"
#include "support/vectors.h"

/* Numbers as the manual of the server lists them. */
static const struct {
    unsigned error;
    bool is_read;
    enum cs_result_class want;
    bool fatal;
    enum cs_code code;
} rows[] = {
    {1040, false, CS_RESULT_OVERLOADED, false, CS_ESERVER},
    {1045, false, CS_RESULT_UNAUTHORIZED, false, CS_EAUTH},
    {1142, true, CS_RESULT_UNAUTHORIZED, false, CS_EAUTH},
    {1064, false, CS_RESULT_SYNTAX, false, CS_ESERVER},
    {1146, true, CS_RESULT_INVALID, false, CS_ESERVER},
    {1406, false, CS_RESULT_INVALID, false, CS_ESERVER},
    {1205, false, CS_RESULT_WRITE_TIMEOUT, false, CS_ESERVER},
    {1205, true, CS_RESULT_READ_TIMEOUT, false, CS_ESERVER},
    {1969, true, CS_RESULT_READ_TIMEOUT, false, CS_ESERVER},
    {1213, false, CS_RESULT_DEADLOCK, false, CS_ESERVER},
    {1290, false, CS_RESULT_UNAVAILABLE, false, CS_ESERVER},
    {1053, false, CS_RESULT_UNAVAILABLE, true, CS_ESERVER},
    {1927, false, CS_RESULT_CONNECTION_LOST, true, CS_ECONNECT},
    {2002, false, CS_RESULT_NO_HOST, true, CS_ECONNECT},
    {2005, false, CS_RESULT_NO_HOST, true, CS_ECONNECT},
    {2006, false, CS_RESULT_CONNECTION_LOST, true, CS_ECONNECT},
    {2013, true, CS_RESULT_CONNECTION_LOST, true, CS_ECONNECT},
    {2027, true, CS_RESULT_PROTOCOL, true, CS_EPROTOCOL},
    {1999, true, CS_RESULT_SERVER_ERROR, false, CS_ESERVER},
};

static void sorts_errors_by_class(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_err err = {0};

        assert_int_equal(cs_mysql_class(rows[i].error, rows[i].is_read),
                         rows[i].want);
        assert_int_equal(cs_mysql_is_fatal(rows[i].error), rows[i].fatal);
        assert_int_equal(cs_mysql_fail(&err, rows[i].error, "why"),
                         rows[i].code);
        assert_int_equal(err.server_code, rows[i].error);
    }
}

static void tells_the_number(void **state)
{
    struct cs_err err = {0};

    (void)state;
    cs_mysql_fail(&err, 1213, "Deadlock found");
    assert_string_equal(err.text, "Deadlock found (error 1213)");
    assert_string_equal(cs_result_class_name(CS_RESULT_DEADLOCK),
                        "DeadlockException");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_errors_by_class),
        cmocka_unit_test(tells_the_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
