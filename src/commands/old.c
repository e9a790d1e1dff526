/* old.c - stress and stress.py: schema, run, rows. */
#include "report/old.h"
#include "base/clock.h"
#include "client/client.h"
#include "commands/commands.h"
#include "report/extra.h"
#include "run/run.h"
#include "workload/setup.h"

#include <stdio.h>

struct old_stress {
    const struct cs_settings *settings;
    const struct cs_driver_ops *db;
    struct cs_driver *driver;
    struct cs_workload *workload;
    struct cs_old_report *report;
    struct cs_signals signals;
    struct cs_notices notices;
};

static void release(struct old_stress *stress)
{
    cs_workload_free(stress->workload);
    if (stress->driver)
        stress->db->close(stress->driver);
    cs_signals_close(&stress->signals);
    cs_notices_release(&stress->notices);
    cs_old_report_close(stress->report);
}

/* What ends the run stands among the rows, as ever. */
static void pass_message(void *ctx, enum cs_message_kind kind, const char *text)
{
    struct old_stress *stress = ctx;

    if (kind == CS_MESSAGE_FAILURE)
        cs_old_report_line(stress->report, text);
    else
        fprintf(stderr, "%s\n", text);
}

static enum cs_code start_report(void *ctx, struct cs_results *results,
                                 struct cs_err *err)
{
    struct old_stress *stress = ctx;

    (void)results;
    (void)err;
    cs_old_report_start(stress->report);
    return CS_OK;
}

static void pass_interval(void *ctx, struct cs_results *results)
{
    struct old_stress *stress = ctx;

    cs_old_report_row(stress->report, results);
}

static enum cs_code connect_to(struct old_stress *stress, struct cs_err *err)
{
    enum cs_code rc;

    stress->db = &cs_cassandra_driver;
    rc = stress->db->connect(stress->settings, &stress->driver, err);
    if (!rc)
        cs_notices_tell_news(&stress->notices, stress->db, stress->driver,
                             pass_message, stress);
    return rc;
}

/* The pause is the old tools': a second for each node that was named. */
static enum cs_code make_schema(struct old_stress *stress, struct cs_err *err)
{
    const struct cs_settings *s = stress->settings;
    bool existed = false;
    int64_t waited_ns = 0;
    enum cs_code rc;

    if (s->old.operation != CS_OLD_INSERT &&
        s->old.operation != CS_OLD_COUNTER_ADD)
        return CS_OK;
    rc = cs_setup_old(s, stress->db, stress->driver, &existed, &waited_ns, err);
    if (rc)
        return rc;
    if (existed) {
        fprintf(stderr,
                "Unable to create stress keyspace: Keyspace %s already "
                "exists\n",
                s->schema.keyspace);
        return CS_OK;
    }
    printf("Created keyspaces.%s Sleeping %zus for propagation.\n",
           s->old.python ? " " : "", s->node.count);
    fflush(stdout);
    if (cs_signals_sleep(&stress->signals,
                         (int64_t)s->node.count * CS_NS_PER_S))
        return cs_fail(err, CS_EINTERRUPTED, "interrupted");
    return CS_OK;
}

static enum cs_code prepare(struct old_stress *stress, struct cs_err *err)
{
    struct cs_buf warnings;
    enum cs_code rc;

    cs_buf_init(&warnings, (size_t)1 << 20);
    rc = cs_workload_new(stress->settings, stress->db, stress->driver, NULL, 0,
                         &stress->workload, &warnings, err);
    if (warnings.size)
        fprintf(stderr, "%s", cs_buf_text(&warnings));
    cs_buf_release(&warnings);
    return rc;
}

static enum cs_code result_of(struct old_stress *stress,
                              const struct cs_run_outcome *outcome,
                              struct cs_err *err)
{
    if (outcome->signal) {
        cs_fail(err, CS_EINTERRUPTED, "interrupted");
        err->sys_errno = outcome->signal;
        return CS_EINTERRUPTED;
    }
    if (outcome->failed)
        return cs_fail(err, CS_EFAILED, "%s", outcome->reason);
    return cs_old_report_check(stress->report, err);
}

/* On standard error: what reads the rows is not to stumble. */
static void tell_extra(const struct old_stress *stress,
                       const struct cs_run_outcome *outcome)
{
    struct cs_buf text;

    cs_buf_init(&text, (size_t)1 << 20);
    cs_put_extra_lines(&text, stress->settings, outcome->results,
                       outcome->shares.list, outcome->shares.count);
    fputs(cs_buf_text(&text), stderr);
    cs_buf_release(&text);
}

static enum cs_code run(struct old_stress *stress, struct cs_err *err)
{
    const struct cs_settings *s = stress->settings;
    struct cs_run_plan plan = {.threads = s->rate.threads,
                               .count = s->command.count,
                               .throttle_per_s = s->rate.throttle_per_s,
                               .target_uncertainty = -1,
                               .only_kind = -1,
                               .measured = true};
    struct cs_run_watch watch = {.ctx = stress,
                                 .started = start_report,
                                 .interval = pass_interval,
                                 .message = pass_message};
    struct cs_run_outcome outcome;
    enum cs_code rc = cs_run(stress->workload, stress->driver, &stress->signals,
                             &stress->notices, &plan, &watch, &outcome, err);

    if (rc)
        return rc;
    cs_old_report_end(stress->report, outcome.results,
                      outcome.failed || outcome.signal);
    tell_extra(stress, &outcome);
    rc = result_of(stress, &outcome, err);
    cs_run_outcome_release(&outcome);
    return rc;
}

enum cs_code cs_command_old(const struct cs_settings *settings,
                            struct cs_err *err)
{
    struct old_stress stress = {.settings = settings, .signals = {.fd = -1}};
    enum cs_code rc = cs_old_report_open(settings, &stress.report, err);

    if (!rc)
        rc = connect_to(&stress, err);
    if (!rc)
        rc = make_schema(&stress, err);
    if (!rc)
        rc = prepare(&stress, err);
    if (!rc)
        rc = cs_signals_open(&stress.signals, err);
    if (!rc) {
        stress.db->interrupt(stress.driver, stress.signals.fd);
        rc = run(&stress, err);
    }
    release(&stress);
    return rc;
}
