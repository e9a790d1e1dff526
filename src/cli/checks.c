/* checks.c - what one option alone cannot know: consistency levels per
 * command, ranges that belong together, files. */
#include "cli/parse_internal.h"

#include "base/text.h"

#include <limits.h>

static const char *command_name(const struct cs_cli *cli)
{
    return cli->opened[0].group->name;
}

static bool mix_has(const struct cs_settings_command *command, const char *kind)
{
    for (size_t i = 0; i < command->op_count; i++)
        if (!strcmp(command->ops[i].name, kind))
            return true;
    return false;
}

struct kinds {
    bool reads, writes, counts;
};

static struct kinds kinds_of(const struct cs_settings_command *c)
{
    switch (c->type) {
    case CS_COMMAND_READ:
    case CS_COMMAND_COUNTER_READ:
        return (struct kinds){.reads = true};
    case CS_COMMAND_WRITE:
        return (struct kinds){.writes = true};
    case CS_COMMAND_COUNTER_WRITE:
        return (struct kinds){.counts = true};
    case CS_COMMAND_MIXED:
        return (struct kinds){.reads = mix_has(c, "READ") ||
                                       mix_has(c, "COUNTER_READ"),
                              .writes = mix_has(c, "WRITE"),
                              .counts = mix_has(c, "COUNTER_WRITE")};
    default: /* user: the statements decide */
        return (struct kinds){0};
    }
}

static enum cs_code check_consistency(struct cs_cli *cli, struct cs_err *err)
{
    const struct cs_settings_command *c = &cli->settings->command;
    struct kinds kinds = kinds_of(c);
    const struct cs_given *given = cs_cli_given(cli, command_name(cli), "cl=");
    const char *word = given ? given->word : NULL;
    const char *name = cs_consistency_name(c->cl);
    bool serial = c->cl == CS_CL_SERIAL || c->cl == CS_CL_LOCAL_SERIAL;

    if (c->cl == CS_CL_ANY && kinds.reads)
        return cs_cli_refuse(cli, command_name(cli), word, err,
                             "reads have no consistency level ANY");
    if (c->cl == CS_CL_ANY && kinds.counts)
        return cs_cli_refuse(cli, command_name(cli), word, err,
                             "counters have no consistency level ANY");
    if (serial && kinds.counts)
        return cs_cli_refuse(cli, command_name(cli), word, err,
                             "counters have no consistency level %s", name);
    if (serial && kinds.writes && !kinds.reads)
        return cs_cli_refuse(cli, command_name(cli), word, err,
                             "a write without a condition has no consistency "
                             "level %s",
                             name);
    if (serial && kinds.writes)
        cs_cli_warn(cli, "mixed: reads are sent at %s, writes at LOCAL_ONE",
                    name);
    return CS_OK;
}

static enum cs_code check_weights(struct cs_cli *cli, struct cs_err *err)
{
    const struct cs_settings_command *c = &cli->settings->command;
    double sum = 0;

    if (c->type != CS_COMMAND_MIXED && c->type != CS_COMMAND_USER)
        return CS_OK;
    if (!c->op_count)
        return cs_cli_refuse(cli, command_name(cli), NULL, err,
                             "ops() names no operation");
    for (size_t i = 0; i < c->op_count; i++)
        sum += c->ops[i].weight;
    if (!(sum > 0))
        return cs_cli_refuse(cli, command_name(cli), NULL, err,
                             "all weights are 0");
    return CS_OK;
}

static enum cs_code check_population(struct cs_cli *cli, struct cs_err *err)
{
    const struct cs_settings *s = cli->settings;
    const struct cs_dist_spec *back = &s->population.lookback;
    const struct cs_dist_spec *revisit = &s->insert.revisit;
    int64_t last = s->population.seq_end - s->population.seq_start;

    if (cs_cli_opened(cli, "-pop") && cs_cli_opened(cli, "-key"))
        return cs_cli_refuse(cli, "-pop", NULL, err,
                             "-key is its old name, give one of the two");
    if (s->population.has_lookback &&
        (cs_dist_least(back) < 0 || cs_dist_most(back) - 1 > last))
        return cs_cli_refuse(cli, "-pop", NULL, err,
                             "read-lookback= reaches further than seq= goes");
    if (cs_dist_least(revisit) < 0 ||
        cs_dist_most(revisit) - cs_dist_least(revisit) >= INT_MAX)
        return cs_cli_refuse(cli, "-insert", NULL, err,
                             "revisit= must stay between 0 and 2147483647");
    return CS_OK;
}

static enum cs_code check_user(struct cs_cli *cli, struct cs_err *err)
{
    const struct cs_settings_command *c = &cli->settings->command;

    if (c->type != CS_COMMAND_USER)
        return CS_OK;
    if (cs_cli_opened(cli, "-schema"))
        return cs_cli_refuse(cli, "-schema", NULL, err,
                             "it is for the built-in commands; the profile "
                             "defines the schema of user");
    for (size_t i = 0; i < c->profile_count; i++) {
        const char *path = c->profiles[i];

        if (cs_starts_with_word(path, "file:") || strstr(path, "://"))
            continue; /* the profile's own reader knows the forms */
        if (cs_file_readable(path, err))
            return cs_cli_blame(cli, "user", NULL, err);
    }
    return CS_OK;
}

static enum cs_code check_errors(struct cs_cli *cli, struct cs_err *err)
{
    const struct cs_settings_errors *e = &cli->settings->errors;

    if (cs_cli_given(cli, command_name(cli), "tries=") &&
        cs_cli_given(cli, "-errors", "retries="))
        return cs_cli_refuse(cli, "-errors", NULL, err,
                             "tries= is the old form of retries=, give one");
    if (e->min_delay_ms > e->max_delay_ms)
        return cs_cli_refuse(cli, "-errors", NULL, err,
                             "min-delay-ms= is above max-delay-ms=");
    if (e->delay == CS_DELAY_EXPONENTIAL && e->min_delay_ms < 1)
        return cs_cli_refuse(cli, "-errors", NULL, err,
                             "delay-policy=exponential needs min-delay-ms= "
                             "above 0");
    return CS_OK;
}

static enum cs_code check_schema(struct cs_cli *cli, struct cs_err *err)
{
    const struct cs_settings *s = cli->settings;
    const struct cs_settings_schema *schema = &s->schema;

    if (schema->storage_type && !strcmp(schema->storage_type, "S3") &&
        (!schema->storage_endpoint || !schema->storage_bucket))
        return cs_cli_refuse(cli, "-schema", NULL, err,
                             "storage(type=S3) needs endpoint= and bucket=");
    if (s->columns.timestamp &&
        s->columns.timestamp[strspn(s->columns.timestamp, "0123456789")])
        return cs_cli_refuse(cli, "-col", "timestamp=", err,
                             "not a number of microseconds, expected digits");
    return CS_OK;
}

static enum cs_code check_output(struct cs_cli *cli, const char *group,
                                 const char *path, struct cs_err *err)
{
    if (path && cs_file_writable(path, err))
        return cs_cli_blame(cli, group, NULL, err);
    return CS_OK;
}

static enum cs_code check_outputs(struct cs_cli *cli, struct cs_err *err)
{
    const struct cs_settings *s = cli->settings;
    enum cs_code rc = check_output(cli, "-log", s->log.file, err);

    if (!rc)
        rc = check_output(cli, "-log", s->log.hdr_file, err);
    if (!rc)
        rc = check_output(cli, "-graph", s->graph.file, err);
    if (!rc)
        rc = check_output(cli, "-errors", s->errors.differences, err);
    if (!rc)
        rc = check_output(cli, "-errors", s->errors.failures, err);
    return rc;
}

enum cs_code cs_checks_run(struct cs_cli *cli, struct cs_err *err)
{
    static enum cs_code (*const checks[])(struct cs_cli *, struct cs_err *) = {
        check_weights, check_consistency, check_population, check_user,
        check_errors,  check_schema,      cs_mysql_check,   cs_kv_check,
        check_outputs, cs_rows_check};

    for (size_t i = 0; i < CS_COUNT(checks); i++) {
        enum cs_code rc = checks[i](cli, err);

        if (rc)
            return rc;
    }
    return CS_OK;
}
