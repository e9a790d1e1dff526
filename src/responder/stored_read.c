/* stored_read.c - SELECT on stored rows, in pages; answers to conditions. */
#include "responder/stored_internal.h"

/* Token of the partition, rows of that token that have been sent, rows sent in
 * all: where the next page starts. */
#define STATE_SIZE 16

/* A SELECT under way. */
struct selection {
    const struct cs_job *job;
    struct cs_buf *rows;
    int64_t from_token; /* partitions before it have been sent */
    uint32_t skip;      /* rows of that token, likewise */
    uint32_t sent;      /* on earlier pages */
    uint32_t page_size;
    uint32_t limit;
    uint32_t count; /* rows of this page */
    bool counting;  /* only how many */
    bool full;      /* there is a row that does not belong to this page */
    int64_t token;  /* of the row that was last seen, and which of its token */
    uint32_t place;
};

static void put_source(struct selection *s,
                       const struct cs_partition *partition,
                       const struct cs_stored_row *row, int source)
{
    struct cs_cell cell;

    if (source == CS_SOURCE_TOKEN) {
        cs_buf_put32(s->rows, 8);
        cs_buf_put64(s->rows, (uint64_t)partition->token);
        return;
    }
    if (source < 0) {
        cs_buf_put32(s->rows, UINT32_MAX);
        return;
    }
    cell = cs_job_cell(s->job, partition, row, (unsigned)source);
    cs_buf_put32(s->rows, (uint32_t)cell.size);
    if (cell.size > 0)
        cs_buf_put(s->rows, cell.data, (size_t)cell.size);
}

/* A row that passed; false: no more are wanted. */
static bool take_row(struct selection *s, const struct cs_partition *partition,
                     const struct cs_stored_row *row)
{
    if (partition->token != s->token)
        s->place = 0;
    s->token = partition->token;
    if (partition->token == s->from_token && s->place < s->skip) {
        s->place++;
        return true;
    }
    if (s->sent + s->count >= s->limit)
        return false;
    if (s->count == s->page_size) {
        s->full = true;
        return false;
    }
    s->place++;
    s->count++;
    for (unsigned i = 0; i < s->job->script->column_count && !s->counting; i++)
        put_source(s, partition, row, s->job->plan->sources[i]);
    return true;
}

static bool passes(const struct selection *s,
                   const struct cs_partition *partition,
                   const struct cs_stored_row *row)
{
    return cs_job_passes(s->job, s->job->plan->tests, s->job->plan->test_count,
                         partition, row);
}

/* False: no more are wanted. */
static bool take_partition(struct selection *s,
                           const struct cs_partition *partition)
{
    const struct cs_plan *plan = s->job->plan;
    bool more = true;
    bool none = true;

    for (size_t i = 0; i < partition->row_count && more; i++) {
        size_t at = plan->backwards ? partition->row_count - 1 - i : i;

        if (!passes(s, partition, partition->rows[at]))
            continue;
        none = false;
        more = take_row(s, partition, partition->rows[at]);
        if (plan->distinct)
            break;
    }
    /* A partition of nothing but static columns is a row, too. */
    if (none && !partition->row_count && partition->statics &&
        passes(s, partition, partition->statics))
        more = take_row(s, partition, partition->statics);
    return more;
}

static void take_all(struct selection *s, const struct cs_candidates *found)
{
    size_t low = 0;
    size_t high = found->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (found->list[middle]->token < s->from_token)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i < found->count; i++)
        if (found->list[i]->table == s->job->table &&
            !take_partition(s, found->list[i]))
            return;
}

static enum cs_code read_state(struct selection *s, struct cs_view state)
{
    s->from_token = INT64_MIN;
    if (!state.size)
        return CS_OK;
    if (state.size != STATE_SIZE)
        return cs_fail(s->job->err, CS_EINVALID,
                       "Invalid value for the paging state");
    s->from_token = (int64_t)cs_load64(state.data);
    s->skip = cs_load32(state.data + 8);
    s->sent = cs_load32(state.data + 12);
    return CS_OK;
}

static enum cs_code read_limit(struct selection *s)
{
    const struct cs_plan *plan = s->job->plan;
    struct cs_bound limit = {.size = CS_BOUND_UNSET};

    s->limit = UINT32_MAX;
    if (plan->limited)
        limit = cs_job_value(s->job, &plan->limit);
    if (limit.size == 4)
        s->limit = cs_load32(limit.data);
    if (limit.size == 4 && (int32_t)s->limit <= 0)
        return cs_fail(s->job->err, CS_EINVALID,
                       "LIMIT must be strictly positive");
    return CS_OK;
}

static bool is_count(const struct cs_job *job)
{
    for (unsigned i = 0; i < job->script->column_count; i++)
        if (job->plan->sources[i] == CS_SOURCE_COUNT)
            return true;
    return false;
}

static void put_count(struct selection *s)
{
    for (unsigned i = 0; i < s->job->script->column_count; i++) {
        bool counts = s->job->plan->sources[i] == CS_SOURCE_COUNT;

        cs_buf_put32(s->rows, counts ? 8 : UINT32_MAX);
        if (counts)
            cs_buf_put64(s->rows, s->count);
    }
    s->count = 1;
}

static enum cs_code begin(struct selection *s, const struct cs_asked *asked)
{
    enum cs_code rc;

    cs_buf_clear(s->rows);
    s->counting = is_count(s->job);
    s->page_size = UINT32_MAX;
    if (asked->page_size > 0 && !s->counting)
        s->page_size = (uint32_t)asked->page_size;
    rc = read_state(s, asked->paging_state);
    return rc ? rc : read_limit(s);
}

enum cs_code cs_job_select(const struct cs_job *job,
                           const struct cs_reply *reply,
                           const struct cs_asked *asked, struct cs_page *page)
{
    struct cs_buf *answer = &job->responder->answer;
    struct selection s = {.job = job, .rows = &job->responder->rows};
    struct cs_candidates found = {.one = NULL};
    uint8_t state[STATE_SIZE];
    enum cs_code rc = begin(&s, asked);
    size_t at;

    if (!rc)
        rc = cs_job_candidates(job, &found);
    if (rc)
        return rc;
    take_all(&s, &found);
    if (s.counting)
        put_count(&s);
    rc = cs_buf_check(s.rows, "rows", job->err);
    if (rc)
        return rc;
    page->rows = s.count;
    if (s.full) {
        cs_store64(state, (uint64_t)s.token);
        cs_store32(state + 8, s.place);
        cs_store32(state + 12, s.sent + s.count);
        page->state = cs_view_of(state, sizeof(state));
    }
    at = cs_answer_begin_rows(answer, reply, job->script, page);
    cs_buf_put(answer, s.rows->data, s.rows->size);
    cs_frame_end(answer, at);
    return CS_OK;
}

/* ---- conditions ---- */

/* Whether the answer of a condition that does not hold shows the column: all
 * of a row that exists, or those that were looked at. */
static bool is_shown(const struct cs_job *job, unsigned column)
{
    if (job->plan->condition == CS_IF_NOT_EXISTS)
        return true;
    for (unsigned i = 0; i < job->plan->if_count; i++)
        if (job->plan->ifs[i].column == (int)column)
            return true;
    return false;
}

/* [applied] false, and what stood against it. */
static enum cs_code answer_held_back(const struct cs_job *job,
                                     const struct cs_reply *reply)
{
    const struct cs_table *table = job->table;
    const struct cs_page page = {.metadata = true, .rows = 1};
    struct cs_buf *answer = &job->responder->answer;
    struct cs_buf *cells = &job->responder->rows;
    struct cs_script script = {.table = table};
    struct cs_partition *partition;
    const struct cs_stored_row *row;
    struct cs_arena arena;
    enum cs_code rc = cs_job_row(job, &partition, &row);
    size_t at;

    cs_arena_init(&arena);
    script.columns = cs_arena_array(&arena, table->column_count + 1,
                                    sizeof(*script.columns));
    if (!rc && !script.columns)
        rc = cs_fail(job->err, CS_ENOMEM, "no memory for a row");
    if (rc) {
        cs_arena_release(&arena);
        return rc;
    }
    script.columns[script.column_count++] =
        (struct cs_named_type){"[applied]", cs_type_simple(CS_TYPE_BOOLEAN)};
    cs_buf_clear(cells);
    cs_buf_put32(cells, 1);
    cs_buf_put8(cells, 0);
    for (unsigned i = 0; row && i < table->column_count; i++) {
        struct cs_cell cell = cs_job_cell(job, partition, row, i);

        if (!is_shown(job, i))
            continue;
        script.columns[script.column_count++] = (struct cs_named_type){
            table->columns[i].name, table->columns[i].type};
        cs_buf_put32(cells, (uint32_t)cell.size);
        if (cell.size > 0)
            cs_buf_put(cells, cell.data, (size_t)cell.size);
    }
    at = cs_answer_begin_rows(answer, reply, &script, &page);
    cs_buf_put(answer, cells->data, cells->size);
    cs_frame_end(answer, at);
    cs_arena_release(&arena);
    return CS_OK;
}

enum cs_code cs_stored_answer(struct cs_responder *responder,
                              const struct cs_reply *reply,
                              const struct cs_script *script,
                              const struct cs_asked *asked,
                              struct cs_page *page, struct cs_err *err)
{
    struct cs_job job = cs_job_of(responder, script, asked->bounds, err);
    bool holds;
    enum cs_code rc;

    if (job.plan->verb == CS_PLAN_SELECT)
        return cs_job_select(&job, reply, asked, page);
    rc = cs_stored_holds(responder, script, asked->bounds, &holds, err);
    if (!rc && !holds)
        return answer_held_back(&job, reply);
    if (rc)
        return rc;
    cs_job_set_time(&job, asked->timestamp_us);
    rc = cs_job_apply(&job);
    if (rc)
        return rc;
    if (job.plan->condition == CS_IF_NONE)
        cs_answer_void(&responder->answer, reply);
    else
        cs_answer_applied(&responder->answer, reply, script->table, true);
    return CS_OK;
}
