/* test_streams.c - no stream id is ever given twice. */
#include "client/streams.h"

#include "support/vectors.h"

static void gives_the_lowest_ids_first(void **state)
{
    struct cs_streams streams;
    struct cs_err err;

    (void)state;
    assert_int_equal(cs_streams_init(&streams, 4, &err), 0);
    for (uint16_t i = 0; i < 4; i++)
        assert_int_equal(cs_streams_take(&streams), i);
    assert_int_equal(streams.free_count, 0);
    assert_int_equal(cs_streams_used(&streams), 4);
    cs_streams_release(&streams);
}

static void takes_the_last_one_given_back(void **state)
{
    struct cs_streams streams;
    struct cs_err err;

    (void)state;
    assert_int_equal(cs_streams_init(&streams, 8, &err), 0);
    cs_streams_take(&streams);
    cs_streams_take(&streams);
    cs_streams_take(&streams);
    cs_streams_give(&streams, 1);
    cs_streams_give(&streams, 0);
    assert_int_equal(cs_streams_take(&streams), 0);
    assert_int_equal(cs_streams_take(&streams), 1);
    assert_int_equal(cs_streams_take(&streams), 3);
    cs_streams_release(&streams);
}

static void never_gives_an_id_twice(void **state)
{
    struct cs_streams streams;
    struct cs_err err;
    bool used[32768] = {false};

    (void)state;
    assert_int_equal(cs_streams_init(&streams, 32768, &err), 0);
    while (streams.free_count) {
        uint16_t id = cs_streams_take(&streams);

        assert_true(id < 32768);
        assert_false(used[id]);
        used[id] = true;
    }
    cs_streams_release(&streams);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_lowest_ids_first),
        cmocka_unit_test(takes_the_last_one_given_back),
        cmocka_unit_test(never_gives_an_id_twice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
