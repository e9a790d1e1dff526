/* events.c - what the main thread does between its reports: events of the
 * cluster, a lost control connection. */
#include "base/clock.h"
#include "base/log.h"
#include "client/cluster.h"

/* Events come in bursts, and UP comes before the node takes connections. */
#define SETTLE_NS (1 * CS_NS_PER_S)
/* The node that is asked may learn the rest later than it told us. */
#define LOOK_AGAIN_NS (10 * CS_NS_PER_S)
/* The main thread also prints reports: it must not stand still for long. */
#define SHORT_TIMEOUT_NS (2 * CS_NS_PER_S)
#define RETRY_FIRST_NS   (500 * CS_NS_PER_MS)
#define RETRY_LONGEST_NS (10 * CS_NS_PER_S)

static void plan_next(struct cs_driver *driver, bool failed, int64_t now_ns)
{
    driver->refresh_ns = INT64_MAX;
    if (failed)
        driver->refresh_ns = now_ns + SETTLE_NS;
    else if (driver->look_again)
        driver->refresh_ns = now_ns + LOOK_AGAIN_NS;
    if (failed)
        return;
    driver->look_again = false;
    driver->news_ns = driver->refresh_ns;
}

static void refresh(struct cs_driver *driver, int64_t now_ns)
{
    struct cs_err err;
    enum cs_code rc = cs_topology_read(driver, SHORT_TIMEOUT_NS, &err);

    if (!rc)
        rc = cs_topology_filter(driver, &err);
    if (!rc)
        rc = cs_keyspaces_read(driver, &err);
    if (!rc)
        rc = cs_cluster_publish(driver, &err);
    if (rc)
        CS_DEBUG("reading the topology again: %s", err.text);
    plan_next(driver, rc != CS_OK, now_ns);
}

static void try_reconnect(struct cs_driver *driver, int64_t now_ns)
{
    int64_t pause_ns = RETRY_FIRST_NS;
    struct cs_err err;

    driver->reconnect_ns = INT64_MAX;
    if (!cs_cluster_reconnect(driver, SHORT_TIMEOUT_NS, &err)) {
        driver->reconnect_failures = 0;
        /* Events were missed meanwhile. */
        driver->refresh_ns = driver->news_ns = now_ns;
        cs_tables_age(driver);
        return;
    }
    CS_DEBUG("control connection: %s", err.text);
    for (unsigned i = 0; i < driver->reconnect_failures; i++)
        pause_ns = CS_MIN(pause_ns * 2, RETRY_LONGEST_NS);
    driver->reconnect_failures++;
    driver->reconnect_ns = now_ns + pause_ns;
}

static void take_events(struct cs_driver *driver, int64_t now_ns)
{
    cs_control_look(&driver->control);
    if (driver->control.topology_changed) {
        driver->control.topology_changed = false;
        driver->look_again = true;
        if (driver->refresh_ns > now_ns + SETTLE_NS) {
            driver->refresh_ns = now_ns + SETTLE_NS;
            driver->news_ns = now_ns;
        }
    }
    if (!driver->control.open && driver->reconnect_ns == INT64_MAX)
        driver->reconnect_ns = now_ns;
}

/* Sessions forget what they have learned of tables that were changed. */
static void tell_of_tables(struct cs_driver *driver)
{
    struct cs_err err;

    if (cs_cluster_publish(driver, &err))
        CS_DEBUG("tables have changed: %s", err.text);
}

void cs_cluster_handle_events(struct cs_driver *driver)
{
    int64_t now_ns = cs_now_ns();

    take_events(driver, now_ns);
    if (driver->reconnect_ns <= now_ns)
        try_reconnect(driver, now_ns);
    if (driver->refresh_ns <= now_ns && driver->control.open)
        refresh(driver, now_ns);
    if (driver->tables_aged)
        tell_of_tables(driver);
    cs_loop_arm(driver->loop, CS_MIN(driver->refresh_ns, driver->reconnect_ns));
}
