/* stored.c - what the statements on stored rows share: values, keys, tests,
 * conditions. */
#include "responder/stored_internal.h"

#include "base/clock.h"
#include "protocol/request.h"
#include "types/order.h"

struct cs_job cs_job_of(struct cs_responder *responder,
                        const struct cs_script *script,
                        const struct cs_bounds *bounds, struct cs_err *err)
{
    return (struct cs_job){.responder = responder,
                           .store = responder->store,
                           .script = script,
                           .plan = script->plan,
                           .table = script->table,
                           .bounds = bounds,
                           .err = err};
}

struct cs_bound cs_job_value(const struct cs_job *job,
                             const struct cs_term *term)
{
    if (term->marker < 0)
        return term->constant;
    if ((unsigned)term->marker >= job->bounds->count)
        return (struct cs_bound){.size = CS_BOUND_UNSET};
    return job->bounds->list[term->marker];
}

/* Those who write without a timestamp write one after the other. */
static int64_t next_us(struct cs_responder *responder)
{
    int64_t now_us = cs_wall_ns() / 1000;

    responder->written_us = CS_MAX(now_us, responder->written_us + 1);
    return responder->written_us;
}

/* A condition is decided here, and so is its time. */
void cs_job_set_time(struct cs_job *job, int64_t timestamp_us)
{
    struct cs_bound typed = {.size = CS_BOUND_UNSET};

    if (job->plan->stamped)
        typed = cs_job_value(job, &job->plan->timestamp);
    if (typed.size == 8)
        job->written_us = (int64_t)cs_load64(typed.data);
    else if (timestamp_us != CS_TIMESTAMP_NONE &&
             job->plan->condition == CS_IF_NONE)
        job->written_us = timestamp_us;
    else
        job->written_us = next_us(job->responder);
}

/* ---- keys ---- */

const struct cs_term *cs_job_equal(const struct cs_job *job, unsigned column)
{
    for (unsigned i = 0; i < job->plan->test_count; i++) {
        const struct cs_test *test = &job->plan->tests[i];

        if (test->column == (int)column && test->how == CS_TEST_EQUAL)
            return test->terms;
    }
    return NULL;
}

bool cs_job_has_clustering(const struct cs_job *job)
{
    unsigned first = job->table->partition_count;

    for (unsigned i = 0; i < job->table->clustering_count; i++)
        if (!cs_job_equal(job, first + i))
            return false;
    return true;
}

/* Several parts stand one behind the other, each with its size and a zero. */
enum cs_code cs_job_key(const struct cs_job *job, bool *out)
{
    struct cs_buf *key = &job->responder->key;
    bool several = job->table->partition_count > 1;

    *out = false;
    cs_buf_clear(key);
    for (unsigned i = 0; i < job->table->partition_count; i++) {
        const struct cs_term *term = cs_job_equal(job, i);
        struct cs_bound value;

        if (!term)
            return CS_OK;
        value = cs_job_value(job, term);
        if (value.size < 0)
            return cs_fail(job->err, CS_EINVALID,
                           "Invalid %s value in condition for column %s",
                           value.size == CS_BOUND_NULL ? "null" : "unset",
                           job->table->columns[i].name);
        if (several)
            cs_buf_put16(key, (uint16_t)value.size);
        cs_buf_put(key, value.data, (size_t)value.size);
        if (several)
            cs_buf_put8(key, 0);
    }
    *out = true;
    return cs_buf_check(key, "key", job->err);
}

enum cs_code cs_job_candidates(const struct cs_job *job,
                               struct cs_candidates *out)
{
    const struct cs_buf *key = &job->responder->key;
    bool complete;
    enum cs_code rc = cs_job_key(job, &complete);

    if (rc)
        return rc;
    if (complete) {
        out->one = cs_store_find(job->store, job->table, key->data, key->size);
        out->list = &out->one;
        out->count = out->one != NULL;
        return CS_OK;
    }
    out->list = cs_store_by_token(job->store, &out->count);
    return out->list ? CS_OK : cs_fail(job->err, CS_ENOMEM, "no memory");
}

/* ---- tests ---- */

struct cs_cell cs_job_cell(const struct cs_job *job,
                           const struct cs_partition *partition,
                           const struct cs_stored_row *row, unsigned column)
{
    if (job->table->columns[column].kind != CS_COLUMN_STATIC)
        return cs_row_cell(row, column);
    if (!partition->statics)
        return (struct cs_cell){.size = -1};
    return cs_row_cell(partition->statics, column);
}

static int compare(const struct cs_type *type, struct cs_cell cell,
                   struct cs_bound value)
{
    return cs_value_compare(type, cell.data, cell.size, value.data, value.size);
}

/* IN ?: a value that is a list. */
static bool is_in_list(const struct cs_type *type, struct cs_cell cell,
                       struct cs_bound list)
{
    struct cs_reader in = cs_reader_of(list.data, (size_t)CS_MAX(list.size, 0));
    uint32_t count = list.size > 0 ? cs_read32(&in) : 0;

    for (uint32_t i = 0; i < count && !in.fault; i++) {
        struct cs_view item = cs_read_blob(&in);
        struct cs_bound value = {.data = item.data,
                                 .size = item.data ? (int32_t)item.size : -1};

        if (!in.fault && item.data && !compare(type, cell, value))
            return true;
    }
    return false;
}

static bool is_in(const struct cs_job *job, const struct cs_test *test,
                  const struct cs_type *type, struct cs_cell cell)
{
    for (unsigned i = 0; i < test->term_count; i++) {
        struct cs_bound value = cs_job_value(job, &test->terms[i]);

        if (value.size >= 0 && cell.size >= 0 && !compare(type, cell, value))
            return true;
    }
    return false;
}

static bool holds(enum cs_test_how how, int order)
{
    switch (how) {
    case CS_TEST_EQUAL:
        return order == 0;
    case CS_TEST_OTHER:
        return order != 0;
    case CS_TEST_BELOW:
        return order < 0;
    case CS_TEST_MOST:
        return order <= 0;
    case CS_TEST_ABOVE:
        return order > 0;
    default:
        return order >= 0;
    }
}

static bool passes(const struct cs_job *job, const struct cs_test *test,
                   const struct cs_type *type, struct cs_cell cell)
{
    struct cs_bound value;

    if (test->how == CS_TEST_IN)
        return is_in(job, test, type, cell);
    value = cs_job_value(job, test->terms);
    if (test->how == CS_TEST_IN_LIST)
        return cell.size >= 0 && is_in_list(type, cell, value);
    if (cell.size < 0 || value.size < 0)
        return holds(test->how, (cell.size >= 0) - (value.size >= 0)) &&
               (test->how == CS_TEST_EQUAL || test->how == CS_TEST_OTHER);
    return holds(test->how, compare(type, cell, value));
}

bool cs_job_passes(const struct cs_job *job, const struct cs_test *tests,
                   unsigned count, const struct cs_partition *partition,
                   const struct cs_stored_row *row)
{
    for (unsigned i = 0; i < count; i++) {
        const struct cs_test *test = &tests[i];
        uint8_t token[8];
        struct cs_cell cell = {.data = token, .size = sizeof(token)};
        const struct cs_type *type = cs_type_simple(CS_TYPE_BIGINT);

        if (test->column == CS_TEST_TOKEN) {
            cs_store64(token, (uint64_t)partition->token);
        } else {
            type = job->table->columns[test->column].type;
            cell = cs_job_cell(job, partition, row, (unsigned)test->column);
        }
        if (!passes(job, test, type, cell))
            return false;
    }
    return true;
}

/* ---- conditions ---- */

enum cs_code cs_job_row(const struct cs_job *job,
                        struct cs_partition **out_partition,
                        const struct cs_stored_row **out_row)
{
    struct cs_candidates found = {.one = NULL};
    enum cs_code rc = cs_job_candidates(job, &found);

    *out_partition = found.one;
    *out_row = NULL;
    if (rc || !found.one)
        return rc;
    for (size_t i = 0; i < found.one->row_count && !*out_row; i++)
        if (cs_job_passes(job, job->plan->tests, job->plan->test_count,
                          found.one, found.one->rows[i]))
            *out_row = found.one->rows[i];
    if (!*out_row && !cs_job_has_clustering(job))
        *out_row = found.one->statics;
    return CS_OK;
}

static bool condition_holds(const struct cs_job *job,
                            const struct cs_partition *partition,
                            const struct cs_stored_row *row)
{
    const struct cs_plan *plan = job->plan;

    switch (plan->condition) {
    case CS_IF_EXISTS:
        return row != NULL;
    case CS_IF_NOT_EXISTS:
        return !row;
    case CS_IF_TESTS:
        return row &&
               cs_job_passes(job, plan->ifs, plan->if_count, partition, row);
    default:
        return true;
    }
}

enum cs_code cs_stored_holds(struct cs_responder *responder,
                             const struct cs_script *script,
                             const struct cs_bounds *bounds, bool *out,
                             struct cs_err *err)
{
    struct cs_job job = cs_job_of(responder, script, bounds, err);
    struct cs_partition *partition;
    const struct cs_stored_row *row;
    enum cs_code rc = CS_OK;

    *out = true;
    if (job.plan->condition == CS_IF_NONE)
        return CS_OK;
    rc = cs_job_row(&job, &partition, &row);
    if (!rc)
        *out = condition_holds(&job, partition, row);
    return rc;
}

enum cs_code cs_stored_apply(struct cs_responder *responder,
                             const struct cs_script *script,
                             const struct cs_bounds *bounds,
                             int64_t timestamp_us, struct cs_err *err)
{
    struct cs_job job = cs_job_of(responder, script, bounds, err);

    cs_job_set_time(&job, timestamp_us);
    return cs_job_apply(&job);
}

/* ---- the schema ---- */

static bool is_current(void *ctx, const struct cs_table *table)
{
    const struct cs_catalog *catalog = ctx;

    return cs_catalog_table(catalog, table->keyspace, table->name) == table;
}

void cs_stored_change(struct cs_responder *responder,
                      const struct cs_schema_step *change)
{
    if (!responder->store)
        return;
    if (change->was && change->now)
        cs_store_alter(responder->store, change->was, change->now);
    cs_store_sweep(responder->store, is_current, &responder->catalog);
}
