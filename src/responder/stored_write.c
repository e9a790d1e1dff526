/* stored_write.c - INSERT, UPDATE, DELETE and TRUNCATE on stored rows. */
#include "responder/stored_internal.h"

#include "types/order.h"

/* ---- new values ---- */

static int64_t counter_of(const uint8_t *data, int32_t size)
{
    return size == 8 ? (int64_t)cs_load64(data) : 0;
}

/* The items of both, one behind the other, as one collection. */
static void put_joined(struct cs_buf *out, const struct cs_type *type,
                       struct cs_cell old, struct cs_bound more)
{
    struct cs_buf both;
    uint32_t count = 0;

    cs_buf_init(&both, out->max);
    cs_buf_put32(&both, 0);
    if (old.size >= 4) {
        count += cs_load32(old.data);
        cs_buf_put(&both, old.data + 4, (size_t)old.size - 4);
    }
    if (more.size >= 4) {
        count += cs_load32(more.data);
        cs_buf_put(&both, more.data + 4, (size_t)more.size - 4);
    }
    if (!both.fault) {
        size_t at = out->size;

        cs_store32(both.data, count);
        cs_buf_put32(out, 0);
        cs_value_settle(type, both.data, both.size, out);
        if (!out->fault)
            cs_store32(out->data + at, (uint32_t)(out->size - at - 4));
    }
    out->fault = out->fault || both.fault;
    cs_buf_release(&both);
}

/* Whether what is there was written later. At the same time a null wins, then
 * the value with the greater bytes, whatever the order in which they come. */
static bool is_newer(const struct cs_job *job, struct cs_cell old,
                     struct cs_bound value)
{
    int order;

    if (old.written_us != job->written_us)
        return old.written_us > job->written_us;
    if (old.size < 0 || value.size < 0)
        return old.size < 0;
    order = memcmp(old.data, value.data, (size_t)CS_MIN(old.size, value.size));
    return order ? order > 0 : old.size > value.size;
}

static enum cs_code put_changed(const struct cs_job *job,
                                const struct cs_set *set, struct cs_cell old,
                                struct cs_bound value, struct cs_buf *out)
{
    const struct cs_column *column = &job->table->columns[set->column];
    enum cs_type_kind kind = column->type->kind;
    bool adds = set->how == CS_SET_ADD;
    uint64_t sum;

    if (kind == CS_TYPE_COUNTER) {
        sum = (uint64_t)counter_of(value.data, value.size);
        sum = (uint64_t)counter_of(old.data, old.size) + (adds ? sum : -sum);
        cs_buf_put64(out, (uint64_t)job->written_us);
        cs_buf_put32(out, 8);
        cs_buf_put64(out, sum);
        return CS_OK;
    }
    if (!adds ||
        (kind != CS_TYPE_LIST && kind != CS_TYPE_SET && kind != CS_TYPE_MAP))
        return cs_fail(job->err, CS_EINVALID,
                       "stored=: this change of column %s is more than is "
                       "understood",
                       column->name);
    cs_buf_put64(out, (uint64_t)job->written_us);
    put_joined(out, column->type, old, value);
    return CS_OK;
}

static const struct cs_set *set_of(const struct cs_job *job, unsigned column)
{
    for (unsigned i = 0; i < job->plan->set_count; i++)
        if (job->plan->sets[i].column == column)
            return &job->plan->sets[i];
    return NULL;
}

static enum cs_code put_set(const struct cs_job *job, const struct cs_set *set,
                            struct cs_cell old, struct cs_buf *out)
{
    const struct cs_type *type = job->table->columns[set->column].type;
    struct cs_bound value = cs_job_value(job, &set->term);
    size_t at = out->size + 8;

    if (set->how != CS_SET_TO && value.size != CS_BOUND_UNSET)
        return put_changed(job, set, old, value, out);
    if (value.size == CS_BOUND_UNSET || is_newer(job, old, value)) {
        cs_cell_put(out, old);
    } else if (value.size > 0 && cs_type_unsettled(type)) {
        cs_buf_put64(out, (uint64_t)job->written_us);
        cs_buf_put32(out, 0);
        cs_value_settle(type, value.data, (size_t)value.size, out);
        if (!out->fault)
            cs_store32(out->data + at, (uint32_t)(out->size - at - 4));
    } else {
        cs_cell_put(out,
                    (struct cs_cell){value.data, value.size, job->written_us});
    }
    return CS_OK;
}

/* The cells of a row after the change. statics: of the partition's static
 * columns, which have the key in front, too. */
static enum cs_code put_cells(const struct cs_job *job,
                              const struct cs_stored_row *old, bool statics,
                              struct cs_buf *out)
{
    const struct cs_table *table = job->table;
    bool writes = job->plan->verb == CS_PLAN_WRITE;
    enum cs_code rc = CS_OK;

    cs_buf_clear(out);
    for (unsigned i = 0; i < table->column_count && !rc; i++) {
        const struct cs_set *set = set_of(job, i);
        const struct cs_term *term =
            i < cs_table_key_count(table) ? cs_job_equal(job, i) : NULL;
        bool mine = (table->columns[i].kind == CS_COLUMN_STATIC) == statics;
        struct cs_cell cell = {.size = -1, .written_us = INT64_MIN};

        if (old)
            cell = cs_row_cell(old, i);
        if (term && !(statics && i >= table->partition_count)) {
            struct cs_bound value = cs_job_value(job, term);

            cell.data = value.data;
            cell.size = value.size;
        }
        if (!i && writes)
            cell.written_us = CS_MAX(cell.written_us, job->written_us);
        if (set && mine)
            rc = put_set(job, set, cell, out);
        else
            cs_cell_put(out, cell);
    }
    return rc ? rc : cs_buf_check(out, "row", job->err);
}

/* ---- INSERT and UPDATE ---- */

static bool sets_kind(const struct cs_job *job, bool statics)
{
    for (unsigned i = 0; i < job->plan->set_count; i++) {
        unsigned column = job->plan->sets[i].column;

        if ((job->table->columns[column].kind == CS_COLUMN_STATIC) == statics)
            return true;
    }
    return false;
}

static enum cs_code check_clustering(const struct cs_job *job)
{
    unsigned first = job->table->partition_count;

    for (unsigned i = first; i < cs_table_key_count(job->table); i++) {
        const struct cs_term *term = cs_job_equal(job, i);
        struct cs_bound value;

        if (!term)
            return cs_fail(job->err, CS_EINVALID,
                           "Some clustering keys are missing: %s",
                           job->table->columns[i].name);
        value = cs_job_value(job, term);
        if (value.size < 0)
            return cs_fail(job->err, CS_EINVALID,
                           "Invalid %s value in condition for column %s",
                           value.size == CS_BOUND_NULL ? "null" : "unset",
                           job->table->columns[i].name);
    }
    return CS_OK;
}

/* The row of the statement's key, or where it would be. */
static enum cs_code put_row(const struct cs_job *job,
                            struct cs_partition *partition)
{
    struct cs_buf *cells = &job->responder->cells;
    struct cs_buf *place = &job->responder->rows;
    bool found;
    size_t at;
    enum cs_code rc;

    /* A row as the store has it, for its clustering only. */
    cs_buf_clear(place);
    cs_buf_put32(place, 0);
    rc = put_cells(job, NULL, false, cells);
    if (rc)
        return rc;
    cs_buf_put(place, cells->data, cells->size);
    if (place->fault)
        return cs_fail(job->err, CS_ENOMEM, "no memory for a row");
    at = cs_partition_place(
        partition, (const struct cs_stored_row *)(const void *)place->data,
        &found);
    if (found)
        rc = put_cells(job, partition->rows[at], false, cells);
    return rc ? rc
              : cs_store_put(job->store, partition, at, found, cells, job->err);
}

static enum cs_code write_row(const struct cs_job *job,
                              struct cs_partition *partition, bool whole)
{
    struct cs_buf *cells = &job->responder->cells;
    enum cs_code rc = CS_OK;

    if (sets_kind(job, true)) {
        rc = put_cells(job, partition->statics, true, cells);
        if (!rc)
            rc = cs_store_put_statics(job->store, partition, cells, job->err);
    }
    return rc || !whole ? rc : put_row(job, partition);
}

static void drop_if_empty(const struct cs_job *job,
                          struct cs_partition *partition)
{
    if (!partition->row_count && !partition->statics)
        cs_store_drop(job->store, partition);
}

static enum cs_code apply_write(const struct cs_job *job)
{
    const struct cs_buf *key = &job->responder->key;
    bool whole = !sets_kind(job, true) || sets_kind(job, false) ||
                 cs_job_has_clustering(job);
    struct cs_partition *partition;
    bool complete;
    enum cs_code rc = cs_job_key(job, &complete);

    if (!rc && !complete)
        rc = cs_fail(job->err, CS_EINVALID,
                     "Some partition key parts are missing, or not given by "
                     "one value");
    if (!rc && whole)
        rc = check_clustering(job);
    if (!rc)
        rc = cs_store_make(job->store, job->table, key->data, key->size,
                           &partition, job->err);
    if (rc)
        return rc;
    rc = write_row(job, partition, whole);
    drop_if_empty(job, partition);
    return rc;
}

/* ---- DELETE ---- */

/* Whether WHERE speaks of the partition as a whole. */
static bool is_whole_partition(const struct cs_job *job)
{
    for (unsigned i = 0; i < job->plan->test_count; i++)
        if (job->plan->tests[i].column >= (int)job->table->partition_count)
            return false;
    return true;
}

static enum cs_code clear_columns(const struct cs_job *job,
                                  struct cs_partition *partition)
{
    struct cs_buf *cells = &job->responder->cells;
    enum cs_code rc = CS_OK;

    if (partition->statics && sets_kind(job, true)) {
        rc = put_cells(job, partition->statics, true, cells);
        if (!rc)
            rc = cs_store_put_statics(job->store, partition, cells, job->err);
    }
    for (size_t i = 0; i < partition->row_count && !rc; i++) {
        if (!sets_kind(job, false) ||
            !cs_job_passes(job, job->plan->tests, job->plan->test_count,
                           partition, partition->rows[i]))
            continue;
        rc = put_cells(job, partition->rows[i], false, cells);
        if (!rc)
            rc = cs_store_put(job->store, partition, i, true, cells, job->err);
    }
    return rc;
}

/* A row as it is after a DELETE that something in it is newer than. */
static void put_rest(const struct cs_job *job, const struct cs_stored_row *row,
                     struct cs_buf *out)
{
    cs_buf_clear(out);
    for (unsigned i = 0; i < job->table->column_count; i++) {
        struct cs_cell cell = cs_row_cell(row, i);

        if (i >= cs_table_key_count(job->table) &&
            cell.written_us <= job->written_us)
            cell = (struct cs_cell){.size = -1, .written_us = job->written_us};
        cs_cell_put(out, cell);
    }
}

static enum cs_code remove_row(const struct cs_job *job,
                               struct cs_partition *partition, size_t at)
{
    struct cs_buf *cells = &job->responder->cells;

    if (cs_row_cell(partition->rows[at], 0).written_us <= job->written_us) {
        cs_store_remove(job->store, partition, at);
        return CS_OK;
    }
    put_rest(job, partition->rows[at], cells);
    return cs_store_put(job->store, partition, at, true, cells, job->err);
}

static enum cs_code remove_rows(const struct cs_job *job,
                                struct cs_partition *partition)
{
    struct cs_buf *cells = &job->responder->cells;
    enum cs_code rc = CS_OK;

    for (size_t i = partition->row_count; i-- > 0 && !rc;)
        if (cs_job_passes(job, job->plan->tests, job->plan->test_count,
                          partition, partition->rows[i]))
            rc = remove_row(job, partition, i);
    if (!rc && partition->statics && is_whole_partition(job)) {
        put_rest(job, partition->statics, cells);
        rc = cs_store_put_statics(
            job->store, partition,
            cs_row_cell(partition->statics, 0).written_us <= job->written_us
                ? NULL
                : cells,
            job->err);
    }
    if (!rc)
        drop_if_empty(job, partition);
    return rc;
}

static enum cs_code apply_delete(const struct cs_job *job)
{
    struct cs_candidates found = {.one = NULL};
    bool complete;
    enum cs_code rc = cs_job_key(job, &complete);

    if (!rc && !complete)
        rc = cs_fail(job->err, CS_EINVALID,
                     "Some partition key parts are missing, or not given by "
                     "one value");
    if (!rc)
        rc = cs_job_candidates(job, &found);
    if (rc || !found.one)
        return rc;
    if (job->plan->set_count)
        return clear_columns(job, found.one);
    return remove_rows(job, found.one);
}

/* ---- all ---- */

static bool is_other_table(void *ctx, const struct cs_table *table)
{
    return table != ctx;
}

enum cs_code cs_job_apply(const struct cs_job *job)
{
    switch (job->plan->verb) {
    case CS_PLAN_WRITE:
        return apply_write(job);
    case CS_PLAN_DELETE:
        return apply_delete(job);
    case CS_PLAN_TRUNCATE:
        cs_store_sweep(job->store, is_other_table,
                       (struct cs_table *)(uintptr_t)job->table);
        return CS_OK;
    default:
        return CS_OK;
    }
}
