/* shares.c - sessions know their own connections only: the nodes of all are
 * brought together by name. */
#include "run/shares.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NODES_MAX ((size_t)1024)

static void add_node(struct cs_shares *out,
                     const struct cs_node_traffic *traffic)
{
    struct cs_node_share *share;
    char name[sizeof(share->name)];
    size_t i;

    snprintf(name, sizeof(name), "%s:%d", traffic->address, traffic->port);
    for (i = 0; i < out->count; i++)
        if (!strcmp(out->list[i].name, name))
            break;
    if (i == NODES_MAX)
        return;
    share = &out->list[i];
    if (i == out->count) {
        out->count++;
        memcpy(share->name, name, sizeof(name));
    }
    /* A node that was replaced keeps its name: the last that is there counts.
     */
    if (!share->joined_ns || traffic->joined_ns > share->joined_ns)
        share->joined_ns = traffic->joined_ns;
    share->left_ns = traffic->left_ns;
    if (traffic->first_request_ns &&
        (!share->first_request_ns ||
         traffic->first_request_ns < share->first_request_ns))
        share->first_request_ns = traffic->first_request_ns;
    share->requests += traffic->requests;
    share->shard_known += traffic->shard_known;
    share->shard_right += traffic->shard_right;
    for (size_t role = 0; role < CS_ROLE_COUNT; role++)
        share->roles[role] += traffic->roles[role];
}

void cs_shares_add(struct cs_shares *shares, const struct cs_driver_ops *db,
                   struct cs_session *session)
{
    struct cs_node_traffic *traffic = calloc(NODES_MAX, sizeof(*traffic));

    if (!shares->list)
        shares->list = calloc(NODES_MAX, sizeof(*shares->list));
    if (traffic && shares->list) {
        size_t count = db->traffic(session, traffic, NODES_MAX);

        for (size_t i = 0; i < CS_MIN(count, NODES_MAX); i++)
            add_node(shares, &traffic[i]);
    }
    free(traffic);
}

void cs_shares_release(struct cs_shares *shares)
{
    free(shares->list);
    *shares = (struct cs_shares){0};
}
