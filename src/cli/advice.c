/* advice.c - what a user should know of an accepted command line before it
 * runs. */
#include "cli/parse_internal.h"

#include <stdio.h>

/* With fewer values the generator of c4 gives one or two partitions in all. */
#define REVISIT_FEW 1084
/* Iterations of a warm-up per node that is named, and how long one may take
 * before it is announced. */
#define WARM_UP_MOST   50000
#define WARM_UP_LONG_S 10

static void advise_population(struct cs_cli *cli)
{
    const struct cs_settings_population *pop = &cli->settings->population;
    bool dist = cs_cli_given(cli, "-pop", "dist=") ||
                cs_cli_given(cli, "-key", "dist=");
    bool seq = cs_cli_given(cli, "-pop", "seq=") ||
               cs_cli_given(cli, "-key", "populate=");

    if (cs_cli_opened(cli, "-key"))
        cs_cli_notice(cli, "-key is the old name of -pop");
    if (pop->sequence && !seq && cs_cli_opened(cli, "-pop"))
        cs_cli_warn(cli,
                    "-pop: neither seq= nor dist= given, the writes go "
                    "through 1..%lld",
                    (long long)pop->seq_end);
    if (!pop->sequence && !dist)
        cs_cli_notice(cli,
                      "partitions are drawn from gaussian(1..%lld): the middle "
                      "third gets two thirds of the operations (-pop says "
                      "otherwise)",
                      (long long)pop->dist.max);
}

/* A ramp without auto does every step: say which. */
static void advise_steps(struct cs_cli *cli)
{
    const struct cs_settings_rate *rate = &cli->settings->rate;
    char text[512] = "";
    size_t used = 0;

    for (int64_t t = rate->min_threads; t <= rate->max_threads && used < 400;
         t = t < 16 ? 2 * t : t + t / 2)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%lld",
                                 used ? ", " : "", (long long)t);
    cs_cli_warn(cli,
                "-rate: several runs without a stop at saturation (no auto): "
                "%s threads",
                text);
}

static void advise_rate(struct cs_cli *cli)
{
    const struct cs_settings_rate *rate = &cli->settings->rate;

    if (!rate->ramp || cli->settings->command.count == 0)
        return;
    if (!rate->automatic)
        advise_steps(cli);
    else if (!cs_cli_opened(cli, "-rate"))
        cs_cli_notice(cli,
                      "no -rate: several runs follow with 4, 8, 16, 24, 36 and "
                      "more threads, until the throughput grows no longer; "
                      "-rate threads=N makes one run");
}

/* A warm-up that keeps to the rate limit may last longer than one expects. */
static void advise_warm_up(struct cs_cli *cli)
{
    const struct cs_settings *s = cli->settings;
    double rate = CS_MAX(s->rate.throttle_per_s, s->rate.fixed_per_s);
    int64_t count = s->command.count > 0
                        ? CS_MIN(s->command.count / 4, WARM_UP_MOST)
                        : WARM_UP_MOST;
    double seconds = (double)count * (double)s->node.count / rate;

    if (s->command.no_warmup || s->command.count == 0 || s->compat.strict ||
        !(rate > 0) || s->command.duration || seconds < WARM_UP_LONG_S)
        return;
    cs_cli_notice(cli,
                  "the warm-up keeps to the rate, too, and takes about %.0f s "
                  "for each operation (no-warmup leaves it out)",
                  seconds);
}

static void advise_measurements(struct cs_cli *cli)
{
    const struct cs_settings_command *c = &cli->settings->command;

    if (c->target_uncertainty >= 0 && c->min_measurements > c->max_measurements)
        cs_cli_warn(cli, "n> is above n<, the run ends after n< intervals");
}

static bool mix_has(const struct cs_settings_command *c, const char *kind)
{
    for (size_t i = 0; i < c->op_count; i++)
        if (!strcmp(c->ops[i].name, kind))
            return true;
    return false;
}

static void advise_schema(struct cs_cli *cli)
{
    const struct cs_settings *s = cli->settings;
    enum cs_command type = s->command.type;

    if (type == CS_COMMAND_USER && cs_cli_opened(cli, "-col"))
        cs_cli_notice(cli, "-col has no effect on user");
    if (!s->schema.typed && s->node.count > 1 && cs_settings_updates(s) &&
        type != CS_COMMAND_USER)
        cs_cli_notice(cli, "a keyspace that is created has SimpleStrategy with "
                           "one replica, and its tables no compression "
                           "(-schema says otherwise)");
    if (cs_cli_given(cli, "-insert", "revisit=") && cs_settings_updates(s) &&
        s->compat.data == CS_DATA_C4 &&
        cs_dist_most(&s->insert.revisit) - cs_dist_least(&s->insert.revisit) <
            REVISIT_FEW)
        cs_cli_warn(cli, "-insert: with so few values in revisit= all seeds "
                         "fall on one or two partitions (dialect c4)");
}

static void advise_counters(struct cs_cli *cli)
{
    const struct cs_settings_command *c = &cli->settings->command;
    bool counts = c->type == CS_COMMAND_COUNTER_WRITE ||
                  (c->type == CS_COMMAND_MIXED && mix_has(c, "COUNTER_WRITE"));

    if (counts && !c->no_warmup && c->count != 0)
        cs_cli_notice(cli, "the warm-up changes the counters too (no-warmup "
                           "leaves it out)");
}

void cs_advice_give(struct cs_cli *cli)
{
    advise_population(cli);
    if (!cli->settings->rows.on)
        advise_rate(cli);
    advise_warm_up(cli);
    advise_measurements(cli);
    advise_schema(cli);
    advise_counters(cli);
}
