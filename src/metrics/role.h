/* role.h - what a node that is asked is to the partition of the request. */
#ifndef CS_METRICS_ROLE_H
#define CS_METRICS_ROLE_H

/* Replicas in the order of the ring, from the token on; each data centre has a
 * first one. */
enum cs_replica_role {
    CS_ROLE_FIRST,
    CS_ROLE_SECOND,
    CS_ROLE_THIRD,
    CS_ROLE_FURTHER,
    CS_ROLE_NONE,    /* no replica of it */
    CS_ROLE_UNKNOWN, /* the request has no token, or the ring is not known */
    CS_ROLE_COUNT,
};

#endif
