/* shards.c - the entries of SUPPORTED that speak of shards. */
#include "protocol/shards.h"

#include "protocol/tablets.h"

#include <stdlib.h>

#define ALGORITHM "biased-token-round-robin"

/* A decimal or 0x number of an entry's value behind a prefix; -1: there is
 * none, or it is greater than max. */
static long number_of(struct cs_view value, const char *prefix, long max)
{
    size_t skipped = strlen(prefix);
    char text[24] = "";
    char *end;
    long number;

    if (!value.data || value.size <= skipped ||
        value.size - skipped >= sizeof(text) ||
        memcmp(value.data, prefix, skipped) != 0)
        return -1;
    memcpy(text, (const char *)value.data + skipped, value.size - skipped);
    number = strtol(text, &end, 0);
    return *end || number < 0 || number > max ? -1 : number;
}

static long number(const struct cs_supported *supported, const char *key,
                   long max)
{
    return number_of(cs_supported_get(supported, key), "", max);
}

static int port(const struct cs_supported *supported, const char *key)
{
    return (int)CS_MAX(number(supported, key, 65535), 0L);
}

static bool has_murmur3(const struct cs_supported *supported)
{
    struct cs_view name = cs_supported_get(supported, "SCYLLA_PARTITIONER");
    static const char wanted[] = "Murmur3Partitioner";

    return name.size &&
           memmem(name.data, name.size, wanted, sizeof(wanted) - 1);
}

static void read_shards(const struct cs_supported *supported,
                        struct cs_sharding *out)
{
    long count = number(supported, "SCYLLA_NR_SHARDS", CS_SHARDS_MAX);
    long shard = number(supported, "SCYLLA_SHARD", CS_SHARDS_MAX);
    long msb = number(supported, "SCYLLA_SHARDING_IGNORE_MSB", 63);

    if (count < 1 || shard < 0 || shard >= count || msb < 0 ||
        !has_murmur3(supported) ||
        !cs_view_is(cs_supported_get(supported, "SCYLLA_SHARDING_ALGORITHM"),
                    ALGORITHM))
        return;
    out->count = (unsigned)count;
    out->shard = (unsigned)shard;
    out->ignore_msb = (unsigned)msb;
    out->port = port(supported, "SCYLLA_SHARD_AWARE_PORT");
    out->tls_port = port(supported, "SCYLLA_SHARD_AWARE_PORT_SSL");
}

void cs_sharding_read(const struct cs_supported *supported,
                      struct cs_sharding *out)
{
    struct cs_view limit = cs_supported_get(supported, CS_EXTENSION_RATE_LIMIT);
    struct cs_view mark = cs_supported_get(supported, CS_EXTENSION_LWT_MARK);
    long code = number_of(limit, "ERROR_CODE=", INT32_MAX);
    long mask =
        number_of(mark, "LWT_OPTIMIZATION_META_BIT_MASK=", (long)UINT32_MAX);

    *out = (struct cs_sharding){
        .rate_limit = code >= 0,
        .rate_limit_code = (int32_t)CS_MAX(code, 0L),
        .lwt_mask = (uint32_t)CS_MAX(mask, 0L),
        .tablets = cs_supported_has(supported, CS_EXTENSION_TABLETS),
    };
    read_shards(supported, out);
}
