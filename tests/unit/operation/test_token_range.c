/* test_token_range.c - how the ring is cut, and that each part is handed out
 * once. */
#include "operation/token_range.h"
#include "support/vectors.h"

#include <inttypes.h>

#define RANGES_MAX 12

static struct cs_token_ranges *ranges_of(const int64_t *tokens, size_t count,
                                         uint64_t factor, bool wrap)
{
    struct cs_token_ranges *ranges = NULL;
    struct cs_err err = {0};

    if (cs_token_ranges_of(tokens, count, factor, wrap, 2, &ranges, &err))
        fail_msg("%s", err.text);
    return ranges;
}

static void cuts_the_ring_into_sorted_ranges(void **state)
{
    static const struct {
        int64_t tokens[4];
        size_t token_count;
        uint64_t factor;
        struct cs_token_range want[RANGES_MAX];
        size_t want_count;
    } rows[] = {
        /* one token: the whole ring, whatever the token is */
        {{77}, 1, 1, {{INT64_MIN, INT64_MIN}}, 1},
        {{0}, 0, 1, {{INT64_MIN, INT64_MIN}}, 1},
        {{77},
         1,
         2,
         {{INT64_MIN, 0}, {0, INT64_MIN}},
         2}, /* 2^64 - 1 tokens: the first part is the wider one */
        /* the range past the end becomes the first and the last */
        {{-5, 10}, 2, 1, {{INT64_MIN, -5}, {-5, 10}, {10, INT64_MIN}}, 3},
        /* a node at the very first token: nothing is before it */
        {{INT64_MIN, 3}, 2, 1, {{INT64_MIN, 3}, {3, INT64_MIN}}, 2},
        {{INT64_MIN, INT64_MIN, 3}, 3, 1, {{INT64_MIN, 3}, {3, INT64_MIN}}, 2},
        /* two nodes of one token, as after a failed replacement */
        {{4, 4, 9}, 3, 1, {{INT64_MIN, 4}, {4, 9}, {9, INT64_MIN}}, 3},
        /* 10 tokens in 3 parts: 4, 3, 3; and the ends of the ring */
        {{0, 10},
         2,
         3,
         {{INT64_MIN, INT64_C(-6148914691236517205)},
          {INT64_C(-6148914691236517205), INT64_C(-3074457345618258602)},
          {INT64_C(-3074457345618258602), 0},
          {0, 4},
          {4, 7},
          {7, 10},
          {10, INT64_C(3074457345618258609)},
          {INT64_C(3074457345618258609), INT64_C(6148914691236517208)},
          {INT64_C(6148914691236517208), INT64_MIN}},
         9},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_token_ranges *ranges = ranges_of(
            rows[i].tokens, rows[i].token_count, rows[i].factor, false);
        struct cs_token_range range;
        size_t count = 0;

        while (cs_token_ranges_take(ranges, 1, &range)) {
            if (count < rows[i].want_count &&
                (range.start != rows[i].want[count].start ||
                 range.end != rows[i].want[count].end))
                fail_msg("row %zu, range %zu: [%" PRId64 ", %" PRId64 "]", i,
                         count, range.start, range.end);
            count++;
        }
        assert_int_equal(count, rows[i].want_count);
        assert_true(cs_token_ranges_empty(ranges, 1));
        assert_false(cs_token_ranges_empty(ranges, 0)); /* its own queue */
        cs_token_ranges_free(ranges);
    }
}

/* Parts of a range of two tokens: only two of them have something in them. */
static void passes_over_parts_without_tokens(void **state)
{
    static const int64_t tokens[] = {10, 12};
    struct cs_token_ranges *ranges = ranges_of(tokens, 2, 1000, false);
    struct cs_token_range range;
    int within = 0, all = 0;

    (void)state;
    while (cs_token_ranges_take(ranges, 0, &range)) {
        assert_true(range.end == INT64_MIN || range.start < range.end);
        within += range.start >= 10 && range.end <= 12 && range.end > 0;
        all++;
    }
    assert_int_equal(within, 2);
    assert_int_equal(all, 2002);
    cs_token_ranges_free(ranges);
}

/* Each part begins where the one before ends, from end to end of the ring. */
static void parts_cover_the_ring_without_gaps(void **state)
{
    static const int64_t tokens[] = {INT64_C(-8000000000000000001), -3, 5,
                                     INT64_C(8999999999999999999)};
    struct cs_token_ranges *ranges = ranges_of(tokens, 4, 997, false);
    struct cs_token_range range;
    int64_t at = INT64_MIN;

    (void)state;
    while (cs_token_ranges_take(ranges, 0, &range)) {
        assert_true(range.start == at);
        at = range.end;
    }
    assert_true(at == INT64_MIN);
    cs_token_ranges_free(ranges);
}

static void starts_again_when_told_to_wrap(void **state)
{
    static const int64_t tokens[] = {1, 2};
    struct cs_token_ranges *ranges = ranges_of(tokens, 2, 1, true);
    struct cs_token_range range;

    (void)state;
    for (int i = 0; i < 31; i++) {
        assert_false(cs_token_ranges_empty(ranges, 0));
        assert_true(cs_token_ranges_take(ranges, 0, &range));
    }
    assert_true(range.start == INT64_MIN && range.end == 1);
    cs_token_ranges_free(ranges);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_the_ring_into_sorted_ranges),
        cmocka_unit_test(passes_over_parts_without_tokens),
        cmocka_unit_test(parts_cover_the_ring_without_gaps),
        cmocka_unit_test(starts_again_when_told_to_wrap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
