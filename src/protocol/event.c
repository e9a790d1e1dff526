/* event.c - bodies of EVENT and of schema changes. */
#include "protocol/event.h"

static const char *const changes[] = {
    [CS_CHANGE_NEW_NODE] = "NEW_NODE",
    [CS_CHANGE_REMOVED_NODE] = "REMOVED_NODE",
    [CS_CHANGE_MOVED_NODE] = "MOVED_NODE",
    [CS_CHANGE_UP] = "UP",
    [CS_CHANGE_DOWN] = "DOWN",
    [CS_CHANGE_CREATED] = "CREATED",
    [CS_CHANGE_UPDATED] = "UPDATED",
    [CS_CHANGE_DROPPED] = "DROPPED",
};

static const char *const kinds[] = {
    [CS_EVENT_TOPOLOGY] = "TOPOLOGY_CHANGE",
    [CS_EVENT_STATUS] = "STATUS_CHANGE",
    [CS_EVENT_SCHEMA] = "SCHEMA_CHANGE",
};

/* Index of the name; 0, which has none, when there is no such. */
static size_t find(const char *const *names, size_t count, struct cs_view name)
{
    for (size_t i = 1; i < count; i++) {
        if (cs_view_is(name, names[i]))
            return i;
    }
    return 0;
}

static enum cs_change read_change(struct cs_reader *r)
{
    return (enum cs_change)find(changes, CS_COUNT(changes), cs_read_string(r));
}

struct cs_inet cs_read_inet(struct cs_reader *r)
{
    struct cs_inet inet = {.size = cs_read8(r)};
    const uint8_t *p;

    if (inet.size != 4 && inet.size != 16)
        r->fault = true;
    p = cs_read_bytes(r, inet.size);
    if (!p)
        return (struct cs_inet){0};
    memcpy(inet.bytes, p, inet.size);
    inet.port = (int32_t)cs_read32(r);
    return inet;
}

void cs_schema_change_read(struct cs_reader *r, struct cs_schema_change *out)
{
    *out = (struct cs_schema_change){.change = read_change(r)};
    out->target = cs_read_string(r);
    out->keyspace = cs_read_string(r);
    if (cs_view_is(out->target, "KEYSPACE"))
        return; /* v3 has two surplus bytes behind it for functions */
    out->name = cs_read_string(r);
    if (!cs_view_is(out->target, "FUNCTION") &&
        !cs_view_is(out->target, "AGGREGATE"))
        return;
    out->args = *r;
    out->arg_count = cs_skip_string_list(r);
    cs_read16(&out->args); /* the count itself */
    out->args.end = r->p;
}

enum cs_code cs_event_decode(struct cs_reader body, struct cs_event *out,
                             struct cs_err *err)
{
    struct cs_event event = {.type = cs_read_string(&body)};
    enum cs_code rc;

    event.kind = (enum cs_event_kind)find(kinds, CS_COUNT(kinds), event.type);
    if (event.kind == CS_EVENT_SCHEMA) {
        cs_schema_change_read(&body, &event.schema);
        event.change = event.schema.change;
    } else if (event.kind != CS_EVENT_OTHER) {
        event.change = read_change(&body);
        event.node = cs_read_inet(&body);
    }
    rc = cs_reader_check(&body, "EVENT", err);
    if (!rc)
        *out = event;
    return rc;
}
