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
     .form = "host:port,...",
     .help = "where it listens; each address is a node of its cluster"},
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
