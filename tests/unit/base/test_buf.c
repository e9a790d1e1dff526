/* test_buf.c - the growing buffer, the reader and the arena. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/reader.h"
#include "support/vectors.h"

static void stops_at_its_maximum_and_stays_faulty(void **state)
{
    struct cs_buf buf;
    struct cs_err err = {0};

    (void)state;
    cs_buf_init(&buf, 100);
    for (int i = 0; i < 100; i++)
        cs_buf_put8(&buf, (uint8_t)i);
    assert_false(buf.fault);
    assert_int_equal(buf.size, 100);
    cs_buf_put8(&buf, 1);
    assert_true(buf.fault);
    assert_int_equal(buf.size, 100);
    assert_int_equal(cs_buf_check(&buf, "thing", &err), CS_ENOMEM);
    assert_string_equal(err.text, "thing: longer than 100 bytes");
    cs_buf_clear(&buf);
    cs_buf_put32(&buf, 0x01020304);
    assert_memory_equal(buf.data, "\1\2\3\4", 4);
    cs_buf_release(&buf);
}

static void consumes_from_the_front(void **state)
{
    struct cs_buf buf;

    (void)state;
    cs_buf_init(&buf, 1000);
    cs_buf_printf(&buf, "%s-%d", "abc", 42);
    assert_string_equal(cs_buf_text(&buf), "abc-42");
    cs_buf_consume(&buf, 4);
    assert_string_equal(cs_buf_text(&buf), "42");
    cs_buf_consume(&buf, 99);
    assert_int_equal(buf.size, 0);
    cs_buf_release(&buf);
}

static void reads_never_past_the_end(void **state)
{
    const uint8_t bytes[] = {0, 1, 0, 0, 0, 2, 9};
    struct cs_reader r = cs_reader_of(bytes, sizeof(bytes));

    (void)state;
    assert_int_equal(cs_read16(&r), 1);
    assert_int_equal(cs_read32(&r), 2);
    assert_int_equal(cs_read16(&r), 0); /* one byte left */
    assert_true(r.fault);
    assert_int_equal(cs_read8(&r), 0); /* sticky */
    assert_null(cs_read_bytes(&r, 0));
}

static void gives_aligned_zeroed_memory_of_any_size(void **state)
{
    struct cs_arena arena;

    (void)state;
    cs_arena_init(&arena);
    for (size_t size = 1; size < 100000; size = size * 3 + 1) {
        unsigned char *p = cs_arena_alloc(&arena, size);

        assert_non_null(p);
        assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xff, size);
    }
    assert_null(cs_arena_array(&arena, SIZE_MAX / 2, 16));
    assert_string_equal(cs_arena_printf(&arena, "%d..%d", 1, 2), "1..2");
    cs_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops_at_its_maximum_and_stays_faulty),
        cmocka_unit_test(consumes_from_the_front),
        cmocka_unit_test(reads_never_past_the_end),
        cmocka_unit_test(gives_aligned_zeroed_memory_of_any_size),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
