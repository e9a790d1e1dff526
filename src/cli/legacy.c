/* legacy.c - the options of the tool of 0.7 to 2.0, translated to the new
 * grammar: for `legacy` all of them, for `stress` those that say the same. */
#include "cli/legacy_internal.h"
#include "cli/parse_internal.h"

#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Words of a translation, at most. */
#define ARGS_MAX 64

struct translation {
    struct cs_cli *cli;
    const char *tool; /* in messages: "legacy", "stress" ... */
    bool own;         /* stress: what only the old tool had is kept */
    bool python;      /* stress.py */
    struct cs_old old;
    char **args;
    int count;
};

static bool is_check(int argc, char *const *argv)
{
    return argc && cs_same_word(argv[0], "check");
}

/* Attached values count only as numbers here: -node is no old option. */
bool cs_legacy_wanted(int argc, char *const *argv)
{
    int at = is_check(argc, argv) ? 1 : 0;
    const char *word = at < argc ? argv[at] : "";
    const char *value;

    if (cs_same_word(word, "legacy"))
        return !(at + 1 < argc && !strcmp(argv[at + 1], "-?"));
    if (!cs_old_option_find(word, &value))
        return false;
    return !value || word[1] == '-' || isdigit((unsigned char)*value);
}

static void add_arg(struct translation *t, const char *fmt, ...)
    CS_PRINTF(2, 3);

static void add_arg(struct translation *t, const char *fmt, ...)
{
    char text[4096];
    va_list va;

    va_start(va, fmt);
    vsnprintf(text, sizeof(text), fmt, va);
    va_end(va);
    if (t->count + 1 < ARGS_MAX)
        t->args[t->count++] = cs_arena_text(&t->cli->scratch, text);
    if (!t->args[t->count - 1])
        t->cli->no_memory = true;
}

static enum cs_code old_number(const struct translation *t, const char *option,
                               const char *text, int64_t usual, int64_t *out,
                               struct cs_err *err)
{
    return cs_old_number(t->tool, option, text, usual, out, err);
}

static enum cs_code refuse_untranslatable(const char *option, const char *value,
                                          struct cs_err *err)
{
    return cs_fail(err, CS_EUNSUPPORTED,
                   "legacy: -%s %.40s cannot be translated; 'cstress stress' "
                   "runs it",
                   option, value);
}

static enum cs_code find_command(const struct translation *t, const char **out,
                                 struct cs_err *err)
{
    enum cs_code rc =
        cs_old_find_command(t->tool, t->old.operation, t->own, out, err);

    if (rc)
        return rc;
    if (!*out && t->own)
        *out = "read"; /* its options; the operation itself is the old one */
    return *out ? CS_OK : refuse_untranslatable("o", t->old.operation, err);
}

static enum cs_code check_family(struct cs_cli *cli, const char *family,
                                 struct cs_err *err)
{
    if (!family)
        return CS_OK;
    if (cs_same_word(family, "Super"))
        return refuse_untranslatable("y", family, err);
    cs_cli_notice(cli, "legacy: -y is ignored: a matter of Thrift");
    return CS_OK;
}

static enum cs_code add_population(struct translation *t, const char *command,
                                   int64_t keys, struct cs_err *err)
{
    const struct cs_old *old = &t->old;
    double stdev = old->stdev ? strtod(old->stdev, NULL) : 0.1;
    double skip = old->skip ? strtod(old->skip, NULL) : 0;
    bool writes =
        !strcmp(command, "write") || !strcmp(command, "counter_write");
    int64_t range = 0;
    enum cs_code rc = old_number(t, "F", old->different, keys, &range, err);

    if (rc)
        return rc;
    if (range < 1)
        return CS_OK; /* only the schema: no population */
    if (!(stdev > 0) || !(skip >= 0) || skip >= 1)
        return cs_fail(err, CS_EUSAGE, "legacy: -%s is out of range",
                       stdev > 0 ? "N" : "s");
    if (skip > 0)
        cs_cli_notice(t->cli, "legacy: -N: the keys begin at %.0f",
                      floor(skip * (double)keys) + 1);
    add_arg(t, "-pop");
    if (writes)
        add_arg(t, "seq=%.0f..%lld", floor(skip * (double)keys) + 1,
                (long long)range);
    else if (old->random)
        add_arg(t, "dist=uniform(1..%lld)", (long long)range);
    else
        add_arg(t, "dist=gauss(1..%lld,%.6f)", (long long)range, 0.5 / stdev);
    return CS_OK;
}

static enum cs_code add_columns(struct translation *t, struct cs_err *err)
{
    const struct cs_old *old = &t->old;
    int64_t count = 0;
    int64_t size = 0;
    enum cs_code rc = old_number(t, "c", old->columns, 5, &count, err);

    if (!rc)
        rc = old_number(t, "S", old->size, 34, &size, err);
    if (rc)
        return rc;
    add_arg(t, "-col");
    if (old->names)
        add_arg(t, "names=%s", old->names);
    else
        add_arg(t, "n=FIXED(%lld)", (long long)count);
    if (old->average)
        add_arg(t, "size=UNIFORM(1..%lld)", (long long)(2 * size));
    else
        add_arg(t, "size=FIXED(%lld)", (long long)size);
    return CS_OK;
}

static enum cs_code add_errors(struct translation *t, struct cs_err *err)
{
    const struct cs_old *old = &t->old;
    int64_t tries = 0;
    enum cs_code rc = old_number(t, "K", old->trying, 10, &tries, err);

    if (rc)
        return rc;
    if (tries < 1)
        return cs_fail(err, CS_EUSAGE, "%s: -K starts at 1", t->tool);
    if (t->python && !old->trying)
        tries = 1; /* it knew no -K */
    if (!old->trying && !old->going && !t->python)
        return CS_OK;
    add_arg(t, "-errors");
    if (old->going)
        add_arg(t, "ignore");
    add_arg(t, "retries=%lld", old->going ? 0LL : (long long)tries - 1);
    return CS_OK;
}

/* dc1:3,dc2:2 becomes dc1=3,dc2=2. */
static void add_schema(struct translation *t)
{
    const struct cs_old *old = &t->old;
    char places[1024];

    if (!old->factor && !old->strategy && !old->properties &&
        !old->compression && !old->compaction)
        return;
    snprintf(places, sizeof(places), "%s",
             old->properties ? old->properties : "");
    for (char *p = places; *p; p++)
        if (*p == ':')
            *p = '=';
    add_arg(t, "-schema");
    if (old->factor || old->strategy || old->properties)
        add_arg(t, "replication(strategy=%s%s%s%s%s)",
                old->strategy ? old->strategy : "SimpleStrategy",
                old->factor ? ",factor=" : "", old->factor ? old->factor : "",
                *places ? "," : "", places);
    if (old->compression)
        add_arg(t, "compression=%s", old->compression);
    if (old->compaction)
        add_arg(t, "compaction(strategy=%s)", old->compaction);
}

static void add_pair(struct translation *t, const char *key, const char *value)
{
    if (value)
        add_arg(t, "%s=%s", key, value);
}

static void add_transport(struct translation *t)
{
    const struct cs_old *old = &t->old;

    if (old->truststore || old->truststore_password || old->protocol ||
        old->algorithm || old->store_type || old->ciphers)
        add_arg(t, "-transport");
    add_pair(t, "truststore", old->truststore);
    add_pair(t, "truststore-password", old->truststore_password);
    add_pair(t, "ssl-protocol", old->protocol);
    add_pair(t, "ssl-alg", old->algorithm);
    add_pair(t, "store-type", old->store_type);
    add_pair(t, "ssl-ciphers", old->ciphers);
}

static void add_connection(struct translation *t)
{
    const struct cs_old *old = &t->old;

    add_arg(t, "-mode");
    add_arg(t, "native");
    add_arg(t, "cql3");
    if (!old->prepared && !t->own)
        add_arg(t, "unprepared");
    add_pair(t, "user", old->user);
    add_pair(t, "password", old->password);
    if (old->nodes || old->node_file)
        add_arg(t, "-node");
    if (old->node_file)
        add_arg(t, "file=%s", old->node_file);
    else if (old->nodes)
        add_arg(t, "%s", old->nodes);
    if (old->send_to)
        add_arg(t, "-sendto");
    if (old->send_to)
        add_arg(t, "%s", old->send_to);
    add_transport(t);
}

static void add_log(struct translation *t)
{
    const struct cs_old *old = &t->old;

    add_arg(t, "-log");
    add_arg(t, "interval=%s", old->interval ? old->interval : "10");
    add_pair(t, "file", old->file);
    if (old->quiet)
        add_arg(t, "no-summary");
}

/* 9160 was Thrift's, and stands in many scripts. */
static void add_port(struct translation *t)
{
    const char *port = t->old.port;

    if (port && !strcmp(port, "9160"))
        cs_cli_notice(t->cli, "%s: -p 9160 is ignored: the port of Thrift",
                      t->tool);
    else if (port) {
        add_arg(t, "-port");
        add_arg(t, "native=%s", port);
    }
}

static enum cs_code add_level(struct translation *t, struct cs_err *err)
{
    const char *text = t->old.level ? t->old.level : "ONE";
    enum cs_consistency level;
    const char *nearest;

    add_arg(t, "cl=%s", text);
    if (cs_consistency_parse(text, &level))
        return CS_OK;
    nearest = cs_consistency_nearest(text);
    return cs_fail(err, CS_EUSAGE,
                   "%s: -e: unknown consistency level '%.40s'%s%s%s", t->tool,
                   text, nearest ? ", try '" : "", nearest ? nearest : "",
                   nearest ? "'" : "");
}

static enum cs_code add_all(struct translation *t, const char *command,
                            struct cs_err *err)
{
    const struct cs_old *old = &t->old;
    int64_t keys = 0;
    enum cs_code rc = old_number(t, "n", old->keys, 1000000, &keys, err);

    if (rc)
        return rc;
    add_arg(t, "%s", command);
    add_arg(t, "n=%lld", (long long)keys);
    add_arg(t, "no-warmup");
    rc = add_level(t, err);
    if (!rc && !t->own)
        rc = add_population(t, command, keys, err);
    add_arg(t, "-rate");
    add_arg(t, "threads=%s", old->threads ? old->threads : "50");
    if (old->throttle)
        add_arg(t, "throttle=%s/s", old->throttle);
    if (!rc && !t->own)
        rc = add_columns(t, err);
    if (!rc)
        rc = add_errors(t, err);
    add_schema(t);
    if (t->own)
        add_port(t);
    else
        add_log(t);
    add_connection(t);
    return rc;
}

static void announce(struct translation *t)
{
    struct cs_buf line;

    cs_buf_init(&line, 1u << 16);
    for (int i = 0; i < t->count; i++)
        cs_buf_printf(&line, "%s%s", i ? " " : "",
                      cs_word_shown(t->cli, t->args[i] ? t->args[i] : ""));
    cs_cli_notice(t->cli, "legacy: translated to: %s", cs_buf_text(&line));
    cs_buf_release(&line);
}

static enum cs_code translate(struct translation *t, int argc,
                              char *const *argv, struct cs_err *err)
{
    const char *command = NULL;
    enum cs_code rc =
        cs_old_read(t->cli, t->tool, t->own, argc, argv, &t->old, err);

    if (!rc && t->old.help) {
        add_arg(t, "help");
        add_arg(t, t->own ? "stress" : "legacy");
        return CS_OK;
    }
    if (!rc)
        rc = find_command(t, &command, err);
    if (!rc && !t->own)
        rc = check_family(t->cli, t->old.family, err);
    if (!rc)
        rc = add_all(t, command, err);
    if (!rc && !t->own)
        announce(t);
    return rc;
}

/* A line of usage behind what is wrong with a line. */
static enum cs_code add_usage(const char *usage, struct cs_err *err)
{
    size_t used = strlen(err->text);

    if (err->code == CS_EUSAGE)
        snprintf(err->text + used, sizeof(err->text) - used, "\nUsage: %s",
                 usage);
    return err->code;
}

enum cs_code cs_legacy_translate(struct cs_cli *cli, int argc,
                                 char *const *argv, int *out_argc,
                                 char ***out_argv, struct cs_err *err)
{
    struct translation t = {.cli = cli, .tool = "legacy"};
    int at = is_check(argc, argv) ? 1 : 0;
    bool named = cs_same_word(argv[at], "legacy");
    enum cs_code rc;

    t.args = cs_arena_array(&cli->scratch, ARGS_MAX, sizeof(*t.args));
    if (!t.args)
        return cs_fail(err, CS_ENOMEM, "command line: out of memory");
    if (!named && cli->strict)
        return cs_fail(err, CS_EUSAGE,
                       "no command specified; it must come first");
    if (!named)
        cs_cli_warn(cli, "options of the old tool, taken as 'legacy'");
    if (at)
        add_arg(&t, "check");
    at += named;
    rc = translate(&t, argc - at, argv + at, err);
    *out_argc = t.count;
    *out_argv = t.args;
    return rc ? add_usage("cstress legacy [old options]; cstress help legacy",
                          err)
              : CS_OK;
}

enum cs_code cs_stress_translate(struct cs_cli *cli, const char *tool, int argc,
                                 char *const *argv, int *out_argc,
                                 char ***out_argv, struct cs_err *err)
{
    struct translation t = {.cli = cli,
                            .tool = tool,
                            .own = true,
                            .python = cs_same_word(tool, "stress.py")};
    struct cs_old *kept = cs_arena_alloc(&cli->scratch, sizeof(*kept));
    enum cs_code rc;

    t.args = cs_arena_array(&cli->scratch, ARGS_MAX, sizeof(*t.args));
    if (!t.args || !kept)
        return cs_fail(err, CS_ENOMEM, "command line: out of memory");
    rc = translate(&t, argc, argv, err);
    *kept = t.old;
    *out_argc = t.count;
    *out_argv = t.args;
    if (!rc && !t.old.help)
        cli->old = kept;
    cli->old_tool = tool;
    return rc ? add_usage("stress [options]; stress --help", err) : CS_OK;
}
