/* test_run.c - runs of SBK against a database in memory: what they write, how
 * they end, how fast they go. */
#include "run_scene.h"

static void divides_records_evenly(void **state)
{
    struct cs_sbk_outcome outcome = run("-writers 4 -records 1003 -loops 2");

    (void)state;
    assert_false(outcome.failure.failed);
    assert_int_equal(seen.inserts, 1003);
    assert_int_equal(total()->records, 1003);
    assert_int_equal(total()->bytes, 100300);
    assert_int_equal(total()->max_writers, 4);
    assert_int_equal(seen.window_count, 2);
    assert_int_equal(seen.began, 4);
    assert_int_equal(seen.ended, 4);
    assert_int_equal(seen.amounts[0], 251);
    assert_int_equal(seen.amounts[2], 251);
    assert_int_equal(seen.amounts[3], 250);
}

static void makes_random_ids_of_version_4(void **state)
{
    (void)state;
    run("-writers 1 -records 1");
    assert_int_equal(seen.last_id[6] >> 4, 4);
    assert_int_equal(seen.last_id[8] >> 6, 2);
}

static void counts_requests_when_sent(void **state)
{
    (void)state;
    run("-writers 2 -records 50 -wq true");
    assert_int_equal(total()->write_requests, 50);
    assert_int_equal(total()->write_request_bytes, 5000);
    assert_int_equal(total()->write_pending, 0);
}

static void drops_all_only_in_its_own_keyspace(void **state)
{
    (void)state;
    run("-writers 1 -records 1");
    assert_string_equal(
        cs_buf_text(&seen.executed),
        "DROP TABLE IF EXISTS sbk.temp\n"
        "DROP KEYSPACE IF EXISTS sbk\n"
        "CREATE KEYSPACE IF NOT EXISTS sbk WITH replication = {'class':  "
        "'SimpleStrategy', 'replication_factor': '1'}\n"
        "CREATE TABLE IF NOT EXISTS sbk.temp (id uuid PRIMARY KEY, data "
        "text)\n");
    cs_buf_clear(&seen.executed);
    run("-writers 1 -records 1 -keyspace other -table t -rf 3");
    assert_string_equal(
        cs_buf_text(&seen.executed),
        "DROP TABLE IF EXISTS other.t\n"
        "CREATE KEYSPACE IF NOT EXISTS other WITH replication = {'class':  "
        "'SimpleStrategy', 'replication_factor': '3'}\n"
        "CREATE TABLE IF NOT EXISTS other.t (id uuid PRIMARY KEY, data "
        "text)\n");
    cs_buf_clear(&seen.executed);
    run("-readers 1");
    assert_null(strstr(cs_buf_text(&seen.executed), "DROP"));
    cs_buf_clear(&seen.executed);
    run("-writers 1 -records 1 -recreate false");
    assert_null(strstr(cs_buf_text(&seen.executed), "DROP"));
}

static void ends_the_run_with_the_first_failure(void **state)
{
    struct cs_sbk_outcome outcome;

    (void)state;
    seen.fail_at = 7;
    outcome = run("-writers 1 -records 100");
    assert_true(outcome.failure.failed);
    assert_string_equal(outcome.failure.java,
                        "com.datastax.oss.driver.api.core."
                        "DriverTimeoutException");
    assert_string_equal(cs_sbk_short_class(outcome.failure.java),
                        "DriverTimeoutException");
    assert_string_equal(outcome.failure.text, "Query timed out after PT2S");
    assert_int_equal(total()->records, 6);
    assert_int_equal(total()->write_timeouts, 1);
}

/* A worker's pace holds whatever the database does. */
static void keeps_to_records_per_second(void **state)
{
    (void)state;
    run("-writers 2 -seconds 1 -records 100");
    assert_in_range(total()->records, 90, 104);
    assert_int_equal(seen.amounts[0], 1);
}

/* Nanoseconds beyond the array, each another one: windows end early, and the
 * total is shown and begun again, instead of a table without end. */
static void shows_totals_early_when_their_table_is_full(void **state)
{
    uint64_t records = 0;
    unsigned totals = 0;

    (void)state;
    seen.cells_max = 2048;
    seen.later_ns = CS_NS_PER_MS;
    run("-writers 1 -records 3000 -time ns");
    for (unsigned i = 0; i < seen.window_count; i++) {
        records += seen.windows[i].total ? seen.windows[i].records : 0;
        totals += seen.windows[i].total;
    }
    assert_true(totals > 1);
    assert_int_equal(records, (uint64_t)seen.inserts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(divides_records_evenly, begin, end),
        cmocka_unit_test_setup_teardown(makes_random_ids_of_version_4, begin,
                                        end),
        cmocka_unit_test_setup_teardown(counts_requests_when_sent, begin, end),
        cmocka_unit_test_setup_teardown(drops_all_only_in_its_own_keyspace,
                                        begin, end),
        cmocka_unit_test_setup_teardown(ends_the_run_with_the_first_failure,
                                        begin, end),
        cmocka_unit_test_setup_teardown(keeps_to_records_per_second, begin,
                                        end),
        cmocka_unit_test_setup_teardown(
            shows_totals_early_when_their_table_is_full, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
