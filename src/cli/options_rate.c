/* options_rate.c - the group -rate: how many requests at once, how fast. */
#include "cli/options_internal.h"
#include "cli/parse_internal.h"

enum { RAMP = 1, FIXED = 2 };

static bool automatic(const struct cs_settings *s)
{
    return s->rate.automatic;
}

static bool not_automatic(const struct cs_settings *s)
{
    return !s->rate.automatic;
}

static void show_rate(const struct cs_settings *s, struct cs_buf *out)
{
    double rate = s->rate.throttle_per_s > 0 ? s->rate.throttle_per_s
                                             : s->rate.fixed_per_s;

    cs_buf_printf(out, "%.0f", rate);
}

/* 100/s; a bare number is per second too. */
static enum cs_code store_rate(struct cs_cli *cli,
                               const struct cs_option *option,
                               const char *value, struct cs_err *err)
{
    size_t size = strlen(value);
    char number[32];
    int64_t rate = 0;
    bool per_s = size > 2 && value[size - 2] == '/' &&
                 (value[size - 1] == 's' || value[size - 1] == 'S');
    enum cs_code rc;

    if (per_s)
        size -= 2;
    if ((!per_s && cli->strict) || size >= sizeof(number))
        return cs_fail(err, CS_EUSAGE, "not a rate");
    memcpy(number, value, size);
    number[size] = 0;
    rc = cs_value_number(cli, number, true, &rate, err);
    if (rc)
        return rc;
    if (rate > INT32_MAX)
        return cs_fail(err, CS_EUSAGE, "rate beyond 32 bits");
    *(double *)(void *)((char *)cli->settings + option->at) = (double)rate;
    return CS_OK;
}

#define RATE_FORM   "digits and /s, as in 5000/s"
#define MAX_THREADS 1000000

static const struct cs_option rate_rows[] = {
    {.type = CS_OPTION_ECHO, .label = "Auto", .has_at = CS_AT(rate.automatic)},
    {.key = "threads>=",
     .type = CS_OPTION_INT,
     .form = "a number",
     .sets = RAMP,
     .at = CS_AT(rate.min_threads),
     .min = 1,
     .max = MAX_THREADS,
     .preset = "4",
     .help = "first step of the ramp",
     .label = "Min Threads",
     .when = automatic},
    {.key = "threads<=",
     .type = CS_OPTION_INT,
     .form = "a number",
     .sets = RAMP,
     .at = CS_AT(rate.max_threads),
     .min = 1,
     .max = MAX_THREADS,
     .preset = "1000",
     .help = "last step of the ramp",
     .label = "Max Threads",
     .when = automatic},
    {.key = "auto",
     .type = CS_OPTION_FLAG,
     .sets = RAMP,
     .at = CS_AT(rate.automatic),
     .help = "end the ramp when the throughput grows no longer"},
    {.key = "threads=",
     .type = CS_OPTION_INT,
     .sets = FIXED,
     .needs = FIXED,
     .at = CS_AT(rate.threads),
     .min = 1,
     .max = MAX_THREADS,
     .form = "a number of threads",
     .help = "requests in flight; one event loop serves thousands",
     .label = "Thread Count",
     .when = not_automatic},
    {.key = "throttle=",
     .type = CS_OPTION_CUSTOM,
     .sets = FIXED,
     .at = CS_AT(rate.throttle_per_s),
     .store = store_rate,
     .preset = "0/s",
     .form = RATE_FORM,
     .help = "cap on the partitions per second; latency is service time",
     .label = "OpsPer Sec",
     .when = not_automatic,
     .show = show_rate},
    {.key = "fixed=",
     .type = CS_OPTION_CUSTOM,
     .sets = FIXED,
     .at = CS_AT(rate.fixed_per_s),
     .store = store_rate,
     .preset = "0/s",
     .form = RATE_FORM,
     .help = "partitions per second on a fixed schedule; latency is response "
             "time, from the moment a request was due"},
    {.key = "poisson",
     .type = CS_OPTION_FLAG,
     .sets = FIXED,
     .at = CS_AT(rate.poisson),
     .help = "with fixed=: requests are due at random (exponential) distances, "
             "as many users send them, not at equal ones"},
    {.key = "limit=",
     .type = CS_OPTION_CUSTOM,
     .sets = FIXED,
     .at = CS_AT(rate.throttle_per_s),
     .store = store_rate,
     .form = RATE_FORM,
     .hidden = true,
     .idle = "limit= is the old name of throttle=",
     .help = "old spelling of throttle="},
};

const struct cs_option_group cs_options_rate = {
    .name = "-rate",
    .help = "thread count and rate, or the range of a ramp",
    .alternatives = 2,
    .section = "Rate:",
    .tables = {CS_TABLE(rate_rows)}};
