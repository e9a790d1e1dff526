/* legacy_options.c - the table of the old tool's options. */
#include "cli/help_internal.h"
#include "cli/legacy_internal.h"

#include <stddef.h>

#define OLD(member) offsetof(struct cs_old, member)

static const struct cs_old_option options[] = {
    {"o", "operation", true, OLD(operation),
     "INSERT, READ, COUNTER_ADD, COUNTER_GET, READWRITE"},
    {"n", "num-keys", true, OLD(keys), "number of keys (1000000)"},
    {"F", "num-different-keys", true, OLD(different),
     "number of different keys"},
    {"N", "skip-keys", true, OLD(skip), "share of the keys to skip at first"},
    {"t", "threads", true, OLD(threads), "number of threads (50)"},
    {"t", "threadCount", true, OLD(threads), "likewise"},
    {"th", "throttle", true, OLD(throttle), "keys per second"},
    {"c", "columns", true, OLD(columns), "columns per key (5)"},
    {"S", "column-size", true, OLD(size), "bytes per column (34)"},
    {"V", "average-size-values", false, OLD(average), "sizes vary"},
    {"Q", "query-names", true, OLD(names), "names of the columns"},
    {"y", "family-type", true, OLD(family), "Standard"},
    {"d", "nodes", true, OLD(nodes), "hosts"},
    {"D", "nodesfile", true, OLD(node_file), "file with hosts"},
    {"s", "stdev", true, OLD(stdev), "spread of the keys that are read (0.1)"},
    {"r", "random", false, OLD(random), "read keys uniformly"},
    {"e", "consistency-level", true, OLD(level), "consistency level (ONE)"},
    {"K", "keep-trying", true, OLD(trying), "tries (10)"},
    {"k", "keep-going", false, OLD(going), "ignore errors"},
    {"i", "progress-interval", true, OLD(interval),
     "seconds between the rows (10)"},
    {"f", "file", true, OLD(file), "log file"},
    {"ns", "no-statistics", false, OLD(quiet), "no results block"},
    {"l", "replication-factor", true, OLD(factor), "replicas (1)"},
    {"R", "replication-strategy", true, OLD(strategy), "replication strategy"},
    {"O", "strategy-properties", true, OLD(properties),
     "replicas per data centre, as in dc1:3,dc2:2"},
    {"I", "compression", true, OLD(compression), "compression class"},
    {"Z", "compaction-strategy", true, OLD(compaction), "compaction class"},
    {"P", "use-prepared-statements", false, OLD(prepared),
     "prepared statements"},
    {"un", "username", true, OLD(user), "user"},
    {"pw", "password", true, OLD(password), "password"},
    {"T", "send-to", true, OLD(send_to), "not used: there is no daemon"},
    {"ts", "truststore", true, OLD(truststore), "store of certificates"},
    {"tspw", "truststore-password", true, OLD(truststore_password),
     "its password"},
    {"prtcl", "ssl-protocol", true, OLD(protocol), "TLS version"},
    {"alg", "ssl-alg", true, OLD(algorithm), "without effect"},
    {"st", "store-type", true, OLD(store_type), "without effect"},
    {"ciphers", "ssl-ciphers", true, OLD(ciphers), "cipher suites"},
    {"h", "help", false, OLD(help), "this text"},
    {"C", "cardinality", true, CS_OLD_NOWHERE,
     "ignored: values are drawn by key"},
    {"RC", "row-cardinality", true, CS_OLD_NOWHERE, "ignored"},
    {"U", "comparator", true, CS_OLD_NOWHERE, "ignored: a matter of Thrift"},
    {"u", "supercolumns", true, CS_OLD_NOWHERE, "ignored: a matter of Thrift"},
    {"p", "port", true, CS_OLD_NOWHERE, "ignored: the port of Thrift"},
    {"g", "keys-per-call", true, CS_OLD_NOWHERE, "ignored"},
    {"x", "create-index", true, CS_OLD_NOWHERE, "ignored"},
    {"W", "no-replicate-on-write", false, CS_OLD_NOWHERE, "ignored"},
    {"m", "unframed", false, CS_OLD_NOWHERE, "ignored: a matter of Thrift"},
    {"tf", "transport-factory", true, CS_OLD_NOWHERE,
     "ignored: a matter of Thrift"},
    {"L", "enable-cql", false, CS_OLD_NOWHERE, "ignored: always CQL"},
    {"L3", "enable-cql3", false, CS_OLD_NOWHERE, "ignored: always CQL"},
    {"b", "enable-native-protocol", false, CS_OLD_NOWHERE,
     "ignored: always native"},
};

void cs_legacy_help(struct cs_buf *out)
{
    cs_buf_puts(out, "\nUsage: legacy [old options]\n\n");
    for (size_t i = 0; i < CS_COUNT(options); i++)
        cs_buf_printf(out, "  -%-8s --%-26s %s\n", options[i].name,
                      options[i].words, options[i].help);
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
        if (!strcmp(word + 1, o->name))
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

        if (o->takes_value && !o->name[1] && word[1] == o->name[0]) {
            *value = word + 2;
            return o;
        }
    }
    return NULL;
}
