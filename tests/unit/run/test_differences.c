/* test_differences.c - what reads find on its way out: the file, the messages
 * and the counters. */
#include "operation/difference.h"
#include "run/run.h"
#include "support/fake_driver.h"
#include "support/folder.h"
#include "support/vectors.h"

#include <jansson.h>

#define READS 30

static struct scene {
    struct cs_settings settings;
    struct cs_driver driver;
    struct cs_signals signals;
    struct cs_notices notices;
    struct cs_workload *workload;
    struct cs_run_outcome outcome;
    int told;   /* lines about differences */
    int failed; /* lines about operations */
    char last[1000];
} scene;

static void on_message(void *ctx, enum cs_message_kind kind, const char *text)
{
    (void)ctx;
    scene.failed += kind != CS_MESSAGE_NOTE;
    if (kind != CS_MESSAGE_NOTE || strncmp(text, "difference (", 12) != 0)
        return;
    scene.told++;
    snprintf(scene.last, sizeof(scene.last), "%s", text);
}

static void set_up(enum cs_command command)
{
    static const char *names[] = {"C0", "C1"};
    struct cs_settings *s = &scene.settings;
    struct cs_err err = {0};

    memset(&scene, 0, sizeof(scene));
    memset(&fake, 0, sizeof(fake));
    s->command.type = command;
    s->command.key_size = 10;
    s->command.clustering = cs_dist_fixed(1);
    s->command.add = cs_dist_fixed(1);
    s->command.cl = CS_CL_QUORUM;
    s->population.sequence = true;
    s->population.seq_start = 1;
    s->population.seq_end = 1000;
    s->insert.visits = cs_dist_fixed(1);
    s->insert.revisit = cs_dist_uniform(1, 1000000);
    s->insert.row_population = cs_ratio_whole();
    s->columns.names = names;
    s->columns.count = 2;
    s->columns.size = cs_dist_fixed(5);
    s->errors.tries = 1;
    s->errors.ignore = true;
    s->log.level = CS_LOG_NORMAL;
    s->schema.keyspace = "ks";
    s->mode.prepared = true;
    s->log.interval_ms = 1000;
    s->loops.loops = 1;
    cs_arena_init(&scene.driver.arena);
    scene.driver.event_fd = eventfd(0, EFD_CLOEXEC);
    assert_int_equal(cs_signals_open(&scene.signals, &err), CS_OK);
    if (cs_workload_new(s, &fake_driver_ops, &scene.driver, NULL, 0,
                        &scene.workload, NULL, &err))
        fail_msg("%s", err.text);
}

static void run_it(struct cs_line_file *differences)
{
    struct cs_run_watch watch = {.message = on_message};
    struct cs_run_plan plan = {.threads = 1,
                               .count = READS,
                               .target_uncertainty = -1,
                               .only_kind = -1,
                               .measured = true,
                               .differences = differences};
    struct cs_err err = {0};

    if (cs_run(scene.workload, &scene.driver, &scene.signals, &scene.notices,
               &plan, &watch, &scene.outcome, &err))
        fail_msg("%s", err.text);
}

static void tear_down(void)
{
    cs_run_outcome_release(&scene.outcome);
    cs_workload_free(scene.workload);
    cs_signals_close(&scene.signals);
    cs_arena_release(&scene.driver.arena);
    close(scene.driver.event_fd);
}

static const struct cs_extra *extra(void)
{
    return cs_results_extra(scene.outcome.results);
}

/* Each answer is a row of these cells, from node 3. */
static struct answer {
    uint32_t rows;
    uint32_t columns;
    size_t size;
    uint8_t cells[32];
} wrong;

static bool answer_wrongly(struct cs_operation *op, struct cs_outcome *outcome)
{
    struct cs_rows rows = {.row_count = wrong.rows,
                           .column_count = wrong.columns,
                           .cells = cs_reader_of(wrong.cells, wrong.size),
                           .node = 3};

    outcome->rows = wrong.rows;
    outcome->node = 3;
    if (op->on_rows)
        op->on_rows(op, &rows);
    return true;
}

/* What a read says of each answer; the generated cells are of 5 bytes. */
static const struct {
    const char *what;
    struct answer answer;
    uint64_t counted[CS_DIFFERENCE_KINDS]; /* per read */
} answers[] = {
    {"no row", {0, 2, 0, {0}}, {[CS_DIFFERENCE_ROW_MISSING] = 1}},
    {"two rows", {2, 2, 0, {0}}, {[CS_DIFFERENCE_ROW_TOO_MANY] = 1}},
    {"one column", {1, 1, 4, {0}}, {[CS_DIFFERENCE_COLUMN_COUNT] = 1}},
    {"nulls",
     {1, 2, 8, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}},
     {[CS_DIFFERENCE_NULL] = 2}},
    {"null and another value",
     {1, 2, 9, {0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1, 'x'}},
     {[CS_DIFFERENCE_NULL] = 1, [CS_DIFFERENCE_BYTES] = 1}},
    {"with its key, as -col slice",
     {1, 3, 13, {0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1, 'x'}},
     {[CS_DIFFERENCE_NULL] = 1, [CS_DIFFERENCE_BYTES] = 1}},
};

static void counts_what_each_read_finds(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(answers); i++) {
        set_up(CS_COMMAND_READ);
        wrong = answers[i].answer;
        fake.answer = answer_wrongly;
        run_it(NULL);
        assert_int_equal(extra()->validation_errors, READS);
        for (int k = 0; k < CS_DIFFERENCE_KINDS; k++)
            if (extra()->differences[k] != READS * answers[i].counted[k])
                fail_msg("%s: %d of %s", answers[i].what,
                         (int)extra()->differences[k],
                         cs_difference_kind_name((enum cs_difference_kind)k));
        tear_down();
    }
}

static void finds_a_value_where_null_was_written(void **state)
{
    (void)state;
    set_up(CS_COMMAND_READ);
    scene.settings.insert.row_population =
        (struct cs_ratio_spec){.dist = cs_dist_fixed(0), .divisor = 1};
    wrong = (struct answer){1, 2, 9, {0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1, 'x'}};
    fake.answer = answer_wrongly;
    run_it(NULL);
    assert_int_equal(extra()->differences[CS_DIFFERENCE_VALUE], READS);
    assert_int_equal(extra()->differences[CS_DIFFERENCE_NULL], 0);
    tear_down();
}

static void says_where_and_tells_ten_in_a_second(void **state)
{
    (void)state;
    set_up(CS_COMMAND_READ);
    wrong = answers[0].answer;
    fake.answer = answer_wrongly;
    run_it(NULL);
    assert_in_range(scene.told, 10, 20); /* a second may begin in between */
    assert_non_null(strstr(scene.last, " in ks.standard1, partition key = 0x"));
    assert_non_null(strstr(scene.last, "; READ at QUORUM, coordinator "
                                       "node3:9042, replicas node1:9042, "
                                       "node2:9042"));
    tear_down();
}

static void is_silent_where_nobody_wants_to_hear(void **state)
{
    (void)state;
    set_up(CS_COMMAND_READ);
    scene.settings.log.level = CS_LOG_MINIMAL;
    wrong = answers[0].answer;
    fake.answer = answer_wrongly;
    run_it(NULL);
    assert_int_equal(scene.told + scene.failed, 0);
    assert_int_equal(extra()->differences[CS_DIFFERENCE_ROW_MISSING], READS);
    tear_down();
}

static void a_counter_that_is_absent_is_a_missing_row(void **state)
{
    (void)state;
    set_up(CS_COMMAND_COUNTER_READ);
    wrong = answers[0].answer;
    fake.answer = answer_wrongly;
    run_it(NULL);
    assert_int_equal(extra()->differences[CS_DIFFERENCE_ROW_MISSING], READS);
    tear_down();
}

/* ---- the file ---- */

static void the_file_has_every_difference(void **state)
{
    struct cs_line_file *differences;
    struct folder folder;
    struct cs_err err;
    char *path, *text, *line;
    int lines = 0;

    (void)state;
    folder_open(&folder);
    path = strdup(folder_file(&folder, "d.jsonl"));
    folder_write(path, "what was there before\n");
    assert_int_equal(cs_line_file_open("differences", path, &differences, &err),
                     CS_OK);
    set_up(CS_COMMAND_READ);
    wrong = answers[4].answer;
    fake.answer = answer_wrongly;
    run_it(differences);
    assert_int_equal(cs_line_file_close(differences, &err), CS_OK);
    text = folder_read(path);
    for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++) {
        json_t *found = json_loads(line, 0, NULL);

        assert_non_null(found);
        assert_string_equal(
            json_string_value(json_object_get(found, "coordinator")),
            "node3:9042");
        json_decref(found);
    }
    assert_int_equal(lines, 2 * READS);
    free(text);
    free(path);
    tear_down();
    folder_remove(&folder);
}

static void a_file_that_cannot_be_opened_is_named(void **state)
{
    struct cs_line_file *differences;
    struct cs_err err;

    (void)state;
    assert_int_not_equal(
        cs_line_file_open("differences", "/nosuch/d", &differences, &err),
        CS_OK);
    assert_non_null(strstr(err.text, "-errors differences=/nosuch/d"));
    assert_null(differences);
}

static void a_full_disk_is_told_at_the_end(void **state)
{
    struct cs_line_file *differences;
    struct cs_buf line;
    struct cs_err err;

    (void)state;
    cs_buf_init(&line, 100);
    cs_buf_puts(&line, "{}\n");
    assert_int_equal(
        cs_line_file_open("differences", "/dev/full", &differences, &err),
        CS_OK);
    cs_line_file_add(differences, &line);
    cs_line_file_add(differences, &line);
    assert_int_not_equal(cs_line_file_close(differences, &err), CS_OK);
    assert_non_null(strstr(err.text, "2 differences could not be written"));
    assert_non_null(strstr(err.text, "No space left"));
    cs_buf_release(&line);
}

static void no_file_takes_everything(void **state)
{
    struct cs_line_file *differences;
    struct cs_buf line;
    struct cs_err err;

    (void)state;
    cs_buf_init(&line, 100);
    assert_int_equal(cs_line_file_open("differences", NULL, &differences, &err),
                     CS_OK);
    assert_null(differences);
    cs_line_file_add(differences, &line);
    assert_int_equal(cs_line_file_close(differences, &err), CS_OK);
    cs_line_file_free(differences);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_what_each_read_finds),
        cmocka_unit_test(finds_a_value_where_null_was_written),
        cmocka_unit_test(says_where_and_tells_ten_in_a_second),
        cmocka_unit_test(is_silent_where_nobody_wants_to_hear),
        cmocka_unit_test(a_counter_that_is_absent_is_a_missing_row),
        cmocka_unit_test(the_file_has_every_difference),
        cmocka_unit_test(a_file_that_cannot_be_opened_is_named),
        cmocka_unit_test(a_full_disk_is_told_at_the_end),
        cmocka_unit_test(no_file_takes_everything),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
