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
    for (size_t i = 0; i < stress->profile_count; i++)
        cs_profile_free(stress->profiles[i]);
    free(stress->profiles);
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

/* What the command line may ask for and this version cannot do: refused before
 * anything is sent. */
static enum cs_code refuse_unavailable(const struct cs_settings *s,
                                       struct cs_err *err)
{
    if (cs_settings_wants_tls(s))
        return cs_fail(err, CS_EUNSUPPORTED,
                       "-transport: TLS is not available in this version");
    if (s->compat.data == CS_DATA_PROBE)
        return cs_fail(err, CS_EUNSUPPORTED,
                       "-compat: data=probe is not available in this version; "
                       "say data=c4 or data=c3");
    return CS_OK;
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
    enum cs_code rc = cs_report_graph(stress->report, &graph_err);

    if (!rc)
        rc = cs_report_check(stress->report, &graph_err);
    if (so_far)
        return so_far;
    if (rc)
        *err = graph_err;
    return rc;
}

enum cs_code cs_command_stress(const struct cs_settings *settings,
                               struct cs_err *err)
{
    struct cs_stress stress = {.settings = settings, .signals = {.fd = -1}};
    enum cs_code rc = refuse_unavailable(settings, err);

    if (!rc)
        rc = cs_stress_load_profiles(&stress, err);
    if (!rc)
        rc = cs_report_open(settings, &stress.report, err);
    if (!rc)
        show_dump(&stress);
    if (!rc)
        rc = cs_stress_connect(&stress, err);
    if (!rc)
        rc = cs_stress_prepare(&stress, err);
    /* Until here there are no results, and a signal has its usual effect: a
     * server may keep a definition waiting for a minute. */
    if (!rc)
        rc = cs_signals_open(&stress.signals, err);
    if (!rc && settings->command.count == 0) {
        cs_report_line(stress.report,
                       "N=0: SCHEMA CREATED, NOTHING ELSE DONE.");
    } else if (!rc) {
        rc = work(&stress, err);
        rc = make_graph(&stress, rc, err);
    }
    release(&stress);
    return rc;
}
