/* reader.c - a reader by key learns the ids of its part of the ring page by
 * page, unmeasured and one page ahead, and reads each row by its id. */
#include "base/clock.h"
#include "base/murmur3.h"
#include "sbk/worker_internal.h"

#include <stdlib.h>

#define PAGE_MAX   ((size_t)1 << 26)
#define PAGING_MAX ((size_t)1 << 16)
#define CQL_MAX    ((size_t)1 << 16)
#define ID_SIZE    16

void cs_sbk_ring_part(unsigned index, unsigned count, int64_t *from,
                      int64_t *to)
{
    /* 2^64 / count, of which the last part takes what is left over. */
    uint64_t step = count > 1 ? UINT64_MAX / count : 0;

    *from = (int64_t)((uint64_t)INT64_MIN + step * index);
    *to = index + 1 == count
              ? INT64_MAX
              : (int64_t)((uint64_t)INT64_MIN + step * (index + 1));
}

/* ---- ids ---- */

static void ids_rows(struct cs_operation *op, const struct cs_rows *rows)
{
    struct cs_sbk_ids *ids = CS_CONTAINER(op, struct cs_sbk_ids, op);
    struct cs_buf *side = &ids->sides[!ids->current];
    struct cs_reader cells = rows->cells;

    for (uint32_t i = 0; i < rows->row_count; i++) {
        bool whole = cs_read32(&cells) == ID_SIZE;
        const uint8_t *id = whole ? cs_read_bytes(&cells, ID_SIZE) : NULL;

        if (id)
            cs_buf_put(side, id, ID_SIZE);
    }
}

static void ids_done(struct cs_operation *op, const struct cs_outcome *outcome)
{
    struct cs_sbk_ids *ids = CS_CONTAINER(op, struct cs_sbk_ids, op);
    struct cs_sbk_worker *worker = CS_CONTAINER(ids, struct cs_sbk_worker, ids);

    ids->fetching = false;
    ids->fetched = true;
    ids->more = ids->paging.size > 0;
    if (outcome->result != CS_RESULT_OK) {
        ids->more = false;
        cs_sbk_worker_fail(worker, outcome);
    }
    cs_hand_resume(&worker->hand);
}

static void fetch(struct cs_sbk_worker *worker)
{
    struct cs_sbk_ids *ids = &worker->ids;

    cs_buf_clear(&ids->sides[!ids->current]);
    ids->fetching = true;
    cs_hand_submit(&worker->hand, &ids->op);
}

static void make_ids_request(struct cs_sbk_worker *worker)
{
    const struct cs_sbk_options *o = cs_sbk_worker_options(worker);
    const struct cs_sbk_statements *statements =
        worker->shared->plan->statements;
    struct cs_sbk_ids *ids = &worker->ids;
    int64_t from, to;

    cs_sbk_ring_part(worker->index, (unsigned)o->readers, &from, &to);
    cs_buf_printf(&ids->cql,
                  "SELECT id FROM %s.%s WHERE token(id) > %lld AND "
                  "token(id) <= %lld",
                  o->keyspace, o->table, (long long)from, (long long)to);
    cs_buf_put32(&ids->op.values, 8);
    cs_buf_put64(&ids->op.values, (uint64_t)from);
    cs_buf_put32(&ids->op.values, 8);
    cs_buf_put64(&ids->op.values, (uint64_t)to);
    ids->op.statement = statements->ids;
    ids->op.row_count = 1;
    ids->op.cql = (const char *)ids->cql.data;
    ids->op.cql_size = ids->cql.size;
    ids->op.cql_options = statements->page_options;
    ids->op.timestamp_us = INT64_MIN;
    ids->op.page = &ids->paging;
    ids->op.on_rows = ids_rows;
    ids->op.on_done = ids_done;
    ids->more = true;
}

/* ---- rows ---- */

/* The length of data, the second cell. */
static void row_came(struct cs_operation *op, const struct cs_rows *rows)
{
    struct cs_hand *hand = CS_CONTAINER(op, struct cs_hand, op);
    struct cs_reader cells = rows->cells;
    int32_t size;

    if (!rows->row_count || rows->column_count < 2)
        return;
    size = (int32_t)cs_read32(&cells);
    if (size > 0)
        cs_read_bytes(&cells, (size_t)size);
    size = (int32_t)cs_read32(&cells);
    cs_sbk_worker_of(hand)->row_bytes = CS_MAX(size, 0);
}

static void make_read_request(struct cs_sbk_worker *worker)
{
    const struct cs_sbk_options *o = cs_sbk_worker_options(worker);
    struct cs_operation *op = &worker->hand.op;
    static const uint8_t none[ID_SIZE];

    cs_buf_put32(&op->values, ID_SIZE);
    cs_buf_put64(&op->values, 0);
    cs_buf_put64(&op->values, 0);
    cs_buf_printf(&worker->cql,
                  "SELECT id, data FROM %s.%s WHERE id = ", o->keyspace,
                  o->table);
    worker->id_at = worker->cql.size;
    cs_sbk_put_uuid(none, &worker->cql);
    op->statement = worker->shared->plan->statements->read;
    op->row_count = 1;
    op->cql = (const char *)worker->cql.data;
    op->cql_size = worker->cql.size;
    op->cql_options = worker->shared->plan->statements->read_options;
    op->timestamp_us = INT64_MIN;
    op->on_rows = row_came;
}

enum cs_code cs_sbk_reader_init(struct cs_sbk_worker *worker,
                                struct cs_err *err)
{
    struct cs_sbk_ids *ids = &worker->ids;
    enum cs_code rc;

    cs_buf_init(&worker->hand.op.values, CQL_MAX);
    cs_buf_init(&worker->cql, CQL_MAX);
    cs_buf_init(&ids->sides[0], PAGE_MAX);
    cs_buf_init(&ids->sides[1], PAGE_MAX);
    cs_buf_init(&ids->paging, PAGING_MAX);
    cs_buf_init(&ids->cql, CQL_MAX);
    cs_buf_init(&ids->op.values, CQL_MAX);
    make_read_request(worker);
    make_ids_request(worker);
    rc = cs_buf_check(&worker->cql, "statement of a reader", err);
    if (!rc)
        rc = cs_buf_check(&ids->cql, "statement of a reader", err);
    return rc;
}

static void take_id(struct cs_sbk_worker *worker)
{
    struct cs_operation *op = &worker->hand.op;
    struct cs_sbk_ids *ids = &worker->ids;
    const uint8_t *id = ids->sides[ids->current].data + ids->at;
    struct cs_buf text = {.data = worker->cql.data + worker->id_at,
                          .cap = CS_SBK_UUID_TEXT,
                          .max = CS_SBK_UUID_TEXT};
    int64_t token = cs_murmur3(id, ID_SIZE);

    ids->at += ID_SIZE;
    worker->row_bytes = -1;
    if (!op->statement) {
        cs_sbk_put_uuid(id, &text);
        return;
    }
    memcpy(op->values.data + sizeof(uint32_t), id, ID_SIZE);
    op->token = token == INT64_MIN ? INT64_MAX : token;
    op->has_token = true;
}

enum cs_hand_step cs_sbk_reader_next(struct cs_sbk_worker *worker)
{
    struct cs_sbk_ids *ids = &worker->ids;

    while (ids->at >= ids->sides[ids->current].size) {
        if (!ids->fetched && !ids->fetching && !ids->more) {
            atomic_store(&worker->eof, true);
            return CS_HAND_END;
        }
        if (!ids->fetched) {
            if (!ids->fetching)
                fetch(worker);
            worker->hand.wake_ns = INT64_MAX;
            return CS_HAND_WAIT;
        }
        ids->current = !ids->current;
        ids->at = 0;
        ids->fetched = false;
        if (ids->more)
            fetch(worker);
    }
    take_id(worker);
    return CS_HAND_SEND;
}

void cs_sbk_reader_done(struct cs_sbk_worker *worker,
                        const struct cs_outcome *outcome)
{
    if (worker->row_bytes < 0)
        worker->misses++;
    else
        cs_sbk_worker_record(worker, worker->hand.start_ns, outcome->end_ns,
                             (uint64_t)worker->row_bytes);
}

void cs_sbk_reader_release(struct cs_sbk_worker *worker)
{
    struct cs_sbk_ids *ids = &worker->ids;

    cs_buf_release(&ids->sides[0]);
    cs_buf_release(&ids->sides[1]);
    cs_buf_release(&ids->paging);
    cs_buf_release(&ids->cql);
    cs_buf_release(&ids->op.values);
}
