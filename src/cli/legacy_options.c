/* legacy_options.c - the table of the old tool's options. */
#include "cli/help_internal.h"
#include "cli/legacy_internal.h"

#include "base/text.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>

#define OLD(member) offsetof(struct cs_old, member)

static const struct cs_old_option options[] = {
    {"n", "num-keys", true, OLD(keys), "number of keys (1000000)", NULL},
    {"F", "num-different-keys", true, OLD(different),
     "number of different keys (as many as -n)", NULL},
    {"N", "skip-keys", true, OLD(skip), "fraction of the keys to skip at first",
     NULL},
    {"t", "threads", true, OLD(threads), "operations in flight (50)", NULL},
    {"t", "threadCount", true, OLD(threads), NULL, NULL},
    {"th", "throttle", true, OLD(throttle), "operations per second, at most",
     NULL},
    {"c", "columns", true, OLD(columns), "columns per key (5)", NULL},
    {"c", "cells", true, OLD(columns), NULL, NULL},
    {"S", "column-size", true, OLD(size), "bytes per column (34)", NULL},
    {"C", "cardinality", true, OLD(cardinality),
     "number of different values (50)", "ignored: values are drawn by key"},
    {"RC", "row-cardinality", true, CS_OLD_NOWHERE, "without effect",
     "ignored"},
    {"V", "average-size-values", false, OLD(average),
     "values of random bytes and sizes, column-size on average", NULL},
    {"d", "nodes", true, OLD(nodes), "hosts, separated by commas (localhost)",
     NULL},
    {"D", "nodesfile", true, OLD(node_file), "file with a host per line", NULL},
    {"D", "nodefile", true, OLD(node_file), NULL, NULL},
    {"s", "stdev", true, OLD(stdev),
     "spread of the keys that are read, as a fraction of them (0.1)", NULL},
    {"r", "random", false, OLD(random), "read keys uniformly", NULL},
    {"f", "file", true, OLD(file), "file for the rows", NULL},
    {"p", "port", true, OLD(port),
     "native port, unless it is 9160, that of Thrift",
     "ignored: the port of Thrift"},
    {"m", "unframed", false, CS_OLD_NOWHERE, "without effect",
     "ignored: a matter of Thrift"},
    {"m", "framed", false, CS_OLD_NOWHERE, NULL, "ignored: a matter of Thrift"},
    {"o", "operation", true, OLD(operation),
     "INSERT, READ, RANGE_SLICE, INDEXED_RANGE_SLICE, MULTI_GET, COUNTER_ADD "
     "or COUNTER_GET (INSERT)",
     NULL},
    {"u", "supercolumns", true, OLD(supers), "super columns per key (1)",
     "ignored: a matter of Thrift"},
    {"y", "family-type", true, OLD(family), "Standard or Super (Standard)",
     NULL},
    {"k", "keep-going", false, OLD(going), "report errors and go on", NULL},
    {"K", "keep-trying", true, OLD(trying), "tries per operation (10)", NULL},
    {"i", "progress-interval", true, OLD(interval),
     "seconds between the rows (10)", NULL},
    {"g", "keys-per-call", true, OLD(per_call),
     "keys of a slice or a multiget (1000)", "ignored"},
    {"g", "get-range-slice-count", true, OLD(per_call), NULL, "ignored"},
    {"l", "replication-factor", true, OLD(factor),
     "replicas, when the keyspace is made (1)", NULL},
    {"e", "consistency-level", true, OLD(level), "consistency level (ONE)",
     NULL},
    {"x", "create-index", true, OLD(index), "KEYS: an index on C1", "ignored"},
    {"R", "replication-strategy", true, OLD(strategy),
     "replication strategy (SimpleStrategy)", NULL},
    {"O", "strategy-properties", true, OLD(properties),
     "replicas per data centre, as in dc1:3,dc2:2", NULL},
    {"W", "no-replicate-on-write", false, CS_OLD_NOWHERE, "without effect",
     "ignored"},
    {"T", "send-to", true, OLD(send_to), "not used: there is no daemon", NULL},
    {"I", "compression", true, OLD(compression), "compression class", NULL},
    {"Q", "query-names", true, OLD(names), "names of the columns to read",
     NULL},
    {"Z", "compaction-strategy", true, OLD(compaction), "compaction class",
     NULL},
    {"U", "comparator", true, CS_OLD_NOWHERE, "without effect",
     "ignored: a matter of Thrift"},
    {"L", "enable-cql", false, CS_OLD_NOWHERE, "without effect",
     "ignored: always CQL"},
    {"P", "use-prepared-statements", false, OLD(prepared),
     "prepared statements", NULL},
    {"L3", "enable-cql3", false, CS_OLD_NOWHERE, "without effect",
     "ignored: always CQL"},
    {"b", "enable-native-protocol", false, CS_OLD_NOWHERE, "without effect",
     "ignored: always native"},
    {"tf", "transport-factory", true, CS_OLD_NOWHERE, "without effect",
     "ignored: a matter of Thrift"},
    {"ts", "truststore", true, OLD(truststore), "store of certificates", NULL},
    {"tspw", "truststore-password", true, OLD(truststore_password),
     "its password", NULL},
    {"prtcl", "ssl-protocol", true, OLD(protocol), "TLS version", NULL},
    {"alg", "ssl-alg", true, OLD(algorithm), "without effect", NULL},
    {"st", "store-type", true, OLD(store_type), "without effect", NULL},
    {"ciphers", "ssl-ciphers", true, OLD(ciphers), "cipher suites", NULL},
    {"ns", "no-statistics", false, OLD(quiet), "no averages at the end", NULL},
    {"un", "username", true, OLD(user), "user", NULL},
    {"pw", "password", true, OLD(password), "password", NULL},
    {"", "layout", true, OLD(layout),
     "columns of the rows: 2009, 2010-01, 0.7, 1.2-beta, 1.2.0, 1.2 or 2.0 "
     "(0.7)",
     "ignored: 'cstress stress' has it"},
    {"", "averages", false, OLD(averages),
     "averages of the rows at the end, as 2.0 had them",
     "ignored: 'cstress stress' has it"},
    {"", "true-rates", false, OLD(true_rates),
     "rates by the true time between two rows",
     "ignored: 'cstress stress' has it"},
    {"h", "help", false, OLD(help), "this text", NULL},
};

void cs_legacy_help(struct cs_buf *out)
{
    cs_buf_puts(out, "\nUsage: legacy [old options]\n\n");
    for (size_t i = 0; i < CS_COUNT(options); i++) {
        const struct cs_old_option *o = &options[i];

        if (o->name[0] && o->help)
            cs_buf_printf(out, "  -%-8s --%-26s %s\n", o->name, o->words,
                          o->ignored ? o->ignored : o->help);
    }
}

/* "NUM-KEYS" of "num-keys". */
static void put_value_name(struct cs_buf *out, const struct cs_old_option *o,
                           char mark)
{
    if (!o->takes_value)
        return;
    cs_buf_put8(out, (uint8_t)mark);
    for (const char *p = o->words; *p; p++)
        cs_buf_put8(out, (uint8_t)toupper((unsigned char)*p));
}

void cs_stress_help(struct cs_buf *out)
{
    cs_buf_puts(out, "Usage: ./bin/stress [options]\n\nOptions:\n");
    for (size_t i = 0; i < CS_COUNT(options); i++) {
        const struct cs_old_option *o = &options[i];

        if (!o->help)
            continue;
        cs_buf_puts(out, "  ");
        if (o->name[0]) {
            cs_buf_printf(out, "-%s", o->name);
            put_value_name(out, o, ' ');
            cs_buf_puts(out, ", ");
        }
        cs_buf_printf(out, "--%s", o->words);
        put_value_name(out, o, '=');
        cs_buf_printf(out, "\n        %s\n", o->help);
    }
}

const struct cs_old_option *cs_old_option_find(const char *word,
                                               const char **value)
{
    *value = NULL;
    for (size_t i = 0; i < CS_COUNT(options); i++) {
        const struct cs_old_option *o = &options[i];
        size_t size = strlen(o->words);

        if (word[0] != '-')
            return NULL;
        if (o->name[0] && !strcmp(word + 1, o->name))
            return o;
        if (word[1] != '-' || strncmp(word + 2, o->words, size) != 0)
            continue;
        if (word[2 + size] == '=')
            *value = word + 3 + size;
        if (!word[2 + size] || *value)
            return o;
    }
    for (size_t i = 0; i < CS_COUNT(options); i++) {
        const struct cs_old_option *o = &options[i];

        if (o->takes_value && o->name[0] && !o->name[1] &&
            word[1] == o->name[0]) {
            *value = word + 2;
            return o;
        }
    }
    return NULL;
}

enum cs_code cs_old_option_unknown(const char *tool, const char *word,
                                   struct cs_err *err)
{
    char room[CS_COUNT(options)][48];
    const char *names[CS_COUNT(options)];
    const char *nearest;

    for (size_t i = 0; i < CS_COUNT(options); i++) {
        snprintf(room[i], sizeof(room[i]), "--%s", options[i].words);
        names[i] = room[i];
    }
    nearest = cs_nearest(word, names, CS_COUNT(names));
    return cs_fail(err, CS_EUSAGE, "%s: unknown option '%.80s'%s%s%s", tool,
                   word, nearest ? ", try '" : "", nearest ? nearest : "",
                   nearest ? "'" : "");
}
