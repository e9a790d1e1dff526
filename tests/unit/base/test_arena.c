/* test_arena.c - what is given back, and what stays. */
#include "base/arena.h"
#include "support/bits.h"

static void gives_back_what_came_after_a_mark(void **state)
{
    struct cs_arena arena;
    struct cs_arena_mark mark;
    char *kept;
    char *first = NULL;

    (void)state;
    cs_arena_init(&arena);
    kept = cs_arena_text(&arena, "kept");
    mark = cs_arena_mark(&arena);
    /* Far more than a block, in pieces and at once: always the same memory. */
    for (int i = 0; i < 1000; i++) {
        char *again = cs_arena_text(&arena, "given back");

        first = first ? first : again;
        assert_ptr_equal(again, first);
        for (int k = 0; k < 100; k++)
            assert_non_null(cs_arena_alloc(&arena, 1000));
        assert_non_null(cs_arena_alloc(&arena, 100000));
        cs_arena_rewind(&arena, mark);
    }
    assert_string_equal(kept, "kept");
    cs_arena_release(&arena);
}

static void an_empty_arena_is_empty_again(void **state)
{
    struct cs_arena arena;
    struct cs_arena_mark mark;

    (void)state;
    cs_arena_init(&arena);
    mark = cs_arena_mark(&arena);
    assert_non_null(cs_arena_alloc(&arena, 10));
    cs_arena_rewind(&arena, mark);
    assert_null(arena.first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_back_what_came_after_a_mark),
        cmocka_unit_test(an_empty_arena_is_empty_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
