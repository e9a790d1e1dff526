/* test_vint.c - integers of variable length, both ways. */
#include "types/vint.h"

#include "support/vectors.h"

static const struct {
    uint64_t value;
    const char *hex;
} rows[] = {
    {0, "00"},
    {127, "7f"},
    {128, "8080"},
    {16383, "bfff"},
    {16384, "c04000"},
    {UINT64_C(0xffffffff), "f0ffffffff"},
    {UINT64_C(0xffffffffffffff), "feffffffffffffff"},
    {UINT64_C(0x100000000000000), "ff0100000000000000"},
    {UINT64_MAX, "ffffffffffffffffff"},
};

static void writes_the_shortest_form(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        size_t size;
        uint8_t *want = vector_hex(rows[i].hex, &size);
        struct cs_buf buf;

        cs_buf_init(&buf, 100);
        cs_buf_put_uvint(&buf, rows[i].value);
        assert_int_equal(buf.size, size);
        assert_int_equal(cs_uvint_size(rows[i].value), size);
        assert_memory_equal(buf.data, want, size);
        cs_buf_release(&buf);
        free(want);
    }
}

static void reads_what_it_writes_and_no_less(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        size_t size;
        uint8_t *bytes = vector_hex(rows[i].hex, &size);
        struct cs_reader whole = cs_reader_of(bytes, size);
        struct cs_reader cut = cs_reader_of(bytes, size - 1);

        assert_true(cs_read_uvint(&whole) == rows[i].value);
        assert_true(!whole.fault && !cs_reader_left(&whole));
        assert_true(cs_read_uvint(&cut) == 0 && cut.fault);
        free(bytes);
    }
}

static void folds_the_sign(void **state)
{
    (void)state;
    assert_true(cs_zigzag(0) == 0 && cs_zigzag(-1) == 1 && cs_zigzag(1) == 2);
    assert_true(cs_zigzag(INT64_MIN) == UINT64_MAX);
    for (int64_t v = -3; v <= 3; v++)
        assert_true(cs_unzigzag(cs_zigzag(v)) == v);
    assert_true(cs_unzigzag(UINT64_MAX) == INT64_MIN);
    assert_true(cs_unzigzag(UINT64_MAX - 1) == INT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_the_shortest_form),
        cmocka_unit_test(reads_what_it_writes_and_no_less),
        cmocka_unit_test(folds_the_sign),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
