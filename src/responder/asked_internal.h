/* asked_internal.h - what a QUERY or an EXECUTE asks for besides its text. */
#ifndef CS_RESPONDER_ASKED_INTERNAL_H
#define CS_RESPONDER_ASKED_INTERNAL_H

#include "responder/script_internal.h"

#define CS_BOUND_NULL  (-1)
#define CS_BOUND_UNSET (-2)

/* A value for a marker, borrowed from the request. */
struct cs_bound {
    const uint8_t *data;
    int32_t size; /* or CS_BOUND_NULL, CS_BOUND_UNSET */
};

/* Kept from request to request for its memory. */
struct cs_bounds {
    struct cs_bound *list; /* owned */
    unsigned count;
    unsigned cap;
};

struct cs_asked {
    const struct cs_bounds *bounds;
    bool skip_metadata;
    int32_t page_size;           /* 0 or below: all */
    struct cs_view paging_state; /* null: the first page */
    int64_t timestamp_us;        /* of what it writes; CS_TIMESTAMP_NONE */
};

/* A count and values. False: they are cut off or of an impossible size, or
 * there is no memory. */
bool cs_bounds_read(struct cs_bounds *bounds, struct cs_reader *body,
                    uint8_t version, const struct cs_script *script,
                    bool named);
void cs_bounds_release(struct cs_bounds *bounds);

/* Serial consistency and timestamp, where the flags announce them. */
int64_t cs_asked_timestamp(struct cs_reader *body, uint32_t flags);

/* From consistency to timestamp. False as above. */
bool cs_asked_read(struct cs_reader *body, uint8_t version,
                   const struct cs_script *script, struct cs_bounds *bounds,
                   struct cs_asked *out);

#endif
