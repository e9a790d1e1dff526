/* test_run_readers.c - runs that read: each row once, by key or by scan. */
#include "run_scene.h"

static void reads_every_row_once_by_key(void **state)
{
    (void)state;
    run("-readers 2");
    assert_int_equal(seen.reads, IDS);
    assert_int_equal(total()->records, IDS);
    assert_int_equal(total()->bytes, IDS * 7);
    assert_int_equal(seen.eof, 2);
    assert_int_equal(seen.misses, 0);
}

static void tells_of_rows_that_are_gone(void **state)
{
    (void)state;
    seen.missing = 11;
    run("-readers 1 -text");
    assert_int_equal(total()->records, IDS - 1);
    assert_int_equal(seen.misses, 1);
    assert_int_equal(seen.errors, 0);
}

static void stops_reading_at_its_share(void **state)
{
    (void)state;
    run("-readers 1 -records 5");
    assert_int_equal(total()->records, 5);
    assert_int_equal(seen.eof, 0);
}

static void scans_the_whole_table_with_each_reader(void **state)
{
    (void)state;
    run("-readers 3 -scan -rq true");
    assert_int_equal(total()->records, 18);
    assert_int_equal(total()->bytes, 90);
    assert_int_equal(total()->read_requests, 18);
    assert_int_equal(seen.eof, 3);
}

static void cuts_the_ring_without_a_gap(void **state)
{
    static const unsigned counts[] = {1, 2, 3, 7, 1000};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(counts); i++) {
        int64_t end_before = INT64_MIN;

        for (unsigned part = 0; part < counts[i]; part++) {
            int64_t from, to;

            cs_sbk_ring_part(part, counts[i], &from, &to);
            assert_true(from == end_before);
            assert_true(to > from);
            end_before = to;
        }
        assert_true(end_before == INT64_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reads_every_row_once_by_key, begin,
                                        end),
        cmocka_unit_test_setup_teardown(tells_of_rows_that_are_gone, begin,
                                        end),
        cmocka_unit_test_setup_teardown(stops_reading_at_its_share, begin, end),
        cmocka_unit_test_setup_teardown(scans_the_whole_table_with_each_reader,
                                        begin, end),
        cmocka_unit_test_setup_teardown(cuts_the_ring_without_a_gap, begin,
                                        end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
