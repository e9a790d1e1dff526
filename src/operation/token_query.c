/* token_query.c - a token range query: one page per operation, and what its
 * rows count for. */
#include "operation/maker_internal.h"
#include "operation/token_range.h"

#include <inttypes.h>
#include <stdlib.h>

/* Rows per page of a warm-up, at most. */
#define WARMUP_PAGE_ROWS 100

/* ---- one page ---- */

/* What a slot is in the middle of, by kind; allocated with its first query. */
static struct cs_token_scan *scan_of(struct cs_job *job)
{
    if (!job->scans)
        job->scans =
            calloc(job->maker->workload->kind_count, sizeof(*job->scans));
    return job->scans ? &job->scans[job->kind_index] : NULL;
}

void cs_token_scans_release(struct cs_job *job)
{
    unsigned count = job->scans ? job->maker->workload->kind_count : 0;

    for (unsigned i = 0; i < count; i++)
        cs_buf_release(&job->scans[i].page);
    free(job->scans);
    job->scans = NULL;
}

bool cs_token_scan_over(const struct cs_job *job, unsigned kind_index)
{
    const struct cs_kind *kind = &job->maker->workload->kinds[kind_index];

    if (CS_LIKELY(kind->type != CS_KIND_TOKEN_RANGE))
        return false;
    if (job->scans && job->scans[kind_index].open)
        return false;
    return cs_token_ranges_empty(job->maker->budget->ranges, kind->source);
}

/* The statement with the bounds in place of its two markers. */
static void put_bounds(struct cs_buf *text, const char *cql,
                       const struct cs_token_range *range)
{
    int64_t bound = range->start;

    for (const char *p = cql; *p; p++) {
        if (*p != '?') {
            cs_buf_put8(text, (uint8_t)*p);
            continue;
        }
        cs_buf_printf(text, "%" PRId64, bound);
        bound = range->end;
    }
}

static void put_request(struct cs_job *job, struct cs_token_scan *scan)
{
    struct cs_operation *op = &job->op;

    put_bounds(&op->values, job->kind->cql, &scan->range);
    op->cql = (const char *)op->values.data;
    op->cql_size = op->values.size;
    op->cql_options = job->kind->options;
    if (cs_token_ranges_warm_up(job->maker->budget->ranges))
        op->cql_options.page_size =
            CS_MIN(op->cql_options.page_size, WARMUP_PAGE_ROWS);
    op->page = &scan->page;
    op->row_count = 1;
}

enum cs_make cs_fill_token_range(struct cs_job *job)
{
    struct cs_budget *budget = job->maker->budget;
    struct cs_token_scan *scan = scan_of(job);

    if (!scan) {
        job->op.values.fault = true;
        return CS_MAKE_READY;
    }
    if (!scan->open) {
        if (!cs_token_ranges_take(budget->ranges, job->kind->source,
                                  &scan->range))
            return CS_MAKE_END;
        scan->open = true;
        scan->seen = false;
        cs_buf_clear(&scan->page);
    }
    if (cs_budget_take(budget, 1) < 1)
        return CS_MAKE_END;
    put_request(job, scan);
    return CS_MAKE_READY;
}

/* ---- its answer ---- */

/* Rows come in the order of their tokens: a token other than the one before is
 * a new partition. */
void cs_token_rows(struct cs_operation *op, const struct cs_rows *rows)
{
    struct cs_job *job = CS_CONTAINER(op, struct cs_job, op);
    struct cs_token_scan *scan = &job->scans[job->kind_index];
    struct cs_reader cells = rows->cells;

    for (uint32_t i = 0; i < rows->row_count && !cells.fault; i++) {
        int64_t token = cs_read32(&cells) == 8 ? (int64_t)cs_read64(&cells) : 0;

        job->partitions += !scan->seen || token != scan->token;
        scan->seen = true;
        scan->token = token;
        for (uint32_t j = 1; j < rows->column_count; j++) {
            int32_t size = (int32_t)cs_read32(&cells);

            cs_read_bytes(&cells, (size_t)CS_MAX(size, 0));
        }
    }
}

void cs_token_judge(struct cs_job *job, const struct cs_outcome *outcome)
{
    struct cs_token_scan *scan = &job->scans[job->kind_index];

    job->rows = 0;
    if (outcome->result != CS_RESULT_OK)
        return; /* the page stays the next one to be read */
    job->rows = outcome->rows;
    scan->open = scan->page.size > 0 &&
                 !cs_token_ranges_warm_up(job->maker->budget->ranges);
}

/* The range, in the words of the original; "-" without one. */
void cs_token_put_key(const struct cs_job *job, struct cs_buf *out)
{
    const struct cs_token_scan *scan =
        job->scans ? &job->scans[job->kind_index] : NULL;

    if (scan && scan->open)
        cs_buf_printf(out, "[%" PRId64 ", %" PRId64 "]", scan->range.start,
                      scan->range.end);
    else
        cs_buf_put8(out, '-');
}
