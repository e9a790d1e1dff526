/* options_mode.c - the groups -mode, -node and -port: how to connect, and
 * where to. */
#include "cli/options_internal.h"
#include "cli/parse_internal.h"

#include "base/text.h"

static bool is_cassandra(const struct cs_settings *s)
{
    return !s->mode.mysql;
}

static bool is_mysql(const struct cs_settings *s)
{
    return s->mode.mysql;
}

static void show_api(const struct cs_settings *s, struct cs_buf *out)
{
    const char *cassandra =
        s->mode.simple_native ? "SIMPLE_NATIVE" : "JAVA_DRIVER_NATIVE";

    cs_buf_puts(out, s->mode.mysql ? "MYSQL" : cassandra);
}

static void show_style(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_puts(out, s->mode.mysql ? "SQL" : "CQL");
    if (s->mode.prepared)
        cs_buf_puts(out, "_PREPARED");
}

static void show_cql(const struct cs_settings *s, struct cs_buf *out)
{
    (void)s;
    cs_buf_puts(out, "CQL3");
}

/* The newest that the driver of the layout's release speaks. */
static void show_protocol(const struct cs_settings *s, struct cs_buf *out)
{
    int newest = s->compat.level <= CS_LEVEL_4_0 ? 4 : 5;

    cs_buf_printf(out, "V%d",
                  s->mode.protocol_version ? s->mode.protocol_version : newest);
}

static void show_max_pending(const struct cs_settings *s, struct cs_buf *out)
{
    if (s->mode.simple_native)
        cs_buf_puts(out, "null");
    else
        cs_buf_printf(out, "%d", s->mode.max_pending);
}

static void show_connections(const struct cs_settings *s, struct cs_buf *out)
{
    if (s->mode.simple_native)
        cs_buf_puts(out, "null");
    else
        cs_buf_printf(out, "%d", s->mode.connections_per_host);
}

static void show_compression(const struct cs_settings *s, struct cs_buf *out)
{
    static const char *const names[] = {"NONE", "LZ4", "SNAPPY"};

    cs_buf_puts(out, names[s->mode.compression]);
}

static enum cs_code store_provider(struct cs_cli *cli,
                                   const struct cs_option *option,
                                   const char *value, struct cs_err *err)
{
    (void)option;
    if (strcmp(value, "com.datastax.driver.core.PlainTextAuthProvider") != 0 &&
        (cli->strict || strcmp(value, "PlainTextAuthProvider") != 0))
        return cs_fail(err, CS_EUSAGE,
                       "unknown provider, expected PlainTextAuthProvider");
    cli->settings->mode.auth_provider = cs_cli_text(cli, value, strlen(value));
    return CS_OK;
}

static const struct cs_choice compressions[] = {{"none", CS_COMPRESS_NONE},
                                                {"lz4", CS_COMPRESS_LZ4},
                                                {"snappy", CS_COMPRESS_SNAPPY},
                                                {NULL, 0}};

static const struct cs_choice protocols[] = {
    {"3", 3}, {"4", 4}, {"5", 5}, {NULL, 0}};

#define NO_THRIFT "Thrift is gone, write -mode native cql3"

static const struct cs_option mode_rows[] = {
    {.key = "native",
     .type = CS_OPTION_FLAG,
     .help = "the native protocol (always so)"},
    {.key = "cql3", .type = CS_OPTION_FLAG, .help = "CQL 3 (always so)"},
    {.key = "simplenative",
     .type = CS_OPTION_FLAG,
     .at = CS_AT(mode.simple_native),
     .help = "one node per thread, no routing by token",
     .label = "API",
     .show = show_api},
    {.key = "prepared",
     .type = CS_OPTION_FLAG,
     .help = "prepared statements; the default but with simplenative",
     .label = "Connection Style",
     .show = show_style},
    {.key = "unprepared",
     .type = CS_OPTION_FLAG,
     .help = "statements with their values as text"},
    {.key = "mysql",
     .type = CS_OPTION_FLAG,
     .at = CS_AT(mode.mysql),
     .help = "MariaDB or MySQL instead of Cassandra: one connection per "
             "request in flight"},
    {.key = "socket=",
     .type = CS_OPTION_PATH,
     .at = CS_AT(mode.socket),
     .free_text = true,
     .form = "a file name",
     .help = "mysql: the server's Unix socket, instead of -node",
     .label = "Socket",
     .when = is_mysql},
    {.type = CS_OPTION_ECHO,
     .when = is_cassandra,
     .label = "CQL Version",
     .levels = CS_IN_3_11 | CS_IN_4_0 | CS_IN_4_1,
     .show = show_cql},
    {.key = "protocolVersion=",
     .type = CS_OPTION_CHOICE,
     .at = CS_AT(mode.protocol_version),
     .choices = protocols,
     .shown = "the newest that the server speaks",
     .help = "version of the native protocol",
     .label = "Protocol Version",
     .when = is_cassandra,
     .show = show_protocol},
    {.key = "user=",
     .type = CS_OPTION_TEXT,
     .at = CS_AT(mode.user),
     .free_text = true,
     .help = "log in as this user",
     .label = "Username"},
    {.key = "password=",
     .type = CS_OPTION_SECRET,
     .at = CS_AT(mode.password),
     .free_text = true,
     .help = "password; -credentials-file keeps it out of the process list",
     .label = "Password"},
    {.key = "auth-provider=",
     .type = CS_OPTION_CUSTOM,
     .store = store_provider,
     .text_at = CS_AT(mode.auth_provider),
     .free_text = true,
     .help = "PlainTextAuthProvider, the only one",
     .label = "Auth Provide Class",
     .when = is_cassandra},
    {.key = "maxPending=",
     .type = CS_OPTION_INT,
     .form = "a number",
     .at = CS_AT(mode.max_pending),
     .has_at = CS_AT(mode.max_pending_typed),
     .min = 1,
     .preset = "128",
     .help = "requests in flight per connection, at most",
     .label = "Max Pending Per Connection",
     .when = is_cassandra,
     .show = show_max_pending},
    {.key = "connectionsPerHost=",
     .type = CS_OPTION_INT,
     .form = "a number",
     .at = CS_AT(mode.connections_per_host),
     .has_at = CS_AT(mode.connections_typed),
     .min = 1,
     .max = 32768,
     .preset = "8",
     .help = "connections to one node; not given: as the load needs; on "
             "ScyllaDB at least one to each shard",
     .label = "Connections Per Host",
     .when = is_cassandra,
     .show = show_connections},
    {.key = "compression=",
     .type = CS_OPTION_CHOICE,
     .at = CS_AT(mode.compression),
     .choices = compressions,
     .preset = "none",
     .help = "compression of the frames",
     .label = "Compression",
     .when = is_cassandra,
     .show = show_compression},
    {.key = "noShards",
     .type = CS_OPTION_FLAG,
     .at = CS_AT(mode.no_shards),
     .help = "ScyllaDB: any connection of a node will do, not one of the "
             "shard; tablets are not asked for"},
    {.key = "requestTimeout=",
     .type = CS_OPTION_INT,
     .form = "a number",
     .at = CS_AT(mode.request_timeout_ms),
     .min = 1,
     .preset = "12000",
     .help = "milliseconds to wait for the answer to a request"},
    {.key = "port=",
     .type = CS_OPTION_INT,
     .form = "a number",
     .at = CS_AT(mode.port),
     .min = 1,
     .max = 65535,
     .shown = "3306",
     .help = "mysql: port of the server"},
    {.key = "4x",
     .type = CS_OPTION_FLAG,
     .idle = "4x has no effect",
     .hidden = true,
     .help = "without effect"},
    {.key = "thrift",
     .type = CS_OPTION_GONE,
     .hidden = true,
     .help = NO_THRIFT},
    {.key = "smart", .type = CS_OPTION_GONE, .hidden = true, .help = NO_THRIFT},
    {.key = "cql2",
     .type = CS_OPTION_GONE,
     .hidden = true,
     .help = "CQL 2 is gone, write -mode native cql3"},
};

const struct cs_option_group cs_options_mode = {
    .name = "-mode",
    .help = "protocol, statements and log-in",
    .section = "Mode:",
    .tables = {CS_TABLE(mode_rows)}};

static void show_nodes(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_puts(out, "[");
    for (size_t i = 0; i < s->node.count; i++)
        cs_buf_printf(out, "%s%s", i ? ", " : "", s->node.hosts[i]);
    cs_buf_puts(out, "]");
}

static enum cs_code store_hosts(struct cs_cli *cli,
                                const struct cs_option *option,
                                const char *value, struct cs_err *err)
{
    struct cs_settings_node *node = &cli->settings->node;
    size_t count = 1;

    (void)option;
    if (strpbrk(value, "=()"))
        return cs_fail(err, CS_EUSAGE, "not a host");
    for (const char *p = value; *p; p++)
        count += *p == ',';
    node->hosts = cs_cli_array(cli, count, sizeof(*node->hosts));
    node->count = 0;
    for (const char *p = value; node->hosts; p++) {
        size_t size = strcspn(p, ",");

        if (!size && (p[size] || p == value || cli->strict))
            return cs_fail(err, CS_EUSAGE, "a comma without a host");
        if (size)
            node->hosts[node->count++] = cs_cli_text(cli, p, size);
        p += size;
        if (!*p)
            break;
    }
    return CS_OK;
}

static enum cs_code store_host_file(struct cs_cli *cli,
                                    const struct cs_option *option,
                                    const char *value, struct cs_err *err)
{
    (void)option;
    (void)err;
    /* The file replaces the list, wherever that stands: read at the end. */
    cli->node_file = cs_value_path(cli, value);
    return CS_OK;
}

static const struct cs_choice balances[] = {
    {"rr", CS_BALANCE_ALL},          {"roundrobin", CS_BALANCE_ALL},
    {"round-robin", CS_BALANCE_ALL}, {"dc", CS_BALANCE_DC},
    {"dc-aware", CS_BALANCE_DC},     {"rack", CS_BALANCE_RACK},
    {"rack-aware", CS_BALANCE_RACK}, {NULL, 0}};

static const struct cs_option node_rows[] = {
    {.key = "file=",
     .type = CS_OPTION_PATH,
     .store = store_host_file,
     .free_text = true,
     .form = "a file name",
     .help = "file with one host a line; # begins a comment"},
    {.key = "whitelist",
     .type = CS_OPTION_FLAG,
     .at = CS_AT(node.white_list),
     .help = "talk to no other nodes than those listed"},
    {.key = "datacenter=",
     .type = CS_OPTION_TEXT,
     .at = CS_AT(node.datacenter),
     .free_text = true,
     .help = "the data centre to send requests to"},
    {.key = "rack=",
     .type = CS_OPTION_TEXT,
     .at = CS_AT(node.rack),
     .free_text = true,
     .help = "the rack whose nodes are asked first (rack-aware)"},
    {.key = "loadbalance=",
     .type = CS_OPTION_CHOICE,
     .at = CS_AT(node.balance),
     .choices = balances,
     .preset = "dc-aware",
     .help = "which nodes are asked: all, those of the data centre, or those "
             "of the rack first"},
    {.key = "remote-dc=",
     .type = CS_OPTION_INT,
     .form = "a number",
     .at = CS_AT(node.remote_dc_hosts),
     .min = 1,
     .help = "nodes of each other data centre to ask while none here is up"},
    {.type = CS_OPTION_BARE,
     .store = store_hosts,
     .preset = "localhost",
     .form = "host list",
     .help = "hosts, with or without a port, with commas between",
     .label = "Nodes",
     .show = show_nodes},
    {.type = CS_OPTION_ECHO,
     .has_at = CS_AT(node.white_list),
     .label = "Is White List"},
    {.type = CS_OPTION_ECHO,
     .text_at = CS_AT(node.datacenter),
     .label = "Datacenter"},
};

const struct cs_option_group cs_options_node = {
    .name = "-node",
    .help = "nodes to connect to",
    .section = "Node:",
    .tables = {CS_TABLE(node_rows)}};

static void show_native_port(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_printf(out, "%d",
                  s->mode.mysql ? s->mode.port : s->port.native_port);
}

static const struct cs_option port_rows[] = {
    {.key = "native=",
     .type = CS_OPTION_INT,
     .form = "a number",
     .at = CS_AT(port.native_port),
     .min = 1,
     .max = 65535,
     .preset = "9042",
     .help = "port of the native protocol",
     .label = "Native Port",
     .show = show_native_port},
    {.key = "thrift=",
     .type = CS_OPTION_INT,
     .form = "a number",
     .at = CS_AT(port.thrift_port),
     .max = 65535,
     .preset = "9160",
     .idle = "thrift= has no effect",
     .hidden = true,
     .help = "without effect",
     .label = "Thrift Port",
     .levels = CS_IN_3_11},
    {.key = "jmx=",
     .type = CS_OPTION_INT,
     .form = "a number",
     .at = CS_AT(port.jmx_port),
     .max = 65535,
     .preset = "7199",
     .idle = "jmx= has no effect, there is no JMX client",
     .help = "without effect",
     .label = "JMX Port"},
};

const struct cs_option_group cs_options_port = {
    .name = "-port",
    .help = "ports to connect to",
    .section = "Port:",
    .tables = {CS_TABLE(port_rows)}};
