/* validate_scene.h - a table in the hands of a `validate`, and the server that
 * answers it: rows as they were written, to be damaged by the tests. */
#ifndef CS_TESTS_VALIDATE_SCENE_H
#define CS_TESTS_VALIDATE_SCENE_H

#include "job_fixture.h"
#include "operation/validate_internal.h"
#include "support/generate.h"
#include "types/order.h"

#include <stdlib.h>

#define ROWS_MOST     4000
#define FINDINGS_MOST 64
#define STATEMENTS    16

/* A row as the server has it: its cells from the first clustering column on. */
struct server_row {
    uint8_t *cells;
    size_t size;
};

struct finding {
    enum cs_difference_kind kind;
    int column;
    char expected[32];
    char found[32];
    bool has_row;
    unsigned node;
};

struct scene {
    struct job_fixture f;
    struct test_table t;
    struct cs_driver_ops ops;
    enum cs_order written; /* how the table was filled */
    bool descending;
    unsigned page_rows;
    struct server_row rows[ROWS_MOST];
    size_t row_count;
    struct finding findings[FINDINGS_MOST];
    size_t finding_count;
};

static struct cs_statement prepared[STATEMENTS];
static unsigned prepared_count;

static inline enum cs_code
fake_prepare(struct cs_driver *driver, const char *keyspace, const char *cql,
             const struct cs_statement_options *options,
             const struct cs_statement **out, struct cs_err *err)
{
    struct cs_statement *statement = &prepared[prepared_count++];

    (void)driver;
    (void)err;
    assert_true(prepared_count <= STATEMENTS);
    assert_string_equal(keyspace, "ks");
    *statement = (struct cs_statement){.cql = strdup(cql), .options = *options};
    *out = statement;
    return CS_OK;
}

static inline void put_hex(char *out, size_t most, const uint8_t *cell)
{
    int32_t size = cell ? (int32_t)cs_load32(cell) : 0;

    *out = 0;
    if (size < 0)
        strcpy(out, "null");
    for (int32_t i = 0; i < size && 2 * (size_t)i + 3 < most; i++)
        sprintf(out + 2 * i, "%02x", cell[4 + i]);
}

static inline void take_finding(void *ctx, const struct cs_difference *d)
{
    struct scene *s = ctx;
    struct finding *f = &s->findings[s->finding_count++];

    assert_true(s->finding_count <= FINDINGS_MOST);
    assert_string_equal(d->operation, "op");
    assert_int_equal(d->cl, CS_CL_LOCAL_ONE);
    assert_true(d->has_token);
    assert_non_null(d->partition);
    *f = (struct finding){.kind = d->kind,
                          .column = d->column,
                          .has_row = d->clustering != NULL,
                          .node = d->node};
    put_hex(f->expected, sizeof(f->expected), d->expected);
    put_hex(f->found, sizeof(f->found), d->found);
}

static inline void scene_start(struct scene *s,
                               const struct test_column *columns)
{
    struct cs_kind *kind = &s->f.w.kinds[0];
    struct cs_err err = {0};

    memset(s, 0, sizeof(*s));
    fixture_init(&s->f, 1);
    test_table_init(&s->t, columns);
    s->f.w.source.table = &s->t.table;
    s->f.w.source.rules = s->t.rules;
    s->f.w.source.rule_count = s->t.rule_count;
    s->f.w.workload.kind_count = 1;
    s->ops = (struct cs_driver_ops){.prepare = fake_prepare};
    s->f.w.workload.db = &s->ops;
    s->page_rows = 1000;
    cs_arena_init(&s->f.w.workload.arena);
    prepared_count = 0;
    kind->name = "op";
    kind->weight = 1;
    if (cs_workload_validate_kind(&s->f.w.workload, NULL, kind, &err))
        fail_msg("%s", err.text);
}

static inline void scene_go(struct scene *s)
{
    fixture_start(&s->f, -1);
    cs_maker_on_difference(s->f.maker, take_finding, s);
    test_table_open(&s->t, "seed for stress", false, CS_DATA_C4, s->written);
}

static inline void clear_rows(struct scene *s)
{
    for (size_t i = 0; i < s->row_count; i++)
        free(s->rows[i].cells);
    s->row_count = 0;
}

static inline void scene_end(struct scene *s)
{
    clear_rows(s);
    fixture_release(&s->f);
    test_table_release(&s->t);
    cs_arena_release(&s->f.w.workload.arena);
    for (unsigned i = 0; i < prepared_count; i++)
        free((void *)(uintptr_t)prepared[i].cql);
}

static struct scene *sorting;

/* ---- the server ---- */

static inline int by_clustering(const void *a, const void *b)
{
    const struct server_row *x = a;
    const struct server_row *y = b;
    int order =
        cs_prefix_compare(&sorting->t.table, sorting->t.table.clustering_count,
                          x->cells, y->cells);

    return sorting->descending ? -order : order;
}

/* Whether the statement's slice has the row; by its text. */
static inline bool selects(const struct scene *s, const uint8_t *cells)
{
    const struct cs_job *job = &s->f.job;
    const char *bound = strstr(job->op.statement->cql, " AND (");
    const char *end = bound ? strchr(bound, ')') : NULL;
    const uint8_t *from = job->op.values.data;
    unsigned depth = 1;
    int order;

    if (!bound)
        return true;
    for (const char *p = bound; p < end; p++)
        depth += *p == ',';
    from += cs_cells_span(from, s->t.table.partition_count);
    order = cs_prefix_compare(&s->t.table, depth, cells, from);
    if (order < 0 || (!order && strncmp(end, ")>=", 3) != 0))
        return false;
    bound = strstr(end, " AND (");
    end = strchr(bound, ')');
    from += cs_cells_span(from, depth);
    order = cs_prefix_compare(&s->t.table, depth, cells, from);
    return order < 0 || (!order && !strncmp(end, ")<=", 3));
}

/* A cell of the generator's row as the server keeps it: sets are sorted. */
static inline void put_kept(struct scene *s, unsigned column,
                            struct cs_buf *out)
{
    cs_buf_clear(&s->t.cell);
    cs_generator_put(s->t.gen, column, &s->t.cell);
    cs_cell_settle(s->t.table.columns[column].type, s->t.cell.data, out);
}

/* All rows that were written, and of them those that the statement selects. */
static inline void read_partition(struct scene *s)
{
    const struct cs_table *table = &s->t.table;
    struct cs_buf cells;

    clear_rows(s);
    cs_buf_init(&cells, 1 << 20);
    assert_true(cs_generator_open_read(s->t.gen, &s->f.job.mark.seed, 0, true,
                                       s->f.job.mark.population));
    while (cs_generator_next(s->t.gen)) {
        cs_buf_clear(&cells);
        for (unsigned i = table->partition_count; i < table->column_count; i++)
            put_kept(s, i, &cells);
        if (!selects(s, cells.data))
            continue;
        assert_true(s->row_count < ROWS_MOST);
        s->rows[s->row_count].size = cells.size;
        s->rows[s->row_count].cells = malloc(cells.size);
        memcpy(s->rows[s->row_count++].cells, cells.data, cells.size);
    }
    cs_buf_release(&cells);
    sorting = s;
    qsort(s->rows, s->row_count, sizeof(*s->rows), by_clustering);
}

/* One page of rows to the job; the key's cells are those that it bound. */
static inline void answer_page(struct scene *s, size_t first, size_t count)
{
    struct cs_job *job = &s->f.job;
    const uint8_t *key = job->op.values.data;
    size_t key_size = cs_cells_span(key, s->t.table.partition_count);
    struct cs_rows rows = {.row_count = (uint32_t)count,
                           .column_count = s->t.table.column_count,
                           .node = (unsigned)(first / s->page_rows) + 5,
                           .more = first + count < s->row_count};
    struct cs_buf cells;

    cs_buf_init(&cells, 1 << 24);
    cs_buf_room(&cells, 1); /* an address, also without rows */
    for (size_t i = first; i < first + count; i++) {
        cs_buf_put(&cells, key, key_size);
        cs_buf_put(&cells, s->rows[i].cells, s->rows[i].size);
    }
    rows.cells = cs_reader_of(cells.data, cells.size);
    job->op.on_rows(&job->op, &rows);
    cs_buf_release(&cells);
}

static inline void answer(struct scene *s)
{
    struct cs_outcome outcome = {.rows = (uint32_t)s->row_count, .node = 9};
    size_t first = 0;

    do {
        size_t count = CS_MIN(s->row_count - first, (size_t)s->page_rows);

        answer_page(s, first, count);
        first += count;
    } while (first < s->row_count);
    cs_job_judge(&s->f.job, &outcome);
}

static inline void make(struct scene *s)
{
    assert_int_equal(cs_job_make(&s->f.job, 0), CS_MAKE_READY);
    s->finding_count = 0;
}

/* The next operation that reads whole partitions of some rows. */
static inline void make_whole(struct scene *s, size_t rows)
{
    do {
        make(s);
        read_partition(s);
        if (s->f.job.part->depth || s->row_count < rows)
            cs_job_finish(&s->f.job);
    } while (s->f.job.part->depth || s->row_count < rows);
}

static inline uint8_t *cell_of(struct scene *s, size_t row, unsigned column)
{
    uint8_t *cells = s->rows[row].cells;

    return cells + cs_cells_span(cells, column - s->t.table.partition_count);
}

static const struct test_column two[] = {
    {"k", "int", 'p', 0, 0, 0},
    {"j", "text", 'p', 0, 0, 0},
    {"c", "uuid", 'c', 0, 0, "fixed(4)"},
    {"d", "int", 'c', 0, 0, "uniform(1..5)"},
    {"v", "bigint", 'v', 0, 0, 0},
    {0}};

#endif
