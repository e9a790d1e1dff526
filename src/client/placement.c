/* placement.c - which nodes may be asked, and which of them first: white list,
 * data centre, rack. */
#include "client/cluster.h"

#include "base/buf.h"

#include <string.h>

/* The node that the first contact point is, or the first that is known. */
static const struct cs_node_info *first_contact(const struct cs_driver *driver)
{
    for (size_t c = 0; c < driver->contact_count; c++)
        for (size_t i = 0; i < driver->node_count; i++)
            if (cs_address_equal(&driver->contacts[c].address,
                                 &driver->nodes[i].address))
                return &driver->infos[i];
    return driver->node_count ? &driver->infos[0] : NULL;
}

/* Names the data centres there are, each once. */
static enum cs_code fail_unknown_dc(const struct cs_driver *driver,
                                    struct cs_err *err)
{
    struct cs_buf names;
    enum cs_code rc;

    cs_buf_init(&names, 512);
    for (size_t i = 0; i < driver->node_count; i++) {
        size_t k = 0;

        while (strcmp(driver->infos[k].datacenter,
                      driver->infos[i].datacenter) != 0)
            k++;
        if (k == i)
            cs_buf_printf(&names, "%s%s", i ? ", " : "",
                          driver->infos[i].datacenter);
    }
    rc = cs_fail(err, CS_EUSAGE,
                 "no node is in data centre '%s': the cluster has %s",
                 driver->local_dc, cs_buf_text(&names));
    cs_buf_release(&names);
    return rc;
}

static bool on_white_list(const struct cs_driver *driver,
                          const struct cs_address *address)
{
    if (!driver->settings->node.white_list)
        return true;
    for (size_t i = 0; i < driver->contact_count; i++)
        if (cs_address_equal(&driver->contacts[i].address, address))
            return true;
    return false;
}

static bool is_local(const struct cs_driver *driver, size_t node)
{
    return !strcmp(driver->infos[node].datacenter, driver->local_dc);
}

/* Nodes of its data centre that stand before it, and are on the list. */
static int before_in_dc(const struct cs_driver *driver, size_t node)
{
    int count = 0;

    for (size_t i = 0; i < node; i++)
        count += driver->nodes[i].present &&
                 !strcmp(driver->infos[i].datacenter,
                         driver->infos[node].datacenter) &&
                 on_white_list(driver, &driver->nodes[i].address);
    return count;
}

/* Sets rank, and whether the node is asked at all. */
static void place_node(struct cs_driver *driver, size_t node)
{
    const struct cs_settings_node *s = &driver->settings->node;
    struct cs_node_info *info = &driver->infos[node];
    bool rack = s->balance == CS_BALANCE_RACK;
    bool local = is_local(driver, node);

    driver->nodes[node].rank = CS_RANK_NEAR;
    info->allowed = on_white_list(driver, &driver->nodes[node].address);
    if (s->balance == CS_BALANCE_ALL)
        return;
    if (!local) {
        driver->nodes[node].rank = CS_RANK_REMOTE;
        info->allowed =
            info->allowed && before_in_dc(driver, node) < s->remote_dc_hosts;
    } else if (rack && strcmp(info->rack, driver->local_rack) != 0) {
        driver->nodes[node].rank = CS_RANK_RACK;
    }
}

static enum cs_code check_rack(const struct cs_driver *driver,
                               struct cs_err *err)
{
    if (driver->settings->node.balance != CS_BALANCE_RACK)
        return CS_OK;
    for (size_t i = 0; i < driver->node_count; i++)
        if (is_local(driver, i) &&
            !strcmp(driver->infos[i].rack, driver->local_rack))
            return CS_OK;
    return cs_fail(err, CS_EUSAGE,
                   "no node of data centre '%s' is in rack '%s': one is in "
                   "rack '%s'",
                   driver->local_dc, driver->local_rack,
                   first_contact(driver)->rack);
}

enum cs_code cs_topology_filter(struct cs_driver *driver, struct cs_err *err)
{
    const struct cs_settings_node *s = &driver->settings->node;
    const struct cs_node_info *first = first_contact(driver);
    size_t in_dc = 0;
    size_t allowed = 0;

    if (!driver->local_dc)
        driver->local_dc = s->datacenter ? s->datacenter
                           : first       ? first->datacenter
                                         : NULL;
    if (!driver->local_rack)
        driver->local_rack = s->rack ? s->rack : first ? first->rack : NULL;
    for (size_t i = 0; i < driver->node_count; i++) {
        place_node(driver, i);
        in_dc += is_local(driver, i);
        allowed +=
            driver->infos[i].allowed && driver->nodes[i].rank < CS_RANK_REMOTE;
    }
    if (!in_dc)
        return fail_unknown_dc(driver, err);
    if (!allowed)
        return cs_fail(err, CS_EUSAGE,
                       "no node of the white list is in data centre '%s'",
                       driver->local_dc);
    return check_rack(driver, err);
}
