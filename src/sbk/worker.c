/* worker.c - what writers and readers have in common: the ramp, the end, the
 * pace, and what a failure does. */
#include "base/clock.h"
#include "sbk/pace.h"
#include "sbk/worker_internal.h"

#include <stdio.h>
#include <string.h>

#define CORE   "com.datastax.oss.driver.api.core."
#define SERVER CORE "servererrors."

/* The others of a run that failed get so long for what they have in flight. */
#define DRAIN_NS (CS_NS_PER_S / 2)

static const char *const classes[CS_RESULT_CLASS_COUNT] = {
    [CS_RESULT_UNAVAILABLE] = SERVER "UnavailableException",
    [CS_RESULT_WRITE_TIMEOUT] = SERVER "WriteTimeoutException",
    [CS_RESULT_READ_TIMEOUT] = SERVER "ReadTimeoutException",
    [CS_RESULT_WRITE_FAILURE] = SERVER "WriteFailureException",
    [CS_RESULT_READ_FAILURE] = SERVER "ReadFailureException",
    [CS_RESULT_OVERLOADED] = SERVER "OverloadedException",
    [CS_RESULT_BOOTSTRAPPING] = SERVER "BootstrappingException",
    [CS_RESULT_INVALID] = SERVER "InvalidQueryException",
    [CS_RESULT_SYNTAX] = SERVER "SyntaxError",
    [CS_RESULT_UNAUTHORIZED] = SERVER "UnauthorizedException",
    [CS_RESULT_FUNCTION_FAILURE] = SERVER "FunctionFailureException",
    [CS_RESULT_CLIENT_TIMEOUT] = CORE "DriverTimeoutException",
    [CS_RESULT_CONNECTION_LOST] = CORE "connection.ClosedConnectionException",
    [CS_RESULT_NO_HOST] = CORE "NoNodeAvailableException",
    [CS_RESULT_PROTOCOL] = SERVER "ProtocolError",
};

const char *cs_sbk_failure_class(enum cs_result_class result)
{
    return classes[result] ? classes[result] : SERVER "ServerError";
}

const char *cs_sbk_server_class(int server_code)
{
    /* native protocol v4, section 9 */
    switch (server_code) {
    case 0x1000:
        return classes[CS_RESULT_UNAVAILABLE];
    case 0x2000:
        return classes[CS_RESULT_SYNTAX];
    case 0x2100:
        return classes[CS_RESULT_UNAUTHORIZED];
    case 0x2200:
        return classes[CS_RESULT_INVALID];
    case 0x2300:
        return SERVER "InvalidConfigurationInQueryException";
    case 0x2400:
        return SERVER "AlreadyExistsException";
    default:
        return SERVER "ServerError";
    }
}

const char *cs_sbk_short_class(const char *java)
{
    const char *dot = strrchr(java, '.');

    return dot ? dot + 1 : java;
}

void cs_sbk_worker_fail(struct cs_sbk_worker *worker,
                        const struct cs_outcome *outcome)
{
    struct cs_sbk_shared *shared = worker->shared;
    struct cs_sbk_failure *failure = &shared->failure;
    struct cs_sbk_tally *tally = cs_sbk_worker_tally(worker);

    worker->errors++;
    if (outcome->result == CS_RESULT_CLIENT_TIMEOUT) {
        tally->read_timeouts += worker->reads;
        tally->write_timeouts += !worker->reads;
    }
    pthread_mutex_lock(&shared->mutex);
    if (!failure->failed) {
        failure->failed = true;
        failure->java = cs_sbk_failure_class(outcome->result);
        snprintf(failure->text, sizeof(failure->text), "%.*s",
                 (int)CS_MIN(outcome->message_size, sizeof(failure->text) - 1),
                 outcome->message);
        if (outcome->result == CS_RESULT_CLIENT_TIMEOUT)
            snprintf(failure->text, sizeof(failure->text),
                     "Query timed out after PT2S");
    }
    pthread_mutex_unlock(&shared->mutex);
    cs_crew_halt(shared->crew, DRAIN_NS);
}

void cs_sbk_worker_record(struct cs_sbk_worker *worker, int64_t start_ns,
                          int64_t end_ns, uint64_t bytes)
{
    worker->count++;
    cs_sbk_tally_add(cs_sbk_worker_tally(worker),
                     (end_ns - start_ns) / worker->shared->unit_ns, bytes);
}

bool cs_sbk_worker_may_go_on(struct cs_sbk_worker *worker, int64_t now_ns,
                             enum cs_hand_step *step)
{
    int64_t due_ns = worker->begin_ns;

    *step = CS_HAND_END;
    if (now_ns >= worker->deadline_ns || worker->count >= worker->budget)
        return false;
    if (due_ns <= now_ns)
        due_ns = cs_sbk_pace(worker->shared->per_worker_per_s, worker->count,
                             worker->begin_ns, now_ns);
    *step = CS_HAND_WAIT;
    worker->hand.wake_ns = CS_MIN(due_ns, worker->deadline_ns);
    return due_ns <= now_ns;
}

/* Requests count when they are sent, if that was asked for. */
static void count_request(struct cs_sbk_worker *worker)
{
    const struct cs_sbk_options *o = cs_sbk_worker_options(worker);
    struct cs_sbk_tally *tally = cs_sbk_worker_tally(worker);

    if (worker->reads && o->read_requests) {
        tally->read_requests++;
        tally->read_request_bytes += (uint64_t)o->size;
    } else if (!worker->reads && o->write_requests) {
        tally->write_requests++;
        tally->write_request_bytes += (uint64_t)o->size;
    }
}

static enum cs_hand_step next(struct cs_hand *hand, int64_t now_ns)
{
    struct cs_sbk_worker *worker = cs_sbk_worker_of(hand);
    enum cs_hand_step step;

    if (!cs_sbk_worker_may_go_on(worker, now_ns, &step))
        return step;
    if (!worker->reads)
        step = cs_sbk_writer_next(worker);
    else if (cs_sbk_worker_options(worker)->scan)
        return cs_sbk_scanner_next(worker, now_ns);
    else
        step = cs_sbk_reader_next(worker);
    if (step == CS_HAND_SEND)
        count_request(worker);
    return step;
}

static void done(struct cs_hand *hand, const struct cs_outcome *outcome)
{
    struct cs_sbk_worker *worker = cs_sbk_worker_of(hand);

    if (CS_UNLIKELY(outcome->result != CS_RESULT_OK))
        cs_sbk_worker_fail(worker, outcome);
    else if (!worker->reads)
        cs_sbk_worker_record(worker, hand->start_ns, outcome->end_ns,
                             (uint64_t)cs_sbk_worker_options(worker)->size);
    else if (cs_sbk_worker_options(worker)->scan)
        cs_sbk_scanner_done(worker, outcome);
    else
        cs_sbk_reader_done(worker, outcome);
}

static void pass(void *ctx, unsigned loop, int64_t now_ns)
{
    struct cs_sbk_shared *shared = ctx;

    (void)now_ns;
    if (cs_sbk_recorder_pass(&shared->recorders[loop]))
        cs_crew_tell(shared->crew);
}

const struct cs_crew_work cs_sbk_work = {
    .next = next, .done = done, .pass = pass};
