/* options_pop.c - the groups -pop and, of 2.1.0, -key: which partitions. */
#include "cli/options_internal.h"
#include "cli/parse_internal.h"

enum { SEQUENCE = 1, DISTRIBUTION = 2 };

static bool by_sequence(const struct cs_settings *s)
{
    return s->population.sequence;
}

static bool by_distribution(const struct cs_settings *s)
{
    return !s->population.sequence;
}

static bool looks_back(const struct cs_settings *s)
{
    return s->population.has_lookback;
}

static void show_sequence(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_printf(out, "%lld..%lld", (long long)s->population.seq_start,
                  (long long)s->population.seq_end);
}

static void show_order(const struct cs_settings *s, struct cs_buf *out)
{
    static const char *const names[] = {"ARBITRARY", "SORTED", "SHUFFLED"};

    cs_buf_puts(out, names[s->population.order]);
}

/* min..max, two or more dots. */
enum cs_code cs_store_sequence(struct cs_cli *cli,
                               const struct cs_option *option,
                               const char *value, struct cs_err *err)
{
    struct cs_settings_population *pop = &cli->settings->population;
    const char *dots = strstr(value, "..");
    char start[40];
    enum cs_code rc;

    (void)option;
    if (!dots || dots - value >= (ptrdiff_t)sizeof(start))
        return cs_fail(err, CS_EUSAGE, "not a range");
    memcpy(start, value, (size_t)(dots - value));
    start[dots - value] = 0;
    rc = cs_value_number(cli, start, false, &pop->seq_start, err);
    if (!rc)
        rc = cs_value_number(cli, dots + strspn(dots, "."), false,
                             &pop->seq_end, err);
    if (!rc && pop->seq_start > pop->seq_end)
        rc = cs_fail(err, CS_EUSAGE, "the range runs backwards");
    return rc;
}

static const struct cs_choice contents_choices[] = {
    {"sorted", CS_ORDER_SORTED}, {"shuffled", CS_ORDER_SHUFFLED}, {NULL, 0}};

#define RANGE_FORM "first..last, as in 1..10k"

static const struct cs_option pop_rows[] = {
    {.key = "dist=",
     .type = CS_OPTION_DIST,
     .sets = DISTRIBUTION,
     .at = CS_AT(population.dist),
     .shown = "gaussian(1..N)",
     .help = "partitions are drawn; N is n=, or 1M",
     .label = "Distribution",
     .when = by_distribution},
    {.key = "seq=",
     .type = CS_OPTION_CUSTOM,
     .sets = SEQUENCE,
     .needs = SEQUENCE,
     .store = cs_store_sequence,
     .shown = "1..N",
     .form = RANGE_FORM,
     .help = "partitions in order; the default of commands that only write",
     .label = "Sequence",
     .when = by_sequence,
     .show = show_sequence},
    {.key = "read-lookback=",
     .type = CS_OPTION_DIST,
     .sets = SEQUENCE,
     .at = CS_AT(population.lookback),
     .has_at = CS_AT(population.has_lookback),
     .help = "reads take partitions so far behind the last one written",
     .label = "Read Look Back",
     .when = looks_back},
    {.key = "contents=",
     .type = CS_OPTION_CHOICE,
     .at = CS_AT(population.order),
     .choices = contents_choices,
     .shown = "arbitrary",
     .help = "order of the rows inside a partition",
     .label = "Order",
     .show = show_order},
    {.key = "no-wrap",
     .type = CS_OPTION_FLAG,
     .sets = SEQUENCE,
     .at = CS_AT(population.wrap),
     .negated = true,
     .help = "end the run when the sequence is used up",
     .label = "Wrap"},
};

const struct cs_option_group cs_options_pop = {
    .name = "-pop",
    .help = "population: the partitions and the order of visits",
    .alternatives = 2,
    .section = "Population:",
    .tables = {CS_TABLE(pop_rows)}};

static const struct cs_option key_rows[] = {
    {.key = "populate=",
     .type = CS_OPTION_CUSTOM,
     .sets = SEQUENCE,
     .needs = SEQUENCE,
     .store = cs_store_sequence,
     .form = RANGE_FORM,
     .help = "old spelling of -pop seq="},
    {.key = "dist=",
     .type = CS_OPTION_DIST,
     .sets = DISTRIBUTION,
     .at = CS_AT(population.dist),
     .help = "old spelling of -pop dist="},
    {.key = "cluster=",
     .type = CS_OPTION_DIST,
     .sets = DISTRIBUTION,
     .idle = "cluster= has no effect",
     .help = "without effect"},
    {.key = "size=",
     .type = CS_OPTION_INT,
     .form = "a number",
     .at = CS_AT(command.key_size),
     .min = 1,
     .max = 65535,
     .help = "old spelling of keysize="},
};

const struct cs_option_group cs_options_key = {.name = "-key",
                                               .help = "old spelling of -pop",
                                               .hidden = true,
                                               .alternatives = 2,
                                               .tables = {CS_TABLE(key_rows)}};
