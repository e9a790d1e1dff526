/* gen_uuid.c - uuid and timeuuid. */
#include "generate/generate_internal.h"

/* From the start of the Gregorian calendar, 1582-10-15, to 1970. */
#define GREGORIAN_MS UINT64_C(12219292800000)
#define TICKS_PER_MS 10000
#define VERSION_1    UINT64_C(0x1000)

static void put_uuid(struct cs_buf *out, uint64_t high, uint64_t low)
{
    uint8_t *p = cs_buf_room(out, 20);

    if (CS_UNLIKELY(!p))
        return;
    cs_store32(p, 16);
    cs_store64(p + 4, high);
    cs_store64(p + 12, low);
    out->size += 20;
}

static void append_uuid(struct cs_gen_node *node, struct cs_buf *out)
{
    uint64_t id = (uint64_t)cs_dist_next(&node->identity);

    put_uuid(out, id, id);
}

/* c2: each half is a draw of its own. */
static void append_uuid_c2(struct cs_gen_node *node, struct cs_buf *out)
{
    uint64_t high = (uint64_t)cs_dist_next(&node->identity);
    uint64_t low = (uint64_t)cs_dist_next(&node->identity);

    put_uuid(out, high, low);
}

/* The time is drawn, the node is the salt; the variant is not set. */
static void append_timeuuid(struct cs_gen_node *node, struct cs_buf *out)
{
    uint64_t ms = (uint64_t)cs_dist_next(&node->identity);
    uint64_t ticks = (ms + GREGORIAN_MS) * TICKS_PER_MS;
    uint64_t high = ticks << 32 | (ticks >> 16 & UINT64_C(0xffff0000)) |
                    (ticks >> 48 & UINT64_C(0x0fff)) | VERSION_1;

    put_uuid(out, high, (uint64_t)node->salt);
}

cs_gen_fn cs_gen_uuid_fn(enum cs_type_kind kind, enum cs_dialect dialect)
{
    switch (kind) {
    case CS_TYPE_UUID:
        return dialect == CS_DATA_C2 ? append_uuid_c2 : append_uuid;
    case CS_TYPE_TIMEUUID:
        return append_timeuuid;
    default:
        return NULL;
    }
}
