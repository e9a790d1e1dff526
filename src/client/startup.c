/* startup.c - what a connection is switched to. */
#include "client/startup.h"

#include "protocol/tablets.h"

static bool is_compressed(const struct cs_connection_config *config)
{
    return config->lz4 || config->snappy;
}

enum cs_framing cs_startup_framing(const struct cs_connection_config *config)
{
    if (config->version >= 5)
        return config->lz4 ? CS_FRAMING_SEGMENT_LZ4 : CS_FRAMING_SEGMENT;
    if (config->snappy)
        return CS_FRAMING_BODY_SNAPPY;
    return config->lz4 ? CS_FRAMING_BODY_LZ4 : CS_FRAMING_PLAIN;
}

size_t cs_startup_options(const struct cs_connection *connection,
                          struct cs_startup_option *out)
{
    const struct cs_connection_config *config = connection->config;
    size_t count = 0;

    out[count++] = (struct cs_startup_option){"CQL_VERSION", "3.0.0"};
    out[count++] = (struct cs_startup_option){"DRIVER_NAME", "cstress"};
    out[count++] =
        (struct cs_startup_option){"DRIVER_VERSION", CSTRESS_VERSION};
    if (is_compressed(config))
        out[count++] = (struct cs_startup_option){
            "COMPRESSION", config->snappy ? "snappy" : "lz4"};
    if (connection->sharding.rate_limit)
        out[count++] = (struct cs_startup_option){CS_EXTENSION_RATE_LIMIT, ""};
    if (connection->sharding.lwt_mask)
        out[count++] = (struct cs_startup_option){CS_EXTENSION_LWT_MARK, ""};
    if (connection->sharding.tablets)
        out[count++] = (struct cs_startup_option){CS_EXTENSION_TABLETS, ""};
    return count;
}
