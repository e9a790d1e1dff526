/* tablets.c - a tablet as tuple<bigint, bigint, list<tuple<uuid, int>>>. */
#include "protocol/tablets.h"

#include "protocol/shards.h"

#define HOST_ID_SIZE 16
/* A replica: the size in front of the tuple, and those of its two parts. */
#define REPLICA_SIZE (4 + 4 + HOST_ID_SIZE + 4 + 4)

/* The part of a tuple or list that has exactly this size; the fault if it has
 * another. */
static struct cs_reader read_part(struct cs_reader *r, size_t size)
{
    struct cs_view part = cs_read_blob(r);

    if (!part.data || part.size != size) {
        r->fault = true;
        return cs_reader_of("", 0);
    }
    return cs_reader_of(part.data, part.size);
}

static int64_t read_token(struct cs_reader *r)
{
    struct cs_reader part = read_part(r, 8);

    return (int64_t)cs_read64(&part);
}

static void read_replica(struct cs_reader *r, struct cs_told_tablet *out)
{
    struct cs_reader tuple = read_part(r, REPLICA_SIZE - 4);
    struct cs_reader host = read_part(&tuple, HOST_ID_SIZE);
    struct cs_reader shard = read_part(&tuple, 4);
    uint32_t number = cs_read32(&shard);

    if (tuple.fault || number >= CS_SHARDS_MAX) {
        r->fault = true;
        return;
    }
    out->replicas[out->count].host_id = host.p;
    out->replicas[out->count].shard = (uint16_t)number;
    out->count++;
}

static void read_replicas(struct cs_view list, struct cs_reader *whole,
                          struct cs_told_tablet *out)
{
    struct cs_reader r = cs_reader_of(list.data, list.size);
    uint32_t count = cs_read_count(&r, cs_read32(&r), REPLICA_SIZE);

    if (!count || count > CS_TABLET_REPLICAS_MAX) {
        whole->fault = true;
        return;
    }
    for (uint32_t i = 0; i < count && !r.fault; i++)
        read_replica(&r, out);
    whole->fault = whole->fault || r.fault || cs_reader_left(&r);
}

bool cs_tablet_read(struct cs_view value, struct cs_told_tablet *out)
{
    struct cs_reader r =
        cs_reader_of(value.data ? value.data : (const void *)"", value.size);
    struct cs_view list;

    out->count = 0;
    out->first = read_token(&r);
    out->last = read_token(&r);
    list = cs_read_blob(&r);
    if (!list.data)
        return false;
    read_replicas(list, &r, out);
    return !r.fault && !cs_reader_left(&r);
}

static void put_token(struct cs_buf *buf, int64_t token)
{
    cs_buf_put32(buf, 8);
    cs_buf_put64(buf, (uint64_t)token);
}

void cs_tablet_put(struct cs_buf *buf, const struct cs_told_tablet *tablet)
{
    put_token(buf, tablet->first);
    put_token(buf, tablet->last);
    cs_buf_put32(buf, 4 + tablet->count * REPLICA_SIZE);
    cs_buf_put32(buf, tablet->count);
    for (unsigned i = 0; i < tablet->count; i++) {
        cs_buf_put32(buf, REPLICA_SIZE - 4);
        cs_put_long_string(
            buf, cs_view_of(tablet->replicas[i].host_id, HOST_ID_SIZE));
        cs_buf_put32(buf, 4);
        cs_buf_put32(buf, tablet->replicas[i].shard);
    }
}
