/* scanner.c - a reader as SBK has it: one SELECT of the whole table, whose
 * operation is to take the next row. Most rows are there already; the first
 * one behind a page's end costs a round trip. */
#include "base/clock.h"
#include "sbk/worker_internal.h"

#include <string.h>

#define PAGE_MAX   ((size_t)1 << 30)
#define PAGING_MAX ((size_t)1 << 16)
#define CQL_MAX    ((size_t)1 << 16)

static void page_came(struct cs_operation *op, const struct cs_rows *rows)
{
    struct cs_hand *hand = CS_CONTAINER(op, struct cs_hand, op);
    struct cs_sbk_scan *scan = &cs_sbk_worker_of(hand)->scan;

    cs_buf_clear(&scan->cells);
    cs_buf_put(&scan->cells, rows->cells.p, cs_reader_left(&rows->cells));
    scan->left = cs_reader_of(scan->cells.data, scan->cells.size);
    scan->rows_left = scan->cells.fault ? 0 : rows->row_count;
    scan->columns = rows->column_count;
}

static enum cs_code find_data(struct cs_sbk_worker *worker, struct cs_err *err)
{
    const struct cs_statement *statement = worker->hand.op.statement;

    /* As the table is made: id, data. */
    worker->scan.data_column = 1;
    if (!statement || !statement->result_count)
        return CS_OK;
    for (unsigned i = 0; i < statement->result_count; i++)
        if (!strcmp(statement->results[i].name, "data")) {
            worker->scan.data_column = i;
            return CS_OK;
        }
    return cs_fail(err, CS_EINVALID, "table %s.%s has no column 'data'",
                   cs_sbk_worker_options(worker)->keyspace,
                   cs_sbk_worker_options(worker)->table);
}

enum cs_code cs_sbk_scanner_init(struct cs_sbk_worker *worker,
                                 struct cs_err *err)
{
    const struct cs_sbk_options *o = cs_sbk_worker_options(worker);
    struct cs_sbk_scan *scan = &worker->scan;
    struct cs_operation *op = &worker->hand.op;
    enum cs_code rc;

    cs_buf_init(&op->values, CQL_MAX);
    cs_buf_init(&scan->cells, PAGE_MAX);
    cs_buf_init(&scan->paging, PAGING_MAX);
    cs_buf_init(&scan->cql, CQL_MAX);
    cs_buf_printf(&scan->cql, "SELECT * FROM %s.%s", o->keyspace, o->table);
    op->statement = worker->shared->plan->statements->scan;
    op->row_count = 1;
    op->cql = (const char *)scan->cql.data;
    op->cql_size = scan->cql.size;
    op->cql_options = worker->shared->plan->statements->page_options;
    op->timestamp_us = INT64_MIN;
    op->page = &scan->paging;
    op->on_rows = page_came;
    rc = cs_buf_check(&scan->cql, "statement of a reader", err);
    return rc ? rc : find_data(worker, err);
}

/* The next row of the page; returns the length of its data. */
static uint64_t take_row(struct cs_sbk_scan *scan)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < scan->columns; i++) {
        int32_t size = (int32_t)cs_read32(&scan->left);

        if (size <= 0)
            continue;
        cs_read_bytes(&scan->left, (size_t)size);
        if (i == scan->data_column)
            bytes = (uint64_t)size;
    }
    scan->rows_left--;
    return bytes;
}

enum cs_hand_step cs_sbk_scanner_next(struct cs_sbk_worker *worker,
                                      int64_t now_ns)
{
    struct cs_sbk_scan *scan = &worker->scan;
    const struct cs_sbk_options *o = cs_sbk_worker_options(worker);
    enum cs_hand_step step;

    while (scan->rows_left) {
        struct cs_sbk_tally *tally = cs_sbk_worker_tally(worker);
        int64_t start_ns = scan->edge_ns ? scan->edge_ns : now_ns;
        uint64_t bytes = take_row(scan);

        now_ns = cs_now_ns();
        scan->edge_ns = 0;
        tally->read_requests += o->read_requests;
        tally->read_request_bytes += o->read_requests ? (uint64_t)o->size : 0;
        cs_sbk_worker_record(worker, start_ns, now_ns, bytes);
        if (!cs_sbk_worker_may_go_on(worker, now_ns, &step))
            return step;
    }
    if (scan->begun && !scan->more) {
        atomic_store(&worker->eof, true);
        return CS_HAND_END;
    }
    /* The first page comes with the statement, before the first row is asked
     * for. */
    scan->edge_ns = scan->begun ? now_ns : 0;
    scan->begun = true;
    return CS_HAND_SEND;
}

void cs_sbk_scanner_done(struct cs_sbk_worker *worker,
                         const struct cs_outcome *outcome)
{
    struct cs_sbk_scan *scan = &worker->scan;
    struct cs_outcome failure = *outcome;

    scan->more = scan->paging.size > 0;
    if (!scan->cells.fault)
        return;
    failure.result = CS_RESULT_PROTOCOL;
    failure.message = "a page is larger than 1 GB; take -pagesize";
    failure.message_size = strlen(failure.message);
    cs_sbk_worker_fail(worker, &failure);
}

void cs_sbk_scanner_release(struct cs_sbk_worker *worker)
{
    cs_buf_release(&worker->scan.cells);
    cs_buf_release(&worker->scan.paging);
    cs_buf_release(&worker->scan.cql);
}
