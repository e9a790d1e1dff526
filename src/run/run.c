/* run.c - starts the loops, collects their intervals, decides when it ends. */
#include "run/run.h"
#include "base/clock.h"
#include "operation/token_range.h"
#include "run/fan_out.h"
#include "run/worker.h"
#include "workload/old.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* A loop's time to finish its pass before it is asked again. */
#define COLLECT_RETRY_NS (CS_NS_PER_MS / 2)

struct run {
    const struct cs_workload *workload;
    struct cs_driver *driver;
    struct cs_signals *signals;
    struct cs_notices *notices;
    const struct cs_run_plan *plan;
    const struct cs_run_watch *watch;
    struct cs_run_shared shared;
    struct cs_budget budget;
    struct cs_token_ranges *ranges;
    struct cs_seeds *seeds;
    unsigned worker_count;
    struct cs_worker **workers;
    struct cs_recorder **recorders;
    struct cs_results *results;
    int64_t start_ns;
    int64_t stopped_ns;        /* when it was ended; 0: it ran out of work */
    struct cs_load_start load; /* of the process when the run began */
    char first_failure[CS_ERR_TEXT];
};

static const struct cs_settings *settings_of(const struct run *run)
{
    return run->workload->settings;
}

/* ---- building ---- */

static enum cs_code new_arrays(struct run *run, struct cs_err *err)
{
    unsigned asked = (unsigned)CS_MAX(settings_of(run)->loops.loops, 1);

    run->worker_count = CS_MIN(asked, (unsigned)run->plan->threads);
    run->workers = calloc(run->worker_count, sizeof(struct cs_worker *));
    run->recorders = calloc(run->worker_count, sizeof(struct cs_recorder *));
    if (!run->workers || !run->recorders)
        return cs_fail(err, CS_ENOMEM, "run: out of memory");
    run->shared.ended_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (run->shared.ended_fd < 0)
        return cs_fail_sys(err, "eventfd");
    return cs_messages_new(settings_of(run)->compat.original_figures,
                           &run->shared.messages, err);
}

static bool limited(const struct run *run)
{
    return run->plan->fixed_per_s > 0 || run->plan->throttle_per_s > 0;
}

static enum cs_code new_worker(struct run *run, unsigned index,
                               struct cs_err *err)
{
    const struct cs_driver_ops *db = run->workload->db;
    struct cs_session *session = NULL;
    struct cs_maker *maker = NULL;
    unsigned slots =
        cs_slots_of((unsigned)run->plan->threads, run->worker_count, index);
    unsigned in_flight = slots * cs_old_in_flight(&settings_of(run)->old);
    enum cs_code rc = CS_OK;

    if (run->plan->measured)
        rc = cs_recorder_new(run->workload->kind_count, limited(run),
                             &run->recorders[index], err);
    if (!rc)
        rc = cs_maker_new(run->workload, run->seeds, &run->budget,
                          run->plan->only_kind, &maker, err);
    if (!rc)
        rc = db->session_new(run->driver, (int)in_flight, &session, err);
    if (rc) {
        cs_maker_free(maker);
        return rc;
    }
    return cs_worker_new(&run->shared, slots, maker, session,
                         run->recorders[index], &run->workers[index], err);
}

static enum cs_code build(struct run *run, struct cs_err *err)
{
    enum cs_code rc = new_arrays(run, err);

    cs_budget_init(&run->budget, run->plan->count);
    if (!rc)
        rc = cs_seeds_new(settings_of(run), &run->seeds, err);
    if (!rc)
        rc = cs_token_ranges_new(run->workload, run->driver,
                                 !run->plan->measured, &run->ranges, err);
    run->budget.ranges = run->ranges;
    for (unsigned i = 0; i < run->worker_count && !rc; i++)
        rc = new_worker(run, i, err);
    return rc;
}

/* The first moment of the run: connections stand, nothing is sent yet. */
static enum cs_code set_clock(struct run *run, struct cs_err *err)
{
    const struct cs_settings *s = settings_of(run);
    struct cs_run_setup setup = {
        .kind_names = run->workload->kind_names,
        .kind_count = run->workload->kind_count,
        .limited = limited(run),
        .fixed = run->plan->fixed_per_s > 0,
        .original_figures = s->compat.original_figures,
        .interval_ns = s->log.interval_ms * CS_NS_PER_MS,
        .threads = run->plan->threads,
    };
    enum cs_code rc = CS_OK;

    cs_load_start_read(&run->load);
    run->start_ns = cs_now_ns();
    setup.start_ns = run->start_ns;
    setup.wall_start_ns = cs_wall_ns();
    /* The old tools counted their intervals from the start of the run. */
    if (s->old.on)
        setup.wall_start_ns -= setup.wall_start_ns % CS_NS_PER_S;
    /* `strict`: a throttle that was late catches up in a burst, which is the
     * schedule of `fixed`. */
    if (s->compat.strict)
        cs_schedule_init(&run->shared.schedule,
                         run->plan->fixed_per_s + run->plan->throttle_per_s, 0,
                         run->start_ns, setup.interval_ns);
    else
        cs_schedule_init(&run->shared.schedule, run->plan->fixed_per_s,
                         run->plan->throttle_per_s, run->start_ns,
                         setup.interval_ns);
    /* Several clients at once must not send in step: each has its own seed. */
    if (s->rate.poisson)
        cs_schedule_draw_gaps(&run->shared.schedule,
                              (uint64_t)run->start_ns ^ (uint64_t)getpid());
    if (run->plan->measured)
        rc = cs_results_new(&setup, run->recorders, run->worker_count,
                            &run->results, err);
    if (!rc && run->plan->measured && run->watch->started)
        rc = run->watch->started(run->watch->ctx, run->results, err);
    return rc;
}

static enum cs_code start_workers(struct run *run, struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    for (unsigned i = 0; i < run->worker_count && !rc; i++)
        rc = cs_worker_start(run->workers[i],
                             settings_of(run)->loops.pin ? (int)i : -1, err);
    return rc;
}

/* ---- while it goes on ---- */

static void stop(struct run *run, enum cs_stop why)
{
    run->stopped_ns = run->stopped_ns ? run->stopped_ns : cs_now_ns();
    cs_run_raise_stop(&run->shared, why);
    for (unsigned i = 0; i < run->worker_count; i++)
        if (run->workers[i])
            cs_worker_wake(run->workers[i]);
}

static void join_workers(struct run *run)
{
    for (unsigned i = 0; i < run->worker_count; i++)
        if (run->workers[i])
            cs_worker_join(run->workers[i]);
}

static void pass_on(void *ctx, enum cs_message_kind kind, const char *text)
{
    struct run *run = ctx;

    if (kind == CS_MESSAGE_FAILURE && !run->first_failure[0])
        snprintf(run->first_failure, sizeof(run->first_failure), "%s", text);
    if (run->watch->message)
        run->watch->message(run->watch->ctx, kind, text);
}

static bool target_reached(const struct run *run)
{
    const struct cs_run_plan *plan = run->plan;
    uint64_t count = cs_results_measurements(run->results);

    if (plan->target_uncertainty < 0)
        return false;
    return count >= plan->max_measurements ||
           (count >= plan->min_measurements &&
            cs_results_stderr(run->results) < plan->target_uncertainty);
}

/* The server's warnings so far; what is new is told. */
static uint64_t tell_warnings(struct run *run)
{
    uint64_t count = 0;

    for (unsigned i = 0; i < run->worker_count; i++)
        count += cs_notices_tell_warnings(run->notices, run->workload->db,
                                          cs_worker_session(run->workers[i]),
                                          pass_on, run);
    return count;
}

static void close_interval(struct run *run)
{
    struct timespec retry = {.tv_nsec = COLLECT_RETRY_NS};

    while (!cs_results_collect(run->results)) {
        if (!atomic_load(&run->shared.alive))
            return;
        for (unsigned i = 0; i < run->worker_count; i++)
            cs_worker_wake(run->workers[i]);
        nanosleep(&retry, NULL);
    }
    tell_warnings(run);
    if (run->watch->interval)
        run->watch->interval(run->watch->ctx, run->results);
    if (target_reached(run))
        stop(run, CS_STOP_DONE);
}

static int64_t next_deadline(const struct run *run)
{
    int64_t at_ns = cs_now_ns() + CS_NS_PER_S;

    if (run->results)
        at_ns = CS_MIN(at_ns, cs_results_next_end(run->results));
    if (run->plan->duration_ns && !atomic_load(&run->shared.stop))
        at_ns = CS_MIN(at_ns, run->start_ns + run->plan->duration_ns);
    return at_ns;
}

static void wait_until(struct run *run, int64_t at_ns)
{
    const struct cs_driver_ops *db = run->workload->db;
    int64_t left_ns = CS_MAX(at_ns - cs_now_ns(), 0);
    struct timespec wait = {.tv_sec = left_ns / CS_NS_PER_S,
                            .tv_nsec = left_ns % CS_NS_PER_S};
    struct pollfd fds[] = {
        {.fd = run->signals->taken ? -1 : run->signals->fd, .events = POLLIN},
        {.fd = cs_messages_fd(run->shared.messages), .events = POLLIN},
        {.fd = run->shared.ended_fd, .events = POLLIN},
        /* Once it ends, nothing is asked any more. */
        {.fd = run->signals->taken ? -1 : db->event_fd(run->driver),
         .events = POLLIN},
    };
    uint64_t count;

    if (ppoll(fds, CS_COUNT(fds), &wait, NULL) <= 0)
        return;
    if (fds[2].revents && read(run->shared.ended_fd, &count, sizeof(count)) < 0)
        return;
    if (fds[0].revents && cs_signals_take(run->signals))
        stop(run, CS_STOP_SIGNAL);
    if (fds[3].revents) {
        db->handle_events(run->driver);
        cs_notices_tell_news(run->notices, db, run->driver, pass_on, run);
    }
}

static void watch_workers(struct run *run)
{
    bool woken = false;

    if (run->signals->taken)
        stop(run, CS_STOP_SIGNAL);
    while (atomic_load(&run->shared.alive)) {
        int64_t now_ns;

        wait_until(run, next_deadline(run));
        now_ns = cs_now_ns();
        cs_messages_drain(run->shared.messages, now_ns, false, pass_on, run);
        if (run->results && now_ns >= cs_results_next_end(run->results))
            close_interval(run);
        if (run->plan->duration_ns &&
            now_ns >= run->start_ns + run->plan->duration_ns)
            stop(run, CS_STOP_DONE);
        /* One loop failed: the others are to see it at once. */
        if (!woken && atomic_load(&run->shared.stop) >= CS_STOP_FAILED) {
            stop(run, CS_STOP_FAILED);
            woken = true;
        }
    }
}

/* ---- its end ---- */

static void add_counts(const struct run *run, unsigned index,
                       struct cs_extra *extra)
{
    struct cs_session_counts counts;

    run->workload->db->counts(cs_worker_session(run->workers[index]), &counts);
    extra->late_answers += counts.late_answers;
    extra->queued += counts.queued;
    extra->tablets += counts.tablets_told;
    cs_client_load_rooms(&extra->client, counts.queued, counts.queued_ns);
}

static int64_t sum_up(struct run *run, struct cs_run_outcome *out)
{
    struct cs_extra *extra =
        run->results ? cs_results_extra(run->results) : NULL;
    int64_t end_ns = run->start_ns;

    for (unsigned i = 0; i < run->worker_count; i++) {
        struct cs_worker_summary *s = cs_worker_summary(run->workers[i]);

        end_ns = CS_MAX(end_ns, s->end_ns);
        out->operations += s->operations;
        if (s->err.code && !out->reason[0])
            snprintf(out->reason, sizeof(out->reason), "%s", s->err.text);
        if (!extra)
            continue;
        cs_extra_add(extra, &s->extra);
        add_counts(run, i, extra);
        extra->abandoned += s->abandoned;
        extra->started += s->started;
        extra->unfinished += s->unfinished;
        cs_client_load_add(&extra->client, &s->load);
    }
    if (!extra)
        return end_ns;
    cs_failures_name(extra);
    extra->not_begun = cs_budget_bound(
        &run->budget, cs_schedule_backlog(&run->shared.schedule,
                                          run->stopped_ns - CS_NS_PER_MS));
    if (!settings_of(run)->old.on) /* the old tools have no such options */
        cs_client_load_name_options(&extra->client);
    cs_client_load_finish(&extra->client, end_ns - run->start_ns, &run->load);
    return end_ns;
}

/* The first line of the first failure, without the exception's name. */
static void set_reason(const struct run *run, struct cs_run_outcome *out)
{
    const char *from = strstr(run->first_failure, "Operation x");
    size_t size;

    if (!from)
        from = run->first_failure;
    size = strcspn(from, "\n");
    if (out->signal)
        snprintf(out->reason, sizeof(out->reason), "interrupted");
    else if (out->failed && size)
        snprintf(out->reason, sizeof(out->reason), "%.*s", (int)size, from);
}

static void finish(struct run *run, struct cs_run_outcome *out)
{
    uint64_t warnings;
    int64_t end_ns;

    join_workers(run);
    cs_messages_drain(run->shared.messages, cs_now_ns(), true, pass_on, run);
    end_ns = sum_up(run, out);
    warnings = tell_warnings(run);
    if (run->results) {
        cs_results_extra(run->results)->warnings = warnings;
        cs_fan_outs_add(run->workload, run->driver,
                        cs_results_extra(run->results));
    }
    out->failed = atomic_load(&run->shared.stop) == CS_STOP_FAILED;
    out->signal = run->signals->taken;
    set_reason(run, out);
    for (unsigned i = 0; i < run->worker_count; i++)
        cs_shares_add(&out->shares, run->workload->db,
                      cs_worker_session(run->workers[i]));
    if (!run->results)
        return;
    if (cs_results_collect_last(run->results, end_ns) && run->watch->interval)
        run->watch->interval(run->watch->ctx, run->results);
    out->results = run->results;
    run->results = NULL;
}

static void release(struct run *run)
{
    for (unsigned i = 0; run->workers && i < run->worker_count; i++)
        cs_worker_free(run->workers[i]);
    cs_results_free(run->results);
    for (unsigned i = 0; run->recorders && i < run->worker_count; i++)
        cs_recorder_free(run->recorders[i]);
    cs_messages_free(run->shared.messages);
    cs_seeds_free(run->seeds);
    cs_token_ranges_free(run->ranges);
    if (run->shared.ended_fd >= 0)
        close(run->shared.ended_fd);
    free(run->workers);
    free(run->recorders);
}

enum cs_code cs_run(const struct cs_workload *workload,
                    struct cs_driver *driver, struct cs_signals *signals,
                    struct cs_notices *notices, const struct cs_run_plan *plan,
                    const struct cs_run_watch *watch,
                    struct cs_run_outcome *out, struct cs_err *err)
{
    struct run run = {.workload = workload,
                      .driver = driver,
                      .signals = signals,
                      .notices = notices,
                      .plan = plan,
                      .watch = watch,
                      .shared = {.settings = workload->settings,
                                 .db = workload->db,
                                 .differences = plan->differences,
                                 .failures = plan->failures,
                                 .ended_fd = -1}};
    enum cs_code rc;

    *out = (struct cs_run_outcome){0};
    rc = build(&run, err);
    if (!rc)
        rc = set_clock(&run, err);
    if (!rc)
        rc = start_workers(&run, err);
    if (!rc) {
        watch_workers(&run);
        finish(&run, out);
    } else if (run.workers) {
        stop(&run, CS_STOP_SIGNAL);
        join_workers(&run);
    }
    release(&run);
    return rc;
}

void cs_run_outcome_release(struct cs_run_outcome *outcome)
{
    cs_results_free(outcome->results);
    cs_shares_release(&outcome->shares);
    *outcome = (struct cs_run_outcome){0};
}
