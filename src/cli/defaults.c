/* defaults.c - values that depend on several options: population, threads,
 * columns, replication. */
#include "cli/parse_internal.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Population when no count says how large. */
#define USUAL_POPULATION 1000000
#define USUAL_THREADS    200
/* KEY and the columns are bind markers, of which CQL has 65,535. */
#define COLUMNS_MAX 65534

static const char *command_name(const struct cs_cli *cli)
{
    return cli->opened[0].group->name;
}

static void fill_size(struct cs_cli *cli)
{
    struct cs_settings_command *command = &cli->settings->command;

    if (cs_cli_given(cli, command_name(cli), "n=") ||
        cs_cli_given(cli, command_name(cli), "duration="))
        return;
    if (command->target_uncertainty >= 0)
        return;
    command->target_uncertainty = 0.02;
    command->target_text = "0.02";
}

/* Inserts only: the population is a sequence. */
static bool only_writes(const struct cs_settings_command *command)
{
    if (command->type == CS_COMMAND_USER)
        return command->op_count == 1 &&
               cs_same_word(command->ops[0].name, "insert");
    return command->type == CS_COMMAND_WRITE ||
           command->type == CS_COMMAND_COUNTER_WRITE;
}

static bool given_in_pop(const struct cs_cli *cli, const char *key,
                         const char *old)
{
    return cs_cli_given(cli, "-pop", key) || cs_cli_given(cli, "-key", old);
}

static void fill_population(struct cs_cli *cli)
{
    struct cs_settings *s = cli->settings;
    struct cs_settings_population *pop = &s->population;
    int64_t n = s->command.count > 0 ? s->command.count : USUAL_POPULATION;
    bool writes = only_writes(&s->command);

    if (given_in_pop(cli, "seq=", "populate=")) {
        pop->sequence = true;
        return;
    }
    pop->wrap = false;
    if (given_in_pop(cli, "dist=", "dist="))
        return;
    if (writes) {
        pop->sequence = pop->wrap = true;
        pop->seq_start = 1;
        pop->seq_end = n;
        return;
    }
    pop->dist = cs_dist_gaussian(1, n);
}

/* One limit typed: the other follows it. */
static void match_limits(struct cs_cli *cli)
{
    struct cs_settings_rate *rate = &cli->settings->rate;
    bool low = cs_cli_given(cli, "-rate", "threads>=");
    bool high = cs_cli_given(cli, "-rate", "threads<=");

    if (rate->min_threads <= rate->max_threads || (low && high))
        return;
    if (low) {
        rate->max_threads = rate->min_threads;
        cs_cli_warn(cli, "-rate: threads<= is raised to %d", rate->max_threads);
    } else {
        rate->min_threads = rate->max_threads;
        cs_cli_warn(cli, "-rate: threads>= is lowered to %d",
                    rate->min_threads);
    }
}

static enum cs_code fill_rate(struct cs_cli *cli, struct cs_err *err)
{
    struct cs_settings_rate *rate = &cli->settings->rate;
    enum cs_command type = cli->settings->command.type;
    bool fixed = cs_cli_given(cli, "-rate", "threads=");

    if (rate->throttle_per_s > 0 && rate->fixed_per_s > 0)
        return cs_cli_refuse(
            cli, "-rate", NULL, err,
            "can't have both fixed and throttle set, choose one");
    if (cs_cli_given(cli, "-rate", "throttle=") &&
        cs_cli_given(cli, "-rate", "limit="))
        return cs_cli_refuse(cli, "-rate", NULL, err,
                             "limit= is the old name of throttle=, give one");
    if (rate->poisson && !(rate->fixed_per_s > 0))
        return cs_cli_refuse(cli, "-rate", NULL, err,
                             "poisson needs a rate, as in fixed=5000/s");
    if (fixed)
        return CS_OK;
    if (!cs_cli_opened(cli, "-rate") && cli->settings->command.count > 0 &&
        (type == CS_COMMAND_WRITE || type == CS_COMMAND_COUNTER_WRITE)) {
        rate->threads = USUAL_THREADS;
        return CS_OK;
    }
    rate->threads = -1;
    rate->ramp = true;
    if (!cs_cli_opened(cli, "-rate"))
        rate->automatic = true;
    match_limits(cli);
    if (rate->min_threads > rate->max_threads)
        return cs_cli_refuse(cli, "-rate", NULL, err,
                             "threads>= is above threads<=");
    return CS_OK;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static enum cs_code number_columns(struct cs_cli *cli, struct cs_err *err)
{
    struct cs_settings_columns *columns = &cli->settings->columns;
    const struct cs_given *given = cs_cli_given(cli, "-col", "n=");
    const char *word = given ? given->word : NULL;
    int64_t count = cs_dist_most(&columns->count_dist);

    if (cs_dist_least(&columns->count_dist) != count)
        return cs_cli_refuse(cli, "-col", word, err,
                             "the number of columns must be fixed, as in "
                             "n=FIXED(5)");
    if (count < 1 || count > COLUMNS_MAX)
        return cs_cli_refuse(cli, "-col", word, err,
                             "out of range, expected 1 to %d columns",
                             COLUMNS_MAX);
    columns->count = (size_t)count;
    columns->names = cs_cli_array(cli, columns->count, sizeof(char *));
    for (size_t i = 0; i < columns->count && columns->names; i++) {
        char name[16];
        int size = snprintf(name, sizeof(name), "C%zu", i);

        columns->names[i] = cs_cli_text(cli, name, (size_t)size);
    }
    return CS_OK;
}

static enum cs_code fill_columns(struct cs_cli *cli, struct cs_err *err)
{
    struct cs_settings_columns *columns = &cli->settings->columns;
    enum cs_code rc = CS_OK;

    if (cli->settings->command.type == CS_COMMAND_USER)
        return CS_OK;
    if (cli->settings->schema.table == CS_PREDEFINED_KV)
        return cs_kv_fill(cli, err);
    if (!columns->names_typed)
        rc = number_columns(cli, err);
    if (rc || cli->no_memory)
        return rc;
    qsort(columns->names, columns->count, sizeof(*columns->names),
          compare_names);
    for (size_t i = 1; i < columns->count; i++)
        if (!strcmp(columns->names[i - 1], columns->names[i]))
            return cs_cli_refuse(cli, "-col", "names=", err,
                                 "column '%.80s' is named twice",
                                 columns->names[i]);
    return CS_OK;
}

/* The map that is sent: what was typed, and replication_factor where it is
 * missing and either the strategy is SimpleStrategy or factor= was typed. */
static void fill_replication(struct cs_cli *cli)
{
    struct cs_settings_schema *schema = &cli->settings->schema;
    struct cs_key_value *grown;
    char factor[16];

    schema->typed = cs_cli_opened(cli, "-schema") != NULL;
    if (!schema->strategy)
        schema->strategy = "org.apache.cassandra.locator.SimpleStrategy";
    if (!schema->factor_typed)
        schema->factor = 1;
    for (size_t i = 0; i < schema->replication_count; i++)
        if (!strcmp(schema->replication[i].key, "replication_factor"))
            return;
    if (!schema->factor_typed &&
        strcmp(schema->strategy,
               "org.apache.cassandra.locator.SimpleStrategy") != 0)
        return;
    grown = cs_cli_array(cli, schema->replication_count + 1, sizeof(*grown));
    if (!grown)
        return;
    if (schema->replication_count)
        memcpy(grown, schema->replication,
               schema->replication_count * sizeof(*grown));
    snprintf(factor, sizeof(factor), "%d", schema->factor);
    grown[schema->replication_count].key = "replication_factor";
    grown[schema->replication_count++].value =
        cs_cli_text(cli, factor, strlen(factor));
    schema->replication = grown;
}

static void fill_mode(struct cs_cli *cli)
{
    struct cs_settings_mode *mode = &cli->settings->mode;
    bool prepared = cs_cli_given(cli, "-mode", "prepared");
    bool unprepared = cs_cli_given(cli, "-mode", "unprepared");

    mode->prepared = prepared || !(unprepared || mode->simple_native);
    if (prepared && unprepared)
        cs_cli_warn(cli, "-mode: of prepared and unprepared, prepared counts");
    cli->settings->transport.verify_host = !cli->strict;
    if (cs_cli_given(cli, "-transport", "hostname-verification="))
        cli->settings->transport.verify_host = cs_same_word(
            cs_cli_given(cli, "-transport", "hostname-verification=")->value,
            "true");
    if (cli->settings->command.type == CS_COMMAND_USER)
        cli->settings->schema.keyspace = NULL;
}

/* A rack alone says enough. */
static void fill_node(struct cs_cli *cli)
{
    struct cs_settings_node *node = &cli->settings->node;

    if (node->rack && !cs_cli_given(cli, "-node", "loadbalance="))
        node->balance = CS_BALANCE_RACK;
    if (node->rack && node->balance != CS_BALANCE_RACK)
        cs_cli_warn(cli, "-node: rack= counts with loadbalance=rack-aware "
                         "only");
    if (node->remote_dc_hosts && node->balance == CS_BALANCE_ALL)
        cs_cli_warn(cli, "-node: remote-dc= has no effect, loadbalance= asks "
                         "the nodes of every data centre");
}

static void fill_graph(struct cs_cli *cli)
{
    struct cs_settings_graph *graph = &cli->settings->graph;
    const char *name = cs_command_name(cli->settings->command.type);

    if (!graph->operation) {
        char *text = cs_cli_text(cli, name, strlen(name));

        for (char *p = text; p && *p; p++)
            *p = (char)toupper((unsigned char)*p);
        graph->operation = text;
    }
    if (graph->file && !graph->title) {
        char date[32];
        time_t now = time(NULL);
        struct tm tm;

        if (localtime_r(&now, &tm) &&
            strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm))
            graph->title = cs_cli_text(cli, date, strlen(date));
    }
}

static void fill_compat(struct cs_cli *cli)
{
    if (!cli->data_given && !cs_cli_given(cli, "-compat", "data="))
        cli->settings->compat.data =
            cli->settings->compat.level == CS_LEVEL_3_11 ? CS_DATA_C3
                                                         : CS_DATA_C4;
}

static const char *const kinds[] = {"READ", "WRITE", "COUNTER_WRITE",
                                    "COUNTER_READ"};

static int compare_kinds(const void *a, const void *b)
{
    const struct cs_weighted_name *x = a;
    const struct cs_weighted_name *y = b;
    int place[2] = {0, 0};

    for (int i = 0; i < (int)CS_COUNT(kinds); i++) {
        if (!strcmp(kinds[i], x->name))
            place[0] = i;
        if (!strcmp(kinds[i], y->name))
            place[1] = i;
    }
    return place[0] - place[1];
}

static void fill_mix(struct cs_cli *cli)
{
    struct cs_settings_command *command = &cli->settings->command;

    if (command->type != CS_COMMAND_MIXED)
        return;
    if (!command->op_count) {
        command->ops = cs_cli_array(cli, 2, sizeof(*command->ops));
        if (!command->ops)
            return;
        command->ops[0] =
            (struct cs_weighted_name){.name = "READ", .weight = 1};
        command->ops[1] =
            (struct cs_weighted_name){.name = "WRITE", .weight = 1};
        command->op_count = 2;
        if (cs_cli_given(cli, "mixed", "ratio("))
            cs_cli_warn(cli, "mixed: ratio() is empty and means read=1,"
                             "write=1");
    }
    qsort(command->ops, command->op_count, sizeof(*command->ops),
          compare_kinds);
}

enum cs_code cs_defaults_fill(struct cs_cli *cli, struct cs_err *err)
{
    enum cs_code rc;

    fill_compat(cli);
    fill_size(cli);
    fill_mix(cli);
    fill_population(cli);
    fill_replication(cli);
    fill_mode(cli);
    cs_mysql_fill(cli);
    fill_node(cli);
    fill_graph(cli);
    rc = fill_rate(cli, err);
    if (!rc)
        rc = fill_columns(cli, err);
    if (!rc && cli->node_file)
        rc = cs_node_file_load(cli, cli->node_file, err);
    if (!rc)
        rc = cs_credentials_load(cli, err);
    return rc;
}
