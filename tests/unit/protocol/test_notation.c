/* test_notation.c - strings, bytes, counts; text made safe to show. */
#include "protocol/notation.h"

#include "support/vectors.h"

static void tells_null_from_empty_bytes(void **state)
{
    const uint8_t bytes[] = {0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0,  0xFF,
                             0xFF, 0xFF, 0xFE, 0,    0, 0, 1, 'x'};
    struct cs_reader r = cs_reader_of(bytes, sizeof(bytes));
    struct cs_view view;

    (void)state;
    assert_null(cs_read_blob(&r).data);
    view = cs_read_blob(&r);
    assert_non_null(view.data);
    assert_int_equal(view.size, 0);
    assert_null(cs_read_blob(&r).data);
    assert_true(cs_view_is(cs_read_blob(&r), "x"));
    assert_false(r.fault);
}

static void refuses_sizes_beyond_the_end(void **state)
{
    const uint8_t bytes[] = {0x7F, 0xFF, 0xFF, 0xFF, 'x'};
    const uint8_t negative[] = {0xFF, 0xFF, 0xFF, 0xFF, 'x'};
    struct cs_reader r = cs_reader_of(bytes, sizeof(bytes));
    struct cs_err err = {0};

    (void)state;
    assert_null(cs_read_blob(&r).data);
    assert_true(r.fault);
    r = cs_reader_of(negative, sizeof(negative));
    assert_null(cs_read_long_string(&r).data);
    assert_true(r.fault);
    r = cs_reader_of(bytes, sizeof(bytes));
    assert_null(cs_read_string(&r).data);
    assert_true(r.fault);
    assert_int_equal(cs_reader_check(&r, "thing", &err), CS_EPROTOCOL);
    assert_string_equal(err.text, "thing: cut off or not well-formed");
}

static void refuses_counts_that_cannot_be_there(void **state)
{
    const uint8_t bytes[12] = {0};
    struct cs_reader r = cs_reader_of(bytes, sizeof(bytes));

    (void)state;
    assert_int_equal(cs_read_count(&r, 3, 4), 3);
    assert_false(r.fault);
    assert_int_equal(cs_read_count(&r, 4, 4), 0);
    assert_true(r.fault);
    r = cs_reader_of(bytes, sizeof(bytes));
    assert_int_equal(cs_read_count(&r, UINT32_MAX, 4), 0);
    assert_true(r.fault);
}

static void too_long_a_string_is_a_fault(void **state)
{
    struct cs_buf buf;
    char *text = calloc(1, 65536);

    (void)state;
    cs_buf_init(&buf, SIZE_MAX);
    cs_put_string(&buf, cs_view_of(text, 65535));
    assert_int_equal(buf.size, 65537);
    cs_put_string(&buf, cs_view_of(text, 65536));
    assert_true(buf.fault);
    cs_buf_release(&buf);
    free(text);
}

static const struct {
    const char *text;
    size_t cap;
    const char *want;
} rows[] = {
    {"", 10, ""},
    {"plain", 6, "plain"},
    {"plain!", 6, "pl..."},
    {"kremówki", 20, "kremówki"},
    {"kremówki", 9, "krem..."}, /* never half a character */
    {"a\x1B[2J", 20, "a\\x1b[2J"},
    {"line\nline\t", 20, "line\\nline\\t"},
    {"\x7F", 20, "\\x7f"},
    {"\xC2\x9B", 20, "\\xc2\\x9b"}, /* U+009B, a control character */
    {"\xC3", 20, "\\xc3"},
    {"\xF0\x9F\x98\x80", 20, "\xF0\x9F\x98\x80"},
    {"\xF0\x9F\x98", 20, "\\xf0\\x9f\\x98"},
    {"\xFF\xFE", 20, "\\xff\\xfe"},
    {"\xE2\x28\xA1", 20, "\\xe2(\\xa1"},
    {"\x1B\x1B", 8, "\\x1b..."},
};

static void escapes_what_a_terminal_would_obey(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        char *out = malloc(rows[i].cap);

        cs_escape(out, rows[i].cap, cs_view_text(rows[i].text));
        assert_string_equal(out, rows[i].want);
        free(out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_null_from_empty_bytes),
        cmocka_unit_test(refuses_sizes_beyond_the_end),
        cmocka_unit_test(refuses_counts_that_cannot_be_there),
        cmocka_unit_test(too_long_a_string_is_a_fault),
        cmocka_unit_test(escapes_what_a_terminal_would_obey),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
