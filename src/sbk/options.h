/* options.h - the command line of SBK with its Cassandra driver: one table
 * feeds the parser and the help. */
#ifndef CS_SBK_OPTIONS_H
#define CS_SBK_OPTIONS_H

#include "base/buf.h"
#include "sbk/format.h"
#include "settings/settings.h"

enum cs_sbk_unit { CS_SBK_MS, CS_SBK_MCS, CS_SBK_NS };

/* In ascending order of what they have: each has the options of those before
 * it, but for Sl4jLogger. */
enum cs_sbk_logger {
    CS_SBK_SYSTEM_LOGGER,
    CS_SBK_SL4J_LOGGER,
    CS_SBK_CSV_LOGGER,
    CS_SBK_PROMETHEUS_LOGGER,
};

/* What the command line asks for instead of a run. */
enum cs_sbk_asked { CS_SBK_RUN, CS_SBK_HELP, CS_SBK_VERSION };

/* Texts are borrowed from argv. */
struct cs_sbk_options {
    enum cs_sbk_asked asked;
    const char *class_name; /* as typed; NULL: not given */
    const char *out;        /* as typed; NULL: not given */
    enum cs_sbk_logger logger;
    int64_t writers;
    int64_t readers;
    int64_t size;    /* bytes */
    int64_t records; /* of all workers; with seconds: per second */
    int64_t seconds; /* 0: by count */
    bool forever;    /* neither seconds nor records */
    int64_t sync;
    double throughput; /* MB/s; 0: no pace, < 0: at most or by records */
    int64_t wstep, wsec, rstep, rsec;
    bool read_only, write_requests, read_requests;
    enum cs_sbk_unit unit;
    int64_t min_latency; /* in unit */
    int64_t max_latency; /* -1: 180 s */
    const char *context;
    const char *csv_file;
    int64_t idle_sleep_ms;
    int64_t idle_timeout_s;
    const char *thread;
    bool mpsc_queue;
    /* of the driver */
    const char *node;
    int64_t port;
    const char *keyspace;
    const char *table;
    const char *strategy;
    int64_t factor;
    bool recreate;
    /* ours */
    const char *format_text;   /* NULL: not given */
    enum cs_sbk_format format; /* of the lines */
    enum cs_sbk_format extras; /* of the CSV file and the metrics */
    const char *cl_text;
    enum cs_consistency cl;
    const char *user;
    const char *password;
    const char *datacenter;
    const char *truststore;
    const char *truststore_password;
    int64_t page_size;
    int64_t loops;
    bool scan;
    bool text; /* statements as text, as SBK sends them */
};

/* How a command line was refused, beside the reason on stderr. */
struct cs_sbk_refusal {
    char log[CS_ERR_TEXT]; /* of a line ERROR on stdout; "": none */
    const char *before;    /* of a further one in front of it, or NULL */
    bool helps;            /* the help follows */
    bool early;            /* nothing is said of the arguments before */
};

/* argv[0] is the first option; *out was filled by cs_sbk_peek. Words left over
 * are ignored, as SBK does. Failing: err->text is the whole line for stderr;
 * CS_ESTATUS: with an exit status of its own. */
enum cs_code cs_sbk_parse(int argc, char **argv, struct cs_sbk_options *out,
                          struct cs_sbk_refusal *refusal,
                          struct cs_err *err) CS_MUST_USE;

/* What a run cannot do, after the options were read one by one. */
enum cs_code cs_sbk_check(const struct cs_sbk_options *options,
                          struct cs_sbk_refusal *refusal,
                          struct cs_err *err) CS_MUST_USE;
/* The same, of what SBK finds after its first lines are out. */
enum cs_code cs_sbk_check_late(const struct cs_sbk_options *options,
                               struct cs_err *err) CS_MUST_USE;

/* Reads -out, -class and -format only, which decide what other options there
 * are and how the first lines look. Never fails: what is wrong stays unread. */
void cs_sbk_peek(int argc, char **argv, struct cs_sbk_options *out);

/* "sbk -class cassandra -out SystemLogger" */
void cs_sbk_put_name(const struct cs_sbk_options *options, struct cs_buf *out);

/* usage: and the options that are there. */
void cs_sbk_put_help(const struct cs_sbk_options *options, struct cs_buf *out);

/* "Cassandra" for what was typed; the others are not there. */
bool cs_sbk_is_cassandra(const struct cs_sbk_options *options);

/* "ms", "MILLISECONDS", nanoseconds in one. */
const char *cs_sbk_unit_name(enum cs_sbk_unit unit);
const char *cs_sbk_unit_title(enum cs_sbk_unit unit);
int64_t cs_sbk_unit_ns(enum cs_sbk_unit unit);

/* "Writing" */
const char *cs_sbk_action(const struct cs_sbk_options *options);

/* The settings that the client is connected with; texts are borrowed from the
 * options. NULL: no memory. */
struct cs_settings *cs_sbk_settings_new(const struct cs_sbk_options *options);
void cs_sbk_settings_free(struct cs_settings *settings);

#endif
