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
};

static struct cs_histogram *of(int64_t value_ns)
{
    struct cs_histogram *h;

    assert_int_equal(cs_histogram_new(&h, NULL), CS_OK);
    for (int i = 0; value_ns && i < 10; i++)
        cs_histogram_record(h, value_ns);
    return h;
}

static void judges_by_measured_figures(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct cs_client_load load = rows[i].load;
        struct cs_histogram *service = of(rows[i].service_ns);
        struct cs_buf text;
        const char *line;

        print_message("%s\n", rows[i].what);
        load.lag = of(rows[i].lag_ns);
        load.loops_option = "-loops count=";
        cs_buf_init(&text, 4096);
        assert_int_equal(cs_verdict_of(&load, service), rows[i].want);
        cs_verdict_put(&text, &load, service);
        line = cs_buf_text(&text);
        assert_memory_equal(line, "# the client ", 13);
        assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
        assert_int_equal(strstr(line, "; ") != NULL, rows[i].advice != NULL);
        if (rows[i].advice)
            assert_non_null(strstr(line, rows[i].advice));
        assert_int_equal(strstr(line, "for a processor") != NULL,
                         load.queued >= 0);
        cs_buf_release(&text);
        cs_histogram_free(load.lag);
        cs_histogram_free(service);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges_by_measured_figures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
