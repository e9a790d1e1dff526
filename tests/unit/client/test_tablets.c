/* test_tablets.c - the tablets of tables: what is learned, what it takes the
 * place of, and what is found at the borders. */
#include "client/tablets.h"

#include "support/vectors.h"

#define MIN INT64_MIN
#define MAX INT64_MAX

static struct cs_tablets *new_tablets(size_t max)
{
    struct cs_tablets *tablets;
    struct cs_err err;

    assert_int_equal(cs_tablets_new(max, &tablets, &err), CS_OK);
    return tablets;
}

/* The node says which of them it is. */
static bool learn(struct cs_tablets *tablets, unsigned table, int64_t first,
                  int64_t last, uint16_t node)
{
    const struct cs_replica replica = {.node = node, .shard = 1};

    return cs_tablets_learn(tablets, table, first, last, &replica, 1);
}

/* -1: none. */
static int node_at(const struct cs_tablets *tablets, unsigned table,
                   int64_t token)
{
    const struct cs_tablet *tablet = cs_tablets_find(tablets, table, token);

    return tablet ? tablet->replicas[0].node : -1;
}

struct range {
    int64_t first;
    int64_t last;
};

struct find {
    int64_t token;
    int want; /* which of the ranges, or -1 */
};

static const struct row {
    const char *what;
    struct range learned[6];
    unsigned count;
    size_t kept;
    struct find found[8];
    unsigned finds;
} rows[] = {
    {"nothing is known", {{0}}, 0, 0, {{MIN, -1}, {0, -1}, {MAX, -1}}, 3},
    {"behind the first token, up to the last",
     {{10, 20}},
     1,
     1,
     {{10, -1}, {11, 0}, {20, 0}, {21, -1}, {MIN, -1}, {MAX, -1}},
     6},
    {"the whole ring but its least token, which no key has",
     {{MIN, MAX}},
     1,
     1,
     {{MIN, -1}, {MIN + 1, 0}, {0, 0}, {MAX, 0}},
     4},
    {"in any order",
     {{20, 30}, {MIN, 10}, {30, MAX}, {10, 20}},
     4,
     4,
     {{MIN + 1, 1},
      {10, 1},
      {11, 3},
      {20, 3},
      {21, 0},
      {30, 0},
      {31, 2},
      {MAX, 2}},
     8},
    {"the same one again",
     {{10, 20}, {10, 20}},
     2,
     1,
     {{11, 1}, {20, 1}, {21, -1}},
     3},
    {"one that was split: the halves in its place",
     {{0, 100}, {0, 50}, {50, 100}},
     3,
     2,
     {{1, 1}, {50, 1}, {51, 2}, {100, 2}},
     4},
    {"the first half only: of the other nothing is known any more",
     {{0, 100}, {0, 50}},
     2,
     1,
     {{50, 1}, {51, -1}, {100, -1}},
     3},
    {"several that were merged",
     {{0, 10}, {10, 20}, {20, 30}, {30, 40}, {5, 35}},
     5,
     1,
     {{5, -1}, {6, 4}, {35, 4}, {36, -1}, {1, -1}, {40, -1}},
     6},
    {"neighbours stay",
     {{0, 10}, {20, 30}, {10, 20}},
     3,
     3,
     {{10, 0}, {11, 2}, {20, 2}, {21, 1}},
     4},
    {"one token is enough to overlap",
     {{0, 10}, {9, 20}},
     2,
     1,
     {{9, -1}, {10, 1}, {20, 1}},
     3},
    {"one that contains another",
     {{10, 20}, {0, 30}},
     2,
     1,
     {{1, 1}, {15, 1}, {30, 1}},
     3},
    {"over the end of the ring",
     {{100, -100}},
     1,
     2,
     {{100, -1}, {101, 0}, {MAX, 0}, {MIN, 0}, {-100, 0}, {-99, -1}},
     6},
    {"over the end, in the place of both",
     {{MIN, 0}, {50, MAX}, {100, -100}},
     3,
     2,
     {{0, -1}, {-100, 2}, {60, -1}, {101, 2}, {MAX, 2}},
     5},
    {"from the greatest token on",
     {{MAX, 0}},
     1,
     1,
     {{MAX, -1}, {MIN, 0}, {0, 0}, {1, -1}},
     4},
    {"back to where it began: all",
     {{5, 5}},
     1,
     2,
     {{MIN, 0}, {5, 0}, {6, 0}, {MAX, 0}},
     4},
};

static void finds_what_was_learned_last(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        const struct row *row = &rows[i];
        struct cs_tablets *tablets = new_tablets(100);

        print_message("%s\n", row->what);
        for (unsigned k = 0; k < row->count; k++)
            assert_true(learn(tablets, 3, row->learned[k].first,
                              row->learned[k].last, (uint16_t)k));
        assert_int_equal(cs_tablets_count(tablets), row->kept);
        assert_int_equal(cs_tablets_know(tablets, 3), row->kept != 0);
        for (unsigned k = 0; k < row->finds; k++)
            assert_int_equal(node_at(tablets, 3, row->found[k].token),
                             row->found[k].want);
        cs_tablets_free(tablets);
    }
}

/* Against a plain list in which every token has its owner. */
static void agrees_with_a_list_of_all_tokens(void **state)
{
    enum { TOKENS = 64, STEPS = 4000 };
    struct cs_tablets *tablets = new_tablets(TOKENS + 1);
    int owners[TOKENS];
    bool whole[TOKENS];
    uint32_t x = 1;

    (void)state;
    for (int i = 0; i < TOKENS; i++)
        owners[i] = -1;
    for (int step = 0; step < STEPS; step++) {
        int first;
        int last;
        int node = step;

        x = x * 1664525 + 1013904223;
        first = (int)(x >> 16) % (TOKENS - 1);
        x = x * 1664525 + 1013904223;
        last = first + 1 + (int)(x >> 16) % (TOKENS - 1 - first);
        memset(whole, 1, sizeof(whole));
        for (int i = first + 1; i <= last; i++)
            for (int k = 0; owners[i] >= 0 && k < TOKENS; k++)
                whole[k] = whole[k] && owners[k] != owners[i];
        for (int i = 0; i < TOKENS; i++)
            owners[i] = i > first && i <= last ? node
                        : whole[i]             ? owners[i]
                                               : -1;
        assert_true(learn(tablets, 0, first, last, (uint16_t)node));
        for (int i = 0; i < TOKENS; i++)
            assert_int_equal(node_at(tablets, 0, i), owners[i]);
    }
    cs_tablets_free(tablets);
}

static void keeps_tables_apart(void **state)
{
    struct cs_tablets *tablets = new_tablets(100);

    (void)state;
    learn(tablets, 5, 0, 10, 1);
    learn(tablets, 0, 0, 10, 2);
    assert_int_equal(node_at(tablets, 5, 1), 1);
    assert_int_equal(node_at(tablets, 0, 1), 2);
    assert_int_equal(node_at(tablets, 1, 1), -1);
    assert_int_equal(node_at(tablets, 99, 1), -1);
    assert_false(cs_tablets_know(tablets, 1));
    assert_false(cs_tablets_know(tablets, 99));
    cs_tablets_free(tablets);
}

static void forgets_a_table_of_another_age(void **state)
{
    struct cs_tablets *tablets = new_tablets(100);

    (void)state;
    learn(tablets, 0, 0, 10, 1);
    learn(tablets, 1, 0, 10, 2);
    cs_tablets_renew(tablets, 0, 0);
    assert_int_equal(node_at(tablets, 0, 1), 1);
    cs_tablets_renew(tablets, 0, 7);
    assert_int_equal(node_at(tablets, 0, 1), -1);
    assert_int_equal(node_at(tablets, 1, 1), 2);
    assert_int_equal(cs_tablets_count(tablets), 1);
    learn(tablets, 0, 0, 10, 3);
    cs_tablets_renew(tablets, 0, 7);
    assert_int_equal(node_at(tablets, 0, 1), 3);
    cs_tablets_free(tablets);
}

static void has_a_bound(void **state)
{
    struct cs_tablets *tablets = new_tablets(3);

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_true(learn(tablets, 0, 10 * i, 10 * i + 10, 1));
    assert_false(learn(tablets, 0, 30, 40, 1));
    assert_false(learn(tablets, 1, 0, 10, 1));
    assert_int_equal(cs_tablets_count(tablets), 3);
    /* In the place of one there is room. */
    assert_true(learn(tablets, 0, 10, 20, 2));
    assert_int_equal(node_at(tablets, 0, 11), 2);
    assert_true(learn(tablets, 0, 0, 30, 3));
    assert_true(learn(tablets, 1, 0, 10, 1));
    cs_tablets_free(tablets);
}

static bool is_not_of(const void *ctx, const struct cs_tablet *tablet)
{
    return tablet->replicas[0].node != *(const uint16_t *)ctx;
}

static void drops_what_is_no_good_any_more(void **state)
{
    struct cs_tablets *tablets = new_tablets(100);
    const uint16_t gone = 1;

    (void)state;
    for (uint16_t i = 0; i < 9; i++)
        learn(tablets, i % 2, 10 * i, 10 * i + 10, i % 3);
    cs_tablets_sweep(tablets, is_not_of, &gone);
    assert_int_equal(cs_tablets_count(tablets), 6);
    for (uint16_t i = 0; i < 9; i++)
        assert_int_equal(node_at(tablets, i % 2, 10 * i + 5),
                         i % 3 == 1 ? -1 : i % 3);
    cs_tablets_free(tablets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_learned_last),
        cmocka_unit_test(agrees_with_a_list_of_all_tokens),
        cmocka_unit_test(keeps_tables_apart),
        cmocka_unit_test(forgets_a_table_of_another_age),
        cmocka_unit_test(has_a_bound),
        cmocka_unit_test(drops_what_is_no_good_any_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
