/* test_stranger.c - peers that do not speak CQL, by their first bytes. */
#include "client/stranger.h"

#include "support/vectors.h"

struct row {
    const char *bytes;
    size_t size;
    bool encrypted;
    const char *text; /* part of it; NULL: it may be a server */
};

#define SAYS(bytes) bytes, sizeof(bytes) - 1

static void knows_who_answers_there(void **state)
{
    static const struct row rows[] = {
        {SAYS("\x84\0\0\0\2"), false, NULL},
        {SAYS("\x81\0\0\0\0"), false, NULL}, /* a refusal of version 1 */
        {SAYS("HTTP"), false, NULL},         /* too little to say */
        {SAYS("\x15"), false, NULL},
        {SAYS("HTTP/1.1 400 Bad Request\r\n"), false, "CQL but HTTP"},
        {SAYS("SSH-2.0-OpenSSH_9.2\r\n"), false, "CQL but SSH"},
        {SAYS("\x15\3\3\0\2\2\x46"), false, "give -transport truststore="},
        {SAYS("\x15\3"), false, "give -transport truststore="},
        {SAYS("\x15\3\3\0\2\2\x46"), true, "its first bytes are '\\x15"},
        {SAYS("\x1b[31m and much more than is shown of it"), false,
         "its first bytes are '\\x1b[31m and much more than'"},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_connection_config config = {.version = 4};
        const uint8_t *bytes = (const uint8_t *)rows[i].bytes;
        struct cs_err err;

        config.tls = rows[i].encrypted ? (struct cs_tls *)&config : NULL;
        assert_int_equal(cs_stranger_is(bytes, rows[i].size),
                         rows[i].text != NULL);
        if (!rows[i].text)
            continue;
        assert_true(cs_stranger_fail(&config, bytes, rows[i].size, &err));
        if (!strstr(err.text, rows[i].text))
            fail_msg("no '%s' in: %s", rows[i].text, err.text);
    }
}

static void names_the_option_that_there_is(void **state)
{
    const struct cs_connection_config config = {.version = 4,
                                                .tls_hint = "-ssl"};
    struct cs_err err;

    (void)state;
    assert_int_equal(
        cs_stranger_fail(&config, (const uint8_t *)"\x15\3", 2, &err), CS_ETLS);
    assert_non_null(strstr(err.text, "give -ssl"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_who_answers_there),
        cmocka_unit_test(names_the_option_that_there_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
