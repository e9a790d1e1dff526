/* options_table.c - all options of SBK with the Cassandra driver, and ours. */
#include "sbk/options_internal.h"

#include <stddef.h>

#define AT(field) .at = offsetof(struct cs_sbk_options, field)

const struct cs_sbk_option cs_sbk_option_table[] = {
    {"cl", CS_SBK_TEXT, CS_SBK_OURS, AT(cl_text), "LOCAL_ONE",
     "consistency level of reads and writes"},
    {"class", CS_SBK_TEXT, CS_SBK_NO_CLASS, AT(class_name),
     .help = "storage driver: Cassandra, the only one here"},
    {"context", CS_SBK_TEXT, CS_SBK_OF_PROMETHEUS, AT(context), "9718/metrics",
     "port and path of the Prometheus page; 'no' switches it off"},
    {"csvfile", CS_SBK_TEXT, CS_SBK_OF_CSV, AT(csv_file), "no",
     "file for the results as CSV; 'no': none"},
    {"dc", CS_SBK_TEXT, CS_SBK_OURS, AT(datacenter),
     .help = "data centre whose nodes are asked; usually that of -node"},
    {"format", CS_SBK_TEXT, CS_SBK_OURS, AT(format_text),
     .help = "release of SBK whose lines are printed, as in 10.6",
     .shown = "0.88-pre"},
    {"help", CS_SBK_ASK_HELP, CS_SBK_ALWAYS, .help = "this text"},
    {"idletimeoutseconds", CS_SBK_LONG, CS_SBK_ALWAYS, AT(idle_timeout_s),
     "600",
     "accepted and checked; a request without an answer ends a run after 2 s"},
    {"keyspace", CS_SBK_TEXT, CS_SBK_OF_DRIVER, AT(keyspace), "sbk",
     "keyspace"},
    {"loops", CS_SBK_INT, CS_SBK_OURS, AT(loops), "1",
     "event loops that share the workers"},
    {"maxlatency", CS_SBK_LONG, CS_SBK_ALWAYS, AT(max_latency), "-1",
     "longest latency that counts in percentiles, in the unit of -time",
     "180000 ms"},
    {"millisecsleep", CS_SBK_INT, CS_SBK_ALWAYS, AT(idle_sleep_ms), "0",
     "accepted, without effect: nothing spins here", "0 ms"},
    {"minlatency", CS_SBK_LONG, CS_SBK_ALWAYS, AT(min_latency), "0",
     "shortest latency that counts in percentiles, in the unit of -time",
     "0 ms"},
    {"mpscqueue", CS_SBK_BOOL, CS_SBK_ALWAYS, AT(mpsc_queue), "true",
     "accepted, without effect: there is no queue"},
    {"node", CS_SBK_TEXT, CS_SBK_OF_DRIVER, AT(node), "localhost",
     "contact point"},
    {"out", CS_SBK_TEXT, CS_SBK_NO_CLASS, AT(out),
     .help = "SystemLogger, Sl4jLogger, CSVLogger or PrometheusLogger"},
    {"pagesize", CS_SBK_INT, CS_SBK_OURS, AT(page_size), "5000",
     "rows or ids a reader gets at once"},
    {"password", CS_SBK_TEXT, CS_SBK_OURS, AT(password),
     .help = "of the log-in; never shown"},
    {"port", CS_SBK_INT, CS_SBK_OF_DRIVER, AT(port), "9042", "its port"},
    {"readers", CS_SBK_INT, CS_SBK_ALWAYS, AT(readers), "0",
     "readers, each with one request in flight", ""},
    {"records", CS_SBK_LONG, CS_SBK_ALWAYS, AT(records), "0",
     "records of all workers together; with -seconds: per second", ""},
    {"recreate", CS_SBK_BOOL, CS_SBK_OF_DRIVER, AT(recreate), "true",
     "writers drop the table first, and the keyspace, too, if it is 'sbk'"},
    {"rf", CS_SBK_INT, CS_SBK_OF_DRIVER, AT(factor), "1", "replication factor"},
    {"ro", CS_SBK_BOOL, CS_SBK_ALWAYS, AT(read_only), "false",
     "with both kinds of workers measure readers only; both are refused here"},
    {"rq", CS_SBK_BOOL, CS_SBK_ALWAYS, AT(read_requests), "false",
     "count reads when they are sent, too"},
    {"rs", CS_SBK_TEXT, CS_SBK_OF_DRIVER, AT(strategy), "SimpleStrategy",
     "replication class"},
    {"rsec", CS_SBK_INT, CS_SBK_ALWAYS, AT(rsec), "0",
     "seconds between two steps of readers; 0: all at once"},
    {"rstep", CS_SBK_INT, CS_SBK_ALWAYS, AT(rstep), "1",
     "readers that start in a step"},
    {"scan", CS_SBK_FLAG, CS_SBK_OURS, AT(scan),
     .help = "each reader reads the whole table, as in SBK; else by key"},
    {"seconds", CS_SBK_LONG, CS_SBK_ALWAYS, AT(seconds), "0",
     "run time; without it -records decides, else for ever", ""},
    {"size", CS_SBK_INT, CS_SBK_ALWAYS, AT(size), "0", "bytes of a record", ""},
    {"ssl", CS_SBK_TEXT, CS_SBK_OURS, AT(truststore),
     .help = "store of trusted certificates; connections are encrypted"},
    {"sslpassword", CS_SBK_TEXT, CS_SBK_OURS, AT(truststore_password),
     .help = "of that store; never shown"},
    {"sync", CS_SBK_LONG, CS_SBK_ALWAYS, AT(sync), "0",
     "records between two flushes; no effect with this driver", ""},
    {"table", CS_SBK_TEXT, CS_SBK_OF_DRIVER, AT(table), "temp",
     "table ('tmp' in the manual of 0.88)"},
    {"text", CS_SBK_FLAG, CS_SBK_OURS, AT(text),
     .help = "send statements as text, as SBK does; else prepared"},
    {"thread", CS_SBK_TEXT, CS_SBK_ALWAYS, AT(thread), "v",
     "p, f or v; accepted, without effect: workers are no threads"},
    {"throughput", CS_SBK_DOUBLE, CS_SBK_ALWAYS, AT(throughput), "-1",
     "MB/s of all workers; 0: no pace; -1: at most, or -records per second"},
    {"time", CS_SBK_UNIT, CS_SBK_ALWAYS, AT(unit), "ms",
     "unit of all latencies: ms, mcs or ns"},
    {"user", CS_SBK_TEXT, CS_SBK_OURS, AT(user), .help = "log-in"},
    {"version", CS_SBK_ASK_VERSION, CS_SBK_HIDDEN, .help = ""},
    {"wq", CS_SBK_BOOL, CS_SBK_ALWAYS, AT(write_requests), "false",
     "count writes when they are sent, too"},
    {"writers", CS_SBK_INT, CS_SBK_ALWAYS, AT(writers), "0",
     "writers, each with one request in flight", ""},
    {"wsec", CS_SBK_INT, CS_SBK_ALWAYS, AT(wsec), "0",
     "seconds between two steps of writers; 0: all at once"},
    {"wstep", CS_SBK_INT, CS_SBK_ALWAYS, AT(wstep), "1",
     "writers that start in a step"},
    {.name = NULL},
};

bool cs_sbk_option_is_there(const struct cs_sbk_option *option,
                            const struct cs_sbk_options *options)
{
    switch (option->place) {
    case CS_SBK_OF_CSV:
        return options->logger >= CS_SBK_CSV_LOGGER;
    case CS_SBK_OF_PROMETHEUS:
        return options->logger == CS_SBK_PROMETHEUS_LOGGER;
    case CS_SBK_OF_DRIVER:
    case CS_SBK_OURS:
        return cs_sbk_is_cassandra(options);
    case CS_SBK_ALWAYS:
    case CS_SBK_HIDDEN:
    case CS_SBK_NO_CLASS:
        break;
    }
    return true;
}
