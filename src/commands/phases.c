/* phases.c - the warm-up, the measured run, or a run per thread count. */
#include "base/clock.h"
#include "base/text.h"
#include "commands/session_internal.h"

#include <math.h>
#include <stdio.h>

/* Iterations and threads of a warm-up, as in the original. */
#define WARMUP_ITERATIONS 50000
#define WARMUP_THREADS    100
/* At most this part of duration= goes into the warm-up of all kinds. */
#define WARMUP_SHARE 4
/* Between two steps of a ramp that writes. */
#define STEP_PAUSE_NS (15 * CS_NS_PER_S)
/* Most steps of a ramp: 1 to 2^31 in steps of a half. */
#define STEPS_MAX 80

/* ---- what is told while a run goes on ---- */

/* The original asks the servers for their pauses by JMX; scripts look for this
 * line of those (many) runs in which it cannot. */
static void tell_jmx(struct cs_stress *stress)
{
    if (stress->settings->mode.mysql)
        return;
    if (stress->jmx_told && !stress->settings->compat.original_figures)
        return;
    stress->jmx_told = true;
    fflush(stdout);
    fputs("Failed to connect over JMX; not collecting these stats\n", stderr);
    if (stress->settings->log.level == CS_LOG_VERBOSE)
        fputs("notice: JMX speaks Java RMI, which is not spoken here: the gc "
              "columns stay 0\n",
              stderr);
}

static enum cs_code interrupted(const struct cs_stress *stress,
                                struct cs_err *err)
{
    cs_fail(err, CS_EINTERRUPTED, "interrupted");
    err->sys_errno = stress->signals.taken;
    return CS_EINTERRUPTED;
}

/* ---- warm-up ---- */

static int64_t warm_up_iterations(const struct cs_settings *s)
{
    int64_t iterations = WARMUP_ITERATIONS;

    if (s->command.count > 0)
        iterations = CS_MIN(iterations, s->command.count / 4);
    return iterations * (int64_t)CS_MAX(s->node.count, (size_t)1);
}

/* A read that finds other data than it expects: mostly another writer. */
static enum cs_code fail_run(const struct cs_stress *stress, const char *what,
                             const char *reason, struct cs_err *err)
{
    bool other_data = stress->settings->command.type != CS_COMMAND_USER &&
                      strstr(reason, "Data returned was not validated");

    return cs_fail(err, CS_EFAILED, "%s: %s%s", what, reason,
                   other_data ? "; the rows must have been written with the "
                                "same keysize=, -col and data dialect (-compat "
                                "data=: 3.11 and 4.0 write different keys)"
                              : "");
}

static enum cs_code warm_up_kind(struct cs_stress *stress, unsigned kind,
                                 int64_t iterations, struct cs_err *err)
{
    const struct cs_settings *s = stress->settings;
    int threads = s->rate.ramp ? s->rate.max_threads : s->rate.threads;
    struct cs_run_plan plan = {
        .threads = CS_MIN(threads, WARMUP_THREADS),
        .count = iterations,
        .duration_ns = cs_settings_duration_ns(s) / WARMUP_SHARE /
                       stress->workload->kind_count,
        .fixed_per_s = s->compat.strict ? 0 : s->rate.fixed_per_s,
        .throttle_per_s = s->compat.strict ? 0 : s->rate.throttle_per_s,
        .target_uncertainty = -1,
        .only_kind = (int)kind,
        .differences = stress->differences,
    };
    struct cs_run_watch watch = {.ctx = stress, .message = cs_stress_message};
    struct cs_run_outcome outcome;
    enum cs_code rc;

    cs_report_line(stress->report, "Warming up %s with %lld iterations...",
                   stress->workload->kinds[kind].name, (long long)iterations);
    cs_stress_tell_connection(stress);
    if (stress->workload->kinds[kind].type == CS_KIND_INSERT)
        cs_stress_tell_inserts(stress);
    tell_jmx(stress);
    rc = cs_run(stress->workload, stress->driver, &stress->signals,
                &stress->notices, &plan, &watch, &outcome, err);
    if (rc)
        return rc;
    if (outcome.failed || outcome.signal) {
        cs_report_incomplete(stress->report, outcome.reason);
        /* The original's warm-up ends without a last word. */
        stress->failed = outcome.failed && !s->compat.original_figures;
        rc = outcome.signal ? interrupted(stress, err)
                            : fail_run(stress, "Failed to execute warmup",
                                       outcome.reason, err);
    }
    cs_run_outcome_release(&outcome);
    return rc;
}

enum cs_code cs_stress_warm_up(struct cs_stress *stress, struct cs_err *err)
{
    const struct cs_workload *w = stress->workload;
    int64_t iterations = warm_up_iterations(stress->settings);
    enum cs_code rc = CS_OK;

    if (stress->settings->command.no_warmup || iterations <= 0)
        return CS_OK;
    for (unsigned i = 0; i < w->kind_count && !rc; i++)
        rc = warm_up_kind(stress, w->typed_order[i], iterations, err);
    return rc;
}

/* ---- one measured run ---- */

static void put_extent(struct cs_buf *buf, const struct cs_settings *s)
{
    static const char *const units[] = {"seconds", "minutes", "hours", "days"};

    if (s->command.duration)
        cs_buf_printf(buf, "%lld %s", (long long)s->command.duration,
                      units[s->command.duration_unit]);
    else if (s->command.count >= 0)
        cs_buf_printf(buf, "for %lld iteration", (long long)s->command.count);
    else {
        cs_buf_puts(buf, "until stderr of mean < ");
        cs_put_java_double(buf, s->command.target_uncertainty);
    }
}

static void show_running(struct cs_stress *stress, int threads)
{
    struct cs_buf line;

    cs_buf_init(&line, CS_COMMAND_TEXT_MAX);
    cs_buf_puts(&line, "Running ");
    cs_workload_describe(&line, stress->workload);
    cs_buf_printf(&line, " with %d threads ", threads);
    put_extent(&line, stress->settings);
    cs_report_line(stress->report, "%s", cs_buf_text(&line));
    cs_buf_release(&line);
}

static struct cs_run_plan plan_of(const struct cs_settings *s, int threads)
{
    return (struct cs_run_plan){
        .threads = threads,
        .count = s->command.count,
        .duration_ns = cs_settings_duration_ns(s),
        .fixed_per_s = s->rate.fixed_per_s,
        .throttle_per_s = s->rate.throttle_per_s,
        .target_uncertainty = s->command.count < 0 && !s->command.duration
                                  ? s->command.target_uncertainty
                                  : -1,
        .min_measurements = (uint64_t)s->command.min_measurements,
        .max_measurements = (uint64_t)s->command.max_measurements,
        .only_kind = -1,
        .measured = true,
    };
}

/* A table of numbers alone does not say whose they are. */
static void tell_database(struct cs_stress *stress)
{
    const struct cs_cluster_info *info = stress->db->info(stress->driver);

    if (stress->db->language == CS_LANGUAGE_SQL)
        cs_report_line(stress->report, "# measured on %s %s", info->name,
                       info->release_version);
}

struct running {
    struct cs_stress *stress;
    const char *name;
};

static enum cs_code start_report(void *ctx, struct cs_results *results,
                                 struct cs_err *err)
{
    struct running *running = ctx;
    enum cs_code rc = cs_report_run_start(running->stress->report,
                                          running->name, results, err);

    if (!rc)
        cs_stress_tell_inserts(running->stress);
    return rc;
}

static void pass_interval(void *ctx, struct cs_results *results)
{
    struct cs_stress *stress = ((struct running *)ctx)->stress;

    /* The original prints nothing more once it is interrupted. */
    if (stress->settings->compat.original_figures && stress->signals.taken)
        return;
    cs_report_interval(stress->report, results);
}

static void pass_message(void *ctx, enum cs_message_kind kind, const char *text)
{
    cs_stress_message(((struct running *)ctx)->stress, kind, text);
}

/* `strict`: a run that fails lasts as long as one that does not. */
static void sit_out(struct cs_stress *stress, int64_t began_ns)
{
    const struct cs_settings *s = stress->settings;
    int64_t left_ns = began_ns + cs_settings_duration_ns(s) - cs_now_ns();

    if (s->compat.strict && left_ns > 0)
        cs_signals_sleep(&stress->signals, left_ns);
}

/* The run of a thread count; name: of the step in a ramp, or NULL. */
static enum cs_code measure(struct cs_stress *stress, int threads,
                            const char *name, struct cs_err *err)
{
    struct cs_run_plan plan = plan_of(stress->settings, threads);
    struct running running = {.stress = stress, .name = name};
    struct cs_run_watch watch = {.ctx = &running,
                                 .started = start_report,
                                 .interval = pass_interval,
                                 .message = pass_message};
    struct cs_run_outcome outcome;
    int64_t began_ns = cs_now_ns();
    enum cs_code rc;

    plan.differences = stress->differences;
    plan.failures = stress->failures;
    show_running(stress, threads);
    cs_stress_tell_connection(stress);
    tell_jmx(stress);
    rc = cs_run(stress->workload, stress->driver, &stress->signals,
                &stress->notices, &plan, &watch, &outcome, err);
    if (rc)
        return rc;
    tell_database(stress);
    cs_report_run_end(stress->report, outcome.results, outcome.shares.list,
                      outcome.shares.count,
                      outcome.reason[0] ? outcome.reason : NULL);
    stress->failed = outcome.failed;
    if (outcome.failed && !outcome.signal)
        sit_out(stress, began_ns);
    if (outcome.signal)
        rc = interrupted(stress, err);
    else if (outcome.failed)
        rc = fail_run(stress, "Failed to execute stress action", outcome.reason,
                      err);
    cs_run_outcome_release(&outcome);
    return rc;
}

/* ---- the ramp ---- */

static int next_threads(int threads)
{
    return threads < 16 ? threads * 2 : threads + threads / 2;
}

static double mean_of_last(const double *values, int count, int last)
{
    double sum = 0;

    for (int i = count - last; i < count; i++)
        sum += values[i];
    return sum / last;
}

/* As the original has it: saturated when the last three improvements are below
 * zero on average, or the last five below the target uncertainty. */
static bool saturated(const struct cs_settings *s, const double *improvements,
                      int count)
{
    double target = s->command.count < 0 && !s->command.duration
                        ? s->command.target_uncertainty
                        : -1;

    if (!s->rate.automatic)
        return false;
    if (count >= 3 && mean_of_last(improvements, count, 3) < 0)
        return true;
    return count >= 5 && mean_of_last(improvements, count, 5) < target;
}

static enum cs_code pause_between(struct cs_stress *stress, struct cs_err *err)
{
    if (!cs_settings_updates(stress->settings))
        return CS_OK;
    cs_report_line(stress->report, "Sleeping for 15s");
    if (cs_signals_sleep(&stress->signals, STEP_PAUSE_NS))
        return interrupted(stress, err);
    return CS_OK;
}

static enum cs_code ramp_step(struct cs_stress *stress, int threads,
                              struct cs_err *err)
{
    char name[48];
    enum cs_code rc = CS_OK;

    snprintf(name, sizeof(name), "%d threadCount", threads);
    cs_report_line(stress->report, "\nRunning with %s", name);
    if (stress->settings->command.truncate == CS_TRUNCATE_ALWAYS)
        rc = cs_stress_truncate(stress, err);
    return rc ? rc : measure(stress, threads, name, err);
}

static enum cs_code ramp(struct cs_stress *stress, struct cs_err *err)
{
    const struct cs_settings *s = stress->settings;
    double improvements[STEPS_MAX];
    int threads = s->rate.min_threads;
    int steps = 0;
    bool enough = false;
    enum cs_code rc = CS_OK;

    cs_report_line(stress->report, "Thread count was not specified");
    if (s->command.target_uncertainty >= 0)
        cs_report_line(stress->report,
                       "WARNING: uncertainty mode (err<) results in uneven "
                       "workload between thread runs, so should be used for "
                       "high level analysis only");
    while (!rc && !enough && steps < STEPS_MAX) {
        rc = ramp_step(stress, threads, err);
        if (rc)
            break;
        if (steps)
            improvements[steps - 1] = cs_report_improvement(stress->report);
        steps++;
        threads = next_threads(threads);
        if (threads > s->rate.max_threads)
            break;
        enough = saturated(s, improvements, steps - 1);
        /* The original pauses before it looks whether it has seen enough. */
        if (!enough || s->compat.strict)
            rc = pause_between(stress, err);
    }
    if (!rc || !s->compat.original_figures)
        cs_report_comparison(stress->report);
    return rc;
}

enum cs_code cs_stress_run(struct cs_stress *stress, struct cs_err *err)
{
    if (stress->settings->rate.ramp)
        return ramp(stress, err);
    return measure(stress, stress->settings->rate.threads, NULL, err);
}
