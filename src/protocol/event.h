/* event.h - what a server tells unasked: nodes come and go, the schema changes.
 */
#ifndef CS_PROTOCOL_EVENT_H
#define CS_PROTOCOL_EVENT_H

#include "protocol/notation.h"

enum cs_event_kind {
    CS_EVENT_OTHER, /* a type we do not know: ignore it */
    CS_EVENT_TOPOLOGY,
    CS_EVENT_STATUS,
    CS_EVENT_SCHEMA,
};

enum cs_change {
    CS_CHANGE_OTHER,
    CS_CHANGE_NEW_NODE,
    CS_CHANGE_REMOVED_NODE,
    CS_CHANGE_MOVED_NODE,
    CS_CHANGE_UP,
    CS_CHANGE_DOWN,
    CS_CHANGE_CREATED,
    CS_CHANGE_UPDATED,
    CS_CHANGE_DROPPED,
};

/* Address and port of a node. */
struct cs_inet {
    uint8_t bytes[16]; /* network order */
    uint8_t size;      /* 4 or 16 */
    int32_t port;
};

/* Also the body of a SCHEMA_CHANGE result. */
struct cs_schema_change {
    enum cs_change change;
    struct cs_view target; /* "KEYSPACE", "TABLE", "TYPE", "FUNCTION" ... */
    struct cs_view keyspace;
    struct cs_view name;   /* null for a keyspace */
    uint32_t arg_count;    /* of functions and aggregates */
    struct cs_reader args; /* arg_count x [string], checked */
};

struct cs_event {
    enum cs_event_kind kind;
    struct cs_view type; /* as sent */
    enum cs_change change;
    struct cs_inet node; /* topology and status */
    struct cs_schema_change schema;
};

/* [inet]; the fault when the size is not 4 or 16. */
struct cs_inet cs_read_inet(struct cs_reader *r);

/* Body of an EVENT (behind cs_frame_open). Views are borrowed from it. */
enum cs_code cs_event_decode(struct cs_reader body, struct cs_event *out,
                             struct cs_err *err) CS_MUST_USE;

/* The part that results share; faults stay in r. */
void cs_schema_change_read(struct cs_reader *r, struct cs_schema_change *out);

#endif
