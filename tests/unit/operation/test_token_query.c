/* test_token_query.c - token range queries: pages, what they count for, and
 * when a slot is done with them. */
#include "job_fixture.h"
#include "operation/token_range.h"

static const int no_markers[] = {-1};

static enum cs_code fake_tokens(struct cs_driver *driver, int64_t **out,
                                size_t *count, struct cs_err *err)
{
    (void)driver;
    (void)err;
    *out = calloc(2, sizeof(**out));
    (*out)[0] = INT64_MIN;
    (*out)[1] = 10;
    *count = 2;
    return CS_OK;
}

static const struct cs_driver_ops ops = {.ring_tokens = fake_tokens};

static struct cs_token_ranges *two_ranges(bool wrap)
{
    static const int64_t tokens[] = {INT64_MIN, 10};
    struct cs_token_ranges *ranges = NULL;
    struct cs_err err = {0};

    assert_int_equal(cs_token_ranges_of(tokens, 2, 1, wrap, 1, &ranges, &err),
                     CS_OK);
    return ranges;
}

static void start(struct job_fixture *f, int64_t permits)
{
    struct cs_kind *kind;

    fixture_init(f, 1);
    kind = fixture_add(f, CS_KIND_TOKEN_RANGE, no_markers);
    kind->cql = "SELECT x WHERE t > ? AND t <= ?";
    kind->options.page_size = 500;
    fixture_start(f, permits);
    f->budget.ranges = two_ranges(false);
}

static void stop(struct job_fixture *f)
{
    cs_token_ranges_free(f->budget.ranges);
    fixture_release(f);
}

/* A page of rows (token, null), then the state of the next page or none. */
static void answer(struct cs_job *job, const int64_t *tokens, uint32_t count,
                   const char *state)
{
    struct cs_outcome outcome = {.rows = count};
    struct cs_rows rows = {.row_count = count, .column_count = 2};
    struct cs_buf cells;

    cs_buf_init(&cells, 1000);
    for (uint32_t i = 0; i < count; i++) {
        cs_buf_put32(&cells, 8);
        cs_buf_put64(&cells, (uint64_t)tokens[i]);
        cs_buf_put32(&cells, UINT32_MAX);
    }
    rows.cells = cs_reader_of(cells.data, cells.size);
    job->op.on_rows(&job->op, &rows);
    cs_buf_clear(job->op.page);
    job->op.page->max = 100;
    cs_buf_puts(job->op.page, state);
    cs_job_judge(job, &outcome);
    cs_buf_release(&cells);
}

static void expect_text(const struct cs_job *job, const char *want)
{
    assert_int_equal(job->op.cql_size, strlen(want));
    assert_memory_equal(job->op.cql, want, strlen(want));
}

static void reads_a_range_page_by_page(void **state)
{
    static const int64_t first[] = {0, 0, 1, 3};
    static const int64_t second[] = {3, 3, 7};
    struct job_fixture f;
    struct cs_job *job = &f.job;

    (void)state;
    start(&f, -1);
    assert_int_equal(cs_job_make(job, 0), CS_MAKE_READY);
    expect_text(job, "SELECT x WHERE t > -9223372036854775808 AND t <= 10");
    assert_int_equal(job->op.cql_options.page_size, 500);
    assert_int_equal(job->op.page->size, 0);
    answer(job, first, 4, "more");
    assert_int_equal(job->rows, 4);
    assert_int_equal(job->partitions, 3);
    cs_job_finish(job);
    assert_int_equal(cs_job_make(job, 0), CS_MAKE_READY);
    expect_text(job, "SELECT x WHERE t > -9223372036854775808 AND t <= 10");
    assert_string_equal(cs_buf_text(job->op.page), "more");
    answer(job, second, 3, "");
    assert_int_equal(job->rows, 3);
    assert_int_equal(job->partitions, 1); /* 3 was seen before */
    assert_int_equal(cs_job_make(job, 0), CS_MAKE_READY);
    expect_text(job, "SELECT x WHERE t > 10 AND t <= -9223372036854775808");
    answer(job, &second[2], 1, "");
    assert_int_equal(job->partitions, 1); /* of a range of its own */
    assert_int_equal(cs_job_make(job, 0), CS_MAKE_END);
    stop(&f);
}

static void a_failed_page_is_read_again(void **state)
{
    static const int64_t tokens[] = {1};
    struct cs_outcome failed = {.result = CS_RESULT_READ_TIMEOUT};
    struct job_fixture f;
    struct cs_buf key;

    (void)state;
    start(&f, -1);
    cs_buf_init(&key, 100);
    assert_int_equal(cs_job_make(&f.job, 0), CS_MAKE_READY);
    answer(&f.job, tokens, 1, "p2");
    assert_int_equal(cs_job_make(&f.job, 0), CS_MAKE_READY);
    cs_job_judge(&f.job, &failed);
    assert_int_equal(f.job.rows, 0);
    assert_int_equal(f.job.partitions, 0);
    cs_job_put_keys(&f.job, &key);
    assert_string_equal(cs_buf_text(&key), "[-9223372036854775808, 10]");
    assert_int_equal(cs_job_make(&f.job, 0), CS_MAKE_READY);
    assert_string_equal(cs_buf_text(f.job.op.page), "p2");
    cs_buf_release(&key);
    stop(&f);
}

static void each_page_takes_one_permit(void **state)
{
    static const int64_t tokens[] = {1, 2, 3};
    struct job_fixture f;
    int pages = 0;

    (void)state;
    start(&f, 3);
    for (; cs_job_make(&f.job, 0) == CS_MAKE_READY; pages++)
        answer(&f.job, tokens, 3, pages % 2 ? "x" : "y"); /* never the last */
    assert_int_equal(pages, 3);
    stop(&f);
}

/* A warm-up reads one small page of each range. */
static void a_warm_up_reads_one_page_of_each_range(void **state)
{
    static const int64_t tokens[] = {1};
    struct cs_err err = {0};
    struct job_fixture f;
    int pages = 0;

    (void)state;
    start(&f, -1);
    cs_token_ranges_free(f.budget.ranges);
    f.w.workload.db = &ops;
    assert_int_equal(
        cs_token_ranges_new(&f.w.workload, NULL, true, &f.budget.ranges, &err),
        CS_OK);
    for (; cs_job_make(&f.job, 0) == CS_MAKE_READY; pages++) {
        assert_int_equal(f.job.op.cql_options.page_size, 100);
        assert_int_equal(f.job.op.page->size, 0);
        answer(&f.job, tokens, 1, "more");
    }
    assert_int_equal(pages, 2);
    stop(&f);
}

static void runs_without_such_queries_know_no_ranges(void **state)
{
    static const int id[] = {0, -1};
    struct cs_token_ranges *ranges = NULL;
    struct cs_err err = {0};
    struct job_fixture f;

    (void)state;
    fixture_init(&f, 1);
    fixture_add(&f, CS_KIND_QUERY, id);
    assert_int_equal(
        cs_token_ranges_new(&f.w.workload, NULL, false, &ranges, &err), CS_OK);
    assert_null(ranges);
}

/* The other operations of the mix go on when all ranges were read. */
static void other_kinds_go_on_behind_the_last_range(void **state)
{
    static const int64_t tokens[] = {1};
    static const int id[] = {0, -1};
    struct job_fixture f;
    int pages = 0, queries = 0;

    (void)state;
    start(&f, -1);
    fixture_release(&f);
    fixture_add(&f, CS_KIND_QUERY, id)->same_row = true;
    f.w.kinds[1].statement = (const struct cs_statement *)&f; /* any */
    cs_token_ranges_free(f.budget.ranges);
    fixture_start(&f, 100);
    f.budget.ranges = two_ranges(false);
    while (cs_job_make(&f.job, 0) == CS_MAKE_READY) {
        if (f.job.kind->type == CS_KIND_TOKEN_RANGE) {
            pages++;
            answer(&f.job, tokens, 1, "");
        } else {
            queries++;
        }
        cs_job_finish(&f.job);
    }
    assert_int_equal(pages, 2);
    assert_int_equal(queries, 98);
    stop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_range_page_by_page),
        cmocka_unit_test(a_failed_page_is_read_again),
        cmocka_unit_test(each_page_takes_one_permit),
        cmocka_unit_test(a_warm_up_reads_one_page_of_each_range),
        cmocka_unit_test(runs_without_such_queries_know_no_ranges),
        cmocka_unit_test(other_kinds_go_on_behind_the_last_range),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
