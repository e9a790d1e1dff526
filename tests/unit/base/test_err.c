/* test_err.c - error texts. */
#include "base/err.h"
#include "support/vectors.h"

#include <errno.h>

static void tells_from_the_outside_in(void **state)
{
    struct cs_err err = {0};

    (void)state;
    assert_int_equal(cs_fail(&err, CS_EINVALID, "unknown %s", "GAUS"),
                     CS_EINVALID);
    assert_int_equal(cs_while(&err, "column '%s'", "id"), CS_EINVALID);
    assert_int_equal(cs_while(&err, "a.yaml:12:17"), CS_EINVALID);
    assert_string_equal(err.text, "a.yaml:12:17: column 'id': unknown GAUS");
}

static void keeps_the_cause_when_full(void **state)
{
    struct cs_err err = {0};
    char front[CS_ERR_TEXT];

    (void)state;
    memset(front, 'x', sizeof(front) - 1);
    front[sizeof(front) - 1] = 0;
    cs_fail(&err, CS_EINVALID, "the cause");
    for (int i = 0; i < 5; i++)
        cs_while(&err, "%s", front);
    assert_true(strlen(err.text) < sizeof(err.text));
    assert_non_null(strstr(err.text, ": the cause"));
    assert_string_equal(err.text + strlen(err.text) - 9, "the cause");
}

static void keeps_errno(void **state)
{
    struct cs_err err = {0};

    (void)state;
    errno = ENOENT;
    assert_int_equal(cs_fail_sys(&err, "opening %s", "f"), CS_ESYSTEM);
    assert_int_equal(err.sys_errno, ENOENT);
    assert_string_equal(err.text, "opening f: No such file or directory");
}

static void maps_codes_to_exit_status(void **state)
{
    struct cs_err err = {0};

    (void)state;
    assert_int_equal(cs_exit_status(&err), 0);
    cs_fail(&err, CS_EUSAGE, "x");
    assert_int_equal(cs_exit_status(&err), 1);
    cs_fail(&err, CS_EINTERRUPTED, "x");
    err.sys_errno = 2;
    assert_int_equal(cs_exit_status(&err), 130);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_from_the_outside_in),
        cmocka_unit_test(keeps_the_cause_when_full),
        cmocka_unit_test(keeps_errno),
        cmocka_unit_test(maps_codes_to_exit_status),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
