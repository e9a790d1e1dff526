/* routes.h - where requests go that the ring of their keyspace alone does not
 * place: to tables with tablets, and conditional ones, on ScyllaDB. */
#ifndef CS_CLIENT_ROUTES_H
#define CS_CLIENT_ROUTES_H

#include "client/tablets.h"
#include "driver/driver.h"
#include "protocol/notation.h"

struct cs_ring;

/* Replicas of a ring that are asked in its order; further ones are not. */
#define CS_ROUTE_MAX 16

struct cs_route {
    const struct cs_ring *ring;        /* as any other request; NULL: not so */
    const struct cs_replica *replicas; /* else to these; borrowed */
    unsigned count;                    /* 0: nobody knows */
    bool in_order;                     /* the first that can be asked */
    struct cs_replica of_ring[CS_ROUTE_MAX];
};

/* ring: what the operation was looked for in already, or NULL. */
void cs_route_find(const struct cs_session *session,
                   const struct cs_operation *op, const struct cs_ring *ring,
                   struct cs_route *out);

/* The answer to the operation said where its tablet is. */
void cs_routes_learn(struct cs_session *session, const struct cs_operation *op,
                     struct cs_view payload);

/* The session has another snapshot: nodes that have left, tables that have
 * changed. */
void cs_routes_review(struct cs_session *session);

/* Whether a table of the keyspace has tablets, so that its ring means
 * nothing. */
bool cs_routes_bypass(const struct cs_session *session, unsigned keyspace);

#endif
