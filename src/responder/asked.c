/* asked.c - the parameters of QUERY and EXECUTE. */
#include "responder/asked_internal.h"

#include "protocol/request.h"

#include <stdlib.h>

/* [value]: null and unset are told apart; to version 3 all that is negative is
 * null. */
static struct cs_bound read_value(struct cs_reader *body, uint8_t version)
{
    int32_t size = (int32_t)cs_read32(body);
    struct cs_bound value = {.size = size};

    if (size >= 0)
        value.data = cs_read_bytes(body, (size_t)size);
    else if (version == 3)
        value.size = CS_BOUND_NULL;
    else if (size < CS_BOUND_UNSET)
        body->fault = true;
    return value;
}

static bool make_room(struct cs_bounds *bounds, unsigned count)
{
    struct cs_bound *more;

    if (count <= bounds->cap)
        return true;
    more = realloc(bounds->list, count * sizeof(*more));
    if (!more)
        return false;
    bounds->list = more;
    bounds->cap = count;
    return true;
}

/* The marker with this name, or one past the last. */
static unsigned named_marker(const struct cs_script *script,
                             struct cs_view name)
{
    unsigned i = 0;

    while (i < script->marker_count &&
           !cs_view_is(name, script->markers[i].name))
        i++;
    return i;
}

bool cs_bounds_read(struct cs_bounds *bounds, struct cs_reader *body,
                    uint8_t version, const struct cs_script *script, bool named)
{
    unsigned count = cs_read16(body);
    unsigned room = CS_MAX(count, script->marker_count);

    count = cs_read_count(body, count, 4);
    if (!make_room(bounds, room))
        return false;
    for (unsigned i = 0; i < room; i++)
        bounds->list[i] = (struct cs_bound){.size = CS_BOUND_UNSET};
    for (unsigned i = 0; i < count && !body->fault; i++) {
        unsigned at = named ? named_marker(script, cs_read_string(body)) : i;
        struct cs_bound value = read_value(body, version);

        if (at < room)
            bounds->list[at] = value;
    }
    bounds->count = named ? script->marker_count : count;
    return !body->fault;
}

void cs_bounds_release(struct cs_bounds *bounds)
{
    free(bounds->list);
}

int64_t cs_asked_timestamp(struct cs_reader *body, uint32_t flags)
{
    if (flags & CS_QUERY_SERIAL)
        cs_read16(body);
    return flags & CS_QUERY_TIMESTAMP ? (int64_t)cs_read64(body)
                                      : CS_TIMESTAMP_NONE;
}

bool cs_asked_read(struct cs_reader *body, uint8_t version,
                   const struct cs_script *script, struct cs_bounds *bounds,
                   struct cs_asked *out)
{
    uint32_t flags;

    *out =
        (struct cs_asked){.bounds = bounds, .timestamp_us = CS_TIMESTAMP_NONE};
    bounds->count = 0;
    cs_read16(body); /* consistency */
    flags = version >= 5 ? cs_read32(body) : cs_read8(body);
    out->skip_metadata = (flags & CS_QUERY_SKIP_METADATA) != 0;
    if ((flags & CS_QUERY_VALUES) &&
        !cs_bounds_read(bounds, body, version, script,
                        (flags & CS_QUERY_NAMES) != 0))
        return false;
    if (flags & CS_QUERY_PAGE_SIZE)
        out->page_size = (int32_t)cs_read32(body);
    if (flags & CS_QUERY_PAGING_STATE)
        out->paging_state = cs_read_blob(body);
    out->timestamp_us = cs_asked_timestamp(body, flags);
    return !body->fault;
}
