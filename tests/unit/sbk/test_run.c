/* Whole runs against a database in memory: statements, shares, windows, end of
 * data, failures. */
#include "sbk/run.h"
#include "sbk/worker_internal.h"
#include "support/fake_driver.h"
#include "support/vectors.h"

#include <pthread.h>

#define IDS     25
#define PAGE    10
#define LOG_MAX ((size_t)1 << 20)

/* What the run told, and what the database saw. */
static struct seen {
    struct cs_sbk_figures windows[8];
    unsigned window_count;
    unsigned began, ended, eof;
    int64_t amounts[8];
    int64_t misses, errors;
    _Atomic int inserts, reads;
    struct cs_buf executed;
    pthread_mutex_t lock; /* of last_id: several loops insert */
    uint8_t last_id[16];
    struct cs_sbk_options options;
    int fail_at; /* the n-th insert fails, 0: none */
    int missing; /* the n-th read finds nothing, 0: none */
} seen;

static enum cs_code execute(struct cs_driver *driver, const char *cql,
                            enum cs_consistency cl, int64_t *waited_ns,
                            struct cs_err *err)
{
    (void)driver;
    (void)cl;
    (void)waited_ns;
    (void)err;
    cs_buf_printf(&seen.executed, "%s\n", cql);
    return CS_OK;
}

static enum cs_code prepare(struct cs_driver *driver, const char *keyspace,
                            const char *cql,
                            const struct cs_statement_options *options,
                            const struct cs_statement **out, struct cs_err *err)
{
    struct cs_statement *statement =
        cs_arena_alloc(&driver->arena, sizeof(*statement));

    (void)keyspace;
    (void)err;
    statement->cql = cs_arena_text(&driver->arena, cql);
    statement->options = *options;
    *out = statement;
    return CS_OK;
}

static const char *cql_of(const struct cs_operation *op)
{
    return op->statement ? op->statement->cql : op->cql;
}

static bool answer_insert(struct cs_operation *op, struct cs_outcome *outcome)
{
    int number = atomic_fetch_add(&seen.inserts, 1) + 1;

    if (op->statement) {
        pthread_mutex_lock(&seen.lock);
        memcpy(seen.last_id, op->values.data + 4, 16);
        pthread_mutex_unlock(&seen.lock);
    }
    if (number == seen.fail_at) {
        outcome->result = CS_RESULT_CLIENT_TIMEOUT;
        outcome->message = "no answer";
        outcome->message_size = 9;
    }
    return true;
}

/* IDS ids in pages of PAGE, only in the first part of the ring. */
static bool answer_ids(struct cs_operation *op)
{
    static _Thread_local uint8_t cells[PAGE * 20];
    bool first_part = (int64_t)cs_load64(op->values.data + 4) == INT64_MIN;
    unsigned from = op->page->size ? op->page->data[0] : 0;
    unsigned count = first_part ? CS_MIN(PAGE, IDS - from) : 0;
    struct cs_rows rows = {.row_count = count, .column_count = 1};

    memset(cells, 0, sizeof(cells));
    for (unsigned i = 0; i < count; i++) {
        cs_store32(cells + i * 20, 16);
        cells[i * 20 + 4] = (uint8_t)(from + i);
    }
    rows.cells = cs_reader_of(cells, (size_t)count * 20);
    op->on_rows(op, &rows);
    cs_buf_clear(op->page);
    if (from + count < IDS && first_part)
        cs_buf_put8(op->page, (uint8_t)(from + count));
    return true;
}

static bool answer_read(struct cs_operation *op, struct cs_outcome *outcome)
{
    static const uint8_t cells[20 + 4 + 7] = {0, 0, 0, 16, [23] = 7};
    struct cs_rows rows = {.row_count = 1,
                           .column_count = 2,
                           .cells = cs_reader_of(cells, sizeof(cells))};

    (void)outcome;
    if (atomic_fetch_add(&seen.reads, 1) + 1 != seen.missing)
        op->on_rows(op, &rows);
    return true;
}

/* Two pages of three rows: id, data of 5 letters. */
static bool answer_scan(struct cs_operation *op)
{
    static _Thread_local uint8_t cells[3 * 29];
    bool last = op->page->size > 0;
    struct cs_rows rows = {.row_count = 3, .column_count = 2};

    for (int i = 0; i < 3; i++) {
        cs_store32(cells + 29 * i, 16);
        cs_store32(cells + 29 * i + 20, 5);
    }
    rows.cells = cs_reader_of(cells, sizeof(cells));
    op->on_rows(op, &rows);
    cs_buf_clear(op->page);
    if (!last)
        cs_buf_put8(op->page, 1);
    return true;
}

static bool answer(struct cs_operation *op, struct cs_outcome *outcome)
{
    const char *cql = cql_of(op);

    if (!strncmp(cql, "INSERT", 6))
        return answer_insert(op, outcome);
    if (!strncmp(cql, "SELECT id FROM", 14))
        return answer_ids(op);
    if (!strncmp(cql, "SELECT *", 8))
        return answer_scan(op);
    return answer_read(op, outcome);
}

static void on_began(void *ctx, bool reads, unsigned index, int64_t amount)
{
    (void)ctx;
    (void)reads;
    seen.began++;
    seen.amounts[index] = amount;
}

static void on_ended(void *ctx, bool reads, unsigned index, bool eof)
{
    (void)ctx;
    (void)reads;
    (void)index;
    seen.ended++;
    seen.eof += eof;
}

static void on_nothing(void *ctx)
{
    (void)ctx;
}

static void on_missed(void *ctx, unsigned index, int64_t misses, int64_t errors)
{
    (void)ctx;
    (void)index;
    seen.misses += misses;
    seen.errors += errors;
}

static void on_window(void *ctx, const struct cs_sbk_tally *tally,
                      const struct cs_sbk_figures *figures)
{
    (void)ctx;
    (void)tally;
    if (seen.window_count < CS_COUNT(seen.windows))
        seen.windows[seen.window_count++] = *figures;
}

static const struct cs_sbk_watch watch = {
    .began = on_began,
    .ended = on_ended,
    .signalled = on_nothing,
    .news = on_nothing,
    .missed = on_missed,
    .window = on_window,
};

static struct cs_sbk_outcome run(const char *line)
{
    struct cs_driver driver = {.event_fd = -1};
    struct cs_driver_ops db = fake_driver_ops;
    struct cs_sbk_statements statements;
    struct cs_sbk_plan plan = {.options = &seen.options,
                               .db = &db,
                               .driver = &driver,
                               .statements = &statements,
                               .signal_fd = -1,
                               .window_ns = 5 * CS_NS_PER_S};
    struct cs_sbk_outcome outcome;
    struct cs_sbk_refusal refusal;
    struct cs_err err;
    char words[200];
    char *argv[32];
    char *save = NULL;
    int argc = 0;

    snprintf(words, sizeof(words), "-class cassandra -size 100 %s", line);
    for (char *w = strtok_r(words, " ", &save); w;
         w = strtok_r(NULL, " ", &save))
        argv[argc++] = w;
    cs_arena_init(&driver.arena);
    db.execute = execute;
    db.prepare = prepare;
    fake.answer = answer;
    cs_sbk_peek(argc, argv, &seen.options);
    assert_int_equal(cs_sbk_parse(argc, argv, &seen.options, &refusal, &err),
                     CS_OK);
    assert_int_equal(cs_sbk_make_table(&seen.options, &db, &driver, &err),
                     CS_OK);
    assert_int_equal(
        cs_sbk_prepare(&seen.options, &db, &driver, &statements, &err), CS_OK);
    assert_int_equal(cs_sbk_run(&plan, &watch, &outcome, &err), CS_OK);
    cs_arena_release(&driver.arena);
    return outcome;
}

static const struct cs_sbk_figures *total(void)
{
    assert_true(seen.window_count > 0);
    assert_true(seen.windows[seen.window_count - 1].total);
    return &seen.windows[seen.window_count - 1];
}

static int begin(void **state)
{
    (void)state;
    memset(&seen, 0, sizeof(seen));
    memset(&fake, 0, sizeof(fake));
    pthread_mutex_init(&seen.lock, NULL);
    cs_buf_init(&seen.executed, LOG_MAX);
    return 0;
}

static int end(void **state)
{
    (void)state;
    cs_buf_release(&seen.executed);
    pthread_mutex_destroy(&seen.lock);
    return 0;
}

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

/* A worker's pace holds whatever the database does. */
static void keeps_to_records_per_second(void **state)
{
    (void)state;
    run("-writers 2 -seconds 1 -records 100");
    assert_in_range(total()->records, 90, 104);
    assert_int_equal(seen.amounts[0], 1);
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
        cmocka_unit_test_setup_teardown(reads_every_row_once_by_key, begin,
                                        end),
        cmocka_unit_test_setup_teardown(tells_of_rows_that_are_gone, begin,
                                        end),
        cmocka_unit_test_setup_teardown(stops_reading_at_its_share, begin, end),
        cmocka_unit_test_setup_teardown(scans_the_whole_table_with_each_reader,
                                        begin, end),
        cmocka_unit_test_setup_teardown(cuts_the_ring_without_a_gap, begin,
                                        end),
        cmocka_unit_test_setup_teardown(keeps_to_records_per_second, begin,
                                        end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
