/* hosts.c - where to connect to: -node, with -mode port= or -port native= for
 * hosts without a port of their own, or -mode socket=. */
#include "mysql/mysql_internal.h"

#include <stdio.h>
#include <stdlib.h>

/* "host", "host:port", "[address]:port" or an address of IPv6 as it is. */
static bool split(const char *typed, struct cs_mysql_host *out)
{
    const char *colon = strrchr(typed, ':');
    size_t size = strlen(typed);
    char *end;
    long port;

    if (colon && strchr(typed, ':') != colon && *typed != '[')
        colon = NULL;
    if (colon && *typed == '[' && colon[-1] != ']')
        colon = NULL;
    if (colon) {
        port = strtol(colon + 1, &end, 10);
        if (end == colon + 1 || *end || port < 1 || port > 65535)
            return false;
        out->port = (unsigned)port;
        size = (size_t)(colon - typed);
    }
    if (*typed == '[' && size > 1 && typed[size - 1] == ']') {
        typed++;
        size -= 2;
    }
    if (!size || size >= sizeof(out->address))
        return false;
    memcpy(out->address, typed, size);
    out->address[size] = '\0';
    return true;
}

static enum cs_code use_socket(const char *path, struct cs_mysql_host *host)
{
    snprintf(host->address, sizeof(host->address), "localhost");
    host->socket = path;
    host->port = 0;
    return CS_OK;
}

enum cs_code cs_mysql_hosts(const struct cs_settings *settings,
                            struct cs_arena *arena, struct cs_mysql_host **out,
                            size_t *count, struct cs_err *err)
{
    const struct cs_settings_node *node = &settings->node;
    struct cs_mysql_host *hosts =
        cs_arena_array(arena, CS_MAX(node->count, 1), sizeof(*hosts));

    if (!hosts)
        return cs_fail(err, CS_ENOMEM, "hosts: out of memory");
    *out = hosts;
    *count = 1;
    if (settings->mode.socket)
        return use_socket(settings->mode.socket, hosts);
    for (size_t i = 0; i < node->count; i++) {
        hosts[i].port = (unsigned)settings->mode.port;
        if (!split(node->hosts[i], &hosts[i]))
            return cs_fail(err, CS_EINVALID,
                           "-node: '%.80s' is no host, expected a name or an "
                           "address, and a port behind a colon if need be",
                           node->hosts[i]);
    }
    *count = node->count;
    return CS_OK;
}

void cs_mysql_host_name(const struct cs_mysql_host *host,
                        struct cs_node_name *out)
{
    if (host->socket)
        snprintf(out->text, sizeof(out->text), "%.79s", host->socket);
    else
        snprintf(out->text, sizeof(out->text), "%s:%u", host->address,
                 host->port);
}
