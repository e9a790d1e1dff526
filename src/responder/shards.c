/* shards.c - the responder as a node of ScyllaDB: connections belong to shards,
 * and it is counted whether requests came to that of their partition. */
#include "responder/peer_internal.h"
#include "responder/store_internal.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>

/* What ScyllaDB does unasked. */
#define IGNORE_MSB 12

/* ---- the port ---- */

/* "19042", "19042/refused", "19042/shifted". */
enum cs_code cs_shards_init(struct cs_responder *responder, struct cs_err *err)
{
    const char *text = responder->options->shard_port;
    char *end;
    long port;

    responder->shard_port = (struct cs_shard_port){.port = 0};
    if (!text)
        return CS_OK;
    port = strtol(text, &end, 10);
    responder->shard_port.refused = !strcmp(end, "/refused");
    responder->shard_port.shifted = !strcmp(end, "/shifted");
    if (end == text || port < 1 || port > 65535 ||
        (*end && !responder->shard_port.refused &&
         !responder->shard_port.shifted))
        return cs_fail(err, CS_EUSAGE,
                       "shard-aware-port=%s: expected a port, or a port with "
                       "/refused or /shifted behind it",
                       text);
    if (!responder->options->shards)
        return cs_fail(err, CS_EUSAGE, "shard-aware-port= needs shards=");
    responder->shard_port.port = (int)port;
    return CS_OK;
}

/* ---- connections ---- */

static unsigned port_of(int fd)
{
    struct sockaddr_storage sa;
    socklen_t size = sizeof(sa);

    if (getpeername(fd, (struct sockaddr *)&sa, &size))
        return 0;
    if (sa.ss_family == AF_INET6)
        return ntohs(((struct sockaddr_in6 *)&sa)->sin6_port);
    return ntohs(((struct sockaddr_in *)&sa)->sin_port);
}

void cs_shards_place(struct cs_peer *peer, struct cs_listener *listener, int fd)
{
    struct cs_responder *responder = peer->responder;
    unsigned count = (unsigned)responder->options->shards;
    unsigned at;

    if (!count)
        return;
    at = listener->by_shard ? port_of(fd) + responder->shard_port.shifted
                            : listener->shard_turn++;
    peer->shard = at % count;
}

struct cs_sharding cs_shards_told(const struct cs_peer *peer)
{
    const struct cs_responder *responder = peer->responder;
    int port = responder->shard_port.port;

    return (struct cs_sharding){
        .count = (unsigned)responder->options->shards,
        .shard = peer->shard,
        .ignore_msb = IGNORE_MSB,
        .port = responder->tls ? 0 : port,
        .tls_port = responder->tls ? port : 0,
        .rate_limit = responder->options->shards != 0,
        .rate_limit_code = CS_SERVER_RATE_LIMIT,
        .lwt_mask = responder->options->shards ? CS_LWT_MARK : 0,
        .tablets = responder->tablets.count != 0,
    };
}

/* ---- requests ---- */

/* The key as it is hashed; false: not all of it is there. */
static bool put_key(struct cs_buf *key, const struct cs_script *script,
                    const struct cs_bounds *bounds)
{
    cs_buf_clear(key);
    for (unsigned i = 0; i < script->key_count; i++) {
        const struct cs_bound *value = &bounds->list[script->key_binds[i]];

        if (script->key_binds[i] >= bounds->count || value->size < 0)
            return false;
        if (script->key_count > 1)
            cs_buf_put16(key, (uint16_t)value->size);
        cs_buf_put(key, value->data, (size_t)value->size);
        if (script->key_count > 1)
            cs_buf_put8(key, 0);
    }
    return script->key_count && !key->fault;
}

static bool is_right(struct cs_peer *peer, const struct cs_table *table,
                     int64_t token)
{
    const struct cs_responder *responder = peer->responder;

    if (responder->tablets.count)
        return cs_tablets_check(peer, table, token);
    return cs_shard_of((unsigned)responder->options->shards, IGNORE_MSB,
                       token) == peer->shard;
}

void cs_shards_count(struct cs_peer *peer, const struct cs_script *script,
                     struct cs_reader body)
{
    struct cs_responder *responder = peer->responder;
    struct cs_asked asked;
    int64_t token;

    if (peer->version >= 5)
        cs_read_string(&body);
    if (!cs_asked_read(&body, peer->version, script, &responder->bounds,
                       &asked) ||
        !put_key(&responder->key, script, &responder->bounds))
        return;
    token = cs_store_token(responder->key.data, responder->key.size);
    if (is_right(peer, script->table, token))
        responder->counts.right_shard++;
    else
        responder->counts.wrong_shard++;
}
