/* compare.c - the answer of a `validate` against the rows that its partition
 * should have. Rows are matched by their key: the order of the server is not
 * that of Java where a column is descending or of another sign. */
#include "operation/validate_internal.h"
#include "types/order.h"

#include <stdlib.h>

struct comparison {
    struct cs_job *job;
    struct cs_check *check;
    struct cs_expected *expected;
    unsigned node;
    bool tell;
    uint64_t found; /* differences */
};

static const struct cs_table *table_of(const struct cs_job *job)
{
    return job->maker->workload->sources[job->kind->source].table;
}

/* ---- the rows to be expected ---- */

static struct cs_slice slice_of(const struct cs_job *job)
{
    const struct cs_validation_part *part = job->part;
    const uint8_t *cells = job->op.values.data;
    struct cs_slice slice = {.depth = part->depth,
                             .with_from = part->with_from,
                             .with_to = part->with_to};

    if (!part->depth)
        return slice;
    slice.from = cells + cs_cells_span(cells, table_of(job)->partition_count);
    slice.to = slice.from + cs_cells_span(slice.from, part->depth);
    return slice;
}

/* False: the way is none for this table, or memory ran out. */
static bool fill(struct cs_job *job, unsigned way, struct cs_expected *out)
{
    const struct cs_validator *v = job->maker->validator;
    struct cs_slice slice = slice_of(job);

    cs_validate_open(job, way);
    return v->open && cs_expected_fill(out, v->open, &slice);
}

static struct cs_check *take_check(struct cs_job *job)
{
    struct cs_validator *v = job->maker->validator;
    struct cs_check *check = v->free;

    if (check) {
        v->free = check->next_free;
    } else {
        check = calloc(1, sizeof(*check));
        if (!check)
            return NULL;
        check->next = v->checks;
        v->checks = check;
        cs_expected_init(&check->expected, NULL, CS_REQUEST_MAX);
        cs_expected_init(&check->other, NULL, CS_REQUEST_MAX);
    }
    check->expected.table = table_of(job);
    check->other.table = table_of(job);
    check->told = 0;
    check->row = 0;
    return check;
}

static void begin_attempt(struct cs_job *job, struct cs_check *check)
{
    check->attempt = job->op.attempt;
    check->told = CS_MAX(check->told, check->row);
    check->row = 0;
    check->differences = 0;
    check->good_rows = 0;
    check->static_told = check->told > 0;
    check->broken = false;
    cs_expected_forget(&check->expected);
}

/* ---- what is found ---- */

static void found(struct comparison *c, struct cs_difference *d)
{
    d->node = c->node;
    c->found++;
    if (c->tell)
        cs_tell_difference(c->job, d);
}

/* What the server keeps of a collection without elements. */
static bool is_nothing(const struct cs_type *type, const uint8_t *cell)
{
    int32_t size = (int32_t)cs_load32(cell);
    bool collection = type->kind == CS_TYPE_LIST || type->kind == CS_TYPE_SET ||
                      type->kind == CS_TYPE_MAP;

    return size < 0 ||
           (collection && !type->frozen && (size < 4 || !cs_load32(cell + 4)));
}

static bool same_bytes(const uint8_t *a, const uint8_t *b)
{
    size_t size = cs_cells_span(a, 1);

    return size == cs_cells_span(b, 1) && !memcmp(a, b, size);
}

/* expected is settled; what came is made so where that matters: the server
 * sorts a set, but not one within a tuple. */
static bool same_cell(struct cs_job *job, const struct cs_type *type,
                      const uint8_t *expected, const uint8_t *cell)
{
    struct cs_buf *settled = &job->maker->scratch;

    if (same_bytes(expected, cell))
        return true;
    if (is_nothing(type, expected) && is_nothing(type, cell))
        return true;
    if (!cs_type_unsettled(type))
        return false;
    cs_buf_clear(settled);
    cs_cell_settle(type, cell, settled);
    return !settled->fault && same_bytes(expected, settled->data);
}

/* Every row of an insert writes its own value into a static column and the
 * server keeps one of them: the last, or within a batch the largest. */
static bool is_of_any_row(struct comparison *c, unsigned column,
                          const uint8_t *cell)
{
    const struct cs_table *table = table_of(c->job);
    const struct cs_expected *e = c->expected;
    unsigned before = column - table->partition_count;

    for (size_t i = 0; i < e->count; i++) {
        const uint8_t *own = cs_expected_cells(e, &e->rows[i]);

        own += cs_cells_span(own, before);
        if (same_cell(c->job, table->columns[column].type, own, cell))
            return true;
    }
    return false;
}

static void compare_cell(struct comparison *c, unsigned column,
                         const uint8_t *expected, const uint8_t *key)
{
    const struct cs_column *spec = &table_of(c->job)->columns[column];
    const uint8_t *cell = c->job->maker->validator->found[column];
    bool is_static = spec->kind == CS_COLUMN_STATIC;
    struct cs_difference d = {.kind = CS_DIFFERENCE_BYTES,
                              .clustering = is_static ? NULL : key,
                              .column = (int)column,
                              .expected = expected,
                              .found = cell};

    if (same_cell(c->job, spec->type, expected, cell))
        return;
    if (is_static && (c->check->static_told || is_of_any_row(c, column, cell)))
        return;
    if (is_nothing(spec->type, cell))
        d.kind = CS_DIFFERENCE_NULL;
    else if (is_nothing(spec->type, expected))
        d.kind = CS_DIFFERENCE_VALUE;
    found(c, &d);
}

/* ---- rows ---- */

/* The next row's cells, by the columns of the table. */
static bool read_row(struct comparison *c, struct cs_reader *cells)
{
    const struct cs_table *table = table_of(c->job);
    const uint16_t *columns = c->job->kind->validation->columns;
    struct cs_validator *v = c->job->maker->validator;
    unsigned first = table->partition_count;

    for (unsigned i = 0; i < table->column_count; i++)
        v->found[columns[i]] = cs_read_cell(cells);
    cs_buf_clear(&v->row_key);
    for (unsigned i = 0; !cells->fault && i < table->clustering_count; i++)
        cs_cell_settle(table->columns[first + i].type, v->found[first + i],
                       &v->row_key);
    return !cells->fault && !v->row_key.fault;
}

static void compare_row(struct comparison *c)
{
    const struct cs_table *table = table_of(c->job);
    struct cs_validator *v = c->job->maker->validator;
    const uint8_t *key = v->row_key.data;
    struct cs_expected_row *row =
        cs_expected_find(c->expected, key, v->row_key.size);
    const uint8_t *cell;

    if (!row || !row->inside || row->seen) {
        found(c, &(struct cs_difference){.kind = CS_DIFFERENCE_ROW_TOO_MANY,
                                         .clustering = key,
                                         .column = -1});
        return;
    }
    row->seen = true;
    cell = cs_expected_cells(c->expected, row) + row->key_size;
    for (unsigned i = cs_table_key_count(table); i < table->column_count; i++) {
        compare_cell(c, i, cell, key);
        cell += cs_cells_span(cell, 1);
    }
    if (c->tell)
        c->check->static_told = true;
}

static void tell_columns(struct comparison *c, const struct cs_rows *rows)
{
    c->check->broken = true;
    found(c, &(struct cs_difference){.kind = CS_DIFFERENCE_COLUMN_COUNT,
                                     .column = -1,
                                     .expected_count =
                                         table_of(c->job)->column_count,
                                     .found_count = rows->column_count});
}

static uint64_t compare_page(struct comparison *c, const struct cs_rows *rows)
{
    struct cs_reader cells = rows->cells;
    bool tell = c->tell;
    uint64_t row = c->check->row;

    if (rows->row_count &&
        rows->column_count != table_of(c->job)->column_count) {
        tell_columns(c, rows);
        return c->found;
    }
    for (uint32_t i = 0; i < rows->row_count; i++, row++) {
        c->tell = tell && row >= c->check->told;
        if (!read_row(c, &cells))
            break;
        compare_row(c);
        if (tell && !c->found && !c->check->differences)
            c->check->good_rows++;
    }
    c->tell = tell;
    return c->found;
}

static void tell_missing(struct comparison *c)
{
    for (size_t i = 0; i < c->expected->count; i++) {
        const struct cs_expected_row *row = &c->expected->rows[i];

        if (row->inside && !row->seen)
            found(c, &(struct cs_difference){
                         .kind = CS_DIFFERENCE_ROW_MISSING,
                         .clustering = cs_expected_cells(c->expected, row),
                         .column = -1});
    }
}

/* ---- how to expect the partition ---- */

static uint64_t count_with(struct cs_job *job, struct cs_check *check,
                           struct cs_expected *expected,
                           const struct cs_rows *rows)
{
    struct comparison c = {.job = job, .check = check, .expected = expected};

    compare_page(&c, rows);
    if (!rows->more && !check->broken)
        tell_missing(&c);
    cs_expected_forget(expected);
    check->broken = false;
    return c.found;
}

/* The way in which the first page differs least; the one that was right last
 * is tried first, and mostly alone. That of a single visit counts only where it
 * is right throughout: of a partition that was written otherwise it would say
 * that most rows are too many. */
static void choose_way(struct cs_job *job, struct cs_check *check,
                       const struct cs_rows *rows)
{
    unsigned *right = &job->maker->validator->ways[job->kind->source];
    uint64_t least;

    check->way = *right;
    least = count_with(job, check, &check->expected, rows);
    if (least && check->way & CS_EXPECT_VISIT)
        least = UINT64_MAX;
    for (unsigned way = 0; least && way < CS_EXPECT_WAYS; way++) {
        struct cs_expected kept = check->expected;
        uint64_t differences;

        if (way == *right || !fill(job, way, &check->other))
            continue;
        differences = count_with(job, check, &check->other, rows);
        if (differences >= least || (differences && way & CS_EXPECT_VISIT))
            continue;
        least = differences;
        check->way = way;
        check->expected = check->other;
        check->other = kept;
    }
    if (!least)
        *right = check->way;
}

/* False: out of memory. */
static bool begin(struct cs_job *job, const struct cs_rows *rows)
{
    unsigned way = job->maker->validator->ways[job->kind->source];
    struct cs_check *check = job->check ? job->check : take_check(job);
    bool again = check && check == job->check;

    if (!check)
        return false;
    job->check = check;
    if (!again && !fill(job, way, &check->expected))
        return false;
    begin_attempt(job, check);
    if (!again)
        choose_way(job, check, rows);
    return true;
}

void cs_validate_rows(struct cs_operation *op, const struct cs_rows *rows)
{
    struct cs_job *job = CS_CONTAINER(op, struct cs_job, op);
    struct comparison c = {.job = job, .node = rows->node, .tell = true};

    if ((!job->check || job->check->attempt != op->attempt) &&
        !begin(job, rows)) {
        job->mismatch = true;
        return;
    }
    c.check = job->check;
    c.expected = &job->check->expected;
    if (c.check->broken)
        return;
    c.check->differences += compare_page(&c, rows);
    c.check->row += rows->row_count;
}

static void finish(struct cs_job *job, const struct cs_outcome *outcome)
{
    struct comparison c = {.job = job, .node = outcome->node, .tell = true};
    const struct cs_rows none = {.node = outcome->node};

    if (!job->check && !job->mismatch)
        cs_validate_rows(&job->op, &none);
    c.check = job->check;
    if (!c.check)
        return;
    c.expected = &c.check->expected;
    if (!c.check->broken)
        tell_missing(&c);
    job->mismatch |= c.check->differences + c.found > 0;
}

/* As the original does, which ends at the first row that differs and then
 * counts the rows that it has looked at, but no partition. */
static void count_rows(struct cs_job *job, const struct cs_outcome *outcome)
{
    job->rows = outcome->rows;
    job->partitions = outcome->rows && !job->mismatch ? 1 : 0;
    if (job->mismatch && job->check)
        job->rows = CS_MIN(job->check->good_rows + 1, job->rows);
}

void cs_validate_judge(struct cs_job *job, const struct cs_outcome *outcome)
{
    struct cs_validator *v = job->maker->validator;

    if (outcome->result == CS_RESULT_OK) {
        finish(job, outcome);
        count_rows(job, outcome);
    } else {
        job->mismatch = false;
    }
    if (job->check) {
        job->check->next_free = v->free;
        v->free = job->check;
    }
    job->check = NULL;
}
