/* streams.c - making the list of free stream ids. */
#include "client/streams.h"

#include <stdlib.h>

enum cs_code cs_streams_init(struct cs_streams *streams, uint32_t limit,
                             struct cs_err *err)
{
    *streams = (struct cs_streams){.limit = limit};
    streams->ids = malloc(limit * sizeof(*streams->ids));
    if (!streams->ids)
        return cs_fail(err, CS_ENOMEM, "no memory for stream ids");
    for (uint32_t i = 0; i < limit; i++)
        streams->ids[i] = (uint16_t)(limit - 1 - i);
    streams->free_count = limit;
    return CS_OK;
}

void cs_streams_release(struct cs_streams *streams)
{
    free(streams->ids);
    *streams = (struct cs_streams){0};
}
