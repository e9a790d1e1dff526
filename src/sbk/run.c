/* run.c - starts the crew, closes a window every five seconds, ends the run
 * and sums it up. */
#include "sbk/run.h"
#include "base/clock.h"
#include "sbk/worker_internal.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

/* How long the main thread lets a loop finish its pass before it asks again
 * for a window. */
#define TAKE_RETRY_NS (CS_NS_PER_MS / 2)
/* What is in flight at a timed run's end counts: it is in the table, too. */
#define DRAIN_NS           (5 * CS_NS_PER_S)
#define DRAIN_SIGNALLED_NS (CS_NS_PER_S / 2)
/* Looks at the workers at least so often, for the ramp. */
#define LOOK_NS CS_NS_PER_S

struct run {
    const struct cs_sbk_plan *plan;
    const struct cs_sbk_watch *watch;
    struct cs_sbk_outcome *out;
    struct cs_sbk_shared shared;
    struct cs_sbk_worker *workers;
    struct cs_hand **hands;
    bool *told_began;
    bool *told_ended;
    unsigned count;
    unsigned recorders;
    unsigned most; /* workers alive at a time */
    bool stopping;
    struct cs_sbk_tally window;
    struct cs_sbk_tally total;
    int64_t write_pending, write_pending_bytes; /* of windows so far */
    int64_t read_pending, read_pending_bytes;
    int64_t start_ns;
    int64_t window_start_ns;
    int64_t total_start_ns;
    int64_t deadline_ns;
};

static const struct cs_sbk_options *options_of(const struct run *run)
{
    return run->plan->options;
}

/* ---- building ---- */

static enum cs_code init_worker(struct run *run, unsigned index,
                                struct cs_err *err)
{
    const struct cs_sbk_options *o = options_of(run);
    struct cs_sbk_worker *worker = &run->workers[index];

    worker->shared = &run->shared;
    worker->index = index;
    worker->reads = o->readers > 0;
    worker->budget = o->seconds > 0 || o->forever
                         ? INT64_MAX
                         : cs_crew_share(o->records, run->count, index);
    run->hands[index] = &worker->hand;
    if (!worker->reads)
        return cs_sbk_writer_init(worker, err);
    return o->scan ? cs_sbk_scanner_init(worker, err)
                   : cs_sbk_reader_init(worker, err);
}

/* What all loops count in a window has room in it, and in the total. */
static void bound_tables(struct run *run)
{
    size_t cells = run->plan->cells_max;

    cells = cells ? cells : CS_SBK_CELLS_MAX;
    cs_sbk_latencies_bound(&run->total.valid, cells);
    cs_sbk_latencies_bound(&run->window.valid, cells / 2);
    for (unsigned i = 0; i < run->recorders; i++)
        cs_sbk_recorder_bound(&run->shared.recorders[i],
                              cells / 2 / run->recorders);
}

static enum cs_code init_recorders(struct run *run, unsigned loops,
                                   struct cs_err *err)
{
    const struct cs_sbk_options *o = options_of(run);
    enum cs_code rc =
        cs_sbk_tally_init(&run->window, o->min_latency, o->max_latency, err);

    if (!rc)
        rc =
            cs_sbk_tally_init(&run->total, o->min_latency, o->max_latency, err);
    run->shared.recorders = calloc(loops, sizeof(*run->shared.recorders));
    if (!rc && !run->shared.recorders)
        rc = cs_fail(err, CS_ENOMEM, "%u loops: out of memory", loops);
    for (unsigned i = 0; i < loops && !rc; i++, run->recorders++)
        rc = cs_sbk_recorder_init(&run->shared.recorders[i], o->min_latency,
                                  o->max_latency, err);
    bound_tables(run);
    return rc;
}

static enum cs_code build(struct run *run, struct cs_err *err)
{
    const struct cs_sbk_options *o = options_of(run);
    unsigned loops;
    enum cs_code rc = CS_OK;

    run->count = cs_sbk_workers(o);
    loops = CS_MIN((unsigned)o->loops, run->count);
    run->workers = calloc(run->count, sizeof(*run->workers));
    run->hands = calloc(run->count, sizeof(*run->hands));
    run->told_began = calloc(run->count, sizeof(bool));
    run->told_ended = calloc(run->count, sizeof(bool));
    if (!run->workers || !run->hands || !run->told_began || !run->told_ended)
        return cs_fail(err, CS_ENOMEM, "%u workers: out of memory", run->count);
    run->shared.unit_ns = cs_sbk_unit_ns(o->unit);
    run->shared.per_worker_per_s = cs_sbk_worker_rate(o);
    for (unsigned i = 0; i < run->count && !rc; i++)
        rc = init_worker(run, i, err);
    if (!rc)
        rc = init_recorders(run, loops, err);
    if (!rc)
        rc = cs_crew_new(run->plan->db, run->plan->driver, &cs_sbk_work,
                         &run->shared, run->hands, run->count, loops,
                         o->readers > 0 ? 2 : 1, &run->shared.crew, err);
    return rc;
}

static void release(struct run *run)
{
    cs_crew_free(run->shared.crew);
    for (unsigned i = 0; run->workers && i < run->count; i++) {
        cs_buf_release(&run->workers[i].cql);
        cs_buf_release(&run->workers[i].hand.op.values);
        cs_sbk_reader_release(&run->workers[i]);
        cs_sbk_scanner_release(&run->workers[i]);
    }
    for (unsigned i = 0; i < run->recorders; i++)
        cs_sbk_recorder_release(&run->shared.recorders[i]);
    cs_sbk_tally_release(&run->window);
    cs_sbk_tally_release(&run->total);
    pthread_mutex_destroy(&run->shared.mutex);
    free(run->shared.recorders);
    free(run->workers);
    free(run->hands);
    free(run->told_began);
    free(run->told_ended);
}

static void set_clock(struct run *run)
{
    const struct cs_sbk_options *o = options_of(run);

    run->start_ns = cs_now_ns();
    run->window_start_ns = run->total_start_ns = run->start_ns;
    run->deadline_ns =
        o->seconds > 0 ? run->start_ns + o->seconds * CS_NS_PER_S : INT64_MAX;
    for (unsigned i = 0; i < run->count; i++) {
        run->workers[i].begin_ns = run->start_ns + cs_sbk_ramp_ns(o, i);
        run->workers[i].deadline_ns = run->deadline_ns;
    }
}

/* ---- workers that begin and end ---- */

static unsigned alive(const struct run *run)
{
    unsigned count = 0;

    for (unsigned i = 0; i < run->count; i++)
        count += run->told_began[i] && !run->told_ended[i];
    return count;
}

static void tell_begun(struct run *run, int64_t now_ns)
{
    for (unsigned i = 0; i < run->count; i++) {
        struct cs_sbk_worker *w = &run->workers[i];

        if (run->told_began[i] || run->stopping || w->begin_ns > now_ns ||
            w->begin_ns >= run->deadline_ns)
            continue;
        run->told_began[i] = true;
        run->watch->began(run->watch->ctx, w->reads, i,
                          cs_sbk_worker_amount(options_of(run), i));
    }
    run->most = CS_MAX(run->most, alive(run));
}

/* Those of a step have all begun before the first of them is seen to end. */
static void tell_workers(struct run *run, int64_t now_ns)
{
    tell_begun(run, now_ns);
    for (unsigned i = 0; i < run->count; i++) {
        struct cs_sbk_worker *w = &run->workers[i];

        if (!run->told_began[i] || run->told_ended[i] ||
            !atomic_load(&w->hand.ended))
            continue;
        run->told_ended[i] = true;
        run->watch->ended(run->watch->ctx, w->reads, i, atomic_load(&w->eof));
    }
}

/* ---- windows ---- */

static void take_tallies(struct run *run)
{
    const struct timespec retry = {.tv_nsec = TAKE_RETRY_NS};

    for (unsigned i = 0; i < run->recorders; i++)
        cs_sbk_recorder_ask(&run->shared.recorders[i]);
    cs_crew_wake(run->shared.crew);
    for (unsigned i = 0; i < run->recorders; i++)
        while (!cs_sbk_recorder_take(&run->shared.recorders[i],
                                     cs_crew_loop_ended(run->shared.crew, i),
                                     &run->window)) {
            nanosleep(&retry, NULL);
            cs_crew_wake(run->shared.crew);
        }
}

static void add_pending(struct run *run)
{
    const struct cs_sbk_options *o = options_of(run);
    const struct cs_sbk_tally *w = &run->window;
    bool writes = o->writers > 0;

    if (writes && o->write_requests) {
        run->write_pending += (int64_t)(w->write_requests - w->records);
        run->write_pending_bytes +=
            (int64_t)(w->write_request_bytes - w->bytes);
    }
    if (!writes && o->read_requests) {
        run->read_pending += (int64_t)(w->read_requests - w->records);
        run->read_pending_bytes += (int64_t)(w->read_request_bytes - w->bytes);
    }
}

static void show(struct run *run, const struct cs_sbk_tally *tally, bool total,
                 int64_t start_ns, int64_t now_ns)
{
    const struct cs_sbk_options *o = options_of(run);
    time_t wall = time(NULL);
    struct cs_sbk_figures figures = {
        .total = total,
        .action = cs_sbk_action(o),
        .unit = o->unit,
        .write_pending = run->write_pending,
        .write_pending_bytes = run->write_pending_bytes,
        .read_pending = run->read_pending,
        .read_pending_bytes = run->read_pending_bytes,
    };

    localtime_r(&wall, &figures.when);
    if (o->writers > 0) {
        figures.writers = (int)alive(run);
        figures.max_writers = (int)run->most;
    } else {
        figures.readers = (int)alive(run);
        figures.max_readers = (int)run->most;
    }
    cs_sbk_figures_of(tally, (double)(now_ns - start_ns) / 1e9, o->format,
                      &figures);
    run->watch->window(run->watch->ctx, tally, &figures);
}

static void show_total(struct run *run, int64_t now_ns)
{
    show(run, &run->total, true, run->total_start_ns, now_ns);
    cs_sbk_tally_clear(&run->total);
    run->total_start_ns = now_ns;
}

/* The last window of a run is only shown if it holds something. */
static void close_window(struct run *run, bool last)
{
    int64_t now_ns = cs_now_ns();

    take_tallies(run);
    add_pending(run);
    if (run->window.records || !last)
        show(run, &run->window, false, run->window_start_ns, now_ns);
    /* As SBK: what is full is shown early, and totals start again. */
    if (!cs_sbk_latencies_fit(&run->total.valid, &run->window.valid))
        show_total(run, run->window_start_ns);
    cs_sbk_tally_merge(&run->total, &run->window);
    cs_sbk_tally_clear(&run->window);
    run->window_start_ns = now_ns;
}

/* A window ends with its time, or when a loop has no room for many more
 * latencies. */
static bool is_window_over(const struct run *run, int64_t now_ns)
{
    bool over = now_ns >= run->window_start_ns + run->plan->window_ns;

    for (unsigned i = 0; i < run->recorders && !over; i++)
        over = atomic_load(&run->shared.recorders[i].crowded);
    return over;
}

/* ---- while it goes on ---- */

static void stop(struct run *run, int64_t drain_ns)
{
    run->stopping = true;
    cs_crew_stop(run->shared.crew, drain_ns);
}

static int64_t next_time(const struct run *run, int64_t now_ns)
{
    int64_t at_ns =
        CS_MIN(now_ns + LOOK_NS, run->window_start_ns + run->plan->window_ns);

    if (!run->stopping)
        at_ns = CS_MIN(at_ns, run->deadline_ns);
    for (unsigned i = 0; i < run->count; i++)
        if (!run->told_began[i] && run->workers[i].begin_ns > now_ns)
            return CS_MIN(at_ns, run->workers[i].begin_ns);
    return at_ns;
}

static void wait_until(struct run *run, int64_t at_ns)
{
    const struct cs_driver_ops *db = run->plan->db;
    int64_t left_ns = CS_MAX(at_ns - cs_now_ns(), 0);
    const struct timespec wait = {.tv_sec = left_ns / CS_NS_PER_S,
                                  .tv_nsec = left_ns % CS_NS_PER_S};
    struct pollfd fds[] = {
        {.fd = run->out->signalled ? -1 : run->plan->signal_fd,
         .events = POLLIN},
        {.fd = cs_crew_fd(run->shared.crew), .events = POLLIN},
        {.fd = db->event_fd(run->plan->driver), .events = POLLIN},
    };

    if (ppoll(fds, CS_COUNT(fds), &wait, NULL) <= 0)
        return;
    if (fds[1].revents)
        cs_crew_heard(run->shared.crew);
    if (fds[0].revents) {
        run->out->signalled = true;
        run->watch->signalled(run->watch->ctx);
        stop(run, DRAIN_SIGNALLED_NS);
    }
    if (fds[2].revents && !run->out->signalled) {
        db->handle_events(run->plan->driver);
        run->watch->news(run->watch->ctx);
    }
}

static void watch_crew(struct run *run)
{
    while (cs_crew_alive(run->shared.crew)) {
        int64_t now_ns = cs_now_ns();

        tell_workers(run, now_ns);
        wait_until(run, next_time(run, now_ns));
        now_ns = cs_now_ns();
        if (cs_crew_stopped(run->shared.crew) && !run->stopping)
            stop(run, INT64_MAX / 2 - now_ns); /* a worker failed */
        if (now_ns >= run->deadline_ns && !run->stopping)
            stop(run, DRAIN_NS);
        /* The window in which a run ends is its last one. */
        if (is_window_over(run, now_ns) && !run->stopping &&
            cs_crew_alive(run->shared.crew))
            close_window(run, false);
    }
    tell_workers(run, cs_now_ns());
}

static void tell_misses(struct run *run)
{
    for (unsigned i = 0; i < run->count; i++) {
        const struct cs_sbk_worker *w = &run->workers[i];

        if (w->reads && (w->misses || w->errors))
            run->watch->missed(run->watch->ctx, i, w->misses, w->errors);
    }
}

static void finish(struct run *run)
{
    close_window(run, true);
    tell_misses(run);
    show_total(run, run->window_start_ns);
    if (run->watch->summed)
        run->watch->summed(run->watch->ctx, cs_crew_sum(run->shared.crew));
    run->out->failure = run->shared.failure;
}

enum cs_code cs_sbk_run(const struct cs_sbk_plan *plan,
                        const struct cs_sbk_watch *watch,
                        struct cs_sbk_outcome *out, struct cs_err *err)
{
    struct run run = {
        .plan = plan, .watch = watch, .out = out, .shared = {.plan = plan}};
    enum cs_code rc;

    pthread_mutex_init(&run.shared.mutex, NULL);
    *out = (struct cs_sbk_outcome){0};
    rc = build(&run, err);
    if (!rc) {
        set_clock(&run);
        rc = cs_crew_start(run.shared.crew, err);
    }
    if (!rc) {
        watch_crew(&run);
        rc = cs_crew_join(run.shared.crew, err);
        finish(&run);
    }
    release(&run);
    return rc;
}

enum cs_code cs_sbk_run_nothing(const struct cs_sbk_plan *plan,
                                const struct cs_sbk_watch *watch,
                                struct cs_err *err)
{
    struct run run = {.plan = plan, .watch = watch};
    const struct cs_sbk_options *o = plan->options;
    enum cs_code rc =
        cs_sbk_tally_init(&run.total, o->min_latency, o->max_latency, err);

    if (!rc)
        show(&run, &run.total, true, 0, 0);
    cs_sbk_tally_release(&run.total);
    return rc;
}
