/* test_ident.c - names in CQL text. */
#include "schema/ident.h"

#include "support/vectors.h"

static void quotes_only_what_needs_it(void **state)
{
    static const struct {
        const char *name;
        const char *want;
        const char *quoted;
    } rows[] = {
        {"users", "users", "\"users\""},
        {"a_1", "a_1", "\"a_1\""},
        {"Users", "\"Users\"", "\"Users\""},
        {"1a", "\"1a\"", "\"1a\""},
        {"_a", "\"_a\"", "\"_a\""},
        {"a b", "\"a b\"", "\"a b\""},
        {"a\"b", "\"a\"\"b\"", "\"a\"\"b\""},
        {"\xc3\xa4", "\"\xc3\xa4\"", "\"\xc3\xa4\""},
        {"", "\"\"", "\"\""},
        {"select", "\"select\"", "\"select\""},
        {"default", "\"default\"", "\"default\""}, /* of other releases */
        {"key", "key", "\"key\""},                 /* a word, not reserved */
        {"values", "values", "\"values\""},
        {"type", "type", "\"type\""},
    };
    struct cs_buf buf;

    (void)state;
    cs_buf_init(&buf, 1000);
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        cs_buf_clear(&buf);
        cs_ident_put(&buf, rows[i].name);
        assert_string_equal(cs_buf_text(&buf), rows[i].want);
        cs_buf_clear(&buf);
        cs_ident_put_quoted(&buf, rows[i].name);
        assert_string_equal(cs_buf_text(&buf), rows[i].quoted);
    }
    cs_buf_release(&buf);
}

static void joins_keyspace_and_table(void **state)
{
    struct cs_buf buf;

    (void)state;
    cs_buf_init(&buf, 1000);
    cs_ident_put_table(&buf, "Ks", "table");
    assert_string_equal(cs_buf_text(&buf), "\"Ks\".\"table\"");
    cs_buf_clear(&buf);
    cs_ident_put_table(&buf, NULL, "t");
    assert_string_equal(cs_buf_text(&buf), "t");
    cs_buf_release(&buf);
}

static void knows_the_reserved_words_of_5_0(void **state)
{
    (void)state;
    assert_true(cs_ident_reserved("add"));
    assert_true(cs_ident_reserved("with"));
    assert_true(cs_ident_reserved("MATERIALIZED"));
    assert_false(cs_ident_reserved("default"));
    assert_false(cs_ident_reserved("users"));
    assert_false(cs_ident_reserved(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotes_only_what_needs_it),
        cmocka_unit_test(joins_keyspace_and_table),
        cmocka_unit_test(knows_the_reserved_words_of_5_0),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
