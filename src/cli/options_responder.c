/* options_responder.c - the parameters of the command responder. */
#include "cli/options_internal.h"
#include "cli/parse_internal.h"

#include <stdlib.h>

static enum cs_code store_share(struct cs_cli *cli,
                                const struct cs_option *option,
                                const char *value, struct cs_err *err)
{
    char *settings = (char *)cli->settings;
    double share;
    char *end;

    share = strtod(value, &end);
    if (end == value || *end || !(share >= 0 && share <= 1))
        return cs_fail(err, CS_EUSAGE, "a share is from 0 to 1, as 0.001");
    *(double *)(void *)(settings + option->at) = share;
    return CS_OK;
}

static const struct cs_option responder_rows[] = {
    {.key = "listen=",
     .type = CS_OPTION_TEXT,
     .at = CS_AT(responder.listen),
     .preset = "127.0.0.1:9042",
     .form = "host:port/dc/rack,...",
     .help = "where it listens; each address is a node of its cluster, in a "
             "data centre and a rack (datacenter1, rack1)"},
    {.key = "tokens=",
     .type = CS_OPTION_INT,
     .at = CS_AT(responder.tokens),
     .min = 1,
     .max = 1024,
     .preset = "1",
     .help = "tokens of each node"},
    {.key = "protocolVersion=",
     .type = CS_OPTION_INT,
     .at = CS_AT(responder.version),
     .min = 3,
     .max = 5,
     .preset = "5",
     .help = "newest protocol version it speaks"},
    {.key = "delay=",
     .type = CS_OPTION_DIST,
     .at = CS_AT(responder.delay),
     .has_at = CS_AT(responder.delayed),
     .shown = "none",
     .help = "microseconds before an answer to a statement on a table"},
    {.key = "stall-every=",
     .type = CS_OPTION_INT,
     .at = CS_AT(responder.stall_every_ms),
     .max = 1000000000,
     .preset = "0",
     .help = "milliseconds from one stall of the whole server to the next; 0 "
             "is never"},
    {.key = "stall=",
     .type = CS_OPTION_INT,
     .at = CS_AT(responder.stall_ms),
     .max = 1000000000,
     .preset = "500",
     .help = "milliseconds that a stall takes"},
    {.key = "errors=",
     .type = CS_OPTION_TEXT,
     .at = CS_AT(responder.errors),
     .form = "name:share,...",
     .help = "share of answers that are errors, as "
             "overloaded:0.01,write_timeout:0.002"},
    {.key = "broken=",
     .type = CS_OPTION_CUSTOM,
     .at = CS_AT(responder.broken),
     .store = store_share,
     .shown = "0",
     .form = "share",
     .help = "share of answers with a wrong length or checksum"},
    {.key = "dropped=",
     .type = CS_OPTION_CUSTOM,
     .at = CS_AT(responder.dropped),
     .store = store_share,
     .shown = "0",
     .form = "share",
     .help = "share of answers in whose place the connection is closed"},
    {.key = "warnings=",
     .type = CS_OPTION_CUSTOM,
     .at = CS_AT(responder.warnings),
     .store = store_share,
     .shown = "0",
     .form = "share",
     .help = "share of answers with a warning"},
    {.key = "payloads=",
     .type = CS_OPTION_CUSTOM,
     .at = CS_AT(responder.payloads),
     .store = store_share,
     .shown = "0",
     .form = "share",
     .help = "share of answers with a custom payload"},
    {.key = "shards=",
     .type = CS_OPTION_INT,
     .at = CS_AT(responder.shards),
     .max = 4096,
     .preset = "0",
     .help = "shards of each node, as ScyllaDB has them; it counts requests "
             "that came to the right one"},
    {.key = "shard-aware-port=",
     .type = CS_OPTION_TEXT,
     .at = CS_AT(responder.shard_port),
     .form = "port",
     .help = "where the client's port chooses the shard; with /refused behind "
             "it nobody listens there, with /shifted another shard answers"},
    {.key = "tablets=",
     .type = CS_OPTION_INT,
     .at = CS_AT(responder.tablets),
     .max = 65536,
     .preset = "0",
     .help = "tablets of each table, as ScyllaDB has them, on the nodes and "
             "shards; who comes to a wrong one is told"},
    {.key = "rows=",
     .type = CS_OPTION_INT,
     .at = CS_AT(responder.rows),
     .min = 1,
     .max = 1000000,
     .preset = "1",
     .help = "rows that are made up for a SELECT; in pages, as asked for"},
    {.key = "stored=",
     .type = CS_OPTION_LONG,
     .at = CS_AT(responder.stored),
     .preset = "0",
     .form = "bytes",
     .help = "bytes of rows that are kept, so that reads find what was "
             "written; 0 keeps none"},
    {.key = "script=",
     .type = CS_OPTION_PATH,
     .at = CS_AT(responder.script),
     .free_text = true,
     .help = "file with a line for each thing that happens: nodes that go and "
             "come, changes of the schema, errors"},
    {.key = "user=",
     .type = CS_OPTION_TEXT,
     .at = CS_AT(responder.user),
     .free_text = true,
     .help = "who must log in; nobody has to without it"},
    {.key = "password=",
     .type = CS_OPTION_SECRET,
     .at = CS_AT(responder.password),
     .free_text = true,
     .help = "the password of user="},
    {.key = "keystore=",
     .type = CS_OPTION_PATH,
     .at = CS_AT(responder.keystore),
     .free_text = true,
     .help = "store with its key and certificate; switches TLS on"},
    {.key = "keystore-password=",
     .type = CS_OPTION_SECRET,
     .at = CS_AT(responder.keystore_password),
     .free_text = true,
     .help = "its password"},
    {.key = "truststore=",
     .type = CS_OPTION_PATH,
     .at = CS_AT(responder.truststore),
     .free_text = true,
     .help = "store with the certificates that clients must have one of; no "
             "store, no question"},
};

const struct cs_option_group cs_options_responder = {
    .name = "responder",
    .command = CS_COMMAND_RESPONDER,
    .special = true,
    .help = "a server that answers at once and stores nothing, for measuring "
            "clients; can be told to misbehave",
    .tables = {CS_TABLE(responder_rows)}};
