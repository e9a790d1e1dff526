/* rows.c - what the inserts of a command would send, as text on standard
 * output, without a server: one operation at a time, no warm-up, one run. */
#include "base/clock.h"
#include "cli/cli.h"
#include "commands/session_internal.h"
#include "offline/database.h"
#include "offline/printer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Operations between two looks at the clock. */
#define CLOCK_EVERY 256

struct rows {
    struct cs_stress *stress;    /* with the profiles */
    struct cs_settings settings; /* those of the command, inserts only */
    struct cs_weighted_name *ops;
    struct cs_profile *copies; /* of the profiles in use, without queries */
    struct cs_profile **used;
    size_t used_count;
    struct cs_driver *driver;
    struct cs_workload *workload;
    struct cs_seeds *seeds;
    struct cs_budget budget;
    struct cs_maker *maker;
    struct cs_job job;
    struct cs_printer *printer;
};

static void release(struct rows *rows)
{
    cs_printer_free(rows->printer);
    if (rows->maker)
        cs_job_release(&rows->job);
    cs_maker_free(rows->maker);
    cs_seeds_free(rows->seeds);
    cs_workload_free(rows->workload);
    if (rows->driver)
        cs_offline_driver.close(rows->driver);
    free(rows->used);
    free(rows->copies);
    free(rows->ops);
}

/* ---- what is left of the command ---- */

/* Reads and queries fall away; they do not take part in the draws. */
static enum cs_code keep_inserts(struct rows *rows, struct cs_err *err)
{
    struct cs_settings_command *command = &rows->settings.command;
    size_t count = 0;

    rows->ops = calloc(command->op_count + 1, sizeof(*rows->ops));
    if (!rows->ops)
        return cs_fail(err, CS_ENOMEM, "rows: out of memory");
    for (size_t i = 0; i < command->op_count; i++)
        if (cs_rows_wants(&rows->settings, command->ops[i].name))
            rows->ops[count++] = command->ops[i];
    command->ops = rows->ops;
    command->op_count = count;
    return CS_OK;
}

/* A name without a profile in front means the first one. */
static bool is_used(const struct rows *rows, size_t profile)
{
    const char *spec = rows->stress->profiles[profile]->spec_name;

    for (size_t i = 0; i < rows->settings.command.op_count; i++) {
        const char *name = rows->ops[i].name;
        const char *dot = strrchr(name, '.');
        size_t size = dot ? (size_t)(dot - name) : 0;

        if (dot ? strlen(spec) == size && !strncmp(spec, name, size)
                : profile == 0)
            return true;
    }
    return false;
}

static enum cs_code keep_profiles(struct rows *rows, struct cs_err *err)
{
    size_t count = rows->stress->profile_count;

    rows->copies = calloc(count + 1, sizeof(*rows->copies));
    rows->used = calloc(count + 1, sizeof(struct cs_profile *));
    if (!rows->copies || !rows->used)
        return cs_fail(err, CS_ENOMEM, "rows: out of memory");
    for (size_t i = 0; i < count; i++) {
        struct cs_profile *copy = &rows->copies[rows->used_count];

        if (!is_used(rows, i))
            continue;
        *copy = *rows->stress->profiles[i];
        copy->query_count = 0;
        copy->token_range_count = 0;
        rows->used[rows->used_count++] = copy;
    }
    return CS_OK;
}

/* What a run would say of its batches, or refuse to do. */
static enum cs_code check_batches(const struct rows *rows, struct cs_err *err)
{
    struct cs_buf line, warnings;
    enum cs_code rc = CS_OK;

    cs_buf_init(&line, CS_COMMAND_TEXT_MAX);
    cs_buf_init(&warnings, CS_COMMAND_TEXT_MAX);
    for (unsigned i = 0; i < rows->used_count && !rc; i++)
        rc = cs_workload_describe_batches(rows->workload, i, &line, &warnings,
                                          err);
    cs_stress_tell(&warnings);
    cs_buf_release(&line);
    cs_buf_release(&warnings);
    return rc;
}

static enum cs_code new_workload(struct rows *rows, struct cs_err *err)
{
    struct cs_buf warnings;
    enum cs_code rc = cs_offline_new(&rows->settings, rows->used,
                                     rows->used_count, &rows->driver, err);

    if (rc)
        return rc;
    cs_buf_init(&warnings, CS_COMMAND_TEXT_MAX);
    rc = cs_workload_new(&rows->settings, &cs_offline_driver, rows->driver,
                         rows->used, rows->used_count, &rows->workload,
                         &warnings, err);
    cs_stress_tell(&warnings);
    cs_buf_release(&warnings);
    return rc ? rc : check_batches(rows, err);
}

/* The profiles are loaded. */
static enum cs_code open_rows(struct rows *rows, struct cs_stress *stress,
                              struct cs_err *err)
{
    enum cs_code rc;

    *rows = (struct rows){.stress = stress, .settings = *stress->settings};
    rows->settings.mode.prepared = true; /* values, not texts */
    /* Only `check` comes here with it, and asks for no row. */
    if (rows->settings.compat.data == CS_DATA_PROBE)
        rows->settings.compat.data = CS_DATA_C4;
    rc = keep_inserts(rows, err);
    if (!rc)
        rc = keep_profiles(rows, err);
    if (!rc)
        rc = new_workload(rows, err);
    if (!rc)
        rc = cs_seeds_new(&rows->settings, &rows->seeds, err);
    cs_budget_init(&rows->budget, rows->settings.command.count);
    if (!rc)
        rc = cs_maker_new(rows->workload, rows->seeds, &rows->budget, -1,
                          &rows->maker, err);
    if (!rc)
        cs_job_init(&rows->job, rows->maker);
    return rc;
}

/* ---- the run ---- */

static enum cs_code refuse_job(enum cs_make made, struct cs_err *err)
{
    if (made == CS_MAKE_FAULT)
        return cs_fail(err, CS_EFAILED,
                       "an operation's request is too large: more bytes than a "
                       "request can hold");
    /* Nothing else is under way that could give a partition back. */
    return cs_fail(err, CS_EFAILED,
                   "no partition offers a row: a clustering column may have "
                   "no values ('cluster')");
}

static bool time_is_over(const struct rows *rows, uint64_t operations,
                         int64_t end_ns)
{
    return rows->settings.command.duration && operations % CLOCK_EVERY == 0 &&
           cs_now_ns() >= end_ns;
}

/* All batches of an operation whose rows do not fit into one. */
static enum cs_code print_operation(struct rows *rows, struct cs_err *err)
{
    enum cs_code rc = cs_printer_put(rows->printer, &rows->job, err);

    while (!rc && cs_job_go_on(&rows->job))
        rc = rows->job.op.values.fault
                 ? refuse_job(CS_MAKE_FAULT, err)
                 : cs_printer_put(rows->printer, &rows->job, err);
    return rc;
}

static enum cs_code print_all(struct rows *rows, struct cs_err *err)
{
    struct cs_signals *signals = &rows->stress->signals;
    int64_t end_ns = cs_now_ns() + cs_settings_duration_ns(&rows->settings);
    enum cs_code rc = CS_OK;

    for (uint64_t i = 0; !rc && !cs_signals_take(signals); i++) {
        enum cs_make made = cs_job_make(&rows->job, 0);

        if (made == CS_MAKE_END || time_is_over(rows, i, end_ns))
            return CS_OK;
        if (made == CS_MAKE_READY)
            rc = print_operation(rows, err);
        else if (made != CS_MAKE_EMPTY)
            rc = refuse_job(made, err);
        cs_job_finish(&rows->job);
    }
    return rc;
}

static enum cs_code print_rows(struct rows *rows, struct cs_err *err)
{
    enum cs_code rc =
        cs_printer_new(rows->workload, STDOUT_FILENO, &rows->printer, err);

    if (!rc)
        rc = cs_signals_open(&rows->stress->signals, err);
    if (!rc)
        rc = print_all(rows, err);
    if (!rc)
        rc = cs_printer_flush(rows->printer, err);
    if (!rc && rows->stress->signals.taken) {
        rc = cs_fail(err, CS_EINTERRUPTED, "interrupted");
        err->sys_errno = rows->stress->signals.taken;
    }
    return rc;
}

enum cs_code cs_stress_try_rows(struct cs_stress *stress, struct cs_err *err)
{
    struct rows rows;
    enum cs_code rc = open_rows(&rows, stress, err);

    release(&rows);
    return rc;
}

enum cs_code cs_command_rows(const struct cs_settings *settings,
                             struct cs_err *err)
{
    struct cs_stress stress = {.settings = settings, .signals = {.fd = -1}};
    struct rows rows = {.stress = &stress};
    enum cs_code rc = cs_stress_load_profiles(&stress, err);

    if (!rc)
        rc = open_rows(&rows, &stress, err);
    if (!rc)
        rc = print_rows(&rows, err);
    release(&rows);
    cs_signals_close(&stress.signals);
    cs_stress_free_profiles(&stress);
    return rc;
}
