/* settings.h - everything a command line says, with units and defaults filled
 * in: the plain struct that all rooms read. cli makes it; nobody changes it
 * afterwards. Texts live in the settings' arena. */
#ifndef CS_SETTINGS_SETTINGS_H
#define CS_SETTINGS_SETTINGS_H

#include "base/arena.h"
#include "random/dist.h"
#include "settings/old.h"

enum cs_command {
    CS_COMMAND_NONE,
    CS_COMMAND_READ,
    CS_COMMAND_WRITE,
    CS_COMMAND_MIXED,
    CS_COMMAND_COUNTER_WRITE,
    CS_COMMAND_COUNTER_READ,
    CS_COMMAND_USER,
    CS_COMMAND_HELP,
    CS_COMMAND_PRINT,
    CS_COMMAND_VERSION,
    CS_COMMAND_RESPONDER,
};

/* "counter_write"; never NULL. */
const char *cs_command_name(enum cs_command command);

/* Values are those of the protocol. */
enum cs_consistency {
    CS_CL_ANY = 0,
    CS_CL_ONE = 1,
    CS_CL_TWO = 2,
    CS_CL_THREE = 3,
    CS_CL_QUORUM = 4,
    CS_CL_ALL = 5,
    CS_CL_LOCAL_QUORUM = 6,
    CS_CL_EACH_QUORUM = 7,
    CS_CL_SERIAL = 8,
    CS_CL_LOCAL_SERIAL = 9,
    CS_CL_LOCAL_ONE = 10,
};

/* "LOCAL_ONE"; never NULL. */
const char *cs_consistency_name(enum cs_consistency cl);
bool cs_consistency_parse(const char *text, enum cs_consistency *out);
/* The name that a mistyped one is nearest to; NULL: none is near. */
const char *cs_consistency_nearest(const char *text);

enum cs_truncate { CS_TRUNCATE_NEVER, CS_TRUNCATE_ONCE, CS_TRUNCATE_ALWAYS };
enum cs_batch_type {
    CS_BATCH_UNSET = -1, /* not typed: the profile decides, then LOGGED */
    CS_BATCH_LOGGED = 0, /* values of the protocol */
    CS_BATCH_UNLOGGED = 1,
    CS_BATCH_COUNTER = 2,
};
enum cs_order { CS_ORDER_ARBITRARY, CS_ORDER_SORTED, CS_ORDER_SHUFFLED };
enum cs_log_level { CS_LOG_MINIMAL, CS_LOG_NORMAL, CS_LOG_VERBOSE };
enum cs_level { CS_LEVEL_3_11, CS_LEVEL_4_0, CS_LEVEL_4_1, CS_LEVEL_5_0 };
enum cs_dialect { CS_DATA_C4, CS_DATA_C3, CS_DATA_C2, CS_DATA_PROBE };
/* Which table write, read and mixed use: that of the original, or one of an
 * int and a text. */
enum cs_predefined { CS_PREDEFINED_STANDARD, CS_PREDEFINED_KV };

enum cs_compression { CS_COMPRESS_NONE, CS_COMPRESS_LZ4, CS_COMPRESS_SNAPPY };

/* Which nodes are asked: those of the data centre; all; those of the rack
 * before the others of the data centre. */
enum cs_balance { CS_BALANCE_DC, CS_BALANCE_ALL, CS_BALANCE_RACK };

enum cs_delay { CS_DELAY_CONSTANT, CS_DELAY_LINEAR, CS_DELAY_EXPONENTIAL };

enum cs_rows_format { CS_ROWS_JSON, CS_ROWS_CQL };

enum cs_duration_unit { CS_SECONDS, CS_MINUTES, CS_HOURS, CS_DAYS };

/* name=weight of ops() or ratio(), in the order typed. */
struct cs_weighted_name {
    const char *name;
    double weight;
};

struct cs_key_value {
    const char *key;
    const char *value;
};

struct cs_settings_command {
    enum cs_command type;
    int64_t count;    /* n=: partitions; -1: not bound by count */
    int64_t duration; /* duration=: in duration_unit; 0: not given */
    enum cs_duration_unit duration_unit;
    double target_uncertainty; /* err<; -1: not in that mode */
    const char *target_text;   /* as typed or the default's text, for dump */
    int min_measurements;      /* n> */
    int max_measurements;      /* n< */
    bool no_warmup;
    enum cs_truncate truncate;
    enum cs_consistency cl;
    enum cs_consistency serial_cl;
    bool serial_cl_set;
    int key_size;                 /* bytes */
    struct cs_dist_spec add;      /* counter increment */
    const char *add_text;         /* as typed, "fixed(1)" */
    struct cs_weighted_name *ops; /* mixed: READ, WRITE ...; user: as typed */
    size_t op_count;
    struct cs_dist_spec clustering;
    const char *clustering_text;
    const char **profiles; /* user: paths */
    size_t profile_count;
    const char *profile_text; /* as typed */
};

struct cs_settings_rate {
    bool ramp;      /* thread counts rise */
    bool automatic; /* and stop at saturation */
    int threads;    /* of a fixed run; -1 in a ramp */
    int min_threads;
    int max_threads;
    double throttle_per_s; /* partitions per second, 0: off */
    double fixed_per_s;
    bool poisson; /* fixed: arrivals at random, not at equal distances */
};

struct cs_settings_population {
    bool sequence; /* else dist */
    int64_t seq_start;
    int64_t seq_end;
    bool wrap;
    bool has_lookback;
    struct cs_dist_spec lookback;
    struct cs_dist_spec dist;
    enum cs_order order;
};

struct cs_settings_insert {
    struct cs_dist_spec visits;
    struct cs_dist_spec revisit;
    bool has_partitions;
    struct cs_dist_spec partitions;
    bool has_select;
    struct cs_ratio_spec select;
    struct cs_ratio_spec row_population;
    enum cs_batch_type batch_type;
};

struct cs_settings_columns {
    const char **names; /* sorted bytewise */
    size_t count;
    bool names_typed;
    struct cs_dist_spec size;
    struct cs_dist_spec count_dist;
    bool slice;
    const char *timestamp; /* USING TIMESTAMP, or NULL */
    const char *comparator;
};

struct cs_settings_errors {
    bool ignore;
    int tries; /* retries + 1 */
    bool skip_read_validation;
    const char *differences; /* file for what reads find; or NULL */
    const char *failures;    /* file for operations that failed; or NULL */
    bool skip_unsupported_columns;
    bool fail_fast;
    enum cs_delay delay; /* pause before an attempt is repeated */
    int min_delay_ms;
    int max_delay_ms;
};

struct cs_settings_schema {
    const char *keyspace;             /* predefined commands; user: NULL */
    enum cs_predefined table;         /* that write, read and mixed use */
    const char *strategy;             /* long class name */
    struct cs_key_value *replication; /* the other options, in order, the
                                         factor as replication_factor */
    size_t replication_count;
    int factor; /* of factor=, only to make replication */
    bool factor_typed;
    const char *compression; /* or NULL */
    const char *compaction;  /* as typed, or NULL */
    struct cs_key_value *compaction_options;
    size_t compaction_count;
    bool typed;               /* the group was given */
    const char *storage_type; /* storage(), of ScyllaDB; or NULL */
    const char *storage_endpoint;
    const char *storage_bucket;
};

struct cs_settings_mode {
    bool mysql;         /* else Cassandra */
    const char *socket; /* path, of MySQL; or NULL */
    int port;           /* of MySQL */
    bool simple_native;
    bool prepared;
    int protocol_version; /* 0: newest that the server speaks */
    enum cs_compression compression;
    const char *user;
    const char *password; /* never printed */
    const char *auth_provider;
    int max_pending; /* requests in flight per connection */
    bool max_pending_typed;
    int connections_per_host;
    bool connections_typed; /* then so many, else fewer where they suffice */
    int request_timeout_ms;
    bool no_shards; /* any connection of a node will do, on ScyllaDB, too */
};

struct cs_settings_node {
    const char **hosts; /* host or host:port, as typed */
    size_t count;
    bool white_list;
    const char *datacenter;
    const char *rack;
    enum cs_balance balance;
    int remote_dc_hosts; /* of each other data centre, when none is up here */
};

struct cs_settings_transport {
    const char *truststore;
    const char *truststore_password;
    const char *keystore;
    const char *keystore_password;
    const char *protocol;
    const char *algorithm;
    const char *ciphers; /* comma list, or NULL: the library's */
    bool verify_host;
    const char *factory;    /* of Thrift: only shown */
    const char *store_type; /* only shown */
};

struct cs_settings_log {
    bool no_summary;
    bool no_settings;
    const char *file;
    const char *hdr_file;
    int64_t interval_ms;
    enum cs_log_level level;
    bool print_statements; /* CQL text in the message of a failed operation */
};

struct cs_settings_graph {
    const char *file; /* NULL: no graph */
    const char *revision;
    const char *title; /* or NULL */
    const char *operation;
};

struct cs_settings {
    struct cs_arena arena;
    bool check_only;
    struct {
        bool on; /* `rows`: print what the inserts would send, send nothing */
        enum cs_rows_format format;
    } rows;
    /* The arguments joined by blanks, secrets masked. */
    const char *command_line;
    struct cs_settings_command command;
    struct cs_settings_old old;
    struct cs_settings_rate rate;
    struct cs_settings_population population;
    struct cs_settings_insert insert;
    struct cs_settings_columns columns;
    struct cs_settings_errors errors;
    struct cs_settings_schema schema;
    struct cs_settings_mode mode;
    struct cs_settings_node node;
    struct cs_settings_transport transport;
    /* How messages name what asks for encryption and for a log-in; NULL: as
     * cassandra-stress has it. */
    struct {
        const char *tls;
        const char *log_in;
    } hints;
    struct cs_settings_log log;
    struct cs_settings_graph graph;
    struct {
        bool wrap;
        int split_factor;
    } token_range;
    struct {
        int native_port;
        int thrift_port;
        int jmx_port;
    } port;
    struct {
        int output_s; /* seconds, 0: not typed, a row per interval */
        int header_s; /* seconds, 0: once */
        const char *output_text;
        const char *header_text;
    } reporting;
    struct {
        const char *file;
        const char *cql_user;
        const char *cql_password;
        const char *jmx_user;
        const char *jmx_password;
        const char *truststore_password;
        const char *keystore_password;
    } credentials;
    struct {
        const char *user;
        const char *password; /* never used: there is no JMX client */
    } jmx;
    struct {
        const char *topic; /* help: a command or -group; NULL: all */
        const char *shell; /* help completion: bash, zsh or fish */
        bool list;         /* help -list: one option per line, for tools */
    } help;
    struct cs_dist_spec print; /* of the command print */
    struct {
        const char *listen; /* host:port,host:port */
        int version;        /* newest of the protocol */
        bool delayed;
        struct cs_dist_spec delay; /* microseconds */
        int stall_every_ms;        /* 0: never */
        int stall_ms;
        const char *errors; /* name:share,name:share; or NULL */
        double broken;      /* shares, 0 to 1 */
        double dropped;
        const char *keystore; /* switches TLS on; or NULL */
        const char *keystore_password;
        const char *truststore; /* clients need a certificate; or NULL */
        const char *user;       /* who must log in; or NULL */
        const char *password;
        const char *script; /* file with what happens to the ring; or NULL */
        int tokens;         /* of each node */
        int rows;           /* made up for a SELECT */
        int64_t stored;     /* bytes of rows that are kept; 0: none */
        double warnings;    /* shares, 0 to 1 */
        double payloads;
        int shards;             /* of each node, as ScyllaDB; 0: none */
        int tablets;            /* of each table; 0: none */
        const char *shard_port; /* or NULL */
    } responder;
    const char *send_to; /* or NULL */
    struct {
        enum cs_level level;
        enum cs_dialect data;
        bool original_figures;
        bool strict;
    } compat;
    struct {
        int loops; /* event loop threads (cstress only: -loops count=) */
        bool pin;
    } loops;
};

/* Whether the command changes data (a ramp then pauses between its steps). */
bool cs_settings_updates(const struct cs_settings *settings);

/* duration= in nanoseconds, 0: not given. */
int64_t cs_settings_duration_ns(const struct cs_settings *settings);

/* Whether connections must be encrypted (any key store was named). */
bool cs_settings_wants_tls(const struct cs_settings *settings);

#endif
