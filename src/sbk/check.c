/* check.c - what the values mean together: checks, derived names and the
 * settings of the client. */
#include "base/clock.h"
#include "base/text.h"
#include "sbk/options.h"

#include <stdio.h>
#include <stdlib.h>

/* A frame of the native protocol holds 256 MB; the rest is for the request
 * around the record. */
#define SIZE_MAX_BYTES ((256 << 20) - 4096)
#define WORKERS_MAX    1000000
#define LOOPS_MAX      1024
/* The driver that SBK uses gives up a request after this time. */
#define REQUEST_TIMEOUT_MS 2000
#define REPORTING_MS       5000
#define MAX_PENDING        128
#define CONNECTIONS        8

static enum cs_code refuse(struct cs_sbk_refusal *refusal, struct cs_err *err,
                           const char *why)
{
    snprintf(refusal->log, sizeof(refusal->log), "%s", why);
    refusal->helps = true;
    return cs_fail(err, CS_EUSAGE, "java.lang.IllegalArgumentException: %s",
                   why);
}

/* Limits that are ours. */
static enum cs_code check_ours(const struct cs_sbk_options *o,
                               struct cs_err *err)
{
    const struct {
        const char *name;
        int64_t value, least, most;
    } rows[] = {
        {"-writers", o->writers, 0, WORKERS_MAX},
        {"-readers", o->readers, 0, WORKERS_MAX},
        {"-size", o->size, 1, SIZE_MAX_BYTES},
        {"-port", o->port, 1, 65535},
        {"-rf", o->factor, 1, INT32_MAX},
        {"-wstep", o->wstep, 1, INT32_MAX},
        {"-rstep", o->rstep, 1, INT32_MAX},
        {"-wsec", o->wsec, 0, INT32_MAX},
        {"-rsec", o->rsec, 0, INT32_MAX},
        {"-records", o->records, 0, INT64_MAX},
        {"-seconds", o->seconds, 0, INT64_MAX / CS_NS_PER_S / 2},
        {"-maxlatency", o->max_latency, o->min_latency, INT64_MAX},
        {"-pagesize", o->page_size, 1, 1 << 20},
        {"-loops", o->loops, 1, LOOPS_MAX},
    };

    for (size_t i = 0; i < CS_COUNT(rows); i++)
        if (rows[i].value < rows[i].least || rows[i].value > rows[i].most)
            return cs_fail(err, CS_EUSAGE,
                           "sbk: %s: %lld is out of range, expected %lld to "
                           "%lld",
                           rows[i].name, (long long)rows[i].value,
                           (long long)rows[i].least, (long long)rows[i].most);
    if (!strchr("pfv", o->thread[0]) || strlen(o->thread) != 1)
        return cs_fail(err, CS_EUSAGE,
                       "sbk: -thread: '%.40s', expected p, f or v", o->thread);
    return CS_OK;
}

enum cs_code cs_sbk_check(const struct cs_sbk_options *o,
                          struct cs_sbk_refusal *refusal, struct cs_err *err)
{
    if (o->writers < 1 && o->readers < 1)
        return refuse(refusal, err,
                      "Error: Must specify the number of writers or readers");
    if (o->size < 1)
        return refuse(refusal, err,
                      "Error: The record 'size' must be greater than zero");
    if (o->writers > 0 && o->readers > 0)
        return cs_fail(err, CS_EUSAGE,
                       "sbk: -writers together with -readers is refused: the "
                       "readers would find an empty table and end at once; "
                       "run the writers first, then the readers alone");
    return check_ours(o, err);
}

enum cs_code cs_sbk_check_late(const struct cs_sbk_options *o,
                               struct cs_err *err)
{
    if (o->idle_timeout_s * 1000 <= REPORTING_MS)
        return cs_fail(err, CS_EUSAGE,
                       "java.lang.IllegalArgumentException: PerL idle timeout "
                       "seconds must be greater than the reporting interval "
                       "of %d milliseconds",
                       REPORTING_MS);
    return CS_OK;
}

/* ---- names ---- */

static const struct {
    const char *name;
    const char *title;
    int64_t ns;
} units[] = {
    [CS_SBK_MS] = {"ms", "MILLISECONDS", CS_NS_PER_MS},
    [CS_SBK_MCS] = {"mcs", "MICROSECONDS", CS_NS_PER_US},
    [CS_SBK_NS] = {"ns", "NANOSECONDS", 1},
};

const char *cs_sbk_unit_name(enum cs_sbk_unit unit)
{
    return units[unit].name;
}

const char *cs_sbk_unit_title(enum cs_sbk_unit unit)
{
    return units[unit].title;
}

int64_t cs_sbk_unit_ns(enum cs_sbk_unit unit)
{
    return units[unit].ns;
}

const char *cs_sbk_action(const struct cs_sbk_options *options)
{
    return options->writers > 0 ? "Writing" : "Reading";
}

/* ---- the client ---- */

struct cs_settings *cs_sbk_settings_new(const struct cs_sbk_options *options)
{
    struct cs_settings *s = calloc(1, sizeof(*s));
    const char **hosts;

    if (!s)
        return NULL;
    cs_arena_init(&s->arena);
    hosts = cs_arena_array(&s->arena, 1, sizeof(*hosts));
    if (!hosts) {
        free(s);
        return NULL;
    }
    hosts[0] = options->node;
    s->node.hosts = hosts;
    s->node.count = 1;
    s->node.datacenter = options->datacenter;
    s->port.native_port = (int)options->port;
    s->mode.prepared = !options->text;
    s->mode.user = options->user;
    s->mode.password = options->password;
    s->mode.max_pending = MAX_PENDING;
    s->mode.connections_per_host = CONNECTIONS;
    s->mode.request_timeout_ms = REQUEST_TIMEOUT_MS;
    s->transport.truststore = options->truststore;
    s->transport.truststore_password = options->truststore_password;
    s->transport.verify_host = true;
    s->hints.tls = "-ssl";
    s->hints.log_in = "-user and -password";
    s->command.cl = options->cl;
    return s;
}

void cs_sbk_settings_free(struct cs_settings *settings)
{
    if (settings)
        cs_arena_release(&settings->arena);
    free(settings);
}
