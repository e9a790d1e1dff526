/* test_parts.c - operations of several requests: batches beyond what the
 * protocol can count, and conditions that need the row first. */
#include "job_fixture.h"

static const struct cs_statement update = {.cql = "UPDATE"};

/* ---- batches ---- */

static void splits_a_batch_at_what_its_count_can_say(void **state)
{
    static const struct {
        int64_t rows;
        uint32_t want[4]; /* rows of each request */
    } rows[] = {
        {65535, {65535}},
        {65536, {65535, 1}},
        {70000, {65535, 4465}},
        {140000, {65535, 65535, 8930}},
    };
    static const int columns[] = {2, 3, 0, 1, -1};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_outcome outcome = {.result = CS_RESULT_OK};
        struct cs_kind *kind;
        struct job_fixture f;
        size_t bytes = 0;
        int parts = 0;

        fixture_init(&f, rows[i].rows);
        f.w.rules[0].has_population = true;
        f.w.rules[0].population = cs_dist_uniform(1, 100000000000);
        f.w.columns[1].type = &(const struct cs_type){.kind = CS_TYPE_BIGINT};
        kind = fixture_add(&f, CS_KIND_INSERT, columns);
        kind->statement = &update;
        kind->writes = true;
        kind->key_start = 2;
        kind->batch_type = CS_BATCH_UNLOGGED;
        fixture_start(&f, -1);
        assert_int_equal(cs_job_make(&f.job, 0), CS_MAKE_READY);
        do {
            assert_int_equal(f.job.op.row_count, rows[i].want[parts]);
            assert_int_equal(f.job.op.batch_type, CS_BATCH_UNLOGGED);
            assert_ptr_equal(f.job.op.statement, &update);
            bytes += f.job.op.values.size;
            parts++;
        } while (cs_job_go_on(&f.job));
        assert_true(parts == 4 || rows[i].want[parts] == 0);
        cs_job_judge(&f.job, &outcome);
        assert_int_equal(f.job.rows, rows[i].rows);
        assert_int_equal(f.job.partitions, 1);
        /* Four cells per row: sizes, int, bigint, int, text of 4 to 8. */
        assert_in_range(bytes, (size_t)rows[i].rows * (16 + 16 + 4),
                        (size_t)rows[i].rows * (16 + 16 + 8));
        cs_job_finish(&f.job);
        fixture_release(&f);
    }
}

/* Every row is in exactly one request, in order. */
static void parts_hold_all_rows_in_order(void **state)
{
    static const int columns[] = {2, 3, 0, 1, -1};
    struct cs_generator_config config;
    struct cs_generator *gen = NULL;
    struct cs_kind *kind;
    struct cs_err err = {0};
    struct job_fixture f;
    struct cs_seed seed = {.position = 1};
    struct cs_buf want, got;

    (void)state;
    fixture_init(&f, 66000);
    f.w.columns[1].type = &(const struct cs_type){.kind = CS_TYPE_BIGINT};
    kind = fixture_add(&f, CS_KIND_INSERT, columns);
    kind->statement = &update;
    kind->writes = true;
    kind->key_start = 2;
    fixture_start(&f, -1);
    cs_buf_init(&want, CS_REQUEST_MAX);
    cs_buf_init(&got, CS_REQUEST_MAX);
    config = (struct cs_generator_config){.table = &f.w.table,
                                          .rules = f.w.rules,
                                          .rule_count = 1,
                                          .salt_prefix = "seed for stress"};
    assert_int_equal(cs_generator_new(&config, &gen, &err), CS_OK);
    seed.value = cs_seeds_value(f.seeds, 1);
    assert_true(cs_generator_open_write(gen, &seed, 1, 1));
    while (cs_generator_next(gen))
        for (int i = 0; columns[i] >= 0; i++)
            cs_generator_put(gen, (unsigned)columns[i], &want);
    assert_int_equal(cs_job_make(&f.job, 0), CS_MAKE_READY);
    do
        cs_buf_put(&got, f.job.op.values.data, f.job.op.values.size);
    while (cs_job_go_on(&f.job));
    assert_int_equal(got.size, want.size);
    assert_memory_equal(got.data, want.data, want.size);
    cs_job_finish(&f.job);
    cs_generator_free(gen);
    cs_buf_release(&want);
    cs_buf_release(&got);
    fixture_release(&f);
}

/* ---- conditions ---- */

/* UPDATE t SET v = ?, "W" = ? WHERE id = ? AND c = ? IF v = ? AND "W" = ? */
static const int markers[] = {3, 2, 0, 1, 3, 2, -1};

struct conditional {
    struct job_fixture f;
    struct cs_statement select;
    struct cs_condition condition;
    uint16_t from[6];
};

static void conditional_init(struct conditional *c)
{
    struct cs_kind *kind;

    fixture_init(&c->f, 1);
    c->select = (struct cs_statement){.bind_count = 2};
    for (int i = 0; i < 6; i++)
        c->from[i] = i < 4 ? CS_NOT_READ : (uint16_t)(i - 4);
    c->condition = (struct cs_condition){
        .select = &c->select, .column_count = 2, .from = c->from};
    kind = fixture_add(&c->f, CS_KIND_QUERY, markers);
    kind->same_row = true;
    kind->statement = &update;
    kind->condition = &c->condition;
    kind->key_bind_count = 1;
    kind->key_binds[0] = 2;
    fixture_start(&c->f, -1);
}

/* Cell number `index` of the values of a request. */
static const uint8_t *cell(const struct cs_buf *values, int index)
{
    const uint8_t *p = values->data;

    for (; index; index--)
        p += 4 + CS_MAX((int32_t)cs_load32(p), 0);
    return p;
}

static void binds_what_was_read_behind_if(void **state)
{
    static const uint8_t cells[] = {0,  0, 0, 4, 0, 0,   0,
                                    42, 0, 0, 0, 2, 'h', 'i'};
    struct cs_rows rows = {.row_count = 1,
                           .column_count = 2,
                           .cells = cs_reader_of(cells, sizeof(cells))};
    struct conditional c;
    struct cs_job *job = &c.f.job;
    int64_t token;

    (void)state;
    conditional_init(&c);
    assert_int_equal(cs_job_make(job, 0), CS_MAKE_READY);
    assert_ptr_equal(job->op.statement, &c.select);
    assert_int_equal(job->op.values.size, 16); /* id and c */
    assert_true(job->op.has_token);
    token = job->op.token;
    job->op.on_rows(&job->op, &rows);
    job->op.attempt = 3; /* the read was tried again */
    assert_true(cs_job_go_on(job));
    assert_ptr_equal(job->op.statement, &update);
    assert_int_equal(job->op.attempt, 0);
    assert_true(job->op.token == token);
    assert_null(job->op.on_rows);
    assert_memory_equal(cell(&job->op.values, 4), cells, sizeof(cells));
    assert_int_not_equal(cs_load32(cell(&job->op.values, 0) + 4), 42);
    assert_int_equal(cell(&job->op.values, 5) + 6 - job->op.values.data,
                     job->op.values.size);
    assert_false(cs_job_go_on(job));
    fixture_release(&c.f);
}

/* Whatever was read for the operation before. */
static void an_absent_row_gives_nulls(void **state)
{
    static const uint8_t cells[] = {0, 0, 0, 1, 'x', 0, 0, 0, 1, 'y'};
    struct cs_rows rows[] = {
        {.row_count = 1,
         .column_count = 2,
         .cells = cs_reader_of(cells, sizeof(cells))},
        {.column_count = 2},
    };
    struct conditional c;
    struct cs_job *job = &c.f.job;

    (void)state;
    conditional_init(&c);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(cs_job_make(job, 0), CS_MAKE_READY);
        job->op.on_rows(&job->op, &rows[round]);
        assert_true(cs_job_go_on(job));
        assert_int_equal(cs_load32(cell(&job->op.values, 4)),
                         round ? UINT32_MAX : 1);
        assert_int_equal(cs_load32(cell(&job->op.values, 5)),
                         round ? UINT32_MAX : 1);
        assert_int_equal(cs_load32(cell(&job->op.values, 0)), 4);
        cs_job_finish(job);
    }
    fixture_release(&c.f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_a_batch_at_what_its_count_can_say),
        cmocka_unit_test(parts_hold_all_rows_in_order),
        cmocka_unit_test(binds_what_was_read_behind_if),
        cmocka_unit_test(an_absent_row_gives_nulls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
