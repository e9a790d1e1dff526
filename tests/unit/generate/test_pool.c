/* test_pool.c - the ordered pool against a plain array, and look-back. */
#include "generate/pool_internal.h"

#include "base/compiler.h"
#include "generate/lookback_internal.h"
#include "generate/unique_internal.h"
#include "support/vectors.h"

#define ITEMS 3000

static struct cs_pool_item items[ITEMS];
static struct cs_pool_item *plain[ITEMS];
static size_t plain_count;

static void plain_remove(size_t rank)
{
    memmove(plain + rank, plain + rank + 1,
            (plain_count - rank - 1) * sizeof(*plain));
    plain_count--;
}

static void check_same(const struct cs_pool *pool)
{
    assert_int_equal(pool->count, plain_count);
    for (size_t i = 0; i < plain_count; i++)
        assert_ptr_equal(cs_pool_get(pool, i), plain[i]);
    assert_null(cs_pool_get(pool, plain_count));
}

static void keeps_the_order_of_arrival(void **state)
{
    struct cs_pool pool;
    unsigned roll = 1;

    (void)state;
    plain_count = 0;
    cs_pool_init(&pool, ITEMS);
    for (size_t i = 0; i < ITEMS; i++) {
        items[i].slot = CS_POOL_NOWHERE;
        assert_true(cs_pool_append(&pool, &items[i]));
        plain[plain_count++] = &items[i];
        for (int k = 0; k < 2 && plain_count > 40; k++) {
            size_t rank = (roll = roll * 1103515245 + 12345) % plain_count;

            cs_pool_remove(&pool, plain[rank]);
            plain_remove(rank);
        }
        if (i % 97 == 0)
            check_same(&pool);
    }
    check_same(&pool);
    cs_pool_release(&pool);
}

static void refuses_more_than_its_size(void **state)
{
    struct cs_pool pool;

    (void)state;
    cs_pool_init(&pool, 2);
    for (int i = 0; i < 3; i++) {
        items[i].slot = CS_POOL_NOWHERE;
        assert_int_equal(cs_pool_append(&pool, &items[i]), i < 2);
    }
    assert_null(cs_pool_get(&pool, 2));
    cs_pool_remove(&pool, &items[2]); /* in no pool: nothing happens */
    cs_pool_remove(&pool, &items[0]);
    assert_ptr_equal(cs_pool_get(&pool, 0), &items[1]);
    assert_true(cs_pool_append(&pool, &items[2]));
    assert_ptr_equal(cs_pool_get(&pool, 1), &items[2]);
    cs_pool_release(&pool);
}

static void holds_back_until_the_gap_closes(void **state)
{
    static const struct {
        int64_t index;
        int64_t done;
    } rows[] = {
        {1, 0},         {0, 2},      {0, 2}, {4, 2}, {3, 2},
        {2, 5},         {100000, 5}, {6, 5}, {5, 7}, {3000000, 7},
        {INT64_MAX, 7}, {-1, 7},     {7, 8},
    };
    struct cs_lookback l;

    (void)state;
    cs_lookback_init(&l);
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        cs_lookback_finish(&l, rows[i].index);
        assert_int_equal(l.done, rows[i].done);
    }
    for (int64_t i = 8; i < 100000; i++)
        cs_lookback_finish(&l, i);
    assert_int_equal(l.done, 100001);
    cs_lookback_release(&l);
}

static void tells_cells_apart_by_content(void **state)
{
    static const uint8_t cells[] = {0,   0,   0,   1, 'a', 0,   0, 0, 1,
                                    'b', 0,   0,   0, 1,   'a', 0, 0, 0,
                                    2,   'a', 'b', 0, 0,   0,   0};
    static const struct {
        size_t place;
        bool is_new;
    } rows[] = {{0, true},  {5, true},  {10, false},
                {15, true}, {21, true}, {5, false}};
    struct cs_gen_unique u = {0};

    (void)state;
    for (int round = 0; round < 2; round++) {
        assert_true(cs_gen_unique_clear(&u, 6));
        for (size_t i = 0; i < CS_COUNT(rows); i++)
            assert_int_equal(cs_gen_unique_add(&u, cells, rows[i].place),
                             rows[i].is_new);
    }
    cs_gen_unique_release(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_order_of_arrival),
        cmocka_unit_test(refuses_more_than_its_size),
        cmocka_unit_test(holds_back_until_the_gap_closes),
        cmocka_unit_test(tells_cells_apart_by_content),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
