/* stress.c - read, write, mixed, counter_read, counter_write and user: the
 * order of events, one line each. */
#include "base/clock.h"
#include "commands/session_internal.h"

#include <stdlib.h>

static void release(struct cs_stress *stress)
{
    cs_workload_free(stress->workload);
    if (stress->driver)
        stress->db->close(stress->driver);
    cs_signals_close(&stress->signals);
    cs_notices_release(&stress->notices);
    cs_report_close(stress->report);
    cs_line_file_free(stress->differences);
    cs_line_file_free(stress->failures);
    cs_stress_free_profiles(stress);
}

static void show_dump(struct cs_stress *stress)
{
    struct cs_buf text;

    if (stress->settings->log.no_settings)
        return;
    cs_buf_init(&text, CS_COMMAND_TEXT_MAX);
    cs_stress_put_dump(stress, &text);
    cs_report_text(stress->report, (const char *)text.data, text.size);
    cs_buf_release(&text);
}

/* A signal ended a wait for the servers, so no run has told of it. */
static void tell_interrupted(struct cs_stress *stress, struct cs_err *err)
{
    err->sys_errno = cs_signals_take(&stress->signals);
    cs_report_incomplete(stress->report, "interrupted");
}

/* Everything that measures; the graph is made whatever comes of it. */
static enum cs_code work(struct cs_stress *stress, struct cs_err *err)
{
    const struct cs_settings *s = stress->settings;
    enum cs_code rc;

    if (s->compat.strict) {
        cs_report_line(stress->report, "Sleeping 2s...");
        cs_signals_sleep(&stress->signals, 2 * CS_NS_PER_S);
    }
    rc = cs_stress_warm_up(stress, err);
    if (!rc && (s->command.truncate == CS_TRUNCATE_ONCE ||
                (s->command.truncate == CS_TRUNCATE_ALWAYS && !s->rate.ramp)))
        rc = cs_stress_truncate(stress, err);
    if (!rc)
        rc = cs_stress_run(stress, err);
    if (rc == CS_EINTERRUPTED && !err->sys_errno)
        tell_interrupted(stress, err);
    if (!rc)
        cs_report_line(stress->report, "END");
    else if (stress->failed)
        cs_report_line(stress->report, "FAILURE");
    return rc;
}

static enum cs_code make_graph(struct cs_stress *stress, enum cs_code so_far,
                               struct cs_err *err)
{
    struct cs_err graph_err = {0};
    enum cs_code rc = CS_OK;

    /* Interrupted, the original makes none. */
    if (so_far != CS_EINTERRUPTED || !stress->settings->compat.original_figures)
        rc = cs_report_graph(stress->report, &graph_err);
    if (!rc)
        rc = cs_report_check(stress->report, &graph_err);
    if (so_far)
        return so_far;
    if (rc)
        *err = graph_err;
    return rc;
}

static void tell_nothing_done(struct cs_stress *stress)
{
    cs_report_line(stress->report, "N=0: SCHEMA CREATED, NOTHING ELSE DONE.");
}

/* Commands that create nothing do not even connect for n=0. */
static bool has_nothing_to_do(const struct cs_settings *s)
{
    return s->command.count == 0 &&
           (s->command.type == CS_COMMAND_READ ||
            s->command.type == CS_COMMAND_COUNTER_READ);
}

/* From the connection to the last word. */
static enum cs_code close_file(struct cs_line_file **file, enum cs_code so_far,
                               struct cs_err *err)
{
    struct cs_err close_err = {0};
    enum cs_code rc = cs_line_file_close(*file, &close_err);

    *file = NULL;
    if (so_far)
        return so_far;
    if (rc)
        *err = close_err;
    return rc;
}

static enum cs_code use_database(struct cs_stress *stress, struct cs_err *err)
{
    enum cs_code rc = cs_stress_connect(stress, err);

    if (!rc)
        rc = cs_stress_probe(stress, err);
    if (!rc)
        rc = cs_stress_prepare(stress, err);
    /* Until here there are no results, and a signal has its usual effect: a
     * server may keep a definition waiting for a minute. */
    if (!rc)
        rc = cs_signals_open(&stress->signals, err);
    if (rc)
        return rc;
    stress->db->interrupt(stress->driver, stress->signals.fd);
    if (stress->settings->command.count == 0) {
        tell_nothing_done(stress);
        return CS_OK;
    }
    rc = work(stress, err);
    rc = make_graph(stress, rc, err);
    rc = close_file(&stress->differences, rc, err);
    return close_file(&stress->failures, rc, err);
}

enum cs_code cs_command_stress(const struct cs_settings *settings,
                               struct cs_err *err)
{
    struct cs_stress stress = {.settings = settings, .signals = {.fd = -1}};
    enum cs_code rc = cs_stress_load_profiles(&stress, err);

    if (!rc)
        rc = cs_report_open(settings, &stress.report, err);
    if (!rc)
        rc = cs_line_file_open("differences", settings->errors.differences,
                               &stress.differences, err);
    if (!rc)
        rc = cs_line_file_open("failures", settings->errors.failures,
                               &stress.failures, err);
    if (!rc)
        show_dump(&stress);
    if (!rc && has_nothing_to_do(settings))
        tell_nothing_done(&stress);
    else if (!rc)
        rc = use_database(&stress, err);
    release(&stress);
    return rc;
}
