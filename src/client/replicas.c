/* replicas.c - which nodes hold a token, and what nodes are called: for those
 * who explain an answer. */
#include "client/replicas.h"

#include "client/routes.h"
#include "client/session_internal.h"

#include <stdio.h>

enum cs_code cs_keyspace_follow(struct cs_driver *driver, const char *keyspace,
                                struct cs_err *err)
{
    unsigned ignored;

    return cs_keyspace_index(driver, keyspace, &ignored, err);
}

void cs_session_node_name(struct cs_session *session, unsigned node,
                          struct cs_node_name *out)
{
    const struct cs_snapshot *snapshot = session->snapshot;
    const struct cs_address *address;

    out->text[0] = 0;
    if (node >= snapshot->node_count)
        return;
    address = &snapshot->nodes[node].address;
    snprintf(out->text, sizeof(out->text),
             strchr(address->text, ':') ? "[%s]:%d" : "%s:%d", address->text,
             address->port);
}

size_t cs_session_replicas(struct cs_session *session, const char *keyspace,
                           int64_t token, struct cs_node_name *out,
                           size_t count)
{
    const struct cs_snapshot *snapshot = session->snapshot;
    const uint16_t *nodes;
    unsigned all = 0;
    unsigned at = 0;

    while (at < snapshot->ring_count &&
           strcmp(snapshot->keyspaces[at], keyspace) != 0)
        at++;
    if (at == snapshot->ring_count || !snapshot->rings[at] ||
        cs_routes_bypass(session, at))
        return 0;
    nodes = cs_ring_all_replicas(snapshot->rings[at], token, &all);
    for (unsigned i = 0; i < all && i < count; i++)
        cs_session_node_name(session, nodes[i], &out[i]);
    return all;
}
