/* run_fixture.h - a whole run against a database in memory. */
#ifndef CS_TESTS_RUN_FIXTURE_H
#define CS_TESTS_RUN_FIXTURE_H

#include "run/run.h"
#include "support/fake_driver.h"
#include "support/vectors.h"

static struct scene {
    struct cs_settings settings;
    struct cs_driver driver;
    struct cs_signals signals;
    struct cs_notices notices;
    struct cs_workload *workload;
    struct cs_run_plan plan;
    struct cs_run_outcome outcome;
    char failure[1000];
    int failures;
    int intervals;
} scene;

static inline void on_interval(void *ctx, struct cs_results *results)
{
    (void)ctx;
    assert_non_null(results);
    scene.intervals++;
}

static inline void on_message(void *ctx, enum cs_message_kind kind,
                              const char *text)
{
    (void)ctx;
    if (kind != CS_MESSAGE_FAILURE)
        return;
    scene.failures++;
    snprintf(scene.failure, sizeof(scene.failure), "%s", text);
}

static inline void set_up_on(const struct cs_driver_ops *db,
                             enum cs_command command, int threads,
                             int64_t count)
{
    static const char *names[] = {"C0", "C1"};
    struct cs_settings *s = &scene.settings;
    struct cs_err err = {0};

    memset(&scene, 0, sizeof(scene));
    memset(&fake, 0, sizeof(fake));
    s->command.type = command;
    s->command.count = count;
    s->command.key_size = 10;
    s->command.clustering = cs_dist_fixed(1);
    s->command.add = cs_dist_fixed(1);
    s->command.cl = CS_CL_ONE;
    s->population.sequence = true;
    s->population.seq_start = 1;
    s->population.seq_end = 1000000;
    s->population.wrap = true;
    s->insert.visits = cs_dist_fixed(1);
    s->insert.revisit = cs_dist_uniform(1, 1000000);
    s->insert.row_population = cs_ratio_whole();
    s->columns.names = names;
    s->columns.count = 2;
    s->columns.size = cs_dist_fixed(34);
    s->errors.tries = 10;
    s->schema.keyspace = "ks";
    s->mode.prepared = true;
    s->log.interval_ms = 1000;
    s->loops.loops = 1;
    cs_arena_init(&scene.driver.arena);
    scene.driver.event_fd = eventfd(0, EFD_CLOEXEC);
    assert_int_equal(cs_signals_open(&scene.signals, &err), CS_OK);
    if (cs_workload_new(s, db, &scene.driver, NULL, 0, &scene.workload, NULL,
                        &err))
        fail_msg("%s", err.text);
    scene.plan = (struct cs_run_plan){.threads = threads,
                                      .count = count,
                                      .target_uncertainty = -1,
                                      .only_kind = -1,
                                      .measured = true};
}

static inline void set_up(enum cs_command command, int threads, int64_t count)
{
    set_up_on(&fake_driver_ops, command, threads, count);
}

static inline void run_it(void)
{
    struct cs_run_watch watch = {.interval = on_interval,
                                 .message = on_message};
    struct cs_err err = {0};

    if (cs_run(scene.workload, &scene.driver, &scene.signals, &scene.notices,
               &scene.plan, &watch, &scene.outcome, &err))
        fail_msg("%s", err.text);
}

static inline void tear_down(void)
{
    cs_run_outcome_release(&scene.outcome);
    cs_workload_free(scene.workload);
    cs_signals_close(&scene.signals);
    cs_arena_release(&scene.driver.arena);
    close(scene.driver.event_fd);
}

#endif
