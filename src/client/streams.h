/* streams.h - the stream ids of one connection: last in, first out, so that the
 * memory behind the ids in use stays small and warm. */
#ifndef CS_CLIENT_STREAMS_H
#define CS_CLIENT_STREAMS_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct cs_streams {
    uint16_t *ids; /* owned; the first free_count are free */
    uint32_t free_count;
    uint32_t limit;
};

/* limit: 1 to 32768 ids, 0 upwards. */
enum cs_code cs_streams_init(struct cs_streams *streams, uint32_t limit,
                             struct cs_err *err) CS_MUST_USE;
void cs_streams_release(struct cs_streams *streams);

CS_INLINE uint32_t cs_streams_used(const struct cs_streams *streams)
{
    return streams->limit - streams->free_count;
}

/* There must be a free one. */
CS_INLINE uint16_t cs_streams_take(struct cs_streams *streams)
{
    return streams->ids[--streams->free_count];
}

CS_INLINE void cs_streams_give(struct cs_streams *streams, uint16_t id)
{
    streams->ids[streams->free_count++] = id;
}

#endif
