/* test_validate.c - `validate` against answers made here: good ones in every
 * order and page size, and ones with each kind of damage. */
#include "job_fixture.h"
#include "support/generate.h"
#include "types/order.h"
#include "workload/validate_internal.h"

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

static enum cs_code fake_prepare(struct cs_driver *driver, const char *keyspace,
                                 const char *cql,
                                 const struct cs_statement_options *options,
                                 const struct cs_statement **out,
                                 struct cs_err *err)
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

static void put_hex(char *out, size_t most, const uint8_t *cell)
{
    int32_t size = cell ? (int32_t)cs_load32(cell) : 0;

    *out = 0;
    if (size < 0)
        strcpy(out, "null");
    for (int32_t i = 0; i < size && 2 * (size_t)i + 3 < most; i++)
        sprintf(out + 2 * i, "%02x", cell[4 + i]);
}

static void take_finding(void *ctx, const struct cs_difference *d)
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

static void scene_start(struct scene *s, const struct test_column *columns)
{
    struct cs_kind *kind = &s->f.kinds[0];
    struct cs_err err = {0};

    memset(s, 0, sizeof(*s));
    fixture_init(&s->f, 1);
    test_table_init(&s->t, columns);
    s->f.source.table = &s->t.table;
    s->f.source.rules = s->t.rules;
    s->f.source.rule_count = s->t.rule_count;
    s->f.workload.kind_count = 1;
    s->ops = (struct cs_driver_ops){.prepare = fake_prepare};
    s->f.workload.db = &s->ops;
    s->page_rows = 1000;
    cs_arena_init(&s->f.workload.arena);
    prepared_count = 0;
    kind->name = "op";
    kind->weight = 1;
    if (cs_workload_validate_kind(&s->f.workload, NULL, kind, &err))
        fail_msg("%s", err.text);
}

static void scene_go(struct scene *s)
{
    fixture_start(&s->f, -1);
    cs_maker_on_difference(s->f.maker, take_finding, s);
    test_table_open(&s->t, "seed for stress", false, CS_DATA_C4, s->written);
}

static void clear_rows(struct scene *s)
{
    for (size_t i = 0; i < s->row_count; i++)
        free(s->rows[i].cells);
    s->row_count = 0;
}

static void scene_end(struct scene *s)
{
    clear_rows(s);
    fixture_release(&s->f);
    test_table_release(&s->t);
    cs_arena_release(&s->f.workload.arena);
    for (unsigned i = 0; i < prepared_count; i++)
        free((void *)(uintptr_t)prepared[i].cql);
}

/* ---- the server ---- */

static struct scene *sorting;

static int by_clustering(const void *a, const void *b)
{
    const struct server_row *x = a;
    const struct server_row *y = b;
    int order =
        cs_prefix_compare(&sorting->t.table, sorting->t.table.clustering_count,
                          x->cells, y->cells);

    return sorting->descending ? -order : order;
}

/* Whether the statement's slice has the row; by its text. */
static bool selects(const struct scene *s, const uint8_t *cells)
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
static void put_kept(struct scene *s, unsigned column, struct cs_buf *out)
{
    cs_buf_clear(&s->t.cell);
    cs_generator_put(s->t.gen, column, &s->t.cell);
    cs_cell_settle(s->t.table.columns[column].type, s->t.cell.data, out);
}

/* All rows that were written, and of them those that the statement selects. */
static void read_partition(struct scene *s)
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
static void answer_page(struct scene *s, size_t first, size_t count)
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

static void answer(struct scene *s)
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

static void make(struct scene *s)
{
    assert_int_equal(cs_job_make(&s->f.job, 0), CS_MAKE_READY);
    s->finding_count = 0;
}

/* The next operation that reads whole partitions of some rows. */
static void make_whole(struct scene *s, size_t rows)
{
    do {
        make(s);
        read_partition(s);
        if (s->f.job.part->depth || s->row_count < rows)
            cs_job_finish(&s->f.job);
    } while (s->f.job.part->depth || s->row_count < rows);
}

/* ---- tables ---- */

static const struct test_column flat[] = {{"k", "int", 'p', 0, 0, 0},
                                          {"a", "text", 'v', 0, 0, 0},
                                          {"b", "date", 'v', 0, 0, 0},
                                          {0}};
static const struct test_column one[] = {
    {"k", "int", 'p', 0, 0, 0},
    {"c", "blob", 'c', 0, 0, "uniform(1..9)"},
    {"v", "text", 'v', 0, 0, 0},
    {"w", "set<int>", 'v', 0, "fixed(3)", 0},
    {0}};
static const struct test_column two[] = {
    {"k", "int", 'p', 0, 0, 0},
    {"j", "text", 'p', 0, 0, 0},
    {"c", "uuid", 'c', 0, 0, "fixed(4)"},
    {"d", "int", 'c', 0, 0, "uniform(1..5)"},
    {"v", "bigint", 'v', 0, 0, 0},
    {0}};
static const struct test_column three[] = {
    {"k", "int", 'p', 0, 0, 0},          {"c", "int", 'c', 0, 0, "fixed(2)"},
    {"d", "int", 'c', 0, 0, "fixed(3)"}, {"e", "int", 'c', 0, 0, "fixed(3)"},
    {"v", "int", 'v', 0, 0, 0},          {0}};
static const struct test_column keys[] = {
    {"k", "int", 'p', 0, 0, 0},
    {"c", "double", 'c', 0, 0, "fixed(3)"},
    {"d", "inet", 'c', 0, 0, "fixed(3)"},
    {"e", "frozen<set<int>>", 'c', 0, "fixed(2)", "fixed(3)"},
    {0}};

static void sends_the_statements_of_the_original(void **state)
{
    static const char *const want[] = {
        "SELECT * FROM ks.t WHERE k = ? AND j = ?",
        "SELECT * FROM ks.t WHERE k = ? AND j = ? AND (c)>=(?) AND (c)<(?)",
        "SELECT * FROM ks.t WHERE k = ? AND j = ? AND (c,d)>=(?,?) AND "
        "(c,d)<=(?,?)",
        "SELECT * FROM ks.t WHERE k = ? AND j = ? AND (c,d)>=(?,?) AND "
        "(c,d)<(?,?)",
        "SELECT * FROM ks.t WHERE k = ? AND j = ? AND (c,d)>(?,?) AND "
        "(c,d)<=(?,?)",
        "SELECT * FROM ks.t WHERE k = ? AND j = ? AND (c,d)>(?,?) AND "
        "(c,d)<(?,?)",
    };
    struct scene s;

    (void)state;
    scene_start(&s, two);
    assert_int_equal(prepared_count, CS_COUNT(want));
    for (size_t i = 0; i < CS_COUNT(want); i++) {
        assert_string_equal(prepared[i].cql, want[i]);
        assert_int_equal(prepared[i].options.page_size, 5000);
        assert_true(prepared[i].options.is_read);
    }
    scene_go(&s);
    scene_end(&s);
}

static void accepts_what_the_server_has(void **state)
{
    static const struct {
        const struct test_column *columns;
        enum cs_order asked;
        enum cs_order written;
        bool descending;
        unsigned page_rows;
    } rows[] = {
        {flat, CS_ORDER_ARBITRARY, CS_ORDER_ARBITRARY, false, 1000},
        {one, CS_ORDER_ARBITRARY, CS_ORDER_ARBITRARY, false, 1000},
        {one, CS_ORDER_ARBITRARY, CS_ORDER_SORTED, true, 1000},
        {one, CS_ORDER_SORTED, CS_ORDER_SORTED, false, 2},
        {two, CS_ORDER_ARBITRARY, CS_ORDER_ARBITRARY, true, 3},
        {two, CS_ORDER_SORTED, CS_ORDER_SORTED, false, 1},
        {keys, CS_ORDER_ARBITRARY, CS_ORDER_SORTED, true, 4},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct scene s;

        scene_start(&s, rows[i].columns);
        s.f.settings.population.order = rows[i].asked;
        s.written = rows[i].written;
        s.descending = rows[i].descending;
        s.page_rows = rows[i].page_rows;
        scene_go(&s);
        for (int k = 0; k < 200; k++) {
            make(&s);
            read_partition(&s);
            answer(&s);
            if (s.f.job.mismatch || s.finding_count)
                fail_msg("row %zu, %s: difference of kind %d", i,
                         s.f.job.op.statement->cql, s.findings[0].kind);
            assert_int_equal(s.f.job.rows, s.row_count);
            assert_int_equal(s.f.job.partitions, s.row_count > 0);
            cs_job_finish(&s.f.job);
        }
        scene_end(&s);
    }
}

static void draws_every_depth_alike(void **state)
{
    unsigned count[3] = {0};
    unsigned changes = 0;
    unsigned last = 9;
    struct scene s;

    (void)state;
    scene_start(&s, two);
    s.f.settings.command.clustering = cs_dist_fixed(3);
    scene_go(&s);
    for (int i = 0; i < 3000; i++) {
        make(&s);
        count[s.f.job.depth]++;
        if (i % 3 == 0)
            last = s.f.job.depth;
        changes += s.f.job.depth != last; /* within three in a row */
        cs_job_finish(&s.f.job);
    }
    assert_int_equal(changes, 0);
    for (int i = 0; i < 3; i++)
        assert_in_range(count[i], 800, 1200);
    scene_end(&s);
}

/* ---- damage ---- */

static uint8_t *cell_of(struct scene *s, size_t row, unsigned column)
{
    uint8_t *cells = s->rows[row].cells;

    return cells + cs_cells_span(cells, column - s->t.table.partition_count);
}

static void drop_row(struct scene *s)
{
    free(s->rows[1].cells);
    s->row_count--;
    memmove(&s->rows[1], &s->rows[2], (s->row_count - 1) * sizeof(s->rows[0]));
}

static void add_row(struct scene *s)
{
    struct server_row *row = &s->rows[s->row_count++];

    row->size = s->rows[0].size;
    row->cells = malloc(row->size);
    memcpy(row->cells, s->rows[0].cells, row->size);
    cell_of(s, s->row_count - 1, 3)[4] ^= 1; /* d */
}

static void repeat_row(struct scene *s)
{
    add_row(s);
    cell_of(s, s->row_count - 1, 3)[4] ^= 1;
}

static void change_value(struct scene *s)
{
    cell_of(s, 2, 4)[11] ^= 0xff;
}

/* A null is shorter than what was there. */
static void set_null(struct scene *s)
{
    uint8_t *cell = cell_of(s, 2, 4);

    cs_store32(cell, UINT32_MAX);
    s->rows[2].size -= 8;
}

static void shorten(struct scene *s)
{
    uint8_t *cell = cell_of(s, 2, 4);

    cs_store32(cell, 0);
    s->rows[2].size -= 8;
}

static const struct {
    const char *what;
    void (*damage)(struct scene *s);
    enum cs_difference_kind kind;
    int column;
} damages[] = {
    {"a row is missing", drop_row, CS_DIFFERENCE_ROW_MISSING, -1},
    {"a row is too many", add_row, CS_DIFFERENCE_ROW_TOO_MANY, -1},
    {"a row came twice", repeat_row, CS_DIFFERENCE_ROW_TOO_MANY, -1},
    {"other bytes", change_value, CS_DIFFERENCE_BYTES, 4},
    {"an empty value", shorten, CS_DIFFERENCE_BYTES, 4},
    {"null", set_null, CS_DIFFERENCE_NULL, 4},
};

static void names_each_damage(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * CS_COUNT(damages); i++) {
        size_t which = i / 2;
        struct scene s;

        scene_start(&s, two);
        s.page_rows = i % 2 ? 2 : 1000;
        scene_go(&s);
        make_whole(&s, 4);
        damages[which].damage(&s);
        answer(&s);
        if (!s.f.job.mismatch || s.finding_count != 1 ||
            s.findings[0].kind != damages[which].kind ||
            s.findings[0].column != damages[which].column)
            fail_msg("%s: %zu findings, the first of kind %d",
                     damages[which].what, s.finding_count, s.findings[0].kind);
        assert_true(s.findings[0].has_row);
        assert_int_equal(s.f.job.partitions, 0);
        scene_end(&s);
    }
}

static void tells_what_was_expected_and_found(void **state)
{
    char before[32];
    struct scene s;

    (void)state;
    scene_start(&s, two);
    s.page_rows = 2;
    scene_go(&s);
    make_whole(&s, 4);
    put_hex(before, sizeof(before), cell_of(&s, 2, 4));
    change_value(&s);
    answer(&s);
    assert_string_equal(s.findings[0].expected, before);
    assert_string_not_equal(s.findings[0].found, before);
    assert_int_equal(s.findings[0].node, 6); /* of the second page */
    assert_int_equal(s.f.job.rows, 3);       /* up to the one that differs */
    scene_end(&s);
}

static void finds_a_value_where_null_was_written(void **state)
{
    struct scene s;
    uint8_t *cells;

    (void)state;
    scene_start(&s, two);
    s.f.settings.insert.row_population =
        (struct cs_ratio_spec){.dist = cs_dist_fixed(0), .divisor = 1};
    scene_go(&s);
    make_whole(&s, 4);
    cells = realloc(s.rows[2].cells, s.rows[2].size + 8);
    s.rows[2].cells = cells;
    cs_store32(cells + s.rows[2].size - 4, 8);
    cs_store64(cells + s.rows[2].size, 77);
    s.rows[2].size += 8;
    answer(&s);
    assert_int_equal(s.finding_count, 1);
    assert_int_equal(s.findings[0].kind, CS_DIFFERENCE_VALUE);
    assert_string_equal(s.findings[0].expected, "null");
    assert_string_equal(s.findings[0].found, "000000000000004d");
    scene_end(&s);
}

static void misses_all_rows_of_an_empty_answer(void **state)
{
    struct scene s;
    size_t rows;

    (void)state;
    scene_start(&s, two);
    scene_go(&s);
    make_whole(&s, 4);
    rows = s.row_count;
    clear_rows(&s);
    answer(&s);
    assert_true(s.f.job.mismatch);
    assert_int_equal(s.finding_count, rows);
    assert_int_equal(s.f.job.partitions, 0);
    scene_end(&s);
}

static void counts_columns_before_it_compares(void **state)
{
    struct cs_rows rows = {.row_count = 1, .column_count = 3};
    struct cs_outcome outcome = {.rows = 1};
    struct scene s;

    (void)state;
    scene_start(&s, two);
    scene_go(&s);
    make_whole(&s, 4);
    s.f.job.op.on_rows(&s.f.job.op, &rows);
    s.f.job.op.on_rows(&s.f.job.op, &rows);
    cs_job_judge(&s.f.job, &outcome);
    assert_true(s.f.job.mismatch);
    assert_int_equal(s.finding_count, 1);
    assert_int_equal(s.findings[0].kind, CS_DIFFERENCE_COLUMN_COUNT);
    assert_false(s.findings[0].has_row);
    scene_end(&s);
}

/* A page came, the next did not: the same rows come again. */
static void tells_a_finding_once_over_all_attempts(void **state)
{
    struct scene s;

    (void)state;
    scene_start(&s, two);
    s.page_rows = 3;
    scene_go(&s);
    make_whole(&s, 4);
    change_value(&s);
    answer_page(&s, 0, 3);
    assert_int_equal(s.finding_count, 1);
    s.f.job.op.attempt = 1;
    answer(&s);
    assert_true(s.f.job.mismatch);
    assert_int_equal(s.finding_count, 1);
    scene_end(&s);
}

static void passes_when_only_the_last_attempt_is_whole(void **state)
{
    struct cs_outcome failed = {.result = CS_RESULT_READ_TIMEOUT};
    struct scene s;

    (void)state;
    scene_start(&s, two);
    s.page_rows = 3;
    scene_go(&s);
    make_whole(&s, 4);
    answer_page(&s, 0, 3);
    s.f.job.op.attempt = 1;
    answer(&s);
    assert_false(s.f.job.mismatch);
    assert_int_equal(s.finding_count, 0);
    cs_job_finish(&s.f.job);
    make_whole(&s, 4);
    answer_page(&s, 0, 3);
    cs_job_judge(&s.f.job, &failed);
    assert_false(s.f.job.mismatch); /* it failed, for another reason */
    assert_int_equal(s.f.job.rows, 0);
    scene_end(&s);
}

/* Three clustering columns: a visit writes the first few rows of many. */
static void takes_what_one_visit_wrote_and_nothing_between(void **state)
{
    static const struct {
        size_t rows; /* that are there */
        enum cs_difference_kind kind;
        size_t findings;
    } cases[] = {
        {18, CS_DIFFERENCE_ROW_MISSING, 0}, {3, CS_DIFFERENCE_ROW_MISSING, 0},
        {2, CS_DIFFERENCE_ROW_MISSING, 16}, {4, CS_DIFFERENCE_ROW_MISSING, 14},
        {17, CS_DIFFERENCE_ROW_MISSING, 1},
    };
    struct scene s;

    (void)state;
    scene_start(&s, three);
    s.f.settings.population.order = CS_ORDER_SORTED;
    s.written = CS_ORDER_SORTED;
    scene_go(&s);
    for (size_t i = 0; i < 2 * CS_COUNT(cases); i++) {
        size_t which = i % CS_COUNT(cases);

        make_whole(&s, 18);
        while (s.row_count > cases[which].rows)
            free(s.rows[--s.row_count].cells);
        answer(&s);
        if (s.finding_count != cases[which].findings ||
            (s.finding_count && s.findings[0].kind != cases[which].kind))
            fail_msg("%zu rows: %zu findings, the first of kind %d",
                     cases[which].rows, s.finding_count, s.findings[0].kind);
        cs_job_finish(&s.f.job);
    }
    scene_end(&s);
}

/* ---- static columns ---- */

static const struct test_column with_static[] = {
    {"k", "int", 'p', 0, 0, 0},
    {"c", "int", 'c', 0, 0, "fixed(4)"},
    {"s", "int", 'v', 0, 0, 0},
    {"v", "int", 'v', 0, 0, 0},
    {0}};

/* The value that one of the partition's rows wrote is in all of them. */
static void takes_the_static_value_of_any_row(void **state)
{
    struct scene s;

    (void)state;
    scene_start(&s, with_static);
    s.t.columns[2].kind = CS_COLUMN_STATIC;
    scene_go(&s);
    make_whole(&s, 4);
    for (size_t i = 0; i < s.row_count; i++)
        memcpy(cell_of(&s, i, 2), cell_of(&s, 3, 2), 8);
    answer(&s);
    assert_false(s.f.job.mismatch);
    cs_job_finish(&s.f.job);
    make_whole(&s, 4);
    for (size_t i = 0; i < s.row_count; i++)
        cs_store32(cell_of(&s, i, 2) + 4, 12345);
    answer(&s);
    assert_true(s.f.job.mismatch);
    assert_int_equal(s.finding_count, 1); /* not once per row */
    assert_int_equal(s.findings[0].column, 2);
    assert_false(s.findings[0].has_row);
    scene_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sends_the_statements_of_the_original),
        cmocka_unit_test(accepts_what_the_server_has),
        cmocka_unit_test(draws_every_depth_alike),
        cmocka_unit_test(names_each_damage),
        cmocka_unit_test(tells_what_was_expected_and_found),
        cmocka_unit_test(finds_a_value_where_null_was_written),
        cmocka_unit_test(misses_all_rows_of_an_empty_answer),
        cmocka_unit_test(counts_columns_before_it_compares),
        cmocka_unit_test(tells_a_finding_once_over_all_attempts),
        cmocka_unit_test(passes_when_only_the_last_attempt_is_whole),
        cmocka_unit_test(takes_what_one_visit_wrote_and_nothing_between),
        cmocka_unit_test(takes_the_static_value_of_any_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
