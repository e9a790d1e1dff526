/* run_scene.h - a database in memory that knows SBK's statements, and a run
 * against it. */
#ifndef CS_TESTS_RUN_SCENE_H
#define CS_TESTS_RUN_SCENE_H

#include "sbk/run.h"
#include "sbk/worker_internal.h"
#include "support/fake_driver.h"
#include "support/vectors.h"

#include <pthread.h>

#define IDS     25
#define PAGE    10
#define LOG_MAX ((size_t)1 << 20)

/* What the run told, and what the database saw. */
static struct seen {
    struct cs_sbk_figures windows[64];
    unsigned window_count;
    unsigned began, ended, eof;
    int64_t amounts[8];
    int64_t misses, errors;
    _Atomic int inserts, reads;
    struct cs_buf executed;
    pthread_mutex_t lock; /* of last_id: several loops insert */
    uint8_t last_id[16];
    struct cs_sbk_options options;
    int fail_at; /* the n-th insert fails, 0: none */
    int missing; /* the n-th read finds nothing, 0: none */
    size_t cells_max;
    int64_t later_ns; /* answers come so much later each time */
} seen;

static inline enum cs_code execute(struct cs_driver *driver, const char *cql,
                                   enum cs_consistency cl, int64_t *waited_ns,
                                   struct cs_err *err)
{
    (void)driver;
    (void)cl;
    (void)waited_ns;
    (void)err;
    cs_buf_printf(&seen.executed, "%s\n", cql);
    return CS_OK;
}

static inline enum cs_code prepare(struct cs_driver *driver,
                                   const char *keyspace, const char *cql,
                                   const struct cs_statement_options *options,
                                   const struct cs_statement **out,
                                   struct cs_err *err)
{
    struct cs_statement *statement =
        cs_arena_alloc(&driver->arena, sizeof(*statement));

    (void)keyspace;
    (void)err;
    statement->cql = cs_arena_text(&driver->arena, cql);
    statement->options = *options;
    *out = statement;
    return CS_OK;
}

static inline const char *cql_of(const struct cs_operation *op)
{
    return op->statement ? op->statement->cql : op->cql;
}

static inline bool answer_insert(struct cs_operation *op,
                                 struct cs_outcome *outcome)
{
    int number = atomic_fetch_add(&seen.inserts, 1) + 1;

    if (seen.later_ns) {
        nanosleep(&(struct timespec){.tv_nsec = seen.later_ns / 4}, NULL);
        outcome->end_ns += seen.later_ns * number;
    }
    if (op->statement) {
        pthread_mutex_lock(&seen.lock);
        memcpy(seen.last_id, op->values.data + 4, 16);
        pthread_mutex_unlock(&seen.lock);
    }
    if (number == seen.fail_at) {
        outcome->result = CS_RESULT_CLIENT_TIMEOUT;
        outcome->message = "no answer";
        outcome->message_size = 9;
    }
    return true;
}

/* IDS ids in pages of PAGE, only in the first part of the ring. */
static inline bool answer_ids(struct cs_operation *op)
{
    static _Thread_local uint8_t cells[PAGE * 20];
    bool first_part = (int64_t)cs_load64(op->values.data + 4) == INT64_MIN;
    unsigned from = op->page->size ? op->page->data[0] : 0;
    unsigned count = first_part ? CS_MIN(PAGE, IDS - from) : 0;
    struct cs_rows rows = {.row_count = count, .column_count = 1};

    memset(cells, 0, sizeof(cells));
    for (unsigned i = 0; i < count; i++) {
        cs_store32(cells + i * 20, 16);
        cells[i * 20 + 4] = (uint8_t)(from + i);
    }
    rows.cells = cs_reader_of(cells, (size_t)count * 20);
    op->on_rows(op, &rows);
    cs_buf_clear(op->page);
    if (from + count < IDS && first_part)
        cs_buf_put8(op->page, (uint8_t)(from + count));
    return true;
}

static inline bool answer_read(struct cs_operation *op,
                               struct cs_outcome *outcome)
{
    static const uint8_t cells[20 + 4 + 7] = {0, 0, 0, 16, [23] = 7};
    struct cs_rows rows = {.row_count = 1,
                           .column_count = 2,
                           .cells = cs_reader_of(cells, sizeof(cells))};

    (void)outcome;
    if (atomic_fetch_add(&seen.reads, 1) + 1 != seen.missing)
        op->on_rows(op, &rows);
    return true;
}

/* Two pages of three rows: id, data of 5 letters. */
static inline bool answer_scan(struct cs_operation *op)
{
    static _Thread_local uint8_t cells[3 * 29];
    bool last = op->page->size > 0;
    struct cs_rows rows = {.row_count = 3, .column_count = 2};

    for (int i = 0; i < 3; i++) {
        cs_store32(cells + 29 * i, 16);
        cs_store32(cells + 29 * i + 20, 5);
    }
    rows.cells = cs_reader_of(cells, sizeof(cells));
    op->on_rows(op, &rows);
    cs_buf_clear(op->page);
    if (!last)
        cs_buf_put8(op->page, 1);
    return true;
}

static inline bool answer(struct cs_operation *op, struct cs_outcome *outcome)
{
    const char *cql = cql_of(op);

    if (!strncmp(cql, "INSERT", 6))
        return answer_insert(op, outcome);
    if (!strncmp(cql, "SELECT id FROM", 14))
        return answer_ids(op);
    if (!strncmp(cql, "SELECT *", 8))
        return answer_scan(op);
    return answer_read(op, outcome);
}

static inline void on_began(void *ctx, bool reads, unsigned index,
                            int64_t amount)
{
    (void)ctx;
    (void)reads;
    seen.began++;
    seen.amounts[index] = amount;
}

static inline void on_ended(void *ctx, bool reads, unsigned index, bool eof)
{
    (void)ctx;
    (void)reads;
    (void)index;
    seen.ended++;
    seen.eof += eof;
}

static inline void on_nothing(void *ctx)
{
    (void)ctx;
}

static inline void on_missed(void *ctx, unsigned index, int64_t misses,
                             int64_t errors)
{
    (void)ctx;
    (void)index;
    seen.misses += misses;
    seen.errors += errors;
}

static inline void on_window(void *ctx, const struct cs_sbk_tally *tally,
                             const struct cs_sbk_figures *figures)
{
    (void)ctx;
    (void)tally;
    if (seen.window_count < CS_COUNT(seen.windows))
        seen.windows[seen.window_count++] = *figures;
}

static const struct cs_sbk_watch watch = {
    .began = on_began,
    .ended = on_ended,
    .signalled = on_nothing,
    .news = on_nothing,
    .missed = on_missed,
    .window = on_window,
};

static inline struct cs_sbk_outcome run(const char *line)
{
    struct cs_driver driver = {.event_fd = -1};
    struct cs_driver_ops db = fake_driver_ops;
    struct cs_sbk_statements statements;
    struct cs_sbk_plan plan = {.options = &seen.options,
                               .db = &db,
                               .driver = &driver,
                               .statements = &statements,
                               .signal_fd = -1,
                               .window_ns = 5 * CS_NS_PER_S,
                               .cells_max = seen.cells_max};
    struct cs_sbk_outcome outcome;
    struct cs_sbk_refusal refusal;
    struct cs_err err;
    char words[200];
    char *argv[32];
    char *save = NULL;
    int argc = 0;

    snprintf(words, sizeof(words), "-class cassandra -size 100 %s", line);
    for (char *w = strtok_r(words, " ", &save); w;
         w = strtok_r(NULL, " ", &save))
        argv[argc++] = w;
    cs_arena_init(&driver.arena);
    db.execute = execute;
    db.prepare = prepare;
    fake.answer = answer;
    cs_sbk_peek(argc, argv, &seen.options);
    assert_int_equal(cs_sbk_parse(argc, argv, &seen.options, &refusal, &err),
                     CS_OK);
    assert_int_equal(cs_sbk_make_table(&seen.options, &db, &driver, &err),
                     CS_OK);
    assert_int_equal(
        cs_sbk_prepare(&seen.options, &db, &driver, &statements, &err), CS_OK);
    assert_int_equal(cs_sbk_run(&plan, &watch, &outcome, &err), CS_OK);
    cs_arena_release(&driver.arena);
    return outcome;
}

static inline const struct cs_sbk_figures *total(void)
{
    assert_true(seen.window_count > 0);
    assert_true(seen.windows[seen.window_count - 1].total);
    return &seen.windows[seen.window_count - 1];
}

static inline int begin(void **state)
{
    (void)state;
    memset(&seen, 0, sizeof(seen));
    memset(&fake, 0, sizeof(fake));
    pthread_mutex_init(&seen.lock, NULL);
    cs_buf_init(&seen.executed, LOG_MAX);
    return 0;
}

static inline int end(void **state)
{
    (void)state;
    cs_buf_release(&seen.executed);
    pthread_mutex_destroy(&seen.lock);
    return 0;
}

#endif
