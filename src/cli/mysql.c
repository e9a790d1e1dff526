/* mysql.c - `-mode mysql`: its port, and what it has not; and the table kv,
 * which both databases can have. */
#include "cli/parse_internal.h"

#include <limits.h>

#define MYSQL_PORT 3306

void cs_mysql_fill(struct cs_cli *cli)
{
    struct cs_settings *s = cli->settings;

    if (!s->mode.mysql || cs_cli_given(cli, "-mode", "port="))
        return;
    s->mode.port = cs_cli_given(cli, "-port", "native=") ? s->port.native_port
                                                         : MYSQL_PORT;
}

/* ---- what belongs to one database only ---- */

struct word {
    const char *group;
    const char *key;
    const char *why;
};

/* Asked for and not there: refused. */
static const struct word missing[] = {
    {"-mode", "unprepared", "mysql sends prepared statements only"},
    {"-mode", "simplenative", "choose one of simplenative and mysql"},
    {"-mode", "protocolVersion=", "mysql has no version of that protocol"},
    {"-mode", "compression=", "mysql has no compression of frames"},
    {"-transport", "ssl-ciphers=", "mysql takes the suites of its library"},
    {"-col", "timestamp=", "mysql has no timestamps of writes"},
    {"-node", "datacenter=", "mysql knows of no data centres"},
    {"-node", "rack=", "mysql knows of no racks"},
};

/* Said in vain: the run is what it would be without. */
static const struct word idle[] = {
    {"-mode", "maxPending=", "a connection has one request in flight"},
    {"-mode",
     "connectionsPerHost=", "there is one connection per request in flight"},
    {"-schema", "replication(", "replication is the server's business"},
    {"-schema", "compression=", "the table has the server's defaults"},
    {"-schema", "compaction(", "the table has the server's defaults"},
    {"-node", "whitelist", "no other hosts than those listed are known"},
};

static bool is_given(const struct cs_cli *cli, const struct word *word)
{
    return cs_cli_given(cli, word->group, word->key) != NULL;
}

static bool is_offered(const struct cs_settings *s)
{
    switch (s->command.type) {
    case CS_COMMAND_WRITE:
    case CS_COMMAND_READ:
    case CS_COMMAND_MIXED:
    case CS_COMMAND_COUNTER_WRITE:
    case CS_COMMAND_COUNTER_READ:
        return !s->old.on;
    default:
        return false;
    }
}

static void advise(struct cs_cli *cli)
{
    const char *command = cli->opened[0].group->name;

    for (size_t i = 0; i < CS_COUNT(idle); i++)
        if (is_given(cli, &idle[i]))
            cs_cli_notice(cli, "%s: with mysql %s has no effect, %s",
                          idle[i].group, idle[i].key, idle[i].why);
    if (cs_cli_given(cli, command, "cl="))
        cs_cli_notice(cli, "%s: with mysql cl= has no effect", command);
}

enum cs_code cs_mysql_check(struct cs_cli *cli, struct cs_err *err)
{
    const struct cs_settings *s = cli->settings;

    if (!s->mode.mysql) {
        if (cs_cli_given(cli, "-mode", "port="))
            cs_cli_notice(cli, "-mode: port= has no effect, the port is that "
                               "of -port native=");
        if (s->mode.socket)
            return cs_cli_refuse(cli, "-mode", "socket=", err,
                                 "a Unix socket goes with mysql only");
        return CS_OK;
    }
    if (!is_offered(s))
        return cs_cli_refuse(cli, "-mode", "mysql", err,
                             "write, read, mixed, counter_write and "
                             "counter_read go with mysql, '%s' does not",
                             cli->opened[0].group->name);
    if (s->compat.data == CS_DATA_PROBE)
        return cs_cli_refuse(cli, "-compat", "data=probe", err,
                             "no other tool wrote data into mysql");
    for (size_t i = 0; i < CS_COUNT(missing); i++)
        if (is_given(cli, &missing[i]))
            return cs_cli_refuse(cli, missing[i].group, missing[i].key, err,
                                 "%s", missing[i].why);
    advise(cli);
    return CS_OK;
}

/* ---- the table kv ---- */

enum cs_code cs_kv_fill(struct cs_cli *cli, struct cs_err *err)
{
    static const char name[] = "value";
    struct cs_settings_columns *columns = &cli->settings->columns;

    if (columns->names_typed || cs_cli_given(cli, "-col", "n="))
        return cs_cli_refuse(cli, "-col", NULL, err,
                             "the table kv has one column, only its size= "
                             "can be chosen");
    columns->names = cs_cli_array(cli, 1, sizeof(*columns->names));
    columns->count = 1;
    if (columns->names)
        columns->names[0] = cs_cli_text(cli, name, sizeof(name) - 1);
    return CS_OK;
}

static bool counts(const struct cs_settings_command *command)
{
    for (size_t i = 0; i < command->op_count; i++)
        if (strstr(command->ops[i].name, "COUNTER"))
            return true;
    return command->type == CS_COMMAND_COUNTER_WRITE ||
           command->type == CS_COMMAND_COUNTER_READ;
}

/* Keys are seeds, of 32 bits. */
static bool is_too_large(const struct cs_settings_population *pop)
{
    int64_t least = pop->sequence ? pop->seq_start : cs_dist_least(&pop->dist);
    int64_t most = pop->sequence ? pop->seq_end : cs_dist_most(&pop->dist);

    return least < INT_MIN || most > INT_MAX;
}

enum cs_code cs_kv_check(struct cs_cli *cli, struct cs_err *err)
{
    const struct cs_settings *s = cli->settings;

    if (s->schema.table != CS_PREDEFINED_KV)
        return CS_OK;
    if (counts(&s->command))
        return cs_cli_refuse(cli, "-schema", "table=kv", err,
                             "it has no counters");
    if (s->compat.data == CS_DATA_PROBE)
        return cs_cli_refuse(cli, "-compat", "data=probe", err,
                             "no other tool wrote the table kv");
    if (is_too_large(&s->population))
        return cs_cli_refuse(cli, "-pop", NULL, err,
                             "the keys of the table kv are ints, expected a "
                             "population from %d to %d",
                             INT_MIN, INT_MAX);
    return CS_OK;
}
