/* legacy.c - the options of the tool of 0.7 to 2.0, translated to the new
 * grammar. */
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

static enum cs_code read_old(struct translation *t, int argc, char *const *argv,
                             struct cs_err *err)
{
    for (int i = 0; i < argc; i++) {
        const char *value;
        const struct cs_old_option *o = cs_old_option_find(argv[i], &value);

        if (!o && argv[i][0] != '-')
            return cs_fail(err, CS_EUSAGE,
                           "legacy: word %d stands alone, expected options",
                           i + 1);
        if (!o)
            return cs_fail(err, CS_EUSAGE, "legacy: unknown option '%.80s'",
                           argv[i]);
        if (!o->takes_value)
            value = o->name;
        else if (!value && ++i < argc)
            value = argv[i];
        if (!value)
            return cs_fail(err, CS_EUSAGE, "legacy: -%s has no value", o->name);
        if (o->at == CS_OLD_NOWHERE)
            cs_cli_notice(t->cli, "legacy: -%s is %s", o->name, o->help);
        else
            *(const char **)(void *)((char *)&t->old + o->at) = value;
    }
    return CS_OK;
}

static enum cs_code old_number(const char *option, const char *text,
                               int64_t usual, int64_t *out, struct cs_err *err)
{
    char *end;

    *out = usual;
    if (!text)
        return CS_OK;
    *out = strtoll(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end || *out > INT64_MAX / 4)
        return cs_fail(err, CS_EUSAGE, "legacy: -%s: '%.40s' is not a number",
                       option, text);
    return CS_OK;
}

static const char *new_command(const char *operation)
{
    static const char *const pairs[][2] = {
        {"INSERT", "write"},
        {"WRITE", "write"},
        {"READ", "read"},
        {"COUNTER_ADD", "counter_write"},
        {"COUNTERADD", "counter_write"},
        {"COUNTERWRITE", "counter_write"},
        {"COUNTER_GET", "counter_read"},
        {"COUNTERGET", "counter_read"},
        {"COUNTERREAD", "counter_read"},
        {"READWRITE", "mixed"},
    };

    for (size_t i = 0; i < CS_COUNT(pairs); i++)
        if (!operation || cs_same_word(pairs[i][0], operation))
            return pairs[i][1];
    return NULL;
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
    enum cs_code rc = old_number("F", old->different, keys, &range, err);

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
    enum cs_code rc = old_number("c", old->columns, 5, &count, err);

    if (!rc)
        rc = old_number("S", old->size, 34, &size, err);
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
    enum cs_code rc = old_number("K", old->trying, 10, &tries, err);

    if (rc)
        return rc;
    if (tries < 1)
        return cs_fail(err, CS_EUSAGE, "legacy: -K starts at 1");
    if (!old->trying && !old->going)
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

static void add_connection(struct translation *t)
{
    const struct cs_old *old = &t->old;

    add_arg(t, "-mode");
    add_arg(t, "native");
    add_arg(t, "cql3");
    if (!old->prepared)
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
    if (old->truststore || old->truststore_password || old->protocol ||
        old->ciphers)
        add_arg(t, "-transport");
    add_pair(t, "truststore", old->truststore);
    add_pair(t, "truststore-password", old->truststore_password);
    add_pair(t, "ssl-protocol", old->protocol);
    add_pair(t, "ssl-ciphers", old->ciphers);
}

static enum cs_code add_all(struct translation *t, const char *command,
                            struct cs_err *err)
{
    const struct cs_old *old = &t->old;
    int64_t keys = 0;
    enum cs_code rc = old_number("n", old->keys, 1000000, &keys, err);

    if (rc)
        return rc;
    add_arg(t, "%s", command);
    add_arg(t, "n=%lld", (long long)keys);
    add_arg(t, "no-warmup");
    add_arg(t, "cl=%s", old->level ? old->level : "ONE");
    rc = add_population(t, command, keys, err);
    add_arg(t, "-rate");
    add_arg(t, "threads=%s", old->threads ? old->threads : "50");
    if (old->throttle)
        add_arg(t, "throttle=%s/s", old->throttle);
    if (!rc)
        rc = add_columns(t, err);
    if (!rc)
        rc = add_errors(t, err);
    add_schema(t);
    add_arg(t, "-log");
    add_arg(t, "interval=%s", old->interval ? old->interval : "10");
    add_pair(t, "file", old->file);
    if (old->quiet)
        add_arg(t, "no-summary");
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

enum cs_code cs_legacy_translate(struct cs_cli *cli, int argc,
                                 char *const *argv, int *out_argc,
                                 char ***out_argv, struct cs_err *err)
{
    struct translation t = {.cli = cli};
    int at = is_check(argc, argv) ? 1 : 0;
    bool named = cs_same_word(argv[at], "legacy");
    const char *command;
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
    rc = read_old(&t, argc - at, argv + at, err);
    if (rc)
        return rc;
    command = new_command(t.old.operation);
    if (!command || (t.old.family && cs_same_word(t.old.family, "Super")))
        return cs_fail(err, CS_EUNSUPPORTED,
                       "legacy: -%s %.40s cannot be translated; only 'cstress "
                       "stress' runs it, which this version does not have",
                       command ? "y" : "o",
                       command ? t.old.family : t.old.operation);
    if (t.old.help) {
        add_arg(&t, "help");
        add_arg(&t, "legacy");
    } else {
        rc = add_all(&t, command, err);
        announce(&t);
    }
    *out_argc = t.count;
    *out_argv = t.args;
    return rc;
}
