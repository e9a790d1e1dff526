/* test_verdict.c - what is said of the client, from figures as measured. */
#include "report/verdict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define MS 1000000

static const struct {
    const char *what;
    struct cs_client_load load;
    int64_t lag_ns;
    int64_t service_ns;
    enum cs_verdict want;
    const char *advice; /* in the line, or NULL: none */
} rows[] = {
    {"an idle loop waits for its servers",
     {.busy = 0.02, .queued = 0, .throttled = -1, .loops = 1, .processors = 2},
     MS / 100,
     5 * MS,
     CS_VERDICT_KEPT_UP,
     NULL},
    {"slow servers are not the client's fault",
     {.busy = 0.01, .queued = 0, .throttled = 0, .loops = 1, .processors = 1},
     MS / 100,
     9000 * (int64_t)MS,
     CS_VERDICT_KEPT_UP,
     NULL},
    {"a full loop is behind, and there are processors left",
     {.busy = 0.99, .queued = 0, .throttled = -1, .loops = 1, .processors = 4},
     MS / 100,
     MS,
     CS_VERDICT_BEHIND,
     "-loops count=2 "},
    {"loops on all processors cannot become more",
     {.busy = 0.99, .queued = 0, .throttled = -1, .loops = 4, .processors = 4},
     MS / 100,
     MS,
     CS_VERDICT_BEHIND,
     "larger machine"},
    {"more loops than processors are not asked for",
     {.busy = 0.97, .queued = 0, .throttled = 0, .loops = 2, .processors = 3},
     MS / 100,
     MS,
     CS_VERDICT_BEHIND,
     "-loops count=3 "},
    {"busy and waiting for a processor add up",
     {.busy = 0.6,
      .queued = 0.38,
      .throttled = -1,
      .loops = 1,
      .processors = 2},
     MS / 100,
     MS,
     CS_VERDICT_BEHIND,
     "processors, of its own"},
    {"a starved client is recognised though it works little",
     {.busy = 0.05,
      .queued = 0.55,
      .throttled = -1,
      .loops = 1,
      .processors = 2},
     MS / 100,
     MS,
     CS_VERDICT_BEHIND,
     "processors, of its own"},
    {"four fifths is near",
     {.busy = 0.81, .queued = 0, .throttled = -1, .loops = 1, .processors = 2},
     MS / 100,
     MS,
     CS_VERDICT_NEAR,
     "-loops count=2 "},
    {"a quota that bites is named",
     {.busy = 0.3, .queued = 0, .throttled = 0.2, .loops = 1, .processors = 2},
     MS / 100,
     MS,
     CS_VERDICT_BEHIND,
     "quota of its container"},
    {"long passes are the client's own part of a latency",
     {.busy = 0.5, .queued = 0.1, .throttled = 0, .loops = 1, .processors = 2},
     MS,
     2 * MS,
     CS_VERDICT_NEAR,
     "fewer requests in flight"},
    {"a server that takes no time does not make the client slow",
     {.busy = 0.5, .queued = 0.1, .throttled = 0, .loops = 1, .processors = 2},
     MS / 100,
     MS / 50,
     CS_VERDICT_KEPT_UP,
     NULL},
    {"requests that wait longer than they take are the client's",
     {.busy = 0.1, .queued = 0.1, .throttled = 0, .loops = 1, .processors = 2},
     3 * MS,
     2 * MS,
     CS_VERDICT_BEHIND,
     "processors of its own"},
    {"what the machine does not tell is no reason",
     {.busy = 0.7, .queued = -1, .throttled = -1, .loops = 1, .processors = 2},
     0,
     MS,
     CS_VERDICT_KEPT_UP,
     NULL},
    {"many short waits for a processor are nothing beside an operation",
     {.busy = 0.18,
      .queued = 0.36,
      .turn_wait_ns = 0.02 * MS,
      .throttled = -1,
      .loops = 1,
      .processors = 2},
     MS / 100,
     MS,
     CS_VERDICT_KEPT_UP,
     NULL},
    {"at a low rate a client starves though it waits for little of its time",
     {.busy = 0.01,
      .queued = 0.03,
      .turn_wait_ns = 1.2 * MS,
      .throttled = -1,
      .loops = 1,
      .processors = 2},
     MS / 100,
     2 * MS,
     CS_VERDICT_BEHIND,
     "processors, of its own"},
    {"a wait for a processor that is a quarter of an operation",
     {.busy = 0.01,
      .queued = 0.03,
      .turn_wait_ns = 0.26 * MS,
      .throttled = -1,
      .loops = 1,
      .processors = 2},
     MS / 100,
     MS,
     CS_VERDICT_NEAR,
     "processors, of its own"},
    {"below a quarter it is the server's time",
     {.busy = 0.01,
      .queued = 0.03,
      .turn_wait_ns = 0.24 * MS,
      .throttled = -1,
      .loops = 1,
      .processors = 2},
     MS / 100,
     MS,
     CS_VERDICT_KEPT_UP,
     NULL},
    {"waits below 0.1 ms are what waking up takes",
     {.busy = 0.01,
      .queued = 0.03,
      .turn_wait_ns = 0.09 * MS,
      .throttled = -1,
      .loops = 1,
      .processors = 2},
     MS / 100,
     MS / 10,
     CS_VERDICT_KEPT_UP,
     NULL},
    {"a loop that worked nearly all the time lacks loops, not a processor",
     {.busy = 0.82,
      .queued = 0.05,
      .turn_wait_ns = 0.3 * MS,
      .throttled = -1,
      .loops = 1,
      .processors = 2},
     MS / 100,
     MS,
     CS_VERDICT_NEAR,
     "-loops count=2 "},
    {"loops that wait for each other are too many",
     {.busy = 0.2,
      .idlest = 0.2,
      .queued = 0.7,
      .turn_wait_ns = 2.0 * MS,
      .throttled = -1,
      .loops = 4,
      .processors = 1},
     MS / 100,
     2 * MS,
     CS_VERDICT_BEHIND,
     "-loops count=1 is one for each of its processors"},
    {"half an operation spent waiting for room on a connection",
     {.busy = 0.1,
      .queued = 0,
      .throttled = -1,
      .room_waits = 9,
      .room_wait_ns = 10 * 3 * MS,
      .loops = 1,
      .processors = 2},
     MS / 100,
     4 * MS,
     CS_VERDICT_BEHIND,
     "raise maxPending="},
    {"a few that waited for room do not matter",
     {.busy = 0.1,
      .queued = 0,
      .throttled = -1,
      .room_waits = 2,
      .room_wait_ns = 4 * MS,
      .loops = 1,
      .processors = 2},
     MS / 100,
     4 * MS,
     CS_VERDICT_KEPT_UP,
     NULL},
    {"a loop that was full half of the time",
     {.busy = 0.55,
      .full = 0.5,
      .queued = 0,
      .throttled = -1,
      .loops = 1,
      .processors = 2},
     MS / 100,
     MS,
     CS_VERDICT_BEHIND,
     "-loops count=2 "},
    {"a loop with full seconds",
     {.busy = 0.15,
      .full = 0.05,
      .queued = 0,
      .throttled = -1,
      .loops = 1,
      .processors = 2},
     MS / 100,
     MS,
     CS_VERDICT_NEAR,
     "-loops count=2 "},
    {"a host that takes a processor away",
     {.busy = 0.5,
      .stolen = 0.4,
      .queued = 0,
      .throttled = -1,
      .loops = 1,
      .processors = 2},
     MS / 100,
     MS,
     CS_VERDICT_NEAR,
     "whose processors are its own"},
    {"a host that takes most of it",
     {.busy = 0.4,
      .stolen = 0.6,
      .queued = 0,
      .throttled = -1,
      .loops = 1,
      .processors = 2},
     MS / 100,
     MS,
     CS_VERDICT_BEHIND,
     "whose processors are its own"},
    {"an idle loop misses little of what its host takes",
     {.busy = 0.02,
      .stolen = 0.5,
      .queued = 0,
      .throttled = -1,
      .loops = 1,
      .processors = 2},
     MS / 100,
     MS,
     CS_VERDICT_KEPT_UP,
     NULL},
    {"too few threads for a rate are no fault, but a word",
     {.busy = 0.02,
      .queued = 0,
      .throttled = -1,
      .late = 1,
      .loops = 1,
      .processors = 2},
     MS / 100,
     10 * MS,
     CS_VERDICT_KEPT_UP,
     "; all threads waited for answers when 1 operations were due, a larger "
     "-rate threads="},
};

/* Ten values, the last two of them slow ones (0: none is). */
static struct cs_histogram *of(int64_t value_ns, int64_t slow_ns)
{
    struct cs_histogram *h;

    assert_int_equal(cs_histogram_new(&h, NULL), CS_OK);
    for (int i = 0; value_ns && i < 10; i++)
        cs_histogram_record(h, slow_ns && i > 7 ? slow_ns : value_ns);
    return h;
}

/* One line; its remedy, if any, is its last part. */
static void check_line(const char *line, const char *advice)
{
    assert_memory_equal(line, "# the client ", 13);
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
    assert_int_equal(strstr(line, "; ") != NULL, advice != NULL);
    if (advice)
        assert_non_null(strstr(line, advice));
}

static void judges_by_measured_figures(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct cs_client_load load = rows[i].load;
        struct cs_histogram *service = of(rows[i].service_ns, 0);
        struct cs_buf text;
        enum cs_verdict verdict;
        enum cs_cause cause;

        print_message("%s\n", rows[i].what);
        load.lag = of(rows[i].lag_ns, 0);
        load.loops_option = "-loops count=";
        load.room_options = "maxPending= or connectionsPerHost=";
        load.threads_option = "-rate threads=";
        cs_buf_init(&text, 4096);
        verdict = cs_verdict_of(&load, service, &cause);
        assert_int_equal(verdict, rows[i].want);
        assert_int_equal(cause == CS_CAUSE_COUNT,
                         verdict == CS_VERDICT_KEPT_UP);
        cs_verdict_put(&text, &load, service);
        check_line(cs_buf_text(&text), rows[i].advice);
        assert_int_equal(strstr(cs_buf_text(&text), "for a processor") != NULL,
                         load.queued >= 0);
        cs_buf_release(&text);
        cs_histogram_free(load.lag);
        cs_histogram_free(service);
    }
}

/* The slow ones among the waits count beside the slow operations. */
static void knows_its_own_stalls_from_those_of_a_server(void **state)
{
    static const struct {
        int64_t lag_slow_ns;
        int64_t service_slow_ns;
        enum cs_verdict want;
    } tails[] = {
        {2 * MS, 3 * MS, CS_VERDICT_NEAR},
        {2 * MS, 600 * MS, CS_VERDICT_KEPT_UP},
        {MS / 2, MS / 2, CS_VERDICT_KEPT_UP}, /* short */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(tails) / sizeof(*tails); i++) {
        struct cs_client_load load = {
            .busy = 0.1, .loops = 1, .lag = of(MS / 100, tails[i].lag_slow_ns)};
        struct cs_histogram *service = of(MS, tails[i].service_slow_ns);
        enum cs_cause cause;

        assert_int_equal(cs_verdict_of(&load, service, &cause), tails[i].want);
        assert_int_equal(cause, tails[i].want == CS_VERDICT_NEAR
                                    ? CS_CAUSE_LAG
                                    : CS_CAUSE_COUNT);
        cs_histogram_free(load.lag);
        cs_histogram_free(service);
    }
}

/* Personalities without such options: what to do is said all the same. */
static void names_no_option_that_there_is_not(void **state)
{
    static const struct {
        struct cs_client_load load;
        const char *advice;
    } others[] = {
        {{.busy = 0.99, .loops = 1, .processors = 2},
         "several of them at once"},
        {{.busy = 0.1,
          .room_waits = 10,
          .room_wait_ns = 100 * MS,
          .loops = 1,
          .processors = 2},
         "; ask for fewer requests in flight"},
        {{.busy = 0.1, .late = 10, .loops = 1, .processors = 2},
         "10 operations were due\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
        struct cs_histogram *service = of(10 * MS, 0);
        struct cs_buf text;

        cs_buf_init(&text, 4096);
        cs_verdict_put(&text, &others[i].load, service);
        check_line(cs_buf_text(&text), others[i].advice);
        assert_null(strchr(cs_buf_text(&text), '='));
        cs_buf_release(&text);
        cs_histogram_free(service);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges_by_measured_figures),
        cmocka_unit_test(knows_its_own_stalls_from_those_of_a_server),
        cmocka_unit_test(names_no_option_that_there_is_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
