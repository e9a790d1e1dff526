/* responder.c - the null server as a command. */
#include "responder/responder.h"
#include "commands/commands.h"
#include "net/tls.h"
#include "run/signals.h"

#include <inttypes.h>
#include <stdio.h>

static void tell_start(struct cs_responder *responder)
{
    const char *name;

    for (size_t i = 0; (name = cs_responder_name(responder, i)); i++)
        printf("listening on %s\n", name);
    fflush(stdout);
}

static void tell_end(const struct cs_responder *responder)
{
    struct cs_responder_counts c = cs_responder_counts(responder);

    printf("%" PRIu64 " connections, %" PRIu64 " requests, %" PRIu64
           " prepares, %" PRIu64 " statements\n",
           c.connections, c.requests, c.prepares, c.statements);
    if (c.right_shard || c.wrong_shard)
        printf("requests by shard: %" PRIu64 " right, %" PRIu64 " wrong\n",
               c.right_shard, c.wrong_shard);
    if (c.tablets_told)
        printf("%" PRIu64 " tablets told\n", c.tablets_told);
    if (c.errors || c.broken || c.dropped || c.stalls)
        printf("told to: %" PRIu64 " errors, %" PRIu64 " broken, %" PRIu64
               " dropped, %" PRIu64 " stalls\n",
               c.errors, c.broken, c.dropped, c.stalls);
}

static enum cs_code serve(struct cs_responder *responder, struct cs_err *err)
{
    struct cs_signals signals = {.fd = -1};
    enum cs_code rc = cs_signals_open(&signals, err);

    if (rc)
        return rc;
    tell_start(responder);
    rc = cs_responder_run(responder, signals.fd, err);
    cs_signals_close(&signals);
    tell_end(responder);
    return rc;
}

static enum cs_code check_tls(const struct cs_settings *settings,
                              struct cs_err *err)
{
    if (settings->responder.keystore)
        return CS_OK;
    if (settings->responder.truststore)
        return cs_fail(err, CS_EUSAGE, "truststore= needs keystore=");
    if (settings->responder.keystore_password)
        return cs_fail(err, CS_EUSAGE, "keystore-password= needs keystore=");
    return CS_OK;
}

enum cs_code cs_command_responder(const struct cs_settings *settings,
                                  struct cs_err *err)
{
    const struct cs_tls_options tls = {
        .keystore = settings->responder.keystore,
        .keystore_password = settings->responder.keystore_password,
        .truststore = settings->responder.truststore,
        .server = true,
        .ask_client = settings->responder.truststore != NULL,
    };
    const struct cs_responder_options options = {
        .listen = settings->responder.listen,
        .port = 9042,
        .version = settings->responder.version,
        .tokens = settings->responder.tokens,
        .user = settings->responder.user,
        .password = settings->responder.password,
        .script = settings->responder.script,
        .rows = settings->responder.rows,
        .stored = settings->responder.stored,
        .delayed = settings->responder.delayed,
        .delay = settings->responder.delay,
        .stall_every_ms = settings->responder.stall_every_ms,
        .stall_ms = settings->responder.stall_ms,
        .errors = settings->responder.errors,
        .broken = settings->responder.broken,
        .dropped = settings->responder.dropped,
        .warnings = settings->responder.warnings,
        .payloads = settings->responder.payloads,
        .shards = settings->responder.shards,
        .shard_port = settings->responder.shard_port,
        .tablets = settings->responder.tablets,
        .tls = tls.keystore ? &tls : NULL,
    };
    struct cs_responder *responder;
    enum cs_code rc = check_tls(settings, err);

    if (!rc)
        rc = cs_responder_new(&options, &responder, err);
    if (rc)
        return rc;
    rc = serve(responder, err);
    cs_responder_free(responder);
    return rc;
}
